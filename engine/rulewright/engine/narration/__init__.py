"""What happened, and what there is to choose, in words."""
