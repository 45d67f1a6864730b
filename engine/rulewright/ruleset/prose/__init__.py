"""Prose for readers: markup, placeholders, signatures, and texts that a rule change made stale."""
