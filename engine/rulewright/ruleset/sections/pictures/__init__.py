"""Sections of which a reader gets pictures: games that were played, figures at one glance, the table to play at."""
