"""Texts for readers: markup, placeholders, reviews, and checks against the rules."""
