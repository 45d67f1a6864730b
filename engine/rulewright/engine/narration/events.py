"""Events of a game, with their causes and their importance, and the log that people read."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import IntEnum
from itertools import takewhile
from typing import Any

from rulewright.engine.narration.redaction import HIDDEN
from rulewright.engine.narration.render_values import ValueRenderer
from rulewright.engine.narration.rich_text import NOTHING, Account, NumberPart, to_text
from rulewright.engine.narration.ruleset_words import strip_article
from rulewright.ir.program import StateLayout
from rulewright.ruleset.prose.book_language import find_language
from rulewright.ruleset.ruleset import Ruleset

__all__ = ["Event", "Weight"]


CHANCES = ("rolled", "drawn")
"""The kinds of chance events."""


@dataclass(frozen=True, slots=True)
class Event:
    """An event of a game.

    `rule` is the step that caused it, as `procedure.step`, and `verb` the kind of statement. `text` is a sentence,
    empty if there is nothing to report, and `weight` its importance. `set_up` is true before the first decision.
    `data` has its values by name as plain data: `player` and `chosen` of a choice; `roll`, `total` and, for a table,
    `row` of a roll; `card` of a draw; `object` (and its `fields`) of a creation or removal; `object`, `field`,
    `before` and `after` of a change; the values of an announcement by their own names. `winners` of the end. `details`
    has the same values in the back end's form, in no guaranteed order. `kind` is the kind of operation: `asked`,
    `rolled`, `drawn`, `created`, `removed`, `written`, `announced`, `called`, `ended` or `finished`. `account` has the
    sentence and its values as parts, for rendering other than as
    plain text.
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
        """Return the event as plain data. `rulewright schema log` prints the schema of a list of these."""
        return {
            "rule": self.rule,
            "verb": self.verb,
            "weight": self.weight.name.lower(),
            "set_up": self.set_up,
            "text": self.text,
            "data": dict(self.data),
        }


class Weight(IntEnum):
    """The importance of an event, from internal values of the rules to the end of the game."""

    ASIDE = 0
    """Internal to the rules: a change of a local name, or a value that stays the same."""
    DETAIL = 1
    """A heading or an end: a procedure that begins or stops early."""
    NORMAL = 2
    """Visible to players: choices, rolls, cards, and changes of objects."""
    MAJOR = 3
    """Decides the game."""


def format_story(ruleset: Ruleset, log: Sequence[Event], *, since: int = 0) -> tuple[str, ...]:
    """Return the sentences of a log that are worth reading, from event number `since` on.

    Objects created during the setup are counted and summarized in one sentence at its end. Rolls and draws of the
    setup are included unless the next event makes them redundant. Equal events in a row are one sentence.
    """
    lines: list[str] = []
    together: list[Event] = []
    silent = find_set_up_draws(log)
    counter: Counter[str] = Counter()
    kinds = StateLayout(ruleset.declarations).names
    for number, event in enumerate(log[since:], start=since):
        if event.set_up and event.kind == "created":
            counter[kinds[event.details[1][0]]] += 1
            continue
        if counter and not event.set_up:
            lines += [*_list_lines(ruleset, together), _table(ruleset, counter)]
            together.clear()
            counter.clear()
        if number not in silent:
            together.append(event)
    return (*lines, *_list_lines(ruleset, together), *([_table(ruleset, counter)] if counter else []))


def _list_lines(ruleset: Ruleset, events: Sequence[Event]) -> Iterator[str]:
    say = ValueRenderer(ruleset)
    return (format_repeat(events[place], count, say) for place, count in find_repeats(events))


def find_repeats(events: Iterable[Event]) -> Iterator[tuple[int, int]]:
    """Yield the place of each event worth reading, with how often it happens in a row.

    Events of one procedure with the same words are one, except choices, rolls and draws with a visible result.
    Events that are not worth reading do not separate others.
    """
    first, last, count = 0, None, 0
    for place, event in enumerate(events):
        if not event.text or event.weight < Weight.NORMAL:
            continue
        if last is not None and _repeats(event, last):
            count += 1
            continue
        if last is not None:
            yield first, count
        first, last, count = place, event, 1
    if last is not None:
        yield first, count


def _repeats(event: Event, last: Event) -> bool:
    if event.kind == "asked" or (event.kind in CHANCES and event.details[-1] is not HIDDEN):
        return False
    return event.text == last.text and event.rule.rpartition(".")[0] == last.rule.rpartition(".")[0]


def format_repeat(event: Event, count: int, say: ValueRenderer) -> str:
    """Return the sentence for an event that happens `count` times in a row."""
    if count == 1:
        return event.text
    number = (NumberPart(count),)
    if event.account.several:
        return to_text(say.build(event.account.several, count=number))
    return to_text(say.build("%(sentence)s (%(count)s times)", sentence=event.account.whole, count=number))


def is_hidden_choice(event: Event) -> bool:
    """Return whether the event is a choice that is hidden from the viewer of its log."""
    return event.kind == "asked" and "chosen" not in event.data


def find_set_up_draws(log: Sequence[Event]) -> frozenset[int]:
    """Return the numbers of the setup's rolls and draws that the next visible event makes redundant.

    That event creates an object, changes a value by the result and states the amount, or adds the result to a list.
    """
    numbers: set[int] = set()
    following: Event | None = None
    for number, event in reversed(list(enumerate(takewhile(lambda event: event.set_up, log)))):
        if event.weight < Weight.NORMAL:
            continue
        if event.kind not in CHANCES:
            following = event
        elif following is not None and (following.kind == "created" or _has_words(following, event)):
            numbers.add(number)
    return frozenset(numbers)


def _has_words(change: Event, chance: Event) -> bool:
    """Return whether a change shows a roll or draw.

    Its text has the amount, or the result is the new value or was added to a list, such as a hand.
    """
    if change.kind != "written":
        return False
    result = chance.data.get("total", chance.data.get("card"))
    before, after = change.data.get("before"), change.data.get("after")
    if type(result) is type(before) is type(after) is int and result in (after - before, before - after):
        return str(result) in re.findall("[0-9]+", change.text)
    if type(result) is type(after) and result == after:
        return True
    return isinstance(before, list) and isinstance(after, list) and after.count(result) > before.count(result)


def _table(ruleset: Ruleset, counts: Counter[str]) -> str:
    counted = ", ".join(_count_kinds(ruleset, counts.items()))
    return find_language(ruleset).translate("On the table: %(things)s.", things=counted)


def _count_kinds(ruleset: Ruleset, counts: Iterable[tuple[str, int]]) -> list[str]:
    """Return a phrase such as `3 Cards` for each kind with its number of objects."""
    results = []
    for kind, count in counts:
        declared = ruleset.declarations.kinds[kind]
        term, wording = ruleset.declarations.terms.get(declared.term), declared.wording
        identity = kind if count == 1 else declared.plural
        named = identity.replace("_", " ") if term is None else term.name if count == 1 else term.plural
        if term is None and wording:
            noun = strip_article(wording["one" if count == 1 else "several"], find_language(ruleset))
            named = to_text(ValueRenderer(ruleset).render_words(noun))
        results.append(f"{count} {named}")
    return results
