"""Resolved nodes → declarations and checked procedures, section by section."""
