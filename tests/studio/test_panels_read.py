"""The page beside the text is the book's own, and leads from each part of it to where that is written."""

from __future__ import annotations

import re

import pytest

from rulewright.base.errors import RulewrightError
from rulewright.book.dev_server.single_page import render_alone
from rulewright.book.rulebook import Book, render_site
from rulewright.book.style.rule_locations import FRONT, ODDS
from rulewright.ruleset.load_ruleset import load_ruleset
from rulewright.studio.panels import load_panels
from rulewright.studio.panels.panel import ServedFile
from tests.studio.conftest import RULES
from tests.studio.desk import Table


def served(table: Table, page: str) -> ServedFile:
    path, _, query = page.removeprefix("/book/").partition("?")
    serve = load_panels()["read"].serve
    assert serve is not None
    response = serve(table.desk, path, query)
    assert response is not None
    return response


def ids(html: str) -> set[str]:
    return set(re.findall(r'\bid="([^"]+)"', html))


@pytest.mark.parametrize("reference", ["pig/classic@1.0", "classics/yacht"])
def test_each_page_by_itself_is_that_of_the_whole_book(reference: str) -> None:
    ruleset = load_ruleset(reference)
    whole = render_site(ruleset)
    assert Book(ruleset).list_files() == [file for file in whole if file.endswith(".md") and file not in (FRONT, ODDS)]
    for file in Book(ruleset).list_files():
        assert Book(ruleset).render_page(file) == whole[file]
        # What the site has an id for has one here, too.
        assert ids(render_alone(Book(ruleset), file).body) >= ids(
            whole[file].partition('<div><svg class="rw-sprite"')[0]
        )


def test_the_thing_under_the_cursor_stands_on_the_page_and_looks_as_in_the_book(table: Table) -> None:
    response = table.ask("read", "pig/classic-1.0/pig.yaml", "id: luck", ref="house/pigs@0.1.0")
    assert (response["title"], response["anchor"], response["thing"]["path"]) == (
        "Pig",
        "game.luck",
        "procedures.game.luck",
    )
    page = served(table, response["page"])
    html = page.content.decode()
    assert 'id="game.luck"' in html
    # Data it may hold, as in the book; nothing that runs.
    assert not re.findall(r'<script(?! type="application/json")', html)
    assert "script-src" in page.policy
    styles = re.findall(r'<link rel="stylesheet" href="\.\./(assets/[^"]+)">', html)
    assert len(styles) == 3
    css = [served(table, f"/book/{style}") for style in styles]
    assert all(style.kind.startswith("text/css") for style in css)
    assert b"--rw-paper" in css[-1].content
    fonts = re.findall(rb"url\(\"?([^)\"]+[.]woff2)", b"".join(each.content for each in css))
    assert fonts
    assert all(served(table, f"/book/assets/{font.decode().strip(chr(34))}").kind == "font/woff2" for font in fonts)
    dark = table.ask("read", "pigs/rules.yaml", dark=True)
    assert b'data-md-color-scheme="slate"' in served(table, dark["page"]).content


def test_every_place_of_a_page_leads_to_the_line_that_says_so(table: Table) -> None:
    for page in table.ask("read", "pigs/rules.yaml")["pages"]:
        response = table.ask("read", "pigs/rules.yaml", page=page["page"])
        html = served(table, response["page"]).content.decode()
        assert set(response["places"]) <= ids(html)
        for at in response["places"].values():
            lines = table.files.place(at["path"]).read_text(encoding="utf-8").splitlines()
            assert at["thing"].rpartition(".")[2] in lines[at["line"] - 1]
    reference = table.ask("read", "pigs/rules.yaml", page="reference")["places"]
    assert (reference["table-weather"]["path"], reference["table-weather"]["readonly"]) == ("pigs/rules.yaml", False)


def test_a_cell_of_a_table_leads_to_its_value(table: Table) -> None:
    beds = "  beds:\n    title: Beds\n    columns: {size: int, cost: int}\n    rows:\n      small: {size: 1, cost: 3}\n"
    table.write("herd/tables.yaml", f"tables:\n{beds}      large:\n        size: 4\n        cost: 8\n")
    table.write("pigs/more.yaml", "tables: {beds: {rows: {large: {cost: 9}}}}\n")

    def find(*cell: object) -> tuple[str, str]:
        at = table.ask("read", "pigs/rules.yaml", cell=list(cell))["place"]
        line = table.files.place(at["path"]).read_text(encoding="utf-8").splitlines()[at["line"] - 1]
        return at["path"], line[at["column"] - 1 :]

    assert find("weather", 1) == ("pigs/rules.yaml", "7-13")
    assert find("beds", 0) == ("herd/tables.yaml", "small: {size: 1, cost: 3}")
    assert find("beds", 0, 1) == ("herd/tables.yaml", "3}")
    assert find("beds", 1, 0) == ("herd/tables.yaml", "4")
    # Of a row, the uppermost file that has a part of it.
    assert find("beds", 1) == ("pigs/more.yaml", "large: {cost: 9}}}}")
    assert find("beds", 1, 1) == ("pigs/more.yaml", "9}}}}")
    for cell in (["none", 0], ["beds"], ["beds", 7], ["beds", -1], "beds", [["beds"], 0]):
        with pytest.raises(RulewrightError, match=r"`cell`|no row"):
            table.ask("read", "pigs/rules.yaml", cell=cell)


def test_a_rule_without_a_home_is_read_where_it_is_used(table: Table) -> None:
    response = table.ask("read", "pigs/rules.yaml", "goal")
    assert (response["title"], response["thing"]["path"]) == ("Pig", "numbers.goal")
    assert response["anchor"]


def test_a_rule_on_no_page_says_so_and_how_it_gets_there(table: Table) -> None:
    example = "examples: {alone: {title: Alone, value: goal, expect: 50}}\n"
    table.write("pigs/more.yaml", example)
    response = table.ask("read", "pigs/more.yaml", "value")
    assert response["name"] == "pig"
    assert response["note"] == (
        "No page of the book shows `examples.alone`, so this is another page. "
        "To show it, list `examples.alone` under `show:` in a section of a page."
    )
    assert not table.ask("read", "pigs/more.yaml", "value", page="reference")["note"]
    assert not table.ask("read", "pigs/rules.yaml", "goal")["note"]


def test_the_page_changes_with_the_rules_and_its_address_too(table: Table) -> None:
    before = table.ask("read", "pigs/rules.yaml", "1d8")
    table.write("pigs/rules.yaml", RULES.replace("goal: 50", "goal: 73"))
    after = table.ask("read", "pigs/rules.yaml", "1d8")
    assert before["page"] != after["page"]
    assert b"73" in served(table, after["page"]).content
    table.write("pigs/rules.yaml", RULES.replace("goal: 50", "goal: {"))
    stale = table.ask("read", "pigs/rules.yaml", "1d8")
    assert stale["stale"]
    assert stale["page"] == after["page"]
    assert served(table, stale["page"]).content == served(table, after["page"]).content
    table.write("pigs/ruleset.yaml", "ruleset: [")
    assert b"73" in served(table, after["page"]).content


def test_pages_are_found_by_the_links_of_others_and_no_others_are_served(table: Table) -> None:
    response = table.ask("read", "pigs/rules.yaml", page="glossary.html#term-pot")
    whole = table.ask("read", "pigs/rules.yaml", page="/book/house-pigs@0.1.0/glossary.html?of=x#term-pot")
    assert whole == response
    assert (response["title"], response["anchor"]) == ("Glossary", "term-pot")
    with pytest.raises(RulewrightError, match="no page nowhere"):
        table.ask("read", "pigs/rules.yaml", page="nowhere.html")
    serve = load_panels()["read"].serve
    assert serve is not None
    for path in ("elsewhere/playing.html", "assets/../x", "assets/none.css", "house-pigs@0.1.0/nowhere.html", ""):
        assert serve(table.desk, path, "") is None
