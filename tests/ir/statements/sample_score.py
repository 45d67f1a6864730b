"""`sample_score`: a player is asked how boldly to roll, and the roll counts."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from rulewright.language import language_diagnostics
from rulewright.language.checked_steps import Step, Target
from rulewright.language.expressions.evaluator import as_roll
from rulewright.language.expressions.typed_ast import Arithmetic, Comparison, Constant, If, Local, Stored, Typed
from rulewright.language.operations import Offer, Offered
from rulewright.language.schema_shapes import Record, expression, required
from rulewright.language.statement import Changes, Check, CheckedStep, Lower, Run, Statement
from rulewright.language.types import BOOLEAN, DICE, INTEGER, PLAYER, Choice, ListOf
from rulewright.source.nodes import Mapping, Scalar

WAYS = Choice(("bold", "careful"))


@dataclass(frozen=True, slots=True, eq=False)
class Action:
    """Who is asked, the two rolls, and the place that grows by what comes up."""

    who: Typed
    bold: Typed
    careful: Typed
    place: Target | None


class Score(Statement):
    """Stops twice: for the choice, and for the roll, when the hidden slot holds 1."""

    name = "sample_score"
    summary = "Asks a player to roll one of two dice, and adds what comes up to a field."
    example = "{id: throw, sample_score: {who: player, bold: 2d6, careful: 1d6 +3, into: player.points}}"
    keys = {
        "sample_score": required(
            Record(
                "Who rolls what, and what grows.",
                members={
                    "who": required(expression("The player.")),
                    "bold": required(expression("One roll.")),
                    "careful": required(expression("The other.")),
                    "into": required(expression("The field.")),
                },
            )
        )
    }

    def check(self, node: Mapping, check: Check) -> CheckedStep:
        what = node.get("sample_score")
        assert isinstance(what, Mapping)
        rolls = [check.check_value(what.get(key), DICE) for key in ("bold", "careful")]
        written = what.get("into")
        place = check.check_target(written) if isinstance(written, Scalar) else None
        if place is not None and (place.type != INTEGER or place.base is None):
            check.report(
                language_diagnostics.WRONG_TYPE, f"`into` is a field that holds a number, not {place.type}", what.span
            )
        if place is not None:
            check.forget_target(place)
        return CheckedStep(Action(check.check_value(what.get("who"), PLAYER), *rolls, place), binds=WAYS, resumes=True)

    def run(self, step: Step, run: Run) -> None:
        action: Action = step.action
        if run.read(step.hidden or 0) is None:
            run.ask(run.compute(action.who), WAYS.ids, step)
        else:
            self._roll(step, run)

    def take(self, step: Step, run: Run, value: Any) -> None:
        action: Action = step.action
        if run.read(step.hidden or 0) is None:
            run.record_event(step, "asked", run.get_answer(), value)
            run.bind(step.slot or 0, value)
            run.bind(step.hidden or 0, 1)
            self._roll(step, run)
            return
        run.record_event(step, "rolled", run.get_outcome(), value)
        assert action.place is not None
        entity = run.compute(action.place.base)  # type: ignore[arg-type]
        held = run.read_field(entity, action.place.kind, action.place.field)
        run.store(action.place, entity, held + value, step)
        run.bind(step.hidden or 0, None)

    def _roll(self, step: Step, run: Run) -> None:
        bold = run.read(step.slot or 0) == WAYS.ids[0]
        run.stop_at_chance(as_roll(run.compute(step.action.bold if bold else step.action.careful)))

    def lower(self, step: Step, lower: Lower) -> None:
        action: Action = step.action
        offers = tuple(Offer(way, None, "") for way in WAYS.ids)
        lower.bind(lower.ask(action.who, Offered(ListOf(WAYS), offers), WAYS))
        chosen = Local(WAYS, step.slot or 0, step.id)
        bold = Comparison(BOOLEAN, "==", chosen, Constant(WAYS, WAYS.ids[0]))
        total = lower.roll(If(DICE, bold, action.bold, action.careful))
        if action.place is None or action.place.base is None:
            return  # that has been reported
        entity = lower.keep(action.place.base)
        held = Stored(INTEGER, entity, action.place.kind, action.place.field)
        lower.store(action.place, entity, Arithmetic(INTEGER, "+", held, total), by="+")
        lower.finish_stops()

    def find_changes(self, node: Mapping) -> Changes:
        return Changes(frozenset())
