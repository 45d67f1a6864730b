"""Rulesets: editions found and read, layers merged, sections checked."""
