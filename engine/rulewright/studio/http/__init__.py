"""The studio's server: one page on this machine, and what it asks."""
