"""Answer questions about a loaded ruleset, such as which dice it needs or which rules a formula reads."""
