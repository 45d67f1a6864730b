"""The history of each value during a merge: the operations of the layers, by path, lowest layer first."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Literal

from rulewright.language.schema_shapes import MapOf, Shape
from rulewright.source.nodes import Mapping, Node, Scalar, Sequence
from rulewright.source.span import Span

Path = tuple[str, ...]
"""A path in the merged tree: section, id, key, … Steps are identified by their id."""


def find_steps_path(path: Path) -> Path:
    """Return the path of the outermost list of steps on a path, within which the ids of steps are unique."""
    if path[:1] != ("tables",):
        return path[:3]
    return path[:6] if path[2:3] == ("columns",) else path[:5]


@dataclass(frozen=True, slots=True)
class Origin:
    """An operation of a layer on a value: `defines`, `changes`, `adds`, `replaces`, `moves` or `removes`.

    `node` is the value, or for an edit of a list the whole list after it.
    """

    layer: str
    operation: str
    span: Span
    node: Node = field(compare=False, repr=False)

    @property
    def value(self) -> str:
        """The value on one line for a reader, or the new position of a moved entry."""
        return find_new_place(self.node) if self.operation == "moves" else format_on_one_line(self.node)


@dataclass(slots=True)
class ValueHistory:
    """The origins of every path that some layer above its first one changed, oldest first."""

    origins: dict[Path, list[Origin]] = field(default_factory=dict)

    def copy(self) -> ValueHistory:
        """Return the same history, in which later changes are not recorded."""
        return ValueHistory({path: list(origins) for path, origins in self.origins.items()})

    def record(self, path: Path, origin: Origin) -> None:
        """Append an origin to the history of a path."""
        self.origins.setdefault(path, []).append(origin)

    def move(self, before: Path, after: Path) -> None:
        """Move the history of a path, and of all paths below it, to another path."""
        if before == after:
            return
        for path in [path for path in self.origins if path[: len(before)] == before]:
            self.origins.setdefault((*after, *path[len(before) :]), []).extend(self.origins.pop(path))

    def find_origins(self, path: Path) -> tuple[Origin, ...]:
        """Return the origins recorded for exactly that path, or empty if there are none."""
        return tuple(self.origins.get(path, ()))

    def list_section(self, section: str) -> dict[Path, list[Origin]]:
        """Return the origins of all paths in a section."""
        return {path: origins for path, origins in self.origins.items() if path[0] == section}


Operation = Literal["adds", "changes", "replaces", "removes", "moves", "places"]


@dataclass(frozen=True, slots=True)
class Touch:
    """A change to the value at `path`.

    For an entry that is placed, `beside` has the word (`before` or `after`) and the path of its anchor.
    """

    operation: Operation
    path: Path
    node: Node
    span: Span
    beside: tuple[str, Path] | None = None


def list_touches(operation: Operation, path: Path, node: Node, shape: Shape | None) -> Iterator[Touch]:
    """Yield the changes if `node` is put at `path`.

    An added map becomes one change for each entry, at any depth, if `shape` is a map. Everything else is one change.
    Yields nothing for an added empty map.
    """
    if isinstance(shape, MapOf) and isinstance(node, Mapping) and operation == "adds":
        for key, entry in node.entries.items():
            yield from list_touches(operation, (*path, key), entry.value, shape.inner)
    else:
        yield Touch(operation, path, node, node.span)


def list_places(container: Path, key: str, anchors: dict[str, Scalar], node: Node) -> Iterator[Touch]:
    """Yield the positions that the entry `key` asks for."""
    for word, anchor in anchors.items():
        yield Touch("places", (*container, key), node, anchor.span, (word, (*container, anchor.text)))


def find_new_place(node: Node) -> str:
    """Return the position that an entry asks for as text, such as `after a, before b`, or empty if it asks for none."""
    anchors = [(word, node.get(word)) for word in ("after", "before")] if isinstance(node, Mapping) else []
    return ", ".join(f"{word} {beside.text}" for word, beside in anchors if isinstance(beside, Scalar))


def format_on_one_line(node: Node) -> str:
    """Return a node as one line, at full length. Of a mapping, only the keys are included, in braces."""
    if isinstance(node, Scalar):
        return " ".join(node.text.split())
    if isinstance(node, Sequence):
        return f"[{', '.join(format_on_one_line(item) for item in node.items)}]"
    return "{" + ", ".join(node.entries) + "}"
