"""Check what is valid in rules that have errors, and find the layer that caused an error."""
