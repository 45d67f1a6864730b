"""What a page gives to the index of its book."""

from __future__ import annotations

from rulewright.book.search.search_index import LONGEST_STEP, SearchEntry, read_page, search_index
from tests.site.crawl import unpack_index


def only(html: str) -> SearchEntry:
    (entry,) = read_page("a.html", "A", html).entries
    return entry


def test_a_section_has_its_number_title_and_words() -> None:
    heading = '<h2 id="b"><span class="rw-number">B.1</span> Digging<a class="headerlink">§</a></h2>'
    html = f"<h1>Beds</h1><p>All of them.</p>{heading}<p>Dig <b>deep</b>.</p>"
    first, second = read_page("beds.html", "Beds", html, ("plot",)).entries
    assert first == SearchEntry("beds.html", "", "Beds", "All of them.", "plot")
    assert second == SearchEntry("beds.html#b", "B.1", "Digging", "Dig deep.")


def test_cells_and_paragraphs_stand_apart() -> None:
    table = "<table><tr><th>Size</th><th>Cost</th></tr>\n<tr><td>Small</td><td>5</td></tr></table>"
    assert only(f"<p>First</p><p>second\nline.</p>{table}").text == "First · second line. Size · Cost · Small · 5"


def test_what_stands_beside_the_rules_finds_nothing() -> None:
    beside = '<div class="rw-beside"><details><summary>In other editions</summary>Weed</details></div>'
    hidden = '<p data-search-exclude>Weed</p><script>"Weed"</script><svg><title>Weed</title></svg>'
    assert only(f"<p>Rose</p>{beside}{hidden}<p>Lily</p>").text == "Rose · Lily"


def test_words_that_are_not_shown_find_a_section_but_are_no_part_of_its_text() -> None:
    entry = only("<p>Rose <span hidden>seedling</span></p>")
    assert (entry.text, entry.hidden) == ("Rose", "seedling")


def test_steps_and_rulings_are_found_by_their_numbers() -> None:
    html = (
        '<details id="procedure-dig"><summary><span class="rw-label">Step by step '
        '<span class="rw-label__number">B.1a</span></span> Digging</summary>'
        f'<ol><li id="dig.deep"><a class="rw-cite" href="#dig.deep">B.1a.1</a> Dig {"deep " * 99}</li></ol></details>'
        '<div class="rw-ruling" id="ruling-x"><p class="rw-ruling__question"><span class="rw-label">Ruling R.2</span> '
        "How deep?</p><p>Very.</p></div><ol><li>No number</li></ol>"
    )
    dig, step, ruling = read_page("beds.html", "Beds", html).numbers
    assert (dig.number, dig.location, dig.title) == ("B.1a", "beds.html#procedure-dig", "Digging")
    assert (step.number, step.location, step.title) == ("B.1a.1", "beds.html#dig.deep", "Digging")
    assert step.text.startswith("Dig deep")
    assert len(step.text) <= LONGEST_STEP + 2
    assert (ruling.number, ruling.title, ruling.text) == ("R.2", "How deep?", "Very.")


def test_the_index_has_a_ruling_once_where_it_is_at_home_and_with_its_title() -> None:
    text = '<p class="rw-ruling__question"><span class="rw-label">R.2</span> Why?</p>'
    ruling = f'<div class="rw-ruling" id="ruling-x">{text}<p>Because.</p></div>'
    script = search_index("Garden", [read_page(name, name, ruling) for name in ("beds.html", "rulings.html")])
    index = unpack_index(script)
    rulings = [entry for entry in index["entries"] if entry[1]]
    assert rulings == [["rulings.html#ruling-x", "R.2", "Why?", "Because.", "", "rulings.html", 1]]
    assert index["numbers"] == []
