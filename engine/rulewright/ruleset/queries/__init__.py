"""Questions that a loaded ruleset answers about itself."""
