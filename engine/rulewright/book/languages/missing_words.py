"""The reason why a planner has no sentence for a rule."""

from __future__ import annotations

from rulewright.base.errors import RulewrightError
from rulewright.base.plugins import Failure
from rulewright.language.expressions import typed_ast as t

_NAMES: dict[type[t.Typed], str] = {
    t.Lookup: "a row by its id",
    t.Entry: "a true or false entry of a map",
    t.PartOf: "a part of a record",
    t.Cell: "a true or false column",
    t.If: "a condition in two cases",
    t.Coalesce: "a condition with a fallback",
    t.After: "`after(…)`",
}
"""The expressions that a language may lack words for, in the words of the reference."""


class MissingWordsError(RulewrightError):
    """A sentence that a language cannot say: a text at `path` is missing, or the planner has no words for `what`.

    `path` is that of a text of the rules, or empty if the planner itself lacks the words. `failure` is that of the
    plug-in that should have written the sentence, if it has failed.
    """

    def __init__(self, path: tuple[str, ...] = (), what: str = "", failure: Failure | None = None) -> None:
        self.path = path
        self.what = what
        self.failure = failure
        super().__init__(".".join(path) or what)


def name_expression(node: t.Typed) -> str:
    """Return what the rules call an expression, for a message about missing words."""
    match node:
        case t.Travel() | t.Aggregate() | t.Apply():
            return f"`{node.function}(…)`"
    return _NAMES.get(type(node), "an expression")
