"""Small games solved: what perfect play comes to, and how it plays."""
