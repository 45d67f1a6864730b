"""Solvers for perfect play, by retrograde analysis or, with hidden information, counterfactual regret."""
