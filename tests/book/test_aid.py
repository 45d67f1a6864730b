"""The chart of a game's course, and the player aid."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from rulewright.book.rulebook import render_site
from rulewright.ruleset.load_ruleset import load_ruleset
from tests.book.garden import LAST, MANIFEST, RULES, write_garden
from tests.book.shipped import shipped_pages

YEAR = """\
  year:
    title: A year
    steps:
      - {id: fence, do: fencing}
      - id: seasons
        title: Every season
        repeat:
          at_most: 4
          steps:
            - {id: wet, set: {raining: true}}
            - id: rounds
              for_each: player
              in: players
              steps:
                - {id: gardening, do: gardening, with: {player: player}}
            - id: harvesting
              title: Harvest
              for_each: player
              in: players
              steps:
                - {id: seeds, gain: {who: player, seed: "share(9, 2)"}}
            - {id: storm, do: fencing, when: raining}
      - id: sides
        for_each: player
        in: players
        steps:
          - {id: left, do: fencing}
          - {id: right, do: fencing}
  fencing:
    title: Mending the fence
    steps:
      - {id: mend, set: {season: season + 1}}
  gardening:
    title: Gardening
    given: {player: player}
    steps:
      - {id: dig, do: digging}
      - {id: again, do: fencing, when: raining}
  digging:
    title: Digging
    steps:
      - {id: deeper, do: fencing}
      - {id: deepest, set: {season: season + 1}}
"""
BARE = """\
numbers:
  goal: 9
pages:
  goal: {title: Goal, letter: G, sections: {goal: {title: Goal, text: Do as you like.}}}
"""


@pytest.fixture
def year(tmp_path: Path) -> dict[str, str]:
    """Return a garden in which a whole game is a year."""
    rules = RULES.replace("STEPS\n", f"      {LAST}\n").replace("procedures:\n", f"procedures:\n{YEAR}")
    rules = rules.replace(
        "title: Selling\n", "title: Selling\n        explains: [procedures.gardening, formulas.share]\n"
    )
    folder = write_garden(tmp_path, rules, MANIFEST + "start: year\n")
    return render_site(load_ruleset("garden/small", rules=[folder]))


def outline(page: str) -> list[tuple[int, str]]:
    """Return the stages of the chart with their depth, as somebody would hear them read."""
    chart = page.split('class="rw-sequence"')[1].split("</nav>")[0]
    depth, parts = 0, []
    for tag, words in re.findall(r"(<ol|</ol>)|<p[^>]*>(.*?)</p>", chart):
        if words:
            parts.append((depth, re.sub(r"<[^>]+>", "", words)))
        depth += {"<ol": 1, "</ol>": -1}.get(tag, 0)
    return parts


def test_the_chart_follows_the_procedures_two_levels_deep(year: dict[str, str]) -> None:
    assert outline(year["index.md"]) == [
        (1, "Mending the fence"),
        (1, "Every season"),
        (2, "Gardening G.2 each player"),
        (3, "Digging"),
        (3, "Mending the fence if it comes to that"),
        (2, "Harvest G.2 each player"),
        (2, "Mending the fence if it comes to that"),
        (1, "Each player"),
        (2, "Mending the fence"),
        (2, "Mending the fence"),
    ]


def test_a_board_shows_the_values_of_its_spaces(tmp_path: Path) -> None:
    parts = """\
tables:
  beds: {title: Beds, areas: {}, columns: {room: int}, rows: {herbs: {room: 3}, roots: {room: 12}}}
  paths: {title: Paths, areas: {}, rows: {gravel: {}, stone: {}}}
pages:
  goal: {title: Goal, letter: G, sections: {goal: {title: Goal, text: Do as you like., show: [tables.beds]}}}
"""
    aid = render_site(load_ruleset("garden/small", rules=[write_garden(tmp_path, parts, MANIFEST)]))["aid.md"]
    cells = [re.sub(r"<[^>]+>", " ", row).split() for row in re.findall(r"<tr>.*?</tr>", aid, re.DOTALL)]
    assert ["Herbs", "3"] in cells
    assert ["Roots", "12"] in cells
    assert "Gravel" not in aid, "a space without values is on the board alone"


def test_a_stage_links_to_the_steps_with_its_title(year: dict[str, str]) -> None:
    chart = year["index.md"].split('class="rw-sequence"')[1].split("</nav>")[0]
    assert '<a href="growing.md#procedure-gardening">Gardening</a>' in chart
    assert '<a href="reference.md#procedure-digging">Digging</a>' in chart
    assert '<a href="reference.md#year.seasons">Every season</a>' in chart


def test_a_stage_without_a_procedure_links_to_the_formula_it_goes_by(year: dict[str, str]) -> None:
    assert '<a href="growing.md#selling">Harvest</a>' in year["index.md"]


def test_the_same_chart_is_on_the_aid(year: dict[str, str]) -> None:
    assert outline(year["aid.md"]) == outline(year["index.md"])


def test_a_book_whose_rules_name_no_start_has_no_chart(tmp_path: Path) -> None:
    site = render_site(load_ruleset("garden/small", rules=[write_garden(tmp_path)]))
    assert "rw-sequence" not in site["index.md"] + site["aid.md"]


def test_the_aid_has_the_figures_and_tables_that_the_pages_speak_of(year: dict[str, str]) -> None:
    aid = year["aid.md"]
    assert "<span>Seeds for a ripe Plant</span><b>3</b>" in aid
    assert "How much it rains" not in aid
    assert ">Weather</a>" in aid
    assert ">Sizes</a>" not in aid, "its rows are the cards of a deck"
    row = re.search(r'<tr><td class="rw-faces"[^>]*>4</td>.*?</tr>', aid)
    assert row is not None
    assert "25 %" in row[0]


def test_without_anything_to_look_up_there_is_no_aid(tmp_path: Path) -> None:
    site = render_site(load_ruleset("garden/small", rules=[write_garden(tmp_path, BARE)]))
    assert "aid.md" not in site
    assert "aid.md" not in site["index.md"]


def test_the_aid_of_the_whole_game() -> None:
    site = shipped_pages("fuzzy-knights/normal@1.0")
    aid = site["aid.md"]
    stages = [words for _, words in outline(aid)]
    order = ["Income", "Upkeep", "Building and recruiting", "Rolling for a new token"]
    places = [next(place for place, words in enumerate(stages) if words.startswith(each)) for each in order]
    assert places == sorted(places)
    assert places[-1] < next(place for place, words in enumerate(stages) if words.startswith("A player's turn"))
    for expected in (
        "Meeting monsters",
        "Settlement tiers",
        "Check for guardians",
        "Heroes a player may have",
        "A wild",
    ):
        assert expected in aid
    assert 'href="#i-monster"' in aid


def test_a_page_that_explains_a_table_and_shows_it_nowhere_takes_it_from_nobody() -> None:
    aid = shipped_pages("fuzzy-knights/normal@1.0")["aid.md"]
    amulets = re.search(r"<caption><a[^>]*>Amulet</a>.*?</table>", aid, re.DOTALL)
    assert amulets is not None
    cells = re.findall(r">([^<>]+)</(?:td|th|abbr|span)>", amulets[0])
    assert "Legendary" in cells
    assert [cell for cell in cells if cell.isdigit()][-3:] == ["1", "3", "5"]


def test_the_aid_says_line_by_line_what_is_done_step_by_step() -> None:
    aid = re.sub(r"<[^>]+>", "", shipped_pages("fuzzy-knights/normal@1.0")["aid.md"])
    for words in ("An attack", "They roll less or tie", "What comes first on a tile", "Forming squads"):
        assert words in aid
    first, last = aid.index("Monsters: roll, and deal with them all"), aid.index("A foreign mine: try to take it")
    assert first < aid.index("Enemy heroes: fight") < last
