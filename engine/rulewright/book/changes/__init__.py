"""Changes between two rulesets, in sentences for players."""
