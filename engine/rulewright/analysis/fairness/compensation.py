"""Compensations for the player who has it worse, as house rules over any ruleset.

A compensation gives some of one number to a player, once set-up is over: before the outermost step of the game in which
the first decision is made. Nothing of this is declared by the rules. The step, the number and the player are found from
positions in which games begin, and each compensation is checked there.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from rulewright.analysis.fairness.seat_measures import with_measures, write_seat
from rulewright.analysis.fairness.setup_differences import begin_games, begins_at_once
from rulewright.analysis.simulation.game_counts import GameRow
from rulewright.engine.state.faults import RulesFault
from rulewright.engine.state.game_state import DECISION, State
from rulewright.language.declarations import FIRST_PLAYER, GAME_KIND, PLAYER_KIND
from rulewright.language.types import PLAYER, Integer, present
from rulewright.ruleset.overlay import lay_over
from rulewright.ruleset.ruleset import Ruleset
from rulewright.ruleset.sections.measures import FIRST, build_result_scope
from rulewright.source.diagnostics.collector import DiagnosticError

CHECKED = 20
"""The number of positions in which a compensation is checked."""

RULES = """\
procedures:
  {procedure}:
    steps:
      - before: {before}
        id: compensation
        for_each: compensated
        in: list(p for p in players if p {which} {player})
        steps:
          - {{id: compensation_paid, set: {{compensated.{field}: compensated.{field} + {amount}}}}}
"""
"""The rules of a compensation."""

_DECIDES_FIRST = "decides_first_in_seat_"
"""The ids of the added measures, before the number of the seat, from 0."""


@dataclass(frozen=True, slots=True)
class Role:
    """A player: the one in a seat, from 0, or whoever decides first if `seat` is None."""

    seat: int | None

    def find_seat(self, row: GameRow) -> int | None:
        """Return the seat of the player in a game of the rules of `with_first_player`. None without a decision."""
        if self.seat is not None:
            return self.seat
        return next((seat for seat in range(len(row.seats)) if row.measures.get(f"{_DECIDES_FIRST}{seat}")), None)


@dataclass(frozen=True, slots=True)
class GameStart:
    """The positions in which games begin.

    Attributes:
        step: The id of the outermost step in which the first decision is made. Set-up is over before it.
        options: The options of the first decision, as the rules write them. Empty if they differ from game to game.
        names: Fields of the game that name the player who decides first.
        fields: The numbers of a player.
        at_once: Whether several players make the first decision at the same time.
    """

    step: str
    options: tuple[str, ...]
    names: tuple[str, ...]
    fields: tuple[str, ...]
    at_once: bool


@dataclass(frozen=True, slots=True)
class Compensation:
    """A number that one player gets, or that all others get: the field, the amount, and the player in the rules' words.

    `player` is an expression. With `to_others`, everybody else gets the amount.
    """

    field: str
    amount: int
    player: str
    to_others: bool

    def write_rules(self, ruleset: Ruleset, start: GameStart) -> str:
        """Return the text of a rules file that adds the compensation to a ruleset."""
        return RULES.format(
            procedure=ruleset.start,
            before=start.step,
            which="!=" if self.to_others else "==",
            player=self.player,
            field=self.field,
            amount=self.amount,
        )


def with_first_player(ruleset: Ruleset, players: int) -> Ruleset | None:
    """Build a new ruleset that measures who decides first. None if the rules use the name for something else."""
    if FIRST not in build_result_scope(ruleset.declarations, None).variables:
        return None
    return with_measures(ruleset, _DECIDES_FIRST, [f"{FIRST} == {write_seat(seat)}" for seat in range(players)])


def find_game_start(ruleset: Ruleset, players: int, *, seed: int | str, options: Mapping[str, str]) -> GameStart | None:
    """Return what the positions in which games begin have in common.

    None if games do not begin with a decision, or if the first decisions are made in different steps.
    """
    steps: set[str] = set()
    options_of_games: set[tuple[str, ...]] = set()
    named: set[str] | None = None
    at_once = False
    outermost = _list_outermost(ruleset)
    for state in begin_games(ruleset, players, seed=seed, games=CHECKED, options=options):
        if state.mode != DECISION:
            return None
        steps.add(outermost[state.stack[0][0]])
        options_of_games.add(tuple(map(str, state.options)))
        at_once = at_once or begins_at_once(state)
        here = {name for name in _list_player_names(ruleset) if _read(state, 0, GAME_KIND, name) == state.who}
        named = here if named is None else named & here
    if len(steps) != 1:
        return None
    fields = tuple(
        name
        for name, field in ruleset.declarations.kinds[PLAYER_KIND].fields.items()
        if isinstance(field.type, Integer) and name.isidentifier()
    )
    shared = options_of_games.pop() if len(options_of_games) == 1 else ()
    return GameStart(steps.pop(), shared, tuple(sorted(named or ())), fields, at_once)


def lay_compensation(
    ruleset: Ruleset,
    start: GameStart,
    compensation: Compensation,
    role: Role,
    players: int,
    *,
    seed: int | str,
    options: Mapping[str, str],
) -> Ruleset | None:
    """Return a ruleset with a compensation, or None if the rules do not allow it.

    It is checked where games begin: exactly the right players have exactly so much more. `role` is the player of the
    compensation.
    """
    try:
        over = lay_over(ruleset, compensation.write_rules(ruleset, start))
        games = (begin_games(each, players, seed=seed, games=CHECKED, options=options) for each in (ruleset, over))
        for before, after in zip(*games, strict=True):
            if after.mode != DECISION or after.who != before.who:
                return None
            chosen = before.who - FIRST_PLAYER if role.seat is None else role.seat
            for seat in range(players):
                had, has = (
                    _read(each, FIRST_PLAYER + seat, PLAYER_KIND, compensation.field) for each in (before, after)
                )
                if has - had != compensation.amount * ((seat == chosen) != compensation.to_others):
                    return None
    except (DiagnosticError, RulesFault):
        return None
    return over


def _list_outermost(ruleset: Ruleset) -> dict[int, str]:
    """Return, for the number of each step of the start procedure, the id of the outermost step around it."""
    assert ruleset.start is not None
    results = {}
    for outer in ruleset.procedures[ruleset.start].body.steps:
        for step in (outer, *(inner for block in outer.blocks for inner in block.walk())):
            results[step.number] = outer.id
    return results


def _list_player_names(ruleset: Ruleset) -> Iterator[str]:
    """Yield the fields of the game that hold a player."""
    for name, field in ruleset.declarations.kinds[GAME_KIND].fields.items():
        if present(field.type) == PLAYER and name.isidentifier():
            yield name


def _read(state: State, entity: int, kind: str, name: str) -> int:
    """Return the value of a field of an object."""
    value: int = state.objects[entity][state.machine.layout.places[kind, name]]
    return value
