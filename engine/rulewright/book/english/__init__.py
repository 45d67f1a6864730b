"""English text for typed expressions, by a visitor of every node, and the nouns of a ruleset."""
