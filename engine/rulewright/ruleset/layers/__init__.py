"""Layers laid over one another: one merge, its history, and where two of them meet."""
