"""Layers: one merge for all of them, with the history of every value, and conflicts."""
