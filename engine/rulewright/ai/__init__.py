"""Players without people: bots, and solvers of small games."""
