"""Learning to judge positions by play: see `learn.py`."""
