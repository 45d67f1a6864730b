"""Sampling of rolls, from a counter-based generator or from scripted faces."""
