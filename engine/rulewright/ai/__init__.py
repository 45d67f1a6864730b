"""Artificial players: bots, and exact solvers of small games."""
