"""Check who may see each field, according to `seen_by` of the field or of its kind."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from rulewright.language.declarations import GAME_KIND, Declarations, Kind, Scope
from rulewright.language.expressions.check_values import CheckValues
from rulewright.language.expressions.typed_ast import After, Typed
from rulewright.language.language_diagnostics import WRONG_TYPE
from rulewright.language.types import Entity
from rulewright.language.visibility import check_viewers
from rulewright.ruleset.elaborate.node_readers import iterate_entries, walk_all
from rulewright.source.diagnostics.collector import Diagnostics
from rulewright.source.diagnostics.diagnostic import Code
from rulewright.source.nodes import Mapping, Node
from rulewright.source.span import Span

SELF = "self"
"""The name in `seen_by` for the object that holds the value."""


def check_field_viewers(rules: Mapping, declarations: Declarations, diagnostics: Diagnostics) -> None:
    """Set `seen_by` of every field, after everything that it may name is declared. Errors go to `diagnostics`.

    Raises `KeyError` if a kind is not declared.
    """
    kinds = [(declarations.kinds[name], entry.value) for name, entry in iterate_entries(rules.get("kinds"))]
    for kind, node in kinds:
        assert isinstance(node, Mapping)
        checking = _FieldChecker(kind, declarations, diagnostics)
        usual = checking.seers(node.get("seen_by"))
        checking.fields(node.get("fields"), usual)
    _FieldChecker(declarations.kinds[GAME_KIND], declarations, diagnostics).fields(rules.get("state"), None)


class _FieldChecker:
    """A checker for the fields of one kind."""

    def __init__(self, kind: Kind, declarations: Declarations, diagnostics: Diagnostics) -> None:
        self.kind = kind
        self.diagnostics = diagnostics
        self._declarations = declarations
        variables = {} if kind.id == GAME_KIND else {SELF: Entity(kind.id)}
        self._values = CheckValues(Scope(declarations, variables=variables), diagnostics)

    def fields(self, node: Node | None, usual: Typed | None) -> None:
        """Set the viewers of the fields below `node`, by replacing the fields in the kind.

        `usual` is the default for those without a `seen_by` of their own, or None if everyone sees them.
        """
        fields = self.kind.fields
        assert isinstance(fields, dict)
        for name, entry in iterate_entries(node):
            own = entry.value.get("seen_by") if isinstance(entry.value, Mapping) else None
            seen = self.seers(own) if own is not None else usual
            if seen is not None and name in fields:
                fields[name] = replace(fields[name], seen_by=seen)

    def seers(self, node: Node | None) -> Typed | None:
        """Return the typed expression for those who may see a value, or None if everyone may.

        Reports one that looks ahead, because viewers are asked about games of which only a part is visible. It then
        returns None as well.
        """
        seers = check_viewers(node, self._values.check_value, self._report)
        if seers is not None and node is not None and any(isinstance(each, After) for each in self._walk(seers)):
            message = "`seen_by` looks ahead with `after`, but viewers can depend only on the current state of the game"
            self._report(WRONG_TYPE, message, node.span, "keep the viewers in a field that a step sets")
            return None
        return seers

    def _walk(self, seers: Typed) -> Iterator[Typed]:
        return walk_all(seers, self._declarations)

    def _report(self, code: Code, message: str, span: Span, suggestion: str | None = None) -> None:
        self.diagnostics.add(code, message, span, suggestion=suggestion)
