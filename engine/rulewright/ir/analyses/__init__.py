"""Analyses of a program: value ranges, information flow, liveness, suspension points."""
