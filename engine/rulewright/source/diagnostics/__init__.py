"""Diagnostics, with code, message, span, related spans and edits, and their collection and formatting."""
