"""The verbs, one file each. `rulewright.language.statement.verbs()` finds them."""
