"""Solvers: perfect play by retrograde analysis, and by counterfactual regret where information is hidden."""
