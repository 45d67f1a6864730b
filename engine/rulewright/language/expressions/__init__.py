"""Expressions: the grammar, untyped and typed trees, the type checker and the plain evaluator."""
