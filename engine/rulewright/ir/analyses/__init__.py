"""Analyses of a program: value ranges, option ranges, information flow, liveness, suspension points."""
