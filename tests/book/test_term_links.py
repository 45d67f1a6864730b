"""Terms are linked at their first mention in each section and cell, and nothing of the text is lost."""

from __future__ import annotations

import re

import pytest

from rulewright.book.style.html_elements import HtmlText
from rulewright.book.style.minify import minify_css
from rulewright.book.style.term_links import keep_first_links, link_terms_once
from tests.book.shipped import shipped_pages


def term(word: str, name: str = "man") -> str:
    icon = '<svg class="rw-icon" aria-hidden="true"><use href="#x"/></svg>'
    return f'<a class="rw-term" href="glossary.html#{name}">{icon}{word}</a>'


def links(html: str) -> list[str]:
    return re.findall(r'href="glossary.html#(\w+)"', html)


def text(html: str) -> str:
    return re.sub(r"<[^<>]*>", "", html)


def test_only_the_first_mention_in_a_section_is_a_link_with_a_picture() -> None:
    before = (
        f"<h2>One</h2><p>{term('Man')}, {term('Men')} and {term('ship', 'ship')}.</p><h3>Two</h3><p>{term('Men')}</p>"
    )
    after = link_terms_once(before)
    assert links(after) == ["man", "ship", "man"]
    assert after.count("<svg") == 3
    assert ", Men and " in after
    assert text(after) == text(before)


@pytest.mark.parametrize("tag", ["dt", "summary", "td", "th"])
def test_an_entry_and_a_cell_begin_anew_on_screens_alone(tag: str) -> None:
    cell = f"<{tag}>{term('Man')} {term('Men')}</{tag}>"
    assert links(link_terms_once(cell * 2)) == ["man", "man"]
    assert link_terms_once(cell * 2).count("<svg") == 1, "the picture is at the first mention in the section"
    printed = HtmlText(cell * 2)
    keep_first_links(printed)
    assert links(printed.changed()) == ["man"]


def test_no_word_of_a_book_is_lost() -> None:
    pages = {path: page for path, page in shipped_pages("pig/classic@1.0.0").items() if path.endswith(".md")}
    assert pages
    for path, page in pages.items():
        body = re.sub(r'<span class="rw-emoji.*?</span>', "", page)
        assert text(link_terms_once(body)) == text(body), path
        assert set(links(link_terms_once(body))) == set(links(body)), path


def test_a_stylesheet_loses_nothing_but_comments_and_blanks() -> None:
    css = (
        '/* A note. */\na:is(b, c) > d {\n  margin: 0 1px;\n  content: "x y";\n}\n\n'
        "@media print { e { top: calc(1px + 2px); } }\n"
    )
    assert minify_css(css) == 'a:is(b,c)>d{margin: 0 1px;content: "x y";}@media print{e{top: calc(1px + 2px);}}'
