"""Translations: the texts of a ruleset in another language, their signatures and coverage."""
