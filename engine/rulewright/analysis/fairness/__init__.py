"""Fairness: questions about balance, answered from simulated games that they share."""
