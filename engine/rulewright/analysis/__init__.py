"""Analysis of a game, by exact odds, by simulation, and by fairness questions."""
