"""The YAML reader, with positions, error recovery, and explanations of syntax errors."""
