"""Sections of the rules, one module each."""
