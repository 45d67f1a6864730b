"""What `check` says of markup that the book will not keep, and of links that lead nowhere."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from rulewright.ruleset import word_codes as codes
from rulewright.ruleset.words.links import Nowhere, destination
from rulewright.ruleset.words.markup import Block, Flat, Grid, Items, Linked, Marked, Paragraph, Span, blocks, flat
from rulewright.source.diagnostics.collected import Diagnostics

if TYPE_CHECKING:
    from rulewright.ruleset.ruleset import Ruleset
    from rulewright.ruleset.words.walk import Words

WITH_MARKUP = (
    ("manifest", "about"),
    ("pages", "*", "sections", "*", "text"),
    ("pages", "*", "sections", "*", "notes", "*", "text"),
    ("faq", "*", "answer"),
)
"""Words that may hold markup; elsewhere all of it stands for itself."""

_CODE = re.compile(r"(`+)[^`]+?\1")
_FENCE = re.compile(r"^ {0,3}(?:`{3,}|~{3,}).*$", re.MULTILINE)
_ANYWHERE = (
    (
        re.compile(r"</?[A-Za-z][^<>]*>|<!--|<[!?][A-Za-z\[]"),
        "is HTML, which readers will see as it is written",
        "write `**bold**`, `*italic*` or a list where it is meant to look so, and leave out the rest",
    ),
    (
        re.compile(r"&(?:#\d{1,7}|#[xX][0-9A-Fa-f]{1,6}|[A-Za-z]{2,20});"),
        "is an HTML entity, which readers will see as it is written",
        "write the character itself",
    ),
    (
        re.compile(r"!\[[^\[\]]*\](?:\([^()]*\))?"),
        "is a picture, which texts cannot hold",
        "draw the term's icon as `icons/TERM.svg`, and write `{TERM.icon}`",
    ),
)
_MARKED = (
    (
        re.compile(r"\{:?[ ]*[#.]?[\w-]+[ ]*=[^{}]*\}|\{:[^{}]*\}|\{[ ]*[#.][\w-]+[ ]*\}"),
        "gives attributes to HTML, which texts cannot",
        "leave it out",
    ),
    (
        re.compile(r"^ {0,3}#{1,6}[ ].*$", re.MULTILINE),
        "is a heading, which texts cannot hold",
        "begin a section or a note, which have titles, or write it in `**bold**`",
    ),
    (re.compile(r"^ {0,3}>.*$", re.MULTILINE), "is a quotation, which texts cannot hold", "write it as a note"),
    (
        _FENCE,
        "is a block of code, which texts cannot hold",
        "write `code` within the line",
    ),
    (
        re.compile(r"^ {0,3}\[[^\[\]]+\]:.*$|\[[^\[\]]+\]\[[^\[\]]*\]", re.MULTILINE),
        "is a link by reference, which texts cannot hold",
        "write `[words](target)`",
    ),
    (re.compile(r"<https?://[^<>\s]*>"), "is a link without words", "write `[words](https://…)`"),
)
_PLAIN = (
    (
        re.compile(r"\*\*[^*\s][^*]*\*\*|\[[^\[\]]+\]\([^()\s]+\)"),
        "is markup, which this field does not read",
        "write it plainly; the text of a section, a note or an answer may hold markup",
    ),
)


_RUN_ON = re.compile(r"(?:\A|\n[ \t]*\n)(?![-*+] |[ \t])(?:[^\n]+\n)+?(?P<item> {0,3}[-*+] +\S[^\n]*)")
"""A list that begins below a line of text, without the empty line between them."""


def lint_markup(words: Words, ruleset: Ruleset, diagnostics: Diagnostics) -> None:
    """Check one text."""
    source = flat(words.scalar.text)
    marked = any(_fits(pattern, words.path) for pattern in WITH_MARKUP)
    bare = _without_code(source.text) if marked else source.text
    for rules in (_ANYWHERE, _MARKED if marked else _PLAIN):
        for pattern, what, hint in rules:
            for found in pattern.finditer(source.text if pattern is _FENCE else bare):
                _report(words, source, found, what, hint, diagnostics)
    if marked:
        for run_on in _RUN_ON.finditer(bare):
            hint = "leave an empty line before a list"
            _report(words, source, run_on, "runs on from the line before", hint, diagnostics, group="item")
        for link in links(blocks(words.scalar.text)):
            there = destination(link.target, ruleset)
            if isinstance(there, Nowhere):
                span = words.scalar.position(link.start, max(1, len(link.target)))
                diagnostics.add(codes.BAD_LINK, there.message, span, suggestion=there.suggestion)


def _fits(pattern: tuple[str, ...], path: tuple[str, ...]) -> bool:
    return len(pattern) == len(path) and all(part in ("*", own) for part, own in zip(pattern, path, strict=True))


def _without_code(text: str) -> str:
    return _CODE.sub(lambda found: " " * len(found[0]), text)


def _report(
    words: Words,
    source: Flat,
    found: re.Match[str],
    what: str,
    hint: str,
    diagnostics: Diagnostics,
    *,
    group: int | str = 0,
) -> None:
    said = found[group].strip()
    start = found.start(group) + len(found[group]) - len(found[group].lstrip())
    span = words.scalar.position(source.places[start], len(said))
    short = said if len(said) <= 40 else f"{said[:40]}…"
    diagnostics.add(codes.MARKUP_NOT_KEPT, f"`{short}` {what}", span, suggestion=hint)


def links(found: tuple[Block, ...]) -> Iterator[Linked]:
    """Every link of a text, in order."""
    for block in found:
        match block:
            case Paragraph(spans=spans):
                yield from _linked(spans)
            case Items(items=items):
                for item in items:
                    yield from links(item)
            case Grid(head=head, rows=rows):
                for row in (head, *rows):
                    for cell in row:
                        yield from _linked(cell)


def _linked(spans: tuple[Span, ...]) -> Iterator[Linked]:
    for span in spans:
        if isinstance(span, Linked):
            yield span
        elif isinstance(span, Marked):
            yield from _linked(span.spans)
