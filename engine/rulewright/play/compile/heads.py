"""Generated functions by their lines: what they call by names of their own, and who else has a hand in the game."""

from __future__ import annotations

import re
from collections.abc import Iterable

_HEADS = {
    re.compile(r"\bf\["): "f = s.frame",
    re.compile(r"\bo\["): "o = s.objects",
    re.compile(r"\bg\["): "g = s.objects[0]",
    re.compile(r"\bseats\b"): "seats = len(s.live[1])",
    re.compile(r"\bbots\["): "bots = s.bots",
    re.compile(r"\(words or "): "dice = s.generator; words = dice._words; fill = dice._fill",
}
"""What generated functions call by names of their own, and how each name is given its meaning."""


def heads(lines: Iterable[str]) -> list[str]:
    """The lines that a function with such lines begins with."""
    text = "\n".join(lines)
    return [head for pattern, head in _HEADS.items() if pattern.search(text)]


_OTHERS = re.compile(r"(?<!finish)(?<!sample)(?<!spend)(?<!joined)\(s[,)]|\bs\.draw\(|\bs\.events\b|\bbots\[-1\]")
"""What hands the state to somebody else. Who ends the game leaves its values alone, and who samples a roll reads only
the generator; and who counts what a move costs, only lists."""


def alone(lines: Iterable[str]) -> bool:
    """Whether nothing else looks at the game, or changes it, while these lines run."""
    return not any(_OTHERS.search(line) for line in lines)
