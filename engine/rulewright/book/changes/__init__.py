"""What changed between two rulesets, in sentences a player understands."""
