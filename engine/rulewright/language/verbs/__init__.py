"""The verbs, one file each. `rulewright.language.verb.verbs()` finds them."""
