"""The functions of the language, one file each (or one a small family). `rulewright.language.builtin` finds them."""
