"""Error recovery: what can still be checked and run if part of the rules has errors."""
