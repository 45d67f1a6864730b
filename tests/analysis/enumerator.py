"""The odds of a procedure found the slow way: every face of every roll, every option, in the plain interpreter.

Nothing is merged, forgotten or compared: each way the procedure can go is walked to its end.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from functools import cache
from math import prod
from typing import Any

from rulewright import Ruleset
from rulewright.dice.ast import Roll
from rulewright.engine.state.game_state import CHANCE, DECISION, State
from rulewright.engine.state.tree_interpreter import Interpreter
from rulewright.language.declarations import GAME_KIND, PLAYER_KIND
from rulewright.source.diagnostics.collector import Diagnostics
from rulewright.source.nodes import Mapping as MappingNode
from rulewright.source.yaml.yaml_reader import read_text
from rulewright.testing.starting_position import PositionBuilder
from tests.dice.oracles import brute_force, dice_of

Read = Callable[[State], Any]
Weights = Callable[[State], Sequence[Fraction]]
"""The chance of each option of the decision a state stands at."""

MOST_FACES = 7776


class TooManyError(Exception):
    """There are more ways than a test has time for."""


def given_node(text: str) -> MappingNode | None:
    """Return what a procedure is given, written as YAML."""
    if not text.strip():
        return None
    node = read_text(text, "given.yaml")
    assert isinstance(node, MappingNode)
    return node


@cache
def ways(source: Any) -> tuple[tuple[Any, Fraction], ...]:
    """Return what can come up: totals from every fall of the dice, or the cards there are."""
    if isinstance(source, Roll):
        if prod(len(die) for die in dice_of(source)) > MOST_FACES:
            raise TooManyError
        return tuple(brute_force(source).items())
    if isinstance(source, int):
        return ((source, Fraction(1)),)
    return tuple((card, Fraction(1, len(source))) for card in source)


class Enumerator:
    """All the ways of one procedure from one position."""

    def __init__(self, ruleset: Ruleset, procedure: str, given: str = "", *, players: int | None = None, most: int):
        self.ruleset = ruleset
        self.machine = Interpreter(ruleset)
        self.procedure = ruleset.procedures[procedure]
        diagnostics = Diagnostics()
        position = PositionBuilder(self.machine, given_node(given), diagnostics)
        self.state, self.arguments = position.set_up(procedure, players, {}, self.procedure.span)
        diagnostics.raise_if_errors()
        self.left = most

    def begun(self) -> State:
        """Return the first stop."""
        state = self.state.clone()
        self.machine.begin(state, self.procedure.id, self.arguments)
        return state

    def odds(self, reads: Mapping[str, Read], weights: Weights) -> dict[str, dict[Any, Fraction]]:
        """Return the chance of everything that `reads` can read at the end."""
        chances: dict[str, dict[Any, Fraction]] = {name: {} for name in reads}
        waiting = [(self.begun(), Fraction(1))]
        while waiting:
            self.left -= 1
            if self.left < 0:
                raise TooManyError
            state, chance = waiting.pop()
            if state.mode == CHANCE:
                branches: Sequence[tuple[Any, Fraction]] = ways(state.roll)
                go: Callable[[State, Any], None] = State.apply_outcome
            elif state.mode == DECISION:
                branches = [(n, weight) for n, weight in enumerate(weights(state)) if weight]
                go = State.apply
            else:
                for name, read in reads.items():
                    value = read(state)
                    chances[name][value] = chances[name].get(value, Fraction(0)) + chance
                continue
            for answer, weight in branches:
                after = state.clone()
                go(after, answer)
                waiting.append((after, chance * weight))
        return chances

    def value(self, read: Read, sign: Callable[[State], int]) -> Fraction:
        """Return the expected value of `read` if each decision maximises (sign 1) or minimises (-1) it."""
        return self._value(self.begun(), read, sign)

    def _value(self, state: State, read: Read, sign: Callable[[State], int]) -> Fraction:
        self.left -= 1
        if self.left < 0:
            raise TooManyError
        if state.mode == CHANCE:
            total = Fraction(0)
            for answer, weight in ways(state.roll):
                after = state.clone()
                after.apply_outcome(answer)
                total += weight * self._value(after, read, sign)
            return total
        if state.mode == DECISION:
            values = []
            for option in range(len(state.options)):
                after = state.clone()
                after.apply(option)
                values.append(self._value(after, read, sign))
            return max(values) if sign(state) > 0 else min(values)
        return Fraction(read(state) or 0)

    # -- what can be read ----------------------------------------------------------------------

    def game_field(self, name: str) -> Read:
        """Return a value of the whole game."""
        place = self.machine.layout.places[GAME_KIND, name]
        return lambda state: state.objects[0][place]

    def player_field(self, seat: int, name: str) -> Read:
        """Return a field of a player."""
        place = self.machine.layout.places[PLAYER_KIND, name]
        return lambda state: state.objects[seat][place]

    def local(self, name: str) -> Read:
        """Return a name of the procedure; None where it was never bound, or the game was over before."""
        slot = next(slot for slot, known in self.procedure.names.items() if known == name)
        return lambda state: state.stack[0][slot] if state.stack else None

    def given_back(self, name: str) -> Read:
        """Return what the procedure hands back under a name."""
        place = list(self.procedure.gives).index(name)
        return lambda state: state.given[place] if state.given else None


def evenly(state: State) -> list[Fraction]:
    """Return the same probability for every option."""
    return [Fraction(1, len(state.options))] * len(state.options)
