"""The numbering of actions, equal in every game, run and platform.

Every decision in the rules is a step. If its possible options are known in advance (ids, rows of a table, players, or
none), each option has its own number with a fixed meaning. These numbers follow the order of the steps and of their
options. Other options (objects, numbers, combinations) share the numbers after them, and such a number is the index
of the option.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from rulewright.engine.game.save_format import GameError
from rulewright.engine.state.game_state import State
from rulewright.language.checked_steps import Step
from rulewright.language.declarations import FIRST_PLAYER, Declarations
from rulewright.language.lowering import asks_player, find_option_type
from rulewright.language.types import PLAYER, Choice, Optional, Row, Type
from rulewright.ruleset.ruleset import Ruleset


@dataclass(frozen=True, slots=True)
class Actions:
    """The action numbers of a ruleset's options: `count` in total. Those from `shared` on are indices of options."""

    closed: dict[int, dict[Any, int]]
    shared: int
    count: int

    @classmethod
    def for_ruleset(cls, ruleset: Ruleset, *, players: int, most_options: int) -> Actions:
        """Return the numbering for a number of players.

        Options of a closed set have numbers of their own. If any question has others, `most_options` numbers are added,
        shared by these questions, by the index of the option.
        """
        closed: dict[int, dict[Any, int]] = {}
        number, asks_openly = 0, False
        for step in list_questions(ruleset):
            values = _answers(find_option_type(step), ruleset.declarations, players)
            if values is None:
                asks_openly = True
                continue
            closed[step.number] = {value: number + place for place, value in enumerate(values)}
            number += len(values)
        return cls(closed, number, number + (most_options if asks_openly else 0))

    def list_legal(self, state: State) -> dict[int, int]:
        """Return the legal actions at a decision, in ascending order, each with the index of its option.

        Raises `GameError` if a decision has more options than shared numbers.
        """
        known = self.closed.get(state.frame[0])
        if known is not None:
            places = {known[value]: place for place, value in enumerate(state.options)}
            return dict(sorted(places.items()))
        if len(state.options) > self.count - self.shared:
            step = state.machine.step(state)
            raise GameError(
                f"{step.rule if step else 'a step'} offers {len(state.options)} options, but there is room for "
                f"{self.count - self.shared}: raise `most_options`"
            )
        return {self.shared + place: place for place in range(len(state.options))}


def list_questions(ruleset: Ruleset) -> list[Step]:
    """Return every step that asks a player, in the order of the rules."""
    return [step for step in ruleset.steps.values() if asks_player(step)]


def _answers(kind: Type, declarations: Declarations, players: int) -> tuple[Any, ...] | None:
    """Return all possible options of a type, or None if they are not known in advance.

    The option None is the last one of an optional type.
    """
    match kind:
        case Optional(inner=inner):
            result = _answers(inner, declarations, players)
            return None if result is None else (*result, None)
        case Choice(ids=options):
            return tuple(options)
        case Row(table=table):
            return tuple(declarations.tables[table].rows)
        case _ if kind == PLAYER:
            return tuple(range(FIRST_PLAYER, FIRST_PLAYER + players))
    return None
