"""What the page shows while the studio works, and how the user ends it."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.studio.running import Running
from tests.studio.window import Desk, expect, sitting

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Route

pytestmark = [pytest.mark.browser, pytest.mark.slow]

TARGET = """\
expect_play:
  endless:
    with: random
    games: 10000000
    seat_edge: 3.4 %..3.5 %
"""


def test_a_bar_moves_while_rules_are_created(desk: Desk) -> None:
    held: list[Route] = []
    desk.page.route("**/api/start", lambda route: held.append(route))
    desk.command("Start new rules…")
    box = desk.page.get_by_role("dialog")
    box.get_by_role("option", name="Your own game").click()
    box.get_by_role("button", name="Start", exact=True).click()
    waits = box.get_by_role("status")
    expect(waits).to_have_text("“My Rules” is being created…")
    expect(waits.get_by_role("progressbar")).to_be_visible()
    held.pop().fulfill(status=409, json={"error": {"message": "there is such a folder"}})
    expect(waits).to_have_count(0)
    expect(box.get_by_role("alert")).to_have_text("there is such a folder")


def test_no_bar_moves_without_rules(browser: Browser, tmp_path: Path) -> None:
    with Running(tmp_path) as studio, sitting(browser, studio) as desk:
        panel = desk.panel("Read")
        expect(panel).to_contain_text("Put the cursor on a rule that is in the book.")
        expect(panel.locator(".st-waiting")).to_be_hidden()


def test_a_page_of_the_book_is_waited_for(desk: Desk) -> None:
    held: list[Route] = []
    desk.page.route("**/api/panel/read", lambda route: held.append(route))
    desk.page.reload()
    desk.ready()
    waits = desk.panel("Read").locator(".st-waiting")
    expect(waits).to_have_text("The page is being written…")
    held[-1].continue_()
    desk.page.unroute("**/api/panel/read")
    expect(waits).to_be_hidden()


def test_the_games_of_a_release_can_be_stopped(desk: Desk, rules: Path) -> None:
    rules.with_name("balance.yaml").write_text(TARGET, encoding="utf-8")
    desk.command("Release…")
    box = desk.page.get_by_role("dialog")
    balance = box.locator("[data-step=balance]")
    balance.get_by_role("button", name="Play games").click()
    expect(balance.get_by_role("status")).to_contain_text("games are played.")
    balance.get_by_role("button", name="Stop").click()
    expect(balance.locator(".st-refused")).to_contain_text("Stopped after")
    expect(balance.get_by_role("button", name="Play games")).to_be_enabled()
    expect(balance.get_by_role("progressbar")).to_have_count(0)
