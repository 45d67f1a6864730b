"""A ruleset for others: its module, what a host must know of it, and what drives it where there is no Python."""
