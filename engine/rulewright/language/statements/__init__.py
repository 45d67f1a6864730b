"""The verbs, one file each. `rulewright.language.statement.load_statements()` finds them."""
