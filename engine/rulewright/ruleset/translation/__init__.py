"""The words of a ruleset in another language: what there is to say, what is said, and what is wrong with it."""
