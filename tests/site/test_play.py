"""Whole games on the page *Play*, by clicks alone and by keys alone: they are the games that Python plays."""

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
from rulewright.ai import bots
from tests.breadth import some
from tests.published import RULES, editions
from tests.site.kinds import SITE
from tests.site.test_axe import violations

if TYPE_CHECKING:
    from playwright.sync_api import Browser, BrowserContext, Page

pytestmark = [pytest.mark.browser, pytest.mark.slow]

MOST = 720_000
"""Bytes of everything that the page asks for, as they lie on the host."""

MOST_IN_A_LINK = 4_000
"""Letters of a link that holds a whole game: mail and messengers carry as many."""

PIG, TIC_TAC_TOE, LIARS_DICE, KNIGHTS = (
    "pig/classic@1.0.0",
    "classics/tic-tac-toe@1.0.0",
    "classics/liars-dice@1.0.0",
    "fuzzy-knights/normal@1.0.1",
)
YACHT = "classics/yacht@1.0.0"
PERSON = "a person at this screen"
WORDS = {
    "random": "a bot that picks at random",
    "greedy": "a bot that looks one decision ahead",
    "planner": "a bot that plans its turn",
    "rollout": "a bot that plays games to the end",
    "mcts:100": "a bot that searches quickly",
    "mcts:1600": "a bot that searches deeply",
    "": PERSON,
}
GAMES = {
    PIG: (("", "greedy"), 5),
    TIC_TAC_TOE: (("", "random"), 3),
    LIARS_DICE: (("", ""), 4),
    KNIGHTS: (("", "greedy"), 9),
}
"""Who sits where in each, and the seed: one that makes the game end soon. Of these, Liar's Dice hides something."""

OTHERS = {
    "fuzzy-knights/normal@0.1.1": (("", "greedy"), 6),
    "fuzzy-knights/normal@0.2.1": (("", "greedy"), 6),
    "fuzzy-knights/medium@0.1.1": (("", "greedy"), 1),
    "classics/backgammon@1.0.0": (("", "random"), 2),
    "classics/checkers@1.0.0": (("", "random"), 3),
    "classics/connect-four@1.0.0": (("", "random"), 1),
    "classics/goofspiel@1.0.0": (("", "mcts:100"), 1),
    "classics/hex@1.0.0": (("", "random"), 1),
    "classics/kuhn-poker@1.0.0": (("", "mcts:100"), 1),
    "classics/leduc-poker@1.0.0": (("", "mcts:100"), 1),
    "classics/oware@1.0.0": (("", "random"), 1),
    YACHT: (("", "random"), 1),
}
"""All that there is besides: they have no way to be asked or to choose that those before have not."""

PLAYED = some([*GAMES, *OTHERS], [*GAMES])
SEATED = GAMES | OTHERS


SMALL = """all => all.map(e => e.getBoundingClientRect())
  .filter(({ width, height }) => width && (width < 24 || height < 24)).length"""
"""How many of these are too small to touch."""


def choose_option(count: int, options: int) -> int:
    """Return the option that the people of these tests take, of so many, when they have chosen `count` times before."""
    return count * 7 % options


@cache
def played(edition: str, seats: tuple[str, ...] = (), seed: int = 0) -> Game:
    """Return the same game, played by Python."""
    if not seats:
        seats, seed = SEATED[edition]
    ruleset = load_ruleset(edition, rules=[RULES])
    game = Game(ruleset, players=len(seats), seed=seed)
    sitting = [bots.make(name, ruleset, seed=seed, seat=at) if name else None for at, name in enumerate(seats, start=1)]
    count = 0
    while (decision := game.decision) is not None:
        bot = sitting[decision.player - 1]
        if bot is None:
            game.choose(choose_option(count, len(decision.options)))
            count += 1
        else:
            game.choose(bot(game.state))
    return game


class Table:
    """The page, as somebody sees it who plays there."""

    def __init__(self, page: Page, url: str) -> None:
        self.page = page
        self.faults: list[str] = []
        page.on("pageerror", lambda error: self.faults.append(str(error)))
        page.goto(url)
        page.locator(".rw-play__setup").wait_for()

    def stands(self) -> str:
        """Once it is anybody's turn at the screen, or nobody's any more: `asked`, `covered`, `over` or `failed`."""
        self.page.locator("[data-state]:not([data-state=thinking])").wait_for()
        return str(self.page.evaluate("document.getElementById('rw-play').dataset.state"))

    def options(self) -> int:
        return self.page.locator(".rw-play__option").count()

    def waits(self, choices: str) -> None:
        """Until somebody has chosen since."""
        self.page.locator(f"[data-choices]:not([data-choices='{choices}'])").wait_for()

    def choices(self) -> str:
        return str(self.page.evaluate("document.getElementById('rw-play').dataset.choices ?? ''"))

    def saved(self) -> str:
        with self.page.expect_download() as download:
            self.page.get_by_role("button", name="Save as a file").click()
        return Path(download.value.path()).read_text(encoding="utf-8")

    def link(self) -> str:
        self.page.get_by_role("button", name="Share a link").click()
        box = self.page.locator("#rw-play-link")
        box.wait_for()
        return box.input_value()

    def story(self) -> list[str]:
        return self.page.locator(".rw-play__log li > span").all_text_contents()


class Mouse(Table):
    """Everything by clicks alone."""

    def begin(self, seats: tuple[str, ...], seed: int, names: tuple[str, ...] = ()) -> None:
        for place, bot in enumerate(seats, start=1):
            self.page.get_by_label(f"Who plays for player {place}").select_option(label=WORDS[bot])
        for place, name in enumerate(names, start=1):
            self.page.get_by_label(f"Name of player {place}").fill(name)
        self.page.get_by_text("Dice seed").click()
        self.page.get_by_label("Seed").fill(str(seed))
        self.page.get_by_role("button", name="Begin").click()
        if any(seats):
            self.page.get_by_label("Bots move").select_option(label="instantly")

    def take(self, index: int) -> None:
        option = self.page.locator(f".rw-play__option[data-index='{index}']")
        if not option.is_visible():
            self.page.get_by_role("button", name="List all").click()
        option.click()

    def uncover(self) -> None:
        self.page.locator(".rw-play__cover button").click()


class Keys(Table):
    """Everything by keys alone."""

    def press(self, *keys: str) -> None:
        for key in keys:
            self.page.keyboard.press(key)

    def go_to(self, selector: str, key: str = "Tab") -> None:
        for _ in range(60):
            if self.page.evaluate("selector => document.activeElement.matches(selector)", selector):
                return
            self.press(key)
        raise AssertionError(f"{key} leads to no {selector}")

    def begin(self, seats: tuple[str, ...], seed: int) -> None:
        for place, bot in enumerate(seats, start=1):
            self.go_to(f"[aria-label='Who plays for player {place}']")
            options = self.page.locator(f"[aria-label='Who plays for player {place}'] option").all_text_contents()
            self.press("Home", *["ArrowDown"] * options.index(WORDS[bot]))
        self.go_to("details:last-of-type > summary")
        self.press("Enter")
        self.go_to("#rw-play-seed")
        self.press("Control+a")
        self.page.keyboard.type(str(seed))
        self.press("Enter")
        if any(seats):
            self.go_to("#rw-play-pace", "Shift+Tab")
            self.press("End")
        self.count = 0

    def take(self, index: int) -> None:
        """By the arrows, and every other time by a number key, where the option has one."""
        every = self.page.get_by_role("button", name=re.compile("List all .* combinations"))
        if every.count():
            every.press("Enter")
        lines: list[str] = self.page.locator(".rw-play__option").evaluate_all("all => all.map(e => e.dataset.index)")
        at = lines.index(str(index))
        self.count += 1
        if at < 9 and self.count % 2:
            if self.page.evaluate("document.activeElement.matches('input, select')"):
                self.go_to(".rw-play__option")
            self.press(str(at + 1))
            return
        self.go_to(".rw-play__option")
        # Round the end, where that is nearer.
        ways = ["Home", *["ArrowDown"] * at], ["End", *["ArrowUp"] * (len(lines) - 1 - at)]
        self.press(*min(ways, key=len), "Enter")

    def uncover(self) -> None:
        self.press("Enter")


def play(table: Mouse | Keys) -> None:
    """To the end, as `wanted` says."""
    count = 0
    while (state := table.stands()) != "over":
        assert state != "failed", table.page.locator(".rw-play__error").text_content()
        if state == "covered":
            assert not table.page.locator(".rw-play__game").is_visible()
            table.uncover()
            table.page.locator("[data-state=asked]").wait_for()
        before = table.choices()
        table.take(choose_option(count, table.options()))
        count += 1
        table.waits(before)


@pytest.fixture
def context(browser: Browser) -> Iterator[BrowserContext]:
    context = browser.new_context(accept_downloads=True, reduced_motion="reduce")
    yield context
    context.close()


def page_of(edition: str) -> str:
    return f"{SITE}/{editions()[edition]}/play.html"


@pytest.mark.parametrize("edition", PLAYED)
def test_a_whole_game_from_disk_by_clicks_alone_is_the_one_of_python(
    context: BrowserContext, published: Path, edition: str
) -> None:
    table = Mouse(context.new_page(), (published / page_of(edition)).as_uri())
    table.begin(*SEATED[edition])
    play(table)
    game = played(edition)
    assert table.saved() == game.save_text()
    assert table.story() == [line.replace("🎲 ", "") for line in game.story()]
    link = table.link()
    assert len(link) < MOST_IN_A_LINK
    other = context.new_page()
    other.goto(link)
    other.locator("[data-state=over]").wait_for()
    assert other.locator(".rw-play__log li > span").all_text_contents() == table.story()
    assert not table.faults


@pytest.mark.parametrize("edition", PLAYED)
def test_a_whole_game_without_a_network_by_keys_alone_is_the_one_of_python(
    context: BrowserContext, address: str, edition: str
) -> None:
    table = Keys(context.new_page(), address + page_of(edition))
    context.set_offline(True)
    table.begin(*SEATED[edition])
    play(table)
    assert table.saved() == played(edition).save_text()
    assert not table.faults


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing_before_in_and_after_a_game(context: BrowserContext, published: Path, scheme: Any) -> None:
    page = context.new_page()
    page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
    table = Mouse(page, (published / page_of(TIC_TAC_TOE)).as_uri())
    page.locator(".rw-play__more").evaluate_all("all => all.forEach(e => { e.open = true })")
    assert violations(page) == []
    page.locator(".rw-play__more").evaluate_all("all => all.forEach(e => { e.open = false })")
    table.begin(*GAMES[TIC_TAC_TOE])
    table.stands()
    page.locator(".rw-play__option").first.hover()
    page.locator(".rw-play__leads").wait_for()
    assert violations(page) == []
    page.get_by_text("The book", exact=True).click()
    assert violations(page) == []
    page.keyboard.press("Escape")
    page.keyboard.press("?")
    page.get_by_role("dialog", name="Keys").wait_for()
    assert violations(page) == []
    page.keyboard.press("Escape")
    play(table)
    table.link()
    assert violations(page) == []


def test_axe_finds_nothing_where_a_roll_comes_and_on_the_cover(context: BrowserContext, published: Path) -> None:
    table = Mouse(context.new_page(), (published / page_of(PIG)).as_uri())
    table.begin(*GAMES[PIG])
    table.stands()
    table.page.locator(".rw-play__option").first.hover()
    rows = table.page.locator(".rw-play__odds tbody tr")
    rows.last.wait_for()
    assert rows.all_text_contents() == [f"{face}16.7 %1/6" for face in range(1, 7)]
    assert violations(table.page) == []
    table = Mouse(context.new_page(), (published / page_of(LIARS_DICE)).as_uri())
    table.begin(*GAMES[LIARS_DICE])
    assert table.stands() == "covered"
    assert violations(table.page) == []


def test_nothing_hidden_is_told_to_who_may_not_know_it(context: BrowserContext, published: Path) -> None:
    table = Mouse(context.new_page(), (published / page_of(LIARS_DICE)).as_uri())
    table.begin(*GAMES[LIARS_DICE])
    game = Game(load_ruleset(LIARS_DICE, rules=[RULES]), players=2, seed=GAMES[LIARS_DICE][1])
    for _ in range(3):
        assert table.stands() == "covered"
        assert game.decision is not None
        seat = game.decision.player
        assert table.page.locator(".rw-play__cover").text_content().startswith(f"Hand the screen to Player {seat}")
        table.uncover()
        assert table.story() == [line.replace("🎲 ", "") for line in game.story(seat=seat)]
        table.page.locator(".rw-play__option").first.hover()
        assert "hidden" in (table.page.locator(".rw-play__outlook").text_content() or "")
        table.take(0)
        game.choose(0)


def test_what_was_chosen_is_taken_back_to_the_last_decision_of_a_person(
    context: BrowserContext, published: Path
) -> None:
    table = Mouse(context.new_page(), (published / page_of(TIC_TAC_TOE)).as_uri())
    table.begin(*GAMES[TIC_TAC_TOE])
    assert table.page.get_by_role("button", name="Undo").is_disabled()
    saves = []
    for _ in range(2):
        table.stands()
        saves.append(table.saved())
        before = table.choices()
        table.take(0)
        table.waits(before)
    for before in reversed(saves):
        table.stands()
        table.page.get_by_role("button", name="Undo").click()
        assert table.stands() == "asked"
        assert table.saved() == before
    play(table)
    assert table.saved() == played(TIC_TAC_TOE).save_text()


def test_a_game_of_python_is_opened_and_one_of_other_rules_is_refused_in_words(
    context: BrowserContext, published: Path, tmp_path: Path
) -> None:
    game = Game(load_ruleset(PIG, rules=[RULES]), players=2, seed="words")
    for _ in range(3):
        game.choose(0)
    assert game.decision
    assert game.decision.player == 1  # a bot for player 2 would move at once
    mine, foreign = tmp_path / "mine.json", tmp_path / "foreign.json"
    mine.write_text(game.save_text(), encoding="utf-8")
    foreign.write_text(played(TIC_TAC_TOE).save_text(), encoding="utf-8")
    table = Mouse(context.new_page(), (published / page_of(PIG)).as_uri())
    table.page.set_input_files("input[type=file]", foreign)
    element = table.page.locator(".rw-play__error")
    element.get_by_text("classics/tic-tac-toe").wait_for()
    assert load_ruleset(PIG, rules=[RULES]).digest in (element.text_content() or "")
    table.page.set_input_files("input[type=file]", mine)
    table.page.locator(".rw-play__game").wait_for()
    assert table.saved() == game.save_text()
    fragment = table.link().partition("#")[2]
    other = context.new_page()
    other.goto(f"{(published / page_of(TIC_TAC_TOE)).as_uri()}#{fragment}")
    other.locator(".rw-play__error").get_by_text("other rules").wait_for()
    other.goto("about:blank")
    other.goto(f"{(published / page_of(PIG)).as_uri()}#{fragment[:-9]}")
    other.locator(".rw-play__error").get_by_text("lost on the way").wait_for()


def test_a_game_that_was_left_is_gone_on_with(context: BrowserContext, address: str) -> None:
    table = Mouse(context.new_page(), address + page_of(TIC_TAC_TOE))
    table.begin(*GAMES[TIC_TAC_TOE])
    table.stands()
    before = table.choices()
    table.take(0)
    table.waits(before)
    table.stands()
    save = table.saved()
    table.page.reload()
    table.page.get_by_role("button", name="Continue your last game").click()
    table.stands()
    assert table.saved() == save


@pytest.mark.parametrize("keys", [False, True], ids=["clicks", "keys"])
def test_elements_of_a_long_list_of_combinations_are_marked(
    context: BrowserContext, published: Path, keys: bool
) -> None:
    table = (Keys if keys else Mouse)(context.new_page(), (published / page_of(YACHT)).as_uri())
    table.begin(("", "random"), 1)
    table.stands()
    page, before = table.page, table.choices()
    dice, take = page.locator(".rw-play__option"), page.get_by_role("button", name="Choose these")
    assert dice.count() == 5, "each die is listed once, not all of their 32 combinations"

    def mark(place: int) -> None:
        if isinstance(table, Keys):
            table.go_to(".rw-play__option")
            table.press(str(place + 1))
        else:
            dice.nth(place).click()

    for place in (0, 2, 4, 2):
        mark(place)
    assert [each.get_attribute("aria-pressed") for each in dice.all()] == ["true", "false", "false", "false", "true"]
    status = page.locator(".rw-play__choices [role=status]")
    assert status.text_content().startswith("Selected: 2 of 0 to 5.")  # type: ignore[union-attr]
    assert violations(page) == []
    if isinstance(table, Keys):
        table.go_to(".rw-play__choices .rw-play__button--main")
        table.press("Enter")
    else:
        take.click()
    table.waits(before)
    table.stands()
    chosen = json.loads(table.saved())["save"]["record"]
    wanted_game = Game(load_ruleset(YACHT, rules=[RULES]), players=2, seed=1)
    assert wanted_game.decision is not None
    assert wanted_game.decision.subset is not None
    wanted_game.choose(wanted_game.decision.subset.find([0, 4]))  # type: ignore[arg-type]
    assert chosen == json.loads(wanted_game.save_text())["save"]["record"]
    page.get_by_role("button", name="List all 32 combinations").click()
    assert dice.count() == 32
    page.get_by_role("button", name="Select items one by one").click()
    assert dice.count() == 5
    assert not table.faults


def test_it_is_played_by_touch_on_a_phone(browser: Browser, published: Path) -> None:
    phone = browser.new_context(viewport={"width": 320, "height": 640}, has_touch=True, is_mobile=True)
    table = Mouse(phone.new_page(), (published / page_of(KNIGHTS)).as_uri())
    table.page.get_by_role("button", name="Begin").tap()
    more = table.page.get_by_role("button", name="More")
    more.tap()
    table.page.get_by_label("Bots move").select_option(label="instantly")
    more.tap()
    for count in range(4):
        assert table.stands() == "asked"
        assert table.page.evaluate("document.documentElement.scrollWidth") <= 320
        assert table.page.locator(".rw-play :is(button, select, summary, input:not(.rw-sr))").evaluate_all(SMALL) == 0
        before = table.choices()
        option, tile = table.page.locator(".rw-play__option:visible"), table.page.locator(".rw-tile.rw-open")
        if not option.count():
            tile.first.tap()
        elif count == 3:
            more.tap()
            table.page.get_by_label("A tap").select_option(label="chooses at once")
            option.first.tap()
            table.waits(before)
            break
        else:
            option.first.tap()
        # A finger cannot hover: the first tap shows what would come of it, and takes nothing.
        take = table.page.get_by_role("button", name="Choose it")
        take.wait_for()
        assert table.choices() == before
        box = take.bounding_box()
        assert box is not None
        assert box["y"] + box["height"] <= 640, "the way to take it is in sight"
        take.tap()
        table.waits(before)
    phone.close()


def test_the_way_to_take_it_stays_under_the_finger(browser: Browser, published: Path) -> None:
    phone = browser.new_context(viewport={"width": 320, "height": 640}, has_touch=True, is_mobile=True)
    table = Mouse(phone.new_page(), (published / page_of(KNIGHTS)).as_uri())
    table.page.get_by_role("button", name="Begin").tap()
    assert table.stands() == "asked"
    # The sheet at the foot of the window grows upwards, so all of it must be there as soon as the button is.
    parts, focused = table.page.locator(".rw-play__option:visible, .rw-tile.rw-open").first.evaluate(
        """each => {
          each.dispatchEvent(new MouseEvent("click", {bubbles: true}))
          return [document.querySelector(".rw-play__outlook").childElementCount, document.activeElement.textContent]
        }"""
    )
    assert (parts > 2, focused) == (True, "Choose it")
    phone.close()


def test_what_is_pointed_at_stays_under_the_pointer(context: BrowserContext, published: Path) -> None:
    page = context.new_page()
    page.set_viewport_size({"width": 320, "height": 640})
    table = Mouse(page, (published / page_of(PIG)).as_uri())
    table.begin(("", ""), 5)
    table.stands()
    first, last = table.page.locator(".rw-play__option").first, table.page.locator(".rw-play__option").last
    before = first.bounding_box()
    for option in (first, last):
        option.hover()
        page.locator(".rw-play__leads").get_by_text(f"{option.locator('span').first.text_content()}:").wait_for()
        assert first.bounding_box() == before


@pytest.mark.parametrize("bot", ["planner", "mcts:100"])
def test_bots_that_search_are_those_of_python_after_a_reload_and_after_taking_back(
    context: BrowserContext, address: str, bot: str
) -> None:
    seats = ("", bot)
    game = played(TIC_TAC_TOE, seats, 3)
    table = Mouse(context.new_page(), address + page_of(TIC_TAC_TOE))
    table.begin(seats, 3)
    count = 0
    while table.stands() != "over":
        before = table.choices()
        # Once a move is made and taken back, once the page is loaded again, before the move that counts.
        if count == 1:
            table.take(choose_option(count + 1, table.options()))
            table.waits(before)
            table.stands()
            table.page.get_by_role("button", name="Undo").click()
            table.page.locator(f"[data-state=asked][data-choices='{before}']").wait_for()
        if count == 2:
            table.page.reload()
            table.page.get_by_role("button", name="Continue your last game").click()
            table.page.locator(f"[data-state=asked][data-choices='{before}']").wait_for()
        table.take(choose_option(count, table.options()))
        count += 1
        table.waits(before)
    assert count > 2
    assert table.saved() == game.save_text()
    assert not table.faults


SPY = """() => {
  const post = Worker.prototype.postMessage
  window.posted = []
  Worker.prototype.postMessage = function (message, ...more) {
    window.posted.push(message.kind)
    // The first question is never answered, however fast the machine is.
    if (message.kind === 'think' && window.posted.length === 2) return undefined
    return post.call(this, message, ...more)
  }
}"""


def test_a_bot_that_thinks_is_told_to_stop_when_nobody_waits_for_it(context: BrowserContext, published: Path) -> None:
    page = context.new_page()
    page.add_init_script(f"({SPY})()")
    table = Mouse(page, (published / page_of(PIG)).as_uri())
    table.begin(("mcts:1600", ""), 5)
    page.locator("[data-state=thinking]").wait_for()
    page.get_by_role("button", name="New game").click()
    page.locator(".rw-play__setup").wait_for()
    assert page.evaluate("posted") == ["rules", "think", "stop"]
    # Who plays next is not kept waiting by it.
    table.begin(("greedy", ""), 5)
    assert table.stands() == "asked"


def test_names_are_said_wherever_players_are_and_a_game_is_played_again(
    context: BrowserContext, published: Path
) -> None:
    names = ("Ann <b>", "Bo & Co")
    table = Mouse(context.new_page(), (published / page_of(PIG)).as_uri())
    table.begin(GAMES[PIG][0], GAMES[PIG][1], names)
    play(table)
    assert table.saved() == played(PIG).save_text()
    texts = [line.replace("🎲 ", "") for line in played(PIG).story()]
    called = [line.replace("Player 1", names[0]).replace("Player 2", names[1]) for line in texts]
    assert table.story() == called
    shown = table.page.locator(".rw-play").text_content() or ""
    assert "Player 1" not in shown
    assert "Player 2" not in shown
    result = played(PIG).result
    assert result is not None
    (winner,) = result.winners
    assert table.page.locator(".rw-play__turn").text_content() == f"The game is over: {names[winner - 1]} wins."
    # Who has won, and with what: the rules say what a player holds.
    won = table.page.locator(".rw-play__won").locator("th, td").all_text_contents()
    score = played(PIG).state.objects[winner]
    assert score is not None
    assert won == [names[winner - 1], str(score[1])]
    table.page.get_by_role("button", name="Play again with the same dice").click()
    assert table.stands() == "asked"
    play(table)
    assert table.saved() == played(PIG).save_text()
    assert table.story() == called
    table.page.get_by_role("button", name="Play again", exact=True).click()
    assert table.stands() == "asked"
    assert json.loads(table.saved())["save"]["seed"] != GAMES[PIG][1]


def test_the_focus_is_never_lost_and_what_is_asked_is_said_once(context: BrowserContext, published: Path) -> None:
    table = Keys(context.new_page(), (published / page_of(TIC_TAC_TOE)).as_uri())
    table.begin(*GAMES[TIC_TAC_TOE])
    for count in range(3):
        table.stands()
        if not count:
            table.go_to(".rw-play__option")
        place = table.page.evaluate("document.activeElement.className")
        assert place.startswith(("rw-play__turn", "rw-play__option")), place
        if count:
            # The question stands above what has the focus, and is read out from there.
            heard = table.page.locator(".rw-play > [role=status]").text_content() or ""
            assert (table.page.locator(".rw-play__turn").text_content() or "?") not in heard
            assert heard.endswith("options.")
            assert "chooses" in heard, "what the bot did is said"
        before = table.choices()
        table.take(choose_option(count, table.options()))
        table.waits(before)


def test_what_was_kept_and_is_damaged_is_told_kindly_and_forgotten(context: BrowserContext, address: str) -> None:
    table = Mouse(context.new_page(), address + page_of(TIC_TAC_TOE))
    digest = load_ruleset(TIC_TAC_TOE, rules=[RULES]).digest
    table.page.evaluate("name => localStorage.setItem(name, '#g=AAAA')", f"rulewright.play.{digest}")
    table.page.reload()
    table.page.get_by_role("button", name="Continue your last game").click()
    table.page.locator(".rw-play__error").get_by_text("Start a new one").wait_for()
    assert table.page.get_by_role("button", name="Continue your last game").count() == 0
    table.begin(*GAMES[TIC_TAC_TOE])
    assert table.stands() == "asked"


def test_where_no_program_can_run_it_says_so(context: BrowserContext, published: Path) -> None:
    page = context.new_page()
    page.add_init_script("delete window.WebAssembly")
    page.goto((published / page_of(PIG)).as_uri())
    page.locator(".rw-play__error").get_by_text("has no WebAssembly").wait_for()


def test_the_book_is_a_step_away(context: BrowserContext, published: Path) -> None:
    table = Mouse(context.new_page(), (published / page_of(PIG)).as_uri())
    table.begin(*GAMES[PIG])
    table.page.get_by_text("The book", exact=True).click()
    links = table.page.get_by_role("navigation", name="The book").get_by_role("link")
    addresses = links.evaluate_all("all => all.map(e => e.href)")
    assert len(addresses) > 5
    for each in addresses:
        assert Path(each.removeprefix("file://").partition("#")[0]).is_file(), each
    links.filter(has_text="Overview").click()
    table.page.wait_for_url("**/index.html")


def test_many_options_are_found_by_their_words(context: BrowserContext, published: Path) -> None:
    table = Mouse(context.new_page(), (published / page_of(KNIGHTS)).as_uri())
    table.begin(("", ""), 1)
    table.stands()
    decision = Game(load_ruleset(KNIGHTS, rules=[RULES]), players=2, seed=1).decision
    assert decision is not None
    label = decision.options[len(decision.options) // 2].label
    # Whoever points at the board needs no list of all its tiles.
    assert table.page.locator(".rw-play__option:visible").count() == 0
    table.page.get_by_role("button", name=f"List all {len(decision.options)}").click()
    table.page.get_by_label("Find an option").fill(label)
    left = table.page.locator(".rw-play__option:visible").all_text_contents()
    assert left == [f"{label}1"]
    table.page.get_by_label("Find an option").press("ArrowDown")
    table.page.keyboard.press("Enter")
    table.page.locator(".rw-play__log").get_by_text(f"chooses {label}.").wait_for()


def test_rules_behind_its_address_are_shown_and_not_played(context: BrowserContext, address: str) -> None:
    page = context.new_page()
    page.goto(f"{address}{page_of(PIG)}#rules=2.none")
    page.get_by_text("There are no rules in this link.").wait_for()
    assert page.url == f"{address}{SITE}/shared.html#rules=2.none"


def test_the_page_is_light_and_no_other_is_heavier_for_it(
    context: BrowserContext, address: str, published: Path
) -> None:
    page, messages = context.new_page(), {}
    page.on("response", lambda answer: messages.setdefault(answer.url, answer))
    table = Mouse(page, address + page_of("fuzzy-knights/medium@0.1.1"))
    table.begin(("", "greedy"), 1)
    table.stands()
    # What is still asked for meanwhile, such as by a bot, is no part of the page.
    sizes = {url: len(answer.body()) for url, answer in [*messages.items()] if url.startswith("http")}
    assert {url.rpartition("/")[2] for url in sizes} >= {"play.html", "engine.js", "play.js", "play.css", "book.css"}
    assert sum(sizes.values()) <= MOST, sizes
    pages = list((published / SITE).rglob("*.html"))
    players = {path for path in pages if re.search(r"assets/(engine|play)\.", path.read_text(encoding="utf-8"))}
    assert players == {path for path in pages if path.name == "play.html"}
    assert len([path for path in players if path.parent.name != "de"]) == len(editions())
    loose = {path for path in pages if "wasm-unsafe-eval" in path.read_text(encoding="utf-8")}
    # Where a figure may be tried otherwise, the drawer is a program, too.
    varied = {path for path in pages if 'id="rw-what-if"' in path.read_text(encoding="utf-8")}
    assert loose == players | varied


@pytest.mark.parametrize("edition", [PIG, KNIGHTS, "classics/backgammon@1.0.0"])
def test_every_rule_that_a_line_leads_to_is_there(published: Path, edition: str) -> None:
    folder = published / SITE / editions()[edition]
    text = (folder / "play.js").read_text(encoding="utf-8").strip()
    given = json.loads(text.removeprefix("rulewrightRules(").removesuffix(")"))
    homes = json.loads(gzip.decompress(base64.b85decode(given["table"])))["homes"]
    assert {rule for rules in homes.values() for rule in rules} >= set(load_ruleset(edition, rules=[RULES]).procedures)
    for name, rules in homes.items():
        ids = set(re.findall(r'\bid="?([^\s">]+)', (folder / f"{name}.html").read_text(encoding="utf-8")))
        assert {fragment for fragment, _ in rules.values() if fragment} <= ids, name
