"""The studio, an editor for rules in the browser."""
