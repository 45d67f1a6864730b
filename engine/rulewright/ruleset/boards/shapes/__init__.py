"""The board shapes, one module each: its keys in YAML, its spaces, its picture, and its lines in a terminal."""
