"""What pages are made of: steps, tables, examples, odds, pictures."""
