"""Builtin functions of the expression language. Each module holds one function or one small family."""
