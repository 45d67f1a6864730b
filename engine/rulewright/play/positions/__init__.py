"""Positions as keys: which states go on alike, and what of them can still matter."""
