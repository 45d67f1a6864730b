"""Two versions of a text, word by word: what is gone and what is new."""

from __future__ import annotations

import re
from dataclasses import dataclass
from difflib import SequenceMatcher

from rulewright.book.style.style import escape

_WORDS = re.compile(r"\S+\s*")

FEWEST = 8
"""Words of a text whose differences are marked: of a shorter one, all is seen at a glance."""

ALIKE = 0.4
"""How much two texts must have in common for their words to be compared; below, marks would be everywhere."""


@dataclass(frozen=True, slots=True)
class Marked:
    """HTML: the old text with what is gone marked, the new one with what is new, and both in one (or nothing)."""

    before: str
    after: str
    both: str


def marked(before: str, after: str) -> Marked:
    """The two texts with their differences marked."""
    old, new = _WORDS.findall(before), _WORDS.findall(after)
    matcher = SequenceMatcher(None, old, new, autojunk=False)
    if min(len(old), len(new)) < FEWEST or matcher.ratio() < ALIKE:
        return Marked(escape(before), escape(after), "")
    was, now, both = [], [], []
    for what, a, b, c, d in matcher.get_opcodes():
        gone, new_words = "".join(old[a:b]), "".join(new[c:d])
        if what == "equal":
            kept = escape(gone)
            was.append(kept)
            now.append(kept)
            both.append(kept)
            continue
        removed, added = _tag("del", gone), _tag("ins", new_words)
        was.append(removed)
        now.append(added)
        both.append(removed + added if removed.endswith(" ") or not removed or not added else f"{removed} {added}")
    return Marked("".join(was), "".join(now), "".join(both))


def _tag(name: str, text: str) -> str:
    if not text.strip():
        return escape(text)
    # The blank behind the last word is not marked.
    words = text.rstrip()
    return f"<{name}>{escape(words)}</{name}>{text[len(words) :]}"
