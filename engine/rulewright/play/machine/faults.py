"""Faults of the rules that only show in play."""

from __future__ import annotations

from rulewright.errors import RulewrightError
from rulewright.language.step import Procedure, Step
from rulewright.source.diagnostics.diagnostic import Code, Diagnostic

RULES_FAULT = Code(
    "rules-fault",
    "A step that cannot be carried out",
    "The rules lead to a place where they say something impossible: an amount below zero, a choice from nothing, "
    "an object that has left the game.",
    "Guard the step with `when:`, or change what leads to it.",
)


GONE = "this uses an object that has left the game"


class GoneError(RulewrightError):
    """An object is used that has left the game."""

    def __init__(self) -> None:
        super().__init__(GONE)


class RulesFault(RulewrightError):  # noqa: N818 (the rules are at fault, not the program)
    """A step that the rules make impossible, or the results of a procedure that cannot be worked out.

    `rule` names it (`procedure.step`, or the procedure); `diagnostic` has its place and a remedy. Its text names no
    place: players may read it.
    """

    def __init__(self, where: Step | Procedure | None, message: str) -> None:
        self.rule = where.rule if isinstance(where, Step) else where.id if where is not None else ""
        self.message = message
        self.diagnostic = None if where is None else Diagnostic(RULES_FAULT, f"`{self.rule}`: {message}", where.span)
        super().__init__(message if where is None else f"`{self.rule}`: {message}")
