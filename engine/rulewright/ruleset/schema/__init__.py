"""The schema of rules files: its definition, JSON Schemas, validation with readable errors, and digests."""
