"""Rolls that are only compared: of all totals on one side of a threshold, one stands for the others.

A battle rolls a hundred totals against a hundred others, and all that comes of it is who rolled more. Where the result
of a roll is read by nothing but comparisons with values that are known when it is rolled, its totals fall into a few
classes, and one branch for each is enough. The classes are sums of the roll's own distribution, so nothing is lost.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import pairwise
from typing import Any

from rulewright.language.expression.typed import Comparison, Constant, Local, Typed
from rulewright.language.step import Procedure, Step
from rulewright.odds.liveness import Liveness, read_in, targets
from rulewright.play.state import State
from rulewright.ruleset.ruleset import Ruleset

Threshold = int | None
"""A slot whose value is compared with; None stands for the constants that were found."""


class Thresholds:
    """What each roll of a ruleset is compared with, where that is all that becomes of it."""

    def __init__(self, ruleset: Ruleset, liveness: Liveness, *, root: str = "", asked: frozenset[int] = frozenset()):
        self.ruleset = ruleset
        self.liveness = liveness
        self.root = root
        self.asked = asked
        self._found: dict[int, tuple[tuple[int, ...], tuple[int, ...]] | None] = {}

    def classes(self, state: State, outcomes: Sequence[tuple[Any, Fraction]]) -> Sequence[tuple[Any, Fraction]]:
        """The outcomes of the chance that `state` stands at, or one for each class of them with all its chance."""
        number = state.frame[0]
        if number not in self._found:
            self._found[number] = self._compared(self.ruleset.steps[number])
        found = self._found[number]
        if found is None:
            return outcomes
        slots, constants = found
        values = {*constants, *(value for slot in slots if isinstance(value := state.frame[slot], int))}
        # Without a threshold there is one class: nothing ever reads the roll.
        totals = [total for total, _ in outcomes]
        cuts = sorted(
            {0, len(totals)} | {edge for v in values for edge in (bisect_left(totals, v), bisect_right(totals, v))}
        )
        return [
            (totals[first], sum((chance for _, chance in outcomes[first:last]), Fraction(0)))
            for first, last in pairwise(cuts)
        ]

    def _compared(self, step: Step) -> tuple[tuple[int, ...], tuple[int, ...]] | None:
        """The slots and constants that the result of a roll is compared with; None where it is read otherwise."""
        action, slot = step.action, step.slot
        if step.verb.name != "roll" or action.table is not None or slot is None:
            return None
        procedure = self.ruleset.procedures[step.procedure]
        if (procedure.id == self.root and slot in self.asked) or self._is_changed(procedure, slot):
            return None
        if step.container is not None and slot in self.liveness.entering(step.container.steps[0].number):
            return None  # a later round still reads it
        slots: set[int] = set()
        constants: set[int] = set()
        for expression in read_in(procedure):
            for other in _partners(expression, slot):
                match other:
                    case Constant(value=int(value)):
                        constants.add(value)
                    case Local(slot=against) if self._is_known(procedure, step, against):
                        slots.add(against)
                    case _:
                        return None
        return tuple(slots), tuple(constants)

    def _is_changed(self, procedure: Procedure, slot: int) -> bool:
        return any(target.slot == slot for step in procedure.steps() for target in targets(step.action))

    def _is_known(self, procedure: Procedure, step: Step, slot: int) -> bool:
        """Whether a slot holds, when `step` rolls, what it holds when the roll is compared with it."""
        if slot <= len(procedure.parameters):
            return not self._is_changed(procedure, slot)
        if self._is_changed(procedure, slot):
            return False
        binding = [other for other in procedure.steps() if slot in other.slots]
        return len(binding) == 1 and binding[0].container is step.container and binding[0].place < step.place


def _partners(expression: Typed, slot: int) -> Iterator[Typed | None]:
    """What a slot is compared with, for each time it is read; None where it is read in another way."""
    match expression:
        case Local(slot=own) if own == slot:
            yield None
            return
        case Comparison(left=Local(slot=own), right=other, table=None) if own == slot:
            yield other
            yield from _partners(other, slot)
            return
        case Comparison(left=other, right=Local(slot=own), table=None) if own == slot:
            yield other
            yield from _partners(other, slot)
            return
    for child in expression.children:
        yield from _partners(child, slot)
