"""The builder of nodes from the parser's events, which refuses the features that this dialect leaves out."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any

from rulewright.source.diagnostics.collector import TOO_MANY_ERRORS, Diagnostics
from rulewright.source.diagnostics.diagnostic import Code, Edit, RelatedSpan
from rulewright.source.files.safe_read import ReadLimits
from rulewright.source.nodes import Entry, Mapping, Node, Scalar, Sequence, Style, Value
from rulewright.source.span import Span, TextPlaces
from rulewright.source.yaml.core_schema import NOT_FINITE, resolve
from rulewright.source.yaml.unquoted_values import cut_value_at, find_braced_text
from rulewright.source.yaml.yaml_diagnostics import (
    ALIAS,
    ANCHOR,
    DUPLICATE_KEY,
    EMPTY_FILE,
    EMPTY_KEY,
    KEY_NOT_TEXT,
    KEY_WITHOUT_VALUE,
    MERGE_KEY,
    SECOND_DOCUMENT,
    TAG,
    TOO_DEEP,
    TOO_MANY_NODES,
    UNKNOWN_ESCAPE,
)

_STYLES: dict[str | None, Style] = {"'": "single", '"': "double", "|": "literal", ">": "folded"}
_ONE_WORD = re.compile(r"[\w.-]+")
_REST_OF_A_TEXT = re.compile(r"[^:{}\[\]\n\"]*?(?=\s*(?:,\s*[A-Za-z_][\w.]*:\s|\}))")
_CLOSING = re.compile(r"[ ]*\}")
_THOUSANDS = re.compile(r"(?<![\w.])[0-9]{1,3},[0-9]{3}\Z")
_SURROGATE = re.compile("[\\ud800-\\udfff]")
_TAG = re.compile(r"![^\s,\[\]{}]*")


class GaveUpError(Exception):
    """An exception to stop reading a document. The reason is among the diagnostics."""


def quote_text(text: str) -> str:
    """Return a text in double quotes, or in single quotes if it contains double quotes."""
    return f"'{text}'" if '"' in text else f'"{text}"'


@dataclass(slots=True)
class _Open:
    """A mapping or list that has not ended yet."""

    start: int
    is_mapping: bool
    is_flow: bool
    items: list[Node] = field(default_factory=list)
    entries: dict[str, Entry] = field(default_factory=dict)
    key: Scalar | None = None
    key_end: int = 0
    awaits_value: bool = False
    end: int = 0
    before: int = 0
    """The end of the entry before the last one."""
    split: bool = False
    """Whether the last entry belongs to a separate mapping whose start is missing."""


class DocumentBuilder:
    """A builder that takes events one by one and returns the document's root."""

    def __init__(self, places: TextPlaces, diagnostics: Diagnostics, limits: ReadLimits) -> None:
        self.limits = limits
        self.scalars: list[tuple[int, int, Style]] = []
        """The start offset, the end offset and the style of every scalar so far."""
        self._places = places
        self._diagnostics = diagnostics
        self._open: list[_Open] = []
        self._root: Node | None = None
        self._nodes = 0
        self._documents = 0
        self._cut = self._cut_end = -1

    def take(self, event: Any) -> None:
        """Process the parser's next event, and report what this dialect refuses in it.

        Raises `GaveUpError` if it would be pointless or dangerous to continue. The reason has been reported then.
        """
        name = type(event).__name__
        if name == "ScalarEvent":
            self._add_scalar(event)
        elif name == "MappingStartEvent":
            self._start(event, is_mapping=True)
        elif name == "SequenceStartEvent":
            self._start(event, is_mapping=False)
        elif name in ("MappingEndEvent", "SequenceEndEvent"):
            self._end(event)
        elif name == "AliasEvent":
            self._alias(event)
        elif name == "DocumentStartEvent":
            self._start_document(event)

    def finish(self) -> Node | None:
        """Return the root after the last event. If the file is empty, add a diagnostic and return None."""
        root = self._root
        if root is None or (isinstance(root, Scalar) and not root.raw):
            self._diagnostics.add(EMPTY_FILE, "the file is empty", Span.for_file(self._places.file))
            return None
        return root

    @property
    def last_scalar(self) -> int | None:
        """The offset of the last scalar, or None."""
        return self.scalars[-1][0] if self.scalars else None

    @property
    def bracket(self) -> int | None:
        """The offset of the innermost open bracket, or None."""
        starts = (item.start for item in reversed(self._open) if item.is_flow)
        # In [a: b] the pair is a mapping of its own, without a bracket.
        return next((start for start in starts if self._places.text[start] in "[{"), None)

    # Parser events

    def _start_document(self, event: Any) -> None:
        """Count a document. Report a second one and raise `GaveUpError`, because the rest would be pointless."""
        self._documents += 1
        if self._documents > 1:
            start = event.start_mark.index
            message = "a second document begins here, but a file may contain only one"
            self._report(SECOND_DOCUMENT, message, self._places.build_span(start, start + 3))
            raise GaveUpError

    def _start(self, event: Any, *, is_mapping: bool) -> None:
        """Open a mapping or list, and report its tag and anchor, which are not allowed.

        One that is nested too deep, or above the limit of nodes, is reported, and `GaveUpError` is raised.
        """
        start = self._report_properties(event)
        self._count(start)
        if len(self._open) >= self.limits.depth:
            span = self._places.build_span(start, start + 1)
            self._report(TOO_DEEP, f"mappings and lists are nested more than {self.limits.depth} levels deep", span)
            raise GaveUpError
        self._open.append(_Open(start, is_mapping, bool(event.flow_style), end=start))

    def _end(self, event: Any) -> None:
        """Close the innermost mapping or list, and add its node to its parent."""
        done = self._open.pop()
        # The parser ends a block at the next token, but the span of the node ends with its last value.
        end = event.end_mark.index if done.is_flow else done.end
        span = self._places.build_span(done.start, end)
        node: Node
        if done.is_mapping:
            node = Mapping(MappingProxyType(done.entries), span)
        else:
            node = Sequence(tuple(done.items), span)
        self._add(node, done.start, end)

    def _add_scalar(self, event: Any) -> None:
        """Add a scalar as a key or a value, and report what is wrong with it.

        An invalid number keeps its text as its value. Raises `GaveUpError`, after a report, above the limit of nodes.
        """
        start = self._report_properties(event)
        self._count(start)
        style = _STYLES.get(event.style, "plain")
        # The parser includes the blank lines after a block scalar.
        raw = self._places.text[start : event.end_mark.index].rstrip(" \t\n")
        end = start + len(raw)
        self.scalars.append((start, end, style))
        span = self._places.build_span(start, end)
        if half := _SURROGATE.search(event.value):  # only the pure Python parser accepts such an escape
            message = f"the escape \\u{ord(half.group()):04x} is half of a character"
            self._report(UNKNOWN_ESCAPE, message, span, "write the character itself")
        if self._is_key():
            if style == "plain" and event.value == "<<":
                self._report(MERGE_KEY, "the merge key `<<` is not allowed here", span)
            elif style == "plain" and not raw:
                self._report(EMPTY_KEY, "there is no key before this `:`", self._places.build_span(start, start + 1))
            self._add(Scalar(event.value, event.value, span, style, raw), start, end)
            return
        value: Value = event.value
        if style == "plain":
            self._check_has_value(start, raw)
            resolved = resolve(event.value, digits=self.limits.digits)
            if isinstance(resolved, Code):
                self._report(resolved, self._describe_number(resolved, event.value), span)
            else:
                value = resolved
        self._add(Scalar(event.value, value, span, style, raw), start, end)

    def _alias(self, event: Any) -> None:
        """Report an alias, and add an empty value in its place.

        Raises `GaveUpError`, after a report, above the limit of nodes.
        """
        start, end = event.start_mark.index, event.end_mark.index
        self._count(start)
        span = self._places.build_span(start, end)
        self._report(ALIAS, f"the alias `{self._places.text[start:end]}` is not allowed here", span)
        self._add(Scalar("", None, span), start, end)

    # Helpers for values, and reports

    def _report_properties(self, event: Any) -> int:
        """Report an anchor and a tag before a value, and return the offset of the value itself."""
        start: int = event.start_mark.index
        text = self._places.text
        for _ in range(2):  # the anchor and the tag may come in any order
            if text[start : start + 1] == "!" and event.tag is not None:
                match = _TAG.match(text, start)
                end = match.end() if match else start + 1
                self._report(
                    TAG, f"the tag `{text[start:end]}` is not allowed here", self._places.build_span(start, end)
                )
            elif text[start : start + 1] == "&" and event.anchor is not None:
                end = start + 1 + len(event.anchor)
                self._report(
                    ANCHOR, f"the anchor `{text[start:end]}` is not allowed here", self._places.build_span(start, end)
                )
            else:
                break
            start = self._skip_blanks(end, event.end_mark.index)
        return start

    def _skip_blanks(self, start: int, end: int) -> int:
        text = self._places.text
        while start < end and text[start] in " \t\n#":
            start = self._places.find_line_end(start) if text[start] == "#" else start + 1
        return min(start, max(end, start))

    def _is_key(self) -> bool:
        return bool(self._open) and self._open[-1].is_mapping and not self._open[-1].awaits_value

    def _check_has_value(self, start: int, raw: str) -> None:
        """Report `{word}`, which YAML reads as a mapping with a key and no value.

        The author probably meant a text, so the diagnostic suggests quotes or another fix. Does nothing if `raw`, the
        source text of the value at offset `start`, is not empty, or outside of braces and brackets.
        """
        top = self._open[-1] if self._open else None
        if raw or top is None or not top.is_flow or top.key is None:
            return
        if ":" in self._places.text[top.key_end : start + 1]:
            return
        if self._places.text[top.key_end : top.key_end + 1] == "[":
            # The parser stops at the bracket of a map entry such as `stock[good]`, and reports it.
            return
        if top.key_end <= self._cut_end:  # part of a text that has been reported
            return
        word = top.key.text
        if (text := find_braced_text(self._places.text, top.start, in_flow=self._in_flow())) is not None:
            self._report_braces(*text)
        elif (cut := cut_value_at(self._places.text, top.start, top.key_end - 1)) is not None:
            self._report_cut(*cut)
        elif ":" in word:
            after = word[word.index(":") + 1 :][:1]
            hint = "put a space after the colon"
            if after.isspace():
                hint = (
                    "the character after the colon looks like a space "
                    f"but is not one (U+{ord(after):04X}): type a space"
                )
            self._report(KEY_WITHOUT_VALUE, f"`{word}` has no value", top.key.span, hint)
        elif _THOUSANDS.search(self._places.text[max(0, top.key_end - 9) : top.key_end]):
            at = top.key_end - len(word)
            comma = self._places.text.rindex(",", 0, at)
            whole = self._places.build_span(comma, at)
            message = f"`{word}` after the comma has no key: write numbers without commas"
            hint = "leave the comma out, or write a key before it"
            self._report_one(KEY_WITHOUT_VALUE, message, top.key.span, (), hint, (Edit(whole, ""),))
        elif (curly := self._find_curly_quotes(top.key_end - len(word), top.key_end)) is not None:
            edits = tuple(Edit(self._places.build_span(at, at + 1), '"') for at in curly)
            hint = 'write straight quotes: `"`'
            message = "“ and ” are not quotes in YAML, so the comma between them ends the text"
            self._report_one(KEY_WITHOUT_VALUE, message, top.key.span, (), hint, edits)
        elif (cut := self._cut_text(top, word)) is not None:
            self._report_cut(*cut)
        elif (braces := self._find_braces(top, word)) is not None:
            self._report_braces(*braces)
        else:
            hint = f'if it is a placeholder, put quotes around the whole text: "… {{{word}}} …"'
            if top.entries:
                hint = f"write its value, `{word}: …`; if it is part of the text before it, quote the whole text"
            self._report(KEY_WITHOUT_VALUE, f"`{word}` between braces has no value", top.key.span, hint)

    def _in_flow(self) -> bool:
        """Return whether the last mapping is in brackets or braces."""
        return len(self._open) > 1 and self._open[-2].is_flow

    def _report_braces(self, start: int, end: int) -> None:
        """Report an unquoted text that begins with braces, once."""
        self._cut_end = end
        text, span = self._places.text[start:end], self._places.build_span(start, end)
        quoted = quote_text(text)
        message = f"`{text}` needs quotes here: braces without quotes contain keys and values"
        self._report_one(KEY_WITHOUT_VALUE, message, span, (), f"write {quoted}", (Edit(span, quoted),))

    def _report_cut(self, start: int, end: int) -> None:
        """Report an unquoted value that ends early at a comma in it, once."""
        if start == self._cut:
            return
        self._cut, self._cut_end = start, end
        span, whole = self._places.build_span(start, end), quote_text(self._places.text[start:end])
        message = f"`{self._places.text[start:end]}` needs quotes here: between braces, a comma ends a value"
        self._report_one(KEY_WITHOUT_VALUE, message, span, (), f"write {whole}", (Edit(span, whole),))

    def _cut_text(self, top: _Open, word: str) -> tuple[int, int] | None:
        """Return the range of an unquoted text that ends early at a comma in it, or None.

        `word` is the text after the comma. The result is None for a single word, which may be a key with a missing
        value.
        """
        before = next(reversed(top.entries.values()), None)
        value = before.value if before is not None else None
        if not isinstance(value, Scalar) or value.style != "plain" or not isinstance(value.value, str):
            return None
        if _ONE_WORD.fullmatch(word):
            return None
        start = self._places.find_offset(value.span.line, value.span.column)
        end = _REST_OF_A_TEXT.match(self._places.text, top.key_end)
        whole = self._places.text[start : end.end() if end else start]
        return (start, start + len(whole)) if whole and "\n" not in whole and "\\" not in whole else None

    def _find_braces(self, top: _Open, word: str) -> tuple[int, int] | None:
        """Return the range of braces that contain only an unquoted text, such as dice or a formula, or None.

        None if the text is a single word, which may be a placeholder, or if the braces contain a quote, a backslash or
        a line break. `word` is the text in the braces.
        """
        close = _CLOSING.match(self._places.text, top.key_end)
        if top.entries or close is None or _ONE_WORD.fullmatch(word) or self._places.text[top.start] != "{":
            return None
        return None if {*"\"'\\\n"} & {*self._places.text[top.start : close.end()]} else (top.start, close.end())

    def _find_curly_quotes(self, start: int, end: int) -> tuple[int, int] | None:
        """Return the offsets of the curly quotes around a text that a comma has cut, or None.

        The rest of the text after the comma is from `start` to `end`.
        """
        text = self._places.text
        opening = text.rfind("“", text.rfind("\n", 0, start) + 1, start)
        closing = text.find("”", start, end)
        if opening < 0 or closing < 0 or any(quote in text[opening + 1 : closing] for quote in '"”\n\\'):
            return None
        return opening, closing

    def _describe_number(self, code: Code, text: str) -> str:
        if code is NOT_FINITE:
            return f"`{text if len(text) <= 40 else text[:40] + '…'}` is not a finite number"
        return f"this number has {len(text):,} characters; the limit is {self.limits.digits:,} digits"

    def _add(self, node: Node, start: int, end: int) -> None:
        """Add a finished node to its parent, or make it the root if there is none.

        The nodes of a mapping are keys and values in turn. A key that is not a scalar is reported, and its entry is
        left out.
        """
        if not self._open:
            self._root = node
            return
        top = self._open[-1]
        if not top.awaits_value:
            top.before = top.end
        top.end = max(top.end, end)
        if not top.is_mapping:
            top.items.append(node)
        elif top.awaits_value:
            top.awaits_value = False
            if top.key is not None:
                self._add_entry(top, top.key, node)
        else:
            top.awaits_value = True
            top.key, top.key_end = (node, end) if isinstance(node, Scalar) else (None, end)
            if top.key is None and not self._is_cut(top, end):
                self._report(KEY_NOT_TEXT, f"{node.kind} cannot be a key", node.span)

    def _is_cut(self, top: _Open, end: int) -> bool:
        """Return whether a list is part of an unquoted value that YAML cuts.

        The parser stops there or reports the key without a value.
        """
        return top.is_flow and cut_value_at(self._places.text, top.start, end) is not None

    def _add_entry(self, top: _Open, key: Scalar, value: Node) -> None:
        """Add an entry to a mapping. A repeated key is reported instead, and the first value stays.

        If a dash is probably missing before the repeated key, no other repeated key of the mapping is reported.
        """
        first = top.entries.get(key.text)
        if first is None:
            top.entries[key.text] = Entry(key, value)
            return
        if top.split:
            return
        inside = len(self._open) > 1 and not self._open[-2].is_mapping and not top.is_flow
        begins = next(iter(top.entries)) == key.text
        other = isinstance(value, Scalar) and value.to_plain() != first.value.to_plain()
        item = as_an_item(self._places, key) if inside and begins and other else None
        top.split = item is not None
        hint, edits = item or as_one(self._places, first, Entry(key, value), before=top.before if top.is_flow else None)
        message = f"the key `{key.text}` appears here a second time"
        related = RelatedSpan(first.key.span, "the first one")
        self._report_one(DUPLICATE_KEY, message, key.span, (related,), hint, edits)

    def _count(self, start: int) -> None:
        """Count a node. Report the first one above the limit and raise `GaveUpError`."""
        self._nodes += 1
        if self._nodes > self.limits.nodes:
            message = f"the file contains more than {self.limits.nodes:,} keys, values and lists"
            self._report(TOO_MANY_NODES, message, self._places.build_span(start, start))
            raise GaveUpError

    def _report(self, code: Code, message: str, span: Span, suggestion: str | None = None) -> None:
        self._report_one(code, message, span, (), suggestion)

    def _report_one(
        self,
        code: Code,
        message: str,
        span: Span,
        related: tuple[RelatedSpan, ...],
        suggestion: str | None = None,
        edits: tuple[Edit, ...] = (),
    ) -> None:
        """Add a diagnostic. At the limit of errors, add one that says so instead, and raise `GaveUpError`."""
        if len(self._diagnostics) >= self.limits.errors:
            self._diagnostics.add(TOO_MANY_ERRORS, f"reading stopped here after {self.limits.errors} errors", span)
            raise GaveUpError
        self._diagnostics.add(code, message, span, related=related, suggestion=suggestion, edits=edits)


ScalarReading = tuple[str | None, tuple[Edit, ...]]
"""A hint, and the edits that implement it."""

_DASH = 2
"""The width in columns of a dash and the space after it."""


def as_an_item(places: TextPlaces, key: Scalar) -> ScalarReading | None:
    """Return a fix for a repeated first key of a list item, which probably begins an item with a missing dash.

    None if the key is not on a line of its own, or if there is no room for a dash.
    """
    at = key.span
    before = places.get_line(at.line)[: at.column - 1]
    if before.strip() or len(before) < _DASH:
        return None
    start = places.find_offset(at.line, at.column)
    hint = f"if the next item begins here, put a dash before it: `- {key.text}:`"
    return hint, (Edit(places.build_span(start - _DASH, start), "- "),)


def as_one(places: TextPlaces, first: Entry, second: Entry, *, before: int | None) -> ScalarReading:
    """Return a fix that joins two entries with the same key, if they are equal or are blocks without a common key.

    `before` is the end of the entry before the second one if both are in braces, or else None. The hint is None if
    there is no safe fix. A hint has no edits if equal entries share a line with something else, or if the blocks have
    different indentations.
    """
    if first.value.to_plain() == second.value.to_plain():
        hint = "delete one of them: both are the same"
        end = places.find_offset(second.value.span.end_line, second.value.span.end_column)
        if before is not None:
            return hint, (Edit(places.build_span(before, end), ""),)
        lines = _find_lines(places, second)
        return hint, () if lines is None else (Edit(places.build_span(*lines), ""),)
    one, other = first.value, second.value
    if before is None and isinstance(one, Mapping) and isinstance(other, Mapping):
        lines = _find_lines(places, second)
        if (
            _is_block(one, first)
            and _is_block(other, second)
            and not one.list_keys() & other.list_keys()
            and lines is not None
        ):
            moved = places.text[places.find_line_start(places.find_offset(other.span.line, 1)) : lines[1]].rstrip("\n")
            end = places.find_line_end(places.find_offset(one.span.end_line, one.span.end_column))
            aligned = one.span.column == other.span.column
            edits = (
                (Edit(places.build_span(end, end), f"\n{moved}"), Edit(places.build_span(*lines), ""))
                if aligned
                else ()
            )
            return f"move its content below the first `{first.key.text}:`", edits
    return None, ()


def _is_block(value: Mapping, entry: Entry) -> bool:
    """Return whether an entry's value begins on the next line, so that moving it loses nothing."""
    return value.span.line == entry.key.span.line + 1


def _find_lines(places: TextPlaces, entry: Entry) -> tuple[int, int] | None:
    """Return the range of the complete lines of a block entry, with line breaks.

    None if the entry shares a line with anything else.
    """
    key, end = entry.key.span, entry.value.span
    if places.get_line(key.line)[: key.column - 1].strip():
        return None
    start = places.find_offset(key.line, 1)
    after = places.find_line_end(places.find_offset(end.end_line, end.end_column))
    if after < len(places.text):
        return start, after + 1
    return max(0, start - 1), after  # including the line break before it, if it is the last line of a file without one
