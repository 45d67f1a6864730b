"""`create`: a new object comes into the game."""

from __future__ import annotations

from collections.abc import Mapping as ReadOnlyMapping
from dataclasses import dataclass

from rulewright.language import language_diagnostics
from rulewright.language.checked_steps import Step
from rulewright.language.declarations import GAME_KIND, PLAYER_KIND
from rulewright.language.expressions.typed_ast import Typed
from rulewright.language.schema_shapes import LOG, Leaf, MapOf, held, optional, required
from rulewright.language.statement import NOTHING, Changes, Check, CheckedStep, Lower, Run, Statement
from rulewright.language.types import UNKNOWN, Entity, Unknown
from rulewright.source.diagnostics.suggestions import suggest_name
from rulewright.source.nodes import Mapping, Scalar


@dataclass(frozen=True, slots=True, eq=False)
class Action:
    """The kind, the fields that are not at their default, and the least that some of these may be."""

    kind: str
    values: ReadOnlyMapping[str, Typed]
    least: ReadOnlyMapping[str, int]


class Create(Statement):
    """Binds the new object."""

    name = "create"
    also = ("place", "spawn", "make", "new")
    summary = "Creates an object of a kind; other fields get their default."
    example = "{id: sapling, create: tree, with: {bed: bed}}"
    keys = {
        "create": required(Leaf("The kind.", format="reference")),
        "with": optional(MapOf("Fields and their values.", inner=held("Its value."))),
        "log": optional(LOG, "tells"),
    }

    def check(self, node: Mapping, check: Check) -> CheckedStep:
        """Check the kind and the values of the new object.

        An unknown kind, and that of the game or a player, is reported, and the result is then unknown. Unknown fields,
        and missing values of fields without a default, are reported as well.
        """
        named = node.get("create")
        assert isinstance(named, Scalar)
        kind = check.declarations.kinds.get(named.text)
        if kind is None or kind.id in (GAME_KIND, PLAYER_KIND):
            known = [k for k in check.declarations.kinds if k not in (GAME_KIND, PLAYER_KIND)]
            what = "players exist from the start of the game" if kind else f"there is no kind `{named.text}`"
            check.report(language_diagnostics.UNKNOWN_TYPE, what, named.span, suggest_name(named.text, known))
            return CheckedStep(Action("", {}, {}), binds=UNKNOWN)
        values: dict[str, Typed] = {}
        given = node.get("with")
        for name, entry in given.entries.items() if isinstance(given, Mapping) else ():
            field = kind.fields.get(name)
            if field is None:
                hint = suggest_name(name, kind.fields)
                check.report(
                    language_diagnostics.UNKNOWN_FIELD, f"`{kind.id}` has no field `{name}`", entry.key.span, hint
                )
            values[name] = check.check_value(entry.value, field.type if field else None)
        # A field whose type could not be read has no default because of that.
        missing = [
            f.name
            for f in kind.fields.values()
            if not f.has_default and f.name not in values and not isinstance(f.type, Unknown)
        ]
        if missing:
            message = f"a `{kind.id}` needs {', '.join(f'`{name}`' for name in missing)}"
            check.report(language_diagnostics.ARGUMENTS, message, named.span, f"add `with: {{{missing[0]}: …}}`")
        least = {f.name: f.minimum for f in kind.fields.values() if f.name in values and f.minimum is not None}
        return CheckedStep(Action(kind.id, values, least), binds=Entity(kind.id))

    def run(self, step: Step, run: Run) -> None:
        """Create the object, record this, and bind the object. A value below its minimum is a fault."""
        action: Action = step.action
        values = {name: run.compute(value) for name, value in action.values.items()}
        for name, minimum in action.least.items():
            run.refuse_below(step, name, values[name], minimum)
        item = run.create(action.kind, values)
        run.record_event(step, "created", item, run.read_values(item))
        run.bind(step.slot or 0, item)

    def find_changes(self, node: Mapping) -> Changes:
        return NOTHING

    def lower(self, step: Step, lower: Lower) -> None:
        action: Action = step.action
        lower.bind(lower.create(action.kind, action.values, action.least, Entity(action.kind)))
