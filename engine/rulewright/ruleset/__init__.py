"""Load, merge, check and query rulesets."""
