"""The common part of `draw` and `roll`: a step with `count` pauses for one chance event after another."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Any

from rulewright.language import language_diagnostics
from rulewright.language.checked_steps import Step
from rulewright.language.expressions.typed_ast import (
    ROW_RANK,
    Aggregate,
    Arithmetic,
    Cell,
    Constant,
    Items,
    Local,
    Typed,
    Variable,
)
from rulewright.language.statement import Check, Lower, Run
from rulewright.language.types import INTEGER, UNKNOWN, ListOf, Row, Type, present
from rulewright.source.nodes import Mapping


def sort_elements(elements: Typed) -> Typed:
    """Return a list of numbers in ascending order, or of rows in the order of their table."""
    kind = elements.type.inner if isinstance(elements.type, ListOf) else UNKNOWN
    element = Variable(kind, "element")
    key = Cell(INTEGER, element, kind.table, ROW_RANK) if isinstance(kind, Row) else element
    return Aggregate(elements.type, "list", element, "element", elements, None, key)


def check_count(node: Mapping, check: Check, hint: str) -> tuple[Typed | None, bool]:
    """Return the typed `count`, or None, and whether the step keeps its results `in_order`.

    Reports a negative count, and `in_order` without `count`, with a hint.
    """
    count = check.check_value(node.get("count"), INTEGER) if "count" in node else None
    if isinstance(count, Constant) and isinstance(count.value, int) and count.value < 0:
        message = f"`count` is {count.value}, but a step cannot have fewer than 0 results"
        check.report(
            language_diagnostics.WRONG_TYPE, message, node.entries["count"].value.span, "write a larger number"
        )
    in_order = "in_order" in node
    if in_order and count is None:
        message = "`in_order` makes no sense for a single result"
        check.report(language_diagnostics.STEP_KEY, message, node.find_key_span("in_order"), hint)
    return count, in_order


def get_results(step: Step) -> Typed | None:
    """Return the results that a step has so far, or None if it has no `count`."""
    if step.action.count is None or step.slot is None or step.binds is None:
        return None
    return Local(present(step.binds), step.slot, step.id)


class SeveralResults(ABC):
    """Base of statements whose action has `count`, the number of results or None, and `in_order`.

    The results so far are in the slot of the step, and their number is in its hidden slot. They are sorted unless they
    stay in order, so that positions with the same results are the same position.
    """

    @abstractmethod
    def stop(self, step: Step, run: Run) -> None:
        """Pause for a single chance event."""

    @abstractmethod
    def lower_one(self, step: Step, lower: Lower) -> Typed:
        """Lower a single chance event, and return its result."""

    def run(self, step: Step, run: Run) -> None:
        """Pause for the only chance event, or for the first of several.

        In a restored state, pause for the same one again.
        """
        if step.action.count is None or run.read(step.hidden or 0) is not None:
            self.stop(step, run)
        else:
            run.bind(step.slot or 0, ())
            self._go_on(step, run)

    def keep(self, step: Step, run: Run, value: Any) -> None:
        """Bind a result. If there are several, add it to them, and pause for the next one."""
        if step.action.count is None:
            run.bind(step.slot or 0, value)
            return
        kind = _find_type(step)
        run.bind(step.slot or 0, run.compute(_add(step, Constant(kind, value))))
        self._go_on(step, run)

    def _go_on(self, step: Step, run: Run) -> None:
        """Pause for the next of several results. After the last one, only clear their number."""
        hidden = step.hidden or 0
        begun = run.read(hidden) or 0
        if begun >= run.compute(step.action.count):
            run.bind(hidden, None)
            return
        run.bind(hidden, begun + 1)
        run.begin_rounds(step, 1)
        self.stop(step, run)

    def lower(self, step: Step, lower: Lower) -> None:
        """Lower the chance event and bind its result, or lower a loop that adds one result after another."""
        if step.action.count is None:
            lower.bind(self.lower_one(step, lower))
            return
        lower.bind(Items(ListOf(_find_type(step)), ()))
        lower.loop(
            lambda: lower.bind(_add(step, self.lower_one(step, lower))),
            going=None,
            most=step.action.count,
            within=None,
        )


def _find_type(step: Step) -> Type:
    kind = present(step.binds) if step.binds is not None else UNKNOWN
    return kind.inner if isinstance(kind, ListOf) else kind


def _add(step: Step, result: Typed) -> Typed:
    """Return the expression of the results of a step with another one."""
    results = get_results(step)
    assert results is not None
    added = Arithmetic(results.type, "+", results, Items(results.type, (result,)))
    return added if step.action.in_order else sort_elements(added)
