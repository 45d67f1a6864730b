"""Recovery from errors: check the valid parts of rules, and find the layer that caused an error."""
