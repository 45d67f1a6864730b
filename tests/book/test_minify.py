"""Minified pages: a browser makes the same document of them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import tinyhtml5

from rulewright.book.rulebook import render_site
from rulewright.book.style.minify import minify_page
from rulewright.ruleset.load_ruleset import load_ruleset
from tests.book.garden import write_garden


def read_document(page: str) -> list[tuple[Any, ...]]:
    """Return the elements and texts that a browser makes of a page, in order, with the attributes that scripts read."""
    return list(_read(tinyhtml5.parse(page, namespace_html_elements=False)))


def _read(element: Any) -> Iterator[tuple[Any, ...]]:
    kept = ("id", "href", "title", "aria-label", "open", "hidden", "type", "name", "value", "d", "points")
    yield ("start", element.tag, [(name, element.get(name)) for name in kept if element.get(name) is not None])
    as_it_is = element.tag in ("pre", "textarea", "script")
    yield from _text(element.text, as_it_is=as_it_is)
    for child in element:
        yield from _read(child)
        yield from _text(child.tail, as_it_is=as_it_is)
    yield ("end", element.tag)


_OWN = re.compile(r"<(style|symbol)\b.*?</\1>", re.DOTALL)
"""What is minified by its own rules."""


def _text(text: str | None, *, as_it_is: bool) -> Iterator[tuple[Any, ...]]:
    """Yield a text as a browser shows it. White space alone may be gone: next to blocks, nothing shows it."""
    if text and (as_it_is or text.strip()):
        yield ("text", text if as_it_is else re.sub(r"\s+", " ", text))


@pytest.mark.parametrize(
    "body",
    [
        "<ul><li>One</li><li><p>Two</p></li></ul><p>Three</p><div>Four</div>",
        "<div><p>One</p></div><p>Two</p><ol><li>Three<ul><li>Four</li></ul></li></ol><p>Five</p>Six",
        "<dl><div><dt>A</dt><dd>B</dd></div><dt>C</dt><dd>D</dd></dl>",
        "<table><thead><tr><th>A</th><th>B</th></tr></thead><tbody><tr><td>C</td><td>D</td></tr></tbody></table><p>E</p>",
        '<p>A <b>bold</b> <i>word</i>, and <a href="x.html?a=b&amp;c">a link</a>\n<em>here</em>.</p> text <p>B</p>',
        '<pre>  two\n    <i id="a-1" class="note">four  "x"\n</i></pre>',
        '<details open=""><summary>A</summary><p>B</p></details><figure>C</figure>',
        '<a href="#x"><p>One</p></a><p>Two</p><section><p>Three</p></section><p hidden="">Four</p>',
        '<p><svg viewBox="0 0 9 9"><path d="M1 1" fill="url(#a) var(--x)"/><use href="#i-x"/></svg></p><hr><p>A</p>',
    ],
)
def test_a_browser_reads_the_same(body: str) -> None:
    page = f"<!doctype html><html><head><title>T</title></head><body>{body}</body></html>"
    short = minify_page(page)
    assert len(short) <= len(page)
    assert read_document(short) == read_document(page)


def test_whole_pages_are_read_the_same(tmp_path: Path) -> None:
    pages = render_site(load_ruleset("garden/small", rules=[write_garden(tmp_path)]))
    files = [page for path, page in pages.items() if path.endswith(".html")]
    assert len(files) >= 2
    for page in files:
        short = minify_page(page)
        assert len(short) < 0.97 * len(page)
        assert read_document(_OWN.sub("", short)) == read_document(_OWN.sub("", page))


def test_drawings_have_the_looks_of_the_stylesheets() -> None:
    drawn = (
        '<g fill="var(--board-ink, #3a2f1d)"><text x="1" font-weight="bold" text-anchor="middle" fill="#fff">1</text>'
        '<path class="own" fill="var(--board-ink, #3a2f1d)"/><path fill="currentColor" fill-opacity=".16"/></g>'
    )
    assert minify_page(drawn) == (
        "<g class=k><text x=1 class=b>1</text><path class=own fill=var(--board-ink) /><path class=w /></g>"
    )
