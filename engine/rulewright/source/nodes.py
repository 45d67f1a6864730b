"""What a YAML file holds: scalars, mappings and sequences, each with its place in the file."""

from __future__ import annotations

from collections.abc import Iterator, KeysView
from collections.abc import Mapping as ReadOnlyMapping
from dataclasses import dataclass, field
from typing import Any, Literal, TypeAlias

from rulewright.source.span import Span
from rulewright.source.yaml.scalar_offsets import raw_length, raw_offsets

Style = Literal["plain", "single", "double", "literal", "folded"]
Value: TypeAlias = bool | int | float | str | None


# Nodes compare by identity: two that say the same at two places are not the same thing.
@dataclass(frozen=True, slots=True, eq=False)
class Scalar:
    """A single value. `text` is what was written, quotes and escapes undone; `value` is what YAML 1.2 core makes of it.

    A quoted scalar is always a string, and so is a key: the value of a key is its text.
    """

    text: str
    value: Value
    span: Span
    style: Style = "plain"
    raw: str = field(default="", repr=False)
    """The source between the ends of `span`, with quotes and escapes."""

    @property
    def kind(self) -> str:
        """What it is, in words for a message: `text`, `a whole number`, …"""
        return _KINDS[type(self.value)]

    def plain(self) -> Value:
        """The value alone."""
        return self.value

    def position(self, offset: int, length: int = 1) -> Span:
        """The place in the file of `length` characters of `text` from `offset` on (both clamped to the text).

        Exact for a scalar on one line, escapes taken into account. In a scalar of several lines each visible
        character is exact; a blank that stands for a line break points at that break.
        """
        if not self.raw:
            return self.span
        offsets = raw_offsets(self.raw, self.text, self.style)
        start = min(max(offset, 0), len(self.text))
        end = min(start + max(length, 0), len(self.text))
        first = offsets[start]
        # Up to the end of the last character asked for: the start of the next may lie lines further on.
        after = (
            first if end == start else max(first, offsets[end - 1] + raw_length(self.raw, offsets[end - 1], self.style))
        )
        line, column = self._place(first)
        end_line, end_column = self._place(after)
        return Span(self.span.file, line, column, end_line, end_column)

    def _place(self, raw_offset: int) -> tuple[int, int]:
        before = self.raw[:raw_offset]
        breaks = before.count("\n")
        if breaks == 0:
            return self.span.line, self.span.column + raw_offset
        return self.span.line + breaks, raw_offset - before.rindex("\n")


@dataclass(frozen=True, slots=True, eq=False)
class Entry:
    """One line of a mapping: a key, with a place of its own, and its value."""

    key: Scalar
    value: Node

    @property
    def span(self) -> Span:
        """From the key to the end of the value."""
        return self.key.span.to(self.value.span)


@dataclass(frozen=True, slots=True, eq=False)
class Mapping:
    """Keys with values, in the order of the file. Keys are the text that was written: `1` is the key "1"."""

    entries: ReadOnlyMapping[str, Entry]
    span: Span

    @property
    def kind(self) -> str:
        """What it is, in words for a message."""
        return "a mapping"

    def get(self, key: str) -> Node | None:
        """The value of a key, or None if the key is not there (a key without a value has an empty Scalar)."""
        entry = self.entries.get(key)
        return None if entry is None else entry.value

    def key_span(self, key: str) -> Span:
        """Where the key itself stands. Raises KeyError if it is not there."""
        return self.entries[key].key.span

    def keys(self) -> KeysView[str]:
        """The keys, in the order of the file."""
        return self.entries.keys()

    def plain(self) -> dict[str, Any]:
        """Plain dicts, lists and values, without places."""
        return {key: entry.value.plain() for key, entry in self.entries.items()}

    def __contains__(self, key: object) -> bool:
        return key in self.entries


@dataclass(frozen=True, slots=True, eq=False)
class Sequence:
    """A list."""

    items: tuple[Node, ...]
    span: Span

    @property
    def kind(self) -> str:
        """What it is, in words for a message."""
        return "a list"

    def plain(self) -> list[Any]:
        """Plain dicts, lists and values, without places."""
        return [item.plain() for item in self.items]

    def __iter__(self) -> Iterator[Node]:
        return iter(self.items)


Node: TypeAlias = Scalar | Mapping | Sequence
"""Anything that can stand as a value. It can be used with `isinstance` and in `match`."""

_KINDS: dict[type, str] = {
    type(None): "nothing",
    bool: "true or false",
    int: "a whole number",
    float: "a number",
    str: "text",
}
