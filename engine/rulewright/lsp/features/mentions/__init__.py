"""The mentions of names in the rules of an edition, file by file."""
