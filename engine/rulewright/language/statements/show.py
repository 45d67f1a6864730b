"""`show`: reveals hidden values to players."""

from __future__ import annotations

from collections.abc import Mapping as MappingOf
from dataclasses import dataclass

from rulewright.language import language_diagnostics
from rulewright.language.checked_steps import Step, Target
from rulewright.language.declarations import PLAYER_KIND, Field
from rulewright.language.expressions.typed_ast import BROKEN, Objects, Stored, Typed
from rulewright.language.schema_shapes import Leaf, Record, expression, required
from rulewright.language.statement import Changes, Check, CheckedStep, Lower, Run, Statement
from rulewright.language.types import Entity, Optional, Unknown
from rulewright.language.visibility import EVERYBODY, SEERS, SHOWN, check_viewers, find_viewers_of, join_viewers
from rulewright.source.nodes import Mapping, Node, Scalar

EVERY_PLAYER = Objects(SEERS, PLAYER_KIND)


@dataclass(frozen=True, slots=True, eq=False)
class Action:
    """The field to show, or the object with hidden fields, the viewers, and the changes.

    Each change is a place with the viewers of a value, and its new content.
    """

    what: Typed
    to: Typed
    changes: tuple[tuple[Target, Typed], ...] = ()


class Show(Statement):
    """A viewer knows a shown value until it changes. Showing it to a player who sees it anyway has no effect."""

    name = "show"
    also = ("reveal", "peek", "look")
    summary = "Shows players a hidden field, or all hidden fields of an object, until they change."
    example = "{id: peek, show: {what: card.face, to: player}}"
    keys = {
        "show": required(
            Record(
                "What is shown, and to whom.",
                members={
                    "what": required(expression("A hidden field, or an object with hidden fields.")),
                    "to": required(Leaf("A player, a list of players, or `everybody`.", format="expression")),
                },
            )
        )
    }

    def check(self, node: Mapping, check: Check) -> CheckedStep:
        """Check what is shown, and to whom.

        Reports a value without anything hidden, and the step then has no effect.
        """
        written = node.get("show")
        assert isinstance(written, Mapping)
        what = check.check_value(written.get("what"))
        to = self._to(written.get("to"), check)
        result = self._list_hidden(what, written, check)
        changes = []
        for item, kind, field in result:
            viewers = find_viewers_of(item, kind, field)
            changes.append((Target(SEERS, item, kind, f"{SHOWN}{field}"), join_viewers(viewers, to)))
        return CheckedStep(Action(what, to, tuple(changes)))

    def _to(self, node: Node | None, check: Check) -> Typed:
        if isinstance(node, Scalar) and node.text == EVERYBODY:
            return EVERY_PLAYER
        viewers = check_viewers(node, check.check_value, check.report)
        return EVERY_PLAYER if viewers is None else viewers

    def _list_hidden(self, what: Typed, written: Mapping, check: Check) -> list[tuple[Typed, str, str]]:
        """Return the hidden fields that are shown, as triples of the object, its kind and the name of the field.

        Reports a value without hidden fields, and then returns an empty list.
        """
        span = written.entries["what"].value.span
        kinds = check.declarations.kinds
        match what:
            case Stored(base=base, kind=kind, field=field) if f"{SHOWN}{field}" in kinds[kind].fields:
                return [(base, kind, field)]
            case Stored(kind=kind, field=field) if not isinstance(what.type, Entity):
                message = f"`{field}` is visible to all players, so there is nothing to show"
                check.report(
                    language_diagnostics.NOT_HIDDEN,
                    message,
                    span,
                    "hide it with `seen_by:`",
                )
                return []
        match what.type:
            case Entity(kind=kind):
                results = [(what, kind, field) for field in _list_hidden_fields(kinds[kind].fields)]
                if not results:
                    message = f"no field of `{kind}` is hidden, so there is nothing to show"
                    check.report(
                        language_diagnostics.NOT_HIDDEN,
                        message,
                        span,
                        f"give `{kind}` a `seen_by:`, or one of its fields",
                    )
                return results
            case Optional(inner=Entity()):
                hint = language_diagnostics.suggest_presence(written.entries["what"].value)
                message = "this may be none, which cannot be shown"
                check.report(language_diagnostics.MAY_BE_NONE, message, span, hint, what)
            case Unknown():
                pass
            case _:
                message = f"`show` needs a hidden field or an object with hidden fields, not {what.type}"
                check.report(language_diagnostics.WRONG_TYPE, message, span)
        return []

    def run(self, step: Step, run: Run) -> None:
        ready = [(target, run.compute(target.base), run.compute(value)) for target, value in step.action.changes]
        for target, item, value in ready:
            run.store(target, item, value, step)

    def find_changes(self, node: Mapping) -> Changes:
        # Showing changes only who sees a value, which expressions cannot read.
        return Changes()

    def lower(self, step: Step, lower: Lower) -> None:
        changes: tuple[tuple[Target, Typed], ...] = step.action.changes
        ready = [(target, lower.keep(target.base or BROKEN), lower.keep(value)) for target, value in changes]
        for target, item, value in ready:
            lower.store(target, item, value)


def _list_hidden_fields(fields: MappingOf[str, Field]) -> list[str]:
    return [name for name in fields if f"{SHOWN}{name}" in fields]
