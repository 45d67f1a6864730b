"""Which names of a procedure can still matter at a stop.

What was rolled a round ago and is read no more makes two positions look different that are the same: it is forgotten
before positions are compared. The usual backward analysis of live variables, over the tree of steps.
Source: Aho, Lam, Sethi and Ullman, "Compilers: Principles, Techniques, and Tools", 2nd edition, section 9.2.5.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from rulewright.language.expression.typed import Local, Typed
from rulewright.language.lowering import called, operations
from rulewright.language.operations import Bind, Call, Finish
from rulewright.language.step import Block, Procedure, Step
from rulewright.language.verb import expressions
from rulewright.ruleset.ruleset import Ruleset

Slots = frozenset[int]


class Liveness:
    """The slots that matter at each step of a ruleset. `asked` are those of `root` that are read at the end."""

    def __init__(self, ruleset: Ruleset, root: str = "", asked: Slots = frozenset()) -> None:
        self._at_end: Slots = frozenset()
        self._at_stop: dict[int, Slots] = {}
        self._entering: dict[int, Slots] = {}
        for procedure in ruleset.procedures.values():
            given = frozenset(slot for value in procedure.gives.values() for slot in slots_in(value))
            # A procedure may end at any of its steps; what it hands back is kept throughout.
            self._at_end = given | (asked if procedure.id == root else frozenset())
            self._block(procedure.body, self._at_end)

    def at(self, step: int) -> Slots:
        """The slots that must be kept while the machine stands at `step`: at a stop, or inside what it carries out."""
        return self._at_stop[step]

    def entering(self, step: int) -> Slots:
        """The slots that matter before `step` is begun."""
        return self._entering[step]

    def _block(self, block: Block, after: Slots) -> Slots:
        """The slots that matter before `block`, where `after` matter behind it."""
        for step in reversed(block.steps):
            after = self._step(step, after)
        return after

    def _step(self, step: Step, after: Slots) -> Slots:
        own = frozenset(slot for value in expressions(step.action) for slot in slots_in(value))
        own |= changed_slots(step)
        if step.hidden is not None:
            own |= {step.hidden, *step.slots}
            inside = after
            # What a round reads of the round before it matters at the end of a round, too.
            while (grown := own | after | self._block(step.blocks[0], inside | own)) != inside:
                inside = grown
            self._at_stop[step.number] = inside
            before = inside
        else:
            blocks: Slots = frozenset()
            for block in step.blocks:
                blocks |= self._block(block, after)
            # What a choice or a roll is about to fill holds nothing that anybody reads; what a procedure hands back may
            # be left as it was, where the game ends within it.
            filled = frozenset(step.slots) - (self._at_end if called(step) else frozenset())
            self._at_stop[step.number] = own | (after - filled if _stops(step) else after) | blocks
            # A step that is passed over leaves nothing in its slots, so that what was there is over in any case; but
            # the procedure may end before it comes to the step once more.
            before = own | blocks | (after if step.blocks else after - (frozenset(step.slots) - self._at_end))
        if step.when is not None:
            before |= frozenset(slots_in(step.when))
        self._entering[step.number] = before
        return before


def slots_in(expression: Typed) -> Iterator[int]:
    """The slots that an expression reads."""
    return (part.slot for part in expression.walk() if isinstance(part, Local))


def changed_slots(step: Step) -> Slots:
    """The names of the procedure, by slot, that a step changes after they were bound."""
    return frozenset(each.slot for each in operations(step) if isinstance(each, Bind) and each.said)


def _stops(step: Step) -> bool:
    return any(each.stops or isinstance(each, Call | Finish) for each in operations(step))


def read_in(procedure: Procedure) -> Iterable[Typed]:
    """Every expression of a procedure."""
    for step in procedure.steps():
        if step.when is not None:
            yield step.when
        yield from expressions(step.action)
    yield from procedure.gives.values()
