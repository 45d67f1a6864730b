"""The rulebook: a pure function from a ruleset to pages, and the site around them."""
