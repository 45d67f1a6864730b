"""Code action: write a procedure that a step runs but that does not exist."""

from __future__ import annotations

import re
from collections.abc import Iterator

from rulewright.language.language_diagnostics import UNKNOWN_PROCEDURE
from rulewright.language.types import Entity
from rulewright.lsp.features.available_actions import FIX, ActionRequest, CodeAction, overlaps
from rulewright.lsp.features.edition_states import Good
from rulewright.ruleset.layers.source_edits import build_value_edit
from rulewright.ruleset.schema.json_schema import ID_PATTERN
from rulewright.source.nodes import Mapping, Node, Scalar
from rulewright.source.span import Span

PLACE = 18


def offered(request: ActionRequest) -> Iterator[CodeAction]:
    """Yield the action that adds the procedure to the layer of the file, with a parameter for each given value.

    There is none without a usable state of the edition, or if the name is not a valid id.
    """
    good = request.good
    for each in request.diagnostics:
        if good is None or each.code is not UNKNOWN_PROCEDURE or not overlaps(each.span, request.place):
            continue
        layer = request.find_own_layer(good)
        call = _find_call(good, layer.files, each.span) if layer is not None else None
        if layer is None or call is None or not re.fullmatch(ID_PATTERN, call[0]):
            continue
        name, given = call
        title = name.replace("_", " ").capitalize()
        parts = [
            f"title: {title}",
            *([f"given: {{{given}}}"] if given else []),
            "steps: [{id: first, stop: true}]",
        ]
        edit = build_value_edit(layer, ("procedures", name), "{" + ", ".join(parts) + "}")
        if edit is not None:
            yield CodeAction(f"Write the procedure `{name}`", (edit,), each, kind=FIX)


def _find_call(good: Good, files: tuple[Mapping, ...], span: Span) -> tuple[str, str] | None:
    """Return the procedure that a step runs and the YAML of its parameters, or None if there is no such step."""
    for file in files:
        section = file.get("procedures")
        for caller, entry in section.entries.items() if isinstance(section, Mapping) else ():
            stack: list[object] = [entry.value]
            while stack:
                node = stack.pop()
                if isinstance(node, Mapping):
                    inside = [inner.value for inner in node.entries.values()]
                    named = next((each for each in inside if isinstance(each, Scalar) and each.span == span), None)
                    if named is not None:
                        given = node.get("with")
                        arguments = given.entries if isinstance(given, Mapping) else {}
                        types = (f"{key}: {_guess_type(good, caller, each.value)}" for key, each in arguments.items())
                        return named.text, ", ".join(types)
                    stack += inside
                else:
                    stack += getattr(node, "items", ())
    return None


def _guess_type(good: Good, caller: str, value: Node) -> str:
    """Return the type of a parameter: the kind of the caller's parameter that is its value, and otherwise a number."""
    procedure = good.ruleset.procedures.get(caller)
    kind = procedure.parameters.get(value.text) if procedure is not None and isinstance(value, Scalar) else None
    return kind.kind if isinstance(kind, Entity) else "int"
