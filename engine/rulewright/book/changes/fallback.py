"""A difference that no section has words of its own for."""

from __future__ import annotations

from rulewright.book.changes.change import Line, line, said
from rulewright.book.changes.side import Pair, Side
from rulewright.book.english.grammar import capital
from rulewright.book.english.naming import pretty
from rulewright.ruleset.queries.difference import Difference
from rulewright.source.nodes import Mapping, Node, Scalar, Sequence

_SILENT = ("is", "steps", "*")


def fallback_line(pair: Pair, difference: Difference) -> Line:
    """Where it is, what was there and what is there now, in the plainest words."""
    parts = [pretty(part) for part in difference.path[2:] if part not in _SILENT]
    label = capital(", ".join(parts))
    covers = [difference.path]
    if difference.what == "moved":
        sentence = f"{label + ' stand' if label else 'They stand'} in another order."
        return said("changed", sentence, covers=covers, words=difference.words)
    before, after = (
        _plain(side, node) for side, node in ((pair.before, difference.before), (pair.after, difference.after))
    )
    return line(difference.what, label, before, after, covers=covers, words=difference.words)


def _plain(side: Side, node: Node | None) -> str:
    match node:
        case Scalar(text=text):
            return side.words(text) if "{" in text or " " in text.strip() else pretty(text.strip())
        case Sequence(items=items):
            return ", ".join(_plain(side, item) for item in items) or "nothing"
        case Mapping(entries=entries):
            return "; ".join(f"{pretty(key)}: {_plain(side, entry.value)}" for key, entry in entries.items())
    return ""
