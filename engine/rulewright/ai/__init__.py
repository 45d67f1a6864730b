"""Artificial players, both bots and exact solvers for small games."""
