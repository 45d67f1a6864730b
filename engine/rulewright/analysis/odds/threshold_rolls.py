"""A reduction of chance outcomes for rolls that the rules only compare.

A battle may roll a hundred totals against a hundred others, although only the higher roll matters. If the rules read a
roll only in comparisons with values that are known beforehand, its totals fall into a few classes, and one branch for
each class is enough. If the rules compare two consecutive rolls only with each other, both become one chance event with
three outcomes: the first is lower, equal or higher. The probability of each class is the exact sum of its totals.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from fractions import Fraction
from functools import lru_cache
from itertools import accumulate, pairwise
from typing import Any

from rulewright.engine.state.game_state import CHANCE, State, list_outcomes
from rulewright.ir.analyses.liveness import Liveness, find_changed_slots, list_evaluated
from rulewright.language.checked_steps import Procedure, Step
from rulewright.language.expressions.typed_ast import Comparison, Constant, Local, Typed
from rulewright.language.lowering import list_operations
from rulewright.language.operations import Bind, Branch, Chance, Temporary
from rulewright.ruleset.ruleset import Ruleset


class Thresholds:
    """The values that each roll of a ruleset is compared with, for rolls without any other use.

    `result_slots` are the slots of the `root` procedure that questions read at its end. Their rolls keep all totals.
    """

    def __init__(
        self, ruleset: Ruleset, liveness: Liveness, *, root: str = "", result_slots: frozenset[int] = frozenset()
    ):
        self.ruleset = ruleset
        self.liveness = liveness
        self.root = root
        self.result_slots = result_slots
        self._rivals: dict[int, int | None] = {}
        self._thresholds: dict[int, tuple[tuple[int, ...], tuple[int, ...]] | None] = {}

    def merge_outcomes(self, state: State, outcomes: Sequence[tuple[Any, Fraction]]) -> Sequence[tuple[Any, Fraction]]:
        """Return the outcomes of the pending chance event, with one outcome for each class of equivalent totals.

        Each class is represented by its lowest total. If the rules use the roll in another way, the outcomes are
        unchanged. `outcomes` must be in ascending order of their totals.
        """
        number = state.frame[0]
        if number not in self._thresholds:
            self._thresholds[number] = self._find_comparisons(self.ruleset.steps[number])
        result = self._thresholds[number]
        if result is None:
            return outcomes
        slots, constants = result
        values = {*constants, *(value for slot in slots if isinstance(value := state.frame[slot], int))}
        # Without a threshold, nothing reads the roll, so all totals form one class.
        totals = [total for total, _ in outcomes]
        cuts = sorted(
            {0, len(totals)} | {edge for v in values for edge in (bisect_left(totals, v), bisect_right(totals, v))}
        )
        return [
            (totals[first], sum((chance for _, chance in outcomes[first:last]), Fraction(0)))
            for first, last in pairwise(cuts)
        ]

    def merge_contest(self, state: State) -> Sequence[tuple[tuple[Any, Any], Fraction]] | None:
        """Return the outcomes of two rolls that are compared only with each other, if `state` is at the first.

        Each outcome is a pair of totals with its probability, one for each result of the comparison. None if `state` is
        at any other chance event. Raises `DiceError` for a roll that is too large.
        """
        number = state.frame[0]
        if number not in self._rivals:
            self._rivals[number] = self._rival(self.ruleset.steps[number])
        rival = self._rivals[number]
        if rival is None:
            return None
        after = state.clone()
        after.apply_outcome(list_outcomes(state.roll)[0][0])
        if after.mode != CHANCE or after.frame[0] != rival:
            return None
        return merge_comparison(state.roll, after.roll)

    def _rival(self, step: Step) -> int | None:
        """Return the number of the roll after `step` if the rules read the two only to compare them, or else None."""
        assert step.container is not None
        after = step.container.steps[step.place + 1 : step.place + 2]
        if not after or after[0].when is not None:
            return None
        rival = after[0]
        own_slot, rival_slot = _find_rolled_slot(step), _find_rolled_slot(rival)
        if own_slot == rival_slot:
            return None
        for one, other in ((step, rival_slot), (rival, own_slot)):
            partners = self._partners(one)
            if not partners or not all(isinstance(each, Local) and each.slot == other for each in partners):
                return None
        return rival.number

    def _partners(self, step: Step) -> list[Typed | None] | None:
        """Return the expressions that the result of a roll is compared with, or None if its totals cannot be merged.

        The list has None for each use that is not a comparison.
        """
        slot = _find_rolled_slot(step)
        if slot is None:
            return None
        procedure = self.ruleset.procedures[step.procedure]
        if (procedure.id == self.root and slot in self.result_slots) or self._is_changed(procedure, slot):
            return None
        if step.container is not None and slot in self.liveness.find_slots_before(step.container.steps[0].number):
            return None  # a later iteration of the loop still reads it
        return [other for expression in list_evaluated(procedure) for other in _partners(expression, slot)]

    def _find_comparisons(self, step: Step) -> tuple[tuple[int, ...], tuple[int, ...]] | None:
        """Return the slots and constants that the result of a roll is compared with.

        None if the rules read it in any other way.
        """
        partners = self._partners(step)
        if partners is None:
            return None
        procedure = self.ruleset.procedures[step.procedure]
        slots: set[int] = set()
        constants: set[int] = set()
        for other in partners:
            match other:
                case Constant(value=int(value)):
                    constants.add(value)
                case Local(slot=against) if self._is_known(procedure, step, against):
                    slots.add(against)
                case _:
                    return None
        return tuple(slots), tuple(constants)

    def _is_changed(self, procedure: Procedure, slot: int) -> bool:
        return any(slot in find_changed_slots(step) for step in procedure.iterate_steps())

    def _is_known(self, procedure: Procedure, step: Step, slot: int) -> bool:
        """Return whether a slot has its final value when `step` rolls."""
        if slot <= len(procedure.parameters):
            return not self._is_changed(procedure, slot)
        if self._is_changed(procedure, slot):
            return False
        binding = [other for other in procedure.iterate_steps() if slot in other.slots]
        return len(binding) == 1 and binding[0].container is step.container and binding[0].place < step.place


def _find_rolled_slot(step: Step) -> int | None:
    """Return the slot with the total of a step that only rolls dice (not on a table) and binds values.

    None for other steps, and for those that read the total in another way than from this slot.
    """
    operations = list_operations(step)
    match [each for each in operations if not isinstance(each, Branch)]:
        case [Chance(into=total, table=None), Bind(slot=slot, value=Temporary(number=number)), *rest] if (
            number == total and all(isinstance(each, Bind) for each in rest)
        ):
            parts = (part for each in operations for value in each.values for part in value.walk())
            return slot if sum(isinstance(part, Temporary) for part in parts) == 1 else None
    return None


@lru_cache(maxsize=4096)
def merge_comparison(own: Any, rival: Any) -> Sequence[tuple[tuple[Any, Any], Fraction]]:
    """Return a pair of totals for each possible result of a comparison of two rolls, with its probability.

    The results are that the first roll is lower, equal or higher. Those that cannot occur are left out. Raises
    `DiceError` for a roll that is too large.
    """
    totals = [total for total, _ in list_outcomes(rival)]
    below = [Fraction(0), *accumulate(chance for _, chance in list_outcomes(rival))]
    results: dict[int, tuple[tuple[Any, Any], Fraction]] = {}
    for total, chance in list_outcomes(own):
        first, beyond = bisect_left(totals, total), bisect_right(totals, total)
        for order, low, high in ((-1, beyond, len(totals)), (0, first, beyond), (1, 0, first)):
            if low < high:
                pair, before = results.get(order, ((total, totals[low]), Fraction(0)))
                results[order] = (pair, before + chance * (below[high] - below[low]))
    return tuple(results.values())


def _partners(expression: Typed, slot: int) -> Iterator[Typed | None]:
    """Yield the other side of each comparison that reads a slot, and None for each other read."""
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
