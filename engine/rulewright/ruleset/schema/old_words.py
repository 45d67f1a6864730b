"""Words that files of earlier days used for something else, and what to write in their place."""

from __future__ import annotations

from collections.abc import Iterator

from rulewright.language.shape import POSITIONS
from rulewright.ruleset.schema.model import step_shape
from rulewright.ruleset.schema.place import Place
from rulewright.source.diagnostics.diagnostic import Code, Diagnostic, Edit
from rulewright.source.nodes import Mapping, Scalar, Sequence

OLD_REMOVE = Code(
    "remove-for-delete",
    "`remove` where `delete` is meant",
    "`remove` is the verb that takes an object out of the game. A line of the rules below is deleted with `delete`, so "
    "that a step which removes an object can be written over inherited rules too.",
    "Write `delete` in place of `remove`.",
)


def old_words(place: Place) -> Iterator[Diagnostic]:
    """Every `remove` at and below `place` by which an upper layer once said that something goes away."""
    node = place.node
    if isinstance(node, Mapping):
        written = node.entries.get("remove")
        if written is not None and isinstance(written.value, Scalar) and _deletes(place, written.value):
            message = f"`remove` takes an object out of the game; here {_what(place, written.value)} is to go away"
            advice = f"write `delete: {written.value.text}`"
            edit = Edit(written.key.span, "delete")
            yield Diagnostic(OLD_REMOVE, message, written.key.span, suggestion=advice, edits=(edit,))
        for key in node.entries:
            yield from old_words(place.under(key))
    elif isinstance(node, Sequence):
        for number in range(len(node.items)):
            yield from old_words(place.under(number))


def _deletes(place: Place, value: Scalar) -> bool:
    assert isinstance(place.node, Mapping)
    if place.shape is step_shape():
        # A step that removes an object has an id of its own, or takes that of the step it replaces.
        return "id" not in place.node and not any(word in place.node for word in POSITIONS)
    return value.value is True


def _what(place: Place, value: Scalar) -> str:
    return f"the step `{value.text}` below" if place.shape is step_shape() else f"{place.name} below"
