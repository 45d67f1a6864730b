"""The rulebook: pages computed from a ruleset without side effects, and the site around them."""
