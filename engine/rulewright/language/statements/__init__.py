"""Statements, one module each: the actions of steps."""
