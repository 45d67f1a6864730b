"""Examples on the page *Play*, step by step, and games that wait for their reader: told as Python plays them."""

from __future__ import annotations

import base64
import gzip
import json
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from rulewright import Game, load_ruleset
from rulewright.book.parts.example_runs import can_be_played, list_narrated_events, run_book_example
from rulewright.book.style.text_style import Style
from rulewright.engine.game.record import ChoiceEntry
from rulewright.engine.narration.events import find_repeats, format_repeat
from rulewright.engine.narration.render_values import ValueRenderer
from rulewright.testing.play_samples import SampleRun, play_sample
from tests.published import FEW, RULES, editions
from tests.site.test_axe import violations
from tests.site.test_play import KNIGHTS, PIG, SMALL, page_of

if TYPE_CHECKING:
    from playwright.sync_api import Browser, BrowserContext, Page

pytestmark = [pytest.mark.browser, pytest.mark.slow]

EXAMPLE = "four_movement"
GUIDES = {KNIGHTS: "first_day", PIG: "first_turns"}


@cache
def sample_of(edition: str) -> SampleRun:
    ruleset = load_ruleset(edition, rules=[RULES])
    played = play_sample(ruleset, ruleset.samples[GUIDES[edition]])
    assert isinstance(played, SampleRun)
    return played


def plain(line: str) -> str:
    return line.replace("🎲 ", "")


@pytest.fixture
def context(browser: Browser) -> Iterator[BrowserContext]:
    context = browser.new_context(accept_downloads=True, reduced_motion="reduce")
    yield context
    context.close()


class Telling:
    """The page, while an example is told."""

    def __init__(self, page: Page, address: str = "") -> None:
        self.page = page
        self.faults: list[str] = []
        page.on("pageerror", lambda error: self.faults.append(str(error)))
        if address:
            page.goto(address)
        page.locator("[data-step]").wait_for()

    def at(self, what: str) -> str:
        return str(self.page.evaluate(f"document.getElementById('rw-play').dataset.{what} ?? ''"))

    def story(self) -> list[str]:
        return self.page.locator(".rw-play__log li > span").all_text_contents()

    def press(self, name: str) -> None:
        self.page.get_by_role("button", name=name, exact=True).click()

    def lit(self) -> str:
        return str(self.page.locator("[aria-current=step]").get_attribute("id"))


def test_an_example_is_stepped_through_and_taken_over(context: BrowserContext, published: Path) -> None:
    ruleset = load_ruleset(KNIGHTS, rules=[RULES])
    example = ruleset.examples[EXAMPLE]
    moments = run_book_example(example, ruleset).steps
    events = [moments[number].event for number in list_narrated_events(example, Style(ruleset))]
    page = context.new_page()
    home = next(
        path
        for path in (published / page_of(KNIGHTS)).parent.glob("*.html")
        if f"example={EXAMPLE}" in path.read_text()
    )
    page.goto(home.as_uri())
    page.evaluate("() => document.querySelectorAll('details').forEach(each => { each.open = true })")
    page.locator(f"a[href='play.html#example={EXAMPLE}']").click()
    telling = Telling(page)
    assert telling.story() == []
    for number, event in enumerate(events, start=1):
        page.keyboard.press("ArrowRight")
        assert telling.story() == [plain(each.text) for each in events[:number]]
        if telling.at("state") == "told":
            assert telling.lit() == event.rule
    assert telling.at("state") == "over"
    assert page.locator(".rw-result").count() > 0
    for _ in range(3):
        telling.press("Back")
    assert telling.at("step") == str(len(events) - 3)
    while telling.at("state") != "asked":
        page.keyboard.press("ArrowLeft")
    step = telling.at("step")
    other = page.locator(".rw-play__option:not(.rw-play__wanted)").first
    label = other.locator("span").first.text_content()
    other.click()
    assert telling.at("state") in {"free", "done"}
    assert f"You chose “{label}” instead." in (page.locator(".rw-play__hint").text_content() or "")
    telling.press("Back")
    assert (telling.at("step"), telling.at("state")) == (step, "asked")
    telling.press("Take over")
    assert telling.at("state") == "free"
    for _ in range(40):
        if telling.at("state") == "done":
            break
        page.locator(".rw-play__option").first.click()
    assert telling.at("state") == "done"
    telling.press("Back to the example")
    telling.press("To the end")
    assert telling.story() == [plain(each.text) for each in events]
    assert not telling.faults


@pytest.mark.parametrize("edition", GUIDES)
@pytest.mark.parametrize("by", ["clicks", "keys"])
def test_a_first_game_waits_for_its_reader(context: BrowserContext, published: Path, edition: str, by: str) -> None:
    played = sample_of(edition)
    telling = Telling(context.new_page(), f"{(published / page_of(edition)).as_uri()}#guide={GUIDES[edition]}")
    page, choices = telling.page, [line.option for line in played.record if isinstance(line, ChoiceEntry)]
    for _ in choices:
        assert telling.at("state") == "asked"
        before = telling.at("step")
        expected = page.locator(".rw-play__wanted")
        assert expected.locator("span").first.text_content() == page.locator(".rw-play__hint b").text_content()
        if by == "clicks":
            expected.click()
        else:
            key = expected.locator(".rw-play__key").text_content()
            page.keyboard.press(key or "ArrowRight")
        assert telling.at("step") != before
    assert telling.at("state") == "over"
    events = [moment.event for moment in played.moments if not moment.event.set_up]
    say = ValueRenderer(load_ruleset(edition, rules=[RULES]))
    lines = [plain(format_repeat(events[place], count, say)) for place, count in find_repeats(events)]
    assert telling.story()[-len(lines) :] == lines
    telling.press("Play on freely")
    page.locator("[data-state=asked], [data-state=thinking]").first.wait_for()
    assert telling.at("step") == ""
    sample = played.sample
    game = Game(load_ruleset(edition, rules=[RULES]), players=sample.players, seed=sample.seed, options=sample.options)
    for option in choices:
        game.choose(option)
    story = [plain(line) for line in game.story()]
    assert page.locator(".rw-play__log li > span").all_text_contents()[: len(story)] == story
    assert not telling.faults


def test_who_does_otherwise_than_the_story_may_go_back(context: BrowserContext, published: Path) -> None:
    telling = Telling(context.new_page(), f"{(published / page_of(PIG)).as_uri()}#guide={GUIDES[PIG]}")
    page = telling.page
    page.locator(".rw-play__option:not(.rw-play__wanted)").first.click()
    hint = page.locator(".rw-play__hint").text_content() or ""
    assert "You chose “Hold” instead." in hint
    assert "You can go back at any time" in hint
    telling.press("Back to the story")
    assert telling.at("state") == "asked"
    assert page.locator(".rw-play__wanted").count() == 1
    page.evaluate("location.hash = '#example=none-of-these'")
    page.locator(".rw-play__error").get_by_text("no example “none-of-these”").wait_for()
    page.get_by_role("link", name="The first turns").click()
    page.locator("[data-step]").wait_for()
    assert telling.at("state") == "asked"
    assert not telling.faults


COUNT = """() => {
  const wait = setTimeout
  window.pauses = 0
  window.setTimeout = (done, wanted, ...more) => {
    if (wanted === 0) window.pauses += 1
    return wait(done, wanted, ...more)
  }
}"""
MOST_AT_ONCE = 12
"""Choices and results of a story that are gone through before the page may draw and hear its reader."""


def test_a_long_story_is_opened_in_pieces(context: BrowserContext, published: Path) -> None:
    page = context.new_page()
    page.add_init_script(f"({COUNT})()")
    Telling(page, f"{(published / page_of(KNIGHTS)).as_uri()}#guide={GUIDES[KNIGHTS]}")
    record = len(sample_of(KNIGHTS).record)
    assert record > 2 * MOST_AT_ONCE
    assert page.evaluate("pauses") >= record // MOST_AT_ONCE


def test_what_was_taken_over_is_kept_as_a_link_and_as_a_file(
    context: BrowserContext, published: Path, tmp_path: Path
) -> None:
    at = f"{(published / page_of(KNIGHTS)).as_uri()}#example={EXAMPLE}"
    telling = Telling(context.new_page(), at)
    page = telling.page
    while telling.at("state") != "asked":
        page.keyboard.press("ArrowRight")
    step = telling.at("step")
    page.locator(".rw-play__option:not(.rw-play__wanted)").first.click()
    for _ in range(2):
        if telling.at("state") == "free":
            page.locator(".rw-play__option").last.click()
    shown = telling.story(), page.locator(".rw-play__hint").text_content(), telling.at("state")
    telling.press("Share a link")
    link = page.locator("#rw-play-link").input_value()
    assert len(link) < len(at) + 300
    with page.expect_download() as download:
        telling.press("Save as a file")
    download.value.save_as(tmp_path / "taken.json")

    def is_the_same(other: Telling) -> None:
        assert (other.story(), other.page.locator(".rw-play__hint").text_content(), other.at("state")) == shown
        other.press("Back to the example")
        assert (other.at("step"), other.at("state")) == (step, "asked")
        assert not other.faults

    is_the_same(Telling(context.new_page(), link))
    page = context.new_page()
    page.goto((published / page_of(KNIGHTS)).as_uri())
    page.set_input_files("input[type=file]", tmp_path / "taken.json")
    page.locator("[data-step]").wait_for()
    is_the_same(Telling(page))
    for address, said in (
        (link[:-9], "lost on the way"),
        (f"{(published / page_of(PIG)).as_uri()}#{link.partition('#')[2]}", "other rules"),
    ):
        page.goto("about:blank")
        page.goto(address)
        page.locator(".rw-play__error").get_by_text(said).wait_for()


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing_while_an_example_is_told(context: BrowserContext, published: Path, scheme: Any) -> None:
    page = context.new_page()
    page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
    telling = Telling(page, f"{(published / page_of(KNIGHTS)).as_uri()}#example={EXAMPLE}")
    for _ in range(8):
        page.keyboard.press("ArrowRight")
    assert violations(page) == []
    telling.press("To the end")
    assert violations(page) == []
    telling.press("Back")
    telling.press("Take over")
    assert violations(page) == []


def test_it_fits_a_phone(browser: Browser, published: Path) -> None:
    phone = browser.new_context(viewport={"width": 320, "height": 640}, has_touch=True, is_mobile=True)
    telling = Telling(phone.new_page(), f"{(published / page_of(KNIGHTS)).as_uri()}#guide={GUIDES[KNIGHTS]}")
    for _ in range(4):
        telling.page.locator(".rw-play__wanted").tap()
        assert telling.page.evaluate("document.documentElement.scrollWidth") <= 320
        assert telling.page.locator(".rw-play :is(button, select, .rw-play__home)").evaluate_all(SMALL) == 0
    assert not telling.faults
    phone.close()


@pytest.mark.parametrize("edition", FEW)
def test_every_example_that_a_page_leads_to_is_there(published: Path, edition: str) -> None:
    folder = (published / page_of(edition)).parent
    text = (folder / "examples.js").read_text(encoding="utf-8").strip()
    packed = json.loads(text.removeprefix("rulewrightExamples(").removesuffix(")"))
    data = json.loads(gzip.decompress(base64.b85decode(packed)))
    ruleset = load_ruleset(edition, rules=[RULES])
    pages = {path.name: path.read_text(encoding="utf-8") for path in folder.glob("*.html")}
    ids = {name: set(re.findall(r'\bid="?([^"\s>]+)', page)) for name, page in pages.items()}
    links = {link for page in pages.values() for link in re.findall(r'href="?play\.html#([^"\s>]+)', page)}
    expected = {f"example={id_}" for id_, each in ruleset.examples.items() if can_be_played(each, ruleset)}
    expected |= {f"guide={id_}" for id_ in ruleset.samples}
    assert expected == {f"example={id_}" for id_ in data["examples"]} | {f"guide={id_}" for id_ in data["samples"]}
    assert {f"guide={id_}" for id_ in ruleset.samples} <= links <= expected
    for each in (*data["examples"].values(), *data["samples"].values()):
        name, _, fragment = each["home"].partition("#")
        # An example that no page shows is gone through all the same.
        assert not name or fragment in ids[name], each["home"]
    texts = "".join(rule["steps"] for rule in data["rules"].values())
    for name, fragment in set(re.findall(r'href="([^"#:]+\.html)#([^"]+)"', texts)):
        assert fragment in ids[name], (name, fragment)
    assert len(editions()) >= len(FEW)
