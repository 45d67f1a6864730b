"""How soon a player notices a change: by what kind of rule it is, whether it is a whole one, and how much reads it."""

from __future__ import annotations

from rulewright.book.changes.change import PLAYED, Line
from rulewright.ruleset.queries.difference import EDITION
from rulewright.ruleset.section import sections

_OF_THE_EDITION = 50
"""What a setting of the manifest weighs.

What players do weighs more than what they look up, and that more than how it is worked out: each section says how much.
"""

_MOST = 10
"""So many readers or lines count. More of them show that a rule is long, and not that it matters more."""


def weigh(section: str, what: str, lines: tuple[Line, ...], readers: int) -> int:
    """The weight of a change; nothing if the game plays as before. `readers` is how many procedures read the rule."""
    played = [line for line in lines if not line.words]
    if not played or (section not in PLAYED and section != EDITION):
        return 0
    changed, whole = sections()[section].weight if section != EDITION else (_OF_THE_EDITION, _OF_THE_EDITION)
    own = whole if what in ("added", "removed") else changed
    return own + min(len(played), _MOST) + 2 * min(readers, _MOST)
