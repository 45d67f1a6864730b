"""The board shapes, one module each with its keys in YAML, its spaces, its picture, and its lines in a terminal."""
