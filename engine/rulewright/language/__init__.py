"""The rules language: types, expressions, verbs, and the operations they come down to."""
