"""Narration: events and options in words, and what each viewer may see."""
