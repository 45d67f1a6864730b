"""What layers do to each value while they merge, path by path, the lowest first: what `provenance.py` answers from."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Literal

from rulewright.language.schema_shapes import MapOf, Shape
from rulewright.source.nodes import Mapping, Node, Scalar
from rulewright.source.span import Span

Path = tuple[str, ...]
"""A place in the resolved tree: section, id, key, … Steps are named by their id."""


@dataclass(frozen=True, slots=True)
class Origin:
    """One thing a layer did to a value: `defines`, `changes`, `adds`, `replaces`, `moves` or `removes` it."""

    layer: str
    operation: str
    span: Span
    value: str


@dataclass(slots=True)
class ValueHistory:
    """Every origin of every path that more than its first layer touched, oldest first."""

    origins: dict[Path, list[Origin]] = field(default_factory=dict)

    def record(self, path: Path, origin: Origin) -> None:
        """Add to the history of a path."""
        self.origins.setdefault(path, []).append(origin)

    def move(self, before: Path, after: Path) -> None:
        """Take the history of a path, and of all inside it, to where it now stands."""
        if before == after:
            return
        for path in [path for path in self.origins if path[: len(before)] == before]:
            self.origins.setdefault((*after, *path[len(before) :]), []).extend(self.origins.pop(path))

    def find_origins(self, path: Path) -> tuple[Origin, ...]:
        """Return the origins recorded of a path itself."""
        return tuple(self.origins.get(path, ()))


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


def list_touches(operation: Operation, path: Path, node: Node, shape: Shape | None) -> Iterator[Touch]:
    """Yield what is touched where `node` is put at `path`: several things by id are touched each for itself."""
    if isinstance(shape, MapOf) and isinstance(node, Mapping) and operation == "adds":
        for key, entry in node.entries.items():
            yield from list_touches(operation, (*path, key), entry.value, shape.inner)
    else:
        yield Touch(operation, path, node, node.span)


def list_places(container: Path, key: str, anchors: dict[str, Scalar], node: Node) -> Iterator[Touch]:
    """Yield where the entry `key` asks to stand."""
    for word, anchor in anchors.items():
        yield Touch("places", (*container, key), node, anchor.span, (word, (*container, anchor.text)))
