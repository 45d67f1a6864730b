"""What a player sees of a game, as text and as numbers.

Nothing is hidden in the language today: cards are drawn at random from what is left of a deck, so that no order of them
is there to be known. Everybody therefore sees everything, and only the chair differs: players are counted from whoever
looks. Should fields be marked as hidden one day, `Eyes` is the one place that leaves them out.

As numbers, a state is: the chair that is to move, and the question that is asked (each from 1; 0 for none); then the
values of the game; then for each kind how many objects there are, and the fields of the first so many of them. A row or
an id is its place from 1, a player the chair from 1, an object its place from 1, nothing 0, a roll its mean. A list of
rows has a 1 for each row that is in it; any other list is how many it holds, and the first so many. What procedures
under way keep under names of their own is in the text alone.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from rulewright.adapters.actions import questions
from rulewright.dice.bounds import mean
from rulewright.dice.tree import Roll
from rulewright.language.declarations import FIRST_PLAYER, GAME_KIND, PLAYER_KIND
from rulewright.language.types import Choice, ListOf, Optional, Row, Text, Thing, Type
from rulewright.odds.liveness import Liveness
from rulewright.odds.positions import Positions
from rulewright.play.layout import Layout
from rulewright.play.state import DECISION, State
from rulewright.play.state_json import to_json
from rulewright.ruleset.ruleset import Ruleset


class Eyes:
    """Looks at the states of one ruleset, for so many players; of each kind, it tells `most_objects` objects apart."""

    def __init__(self, ruleset: Ruleset, *, players: int, most_objects: int) -> None:
        self.ruleset = ruleset
        self.players = players
        self.most_objects = most_objects
        self.layout = Layout(ruleset.declarations)
        self._questions = {step.number: place for place, step in enumerate(questions(ruleset), start=1)}
        self._tidy = Positions(ruleset, Liveness(ruleset), kept=FIRST_PLAYER + players)
        self._fields = {
            name: [(self.layout.places[name, field.name], field.type) for field in kind.fields.values()]
            for name, kind in ruleset.declarations.kinds.items()
        }
        self.size = 2 + sum(
            self._room(name) * sum(map(self._width, self._types(name))) + (name not in (GAME_KIND, PLAYER_KIND))
            for name in self.layout.names
        )

    def text(self, state: State) -> str:
        """A state as JSON, the same for states that go on alike."""
        tidied = state.clone()
        self._tidy.key(tidied, named=True)
        written = to_json(tidied)
        for same in ("format", "digest", "root", "next", "given"):
            del written[same]
        return json.dumps(written, separators=(",", ":"), ensure_ascii=False)

    def numbers(self, state: State, player: int) -> list[float]:
        """A state as `size` numbers, as `player` (from 0) sees it."""
        asked = state.mode == DECISION
        found = [
            float(self._chair(state.who, player)) if asked else 0.0,
            float(self._questions.get(state.frame[0], 0)) if asked else 0.0,
        ]
        for number, name in enumerate(self.layout.names):
            things = (0,) if name == GAME_KIND else state.live[number]
            if name == PLAYER_KIND:
                things = (*things[player:], *things[:player])
            elif name != GAME_KIND:
                found.append(float(len(things)))
            room = self._room(name)
            width = sum(map(self._width, self._types(name)))
            told = [each for thing in things[:room] for each in self._thing(state, thing, name, player)]
            found += [*told, *([0.0] * (room * width - len(told)))]
        return found

    def _room(self, kind: str) -> int:
        return {GAME_KIND: 1, PLAYER_KIND: self.players}.get(kind, self.most_objects)

    def _types(self, kind: str) -> Iterator[Type]:
        return (field for _, field in self._fields[kind])

    def _thing(self, state: State, thing: int, kind: str, player: int) -> Iterator[float]:
        values = state.objects[thing]
        for place, field in self._fields[kind]:
            yield from self._value(state, values[place], field, player)

    def _width(self, kind: Type) -> int:
        match kind:
            case Optional(inner=inner):
                return self._width(inner)
            case ListOf(inner=Row(table=table)):
                return len(self.ruleset.declarations.tables[table].rows)
            case ListOf():
                return 1 + self.most_objects
            case Text():
                return 0
        return 1

    def _value(self, state: State, value: Any, kind: Type, player: int) -> list[float]:
        match kind:
            case Optional(inner=inner):
                return [0.0] * self._width(inner) if value is None else self._value(state, value, inner, player)
            case ListOf(inner=Row(table=table)):
                return [float(row in value) for row in self.ruleset.declarations.tables[table].rows]
            case ListOf(inner=inner):
                told = [self._single(state, each, inner, player) for each in value[: self.most_objects]]
                return [float(len(value)), *told, *([0.0] * (self.most_objects - len(told)))]
            case Text():
                return []
        return [self._single(state, value, kind, player)]

    def _single(self, state: State, value: Any, kind: Type, player: int) -> float:
        match kind, value:
            case _, None:
                return 0.0
            case Row(table=table), _:
                return float(list(self.ruleset.declarations.tables[table].rows).index(value) + 1)
            case Choice(ids=options), _:
                return float(options.index(value) + 1)
            case Thing(kind=name), int() if name == PLAYER_KIND:
                return float(self._chair(value, player))
            case Thing(kind=name), int():
                live = state.live[self.layout.kinds[name]]
                return float(live.index(value) + 1) if value in live else 0.0
            case _, Roll():
                return float(mean(value))
        return float(value) if isinstance(value, int) else 0.0

    def _chair(self, seat: int, player: int) -> int:
        """A seat counted from the player who looks, who is 1."""
        return (seat - FIRST_PLAYER - player) % self.players + 1
