"""The rules language: types, expressions, statements, triggers, and lowering to operations."""
