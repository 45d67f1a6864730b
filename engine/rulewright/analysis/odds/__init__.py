"""Exact odds of procedures, from a graph of states over all chance events with equal states merged."""
