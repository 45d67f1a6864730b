"""Training of bots, which learn position values by self-play."""
