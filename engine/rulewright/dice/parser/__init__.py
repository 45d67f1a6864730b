"""The parser of dice notation: LALR tables, semantics, dialects of other programs, error messages."""
