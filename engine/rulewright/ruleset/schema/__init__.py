"""The schema of rules files with its definition, JSON Schemas, validation with readable errors, and digests."""
