"""What is wrong in a file: diagnostics, the edits that mend them, and how they are written."""
