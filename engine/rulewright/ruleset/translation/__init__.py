"""Translations of a ruleset: the texts to translate, the translated ruleset, and its checks."""
