"""Boards and ranks of a game, as text and as pictures."""
