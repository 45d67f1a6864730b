"""Typed expressions → English: a fold that knows every node, and what a ruleset calls its things."""
