"""What designers are given to write with: schemas for their editor, a folder to start from, a release."""
