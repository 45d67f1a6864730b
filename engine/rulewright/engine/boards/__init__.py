"""Boards: their contents and geometry, as text and as SVG."""
