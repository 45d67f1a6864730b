"""The language server: what an editor asks about rules."""
