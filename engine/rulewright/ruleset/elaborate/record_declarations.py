"""Declare records: immutable values with named parts of fixed size."""

from __future__ import annotations

from rulewright.language.declarations import Declarations, RecordDeclaration
from rulewright.language.expressions.type_checker import COMPOUND, is_count, read_type
from rulewright.language.language_diagnostics import UNKNOWN_TYPE
from rulewright.language.types import UNKNOWN, MapOf, RecordOf, Type, present
from rulewright.ruleset.elaborate.node_readers import iterate_entries, read_names, read_text
from rulewright.source.diagnostics.collector import Diagnostics
from rulewright.source.nodes import Entry, Mapping

MOST_PARTS = 16
"""The maximum number of parts; anything larger should be an object with fields."""


def declare_records(rules: Mapping, declarations: Declarations, diagnostics: Diagnostics) -> None:
    """Declare every record with its parts. Kinds and tables must be declared by name before.

    A record with no or too many parts is reported, and declared nonetheless.
    """
    for identity, entry in iterate_entries(rules.get("records")):
        node = entry.value
        assert isinstance(node, Mapping)
        parts = tuple(
            (name, _part(name, part, declarations, diagnostics)) for name, part in iterate_entries(node.get("parts"))
        )
        if not 1 <= len(parts) <= MOST_PARTS:
            message = f"`{identity}` has {len(parts) or 'no'} parts, but a record has 1 to {MOST_PARTS}"
            hint = "give it `parts:`" if not parts else "make it a kind, whose objects can have any number of fields"
            diagnostics.add(UNKNOWN_TYPE, message, entry.key.span, suggestion=hint)
        declarations.records[identity] = RecordDeclaration(
            identity,
            RecordOf(identity, parts),
            read_text(node.get("means")),
            entry.span,
            read_text(node.get("label")),
            read_names(node.get("wording")),
            read_names(node.get("names")),
        )


def _part(name: str, entry: Entry, declarations: Declarations, diagnostics: Diagnostics) -> Type:
    """Return the type of a part. Errors are reported, and the type is then unknown."""
    known = len(diagnostics.errors)
    kind = read_type(entry.value, declarations, diagnostics)
    if len(diagnostics.errors) > known:
        return UNKNOWN
    if is_count(entry.value):
        message = f"`{name}` is a part of a record: no step can pay from it, so nothing would keep it at 0 or above"
        diagnostics.add(UNKNOWN_TYPE, message, entry.value.span, suggestion="write `int`")
        return UNKNOWN
    # A map has a value for each row, so its size is known.
    if isinstance(present(kind), COMPOUND) and not isinstance(kind, MapOf):
        message = f"a part of a record must be a number, a boolean, an id, a row, an object or a map, not {kind}"
        hint = "keep it in a field of an object, or in several parts"
        diagnostics.add(UNKNOWN_TYPE, message, entry.value.span, suggestion=hint)
        return UNKNOWN
    return kind
