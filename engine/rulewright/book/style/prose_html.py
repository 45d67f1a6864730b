"""The only conversion of text to HTML: `escape` for literal text, `prose` for words with markup.

All text of a ruleset reaches pages through this module, so no text can add an element, an attribute or a script. Its
output is HTML, in which Markdown, used for headings only, finds nothing to convert.
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from html import unescape

from rulewright.book.style.fill_placeholders import render_placeholder
from rulewright.book.style.text_style import HtmlStyle, Style, escape
from rulewright.ruleset.prose.allowed_markup import Abroad, Home, find_destination
from rulewright.ruleset.prose.book_language import ENGLISH, Language
from rulewright.ruleset.prose.markup import (
    Block,
    Grid,
    Items,
    LinkSpan,
    MarkupSpan,
    Paragraph,
    Span,
    TextSpan,
    parse_blocks,
)
from rulewright.ruleset.prose.placeholders import Literal, Placeholder, begins_sentence, parse_parts

_DASHES = (("---", "—"), ("--", "–"), ("...", "…"))
_OPENS = frozenset(" \t\n\N{NO-BREAK SPACE}([{–—“‘/")
_DIGITS = frozenset("0123456789")
_WORD = "x"
"""A substitute for a placeholder before a quotation mark: a word that ends with a letter."""

_TAG = re.compile(r"<[^<>]*>")
_MARKS = re.compile(r"(?<!&)#|[!()*=\[\\\]^_`{|}~]")


def render_prose(words: str, style: HtmlStyle) -> str:
    """Return words with markup as paragraphs, lists and tables."""
    return "\n".join(_block(block, style) for block in parse_blocks(words))


def render_plain_prose(words: str, ruleset_style: Style) -> str:
    """Return words with markup as plain text on one line, their markup left out."""
    results = [text for block in parse_blocks(words) for text in _texts(block, ruleset_style)]
    return " ".join(" ".join(results).split())


def set_typography(text: str, before: str = "", language: Language = ENGLISH) -> str:
    """Return text with typographic quotation marks, dashes and ellipses.

    `before` is the character before the text.
    """
    outer, closing, inner, ending = language.quotes
    for written, printed in _DASHES:
        text = text.replace(written, printed)
    result = []
    for at, character in enumerate(text):
        if character in "\"'":
            opens = (before in _OPENS or not before) and not (
                character == "'" and text[at + 1 : at + 2] in _DIGITS and text[at + 1 : at + 2]
            )
            marks = (outer, closing) if character == '"' else (inner, ending)
            if character == "'" and before.isalpha():
                marks = ("’", "’")  # an apostrophe in any style of quotation marks
            character = marks[0] if opens else marks[1]
        result.append(character)
        before = character
    return "".join(result)


def render_heading(words: str, ruleset_style: Style) -> str:
    """Return the words of a heading as plain text.

    Hand-written text gets typographic quotes and dashes, but placeholders do not.
    """
    heading = ""
    for part in parse_parts(words):
        if isinstance(part, Placeholder):
            heading += render_placeholder(part, ruleset_style, first=begins_sentence(heading))
        else:
            heading += (
                set_typography(part.text, heading[-1:], ruleset_style.language)
                if isinstance(part, Literal)
                else part.text
            )
    return heading


def format_front_matter(title: str, about: str) -> str:
    """Return the lines of a page's front matter with its title and description, without `---` around them.

    Both are escaped for HTML, because themes insert them as they are. Empty ones are left out.
    """
    texts = {"title": title, "description": about}
    return "".join(
        f"{key}: {json.dumps(escape(' '.join(text.split())), ensure_ascii=False)}\n"
        for key, text in texts.items()
        if text
    )


def escape_attribute(html: str) -> str:
    """Return HTML as the value of an attribute: its text alone."""
    return escape(" ".join(unescape(_TAG.sub("", html)).split()))


def escape_for_markdown(html: str) -> str:
    """Return HTML on one line, with all characters escaped that Markdown would read as markup."""
    saved = []
    at = 0
    for tag in _TAG.finditer(html):
        saved += [_MARKS.sub(_escape_number, html[at : tag.start()]), tag[0]]
        at = tag.end()
    return "".join([*saved, _MARKS.sub(_escape_number, html[at:])]).replace("\n", " ")


def _escape_number(result: re.Match[str]) -> str:
    return f"&#{ord(result[0])};"


# -- blocks ------------------------------------------------------------------------------


def _block(block: Block, style: HtmlStyle) -> str:
    """Return a block as HTML. Each paragraph, item and cell has quotation marks of its own."""
    match block:
        case Paragraph(spans=spans):
            return f"<p>{_Line(style).all(spans)}</p>"
        case Items(ordered=ordered, items=items):
            name = "ol" if ordered else "ul"
            return f"<{name}>\n" + "".join(f"<li>{_item(item, style)}</li>\n" for item in items) + f"</{name}>"
        case Grid(head=head, rows=rows):
            heads = "".join(f'<th scope="col">{_Line(style).all(cell)}</th>' for cell in head)
            lines = "".join(
                "<tr>" + "".join(f"<td>{_Line(style).all(cell)}</td>" for cell in row) + "</tr>\n" for row in rows
            )
            label = style.language.translate("Table")
            return (
                f'<div class="rw-scroll" role="region" tabindex="0" aria-label="{label}"><table class="rw-table">\n'
                f"<thead><tr>{heads}</tr></thead>\n<tbody>\n{lines}</tbody>\n</table></div>"
            )
    raise TypeError(f"a {type(block).__name__} is not a block")


def _item(item: Sequence[Block], style: HtmlStyle) -> str:
    """Return a list item. Its first paragraph has no `<p>` element."""
    result = [_block(block, style) for block in item]
    if item and isinstance(item[0], Paragraph):
        result[0] = result[0].removeprefix("<p>").removesuffix("</p>")
    return "\n".join(result)


class _Line:
    """The rendering of spans in sequence. Quotation marks depend on the text before them, across markup."""

    def __init__(self, style: HtmlStyle) -> None:
        self.style = style
        self.before = ""
        self.said = ""

    def all(self, spans: Sequence[Span], *, code: bool = False, linked: bool = False) -> str:
        """Return the HTML of spans in order."""
        return "".join(self._one(span, code=code, linked=linked) for span in spans)

    def _one(self, span: Span, *, code: bool, linked: bool) -> str:
        """Return a span as HTML, and note its last character for the quotation marks that follow.

        Placeholders have no links in `code` and in a span that is `linked` already.
        """
        match span:
            case TextSpan(text=text):
                set_ = text if code else set_typography(text, self.before, self.style.language)
                self.before = set_[-1:]
                self.said += set_
                return escape(set_)
            case Placeholder():
                style = self.style.unlinked() if linked or code else self.style
                result = render_placeholder(span, style, first=begins_sentence(self.said) and not code)
                self.before = _WORD
                self.said += _WORD
                return result
            case MarkupSpan(mark=mark, spans=inner):
                return f"<{mark}>{self.all(inner, code=code or mark == 'code', linked=linked)}</{mark}>"
            case LinkSpan(target=target, spans=inner):
                href = _href(target, self.style)
                result = self.all(inner, code=code, linked=True)
                return f'<a href="{escape(href)}"{self.style.abroad(href)}>{result}</a>' if href is not None else result
        raise TypeError(f"a {type(span).__name__} is not a span")


def _href(target: str, style: HtmlStyle) -> str | None:
    """Return the address of a link, or None if its target is unknown or has no address."""
    match find_destination(target, style.ruleset):
        case Abroad(address=address):
            return address
        case Home(path=path):
            return style.link(path)
    return None


def _texts(block: Block, style: Style) -> list[str]:
    """Return the text of each paragraph, item and cell in a block."""
    match block:
        case Paragraph(spans=spans):
            return [_text(spans, style)]
        case Items(items=items):
            return [text for item in items for inner in item for text in _texts(inner, style)]
        case Grid(head=head, rows=rows):
            return [_text(cell, style) for row in (head, *rows) for cell in row]
    raise TypeError(f"a {type(block).__name__} is not a block")


def _text(spans: Sequence[Span], style: Style) -> str:
    """Return spans as plain text, with the words of links and markup."""
    result = ""
    for span in spans:
        match span:
            case TextSpan(text=text):
                result += set_typography(text, result[-1:], style.language)
            case Placeholder():
                result += render_placeholder(span, style, first=begins_sentence(result))
            case MarkupSpan(spans=inner) | LinkSpan(spans=inner):
                result += _text(inner, style)
    return result
