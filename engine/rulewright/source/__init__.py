"""Sources: the path from YAML text to nodes with positions, and from problems to diagnostics."""
