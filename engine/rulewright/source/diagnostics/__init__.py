"""Diagnostics: code, message, span, related spans, edits; collected and formatted."""
