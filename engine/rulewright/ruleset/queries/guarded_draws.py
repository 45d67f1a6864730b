"""Draws that never find their deck empty, because conditions of the rules test the number of cards left."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from rulewright.language.checked_steps import Block, Step
from rulewright.language.expressions.typed_ast import CardCount, Comparison, Constant, Logic, Typed
from rulewright.language.lowering import list_operations
from rulewright.language.operations import Branch, Call, Draw, Each, Loop
from rulewright.ruleset.ruleset import Ruleset


def list_guarded_draws(ruleset: Ruleset) -> frozenset[str]:
    """Return the rules of the steps that draw from a deck which surely has enough cards at that point."""
    return ruleset.get_or_make(_GuardedDraws).rules


class _GuardedDraws:
    """The guarded draws of a ruleset."""

    def __init__(self, ruleset: Ruleset) -> None:
        decks = ruleset.declarations.decks
        self.rules = frozenset(rule for deck in decks for rule in _OneDeck(ruleset, deck).guarded)

    @property
    def content(self) -> frozenset[str]:
        """The rules of the guarded draws of all decks."""
        return self.rules


_UNREACHED = 1 << 30
"""Lower bound of the cards left where a procedure begins that no step has been found to call yet."""


class _OneDeck:
    """Lower bounds of the cards left in one deck, procedure by procedure, until they no longer change."""

    def __init__(self, ruleset: Ruleset, deck: str) -> None:
        self._deck = deck
        self._procedures = ruleset.procedures
        self._drawing = self._find_drawing()
        self.guarded: frozenset[str] = frozenset()
        if not self._drawing:
            return
        called = {each.procedure for one in self._procedures.values() for each in _list_calls(one.body)}
        first = {name: _UNREACHED if name in called and name != ruleset.start else 0 for name in self._procedures}
        bounds: Mapping[str, int] = {}
        while bounds != first:
            bounds, self._unguarded = first, set[str]()
            self._next = dict(bounds)
            for name, procedure in self._procedures.items():
                self._read(procedure.body, bounds[name])
            first = self._next
        steps = {step.rule for one in self._procedures.values() for step in one.body.walk() if self._draws(step)}
        self.guarded = frozenset(steps - self._unguarded)

    def _find_drawing(self) -> set[str]:
        """Return the procedures that draw from the deck, themselves or by those that they call."""
        drawing = {name for name, one in self._procedures.items() if any(map(self._draws, one.body.walk()))}
        more = drawing
        while more:
            more = {
                name
                for name, one in self._procedures.items()
                if name not in drawing and any(each.procedure in drawing for each in _list_calls(one.body))
            }
            drawing |= more
        return drawing

    def _draws(self, step: Step) -> bool:
        return any(isinstance(each, Draw) and each.deck == self._deck for each in list_operations(step))

    def _takes(self, step: Step) -> bool:
        """Return whether a step, or one inside it, may take cards out of the deck."""
        inner = [step, *(each for block in step.blocks for each in block.walk())]
        calls = (call for each in inner for call in list_operations(each) if isinstance(call, Call))
        return any(map(self._draws, inner)) or any(call.procedure in self._drawing for call in calls)

    def _read(self, block: Block, left: int) -> None:
        """Note the unguarded draws of a block that begins with at least `left` cards in the deck, and its calls."""
        for step in block.steps:
            known = left if step.when is None else max(left, self._count_tested(step.when))
            for each in list_operations(step):
                if isinstance(each, Call):
                    self._next[each.procedure] = min(self._next[each.procedure], known)
            loops = any(isinstance(each, Loop | Each) for each in list_operations(step))
            draws = sum(isinstance(each, Draw) and each.deck == self._deck for each in list_operations(step))
            if draws and (loops or known < draws):
                self._unguarded.add(step.rule)
            takes = self._takes(step)
            inside = 0 if loops and takes else known
            tested = max(map(self._count_tested, _list_conditions(step)), default=0)
            for place, inner in enumerate(step.blocks):
                self._read(inner, inside if place else max(inside, tested))
            if takes:
                # How many cards a called procedure takes is unknown.
                left = max(left - draws, 0) if draws and not (loops or step.blocks) else 0

    def _count_tested(self, condition: Typed) -> int:
        """Return how many cards the deck has at least if a condition is true."""
        match condition:
            case Logic(operator="and", operands=operands):
                return max(map(self._count_tested, operands))
            case Logic(operator="or", operands=operands):
                return min(map(self._count_tested, operands))
            case Comparison(operator=">" | ">=" as sign, left=CardCount(deck=deck), right=Constant(value=int(number))):
                return (number + (sign == ">")) * (deck == self._deck)
            case Comparison(operator="!=", left=CardCount(deck=deck), right=Constant(value=0)):
                return int(deck == self._deck)
        return 0


def _list_calls(block: Block) -> Iterator[Call[Typed]]:
    for step in block.walk():
        yield from (each for each in list_operations(step) if isinstance(each, Call))


def _list_conditions(step: Step) -> Iterator[Typed]:
    """Yield the conditions under which the first block of a step runs, without the `when` before the step."""
    for each in list_operations(step):
        if isinstance(each, Branch) and each.condition is not step.when:
            yield each.condition
        elif isinstance(each, Loop) and each.going is not None:
            yield each.going
