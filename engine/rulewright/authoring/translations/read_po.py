"""Read a PO file into entries whose texts have the exact position of each character.

Babel writes PO files, but does not read them here. Its reader knows no columns, drops the last character of a string
without a closing quotation mark, and adds a stray `msgstr` to the next entry.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache

from rulewright.authoring.translations.po_diagnostics import PO_SYNTAX
from rulewright.base.errors import MissingExtraError
from rulewright.source.diagnostics.collector import Diagnostics
from rulewright.source.files.safe_read import DEFAULT_LIMITS, ReadLimits, read_bytes_as_text
from rulewright.source.nodes import Scalar
from rulewright.source.source_map import SOURCES
from rulewright.source.span import Span

_LIMITS = ReadLimits(bytes=16 * DEFAULT_LIMITS.bytes)
"""With comments and originals, a PO file is many times as large as the YAML file."""

_KEYWORD = re.compile(r"(msgctxt|msgid_plural|msgid|msgstr(?:\[\d+\])?)(?=[\s\"])\s*")
_STRING = re.compile(r'"((?:[^"\\]|\\.)*)"')
_CHARACTER = re.compile(r"\\(.)|.", re.DOTALL)
_ESCAPES = {"a": "\a", "b": "\b", "f": "\f", "n": "\n", "r": "\r", "t": "\t", "v": "\v", '"': '"', "\\": "\\"}

_FOLLOWERS = {
    "": ("msgctxt", "msgid"),
    "msgctxt": ("msgid",),
    "msgid": ("msgstr", "msgid_plural"),
    "msgid_plural": ("msgstr[…]",),
    "msgstr[…]": ("msgstr[…]", "msgctxt", "msgid"),
    "msgstr": ("msgctxt", "msgid"),
}
"""For each keyword, those that may follow it. The empty keyword is the start of the file."""


@dataclass(frozen=True, slots=True, eq=False)
class PoText(Scalar):
    """A text of a PO file. `places` has the line, column and width of each character in the file."""

    places: tuple[tuple[int, int, int], ...] = field(default=(), repr=False)

    def position(self, offset: int, length: int = 1) -> Span:
        """Return the exact position of `length` characters from `offset`. Both are clamped to the text."""
        inside = self.places[max(offset, 0) : max(offset, 0) + max(length, 1)]
        if not inside:
            return self.span
        (line, column, _), (end_line, end_column, width) = inside[0], inside[-1]
        return Span(self.span.file, line, column, end_line, end_column + width)


@dataclass(frozen=True, slots=True, eq=False)
class PoEntry:
    """An entry of a PO file. `plural` is the `msgid_plural`, if it has one, and `context` is None without `msgctxt`."""

    context: PoText | None
    original: PoText
    plural: PoText | None
    translated: PoText
    needs_review: bool


@dataclass(frozen=True, slots=True, eq=False)
class PoFile:
    """A PO file. `headers` has the fields of the header by name, in lower case, each with its position."""

    name: str
    headers: Mapping[str, tuple[str, Span]]
    entries: tuple[PoEntry, ...]


@cache
def find_review_flag() -> str:
    """Return the flag of a translation that somebody must review, which Babel gives to the head of a new file.

    Raises `MissingExtraError` without the extra `translate`.
    """
    try:
        from babel.messages.catalog import Catalog
    except ImportError:
        raise MissingExtraError("PO files need Babel: pip install 'rulewright[translate]'") from None
    (flag,) = next(iter(Catalog())).flags
    return flag


def read_po(path: str) -> PoFile:
    """Return the entries of a PO file, without obsolete ones.

    Raises `DiagnosticError` with all errors of the syntax, and if the file is missing, too large, or not UTF-8.
    """
    return parse_po(read_bytes_as_text(path, limits=_LIMITS), path)


def parse_po(text: str, name: str) -> PoFile:
    """Return the entries of a text, and remember it under `name`. Raises `DiagnosticError` with all errors."""
    SOURCES.remember(name, text)
    diagnostics = Diagnostics()
    fields = list(_read_fields(text, name, diagnostics))
    diagnostics.raise_if_errors()
    entries = list(_read_entries(fields, diagnostics))
    diagnostics.raise_if_errors()
    header = next((each for each in entries if each.context is None and not each.original.text), None)
    return PoFile(name, _read_headers(header) if header else {}, tuple(each for each in entries if each is not header))


@dataclass(slots=True)
class _Field:
    """A keyword, at `start`, with its strings. `flags` are those of the comments above it."""

    keyword: str
    start: Span
    span: Span
    flags: frozenset[str]
    characters: list[str] = field(default_factory=list)
    places: list[tuple[int, int, int]] = field(default_factory=list)

    def to_text(self) -> PoText:
        """Return the text, at the position of its strings."""
        text = "".join(self.characters)
        return PoText(text, text, self.span, "double", "", tuple(self.places))


def _read_fields(text: str, name: str, diagnostics: Diagnostics) -> Iterator[_Field]:
    """Yield each keyword with its strings. Lines that are neither strings nor comments are reported."""
    flags: set[str] = set()
    current: _Field | None = None
    for number, line in enumerate(text.split("\n"), start=1):
        at = len(line) - len(line.lstrip())
        if line.startswith("#,", at):
            flags |= {flag.strip() for flag in line[at + 2 :].split(",")}
        elif line.startswith("#~", at):
            flags.clear()  # they were those of an obsolete entry
        if not line.strip() or line[at] == "#":
            continue
        keyword = _KEYWORD.match(line, at)
        start = keyword.end() if keyword else at
        string = _STRING.match(line, start)
        if string is None or line[string.end() :].strip():
            _report_line(line, start if string is None else string.end(), Span(name, number, 1, number, 1), diagnostics)
        elif keyword is not None:
            if current is not None:
                yield current
            word = Span(name, number, at + 1, number, keyword.end(1) + 1)
            span = Span(name, number, start + 1, number, string.end() + 1)
            current, flags = _Field(keyword[1], word, span, frozenset(flags)), set()
        elif current is None:
            diagnostics.add(PO_SYNTAX, "this string has no keyword", Span(name, number, at + 1, number, len(line) + 1))
        if string is None or current is None:
            continue
        current.span = current.span.to(Span(name, number, start + 1, number, string.end() + 1))
        for character in _CHARACTER.finditer(line, string.start(1), string.end(1)):
            column, width = character.start() + 1, len(character[0])
            if character[1] is not None and character[1] not in _ESCAPES:
                place = Span(name, number, column, number, column + width)
                hint = "write a backslash as `\\\\`"
                diagnostics.add(PO_SYNTAX, f"there is no escape `{character[0]}`", place, suggestion=hint)
            current.characters.append(character[0] if character[1] is None else _ESCAPES.get(character[1], ""))
            current.places.append((number, column, width))
    if current is not None:
        yield current


def _report_line(line: str, at: int, start: Span, diagnostics: Diagnostics) -> None:
    """Report what is wrong with a line at an offset: no string there, no end of it, or more behind it."""
    span = Span(start.file, start.line, at + 1, start.line, max(len(line), at + 1) + 1)
    if at and line[at - 1 : at] == '"' and line[at:].strip():
        message, hint = "something follows the string", 'write a quotation mark in a string as `\\"`'
    elif line.startswith('"', at):
        message, hint = "this string has no closing quotation mark", "add a quotation mark at the end of the line"
    else:
        message = "this is neither a string nor a comment, nor a keyword with a string"
        hint = 'a line begins with `msgctxt "`, `msgid "`, `msgstr "`, `"` or `#`'
    diagnostics.add(PO_SYNTAX, message, span, suggestion=hint)


def _read_entries(fields: list[_Field], diagnostics: Diagnostics) -> Iterator[PoEntry]:
    """Yield the entries. Keywords in another order are reported."""
    last, parts, flags = "", dict[str, PoText](), frozenset[str]()
    review = find_review_flag()

    def build_entry() -> PoEntry:
        translated = parts.get("msgstr") or parts["msgstr[…]"]
        return PoEntry(parts.get("msgctxt"), parts["msgid"], parts.get("msgid_plural"), translated, review in flags)

    for each in fields:
        keyword = "msgstr[…]" if each.keyword.startswith("msgstr[") else each.keyword
        allowed = _FOLLOWERS[last]
        if keyword not in allowed:
            before = f"after `{last}`" if last else "at the start"
            message = f"expected {' or '.join(f'`{word}`' for word in allowed)} {before}, not `{each.keyword}`"
            diagnostics.add(PO_SYNTAX, message, each.start)
        if last.startswith("msgstr") and keyword in ("msgctxt", "msgid"):
            if not len(diagnostics):
                yield build_entry()
            parts, flags = {}, frozenset()
        parts.setdefault(keyword, each.to_text())
        last, flags = keyword, flags | each.flags
    if last and not last.startswith("msgstr"):
        diagnostics.add(PO_SYNTAX, "the last entry has no `msgstr`", fields[-1].start)
    elif last and not len(diagnostics):
        yield build_entry()


def _read_headers(header: PoEntry) -> dict[str, tuple[str, Span]]:
    """Return the fields of the header by name, in lower case."""
    headers, at = {}, 0
    for line in header.translated.text.split("\n"):
        key, colon, value = line.partition(":")
        if colon:
            start = at + len(line) - len(value.lstrip())
            headers[key.strip().lower()] = value.strip(), header.translated.position(start, len(value.strip()))
        at += len(line) + 1
    return headers
