"""`do`: another procedure is carried out."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from rulewright.language import language_diagnostics
from rulewright.language.checked_steps import Step
from rulewright.language.expressions.typed_ast import Typed
from rulewright.language.schema_shapes import Leaf, expressions, optional, required
from rulewright.language.statement import ANYTHING, Changes, Check, CheckedStep, Lower, Run, Statement
from rulewright.language.types import UNKNOWN
from rulewright.source.diagnostics.suggestions import suggest_name
from rulewright.source.nodes import Mapping, Scalar


@dataclass(frozen=True, slots=True, eq=False)
class Action:
    """The procedure, its arguments in the order of its parameters, and the names of its results."""

    procedure: str
    arguments: tuple[Typed, ...]
    gives: tuple[str, ...]


class Do(Statement):
    """The statement binds the results of the procedure by name."""

    name = "do"
    summary = "Runs another procedure; `step.name` is then its result with that name."
    example = "{id: crop, do: harvest, with: {bed: bed}}"
    keys = {
        "do": required(Leaf("The procedure.", format="reference")),
        "with": optional(expressions("A value for each parameter of the procedure.")),
    }
    action = Action
    role = "call"

    def check(self, node: Mapping, check: Check) -> CheckedStep:
        named = node.get("do")
        assert isinstance(named, Scalar)
        signature = check.declarations.procedures.get(named.text)
        if signature is None:
            hint = suggest_name(named.text, check.declarations.procedure_names)
            check.report(
                language_diagnostics.UNKNOWN_PROCEDURE, f"there is no procedure `{named.text}`", named.span, hint
            )
            return CheckedStep(Action("", (), ()), binds=UNKNOWN)
        given = node.get("with")
        entries = given.entries if isinstance(given, Mapping) else {}
        for name, entry in entries.items():
            if name not in signature.parameters:
                hint = suggest_name(name, signature.parameters)
                check.report(
                    language_diagnostics.ARGUMENTS, f"`{signature.id}` has no parameter `{name}`", entry.key.span, hint
                )
        arguments: list[Typed] = []
        for name, kind in signature.parameters.items():
            if name in entries:
                arguments.append(check.check_value(entries[name].value, kind))
            else:
                message = f"`{signature.id}` needs a value for `{name}`, {kind}"
                check.report(language_diagnostics.ARGUMENTS, message, named.span, f"add `with: {{{name}: …}}`")
        check.scope = check.scope.without()
        parts = dict(signature.gives)
        return CheckedStep(Action(signature.id, tuple(arguments), tuple(parts)), parts=parts if parts else None)

    def run(self, step: Step, run: Run) -> None:
        run.record_event(step, "called")
        run.call(step.action.procedure, tuple(run.compute(argument) for argument in step.action.arguments))

    def take(self, step: Step, run: Run, value: Any) -> None:
        for place, part in enumerate(value if step.slot is not None else ()):
            run.bind((step.slot or 0) + place, part)

    def list_calls(self, node: Mapping) -> tuple[Scalar, ...]:
        named = node.get("do")
        return (named,) if isinstance(named, Scalar) else ()

    def find_changes(self, node: Mapping) -> Changes:
        return ANYTHING

    def lower(self, step: Step, lower: Lower) -> None:
        lower.call(step.action.procedure, step.action.arguments, len(step.action.gives))
