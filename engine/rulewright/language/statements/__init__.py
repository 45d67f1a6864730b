"""Statements, one module each: what a step can do."""
