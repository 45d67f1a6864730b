"""Builtin functions of the expression language, one module each or one for a small family."""
