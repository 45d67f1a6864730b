"""Dice in the built pages: their odds, rolling them and on tables; with a mouse, a keyboard, and without scripts."""

from __future__ import annotations

import json
import re
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Literal

import pytest
from hypothesis import assume, given

from rulewright.book.parts.odds_charts import Rolls, build_data_island, format_chance
from rulewright.book.site.publish import build_site
from rulewright.cli.main import main
from rulewright.dice.ast import Die, Pool, Roll
from rulewright.dice.format_notation import format_roll
from rulewright.dice.parser.notation import parse
from rulewright.dice.sampling.random_generator import Generator
from rulewright.dice.sampling.roll_dice import list_faces, roll
from rulewright.ruleset.editions.catalogue import Catalogue
from rulewright.ruleset.prose.book_language import ENGLISH
from tests.book.garden import write_garden
from tests.breadth import some
from tests.browser import open_page
from tests.dice.strategies import rolls
from tests.site.test_axe import violations

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Locator, Page

browser_test = pytest.mark.browser

WEATHER = Pool(1, Die(range(1, 5), "dW"))
RAIN = "2d6 +1"


@pytest.fixture(scope="module")
def book(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the book of a small game, which is read from disk here."""
    folder = tmp_path_factory.mktemp("garden")
    build_site(Catalogue([write_garden(folder / "rules")]), folder / "site")
    return folder / "site" / "small-1.0"


@pytest.fixture
def growing(window: Page, book: Path) -> Page:
    """Return the page with the tables."""
    window.emulate_media(reduced_motion="reduce")
    window.goto((book / "growing.html").as_uri())
    return window


def rain(page: Page) -> Locator:
    return page.locator("#table-weather tbody a.rw-dice", has_text="2d6")


def popover(page: Page) -> Locator:
    return page.get_by_role("dialog", name=re.compile("d"))


def roll_with(page: Page, seed: str) -> None:
    popover(page).get_by_label("Seed").fill(seed)
    page.keyboard.press("Enter")


def shown_rows(table: Locator) -> list[list[str]]:
    return [row.locator("th, td").all_inner_texts() for row in table.locator("tbody tr").all()]


@browser_test
def test_a_roll_opens_its_odds(growing: Page) -> None:
    rain(growing).click()
    assert "3 to 13 · mean 8 · deviation 2.42" in popover(growing).inner_text()
    assert popover(growing).get_by_role("img", name="How likely each total of 2d6 +1 is").locator("rect").count() == 11
    tallest = popover(growing).locator("rect").evaluate_all("all => all.map(bar => bar.height.baseVal.value)")
    assert tallest == sorted(tallest[:6]) + sorted(tallest[:5], reverse=True)


@browser_test
def test_the_table_has_the_numbers_of_the_command(
    growing: Page, book: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["odds", RAIN, "--json"]) == 0
    outcomes = {total: Fraction(share) for total, share in json.loads(capsys.readouterr().out)["outcomes"].items()}
    above = {total: sum(share for other, share in outcomes.items() if int(other) >= int(total)) for total in outcomes}
    expected = [
        [total, str(share), f"{float(share) * 100:.2f} %", f"{float(above[total]) * 100:.2f} %"]
        for total, share in outcomes.items()
    ]
    rain(growing).click()
    popover(growing).get_by_text("Every total").click()
    assert shown_rows(popover(growing)) == expected
    growing.goto((book / "odds.html").as_uri())
    entry = growing.locator("[id='roll-2d6+1']")
    entry.get_by_text("Every total").click()
    assert shown_rows(entry) == expected


@browser_test
def test_at_least_so_much_is_chosen_with_the_arrow_keys(growing: Page) -> None:
    rain(growing).click()
    slider = popover(growing).get_by_role("slider", name="At least")
    assert slider.get_attribute("aria-valuetext") == "8 or more: 58.33 %"
    slider.press("ArrowRight")
    assert slider.get_attribute("aria-valuetext") == "9 or more: 41.67 %"
    assert "At least 9: 41.67 %" in popover(growing).inner_text()
    assert popover(growing).locator("rect.rw-more").count() == 5


@browser_test
@pytest.mark.parametrize("seed", ["7", "-12", "a rainy day"])
def test_a_seed_rolls_what_the_engine_rolls(growing: Page, seed: str) -> None:
    generator = Generator(int(seed) if seed.lstrip("-").isdigit() else seed)
    rain(growing).click()
    roll_with(growing, seed)
    for number in range(1, 4):
        result = roll(parse(RAIN), generator)
        assert popover(growing).locator(".rw-face").all_inner_texts() == [str(face) for face in list_faces(result)[0]]
        assert f"= {result.total}" in popover(growing).locator(".rw-rolled").inner_text()
        assert f"2d6 +1 comes to {result.total}." in growing.locator("[aria-live=polite].rw-sr").inner_text()
        assert f"roll {number}" in popover(growing).inner_text()
        popover(growing).get_by_role("button", name="Roll again").click()


@browser_test
def test_the_seed_that_is_shown_is_the_one_that_rolled(growing: Page) -> None:
    rain(growing).click()
    popover(growing).get_by_role("button", name="Roll it", exact=True).click()
    seed = popover(growing).get_by_label("Seed").input_value()
    result = roll(parse(RAIN), Generator(int(seed)))
    assert f"= {result.total}" in popover(growing).locator(".rw-rolled").inner_text()


@browser_test
def test_a_table_is_rolled_on(growing: Page) -> None:
    table = growing.locator("#table-weather")
    table.locator("caption a.rw-dice").click()
    roll_with(growing, "7")
    growing.keyboard.press("Escape")
    generator = Generator(7)
    seen = set()
    for _ in range(12):
        total = roll(WEATHER, generator).total
        hit = table.locator("tr[aria-current=true]")
        name = "Pouring rain" if total == 4 else "Dry"
        assert hit.count() == 1
        assert hit.locator("th").inner_text() == name
        assert table.locator("caption .rw-face").all_inner_texts() == [str(total)]
        assert name in growing.locator("[aria-live=polite].rw-sr").inner_text()
        seen.add(name)
        table.get_by_role("button", name="Roll it: Weather").click()
    assert seen == {"Dry", "Pouring rain"}


@browser_test
def test_the_keyboard_opens_rolls_and_leaves(growing: Page) -> None:
    link = rain(growing)
    assert link.get_attribute("aria-expanded") == "false"
    for key in ("Enter", " "):
        link.focus()
        growing.keyboard.press(key)
        assert link.get_attribute("aria-expanded") == "true"
        growing.keyboard.press("Enter")
        assert popover(growing).locator(".rw-face").count() == 2
        growing.keyboard.press("Escape")
        popover(growing).wait_for(state="hidden")
        assert growing.evaluate("document.activeElement.textContent.trim()").startswith("2d6")
        growing.wait_for_function("e => e.getAttribute('aria-expanded') === 'false'", arg=link.element_handle())


@browser_test
def test_the_keyboard_goes_on_behind_the_popover(growing: Page) -> None:
    rain(growing).press("Enter")
    for _ in range(12):
        growing.keyboard.press("Tab")
        if not popover(growing).is_visible():
            break
    assert not popover(growing).is_visible()


@browser_test
@pytest.mark.parametrize("width", [320, 390, 1280])
def test_the_popover_stays_in_sight(growing: Page, width: int) -> None:
    growing.set_viewport_size({"width": width, "height": 700})
    rain(growing).click()
    popover(growing).get_by_text("Every total").click()
    growing.evaluate("() => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))")
    box = popover(growing).bounding_box()
    assert box is not None
    assert box["x"] >= 0
    assert box["x"] + box["width"] <= width
    assert box["y"] >= 0
    assert box["y"] + box["height"] <= 700
    assert growing.evaluate("document.documentElement.scrollWidth") <= width


# Colours do not depend on the width, nor the layout on the colours.
LOOKS = [(390, "light"), (1280, "dark"), (390, "dark"), (1280, "light")]


@browser_test
@pytest.mark.parametrize(("width", "scheme"), some(LOOKS, LOOKS[:2]))
def test_no_violation_with_dice_on_the_table(growing: Page, scheme: Literal["light", "dark"], width: int) -> None:
    growing.emulate_media(color_scheme=scheme, reduced_motion="reduce")
    growing.set_viewport_size({"width": width, "height": 800})
    growing.get_by_role("button", name="Roll it: Weather").click()
    assert violations(growing) == []
    rain(growing).click()
    popover(growing).get_by_role("button", name="Roll it", exact=True).click()
    popover(growing).get_by_text("Every total").click()
    assert violations(growing) == []


@browser_test
def test_without_scripts_a_roll_leads_to_its_odds(browser: Browser, book: Path) -> None:
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto((book / "growing.html").as_uri())
    assert page.get_by_role("button", name="Roll").count() == 0
    assert rain(page).get_attribute("title") == "3 to 13, 8 on average"
    rain(page).click()
    page.wait_for_url("**/odds.html#roll-2d6+1")
    entry = page.locator(":target")
    assert "3 to 13 · mean 8 · most often 6 to 10: 66.67 %" in entry.inner_text()
    bars = "".join(each.get_attribute("d") or "" for each in entry.locator("svg path").all())
    assert len(re.findall("V120", bars)) == 11
    context.close()


@browser_test
def test_every_roll_of_the_book_can_be_opened(page: Page, book: Path) -> None:
    opened = 0
    for path in sorted(book.glob("*.html")):
        page.goto(path.as_uri())
        if not page.locator("script[src$='book.js']").count():
            continue  # the whole book on one page, to be printed
        assert page.locator(".rw-dice:not(a)").count() == 0
        for link in page.locator("a.rw-dice").all():
            assert link.get_attribute("role") == "button"
            opened += 1
    assert opened > 5


@browser_test
def test_many_dice_and_many_totals_are_kept_in_bounds(browser: Browser, tmp_path: Path, checkout: Path) -> None:
    wide = Rolls()
    href = wide.linker("page.md")(parse("max(200d6, 4d100kl1)"))
    body = f'<a class="rw-dice" href="{href}">many</a>'
    assets = checkout / "site" / "assets"
    script = ";\n".join((assets / name).read_text("utf-8") for name in ("say.js", "built/roller.js"))
    carried = build_data_island(wide.on("page.md"), ENGLISH) + f"<script>{script}</script>"
    (tmp_path / "many.html").write_text(f"<!doctype html><title>Many</title>{body}{carried}", encoding="utf-8")
    with open_page(browser) as page:
        page.goto((tmp_path / "many.html").as_uri())
        page.locator("a.rw-dice").click()
        box = page.get_by_role("dialog")
        roll_with(page, "7")
        result = roll(parse("max(200d6, 4d100kl1)"), Generator(7))
        assert f"= {result.total}" in box.inner_text()
        assert "and 140 more" in box.inner_text()
        assert 40 < box.locator("rect").count() <= 60
        box.get_by_text("Every total").click()
        shares = [row[-2] for row in shown_rows(box)]
        assert "under 0.01 %" in shares


def test_a_comparison_cannot_end_its_element() -> None:
    rolls = Rolls()
    href = rolls.linker("odds.md")(parse("1d6 < 2d4"))
    assert href == "#roll-1d6lt2d4"
    carried = build_data_island(rolls.on("odds.md"), ENGLISH)
    assert carried.count("<") == 2
    assert json.loads(carried.partition(">")[2].removesuffix("</script>"))[0][1] == "1d6 < 2d4"


@given(first=rolls(), second=rolls())
def test_different_rolls_have_different_addresses(first: Roll, second: Roll) -> None:
    assume(format_roll(first) != format_roll(second))
    link = Rolls().linker("page.md")
    assert link(first) != link(second)


def test_odds_that_are_too_large_are_left_out() -> None:
    assert Rolls().linker("page.md")(parse("max(10000d100000, 1)")) is None


@pytest.mark.parametrize(
    ("count", "message"),
    [
        (0, "0.00 %"),
        (1, "under 0.01 %"),
        (5, "0.01 %"),
        (12_345, "12.35 %"),
        (99_999, "over 99.99 %"),
        (100_000, "100.00 %"),
    ],
)
def test_a_chance_is_never_certain_where_it_is_not(count: int, message: str) -> None:
    assert format_chance(count, 100_000) == message
