"""Sources: YAML text to nodes with file, line and column, and problems to diagnostics."""
