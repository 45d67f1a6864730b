"""Questions about the fairness of a game, answered from a shared set of simulated games."""
