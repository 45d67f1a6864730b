"""The table in a browser: what it shows, and that a game is played on it with a mouse, a finger, and keys alone."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import pytest

from rulewright import Game, load_ruleset
from rulewright.ai import bots
from rulewright.book.play_page.table_display import build_display
from rulewright.export.write_export import write_export
from tests.breadth import some
from tests.card_duel import COOKBOOK, load_duel
from tests.secrets.pairs import find_pairs
from tests.site.server import serving
from tests.site.test_axe import violations

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Locator, Page

pytestmark = pytest.mark.browser

HERE = Path(__file__).parent
ASSETS = HERE.parents[1] / "site" / "assets"
KNIGHTS = "fuzzy-knights/normal@1.0"
SCENES: tuple[tuple[str, int, int], ...] = (
    ("classics/tic-tac-toe", 2, 4),
    ("classics/connect-four", 2, 9),
    ("classics/hex", 2, 12),
    ("classics/backgammon", 2, 30),
    ("classics/oware", 2, 8),
    ("classics/checkers", 2, 20),
    ("classics/kuhn-poker", 2, 1),
    ("classics/liars-dice", 2, 1),
    ("classics/yacht", 2, 14),
    ("classics/goofspiel", 2, 5),
    ("pig/classic", 3, 9),
    (KNIGHTS, 3, 130),
)

RICH = tuple(scene for scene in SCENES if scene[0] in ("classics/yacht", "classics/goofspiel", KNIGHTS))
"""Those that have most of what there is to be seen."""


@pytest.fixture(scope="module")
def table(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Callable[..., str]]:
    """Yield the address of the page, at which a ruleset lies ready under the name that is given back for it."""
    import material

    folder = tmp_path_factory.mktemp("tables")
    shutil.copytree(ASSETS / "play", folder / "play")
    for name in ("say.js", "rulewright.css"):
        shutil.copy(ASSETS / name, folder)
    theme = Path(material.__path__[0]) / "templates" / "assets" / "stylesheets"
    shutil.copy(next(theme.glob("main.*.min.css")), folder / "main.css")
    shutil.copy(HERE / "tabletop.html", folder / "index.html")
    shutil.copy(HERE / "tabletop_page.js", folder)

    @cache
    def ready(reference: str, rules: Path | None = None) -> str:
        name = reference.replace("/", "-").replace("@", "-")
        ruleset = load_ruleset(reference, rules=[rules] if rules else [])
        write_export(ruleset, folder / name)
        (folder / name / "table.json").write_text(json.dumps(build_display(ruleset)), encoding="utf-8")
        return f"{address}index.html#{name}"

    with serving(folder) as address:
        yield ready


def sit(page: Page, address: str, **value: Any) -> None:
    """Open the page and begin a game, or go on with one; what stands to be decided can be pointed out."""
    faults: list[str] = []
    page.on("pageerror", lambda error: faults.append(str(error)))
    page.goto("about:blank")
    page.goto(address)
    page.wait_for_function("() => window.ready")
    page.evaluate("told => sit(told)", {"name": address.partition("#")[2], **value})
    assert not faults, faults


def tile(page: Page, name: str) -> Locator:
    return page.locator(f".rw-tile[data-tile='{name}']")


def played(reference: str, choices: list[int], **value: Any) -> str:
    """Return what Python saves of the same choices."""
    game = Game(load_ruleset(reference), **value)
    for choice in choices:
        game.choose(choice)
    return game.save_text()


def picked(page: Page) -> list[list[int]]:
    picked: list[list[int]] = page.evaluate("table.picked")
    return picked


def until(reference: str, expected: Callable[[Game], bool], *, players: int, seed: int, most: int = 2000) -> Game:
    """Return a game of bots that take any option, at the first decision that is `expected`."""
    ruleset = load_ruleset(reference)
    game = Game(ruleset, players=players, seed=seed)
    seated = [bots.make("random", ruleset, seed=seed, seat=seat + 1) for seat in range(players)]
    for _ in range(most):
        assert game.decision is not None
        if expected(game):
            return game
        game.choose(seated[game.decision.player - 1](game.state))
    raise AssertionError("there is no such decision")


def test_a_game_is_played_with_the_mouse(window: Page, table: Callable[..., str]) -> None:
    reference = "classics/tic-tac-toe"
    sit(window, table(reference))
    for name in ("c2r2", "c1r1", "c3r1", "c1r3", "c1r2"):
        tile(window, name).click()
    assert tile(window, "c2r2").get_attribute("role") == "img"
    tile(window, "c2r2").click()  # it is taken: this chooses nothing
    assert [len(each) for each in picked(window)] == [1] * 5
    choices = [each[0] for each in picked(window)]
    assert window.evaluate("table.game.save()") == played(reference, choices, players=2, seed=1)
    assert "Player 1" in str(tile(window, "c2r2").get_attribute("aria-label"))


def test_a_card_says_what_it_does_when_it_is_pointed_at(window: Page, table: Callable[..., str]) -> None:
    sit(window, table("cookbook/card-duel", COOKBOOK))
    titles = {each.get_attribute("title") for each in window.locator("[title]").all()}
    assert titles & set(build_display(load_duel("card-duel"))["texts"]["cards"].values())


FAR = """\
tables:
  field:
    title: Field
    areas: {}
    rows:
      near: {column: 1, row: 1, neighbours: [mid]}
      mid: {column: 1, row: 2, neighbours: [far]}
      far: {column: 60, row: 60, neighbours: [end]}
      end: {column: 60, row: 59}
kinds: {player: {fields: {at: {type: field, default: far}}}}
procedures:
  game:
    steps:
      - id: turns
        repeat:
          at_most: 3
          steps:
            - {id: there, choose: {who: first(players), one_of: list(s for s in field if s.column == 60)}}
            - {id: back, choose: {who: first(players), one_of: list(s for s in field if s.column == 1)}}
      - {id: over, finish: players}
"""


@pytest.mark.parametrize("width", [1280, 390])
def test_a_board_larger_than_its_frame_is_scrolled_to_what_can_be_chosen(
    window: Page, table: Callable[..., str], tmp_path: Path, width: int
) -> None:
    folder = tmp_path / f"far{width}"
    folder.mkdir()
    manifest = f"ruleset: test/far{width}\nversion: 1.0.0\ntitle: Far\nplayers: 1..2\nstart: game\n"
    (folder / "ruleset.yaml").write_text(manifest)
    (folder / "rules.yaml").write_text(FAR)
    window.set_viewport_size({"width": width, "height": 800})
    sit(window, table(f"test/far{width}", tmp_path))
    for goal in ("far", "mid", "end", "near"):
        frame, spot = window.locator(".rw-board__frame").bounding_box(), tile(window, goal).bounding_box()
        assert frame is not None
        assert spot is not None
        assert spot["width"] >= 24
        assert frame["height"] <= 800
        for axis, size in (("x", "width"), ("y", "height")):
            assert frame[axis] <= spot[axis] + spot[size] / 2 <= frame[axis] + frame[size], goal
        tile(window, goal).click()


def test_a_map_that_grows_shows_what_lies_there_and_what_can_be_chosen(window: Page, table: Callable[..., str]) -> None:
    sit(window, table("cookbook/growing-map", COOKBOOK))
    assert window.locator(".rw-tile").count() == 7, "a field and its six neighbours"
    tile(window, "c10r9").click()
    rules = load_ruleset("cookbook/growing-map", rules=[COOKBOOK])
    game = Game(rules, players=2, seed=1)
    game.choose("c10r9")
    drawn = {each.get_attribute("data-tile") for each in window.locator(".rw-tile").all()}
    assert game.decision is not None
    assert drawn.issuperset(option.id for option in game.decision.options)
    assert len(drawn) < len(rules.declarations.tables["island"].rows) / 10
    # The number of a row is beside its first hexagon that is drawn.
    for number in window.locator(".rw-board__words text").all():
        row, box = number.text_content(), number.bounding_box()
        assert box is not None
        right = box["x"] + box["width"]
        firsts = [tile(window, name).bounding_box() for name in drawn if name and name.endswith(f"r{row}")]
        edge = min(each["x"] for each in firsts if each)
        assert edge - 30 < right <= edge + 1, row
    assert violations(window) == []


def test_a_piece_of_several_squares_is_laid_by_its_squares_and_drawn_as_one(
    window: Page, table: Callable[..., str]
) -> None:
    sit(window, table("cookbook/pentominoes", COOKBOOK))
    for name in ("c1r1", "c5r1"):  # only the straight one covers both
        tile(window, name).click()
    window.get_by_role("button", name="Choose it").click()
    rules = load_ruleset("cookbook/pentominoes", rules=[COOKBOOK])
    covers = rules.declarations.tables["ways"].rows["i_c1r1"].cells["covers"]
    edges = window.locator(".rw-cover__edge")
    assert edges.count() == 1
    assert str(edges.get_attribute("d")).count("M") == 12, "no side is between two of the five squares"
    assert window.locator(".rw-piece").count() == 1, "it has one picture"
    for name in covers:
        assert "I ([1, 1]" in str(tile(window, name).get_attribute("aria-label")), name
    assert "empty" in str(tile(window, "c6r1").get_attribute("aria-label"))
    assert violations(window) == []


MARKED = """\
tables:
  board:
    title: Board
    grid: {columns: 3, rows: 1}
    columns: {safe: optional bool, ground: "one of [sand, wood]"}
    names: {safe: rosette}
    rows: {c1r1: {safe: true, ground: sand}, c2r1: {ground: wood}, c3r1: {ground: sand}}
state:
  robber: {type: board, default: c2r1}
procedures:
  game:
    steps:
      - {id: to, choose: {who: first(players), one_of: list(s for s in board if s != robber)}}
      - {id: moved, set: {robber: to}}
      - {id: again, choose: {who: last(players), one_of: board}}
"""


def test_marks_of_spaces_are_drawn_and_said(window: Page, table: Callable[..., str], tmp_path: Path) -> None:
    manifest = "ruleset: walk/marked\nversion: 1.0.0\ntitle: Marked\nstatus: draft\nplayers: 2\nstart: game\n"
    (tmp_path / "ruleset.yaml").write_text(manifest)
    (tmp_path / "rules.yaml").write_text(MARKED)
    sit(window, table("walk/marked", tmp_path))

    def marks() -> list[str]:
        names = ("c1r1", "c2r1", "c3r1")
        return ["".join(window.locator(f"[data-on='{name}'] .rw-tile__mark").all_text_contents()) for name in names]

    assert marks() == ["os", "wr", "s"]
    legend = window.get_by_role("list", name="On the board").get_by_role("listitem").all_text_contents()
    assert legend == ["rRobber", "orosette", "ssand", "wwood"]
    assert str(tile(window, "c1r1").get_attribute("aria-label")).startswith("[1, 1]: rosette, sand")
    tile(window, "c3r1").click()
    assert marks() == ["os", "w", "sr"]
    assert violations(window) == []


def test_a_game_is_played_with_a_finger(browser: Browser, table: Callable[..., str]) -> None:
    reference = "classics/connect-four"
    context = browser.new_context(has_touch=True, is_mobile=True, viewport={"width": 320, "height": 640})
    page = context.new_page()
    sit(page, table(reference))
    for name in ("12", "19", "12", "54"):
        tile(page, name).tap()
    choices = [each[0] for each in picked(page)]
    assert len(choices) == 4
    assert choices[0] == choices[2], "both fell into the first slot"
    assert page.evaluate("table.game.save()") == played(reference, choices, players=2, seed=1)
    # The discs lie where the rules say: two in the first column, from the bottom up.
    held = {name: page.locator(f"[data-on='{name}'] .rw-piece").count() for name in ("7", "8", "9", "14", "49")}
    assert held == {"7": 1, "8": 1, "9": 0, "14": 1, "49": 1}
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    context.close()


def test_a_game_is_played_with_keys_alone(window: Page, table: Callable[..., str]) -> None:
    reference = "classics/tic-tac-toe"
    sit(window, table(reference))
    window.keyboard.press("Tab")
    at = "document.activeElement.dataset.tile"
    assert window.evaluate(at) == "c1r1"
    for keys, there in (
        (["ArrowRight", "ArrowDown", "Enter"], "c2r2"),
        (["ArrowUp", "Space"], "c2r1"),
        (["ArrowLeft", "Enter"], "c1r1"),
        (["ArrowLeft", "ArrowDown", "Enter"], "c1r2"),
    ):
        for key in keys:
            window.keyboard.press(key)
        assert window.evaluate(at) == there, "the focus stays where it was when all is drawn anew"
    choices = [each[0] for each in picked(window)]
    assert len(choices) == 4
    assert window.evaluate("table.game.save()") == played(reference, choices, players=2, seed=1)


def test_a_subset_is_put_together_and_taken_back(window: Page, table: Callable[..., str]) -> None:
    def is_wanted(game: Game) -> bool:
        decision = game.decision
        assert decision is not None
        values = [option.value for option in decision.options]
        lists = [value for value in values if isinstance(value, tuple)]
        return max(map(len, lists), default=0) >= 2 and len(values) >= 3 and len(lists) == len(values)

    game = until(KNIGHTS, is_wanted, players=3, seed=3)
    assert game.decision is not None
    sit(window, table(KNIGHTS), save=game.save_text())
    options = game.decision.options
    pair = next(option for option in options if len(option.value) == 2)
    one, other = (window.locator(".rw-member.rw-open").nth(place) for place in (0, 1))
    bar = window.get_by_role("group", name="Chosen so far")
    assert bar.is_hidden()

    one.click()
    assert one.get_attribute("aria-pressed") == "true"
    with_one = [option.index for option in options if options[0].value[0] in option.value]
    assert picked(window)[-1] == with_one
    other.click()
    taking = bar.get_by_role("button", name=f"Choose it: {pair.label}")
    assert taking.is_visible()
    assert window.evaluate("table.game.record.length") == len(game.record), "nothing is taken before it is confirmed"
    bar.get_by_role("button", name="Undo the last selection").click()
    assert other.get_attribute("aria-pressed") == "false"
    assert picked(window)[-1] == with_one
    window.keyboard.press("Escape")
    one.click()
    assert bar.is_hidden()
    one.click()
    other.click()
    taking.click()
    assert picked(window)[-1] == [pair.index]
    game.choose(pair)
    assert window.evaluate("table.game.save()") == game.save_text()


def test_what_touches_one_place_is_given_together(window: Page, table: Callable[..., str]) -> None:
    """Where several options lead to one place, none of them is taken for the reader."""
    reference = "classics/backgammon"

    def stacked(game: Game) -> bool:
        decision = game.decision
        assert decision is not None
        return decision.rule.startswith("run") and len(decision.options) > 2

    game = until(reference, stacked, players=2, seed=5)
    sit(window, table(reference), save=game.save_text(), choose=False)
    choices = window.evaluate("table.game.choices")
    for element in window.locator(".rw-tile.rw-open").all()[:4]:
        element.click()
        name = element.get_attribute("data-tile")
        on = window.evaluate(
            "name => table.game.view('everything').objects"
            ".filter(e => e.fields.some(f => f.value === name)).map(e => e.number)",
            name,
        )
        expected = [
            each["index"] for each in choices if set(each["things"]) & set(on) or ["points", name] in each["tiles"]
        ]
        assert picked(window)[-1] == expected


def test_an_option_is_marked_and_told_of(window: Page, table: Callable[..., str]) -> None:
    sit(window, table("classics/tic-tac-toe"))
    window.evaluate("table.desk.mark(4)")
    assert window.locator(".rw-marked").evaluate_all("all => all.map(each => each.dataset.tile)") == ["c2r2"]
    window.evaluate("table.desk.mark(null)")
    assert window.locator(".rw-marked").count() == 0
    tile(window, "c3r3").hover()
    assert window.evaluate("table.pointed.at(-1)") == 8
    window.get_by_role("heading", name="Here").hover()
    assert window.evaluate("table.pointed.at(-1)") is None


def test_nobody_sees_what_is_hidden(window: Page, table: Callable[..., str]) -> None:
    game = Game(load_ruleset("classics/kuhn-poker"), players=2, seed=4)
    hands = {seat: str(game.view(seat)["players"][seat - 1]["values"][0]["value"]) for seat in (1, 2)}
    for seat, other in ((1, 2), (2, 1)):
        sit(window, table("classics/kuhn-poker"), seed=4, seat=seat)
        text = window.locator(".rw-desk").inner_text()
        assert hands[seat] in text
        assert hands[other] not in text
        assert window.locator(".rw-mat .rw-desk__card--back").count() == 1
        assert hands[other] not in window.locator(".rw-desk__parts").inner_html()
        assert window.locator(".rw-open").count() == 0
    sit(window, table("classics/liars-dice"), seed=4, seat=1)
    assert window.locator(".rw-mat .rw-die--other").count() == 1, "the other one's die is under its cup"
    assert window.locator(".rw-mat .rw-die:not(.rw-die--other)").count() == 1
    rolls = window.locator(".rw-desk__dice li")
    assert [rolls.nth(place).locator("circle").count() > 0 for place in range(2)] == [False, True]


@pytest.mark.parametrize("reference", ["classics/leduc-poker", "classics/liars-dice"])
def test_the_table_is_the_same_where_only_what_is_hidden_differs(
    reference: str, window: Page, table: Callable[..., str]
) -> None:
    for pair in find_pairs(load_ruleset(reference), stops=6, least=3, most=30)[:3]:
        drawn = []
        for game in pair.different[-1]:
            sit(window, table(reference), save=game.save_text(), seat=pair.seat, choose=False)
            drawn.append(window.locator(".rw-desk").inner_html())
        assert drawn[0] == drawn[1]


def test_dice_lie_as_they_fell(window: Page, table: Callable[..., str]) -> None:
    window.emulate_media(reduced_motion="reduce")
    sit(window, table("classics/backgammon"), seed=3)
    assert window.locator(".rw-desk__dice").is_visible()
    chances = window.evaluate("table.game.record.filter(([what]) => what === 'chance').slice(-4)")
    faces = [face for _, _, groups in chances for group in groups for face in group]
    # The newest roll lies first.
    pips = window.locator(".rw-desk__dice li").evaluate_all(
        "all => all.reverse().flatMap(li => [...li.querySelectorAll('.rw-die')])"
        ".map(die => die.querySelectorAll('circle').length)"
    )
    assert pips == faces
    first, moves = window.locator(".rw-desk__dice .rw-die").first, "die => getComputedStyle(die).animationName"
    assert first.evaluate(moves) == "none"
    window.emulate_media(reduced_motion="no-preference")
    assert first.evaluate(moves) == "rw-fall"


LUCK = """\
tables:
  luck: {roll: 1d6, rows: {calm: 1-4, surge: {on: 5-6, title: A surge}}}
procedures:
  game:
    steps:
      - {id: way, choose: {who: first(players), from: [left, right]}, ask: Which way?}
      - {id: sea, roll: luck}
      - {id: over, finish: {winners: [first(players)]}, when: sea == calm}
      - {id: lost, finish: {winners: []}}
"""


def test_a_roll_on_a_table_is_told_by_its_rows(window: Page, table: Callable[..., str], tmp_path: Path) -> None:
    manifest = "ruleset: walk/luck\nversion: 1.0.0\ntitle: Luck\nstatus: draft\nplayers: 2\nstart: game\n"
    (tmp_path / "ruleset.yaml").write_text(manifest)
    (tmp_path / "rules.yaml").write_text(LUCK)
    sit(window, table("walk/luck", tmp_path))
    rows = window.evaluate("""async () => {
      const { outlookOf } = await import(new URL("play/outlook.js", location.href))
      return outlookOf(table.rules, table.game, 0).odds.map(({ words, ways, of }) => [words, Number(ways) / Number(of)])
    }""")
    assert rows == [["Calm", pytest.approx(2 / 3)], ["A surge", pytest.approx(1 / 3)]]


PAIR = """\
procedures:
  game:
    title: A turn
    steps:
      - {id: red_die, roll: 1d6}
      - {id: blue, roll: 1d6}
      - {id: kept, choose: {who: first(players), from: {red: {label: Red}, blue: {label: Blue}}}, ask: Which?}
      - {id: over, finish: {winners: []}, when: red_die + blue > 1}
    names: {blue: azure die}
"""


def test_several_rolls_are_told_apart_by_their_names(window: Page, table: Callable[..., str], tmp_path: Path) -> None:
    manifest = "ruleset: walk/pair\nversion: 1.0.0\ntitle: Pair\nstatus: draft\nplayers: 2\nstart: game\n"
    (tmp_path / "ruleset.yaml").write_text(manifest)
    (tmp_path / "rules.yaml").write_text(PAIR)
    sit(window, table("walk/pair", tmp_path))
    rolls = window.locator(".rw-desk__dice small")
    assert rolls.all_inner_texts() == ["A turn: azure die", "A turn: red die"]


def test_what_changed_is_outlined_until_the_next_time(window: Page, table: Callable[..., str]) -> None:
    sit(window, table("classics/oware"))
    assert window.locator(".rw-changed").count() == 0
    tile(window, "a2").click()
    changed = window.locator(".rw-tile.rw-changed").evaluate_all("all => all.map(each => each.dataset.tile)")
    assert sorted(changed) == ["a2", "a3", "a4", "a5", "a6"]
    window.evaluate("table.show()")
    assert window.locator(".rw-changed").count() == 0


NESTED = """\
kinds:
  player: {}
  chest: {fields: {owner: player}}
  box: {plural: boxes, fields: {chest: optional chest}}
  gem: {fields: {box: optional box, other: optional gem}}
state: {who: player}
procedures:
  game:
    steps:
      - {id: chest, create: chest, with: {owner: who}}
      - {id: box, create: box, with: {chest: chest}}
      - {id: kept, create: gem, with: {box: box}}
      - {id: one, create: gem}
      - {id: two, create: gem, with: {other: one}}
      - {id: round, set: {one.other: two}}
      - {id: gem, choose: {who: who, one_of: gems}}
      - {id: gone, remove: gem}
board:
  chest: {title: What is locked}
"""


def test_what_is_kept_in_what_is_kept_is_there(window: Page, table: Callable[..., str], tmp_path: Path) -> None:
    manifest = "ruleset: test/nested\nversion: 1.0.0\ntitle: Nested\nstatus: draft\nplayers: 2\nstart: game\n"
    (tmp_path / "ruleset.yaml").write_text(manifest, encoding="utf-8")
    (tmp_path / "rules.yaml").write_text(NESTED, encoding="utf-8")
    sit(window, table("test/nested", tmp_path))
    mat = window.get_by_role("region", name="Player 1")
    assert "What is locked" in mat.inner_text()
    assert mat.locator(".rw-thing .rw-thing .rw-thing").count() == 1, "the gem in the box in the chest"
    # Two that are kept in each other lie in the middle, and each can be pointed at.
    gems = window.get_by_role("region", name="On the table").locator(".rw-open")
    assert gems.count() == 2
    assert window.locator(".rw-open").count() == 3
    gems.first.click()
    assert picked(window) == [[1]]


VERY_MANY = """async () => {
  const { Choices } = await import(new URL("play/choices.js", location.href))
  const place = document.createElement("div"), taken = []
  document.body.append(place)
  const options = Array.from({ length: 5000 }, (_, index) => ({ id: `o${index}`, index, label: `Number ${index}` }))
  const rules = { data: { steps: {}, kinds: [], terms: {} } }
  new Choices(place, { rules, take: (index) => taken.push(index), point() {} }).show({ rule: "any", options })
  const shown = () => [...place.querySelectorAll(".rw-play__option")].filter((each) => !each.parentElement.hidden)
  const many = shown().length, said = place.querySelector("[aria-live]").textContent
  const box = place.querySelector("input")
  box.value = "4999"
  box.dispatchEvent(new Event("input"))
  const left = shown().map((each) => each.textContent)
  shown()[0].click()
  place.remove()
  return [many, said, left, taken]
}"""


def test_of_very_many_options_some_are_listed_and_all_are_found(window: Page, table: Callable[..., str]) -> None:
    sit(window, table("classics/tic-tac-toe"))
    many, said, left, taken = window.evaluate(VERY_MANY)
    assert 0 < many <= 300
    assert said == f"the first {many} are listed"
    assert left == ["Number 49991"]
    assert taken == [4999]


def test_mats_come_before_the_board_in_a_window_of_middle_width(window: Page, table: Callable[..., str]) -> None:
    """The sheet of options covers what is below the board, so short mats have to be above it there."""
    window.set_viewport_size({"width": 535, "height": 755})
    sit(window, table("classics/tic-tac-toe"))
    window.add_style_tag(url="play/page.css")
    window.evaluate("document.getElementById('place').className = 'rw-play__game--sat'")
    tops = """() => {
      const box = (name) => document.querySelector(name).getBoundingClientRect()
      const [mats, board] = [box(".rw-desk__mats"), box(".rw-board")]
      return [mats.top < board.top, board.height <= 0.4 * innerHeight]
    }"""
    assert window.evaluate(tops) == [True, True]
    window.set_viewport_size({"width": 390, "height": 755})
    assert window.evaluate(tops)[0] is False


def test_the_log_ends_with_the_newest_line_although_room_is_taken_from_it(
    window: Page, table: Callable[..., str]
) -> None:
    window.goto(table("classics/tic-tac-toe"))
    hidden = """async (height) => {
      const place = document.getElementById("place")
      if (window.log === undefined) {
        const { Log } = await import(new URL("play/log.js", location.href))
        place.style.cssText = "height: 200px; overflow-y: auto"
        window.log = new Log(place, {})
        log.show(Array.from({ length: 40 }, (_, line) => ({ pieces: [`${line}`], text: `${line}`, rule: "" })))
      }
      if (height === null) place.scrollTop = 10
      else place.style.height = height
      // The page follows before the next picture, and the events of scrolling come with one.
      for (let frame = 0; frame < 3; frame++) await new Promise(requestAnimationFrame)
      return place.scrollHeight - place.clientHeight - place.scrollTop
    }"""
    assert window.evaluate(hidden, "120px") <= 1
    assert window.evaluate(hidden, "180px") <= 1
    # Who reads further up is not disturbed.
    assert window.evaluate(hidden, None) > 100
    assert window.evaluate(hidden, "100px") > 100


# Colours of the dark differ by the scheme alone, and a wide table from a narrow one by its columns: a few show that.
@pytest.mark.parametrize(
    ("scheme", "width", "scenes"),
    [("default", 320, SCENES), ("default", 1280, some(SCENES, SCENES[-1:])), ("slate", 1280, some(SCENES, RICH))],
)
def test_no_table_has_a_fault_that_axe_finds(
    window: Page,
    table: Callable[..., str],
    scheme: Literal["default", "slate"],
    width: int,
    scenes: tuple[tuple[str, int, int], ...],
) -> None:
    window.emulate_media(reduced_motion="reduce")
    window.set_viewport_size({"width": width, "height": 800})
    for reference, players, stops in scenes:
        game = until(reference, at_stop(stops), players=players, seed=5)
        sit(window, table(reference), save=game.save_text(), players=players)
        window.evaluate("scheme => { document.body.dataset.mdColorScheme = scheme }", scheme)
        window.evaluate("document.body.style.background = 'var(--rw-paper)'")
        only = ["color-contrast"] if scheme == "slate" else None
        assert violations(window, only=only) == [], f"{reference} at {width}"
        assert window.evaluate("document.documentElement.scrollWidth <= innerWidth"), reference


def at_stop(expected: int) -> Callable[[Game], bool]:
    """Return whether so many choices have been made."""
    return lambda game: sum(1 for line in game.record if line.to_data()[0] == "choose") >= expected
