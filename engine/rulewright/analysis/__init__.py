"""Analysis of games by exact odds, by simulation, and by fairness questions."""
