"""Where each value of a resolved ruleset came from."""

from __future__ import annotations

from dataclasses import dataclass, field

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
class History:
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

    def of(self, path: Path) -> tuple[Origin, ...]:
        """The origins recorded of a path itself."""
        return tuple(self.origins.get(path, ()))
