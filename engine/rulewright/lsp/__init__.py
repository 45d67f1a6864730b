"""The language server for rules."""
