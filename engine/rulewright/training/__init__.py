"""Training: bots learn by self-play what positions are worth."""
