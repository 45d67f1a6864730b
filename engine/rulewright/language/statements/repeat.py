"""`repeat`: steps are carried out again and again, with a bound."""

from __future__ import annotations

from dataclasses import dataclass

from rulewright.language import language_diagnostics
from rulewright.language.checked_steps import Step
from rulewright.language.expressions.narrowing import derive_facts
from rulewright.language.expressions.typed_ast import Constant, Invoke, Local, Not, Typed
from rulewright.language.operations import Loop
from rulewright.language.schema_shapes import Record, Steps, expression, optional, required
from rulewright.language.statement import NOTHING, Changes, Check, CheckedStep, Lower, Run, Statement
from rulewright.language.types import BOOLEAN, INTEGER
from rulewright.source.nodes import Mapping

MOST_ROUNDS = 1_000_000
"""The maximum bound on the rounds of a loop."""


@dataclass(frozen=True, slots=True, eq=False)
class Action:
    """The condition for another round (None: always), and the bounds.

    `at_most` is a rule: the loop ends after that many rounds. `within` is a promise (`ends_within`): the loop ends on
    its own before that, and a game that breaks the promise is a fault of the rules. Both are computed once, before the
    first round. If a round could change one, a slot keeps it.
    """

    going: Typed | None
    at_most: Typed | None
    within: Typed | None
    most_slot: int | None = None
    within_slot: int | None = None


class Repeat(Statement):
    """The hidden slot counts the rounds begun. Without a bound it only says that the loop is running."""

    name = "repeat"
    also = ("while", "until", "loop")
    summary = (
        "Repeats steps `while` or `until` a condition is true. `at_most` ends the loop after that many rounds; without "
        "a condition, it is the exact number of rounds. `ends_within` promises that the loop ends on its own within "
        "that many rounds; it is an error if the loop does not. Both are computed once, before the first round."
    )
    example = "{id: rounds, repeat: {until: none(foes), ends_within: 60, steps: […]}}"
    loops = True
    keys = {
        "repeat": required(
            Record(
                "The condition, which is tested before every round, the bound, and the steps of a round.",
                members={
                    "while": optional(expression("Repeat while this is true.")),
                    "until": optional(expression("Stop once this is true.")),
                    "at_most": optional(expression("The maximum number of rounds, as a rule of the game.")),
                    "ends_within": optional(
                        expression("The number of rounds within which the loop must end on its own."), "within"
                    ),
                    "steps": required(Steps("The steps of a round.")),
                },
            )
        )
    }

    def check(self, node: Mapping, check: Check) -> CheckedStep:
        """Check the condition, the bounds and the steps, in a scope that knows nothing a round may change.

        Reports `while` with `until`, bounds that are too large or promise too much, and a loop that may run forever.
        """
        what = node.get("repeat")
        assert isinstance(what, Mapping)
        if "while" in what and "until" in what:
            check.report(
                language_diagnostics.STEP_SHAPE, "a loop has `while` or `until`, not both", what.find_key_span("until")
            )
        at_most = check.check_value(what.get("at_most"), INTEGER) if "at_most" in what else None
        within = check.check_value(what.get("ends_within"), INTEGER) if "ends_within" in what else None
        steps = what.get("steps")
        for key, bound in (("at_most", at_most), ("ends_within", within)):
            if isinstance(bound, Constant) and isinstance(bound.value, int) and bound.value > MOST_ROUNDS:
                message = f"a bound of {bound.value:,} rounds is too large; at most {MOST_ROUNDS:,} are allowed"
                check.report(language_diagnostics.ENDLESS_LOOP, message, what.entries[key].value.span)
        outer = check.scope
        check.scope = check.loop_scope(steps, outer)
        going: Typed | None = None
        if "while" in what:
            going = check.check_condition(what.get("while"))
        elif "until" in what:
            going = Not(BOOLEAN, check.check_condition(what.get("until")))
        inner = check.scope.with_facts(derive_facts(going, check.declarations)) if going is not None else check.scope
        check.scope = outer
        errors = len(check.diagnostics.errors)
        block = check.block(steps, inner)
        if within is not None and not ("while" in what or "until" in what or check.may_end(block)):
            message = (
                "`ends_within` promises that the loop ends, but the loop has no condition, and none of its steps can "
                "end the procedure or the game"
            )
            hint = "write `at_most`, or a condition"
            check.report(language_diagnostics.STEP_SHAPE, message, what.find_key_span("ends_within"), hint)
        # If steps were left out because of errors, they may have asked.
        valid = len(check.diagnostics.errors) == errors
        if at_most is None and within is None and valid and not check.surely_asks(block):
            escapes = check.find_escapes(block)
            asks = "not every round asks a player" if escapes else "no step in it asks a player"
            message = f"this loop may run forever: it has no `at_most` or `ends_within`, and {asks}"
            ends = going is not None or check.may_end(block)
            hint = "add `at_most: N` if the rules end the loop after N rounds"
            hint += ", or `ends_within: N` if it always ends sooner by itself" if ends else ""
            hint += ", or let every round ask a player, with two options or more" if escapes else ""
            span = node.find_key_span("repeat")
            check.diagnostics.add(language_diagnostics.ENDLESS_LOOP, message, span, related=escapes, suggestion=hint)
        slots = (_add_slot(bound, check) for bound in (at_most, within))
        return CheckedStep(Action(going, at_most, within, *slots), blocks=(block,), resumes=True)

    def run(self, step: Step, run: Run) -> None:
        """Begin another round, or end the loop. It is a fault if the loop has not ended within `ends_within` rounds."""
        action: Action = step.action
        hidden = step.hidden or 0
        begun = run.read(hidden) or 0
        bounded = action.at_most is not None or action.within is not None
        most = _read_bound(action.at_most, action.most_slot, begun, run)
        within = _read_bound(action.within, action.within_slot, begun, run)
        if (most is not None and begun >= most) or (action.going is not None and not run.compute(action.going)):
            run.bind(hidden, None)
            return
        if within is not None and begun >= within:
            run.raise_fault(step, Loop.UNFINISHED)
        run.bind(hidden, begun + 1 if bounded else 1)
        run.begin_rounds(step, 1)
        run.enter(step.blocks[0])

    def find_changes(self, node: Mapping) -> Changes:
        return NOTHING

    def lower(self, step: Step, lower: Lower) -> None:
        action: Action = step.action
        most = _lower_bound(action.at_most, action.most_slot, lower)
        within = _lower_bound(action.within, action.within_slot, lower)
        lower.loop(lambda: lower.block(step.blocks[0]), going=action.going, most=most, within=within)


def _add_slot(bound: Typed | None, check: Check) -> int | None:
    """Return a new slot for a bound that a round could change, or None for any other."""
    if bound is None or not any(part.READS_GAME or isinstance(part, Local | Invoke) for part in bound.walk()):
        return None
    return check.add_slot("bound", INTEGER)


def _read_bound(bound: Typed | None, slot: int | None, begun: int, run: Run) -> int | None:
    """Return a bound, which is computed and stored before the first round."""
    if bound is None:
        return None
    if begun and slot is not None:
        stored: int = run.read(slot)
        return stored
    value: int = run.compute(bound)
    if slot is not None:
        run.refuse_large(value, INTEGER)
        run.bind(slot, value)
    return value


def _lower_bound(bound: Typed | None, slot: int | None, lower: Lower) -> Typed | None:
    """Lower the computation of a bound before the first round, and return the expression for it in the loop."""
    if bound is None or slot is None:
        return bound
    lower.bind(bound, slot=slot, bounded=True)
    return Local(INTEGER, slot, "bound")
