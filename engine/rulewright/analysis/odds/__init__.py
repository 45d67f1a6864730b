"""Exact odds of procedures: a graph of states over all chance events, with equal states merged."""
