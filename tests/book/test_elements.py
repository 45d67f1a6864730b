"""HTML is changed element by element, and what is not changed stays to the letter."""

from __future__ import annotations

import pytest

from rulewright.book.style.elements import Element, Html

PAGE = (
    '<h1 class="rw-title">A <span class="x y">b<svg viewBox="0 0 1 1"><use href="#i"/></svg></span> &amp; c</h1>\n'
    '<p id="p">one<br>two <a href="a&amp;b#c" title="id=&quot;p&quot;">R&amp;D &lt;b&gt; a < b</a> end\n'
    "<script>if (a < b) { '</div>' }</script><details><ul><li>open<li>too</ul></details></p>"
)


def element(page: Html, name: str) -> Element:
    return next(each for each in page.elements if each.open.name == name)


def test_nothing_changed_is_the_same_text() -> None:
    assert Html(PAGE).changed() == PAGE


def test_elements_stand_in_the_order_in_which_they_begin_and_end_where_they_are_closed() -> None:
    page = Html(PAGE)
    names = ["h1", "span", "svg", "use", "p", "br", "a", "script", "details", "ul", "li", "li"]
    assert [each.open.name for each in page.elements] == names
    assert (
        PAGE[element(page, "svg").start : element(page, "svg").end] == '<svg viewBox="0 0 1 1"><use href="#i"/></svg>'
    )
    assert element(page, "p").end == len(PAGE)
    assert page.inside(element(page, "script")) == "if (a < b) { '</div>' }"
    assert [each.open.name for each in page.within(element(page, "span"))] == ["svg", "use"]


def test_an_element_is_left_out_or_its_tags_are_or_they_change() -> None:
    page = Html(PAGE)
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
    page = Html('<a title=" href=&quot;x&quot;" href="x">y</a>')
    page.retag(element(page, "a"), {"href": "z"})
    assert page.changed() == '<a title=" href=&quot;x&quot;" href="z">y</a>'
    odd = Html("<a href='x'>y</a>")
    with pytest.raises(ValueError, match="does not write its href as this book does"):
        odd.retag(element(odd, "a"), {"href": "z"})


def test_words_are_what_is_between_the_tags() -> None:
    page = Html(PAGE)
    assert page.words(element(page, "h1")) == "A b &amp; c"
    assert page.words(element(page, "h1"), lambda tag: tag.has("class", "y")) == "A  &amp; c"
    assert page.words(element(page, "a")) == "R&amp;D &lt;b&gt; a < b"
