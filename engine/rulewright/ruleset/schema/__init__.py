"""Schemas of rules files: the model, JSON Schemas, validation messages, digests."""
