"""The pages of an edition's rulebook."""
