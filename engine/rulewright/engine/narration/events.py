"""Events: what happened, which rule made it happen, how much of a story it is, and a log as people read it."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import IntEnum
from itertools import takewhile
from typing import Any

from rulewright.engine.narration.rich_text import NOTHING, Account
from rulewright.ir.program import StateLayout
from rulewright.ruleset.ruleset import Ruleset

__all__ = ["Event", "Weight"]


CHANCES = ("rolled", "drawn")
"""What comes up by chance."""


@dataclass(frozen=True, slots=True)
class Event:
    """One thing that happened.

    `rule` is the step that caused it, `procedure.step`; `verb` what kind of step it is; `text` says it in a sentence,
    or is empty where nothing is worth saying; `weight` is what it is worth telling. `set_up` says that it came before
    anybody chose anything. `data` holds its values by name, as plain data: of a choice `player` and `chosen`, of a roll
    `roll`, `total` and, of a table, `row`, of a draw `card`, of what comes into play or leaves it `object` (and its
    `fields`), of a change `object`, `field`, `before` and `after`, of the end `winners`. `details` are the same values
    as the machine has them, in no order that is promised. `told` is the kind of operation that it was: `asked`,
    `rolled`, `drawn`, `created`, `removed`, `written`, `called`, `ended` or `finished`. `account` is the sentence and
    what it speaks of in parts, to be rendered otherwise than as plain text.
    """

    rule: str
    verb: str
    details: tuple[Any, ...]
    text: str
    weight: Weight
    set_up: bool
    data: Mapping[str, Any]
    kind: str = ""
    account: Account = NOTHING

    def to_json(self) -> dict[str, Any]:
        """Return as plain data; `rulewright schema log` prints the schema of a list of these."""
        return {
            "rule": self.rule,
            "verb": self.verb,
            "weight": self.weight.name.lower(),
            "set_up": self.set_up,
            "text": self.text,
            "data": dict(self.data),
        }


class Weight(IntEnum):
    """What an event is worth telling, from what only the rules need to what decides a game."""

    ASIDE = 0
    """The rules' own reckoning: a name of a procedure changes, or a value is set to what it was."""
    DETAIL = 1
    """A heading, or an end: a procedure begins, or stops early."""
    NORMAL = 2
    """What players see happen: choices, rolls, cards, and whatever changes on the table."""
    MAJOR = 3
    """What settles the game."""


def format_story(ruleset: Ruleset, log: Sequence[Event], *, since: int = 0) -> tuple[str, ...]:
    """Return the sentences of a log worth reading, from its event number `since` on.

    What came into play before anybody chose anything is counted, and told once, where that part of the log ends. The
    dice and cards of that part are told unless what follows says enough (`placing`).
    """
    told: list[str] = []
    silent = find_set_up_draws(log)
    laid: Counter[str] = Counter()
    kinds = StateLayout(ruleset.declarations).names
    for number, event in enumerate(log[since:], start=since):
        if event.set_up:
            if event.kind == "created":
                laid[kinds[event.details[1][0]]] += 1
            elif event.weight >= Weight.NORMAL and number not in silent:
                told.append(event.text)
            continue
        if laid:
            told.append(_table(ruleset, laid))
            laid.clear()
        if event.weight >= Weight.NORMAL:
            told.append(event.text)
    if laid:
        told.append(_table(ruleset, laid))
    return tuple(text for text in told if text)


def find_set_up_draws(log: Sequence[Event]) -> frozenset[int]:
    """Return the numbers of the rolls and draws of the set-up of which the next thing to see says enough.

    Something comes into play, or a value becomes what came up, or more or less by it and the sentence says by how much.
    """
    found: set[int] = set()
    following: Event | None = None
    for number, event in reversed(list(enumerate(takewhile(lambda event: event.set_up, log)))):
        if event.weight < Weight.NORMAL:
            continue
        if event.kind not in CHANCES:
            following = event
        elif following is not None and (following.kind == "created" or _has_words(following, event)):
            found.add(number)
    return frozenset(found)


def _has_words(change: Event, chance: Event) -> bool:
    if change.kind != "written":
        return False
    came = chance.data.get("total", chance.data.get("card"))
    before, after = change.data.get("before"), change.data.get("after")
    if type(came) is type(before) is type(after) is int and came in (after - before, before - after):
        return str(came) in re.findall("[0-9]+", change.text)
    return type(came) is type(after) and came == after


def _table(ruleset: Ruleset, laid: Counter[str]) -> str:
    return f"On the table: {', '.join(_counted(ruleset, laid.items()))}."


def _counted(ruleset: Ruleset, laid: Iterable[tuple[str, int]]) -> list[str]:
    found = []
    for kind, count in laid:
        term = ruleset.declarations.terms.get(ruleset.declarations.kinds[kind].term)
        named = kind.replace("_", " ") if term is None else term.name if count == 1 else term.plural
        found.append(f"{count} {named}")
    return found
