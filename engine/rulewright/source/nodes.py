"""The nodes of a YAML file (scalars, mappings and sequences), each with its position in the file."""

from __future__ import annotations

from collections.abc import Iterator, KeysView
from collections.abc import Mapping as ReadOnlyMapping
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any, Literal, TypeAlias

from rulewright.source.source_map import SOURCES
from rulewright.source.span import Span

Style = Literal["plain", "single", "double", "literal", "folded"]
Value: TypeAlias = bool | int | float | str | None


# Nodes compare by identity, because equal texts in two places are different nodes.
@dataclass(frozen=True, slots=True, weakref_slot=True, eq=False)
class Scalar:
    """A single value. `text` is the text without quotes and escapes, and `value` its value by the YAML 1.2 core schema.

    A quoted scalar is always a string. So is a key, and the value of a key is its text.
    """

    text: str
    value: Value
    span: Span
    style: Style = "plain"
    raw: str = field(default="", repr=False)
    """The source text of the scalar, with quotes and escapes."""

    @property
    def kind(self) -> str:
        """The type of the value for a message, such as `text` or `a whole number`."""
        return _KINDS[type(self.value)]

    def to_plain(self) -> Value:
        """Return only the value."""
        return self.value

    def position(self, offset: int, length: int = 1) -> Span:
        """Return the position in the file of `length` characters of `text`, starting at `offset`.

        Both are clamped to the text. The position is exact for a scalar on one line, including escapes. In a scalar
        with several lines, it is exact for each visible character, and a space that represents a line break points to
        that break.
        """
        if not self.raw:
            return self.span
        start = min(max(offset, 0), len(self.text))
        end = min(start + max(length, 0), len(self.text))
        if self.raw == self.text and "\n" not in self.raw:  # most scalars: it saves nearly all of the time
            line, column = self.span.line, self.span.column
            return Span(self.span.file, line, column + start, line, column + end)
        offsets = map_raw_offsets(self.raw, self.text, self.style)
        first = offsets[start]
        # The end of the last requested character, because the next character may begin several lines below.
        after = (
            first
            if end == start
            else max(first, offsets[end - 1] + measure_raw_length(self.raw, offsets[end - 1], self.style))
        )
        line, column = self._place(first)
        end_line, end_column = self._place(after)
        return Span(self.span.file, line, column, end_line, end_column)

    def _place(self, raw_offset: int) -> tuple[int, int]:
        """Return the line and column in the file of an offset in `raw`."""
        before = self.raw[:raw_offset]
        breaks = before.count("\n")
        if breaks == 0:
            return self.span.line, self.span.column + raw_offset
        return self.span.line + breaks, raw_offset - before.rindex("\n")


@dataclass(frozen=True, slots=True, weakref_slot=True, eq=False)
class Entry:
    """An entry of a mapping: a key, with its own position, and its value."""

    key: Scalar
    value: Node

    @property
    def span(self) -> Span:
        """The span from the key to the end of the value, or of the value alone if a layer overrides it elsewhere."""
        key, value = self.key.span, self.value.span
        return key.to(value) if key.file == value.file else value


@dataclass(frozen=True, slots=True, weakref_slot=True, eq=False)
class Mapping:
    """Keys with values, in the order of the file. Keys are always text, so that `1` is the key "1"."""

    entries: ReadOnlyMapping[str, Entry]
    span: Span

    @property
    def kind(self) -> str:
        """The type of the node for a message."""
        return "a mapping"

    def get(self, key: str) -> Node | None:
        """Return the value of a key, or None if there is no such key. A key without a value has an empty `Scalar`."""
        entry = self.entries.get(key)
        return None if entry is None else entry.value

    def find_key_span(self, key: str) -> Span:
        """Return the position of a key. Raises `KeyError` if there is no such key."""
        return self.entries[key].key.span

    def list_keys(self) -> KeysView[str]:
        """Return the keys, in the order of the file."""
        return self.entries.keys()

    def to_plain(self) -> dict[str, Any]:
        """Return plain dicts, lists and values, without positions."""
        return {key: entry.value.to_plain() for key, entry in self.entries.items()}

    def __contains__(self, key: object) -> bool:
        return key in self.entries


@dataclass(frozen=True, slots=True, weakref_slot=True, eq=False)
class Sequence:
    """A list."""

    items: tuple[Node, ...]
    span: Span

    @property
    def kind(self) -> str:
        """The type of the node for a message."""
        return "a list"

    def to_plain(self) -> list[Any]:
        """Return plain dicts, lists and values, without positions."""
        return [item.to_plain() for item in self.items]

    def __iter__(self) -> Iterator[Node]:
        return iter(self.items)


Node: TypeAlias = Scalar | Mapping | Sequence
"""Any YAML value. It can be used with `isinstance` and in `match`."""

_KINDS: dict[type, str] = {
    type(None): "nothing",
    bool: "true or false",
    int: "a whole number",
    float: "a number",
    str: "text",
}


def follow_keys(node: Node | None, *keys: str) -> Node | None:
    """Return the value to which keys lead through mappings, or None if one of them is missing."""
    for key in keys:
        node = node.get(key) if isinstance(node, Mapping) else None
    return node


def is_flow(node: Node) -> bool:
    """Return whether a mapping or sequence is in braces or brackets. False if its text is no longer available."""
    line = SOURCES.find_line(node.span.file, node.span.line) or ""
    return line[node.span.column - 1 : node.span.column] in ("{", "[")


_BLANKS = " \t\n"
_ESCAPE_DIGITS = {"x": 2, "u": 4, "U": 8}


@lru_cache(maxsize=256)
def map_raw_offsets(raw: str, text: str, style: str) -> tuple[int, ...]:
    """Return the offset in the source `raw` of each character of `text` and of its end.

    The result has `len(text) + 1` items and never decreases.
    """
    if style in ("single", "double"):
        offsets = _map_quoted(raw, double=style == "double")
    elif style == "plain" and "\n" not in raw:
        offsets = list(range(len(text) + 1))
    else:
        offsets = _align_text(raw, text, block=style != "plain")
    if len(offsets) != len(text) + 1:  # should never happen, but an inexact position is better than a crash
        offsets = [min(i, len(raw)) for i in range(len(text) + 1)]
    return tuple(offsets)


def measure_raw_length(raw: str, offset: int, style: str) -> int:
    """Return the number of source characters for the character of the text at `offset`.

    It is 1, or more for an escape, or 0 at the end of `raw`.
    """
    if style == "double" and raw[offset : offset + 1] == "\\":
        return 2 + _ESCAPE_DIGITS.get(raw[offset + 1], 0)
    if style == "single" and raw[offset : offset + 1] == "'":
        return 2
    return 1 if offset < len(raw) else 0


def _map_quoted(raw: str, *, double: bool) -> list[int]:
    """Return the source offset of each character of a quoted scalar, and of its end."""
    end = len(raw) - 1  # the closing quote
    offsets: list[int] = []
    i = 1
    while i < end:
        char = raw[i]
        if char in _BLANKS:
            run = i
            while i < end and raw[i] in _BLANKS:
                i += 1
            breaks = [j for j in range(run, i) if raw[j] == "\n"]
            # Line folding: a single break becomes a space, further breaks remain, and spaces around them are dropped.
            offsets += (breaks[1:] or breaks) if breaks else range(run, i)
        elif double and char == "\\":
            if raw[i + 1] == "\n":  # a continued line: its break and the indentation of the next line are dropped
                i += 2
                extra = 0
                while i < end and raw[i] in _BLANKS:
                    extra += raw[i] == "\n"
                    i += 1
                offsets += [i - 1] * extra
                continue
            offsets.append(i)
            i += measure_raw_length(raw, i, "double")
        else:
            offsets.append(i)
            i += measure_raw_length(raw, i, "double" if double else "single")
    return [*offsets, end]


def _align_text(raw: str, text: str, *, block: bool) -> list[int]:
    """Return the source offset of each character of a text by walking both in parallel.

    Folding changes only spaces, so every visible character is exact.
    """
    i = raw.find("\n") + 1 if block else 0  # a block scalar begins with its header: | or >, perhaps a comment
    indentation = _measure_indentation(raw[i:], text) if block else 0
    i += indentation if raw[i : i + indentation].isspace() else 0
    offsets: list[int] = []
    for char in text:
        if char not in _BLANKS:
            while i < len(raw) and raw[i] != char:
                i += 1
        offsets.append(min(i, len(raw)))
        if i < len(raw) and raw[i] == char:
            i += 1
            if char == "\n" and raw[i : i + indentation].isspace():
                width = len(raw[i : i + indentation].split("\n")[0])
                i += width
    return [*offsets, min(i, len(raw))]


def _measure_indentation(body: str, text: str) -> int:
    """Return the indentation of a block scalar, which is not part of its text."""
    written = next((line for line in body.split("\n") if line.strip()), "")
    saved = next((line for line in text.split("\n") if line.strip()), "")
    return max(0, (len(written) - len(written.lstrip(" "))) - (len(saved) - len(saved.lstrip(" "))))
