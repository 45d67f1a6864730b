"""Bots as modules know them: those that are written a second time, in `engine/runtime/bots.c`."""

from __future__ import annotations

Bot = tuple[int, int]
"""A bot by its number, and its setting."""

ANYTHING, GREEDY, SEARCHING, PLANNING = range(4)
"""The numbers: takes any option; looks one decision ahead; searches, its setting being how many visits it makes; plays
its own turn to the end, as often as its setting says."""

MOST_OUTCOMES = 12
"""Outcomes that bots weigh one by one; of a chance with more, or after so many, they take samples."""
