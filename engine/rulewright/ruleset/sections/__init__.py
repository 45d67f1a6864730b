"""What the sections of a ruleset hold, as data."""
