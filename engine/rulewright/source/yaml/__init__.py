"""YAML text → nodes with places; and what its author most likely meant where it is none."""
