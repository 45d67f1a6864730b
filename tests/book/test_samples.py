"""Samples of play in the book: scenes with dice, links and maps, of a board on which a snail crawls."""

from __future__ import annotations

import re
from html import unescape
from itertools import pairwise
from pathlib import Path

import pytest

from rulewright.book.parts.sample_scenes import HIGHLIGHTS
from rulewright.book.rulebook import render_site
from rulewright.ruleset.load_ruleset import load_ruleset
from rulewright.testing.play_samples import SampleRun, play_sample
from tests.book.garden import LAST, MANIFEST, RULES, write_garden
from tests.book.shipped import shipped_pages
from tests.book.test_maps import BOARD, SNAIL
from tests.breadth import some

RACE = """\
  race:
    title: A race
    steps:
      - {id: laid, do: laying}
      - {id: leader, let: first(snails)}
      - {id: moved, when: leader, do: crawl, with: {snail: leader}}
      - {id: over, finish: {winners: []}}
  laying:
    title: Laying out
    steps:
      - id: every
        for_each: owner
        in: players
        steps:
          - {id: one, create: snail, with: {owner: owner, plot: plots.c1r1}}
          - {id: two, create: bed, with: {owner: owner}}
          - {id: three, create: bed, with: {owner: owner}}
  crawl:
    title: Crawling
    given: {snail: snail}
    steps:
      - id: on
        repeat:
          at_most: 3
          steps:
            - {id: goal, choose: {who: snail.owner, one_of: snail.plot.neighbours}, when: snail.plot}
            - {id: moved, set: {snail.plot: goal}, when: goal}
      - {id: weary, roll: 2d6}
"""


@pytest.fixture(scope="module")
def page(tmp_path_factory: pytest.TempPathFactory) -> str:
    rules = RULES.replace("STEPS\n", f"      {LAST}\n")
    rules = rules.replace("tables:\n", f"tables:\n{BOARD}").replace("  plant:\n    term: plant\n", SNAIL + "  plant:\n")
    rules = rules.replace("procedures:\n", f"procedures:\n{RACE}")
    rules = rules.replace("examples.fair]", "examples.fair, samples.race]")
    rules += "samples: {race: {title: The race, policy: random, seed: 5, until: race.over}}\n"
    folder: Path = tmp_path_factory.mktemp("garden")
    write_garden(folder, rules, MANIFEST + "start: race\n")
    ruleset = load_ruleset("garden/small", rules=[folder])
    assert isinstance(play_sample(ruleset, ruleset.samples["race"]), SampleRun)
    return render_site(ruleset)["growing.md"].split('id="sample')[1].split("</ol>\n</div>")[0]


def lines(page: str) -> list[str]:
    matches = re.findall(r"<li>(.*?)</li>", page, re.DOTALL)
    return [unescape(re.sub(r"<[^>]*>", "", line)).strip() for line in matches]


def test_scenes_stand_under_the_titles_of_their_procedures(page: str) -> None:
    titles = re.findall(r'<p class="rw-scene__title">(.*?)</p>', page)
    assert [re.sub("<[^>]*>", "", title) for title in titles] == ["Laying out", "Crawling"]


def test_a_crowd_that_comes_into_play_is_counted(page: str) -> None:
    folded = page.partition("Step by step")[2]
    crowd = [line for line in lines(folded) if "come into play" in line]
    assert len(crowd) == 1
    assert crowd[0].startswith("2 Plants and 4 Beds come into play.")


def test_a_journey_is_one_line_and_its_directions_are_not_asked_for(page: str) -> None:
    ways = [line for line in lines(page) if "→" in line]
    assert len(ways) == 1
    assert ways[0].startswith("Snail of Player 1 at [1, 1] → ")
    assert ways[0].count("→") == 3
    assert "chooses" not in page


def test_the_map_shows_the_way_that_was_gone(page: str) -> None:
    assert page.count("<figure") == 2
    way = re.findall(r'<polyline points="([^"]*)"', page)
    assert len(way) == 1
    points = [tuple(map(float, point.split(","))) for point in way[0].split()]
    assert len(points) == 4
    # From tile to neighbouring tile, each a tile's width apart.
    steps = pairwise(points)
    assert {abs(a[0] - b[0]) + abs(a[1] - b[1]) for a, b in steps} == {48.0}


def test_the_dice_show_their_faces(page: str) -> None:
    rolled = next(line for line in lines(page) if "2d6" in line.replace("\N{NO-BREAK SPACE}", " "))
    faces = re.findall(r'<span class="rw-face">(\d)</span>', page)
    assert len(faces) == 2
    assert f"comes to {sum(map(int, faces))}." in rolled


EDITIONS = ["normal@1.0", "normal@0.2", "normal@0.1", "medium@0.1"]


# The newest, and one that tells of its day in its own way; earlier drafts do as the newest, with other dice.
@pytest.mark.parametrize("edition", some(EDITIONS, ["normal@1.0", "medium@0.1"]))
def test_the_first_day_of_every_edition_tells_of_both_players_and_of_all_that_there_is(edition: str) -> None:
    text = shipped_pages(f"fuzzy-knights/{edition}")["learn.md"].split('id="sample-first_day"')[1]
    titles = [re.sub("<[^>]*>", "", title) for title in re.findall(r'<p class="rw-scene__title">(.*?)</p>', text)]
    assert titles[:2] == ["Setting up the board", "Daybreak"]
    assert sorted(titles[2:4]) == ["A player's turn: Player 1", "A player's turn: Player 2"]
    assert text.count("<figure") >= 4
    for told in ("mine at", "item token at", "Rounds of a battle", "come into play"):
        assert told in text


def test_a_scene_is_told_in_short_before_it_is_opened() -> None:
    page = shipped_pages("fuzzy-knights/normal@1.0")["learn.md"].split('id="sample-first_day"')[1]
    scenes = page.split('class="rw-scene"')[1:]
    short = [lines(scene.partition("<details")[0]) for scene in scenes if "rw-scene__title" in scene]
    assert all(0 < len(each) <= HIGHLIGHTS for each in short)
    assert short[0][1] == "Player 2 is the anchor."
    assert short[-1] == ["Player 1 takes the mine at [7, 9]."]
    assert "<figcaption>Player 1: 19 coins · Player 2: 8 coins</figcaption>" in scenes[-1]
