"""How soon a player notices a change: by what kind of rule it is, whether it is a whole one, and how much reads it."""

from __future__ import annotations

from rulewright.book.changes.change import Line
from rulewright.ruleset.queries.difference import EDITION

_OF_SECTIONS = {
    EDITION: (50, 50),
    "procedures": (30, 60),
    "options": (24, 48),
    "numbers": (34, 16),
    "dice": (22, 44),
    "tables": (20, 36),
    "exceptions": (12, 24),
    "decks": (12, 24),
    "kinds": (10, 20),
    "state": (8, 16),
    "formulas": (4, 8),
}
"""What a rule that changed weighs, and one that is new or gone.

What players do weighs more than what they look up, and that more than how it is worked out. A figure that is new or
gone belongs to another rule that says so; one that moved is known by heart, and missed at once.
"""

_MOST = 10
"""So many readers or lines count. More of them show that a rule is long, and not that it matters more."""


def weigh(section: str, what: str, lines: tuple[Line, ...], readers: int) -> int:
    """The weight of a change; nothing if the game plays as before. `readers` is how many procedures read the rule."""
    played = [line for line in lines if not line.words]
    if not played or section not in _OF_SECTIONS:
        return 0
    changed, whole = _OF_SECTIONS[section]
    own = whole if what in ("added", "removed") else changed
    return own + min(len(played), _MOST) + 2 * min(readers, _MOST)
