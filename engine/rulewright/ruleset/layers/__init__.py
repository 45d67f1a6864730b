"""Merge the layers of a ruleset, record where each value comes from, and find conflicts between layers."""
