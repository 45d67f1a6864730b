"""Changes of what the manifest settles: how many play, how fractions are dropped, how a game begins."""

from __future__ import annotations

from collections.abc import Iterator

from rulewright.book.changes.change import Line, line
from rulewright.book.changes.side import Pair, Side
from rulewright.book.english.grammar import capital
from rulewright.book.english.naming import pretty
from rulewright.ruleset.queries.difference import Difference
from rulewright.source.nodes import Mapping, Node, Scalar

LABELS = {
    "players": "How many play",
    "rounding": "What is left over by a division",
    "start": "A whole game carries out",
    "evaluate": "Bots judge how well a player stands by",
    "simulations": "Simulations are set to",
}
ROUNDING = {
    "truncate": "dropped",
    "down": "rounded down",
    "up": "rounded up",
    "nearest": "rounded to the nearest",
}


def lines(pair: Pair, identity: str, group: list[Difference]) -> Iterator[Line]:
    """The setting on both sides."""
    before, after = (_said(side, identity) for side in (pair.before, pair.after))
    words = all(difference.words for difference in group)
    yield line("changed", LABELS[identity], before, after, covers=[d.path for d in group], words=words)


def whole(side: Side, identity: str, difference: Difference) -> Iterator[Line]:
    """A setting that only one side has."""
    value, label = _said(side, identity), LABELS[identity]
    if difference.what == "added":
        before, after, sentence = "", value, f"{label}: {value}. Before, nothing was settled."
    else:
        before, after, sentence = value, "", f"{label}: nothing any more. Before: {value}."
    yield Line("changed", label, before, after, sentence, difference.words, (difference.path,))


def _said(side: Side, key: str) -> str:
    node = side.ruleset.resolved.manifest.get(key)
    match key, node:
        case "players", _:
            fewest, most = side.ruleset.players
            return str(fewest) if fewest == most else f"{fewest} to {most}"
        case "rounding", Scalar(text=text):
            return ROUNDING.get(text, pretty(text))
        case "start", Scalar(text=text) if text in side.ruleset.procedures:
            return side.title("procedures", text)
        case "simulations", Mapping(entries=entries):
            return ", ".join(_choice(side, option, entry.value) for option, entry in entries.items())
        case _, Scalar(text=text):
            return pretty(text)
    return "nothing"


def _choice(side: Side, option: str, choice: Node) -> str:
    text = choice.text if isinstance(choice, Scalar) else ""
    declared = side.declared.options.get(option)
    if declared is None:
        return capital(pretty(option))
    return f"{side.words(declared.title)} – {side.words(declared.choices.get(text, pretty(text)))}"
