"""The parts of pages: steps, tables, examples, odds, pictures."""
