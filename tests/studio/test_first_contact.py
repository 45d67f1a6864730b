"""What made a designer stumble who met the studio for the first time, in a window over house rules of a small game."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.browser import open_page
from tests.studio.running import Running
from tests.studio.window import MANIFEST, RULES, Desk, expect, quick, sitting

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Route

VERSION = {"first": re.compile("house-quick@0.1.0/"), "next": re.compile("house-quick@0.1.1/")}
"""Addresses of the book's pages, of the edition and of its next version."""

pytestmark = [pytest.mark.browser, pytest.mark.slow]


def test_the_panels_follow_an_edition_to_its_next_version_without_an_error_page(desk: Desk, rules: Path) -> None:
    desk.settled()
    desk.panel("Read")
    frames = desk.page.locator("iframe.st-frame")
    expect(desk.page.locator("iframe.st-frame--shown")).to_have_attribute("src", VERSION["first"])
    refused: list[str] = []

    def refuse_once(route: Route) -> None:
        refused.append(route.request.url)
        if len(refused) > 1:
            route.continue_()
        else:
            route.fulfill(status=404, content_type="application/json", body='{"error": {}}')

    desk.page.route("**/book/house-quick@0.1.1/**.html?*", refuse_once)
    rules.with_name("ruleset.yaml").write_text(MANIFEST.replace("0.1.0", "0.1.1"), encoding="utf-8")
    expect(desk.page.locator("iframe.st-frame--shown")).to_have_attribute("src", VERSION["next"])
    assert len(refused) > 1
    expect(frames).to_have_count(1)
    expect(desk.page.locator(".st-panel__again")).to_be_hidden()
    expect(desk.page.locator(".st-fault")).to_be_empty()


TARGET = "expect_play:\n  even: {with: random, games: 5000, seed: 1, seat_edge: at most 90 %}\n"


def test_games_that_are_stopped_leave_a_release_for_later_and_say_how_far_they_came(desk: Desk, rules: Path) -> None:
    desk.rewrite(rules, RULES + TARGET)
    desk.command("Release")
    lock, balance = (desk.page.locator(f"[data-step={step}]") for step in ("lock", "balance"))
    expect(lock.get_by_role("button", name="Release it")).to_be_disabled()
    balance.get_by_role("button", name="Play games").click()
    balance.get_by_role("button", name="Stop").click()
    by_role = balance.get_by_role("alert")
    expect(by_role).to_contain_text("Stopped after")
    expect(by_role).to_be_in_viewport()
    expect(balance.get_by_role("button", name="Play games")).to_be_enabled()
    expect(lock.get_by_role("button", name="Release it")).to_be_disabled()


COVERED = """tiles => {
  const ask = document.querySelector(".rw-play__ask").getBoundingClientRect()
  const boxes = tiles.map((tile) => tile.getBoundingClientRect())
  const covered = boxes.filter(({ top, bottom }) => top < 0 || bottom > ask.top + 1)
  return covered.map(({ top, bottom }) => [top, bottom, ask.top])
}"""
"""The tiles that are above the window or behind the question."""


def test_a_question_of_a_game_covers_no_tile_that_may_be_chosen(browser: Browser, tmp_path: Path) -> None:
    home = tmp_path / "table"
    home.mkdir()
    manifest = MANIFEST.replace("pig/classic@1.0", "fuzzy-knights/normal@1.0")
    (home / "ruleset.yaml").write_text(manifest, encoding="utf-8")
    (home / "rules.yaml").write_text("# Ours.\n", encoding="utf-8")
    with Running(tmp_path) as studio, sitting(browser, studio) as desk:
        desk.settled()
        desk.panel("Play")
        desk.page.locator("iframe.st-frame").wait_for()
        game = desk.page.frame_locator("iframe.st-frame")
        game.get_by_text("Dice seed").click()
        game.get_by_label("Seed").fill("1")
        game.get_by_role("button", name="Begin").click()
        tiles, place = game.locator(".rw-tile.rw-open"), game.locator("#rw-play")
        few = 0
        for _ in range(12):
            game.locator("#rw-play[data-state=asked]").wait_for()
            before = place.get_attribute("data-choices") or ""
            if 0 < tiles.count() <= 8:
                few += 1
                assert tiles.evaluate_all(COVERED) == []
            # The lowest tile is the likeliest to be covered the next time, too.
            if tiles.count():
                tiles.last.dispatch_event("click")
            else:
                game.locator(".rw-play__option:visible").last.click()
            expect(place).not_to_have_attribute("data-choices", before)
        assert few > 1


def test_a_file_that_is_shown_again_is_where_its_cursor_is(desk: Desk, rules: Path) -> None:
    desk.rewrite(rules, "".join(f"# Line {line}.\n" for line in range(90)) + RULES)
    desk.search("Line 80.")
    line = desk.page.locator(".st-editor .cm-line", has_text="Line 80.")
    desk.open("ruleset.yaml")
    expect(line).to_have_count(0)
    desk.page.locator("[role=tab][title='quick/rules.yaml']").click()
    expect(line).to_be_in_viewport()


def test_a_file_that_is_clicked_while_the_page_opens_is_shown(browser: Browser, tmp_path: Path) -> None:
    quick(tmp_path)
    with Running(tmp_path) as studio, open_page(browser) as page:
        held: list[Route] = []
        page.route("**/api/file?path=quick%2Frules.yaml", lambda route: held.append(route))
        page.goto(studio.address)
        page.locator("[role=treeitem][data-path='quick/ruleset.yaml'] > .st-tree__row").first.click()
        tab = page.locator("[role=tab][title='quick/ruleset.yaml']")
        expect(tab).to_have_attribute("aria-selected", "true")
        held[0].continue_()
        page.locator("html[data-begun]").wait_for(state="attached")
        expect(tab).to_have_attribute("aria-selected", "true")


ENDLESS = """\
numbers: {goal: 50}
procedures:
  game:
    steps:
      - {before: turns, id: spin, repeat: {until: goal > 51, ends_within: 3, steps: [{id: spun, roll: die}]}}
"""


@pytest.mark.parametrize(
    ("faulty", "failure"),
    [("numbers:\n  goal: fifty\n", "The rules have errors"), (ENDLESS, "this loop should have ended")],
    ids=["invalid", "in a game"],
)
def test_games_that_failed_are_offered_again_when_the_rules_are_fixed(
    browser: Browser, tmp_path: Path, faulty: str, failure: str
) -> None:
    rules = quick(tmp_path)
    rules.write_text(faulty, encoding="utf-8")
    with Running(tmp_path) as studio, sitting(browser, studio) as desk:
        desk.faulty()
        body = desk.panel("Fair")
        result = body.locator(".st-fair__said")
        play = body.get_by_role("button", name="Play games")
        body.get_by_label("Budget").select_option("20")
        play.click()
        expect(result).to_contain_text(failure)
        desk.rewrite(rules, RULES)
        expect(result).to_contain_text("The rules have changed since the games failed.")
        expect(desk.page.locator(".st-fault")).to_be_empty()
        play.click()
        expect(result).to_contain_text("In 20 pairs of games")


def test_an_error_that_another_panel_showed_goes_away_when_it_is_fixed(desk: Desk, rules: Path) -> None:
    rules.write_text("numbers: {goal: [\n", encoding="utf-8")
    desk.faulty()
    desk.panel("Read")
    fault = desk.page.locator(".st-fault")
    expect(fault).to_contain_text("before the latest error")
    desk.panel("Fair")
    desk.rewrite(rules, RULES)
    expect(fault).to_be_empty()
