"""Parse the markup of texts, for `check` and for the book.

`**bold**`, `*italic*`, `` `code` ``, `[words](target)`, paragraphs, lists (`- ` and `1. `) and tables (`| a | b |`).
Everything else is literal. A placeholder is a unit, and its value is never parsed as markup. Parsing takes linear time:
unclosed marks are searched for once, and marks nest at most `DEEPEST` levels.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from rulewright.ruleset.prose.placeholders import Placeholder, parse_parts

DEEPEST = 4
"""The maximum nesting of marks, and of lists; deeper ones are literal."""


@dataclass(frozen=True, slots=True)
class TextSpan:
    """Literal characters that begin at offset `start` of the source."""

    text: str
    start: int


@dataclass(frozen=True, slots=True)
class MarkupSpan:
    """Spans marked as `strong`, `em` or `code`."""

    mark: str
    spans: tuple[Span, ...]


@dataclass(frozen=True, slots=True)
class LinkSpan:
    """Spans that link to `target`, which is at offset `start` of the source."""

    target: str
    spans: tuple[Span, ...]
    start: int


Span = TextSpan | Placeholder | MarkupSpan | LinkSpan


@dataclass(frozen=True, slots=True)
class Paragraph:
    """A paragraph of text."""

    spans: tuple[Span, ...]


@dataclass(frozen=True, slots=True)
class Items:
    """A list, numbered if `ordered`. Each item consists of blocks."""

    ordered: bool
    items: tuple[tuple[Block, ...], ...]


@dataclass(frozen=True, slots=True)
class Grid:
    """A table: a row of headings, and rows of the same length."""

    head: tuple[tuple[Span, ...], ...]
    rows: tuple[tuple[tuple[Span, ...], ...], ...]


Block = Paragraph | Items | Grid

_ITEM = re.compile(r"( {0,3})([-*+]|(\d{1,9})[.)])( +)(?=\S)")
_RULE = re.compile(r" {0,3}\|?[ \t]*:?-+:?[ \t]*(?:\|[ \t]*:?-+:?[ \t]*)*\|?[ \t]*")
_CELLS = re.compile(r"(?<!\\)\|")
_SPECIAL = re.compile(r"[\\`*_\[]")
_LINK = re.compile(r"\[((?:\\.|[^\[\]\\])*)\]\(([^()\s]*)\)", re.DOTALL)
_PUNCTUATION = frozenset("!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~")
_STAND_IN = "\N{OBJECT REPLACEMENT CHARACTER}"
"""The character for a placeholder during parsing. It is recognised by position, so the text may contain it too."""


@dataclass(frozen=True, slots=True)
class Flat:
    """A text with each placeholder replaced by one character.

    `places` has the source offset of each character, and `atoms` the placeholders by index.
    """

    text: str
    places: Sequence[int]
    atoms: Mapping[int, Placeholder]


def flatten(words: str) -> Flat:
    """Return a text with each placeholder replaced by one character, and the original position of each character."""
    text: list[str] = []
    places: list[int] = []
    atoms: dict[int, Placeholder] = {}
    for part in parse_parts(words):
        if isinstance(part, Placeholder):
            atoms[len(places)] = part
            text.append(_STAND_IN)
            places.append(part.start)
        else:
            text.append(part.text)
            places.extend(range(part.start, part.start + len(part.text)))
    return Flat("".join(text), places, atoms)


def parse_blocks(words: str) -> tuple[Block, ...]:
    """Return the paragraphs, lists and tables in a text."""
    source = flatten(words)
    return tuple(_Reader(source).blocks(_lines(source.text), 0))


def inline(words: str) -> tuple[Span, ...]:
    """Return the spans in a text without blocks."""
    source = flatten(words)
    return _Reader(source).spans([(0, len(source.text))], 0)


def begins_item(line: str) -> bool:
    """Return whether a line, without its indentation, can begin an item of a list."""
    return _ITEM.match(line) is not None


def _lines(text: str) -> list[tuple[int, int]]:
    """Return the start and end of each line, without its line break."""
    result, at = [], 0
    for line in text.split("\n"):
        result.append((at, at + len(line)))
        at += len(line) + 1
    return result


Line = tuple[int, int]
"""A line: the index of its first character, and the index after its last one."""


class _Reader:
    """A parser of blocks."""

    def __init__(self, source: Flat) -> None:
        self.source = source
        self.text = source.text

    # -- blocks --------------------------------------------------------------------------

    def blocks(self, lines: Sequence[Line], depth: int) -> Iterator[Block]:
        """Yield the blocks in some lines. Blank lines separate them and yield nothing.

        `depth` is the nesting of lists, from 0. At `DEEPEST`, items are read as paragraphs.
        """
        at = 0
        while at < len(lines):
            if self._is_blank(lines[at]):
                at += 1
                continue
            end = at
            if depth < DEEPEST and self._item(lines[at]) is not None:
                block, end = self._items(lines, at, depth)
                yield block
            else:
                while end < len(lines) and not self._ends(lines[end], at < end and 0 < depth < DEEPEST):
                    end += 1
                yield self._grid(lines[at:end]) or Paragraph(self.spans(lines[at:end], 0))
            at = end

    def _ends(self, line: Line, listed: bool) -> bool:
        """Return whether a paragraph ends before a line: an empty one, or in a list the start of a nested list."""
        return self._is_blank(line) or (listed and self._item(line) is not None)

    def _is_blank(self, line: Line) -> bool:
        return not self.text[line[0] : line[1]].strip()

    def _item(self, line: Line) -> re.Match[str] | None:
        return _ITEM.match(self.text, *line)

    def _items(self, lines: Sequence[Line], at: int, depth: int) -> tuple[Items, int]:
        """Return the list that begins at line `at`, and the index of the first line after it.

        Raises `AssertionError` if no item begins there. `depth` is the nesting of the list.
        """
        first = self._item(lines[at])
        assert first is not None
        ordered = first[3] is not None
        items: list[list[Line]] = []
        indent = 0
        while at < len(lines):
            start, end = lines[at]
            item = self._item(lines[at])
            own = start + indent <= end and not self.text[start : start + indent].strip()
            if self._is_blank(lines[at]):
                after = next((line for line in lines[at:] if not self._is_blank(line)), None)
                if after is None or (self._item(after) is None and self._indent(after) < max(indent, 2)):
                    break
                items[-1].append(lines[at])
            elif item is not None and (not items or len(item[1]) < 2) and (item[3] is not None) is ordered:
                indent = item.end() - start
                items.append([(item.end(), end)])
            elif item is not None and not (own and items):
                break
            else:
                items[-1].append((start + min(indent, self._indent(lines[at])), end))
            at += 1
        return Items(ordered, tuple(tuple(self.blocks(item, depth + 1)) for item in items)), at

    def _indent(self, line: Line) -> int:
        text = self.text[line[0] : line[1]]
        return len(text) - len(text.lstrip(" "))

    def _grid(self, lines: Sequence[Line]) -> Grid | None:
        """Return the table that lines form, or None if the second one is not a line of dashes that fits the first.

        Rows get as many cells as the head: missing ones are empty, and further ones are left out.
        """
        if len(lines) < 2 or "|" not in self.text[slice(*lines[0])] or not _RULE.fullmatch(self.text, *lines[1]):
            return None
        head, *rows = [self._cells(line) for place, line in enumerate(lines) if place != 1]
        if len(self._cells(lines[1])) != len(head):
            return None
        empty: tuple[Span, ...] = ()
        return Grid(head, tuple((*row, *[empty] * len(head))[: len(head)] for row in rows))

    def _cells(self, line: Line) -> tuple[tuple[Span, ...], ...]:
        """Return the cells of a line of a table, each as its spans.

        A bar at either end and an escaped bar separate nothing.
        """
        start, end = line
        text = self.text[start:end].rstrip()
        start, end = start + len(text) - len(text.lstrip()), start + len(text)
        start += self.text[start:end].startswith("|")
        end -= end > start and self.text[end - 1] == "|" and self.text[end - 2 : end - 1] != "\\"
        cuts = [result.start() for result in _CELLS.finditer(self.text, start, end)]
        edges = zip([start, *(cut + 1 for cut in cuts)], [*cuts, end], strict=True)
        return tuple(self.spans([edge], 0) for edge in edges)

    # -- spans ---------------------------------------------------------------------------

    def spans(self, lines: Sequence[Line], depth: int) -> tuple[Span, ...]:
        """Return the spans in lines of one paragraph. Each line break with its indentation becomes one space.

        Empty for blank lines. `depth` is the nesting of spans.
        """
        saved: list[int] = []
        for start, end in lines:
            text = self.text[start:end]
            first = start + len(text) - len(text.lstrip())
            last = max(first, start + len(text.rstrip()))
            if saved and first < last:
                saved.append(-1)
            saved.extend(range(first, last))
        return tuple(_Run(self.source, saved).spans(0, len(saved), depth, linked=False))


class _Run:
    """A parser of spans. `source_offsets` has the source index of each character, or -1 for a space between lines."""

    def __init__(self, source: Flat, offsets: Sequence[int]) -> None:
        self.source = source
        self.source_offsets = offsets
        self.text = "".join(source.text[at] if at >= 0 else "\n" for at in offsets)

    def spans(self, start: int, end: int, depth: int, *, linked: bool) -> Iterator[Span]:
        """Yield the spans in the characters from `start` up to, not including, `end`.

        If `linked`, links are literal, because links do not nest. `depth` is the nesting of spans.
        """
        begun = at = start
        never: set[str] = set()
        while (special := _SPECIAL.search(self.text, at, end)) is not None:
            at = special.start()
            span, after = self._special(at, end, depth, never, linked=linked)
            if span is None:
                at = after
                continue
            yield from self._plain(begun, at)
            yield span
            begun = at = after
        yield from self._plain(begun, end)

    def _special(self, at: int, end: int, depth: int, never: set[str], *, linked: bool) -> tuple[Span | None, int]:
        """Return the span that begins at the character `at`, and the index after it.

        The span is None if the character is literal. The search then continues at that index. `never` has the marks
        that are known to have no closing mark before `end`, and is extended.
        """
        character = self.text[at]
        if character == "\\":
            if at + 1 < end and self.text[at + 1] in _PUNCTUATION:
                return TextSpan(self.text[at + 1], self._place(at + 1)), at + 2
            return None, at + 1
        if character == "`":
            return self._code(at, end, never)
        if character == "[":
            link = _LINK.match(self.text, at, end) if not linked and depth < DEEPEST else None
            if link is None or self._is_image(at) or self._atoms(*link.span(2)):
                return None, at + 1
            inner = tuple(self.spans(*link.span(1), depth + 1, linked=True))
            return LinkSpan(link[2], inner, self._place(link.start(2))), link.end()
        return self._emphasis(at, end, depth, never, linked=linked)

    def _code(self, at: int, end: int, never: set[str]) -> tuple[Span | None, int]:
        """Return the code that begins at the character `at`, and the index after it, as `_special` does."""
        after = at
        while after < end and self.text[after] == "`":
            after += 1
        ticks = self.text[at:after]
        close = -1 if ticks in never else self.text.find(ticks, after, end)
        if close < 0:
            never.add(ticks)
            return None, after
        return MarkupSpan("code", tuple(self._plain(after, close))), close + len(ticks)

    def _emphasis(self, at: int, end: int, depth: int, never: set[str], *, linked: bool) -> tuple[Span | None, int]:
        """Return the emphasis that begins at the character `at`, and the index after it, as `_special` does."""
        character = self.text[at]
        mark = character * 2 if self.text.startswith(character * 2, at, end) else character
        inside = at + len(mark)
        opens = inside < end and not self.text[inside].isspace() and depth < DEEPEST and mark not in never
        if not opens or (character == "_" and at and self._is_word(at - 1)):
            return None, inside
        close = self._find_closing(mark, inside, end)
        if close < 0:
            never.add(mark)
            return None, inside
        inner = tuple(self.spans(inside, close, depth + 1, linked=linked))
        return MarkupSpan("strong" if len(mark) == 2 else "em", inner), close + len(mark)

    def _find_closing(self, mark: str, at: int, end: int) -> int:
        """Return the index of the closing mark, after at least one character, or -1 if there is none before `end`.

        `at` is the first character after the opening mark.
        """
        place = at
        while (place := self.text.find(mark, place, end)) >= 0:
            run = place
            while run < end and self.text[run] == mark[0]:
                run += 1
            fits = run - place == len(mark) or run - place == 3
            ends = place > at and not self.text[place - 1].isspace() and self.text[place - 1] != "\\"
            within = mark[0] == "_" and run < end and self._is_word(run)
            if fits and ends and not within:
                return run - len(mark)
            place = run
        return -1

    def _is_word(self, at: int) -> bool:
        return self.text[at].isalnum() or self.source_offsets[at] in self.source.atoms

    def _is_image(self, at: int) -> bool:
        return at > 0 and self.text[at - 1] == "!" and not (at > 1 and self.text[at - 2] == "\\")

    def _atoms(self, start: int, end: int) -> bool:
        return any(self.source_offsets[at] in self.source.atoms for at in range(start, end))

    def _place(self, at: int) -> int:
        """Return the offset of a character in the source."""
        while at > 0 and self.source_offsets[at] < 0:
            at -= 1
        return self.source.places[self.source_offsets[at]] if self.source_offsets[at] >= 0 else 0

    def _plain(self, start: int, end: int) -> Iterator[Span]:
        """Yield the characters from `start` up to `end` as literal text and placeholders."""
        begun = start
        for at in range(start, end):
            placeholder = self.source.atoms.get(self.source_offsets[at])
            if placeholder is not None:
                if begun < at:
                    yield TextSpan(self.text[begun:at], self._place(begun))
                yield placeholder
                begun = at + 1
        if begun < end:
            yield TextSpan(self.text[begun:end], self._place(begun))
