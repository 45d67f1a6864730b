"""Narration: events and options in words, and the information that each viewer may see."""
