"""What a game comes to: exact odds, simulation and fairness."""
