"""Analysis of a game: exact odds, simulation, fairness."""
