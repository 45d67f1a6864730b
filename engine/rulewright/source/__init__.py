"""The source floor: YAML text becomes nodes that know their file, line and column, and mistakes become diagnostics."""
