"""Report markup that the book does not support, and resolve the targets of links."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from html import unescape
from typing import TYPE_CHECKING

from rulewright.ruleset import prose_diagnostics as codes
from rulewright.ruleset.prose.explained_rules import InternalRules, find_rule_entry, list_rule_paths
from rulewright.ruleset.prose.markup import (
    Block,
    Flat,
    Grid,
    Items,
    LinkSpan,
    MarkupSpan,
    Paragraph,
    Span,
    flatten,
    parse_blocks,
)
from rulewright.ruleset.prose.placeholder_meaning import map_page_titles
from rulewright.source.diagnostics.collector import Diagnostics
from rulewright.source.diagnostics.diagnostic import Edit
from rulewright.source.diagnostics.suggestions import suggest_name
from rulewright.source.span import Span as Place

if TYPE_CHECKING:
    from rulewright.ruleset.prose.text_walk import WordsAt
    from rulewright.ruleset.ruleset import Ruleset


_LONGEST = 40
"""The maximum length of a text quoted in a message."""

_CODE = re.compile(r"(`+)[^`]+?\1")
_FENCE = re.compile(r"^ {0,3}(?:`{3,}|~{3,}).*$", re.MULTILINE)
_MARKS = {"b": "**", "strong": "**", "i": "*", "em": "*", "code": "`"}
"""HTML elements, each with the equivalent markup."""

_ELEMENT = re.compile(rf"<({'|'.join(_MARKS)})>(?=[^\s<>])[^<>\n]*(?<=[^\s<>])</\1>")
"""An HTML element that markup can replace, without spaces between the tags and the content."""

_ENTITY = re.compile(r"&(?:#\d{1,7}|#[xX][0-9A-Fa-f]{1,6}|[A-Za-z]{2,20});")
_STANDS_FOR_ITSELF = re.compile(r"[^\W_]|[ &–—…×·°€£©®™«»„“”‚‘’¼½¾²³→←↑↓]")
"""A character without special meaning in YAML and in markup, unless it is the first of a text."""

_ANYWHERE = (
    (
        re.compile(r"</?[A-Za-z][^<>]*>|<!--|<[!?][A-Za-z\[]"),
        "is HTML, which readers would see as source text",
        "write `**bold**`, `*italic*` or a list instead, and remove other tags",
    ),
    (
        _ENTITY,
        "is an HTML entity, which readers would see as source text",
        "write the character itself",
    ),
    (
        re.compile(r"!\[[^\[\]]*\](?:\([^()]*\))?"),
        "is a picture, which is not allowed in texts",
        "draw the term's icon as `icons/TERM.svg`, and write `{TERM.icon}`",
    ),
)
_ATTRIBUTES = re.compile(r"\{:?[ ]*[#.]?[\w-]+[ ]*=[^{}]*\}|\{:[^{}]*\}|\{[ ]*[#.][\w-]+[ ]*\}")
_MARKED = (
    (
        _ATTRIBUTES,
        "is a list of HTML attributes, which texts cannot have",
        "leave it out",
    ),
    (
        re.compile(r"^ {0,3}#{1,6}[ ].*$", re.MULTILINE),
        "is a heading, which is not allowed in texts",
        "start a section or a note with that title, or use `**bold**`",
    ),
    (
        re.compile(r"^ {0,3}>.*$", re.MULTILINE),
        "is a block quotation, which is not allowed in texts",
        "write it as a note",
    ),
    (
        _FENCE,
        "is a code block, which is not allowed in texts",
        "write `code` inside a line",
    ),
    (
        re.compile(r"^ {0,3}\[[^\[\]]+\]:.*$|\[[^\[\]]+\]\[[^\[\]]*\]", re.MULTILINE),
        "is a reference-style link, which is not allowed in texts",
        "write `[words](target)`",
    ),
    (re.compile(r"<https?://[^<>\s]*>"), "is a link without a text", "write `[words](https://…)`"),
)
_PLAIN = (
    (
        re.compile(r"\*\*[^*\s][^*]*\*\*|\[[^\[\]]+\]\([^()\s]+\)"),
        "is markup, which this field does not support",
        "use plain text; only the texts of sections, notes and answers may contain markup",
    ),
)


_RUN_ON = re.compile(r"(?:\A|\n[ \t]*\n)(?![-*+] |[ \t])(?:[^\n]+\n)+?(?P<item> {0,3}[-*+] +\S[^\n]*)")
"""A list that follows a line of text without an empty line between them."""


def lint_markup(words: WordsAt, ruleset: Ruleset, diagnostics: Diagnostics) -> None:
    """Report unsupported markup and invalid links in one text, with edits if the fix is certain.

    In a text without markup, any markup is unsupported, and links are not checked.
    """
    source = flatten(words.scalar.text)
    marked = words.is_marked_up
    bare = _without_code(source.text) if marked else source.text
    for element in _ELEMENT.finditer(bare) if marked else ():
        mark, what, hint = _MARKS[element[1]], *_ANYWHERE[0][1:]
        opening, closing = len(f"<{element[1]}>"), len(f"</{element[1]}>")
        places = ((element.start(), opening), (element.end() - closing, closing))
        edits = tuple(Edit(_place(words, source, start, length), mark) for start, length in places)
        inside = element[0][opening:-closing]
        _report(words, source, element, what, f"write `{mark}{_show(inside)}{mark}`", diagnostics, edits=edits)
        bare = bare[: element.start()] + " " * len(element[0]) + bare[element.end() :]
    for rules in (_ANYWHERE, _MARKED if marked else _PLAIN):
        for pattern, what, hint in rules:
            for result in pattern.finditer(source.text if pattern is _FENCE else bare):
                edits = tuple(_edits(words, source, pattern, result))
                _report(words, source, result, what, hint, diagnostics, edits=edits)
    if marked:
        for run_on in _RUN_ON.finditer(bare):
            hint = "put an empty line before a list"
            edits = ()
            if words.scalar.style == "literal":  # in other YAML styles, an empty line has another meaning
                start = words.scalar.position(source.places[run_on.start("item")], 0)
                edits = (Edit(Place(start.file, start.line, 1, start.line, 1), "\n"),)
            what = "continues the paragraph of the line before"
            _report(words, source, run_on, what, hint, diagnostics, group="item", edits=edits)
        for link in list_links(parse_blocks(words.scalar.text)):
            there = find_destination(link.target, ruleset)
            if isinstance(there, Nowhere):
                span = words.scalar.position(link.start, max(1, len(link.target)))
                diagnostics.add(codes.BAD_LINK, there.message, span, suggestion=there.suggestion)
            else:
                lint_link(link.target, words.scalar.position(link.start, len(link.target)), ruleset, diagnostics)


def lint_link(path: str, span: Place, ruleset: Ruleset, diagnostics: Diagnostics) -> None:
    """Report a link to an internal rule that no section explains. `path` may also be an address of a page."""
    if path in ruleset.get_or_make(InternalRules).untold:
        message = f"the text links to `{path}`, which is internal, and no section explains it"
        hint = f"name `{path}` under the `explains:` of a section that describes it, or write its name without a link"
        diagnostics.add(codes.INTERNAL_RULE, message, span, suggestion=hint)


def _edits(words: WordsAt, source: Flat, pattern: re.Pattern[str], result: re.Match[str]) -> Iterator[Edit]:
    """Yield the edits that fix a match of a pattern, or none if the right fix is not certain."""
    if pattern is _ENTITY:
        character = unescape(result[0])
        if _STANDS_FOR_ITSELF.fullmatch(character) and result.start() > 0:
            yield Edit(_place(words, source, result.start(), len(result[0])), character)
    elif pattern is _ATTRIBUTES:
        blanks = len(source.text[: result.start()]) - len(source.text[: result.start()].rstrip(" "))
        yield Edit(_place(words, source, result.start() - blanks, len(result[0]) + blanks), "")
    elif pattern is _PLAIN[0][0] and result[0].startswith("**"):
        for start in (result.start(), result.end() - 2):
            yield Edit(_place(words, source, start, 2), "")


def _place(words: WordsAt, source: Flat, start: int, length: int) -> Place:
    # An escaped brace is one character in the text, but two in the source.
    end = source.places[start + length] if start + length < len(source.places) else len(words.scalar.text)
    return words.scalar.position(source.places[start], end - source.places[start])


def _show(text: str) -> str:
    return text if len(text) <= _LONGEST else f"{text[:_LONGEST]}…"


def _without_code(text: str) -> str:
    return _CODE.sub(lambda match: " " * len(match[0]), text)


def _report(
    words: WordsAt,
    source: Flat,
    result: re.Match[str],
    what: str,
    hint: str,
    diagnostics: Diagnostics,
    *,
    group: int | str = 0,
    edits: tuple[Edit, ...] = (),
) -> None:
    text = result[group].strip()
    start = result.start(group) + len(result[group]) - len(result[group].lstrip())
    span = words.scalar.position(source.places[start], len(text))
    diagnostics.add(codes.MARKUP_NOT_KEPT, f"`{_show(text)}` {what}", span, suggestion=hint, edits=edits)


def list_links(blocks: tuple[Block, ...]) -> Iterator[LinkSpan]:
    """Yield every link in some blocks, in order, including those in lists, tables and emphasis."""
    for block in blocks:
        match block:
            case Paragraph(spans=spans):
                yield from _list_links(spans)
            case Items(items=items):
                for item in items:
                    yield from list_links(item)
            case Grid(head=head, rows=rows):
                for row in (head, *rows):
                    for cell in row:
                        yield from _list_links(cell)


def _list_links(spans: tuple[Span, ...]) -> Iterator[LinkSpan]:
    """Yield the links among spans of markup, including those inside emphasis."""
    for span in spans:
        if isinstance(span, LinkSpan):
            yield span
        elif isinstance(span, MarkupSpan):
            yield from _list_links(span.spans)


_ABROAD = re.compile(r"https://[A-Za-z0-9](?:[A-Za-z0-9.-]*[A-Za-z0-9])?(?::\d{1,5})?(?:[/?#][^\s<>\"'`{}|\\^]*)?")
_FILE = re.compile(r"([a-z][a-z0-9_-]*)\.md(?:#([a-z][a-z0-9_-]*))?")


@dataclass(frozen=True, slots=True)
class Abroad:
    """An external address, which must be `https:`."""

    address: str


@dataclass(frozen=True, slots=True)
class Home:
    """A destination in the book, by path: `pages.battle`, `pages.battle.siege`, `tables.prices`."""

    path: str


@dataclass(frozen=True, slots=True)
class Nowhere:
    """An invalid destination, with the reason and a suggestion."""

    message: str
    suggestion: str


def find_destination(target: str, ruleset: Ruleset) -> Abroad | Home | Nowhere:
    """Return the destination of a link: an `https:` address, a page or rule of the book, or else `Nowhere`.

    A page may also be given as a file name. `Nowhere` has a message and a suggestion. Addresses are not opened.
    """
    if _ABROAD.fullmatch(target):
        return Abroad(target)
    file = _FILE.fullmatch(target)
    path = f"pages.{file[1]}" + (f".{file[2]}" if file[2] else "") if file else target
    pages = {f"pages.{name}" for name in map_page_titles(ruleset)}
    if path in pages or (path.count(".") == 1 and find_rule_entry(path, ruleset) is not None):
        return Home(path)
    if file or path.partition(".")[0] in ("pages", *ruleset.resolved.rules.entries):
        hint = suggest_name(path, [*sorted(pages), *list_rule_paths(ruleset)])
        return Nowhere(f"there is no `{path}` in the book to link to", hint or "name an existing page or rule")
    return Nowhere(
        f"`{target}` is neither a path in the book nor an `https:` address",
        "write the path of a page or rule, such as `pages.…`, or an address that starts with `https://`",
    )
