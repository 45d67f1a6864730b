"""Queries that a loaded ruleset answers about itself."""
