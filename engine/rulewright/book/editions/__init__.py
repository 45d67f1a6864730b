"""The editions that have a book, beside each other: which follows which, and what changed between them."""
