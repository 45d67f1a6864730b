"""The whole book as one page, to be printed or read in one go. Every link to another of its pages stays inside it."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from html import unescape
from typing import Any

from rulewright.base.incremental.known_values import get_value
from rulewright.book.pages.page import PageWriter
from rulewright.book.parts.course_chart import build_course
from rulewright.book.parts.template_loader import render
from rulewright.book.style.assets import build_sprite
from rulewright.book.style.content_security import FILES
from rulewright.book.style.html_elements import Element, HtmlText
from rulewright.book.style.prose_html import render_prose
from rulewright.book.style.rule_locations import AID, FRONT, HOLDINGS, ODDS, PLAY, PLAYS, WHOLE
from rulewright.book.style.term_links import keep_first_links
from rulewright.ruleset.editions.icons import COVER_ID
from rulewright.ruleset.prose.book_language import describe_players

LEFT_OUT = frozenset({FRONT, AID, HOLDINGS, ODDS, PLAY, PLAYS})
"""The pages that are no part of the rules, for screens, or for designers."""

EXTENSIONS = ("attr_list",)
"""The Markdown extensions: those of the site, except for the table of contents."""

_UNSAFE = dict.fromkeys(map(ord, "\"'\\<>\n\r"))
"""The characters that are not safe in a quoted string of a stylesheet."""

_LOWER = {"h1": "h2", "h2": "h3", "h3": "h4", "h4": "h5"}


def render_whole_page(writer: PageWriter, bodies: Mapping[str, str]) -> str:
    """Return pages of a book as one HTML file, in their order and without those in `LEFT_OUT`.

    `bodies` has the content of each file. `writer` writes the title page.
    """
    ruleset = writer.ruleset
    files = [file for file in bodies if file not in LEFT_OUT]
    chapters = [
        get_value(["chapter", file, bodies[file], files], partial(_chapter, file, bodies[file], frozenset(files)))
        for file in files
    ]
    body = render(
        "whole.html.j2",
        writer.language,
        policy=FILES,
        assets=writer.assets,
        title=writer.html.escape(ruleset.title),
        said=quote_for_css(ruleset.title),
        cover=COVER_ID if COVER_ID in writer.pictures else "",
        about=_rewrite_links(render_prose(ruleset.about, writer.html), WHOLE, frozenset(files)),
        players=describe_players(ruleset),
        version=ruleset.version,
        reference=ruleset.reference,
        digest=ruleset.digest,
        course=_course(writer, frozenset(files)),
        chapters=chapters,
    )
    return body.replace("<!-- sprite -->", build_sprite(body, writer.pictures))


def quote_for_css(text: str) -> str:
    """Return text escaped for a quoted string in a stylesheet."""
    return text.translate(_UNSAFE)


def _course(writer: PageWriter, files: frozenset[str]) -> str:
    stages = build_course(writer.html, writer.places)
    return _rewrite_links(render("sequence.j2", writer.language, stages=stages), WHOLE, files) if stages else ""


def _chapter(file: str, text: str, files: frozenset[str]) -> dict[str, Any]:
    """Return a page of the book as a part of the whole, for the template.

    `sections` are the addresses and headings of numbered sections.
    """
    page = HtmlText(_html(text))
    title = next((each for each in page.elements if each.name == "h1" and each.has("class", "rw-title")), None)
    picture = next((each for each in page.within(title) if _is_picture(each)), None) if title is not None else None
    # The same table may be in two chapters, so its label includes the chapter.
    title_text = page.words(title, _is_picture).strip() if title is not None else _stem(file)
    _readdress(page, file, files, title_text=unescape(title_text))
    keep_first_links(page)
    _leave_out_what_is_for_screens(page)
    name = _stem(file)
    if title is not None:
        name = page.inside(title)
        if picture is not None:
            name = page.changed(title.inner, picture.start) + page.changed(picture.end, title.inner_end)
    sections = [
        [_address("id", identity, file, files), _strip_links(page, heading)]
        for heading in page.elements
        if heading.name == "h2" and (identity := heading.get("id"))
        if any(each.has("class", "rw-number") for each in page.within(heading))
    ]
    return {"id": _stem(file), "title": name, "html": page.changed(), "sections": sections}


def _is_picture(element: Element) -> bool:
    return element.name == "span" and element.has("class", "rw-title__icon")


def _leave_out_what_is_for_screens(page: HtmlText) -> None:
    """Remove the elements that make sense only on a screen, such as the logs of examples and the titles of spaces."""
    for drawing in page.elements:
        if drawing.name == "svg" and drawing.get("role") == "img":
            for element in [each for each in page.within(drawing) if each.name == "title"][1:]:
                page.change(element.start, element.end, "")
    for element in page.elements:
        hidden = element.name == "span" and "hidden" in element.attributes
        within = hidden or element.has("class", "rw-from")
        if within or any(element.has("class", name) for name in ("rw-beside", "rw-pictures", "rw-log")):
            # Also remove the white space before the element, which would otherwise be doubled.
            start = element.start
            while start and page.text[start - 1] == (" " if within else "\n"):
                start -= 1
            page.change(start, element.end, "")


def _html(text: str) -> str:
    from markdown import markdown

    result: str = markdown(text, extensions=list(EXTENSIONS), output_format="html")
    return result


def _rewrite_links(html: str, file: str, files: frozenset[str]) -> str:
    page = HtmlText(html)
    _readdress(page, file, files)
    return page.changed()


def _readdress(page: HtmlText, file: str, files: frozenset[str], *, title_text: str = "") -> None:
    """Adapt a page to the whole book: addresses, heading levels, and open details.

    `title_text` precedes the labels of scrollable parts.
    """
    for element in page.elements:
        attributes: dict[str, str | None] = {}
        for name in ("id", "href"):
            value = element.get(name)
            if value is not None and (address := _address(name, value, file, files)) != value:
                attributes[name] = address
        if element.name == "details" and "open" not in element.attributes:
            attributes["open"] = None
        label = element.get("aria-label")
        if title_text and label is not None and element.get("role") == "region":
            attributes["aria-label"] = f"{title_text}: {label}"
        if attributes or element.name in _LOWER:
            page.retag(element, attributes, name=_LOWER.get(element.name, ""))


def _address(attribute: str, value: str, file: str, files: frozenset[str]) -> str:
    """Return an `id` or `href` of a page, as it is in the whole book.

    Ids begin with the name of their chapter. Links to chapters stay inside, those to the front page lead to the
    contents, and those to other pages lead to HTML files.
    """
    if attribute == "id":
        return f"{_stem(file)}.{value}"
    path, mark, fragment = value.partition("#")
    if fragment.startswith("i-") or ":" in path:
        return value
    if (path or file) in files:
        return f"#{_stem(path or file)}" + (f".{fragment}" if fragment else "")
    if path == FRONT:
        return "#book-contents"
    return f"{_stem(path)}.html{mark}{fragment}" if path.endswith(".md") else value


def _strip_links(page: HtmlText, heading: Element) -> str:
    """Return the content of a heading without its links."""
    html_text = HtmlText(page.inside(heading))
    for each in html_text.elements:
        if each.name == "a":
            html_text.unwrap(each)
    return html_text.changed()


def _stem(file: str) -> str:
    return file.removesuffix(".md").removesuffix(".html")
