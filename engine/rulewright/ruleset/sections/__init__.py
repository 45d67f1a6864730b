"""The sections of the rules, one file for each or for a few related ones. `rulewright.ruleset.section` loads them."""
