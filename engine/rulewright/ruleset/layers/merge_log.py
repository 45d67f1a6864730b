"""The diagnostics and the change log of a merge."""

from __future__ import annotations

from collections.abc import Collection, Iterable

from rulewright.language.schema_shapes import Shape
from rulewright.ruleset import ruleset_diagnostics
from rulewright.ruleset.layers.value_origins import (
    Operation,
    Origin,
    Path,
    Touch,
    ValueHistory,
    format_on_one_line,
    list_places,
    list_touches,
)
from rulewright.source.diagnostics.collector import Diagnostics
from rulewright.source.diagnostics.diagnostic import Code, Edit, RelatedSpan
from rulewright.source.diagnostics.suggestions import suggest_name
from rulewright.source.nodes import Mapping, Node, Scalar, Sequence


class MergeLog:
    """The diagnostics of an upper layer, the history of each value it changes, and its list of changes.

    Attributes:
        layer: The name of the upper layer.
        contested: Paths of conflicts between two layers below. Setting a value there resolves the conflict, so it is
            never without effect.
        stacked: Whether the layer lies above layers that it was not written for. Overrides without effect are then
            reported only for the layers that it was written for.
        appended: The entries appended to lists, each with its layer. The logs of all layers share it.
    """

    def __init__(
        self,
        layer: str,
        history: ValueHistory,
        diagnostics: Diagnostics,
        *,
        contested: Collection[Path] = (),
        stacked: bool = False,
        appended: dict[Path, str] | None = None,
    ) -> None:
        self.layer = layer
        self.history = history
        self.diagnostics = diagnostics
        self.contested = contested
        self.stacked = stacked
        self.appended = {} if appended is None else appended
        self.touches: list[Touch] = []

    def report(
        self,
        code: Code,
        message: str,
        node: Node,
        related: tuple[RelatedSpan, ...] = (),
        hint: str = "",
        *,
        path: Path | None = None,
        edits: Iterable[Edit] = (),
    ) -> None:
        """Report an error of the upper layer. `path` is the value it is about, if any.

        Does nothing at contested paths, or for overrides without effect in a stacked layer.
        """
        if path in self.contested or (self.stacked and code is ruleset_diagnostics.OVERRIDE_WITHOUT_EFFECT):
            return
        self.diagnostics.add(code, message, node.span, related=related, suggestion=hint or None, edits=edits)

    def report_nothing_there(self, path: Path, node: Node, lower: Mapping) -> None:
        """Report an override of the last key of `path`, which `lower` does not have.

        The hint is the nearest key of `lower`.
        """
        key = path[-1]
        related = (RelatedSpan(lower.span, "the inherited entries are here"),)
        hint = suggest_name(key, lower.entries) or ""
        self.report(
            ruleset_diagnostics.OVERRIDE_OF_NOTHING,
            f"there is no `{key}` in the layers below",
            node,
            related,
            hint,
            path=path,
        )

    def record(
        self, path: Path, operation: Operation, lower: Node | None, upper: Node, shape: Shape | None = None
    ) -> None:
        """Record a change of a value in its history and in the list of changes.

        The first change of a path also records the origin of the lower value. `lower` is None if there is no such
        value. `shape` is the schema of an added map, whose entries become separate changes.
        """
        if lower is not None and not self.history.find_origins(path):
            self.history.record(path, Origin("", "defines", lower.span, lower))
        self.history.record(path, Origin(self.layer, operation, upper.span, upper))
        self.touch(operation, path, upper, shape)

    def touch(self, operation: Operation, path: Path, upper: Node, shape: Shape | None = None) -> None:
        """Add to the list of changes, but not to the history."""
        self.touches += list_touches(operation, path, upper, shape)

    def in_order(self, container: Path, keys: Iterable[str], new: Collection[str]) -> list[str]:
        """Return `keys` with the entries that overlays append sorted by layer name, after all others.

        `new` are the keys that this layer appends, which are added to `appended`. Without sorting, the order of
        independent overlays would affect the rules. The order stays as it is if the layer is not `stacked` or `new`
        is empty.
        """
        self.appended |= {(*container, key): self.layer for key in new}
        keys = list(keys)
        if not self.stacked or not new:
            return keys
        loose = [key for key in keys if (*container, key) in self.appended]
        loose.sort(key=lambda key: self.appended[*container, key])
        return [*(key for key in keys if key not in loose), *loose]

    def record_places(self, container: Path, key: str, anchors: dict[str, Scalar], node: Node) -> None:
        """Record the position that an entry asks for, if the order of entries is part of the rules."""
        self.touches += list_places(container, key, anchors, node)


def is_same(lower: Node, upper: Node) -> bool:
    """Return whether two nodes have the same content. The order of keys does not matter, and that of items does.

    Scalars are compared by text only, so that `1` and `"1"` are the same. Positions are ignored.
    """
    match lower, upper:
        case Scalar(), Scalar():
            return lower.text == upper.text
        case Sequence(), Sequence():
            return len(lower.items) == len(upper.items) and all(map(is_same, lower.items, upper.items))
        case Mapping(), Mapping():
            keys = lower.entries.keys()
            return keys == upper.entries.keys() and all(
                is_same(lower.entries[key].value, upper.entries[key].value) for key in keys
            )
    return False


_FEW = 60
"""The maximum length of a node's short description."""


def describe_node(node: Node) -> str:
    """Return a node as one line of at most `_FEW` characters."""
    text = format_on_one_line(node)
    return text if len(text) <= _FEW else text[: _FEW - 1] + "…"
