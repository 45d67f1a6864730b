"""`do`: another procedure is carried out, or the steps of a table's row."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from rulewright.language import language_diagnostics
from rulewright.language.checked_steps import Step
from rulewright.language.declarations import Signature
from rulewright.language.expressions.typed_ast import Constant, Typed
from rulewright.language.schema_shapes import Leaf, expressions, optional, required
from rulewright.language.statement import NOTHING, Changes, Check, CheckedStep, Lower, Run, Statement
from rulewright.language.types import UNKNOWN, Optional, Row, Unknown, present
from rulewright.source.diagnostics.suggestions import suggest_name
from rulewright.source.nodes import Mapping, Scalar


@dataclass(frozen=True, slots=True, eq=False)
class Action:
    """The procedure, its arguments in the order of its parameters, and the names of its results."""

    procedure: str
    arguments: tuple[Typed, ...]
    gives: tuple[str, ...]


class Do(Statement):
    """The statement binds the results of the procedure by name.

    Steps of a row that is only known in play are run by a procedure that calls those of the row.
    """

    name = "do"
    also = ("call", "run", "invoke", "perform")
    summary = (
        "Runs another procedure, or with `row.column` the steps that a row has in that column; `step.name` is then its "
        "result with that name."
    )
    example = "{id: crop, do: harvest, with: {bed: bed}}"
    keys = {
        "do": required(Leaf("The procedure, or the row and its column of steps.", format="reference")),
        "with": optional(expressions("A value for each parameter of the procedure.")),
    }
    action = Action
    role = "call"

    def check(self, node: Mapping, check: Check) -> CheckedStep:
        """Check the procedure and its arguments, and forget the facts about the fields that it may change.

        An unknown procedure is reported, and the result is then unknown. Unknown and missing arguments are only
        reported.
        """
        named = node.get("do")
        assert isinstance(named, Scalar)
        target = _find_target(named, check)
        if target is None:
            return CheckedStep(Action("", (), ()), binds=UNKNOWN)
        signature, arguments = target
        parameters = dict([*signature.parameters.items()][len(arguments) :])
        given = node.get("with")
        entries = given.entries if isinstance(given, Mapping) else {}
        for name, entry in entries.items():
            if name not in parameters:
                hint = suggest_name(name, parameters)
                check.report(
                    language_diagnostics.ARGUMENTS, f"`{signature.id}` has no parameter `{name}`", entry.key.span, hint
                )
        for name, kind in parameters.items():
            if name in entries:
                arguments.append(check.check_value(entries[name].value, kind))
            else:
                message = f"`{signature.id}` needs a value for `{name}`, {kind}"
                check.report(language_diagnostics.ARGUMENTS, message, named.span, f"add `with: {{{name}: …}}`")
        check.forget_call(signature)
        parts = dict(signature.gives)
        return CheckedStep(Action(signature.id, tuple(arguments), tuple(parts)), parts=parts if parts else None)

    def run(self, step: Step, run: Run) -> None:
        if not step.action.procedure:
            return  # an error that was reported
        run.record_event(step, "called")
        run.call(step.action.procedure, tuple(run.compute(argument) for argument in step.action.arguments))

    def take(self, step: Step, run: Run, value: Any) -> None:
        for place, part in enumerate(value if step.slot is not None else ()):
            run.bind((step.slot or 0) + place, part)

    def list_calls(self, node: Mapping) -> tuple[Scalar, ...]:
        named = node.get("do")
        return (named,) if isinstance(named, Scalar) else ()

    def find_changes(self, node: Mapping) -> Changes:
        return NOTHING  # `list_calls` has the procedure, which may change something

    def lower(self, step: Step, lower: Lower) -> None:
        if step.action.procedure:
            lower.call(step.action.procedure, step.action.arguments, len(step.action.gives))


def _find_target(named: Scalar, check: Check) -> tuple[Signature, list[Typed]] | None:
    """Return the procedure that `named` means, and the row whose steps it shall run if it runs those of any row.

    Reports an unknown procedure or column, and a value that is no row or may be none, and then returns None.
    """
    declared = check.declarations
    signature = declared.procedures.get(named.text)
    head, dot, column = named.text.rpartition(".")
    # `table.column` is the procedure that runs the steps of any row. Only calls on a row pass it one.
    if signature is not None and (not dot or "." in head):
        return signature, []
    columns = {name for table in declared.tables.values() for name in table.steps} if dot else set()
    if not dot or column not in columns:
        hint, near = suggest_name(named.text, declared.procedure_names), suggest_name(column, columns)
        message, span = f"there is no procedure `{named.text}`", named.span
        if dot and hint is None and near is not None:
            message, hint = f"no table has a column of steps `{column}`", near
            span = named.position(len(head) + 1, len(column))
        check.report(language_diagnostics.UNKNOWN_PROCEDURE, message, span, hint)
        return None
    row = check.check_value(Scalar(head, head, named.position(0, len(head)), raw=head))
    kind = present(row.type)
    if isinstance(kind, Row) and column in declared.tables[kind.table].steps:
        if isinstance(row.type, Optional):
            message, hint = f"`{head}` may be none, which has no steps", f"add `when: {head}`"
            check.report(language_diagnostics.MAY_BE_NONE, message, named.span, hint, row)
            return None
        alone = f"{kind.table}.{row.value}.{column}" if isinstance(row, Constant) else ""
        if alone in declared.procedures:
            return declared.procedures[alone], []
        return declared.procedures[f"{kind.table}.{column}"], [row]
    if isinstance(kind, Row):
        message = f"{kind.table} has no column of steps `{column}`"
        having = [f"`{table.id}`" for table in declared.tables.values() if column in table.steps]
        hint = suggest_name(column, declared.tables[kind.table].steps) or f"it is a column of {', '.join(having)}"
        check.report(language_diagnostics.UNKNOWN_FIELD, message, named.span, hint)
    elif not isinstance(kind, Unknown):
        message = f"`{column}` is a column of steps, so a row is needed before it, not {row.type}"
        check.report(language_diagnostics.WRONG_TYPE, message, named.span)
    return None
