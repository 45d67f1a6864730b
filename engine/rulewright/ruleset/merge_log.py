"""What a merge reports and remembers."""

from __future__ import annotations

from rulewright.ruleset import codes
from rulewright.ruleset.history import History, Origin, Path
from rulewright.source.diagnostic import Code, Related
from rulewright.source.diagnostics import Diagnostics
from rulewright.source.nodes import Mapping, Node, Scalar, Sequence
from rulewright.source.suggest import did_you_mean


class MergeLog:
    """Faults of the upper layer, and the history of every value it touches. `layer` is the upper layer's name."""

    def __init__(self, layer: str, history: History, diagnostics: Diagnostics) -> None:
        self.layer = layer
        self.history = history
        self.diagnostics = diagnostics

    def report(self, code: Code, message: str, node: Node, related: tuple[Related, ...] = (), hint: str = "") -> None:
        """Report a fault of the upper layer."""
        self.diagnostics.add(code, message, node.span, related=related, suggestion=hint or None)

    def nothing_there(self, key: str, node: Node, lower: Mapping) -> None:
        """Report an override of something the lower layer does not have."""
        related = (Related(lower.span, "this is what lies below"),)
        hint = did_you_mean(key, lower.entries) or ""
        self.report(codes.OVERRIDE_OF_NOTHING, f"there is no `{key}` below", node, related, hint)

    def record(self, path: Path, operation: str, lower: Node | None, upper: Node) -> None:
        """Note what the layer did to a path, and, the first time, where the value came from."""
        if lower is not None and not self.history.of(path):
            self.history.record(path, Origin("", "defines", lower.span, said(lower)))
        self.history.record(path, Origin(self.layer, operation, upper.span, said(upper)))


def same(lower: Node, upper: Node) -> bool:
    """Whether two nodes say the same: the same words under the same keys, in whatever order these stand."""
    match lower, upper:
        case Scalar(), Scalar():
            return lower.text == upper.text
        case Sequence(), Sequence():
            return len(lower.items) == len(upper.items) and all(map(same, lower.items, upper.items))
        case Mapping(), Mapping():
            keys = lower.entries.keys()
            return keys == upper.entries.keys() and all(
                same(lower.entries[key].value, upper.entries[key].value) for key in keys
            )
    return False


def said(node: Node) -> str:
    """A node in a few words."""
    if isinstance(node, Scalar):
        text = " ".join(node.text.split())
        return text if len(text) <= 60 else text[:57] + "…"
    if isinstance(node, Sequence):
        return f"[{', '.join(said(item) for item in node.items)}]"[:60]
    return "{" + ", ".join(node.entries) + "}"
