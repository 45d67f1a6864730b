"""What one layer does to what lies below it, path by path: what two overlays of one edition are compared by."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from rulewright.language.shape import MapOf, Shape
from rulewright.ruleset.layers.history import Path
from rulewright.source.nodes import Mapping, Node, Scalar
from rulewright.source.span import Span

Operation = Literal["adds", "changes", "replaces", "removes", "moves", "places"]


@dataclass(frozen=True, slots=True)
class Touch:
    """One thing done to the value at `path`.

    `beside` is, of an entry that is placed, the word (`before` or `after`) and the path of what it stands beside.
    """

    operation: Operation
    path: Path
    node: Node
    span: Span
    beside: tuple[str, Path] | None = None


def touches_of(operation: Operation, path: Path, node: Node, shape: Shape | None) -> Iterator[Touch]:
    """What is touched where `node` is put at `path`: several things by id are touched each for itself."""
    if isinstance(shape, MapOf) and isinstance(node, Mapping) and operation == "adds":
        for key, entry in node.entries.items():
            yield from touches_of(operation, (*path, key), entry.value, shape.inner)
    else:
        yield Touch(operation, path, node, node.span)


def places_of(container: Path, key: str, anchors: dict[str, Scalar], node: Node) -> Iterator[Touch]:
    """Where the entry `key` asks to stand."""
    for word, anchor in anchors.items():
        yield Touch("places", (*container, key), node, anchor.span, (word, (*container, anchor.text)))
