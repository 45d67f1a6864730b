"""A reader of what a rule for whatever happens says of itself: what it watches, when, and under which condition.

Like the reader of values, it shares nothing with what writes the sentences.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from tests.book.reading.reader import Meaning, Segment

FIELDS = {
    "Coins": "player.coin",
    "Coin": "player.coin",
    "Water": "player.water",
    "Fruit": "tree.fruit",
    "fruit": "tree.fruit",
    "ripe": "tree.ripe",
    "gardener": "tree.gardener",
}
"""What is gained, lost or changed, by the word for it."""
KINDS = {"a player": "player", "a Tree": "tree", "a Bird": "bird"}
TIMINGS = {
    "do this just before": "first",
    "do this instead": "instead",
    "do this right after": "then",
}
WATCHED = (
    (re.compile(r"(?P<kind>a \w+) gains (?P<field>\w+)"), "gains"),
    (re.compile(r"(?P<kind>a \w+) loses (?P<field>\w+)"), "loses"),
    (re.compile(r"the \*?(?P<field>\w+)\*? of (?P<kind>a \w+) changes"), "changes"),
    (re.compile(r"\*(?P<value>\w+)\* grows"), "gains"),
    (re.compile(r"\*(?P<value>\w+)\* becomes less"), "loses"),
    (re.compile(r"\*(?P<value>\w+)\* changes"), "changes"),
    (re.compile(r"(?P<kind>a \w+) comes into the game"), "creates"),
    (re.compile(r"(?P<kind>a \w+) is removed"), "removes"),
    (re.compile(r"at the start of “(?P<procedure>\w+)”"), "begins"),
    (re.compile(r"at the end of “(?P<procedure>\w+)”"), "ends"),
    (re.compile(r"the step “\*(?P<step>\w+)\*” of “(?P<procedure>\w+)” is carried out"), "does"),
)


@dataclass(frozen=True)
class Read:
    """What was understood; `conditions` are all that the words of the condition can mean, None without one."""

    event: str
    watches: str
    timing: str
    conditions: tuple[Meaning, ...] | None


def understood(sentence: str) -> list[Read]:
    """Return every way in which a sentence can be understood."""
    return list(_readings(sentence))


def _readings(sentence: str) -> Iterator[Read]:
    for tail, timing in TIMINGS.items():
        if not (sentence.startswith(("whenever ", "at the ")) and sentence.endswith(f", {tail}.")):
            continue
        text = sentence.removeprefix("whenever ").removesuffix(f", {tail}.")
        for pattern, event in WATCHED:
            match = pattern.match(text)
            rest = text[match.end() :] if match else ""
            if match is None or (rest and not rest.startswith(", if ")):
                continue
            condition = tuple(Segment.of(rest.removeprefix(", if ")).clauses()) if rest else None
            yield Read(event, _watches(match), timing, condition)


def _watches(match: re.Match[str]) -> str:
    told = match.groupdict()
    if told.get("procedure"):
        procedure = told["procedure"].lower()
        return f"{procedure}.{told['step']}" if told.get("step") else procedure
    if told.get("value"):
        return told["value"]
    kind = KINDS[told["kind"]]
    if not told.get("field"):
        return kind
    field = FIELDS[told["field"]]
    return field if field.startswith(kind) else f"{kind}: {field}"
