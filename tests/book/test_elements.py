"""HTML is changed element by element, and what is not changed stays to the letter."""

from __future__ import annotations

from html.parser import HTMLParser
from itertools import accumulate

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rulewright.book.style.html_elements import Element, HtmlText

PAGE = (
    '<h1 class="rw-title">A <span class="x y">b<svg viewBox="0 0 1 1"><use href="#i"/></svg></span> &amp; c</h1>\n'
    '<p id="p">one<br>two <a href="a&amp;b#c" title="id=&quot;p&quot;">R&amp;D &lt;b&gt; a < b</a> end\n'
    "<script>if (a < b) { '</div>' }</script><details><ul><li>open<li>too</ul></details></p>"
)


def element(page: HtmlText, name: str) -> Element:
    return next(each for each in page.elements if each.name == name)


def test_nothing_changed_is_the_same_text() -> None:
    assert HtmlText(PAGE).changed() == PAGE


def test_elements_stand_in_the_order_in_which_they_begin_and_end_where_they_are_closed() -> None:
    page = HtmlText(PAGE)
    names = ["h1", "span", "svg", "use", "p", "br", "a", "script", "details", "ul", "li", "li"]
    assert [each.name for each in page.elements] == names
    assert (
        PAGE[element(page, "svg").start : element(page, "svg").end] == '<svg viewBox="0 0 1 1"><use href="#i"/></svg>'
    )
    assert element(page, "p").end == len(PAGE)
    assert page.inside(element(page, "script")) == "if (a < b) { '</div>' }"
    assert [each.name for each in page.within(element(page, "span"))] == ["svg", "use"]


def test_an_element_is_left_out_or_its_tags_are_or_they_change() -> None:
    page = HtmlText(PAGE)
    page.leave_out(element(page, "svg"))
    page.unwrap(element(page, "a"))
    page.retag(element(page, "h1"), {}, name="h2")
    page.retag(element(page, "p"), {"id": 'q"&'})
    page.retag(element(page, "details"), {"open": None})
    expected = PAGE.replace('<svg viewBox="0 0 1 1"><use href="#i"/></svg>', "")
    expected = expected.replace('<a href="a&amp;b#c" title="id=&quot;p&quot;">', "").replace("</a>", "")
    expected = (
        expected.replace("h1", "h2").replace('id="p"', 'id="q&quot;&amp;"').replace("<details>", "<details open>")
    )
    assert page.changed() == expected
    assert page.inside(element(page, "h1")) == 'A <span class="x y">b</span> &amp; c'


def test_an_attribute_is_not_taken_for_another_that_speaks_of_it() -> None:
    page = HtmlText('<a title=" href=&quot;x&quot;" href="x">y</a>')
    page.retag(element(page, "a"), {"href": "z"})
    assert page.changed() == '<a title=" href=&quot;x&quot;" href="z">y</a>'
    odd = HtmlText("<a href='x'>y</a>")
    with pytest.raises(ValueError, match="has `href` in an unexpected form"):
        odd.retag(element(odd, "a"), {"href": "z"})


def test_words_are_what_is_between_the_tags() -> None:
    page = HtmlText(PAGE)
    assert page.words(element(page, "h1")) == "A b &amp; c"
    assert page.words(element(page, "h1"), lambda each: each.has("class", "y")) == "A  &amp; c"
    assert page.words(element(page, "a")) == "R&amp;D &lt;b&gt; a < b"


class _Tags(HTMLParser):
    """The elements of a text as the standard library reads it: name, start, end of the first tag, attributes."""

    def __init__(self, text: str) -> None:
        super().__init__(convert_charrefs=False)
        self.found: list[tuple[str, int, str, dict[str, str | None]]] = []
        self._lines = [0, *accumulate(len(line) + 1 for line in text.split("\n"))]
        self.feed(text)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        line, column = self.getpos()
        self.found.append((tag, self._lines[line - 1] + column, self.get_starttag_text() or "", dict(attrs)))


PIECES = st.sampled_from(
    [
        *(
            "a",
            " < b ",
            "&amp;",
            "\n",
            '"',
            "'",
            "<!-- <p> -->",
            "</p>",
            "</ul>",
            "</nothing>",
            "<br>",
            "<img src='x'>",
        ),
        *('<p class="x y">', "<ul>", "<li>", '<a href="a&amp;b" hidden>', '<use href="#i"/>', "<SVG viewBox='0 0'>"),
        *('<a title="a > b">', "</a>", "<script>'<p>' < 1</script>", "<style>p > a {}</style>", "<td data-a=1>"),
    ]
)


@given(st.lists(PIECES, max_size=30).map("".join))
def test_elements_are_those_that_the_standard_library_reads(text: str) -> None:
    elements = HtmlText(text).elements
    read = [(each.name, each.start, text[each.start : each.inner], dict(each.attributes)) for each in elements]
    assert read == _Tags(text).found
    for each in elements:
        assert each.start < each.inner <= each.inner_end <= each.end
        if not each.is_empty:
            assert text[each.inner_end : each.end].lower() == f"</{each.name}>"
