"""The game is played beside its rules, and goes on from where it was when they change."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from typing import TYPE_CHECKING
from urllib.parse import quote, unquote

import pytest

from rulewright.base.errors import RulewrightError
from rulewright.ruleset.load_ruleset import load_ruleset
from rulewright.studio.panels import load_panels
from tests.studio.conftest import RULES
from tests.studio.desk import Table

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

SEED = 5


@contextmanager
def server(table: Table) -> Iterator[str]:
    """Serve what the panels serve, at an address of this machine."""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            path, _, query = self.path.removeprefix("/book/").partition("?")
            responses = (
                panel.serve(table.desk, path, query) for panel in load_panels().values() if panel.serve is not None
            )
            served = next((each for each in responses if each is not None), None)
            self.send_response(404 if served is None else 200)
            if served is not None:
                self.send_header("Content-Type", served.kind)
                if served.policy:
                    self.send_header("Content-Security-Policy", served.policy)
            self.end_headers()
            self.wfile.write(served.content if served is not None else b"")

        def log_message(self, *_: object) -> None:
            """Nothing is worth saying."""

    made = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = Thread(target=made.serve_forever, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{made.server_port}"
    finally:
        made.shutdown()
        thread.join()
        made.server_close()


def carried(choices: list[str], *, players: int = 2, seed: object = SEED, options: dict[str, str] | None = None) -> str:
    seats = [{"name": f"Player {at + 1}", "bot": None} for at in range(players)]
    held = {"players": players, "seed": seed, "options": options or {}, "seats": seats, "choices": choices}
    return f"#again={quote(json.dumps(held))}"


def read_note(page: Page) -> tuple[str, str | None]:
    note = page.locator(".rw-play__note")
    note.wait_for()
    return note.text_content() or "", page.get_attribute("#rw-play", "data-choices")


def test_the_address_is_that_of_the_rules_and_examples_lead_into_it(table: Table) -> None:
    response = table.ask("play", "pig/classic-1.0/pig.yaml", "One roll", ref="house/pigs@0.1.0")
    ruleset = load_ruleset("house/pigs", rules=[table.folder])
    assert (response["digest"], response["example"]) == (ruleset.digest, "#example=greed")
    table.write("pigs/rules.yaml", RULES.replace("goal: 50", "goal: [50"))
    stale = table.ask("play", "pigs/rules.yaml")
    assert (stale["stale"], stale["page"], stale["digest"]) == (True, response["page"], response["digest"])
    table.write("herd/rules.yaml", "numbers: {goal: 40}\n")
    table.write("pigs/rules.yaml", "numbers: {goal: 50}\n")
    assert table.ask("play", "pigs/rules.yaml")["page"] != response["page"]


def test_rules_without_a_game_are_not_played(table: Table) -> None:
    table.write("odd/ruleset.yaml", "ruleset: house/odd\nversion: 1.0.0\ntitle: Odd\nabout: A figure.\n")
    table.write("odd/rules.yaml", "numbers: {width: {is: 3, means: How wide.}}\n")
    with pytest.raises(RulewrightError, match="no `start:`"):
        table.ask("play", "odd/rules.yaml")


@pytest.mark.browser
def test_a_game_goes_on_when_the_rules_change_as_far_as_it_holds(table: Table, browser: Browser) -> None:
    with server(table) as address:
        page = browser.new_page()
        failed: list[str] = []
        page.on("pageerror", lambda error: failed.append(str(error)))
        page.on("response", lambda response: failed.append(response.url) if response.status >= 400 else None)
        at = address + table.ask("play", "pigs/rules.yaml")["page"]
        # By clicks, then by what the page says that it stands at.
        page.goto(at + carried([]))
        text, length = read_note(page)
        assert (text, length) == ("Started again under the current rules, with the same dice.", "0")
        for count, choice in enumerate(["Roll", "Hold", "Roll"]):
            page.get_by_role("button", name=choice).last.click()
            page.locator(f"#rw-play[data-choices='{count + 1}']").wait_for()
        goes_on: str = page.evaluate("rulewrightGame()")
        assert json.loads(unquote(goes_on.removeprefix("#again="))) == json.loads(
            unquote(carried(["roll", "hold", "roll"]).removeprefix("#again="))
        )
        lines = page.locator(".rw-play__story").text_content()
        table.write("pigs/rules.yaml", RULES.replace("rain: 3-6", "rain: 3-7").replace("sun: 7-13", "sun: 8-13"))
        again = address + table.ask("play", "pigs/rules.yaml")["page"]
        assert again != at
        page.goto(again + goes_on)
        assert read_note(page) == ("Continued under the current rules: all 3 choices were repeated.", "3")
        assert page.locator(".rw-play__story").text_content() == lines
        # Ended sooner, asked otherwise, fewer and other seats, and what is no game.
        for fragment, said, taken in (
            (carried(["hold"]), "the one choice was repeated", "1"),
            (carried(["roll", "fly", "hold"]), "1 of 3 choices was repeated; then Player", "1"),
            (carried([], players=12), "10 players instead of 12", "0"),
            (carried([], options={"gone": "x"}), "without 1 setting that no longer exists", "0"),
            (carried(["hold"], seed={"whole": "123456789012345678901"}), "was repeated", "1"),
        ):
            page.goto("about:blank")
            page.goto(again + fragment)
            text, length = read_note(page)
            assert said in text
            assert length == taken
        page.goto("about:blank")
        page.goto(again + "#again=%7B")
        page.get_by_text("data is incomplete").wait_for()
        page.close()
        assert not failed
