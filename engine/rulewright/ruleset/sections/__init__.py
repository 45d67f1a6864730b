"""The sections of the rules, one file each (or one a small family). `rulewright.ruleset.section` finds them."""
