"""Liveness analysis: the names of a procedure that can still matter at a pause point.

A value that no later step reads makes equal positions look different, so it is removed before positions are compared.
This is the usual backward analysis of live variables, on the tree of steps. Source: Aho, Lam, Sethi and Ullman,
"Compilers: Principles, Techniques, and Tools", 2nd edition, section 9.2.5.
"""

from __future__ import annotations

from collections.abc import Iterator

from rulewright.language.checked_steps import Procedure, Step
from rulewright.language.expressions.typed_ast import Local, Typed
from rulewright.language.lowering import list_operations, lower_block
from rulewright.language.operations import Bind, Branch, Each, Fault, Finish, Give, Leave, Loop, Operation, Region
from rulewright.ruleset.ruleset import Ruleset

Slots = frozenset[int]


class Liveness:
    """The slots that matter at each step of a ruleset. `asked` are those of `root` that are read at the end.

    Procedures are analyzed when one of their steps is first asked for, so that only those are read.
    """

    def __init__(self, ruleset: Ruleset, root: str = "", result_slots: Slots = frozenset()) -> None:
        self._ruleset = ruleset
        self._root = root
        self._result_slots = result_slots
        self._at_end: Slots = frozenset()
        self._at_stop: dict[int, Slots] = {}
        self._entering: dict[int, Slots] = {}
        self._every: dict[int, Slots] = {}
        self._after_loop: dict[str, Slots] = {}

    def find_live_slots(self, step: int) -> Slots:
        """Return the slots that are live at `step`, at a pause point or inside a procedure that it calls."""
        every = self._find_all_slots(step)
        return self._at_stop.get(step, every)

    def find_slots_before(self, step: int) -> Slots:
        """Return the slots that matter before `step` is begun."""
        every = self._find_all_slots(step)
        return self._entering.get(step, every)

    def _find_all_slots(self, step: int) -> Slots:
        """Return all slots of the procedure of a step. Analyzes the procedure on first use."""
        if step not in self._every:
            self._analyze(self._ruleset.procedures[self._ruleset.steps[step].procedure])
        return self._every[step]

    def _analyze(self, procedure: Procedure) -> None:
        """Store the slots that matter at each step of a procedure."""
        given = frozenset(slot for value in procedure.gives.values() for slot in find_slots(value))
        # A procedure may end at any step, so its results are always live.
        self._at_end = given | (self._result_slots if procedure.id == self._root else frozenset())
        every = frozenset(range(1, procedure.size + 1))
        self._every.update((step.number, every) for step in procedure.iterate_steps())
        self._region(lower_block(procedure.body), self._at_end)

    def _region(self, region: Region[Typed], after: Slots) -> Slots:
        """Return the slots that are live before a region, given those that are live after it."""
        for each in reversed(region):
            after = self._operation(each, after)
            self._entering[each.step.number] = after
        return after

    def _operation(self, each: Operation[Typed], after: Slots) -> Slots:
        """Return the slots that are live before an operation, given those after it.

        Stores those that are live if it pauses.
        """
        own = frozenset(slot for value in each.values for slot in find_slots(value))
        if each.suspends:
            place = frozenset() if each.step.hidden is None else frozenset((each.step.hidden,))
            # A result may keep its old value if the game ends within the step.
            after -= frozenset(each.fills) - self._at_end
            saved = own | after | place
            self._at_stop[each.step.number] = self._at_stop.get(each.step.number, frozenset()) | saved
            return saved
        match each:
            case Bind(slot=slot, name=words):
                # A binding overwrites its slot, but the procedure may end before it.
                return own | (after if words else after - (frozenset((slot,)) - self._at_end))
            case Give() | Finish() | Fault():
                return own | self._at_end
            case Leave(loop=loop):
                return self._after_loop[loop]
            case Branch(then=then, otherwise=otherwise):
                return own | self._region(then, after) | self._region(otherwise, after)
            case Loop(counter=counter, body=body):
                self._after_loop[each.step.id] = after
                return self._rounds(body, own | after | {counter})
            case Each(item=item, rest=rest, body=body):
                self._after_loop[each.step.id] = after
                return own | self._rounds(body, after | {item, rest})
        return own | after

    def _rounds(self, body: Region[Typed], around: Slots) -> Slots:
        """Return the slots that are live throughout a loop.

        A slot that one round reads from the previous round is also live at its end.
        """
        inside = around
        while (grown := around | self._region(body, inside)) != inside:
            inside = grown
        return inside


def find_slots(expression: Typed) -> Iterator[int]:
    """Return the slots that an expression reads."""
    return (part.slot for part in expression.walk() if isinstance(part, Local))


def find_changed_slots(step: Step) -> Slots:
    """Return the names of the procedure, by slot, that a step changes after they were bound."""
    return frozenset(each.slot for each in list_operations(step) if isinstance(each, Bind) and each.name)


def list_evaluated(procedure: Procedure) -> Iterator[Typed]:
    """Yield every expression that the program of a procedure evaluates, also for its results, without their parts."""
    for step in procedure.iterate_steps():
        for each in list_operations(step):
            yield from each.values
    yield from procedure.gives.values()
