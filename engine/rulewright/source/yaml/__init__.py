"""The YAML reader: nodes with positions, error recovery, and explanations of syntax errors."""
