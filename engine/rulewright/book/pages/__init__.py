"""The pages of an edition's book."""
