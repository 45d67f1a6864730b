"""What players and integrators are shown at a stop."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict, dataclass
from fractions import Fraction
from typing import Any


@dataclass(frozen=True, slots=True)
class Option:
    """One thing that can be chosen: `id` is stable, `label` is for people, `value` what the rules get.

    `index` is its place among the options, from 0.
    """

    id: str
    label: str
    value: Any
    index: int


@dataclass(frozen=True, slots=True)
class Subject:
    """A thing that a question is about: `name` is what the rule that asks calls it, `label` what players call it.

    `id` is the object's, as in a snapshot, or a row's; `kind` what it is, a kind of object or a table.
    """

    name: str
    kind: str
    id: str
    label: str


@dataclass(frozen=True, slots=True)
class Decision:
    """A question to a player: `player` is the seat, from 1; `rule` the step that asks (`procedure.step`).

    `about` are the things that the asking procedure is carried out for, with what its steps have found so far: the
    piece that is to move, the tile it stands on. Who is asked is not among them. No two options have the same label.
    """

    player: int
    ask: str
    rule: str
    options: tuple[Option, ...]
    about: tuple[Subject, ...] = ()

    def to_json(self) -> dict[str, Any]:
        """As plain data; `rulewright schema decision` prints the schema."""
        return {
            "player": self.player,
            "ask": self.ask,
            "rule": self.rule,
            "about": [asdict(subject) for subject in self.about],
            "options": [{"id": option.id, "label": option.label} for option in self.options],
        }

    def __iter__(self) -> Iterator[Option]:
        return iter(self.options)


@dataclass(frozen=True, slots=True)
class Chance:
    """A roll or a draw: `roll` is its notation, or the deck's name; `rule` the step that makes it.

    `outcomes` gives each outcome with its exact probability. It is worked out when it is asked for: many dice have
    many outcomes, and sampling needs none of them.
    """

    rule: str
    roll: str
    source: Any

    @property
    def outcomes(self) -> tuple[tuple[Any, Fraction], ...]:
        """Every outcome (the total of a roll, a card's id) with its probability.

        Raises `DiceError` for a roll beyond the limits.
        """
        from rulewright.play.machine.outcomes import outcomes

        return outcomes(self.source)


@dataclass(frozen=True, slots=True)
class Result:
    """How a game ended: the seats of the winners, from 1; none of them is a draw."""

    winners: tuple[int, ...]
