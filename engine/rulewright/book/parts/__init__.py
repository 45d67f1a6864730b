"""The parts of pages, such as steps, tables, examples, odds and pictures."""
