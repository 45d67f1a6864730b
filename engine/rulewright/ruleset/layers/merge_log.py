"""What a merge reports and remembers."""

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
    list_places,
    list_touches,
)
from rulewright.source.diagnostics.collector import Diagnostics
from rulewright.source.diagnostics.diagnostic import Code, RelatedSpan
from rulewright.source.diagnostics.suggestions import suggest_name
from rulewright.source.nodes import Mapping, Node, Scalar, Sequence


class MergeLog:
    """Faults of the upper layer, the history of every value it touches, and what it touches.

    `layer` is the upper layer's name. At `contested` paths two layers below met, so whatever is said there settles
    something. A layer that is `stacked` lies on others beside those it was written for; that each of its overrides does
    something has been asked on those. `appended` holds, for all layers, who added what to the end of a list.
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
    ) -> None:
        """Report a fault of the upper layer, at `path` where it is about what stands there."""
        if path in self.contested or (self.stacked and code is ruleset_diagnostics.OVERRIDE_WITHOUT_EFFECT):
            return
        self.diagnostics.add(code, message, node.span, related=related, suggestion=hint or None)

    def report_nothing_there(self, path: Path, node: Node, lower: Mapping) -> None:
        """Report an override of something the lower layer does not have."""
        key = path[-1]
        related = (RelatedSpan(lower.span, "this is what lies below"),)
        hint = suggest_name(key, lower.entries) or ""
        self.report(
            ruleset_diagnostics.OVERRIDE_OF_NOTHING, f"there is no `{key}` below", node, related, hint, path=path
        )

    def record(
        self, path: Path, operation: Operation, lower: Node | None, upper: Node, shape: Shape | None = None
    ) -> None:
        """Note what the layer did to a path, and, the first time, where the value came from."""
        if lower is not None and not self.history.find_origins(path):
            self.history.record(path, Origin("", "defines", lower.span, format_on_one_line(lower)))
        value = find_new_place(upper) if operation == "moves" else format_on_one_line(upper)
        self.history.record(path, Origin(self.layer, operation, upper.span, value))
        self.touch(operation, path, upper, shape)

    def touch(self, operation: Operation, path: Path, upper: Node, shape: Shape | None = None) -> None:
        """Note what the layer did to a path, and nothing of its history."""
        self.touches += list_touches(operation, path, upper, shape)

    def in_order(self, container: Path, keys: Iterable[str], new: Collection[str]) -> list[str]:
        """Return `keys` with those that overlays put at the end, asking for no place.

        In an order that is always the same.

        Which overlay was laid over first would else show in rules that neither of them means.
        """
        self.appended |= {(*container, key): self.layer for key in new}
        keys = list(keys)
        if not self.stacked or not new:
            return keys
        loose = [key for key in keys if (*container, key) in self.appended]
        loose.sort(key=lambda key: self.appended[*container, key])
        return [*(key for key in keys if key not in loose), *loose]

    def record_places(self, container: Path, key: str, anchors: dict[str, Scalar], node: Node) -> None:
        """Note where an entry whose place is part of the rules asks to stand."""
        self.touches += list_places(container, key, anchors, node)


def find_new_place(node: Node) -> str:
    """Return where an entry asks to stand: `before` or `after` another, or between two."""
    asked = [(word, node.get(word)) for word in ("after", "before")] if isinstance(node, Mapping) else []
    return ", ".join(f"{word} {beside.text}" for word, beside in asked if isinstance(beside, Scalar))


def is_same(lower: Node, upper: Node) -> bool:
    """Return whether two nodes say the same: the same words under the same keys, in whatever order these stand."""
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
"""Characters of a node in a few words."""


def describe_node(node: Node) -> str:
    """Return a node in a few words."""
    text = format_on_one_line(node)
    return text if len(text) <= _FEW else text[: _FEW - 1] + "…"


def format_on_one_line(node: Node) -> str:
    """Return a node as one line: two layers may well differ at its very end. Of a mapping, its keys."""
    if isinstance(node, Scalar):
        return " ".join(node.text.split())
    if isinstance(node, Sequence):
        return f"[{', '.join(format_on_one_line(item) for item in node.items)}]"
    return "{" + ", ".join(node.entries) + "}"
