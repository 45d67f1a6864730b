"""A ruleset: found, read, laid in layers, checked; and what it is asked."""
