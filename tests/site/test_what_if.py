"""The drawer *What if*: other figures tried in the page come to what house rules with them come to in Python."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any
from zipfile import ZipFile

import pytest

from rulewright import load_ruleset
from rulewright.analysis.odds.expected_odds import weigh
from rulewright.analysis.simulation.run_simulation import simulate
from rulewright.cli.main import main
from rulewright.ruleset.overlay import with_values
from rulewright.ruleset.ruleset import Ruleset
from tests.published import RULES, editions
from tests.site.kinds import SITE
from tests.site.test_axe import violations

if TYPE_CHECKING:
    from playwright.sync_api import Browser, BrowserContext, Locator, Page

pytestmark = [pytest.mark.browser, pytest.mark.slow]

PIG, YACHT, KNIGHTS = "pig/classic@1.0.0", "classics/yacht@1.0.0", "fuzzy-knights/normal@1.0.1"
ON = {PIG: "pig.html", YACHT: "yacht.html", KNIGHTS: "battle.html"}


@pytest.fixture
def context(browser: Browser) -> Iterator[BrowserContext]:
    context = browser.new_context(
        viewport={"width": 1000, "height": 900}, reduced_motion="reduce", accept_downloads=True
    )
    yield context
    context.close()


class Drawer:
    """The drawer of a section, as somebody sees it who opens it."""

    def __init__(self, page: Page, url: str, figure: str) -> None:
        self.page = page
        self.faults: list[str] = []
        page.on("pageerror", lambda error: self.faults.append(str(error)))
        page.on("console", lambda said: self.faults.append(said.text) if said.type == "error" else None)
        page.goto(url)
        doors = page.locator(".rw-what-if-door")
        for place in range(doors.count()):
            # The keyboard alone opens it, as it does whatever is in it.
            doors.nth(place).focus()
            page.keyboard.press("Enter")
            self.box.wait_for()
            if self.field(figure).count():
                return
            page.keyboard.press("Escape")
            self.box.wait_for(state="detached")
            assert doors.nth(place).evaluate("door => door === document.activeElement")
        raise AssertionError(f"no section has {figure}")

    @property
    def box(self) -> Locator:
        return self.page.locator("dialog.rw-what-if")

    def field(self, title: str) -> Locator:
        return self.box.get_by_label(title, exact=False).and_(self.box.locator("input"))

    def rows(self, table: Locator) -> dict[str, list[str]]:
        """Return the cells of a table by the heads of its rows, with plain blanks."""
        found = table.locator("tbody tr").evaluate_all(
            "rows => rows.map(row => [...row.cells].map(each => each.textContent))"
        )
        return {head.replace("\xa0", " "): [each.replace("\xa0", " ") for each in cells] for head, *cells in found}

    def said(self, words: str) -> None:
        self.box.locator(".rw-what-if__status", has_text=words).wait_for()


def page_of(published: Path, edition: str) -> str:
    return (published / SITE / editions()[edition] / ON[edition]).as_uri()


def loaded(edition: str) -> Ruleset:
    return load_ruleset(edition, rules=[RULES])


def percent(share: float) -> str:
    return f"{round(share * 1000) / 10:.1f} %"


def test_games_from_disk_are_those_that_python_counts(context: BrowserContext, published: Path) -> None:
    drawer = Drawer(context.new_page(), page_of(published, PIG), "Goal")
    drawer.field("Goal").fill("30")
    drawer.box.get_by_label("At most").select_option("200")
    drawer.box.get_by_role("button", name="Play").click()
    drawer.said("200 games under the published rules, 200 games under yours.")
    rows = drawer.rows(drawer.box.get_by_role("region", name="Games as published and as yours").locator("table"))
    ruleset = loaded(PIG)
    for place, each in enumerate((ruleset, with_values(ruleset, [("numbers.goal", "30")]))):
        counts = simulate(each, games=200, policies=["greedy", "greedy"], seed="what if")
        for seat, won in enumerate(counts.wins_by_seat):
            assert rows[f"Player {seat + 1} wins"][place].startswith(percent(won / 200))
        assert float(rows["Decisions per game"][place].split(" ")[0]) == pytest.approx(
            counts.decisions / 200, abs=0.006
        )
    assert drawer.faults == []


def test_the_odds_follow_a_figure_and_come_back(context: BrowserContext, published: Path) -> None:
    drawer = Drawer(context.new_page(), page_of(published, KNIGHTS), "Hero base roll")
    drawer.said("Published odds.")
    changed = with_values(loaded(KNIGHTS), [("numbers.hero_base_roll", "1d6 +2")])

    def read_chances() -> list[str]:
        section = drawer.box.locator(".rw-what-if__odds", has_text="alone against six")
        return drawer.rows(section.locator("table"))["Chance"]

    def chance(ruleset: Ruleset) -> str:
        odds = weigh(ruleset, ruleset.examples["lone_hero"]).odds
        assert odds is not None
        return percent(float(odds.answers[0].chances["yes"]))

    before, after = chance(loaded(KNIGHTS)), chance(changed)
    assert before != after
    assert read_chances() == [before, before]
    drawer.field("Hero base roll").fill("1d6+2")
    drawer.said("have changed.")
    assert read_chances() == [before, after]
    drawer.field("Hero base roll").fill("lots")
    drawer.box.get_by_role("alert").get_by_text("Lots is not a roll of up to 100 dice").wait_for()
    drawer.box.get_by_role("button", name="Reset Hero base roll").click()
    drawer.said("Published odds.")
    assert read_chances() == [before, before]
    assert drawer.faults == []


@pytest.mark.parametrize(
    ("edition", "figure", "value", "path"),
    [(PIG, "Goal", "30", "numbers.goal"), (KNIGHTS, "Hero base roll", "3d6 +1", "numbers.hero_base_roll")],
)
def test_what_is_taken_away_is_sound_and_the_same_rules(
    context: BrowserContext, address: str, tmp_path: Path, edition: str, figure: str, value: str, path: str
) -> None:
    drawer = Drawer(context.new_page(), f"{address}{SITE}/{editions()[edition]}/{ON[edition]}", figure)
    take = drawer.box.get_by_role("button", name="Download as house rules")
    assert take.is_disabled()
    drawer.field(figure).fill(value)
    drawer.box.get_by_label("What you call it").fill('Ours, "at home" №2')
    with drawer.page.expect_download() as download:
        take.click()
    assert download.value.suggested_filename == "ours-at-home-no2.zip"
    download.value.save_as(tmp_path / "taken.zip")
    with ZipFile(tmp_path / "taken.zip") as taken:
        assert taken.testzip() is None
        taken.extractall(tmp_path / "rules")
    assert main(["check", "house/ours-at-home-no2", "--rules", str(tmp_path / "rules"), "--rules", str(RULES)]) == 0
    ruleset = load_ruleset("house/ours-at-home-no2", rules=[tmp_path / "rules", RULES])
    assert ruleset.digest == with_values(loaded(edition), [(path, value)]).digest
    assert ruleset.title == 'Ours, "at home" №2'
    assert drawer.faults == []


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing_in_it_and_it_fits_a_phone(context: BrowserContext, published: Path, scheme: Any) -> None:
    page = context.new_page()
    page.emulate_media(color_scheme=scheme)
    page.set_viewport_size({"width": 320, "height": 700})
    drawer = Drawer(page, page_of(published, KNIGHTS), "Hero base roll")
    drawer.said("Published odds.")
    drawer.field("Hero base roll").fill("2d6")
    drawer.said("have changed.")
    drawer.box.get_by_label("At most").select_option("200")
    drawer.box.get_by_role("button", name="Play").click()
    drawer.box.get_by_role("region", name="Games as published and as yours").wait_for()
    drawer.box.get_by_role("button", name="Stop").click()
    drawer.box.locator(".rw-what-if__status", has_text="games under yours").wait_for()
    assert page.evaluate("(box => box.scrollWidth - box.clientWidth)(document.querySelector('dialog'))") == 0
    # What axe itself asks for from disk is refused.
    assert drawer.faults == []
    assert violations(page) == []


def test_what_cannot_be_changed_says_why(context: BrowserContext, published: Path) -> None:
    drawer = Drawer(context.new_page(), page_of(published, YACHT), "Straight")
    drawer.box.get_by_text("What cannot be changed here").click()
    assert drawer.box.locator("details li").all_inner_texts() == ["Run. It is a list or a text, not a number."]


def test_a_page_asks_for_none_of_it_before_it_is_opened(context: BrowserContext, address: str) -> None:
    page, asked = context.new_page(), []
    page.on("request", lambda request: asked.append(request.url.rpartition("/")[2]))
    page.goto(f"{address}{SITE}/{editions()[KNIGHTS]}/{ON[KNIGHTS]}")
    page.wait_for_load_state("networkidle")
    mine = {"what-if.js", "what-if.css", "play.js"}
    assert page.locator(".rw-what-if-door").count() > 1
    assert not mine & set(asked)
    page.locator(".rw-what-if-door").first.click()
    page.locator("dialog.rw-what-if").wait_for()
    assert mine <= set(asked)
