"""English for typed expressions: a visitor of every node, and the nouns of a ruleset."""
