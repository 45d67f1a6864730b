"""Inputs that nobody meant: a few on every run of the tests, and as many as one likes on request (`make fuzz`)."""
