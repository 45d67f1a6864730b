"""The pages that come out of a ruleset."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from jsonschema import Draft202012Validator

from rulewright.book.pages.page import NOTES
from rulewright.book.parts.table_views import format_percent
from rulewright.book.rulebook import render_site
from rulewright.ruleset.load_ruleset import load_ruleset
from tests.book.garden import garden, steps, write_garden
from tests.book.shipped import shipped_pages
from tests.language.inline import sound

PRINTED = ("whole.html", "short.html", "cards.html")


@pytest.fixture
def site(tmp_path: Path) -> dict[str, str]:
    return render_site(garden(tmp_path))


def test_the_pages_come_in_the_order_of_the_book(site: dict[str, str]) -> None:
    assert list(site) == [
        "index.md",
        "growing.md",
        "aid.md",
        "settings.md",
        "holdings.md",
        "glossary.md",
        "index-of-the-book.md",
        "odds.md",
        *PRINTED,
        "rules.json",
        "rules.schema.json",
    ]


def test_sections_are_numbered_by_their_page_and_place(tmp_path: Path, site: dict[str, str]) -> None:
    (page,) = garden(tmp_path).pages.values()
    assert [section.number for section in page.sections] == ["G.1", "G.2"]
    assert '## <span class="rw-number">G.1</span> Tending a Bed { #tending }' in site["growing.md"]


def test_an_inserted_section_moves_the_numbers_and_keeps_the_addresses(tmp_path: Path) -> None:
    rules = steps().replace("      tending:\n", "      first: {title: First, text: Dig.}\n      tending:\n", 1)
    ruleset = load_ruleset("garden/small", rules=[write_garden(tmp_path, rules)])
    assert "G.2</span> Tending a Bed { #tending }" in render_site(ruleset)["growing.md"]


def test_a_roll_table_shows_faces_result_and_chance(site: dict[str, str]) -> None:
    table = site["growing.md"].split('id="table-weather"')[1].split("</table>")[0]
    rows = [re.sub(r"<[^>]+>", " ", row).split() for row in re.findall(r"<tr>(.*?)</tr>", table)]
    assert rows == [
        ["Roll", "Result", "Rain", "Chance"],
        ["1–3", "Dry", "1d6", "avg.&#8239;3.5", "75", "%"],
        ["4", "Pouring", "rain", "2d6", "+1", "avg.&#8239;8", "25", "%"],
    ]
    assert "--share:75%" in table
    assert 'title="3 to 13, 8 on average"' in table


def test_the_odds_chart_rolls_whose_results_differ_in_likelihood(site: dict[str, str]) -> None:
    charts, _, table = site["odds.md"].partition("{ #even }")
    assert 'id="roll-2d6+1"' in charts
    assert "3 to 13 · mean 8 · most often 6 to 10: 66.67 %" in charts
    (usual,) = re.findall(r'rw-usual" d="([^"]*)"', charts.split('id="roll-2d6+1"')[1].split("</svg>")[0])
    assert usual.count("M") == 5, "a bar for each total from 6 to 10"
    assert "deviation" not in site["odds.md"]
    assert 'id="roll-1d6"' in table
    assert "<svg" not in table.split('<div><svg class="rw-sprite"')[0]


def test_results_that_are_not_neighbours_are_listed_as_a_series() -> None:
    _, _, table = shipped_pages("fuzzy-knights/normal@1.0")["odds.md"].partition("{ #even }")
    results = dict(re.findall(r'<tr id="roll-([^"]+)"><th.*?</th><td>([^<]*)</td>', table))
    assert results["1d6"] == "1 to 6"
    assert results["3*1d6"] == "3, 6, …, 18"
    assert results["1dP"] == "10, 20, …, 100"


def test_a_procedure_unfolds_into_steps_with_addresses(site: dict[str, str]) -> None:
    procedure = site["growing.md"].split('<details class="rw-procedure" id="procedure-tend">')[1].split("</details>")[0]
    assert '<li id="tend.last">' in procedure
    assert "Special case." in procedure


def test_an_example_is_worked_out(site: dict[str, str]) -> None:
    example = site["growing.md"].split('id="example-fair"')[1].split("</div>")[0]
    assert "A fair share (whole: 19; of: 2)" in example
    assert ">9<" in example


def test_notes_are_marked_as_what_they_are(site: dict[str, str]) -> None:
    assert '<div class="rw-note rw-note--tip" id="tending-thirst">' in site["growing.md"]
    assert set(NOTES) == {"reminder", "tip", "special"}


def test_settings_and_glossary_are_made_from_the_rules(site: dict[str, str]) -> None:
    assert "Half shade" in site["settings.md"]
    assert 'id="term-plant"' in site["glossary.md"]
    assert "also: Herb" in site["glossary.md"]
    assert 'href="growing.md#tending"' in site["glossary.md"]


def test_the_rules_travel_as_data(site: dict[str, str]) -> None:
    data = json.loads(site["rules.json"])
    assert data["ruleset"] == "garden/small"
    assert data["rules"]["tables"]["sizes"]["rows"]["tree"]["price"] == 5


def test_the_schema_beside_the_data_tells_sound_rules_from_others(site: dict[str, str]) -> None:
    data = json.loads(site["rules.json"])
    schema = json.loads(site[data["$schema"]])
    Draft202012Validator.check_schema(schema)
    sound = Draft202012Validator(schema)
    assert list(sound.iter_errors(data)) == []
    data["rules"]["tables"]["sizes"]["rows"] = []
    data["players"] = [1]
    faults = {error.json_path for error in sound.iter_errors(data)}
    assert faults == {"$.rules.tables.sizes.rows", "$.players"}


def test_a_drawing_beside_the_rules_is_used_and_cleaned(tmp_path: Path) -> None:
    folder = write_garden(tmp_path) / "garden" / "icons"
    folder.mkdir()
    shapes = '<script>x()</script><path d="M0 0h8" onclick="x()"/>'
    drawn = f'<svg xmlns="http://www.w3.org/2000/svg" onload="x()" viewBox="0 0 8 8">{shapes}</svg>'
    (folder / "plant.svg").write_text(drawn, encoding="utf-8")
    (folder / "water.svg").write_text("<!DOCTYPE svg><svg/>", encoding="utf-8")
    page = render_site(load_ruleset("garden/small", rules=[tmp_path]))["growing.md"]
    assert '<use href="#i-plant"/>' in page
    assert '<symbol id="i-plant" viewBox="0 0 8 8"><title>Plant</title><path d="M0 0h8" /></symbol>' in page
    assert "x()" not in page
    assert "i-water" not in page


def test_two_renderings_are_the_same(tmp_path: Path) -> None:
    assert render_site(garden(tmp_path)) == render_site(garden(tmp_path))


@pytest.mark.parametrize("reference", ["fuzzy-knights/normal@1.0", "pig/classic@1.0"])
def test_shipped_pages_hold_no_hole_and_no_repr(reference: str) -> None:
    for path, text in shipped_pages(reference).items():
        if path.endswith(".md"):
            body = re.sub(r"\{ #[\w.-]+ \}|<script.*?</script>", "", text, flags=re.DOTALL)
            assert not re.search(r"[{}]|<rulewright|object at 0x|Undefined|\bNone\b(?! of )", body), path


def test_shipped_pages_are_those_of_the_rules() -> None:
    site = shipped_pages("fuzzy-knights/normal@1.0")
    expected = {"dice", "resources", "items", "mines", "monsters", "settlements", "battle", "rulings", "glossary"}
    assert expected <= {path.removesuffix(".md") for path in site}


def test_every_step_of_every_procedure_has_an_address() -> None:
    ruleset = load_ruleset("fuzzy-knights/normal@1.0")
    pages = "".join(text for path, text in shipped_pages("fuzzy-knights/normal@1.0").items() if path.endswith(".md"))
    rules = {step.rule for procedure in ruleset.procedures.values() for step in procedure.iterate_steps()}
    special = {f"{s.procedure}.{s.id}" for s in ruleset.steps.values() if s.rule != f"{s.procedure}.{s.id}"}
    assert {rule for rule in rules - special if f'id="{rule}"' not in pages} == set()


@pytest.mark.parametrize(
    ("chance", "percentage"),
    [("1/2", "50 %"), ("1/3", "33.3 %"), ("1/100000", "under 0.1 %"), ("99999/100000", "over 99.9 %"), ("1", "100 %")],
)
def test_percent_never_calls_certain_what_is_not(chance: str, percentage: str) -> None:
    from fractions import Fraction

    assert format_percent(Fraction(chance)) == percentage


@pytest.mark.parametrize(
    ("formula", "ranked"),
    [
        ("one >= other", True),
        ("max(one, other) == one", True),
        ("min(each for each in few) == one", True),
        ("first(bed for bed in beds by bed.size)", True),
        ("first(bed for bed in beds by -bed.size)", True),
        ("one.rank > 1", True),
        ("one == other", False),
        ("next(one) == other", False),
        ("one in few", False),
    ],
)
def test_the_book_orders_only_rows_that_the_rules_compare(formula: str, *, ranked: bool) -> None:
    rules = (
        "tables: {sizes: {title: Sizes, rows: {small: {}, large: {}}}}\n"
        "kinds: {bed: {fields: {size: sizes}}}\n"
        f"formulas: {{f: {{given: {{one: sizes, other: sizes, few: list of sizes}}, is: '{formula}'}}}}\n"
        "pages: {p: {title: P, letter: P, sections: {s: {title: S, show: [tables.sizes]}}}}\n"
    )
    pages = render_site(sound(rules))
    for page in ("p.md", "short.html"):
        table = pages[page].partition("<caption>Sizes</caption>")[2].partition("</table>")[0]
        assert "Small" in table
        assert ("From the lowest to the highest" in table) == ranked
        assert ("<thead>" in table) == ranked
