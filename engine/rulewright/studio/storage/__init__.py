"""Storage of a project folder: versions, history, locking, share links."""
