"""The language server: one protocol around what `studio/editor/` knows."""
