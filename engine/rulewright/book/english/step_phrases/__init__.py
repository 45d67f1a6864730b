"""Phrases for steps: how often they run, who draws, what a new object has, and pronouns after a condition."""
