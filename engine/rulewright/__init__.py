"""Rulewright: a board game's rules as data."""
