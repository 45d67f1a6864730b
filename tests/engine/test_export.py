"""What others load plays as Python does: the same questions, dice, words, saves, to the letter."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from collections.abc import Callable
from fractions import Fraction
from functools import cache
from importlib.resources import files
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any, get_args

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from rulewright import Game, GameError, load_ruleset
from rulewright.ai import bots
from rulewright.dice.exact.compute_distribution import compute_distribution
from rulewright.dice.format_notation import format_roll
from rulewright.dice.parser.notation import parse
from rulewright.dice.sampling.pools import group_size
from rulewright.dice.sampling.random_generator import Generator
from rulewright.dice.sampling.roll_dice import list_faces, roll
from rulewright.engine.game.game_error import GameErrorCode
from rulewright.engine.game.save_format import parse_save, save_text
from rulewright.engine.game.saves import open_save_text
from rulewright.engine.state.faults import RulesFault
from rulewright.export.write_export import build_files, write_export
from tests.breadth import times
from tests.engine.random_rules import MANIFEST, a_game_of, rulesets
from tests.language.inline import checked, sound

HOSTS = Path(__file__).parent / "hosts"
GAMES: tuple[tuple[str, int, int, dict[str, str], str], ...] = (
    ("pig/classic", 7, 2, {}, "random"),
    ("pig/classic", 8, 3, {}, "greedy"),
    ("classics/tic-tac-toe", 3, 2, {}, "random"),
    ("classics/kuhn-poker", 5, 2, {}, "random"),
    ("classics/goofspiel", 2, 2, {}, "random"),
    ("classics/liars-dice", 4, 2, {}, "random"),
    ("classics/backgammon", 4, 2, {}, "random"),
    ("classics/yacht", 4, 2, {}, "random"),
    ("classics/checkers", 4, 2, {}, "greedy"),
    ("fuzzy-knights/normal@1.0", 3, 3, {}, "random"),
    ("fuzzy-knights/normal@1.0", 4, 2, {}, "greedy"),
    (
        "fuzzy-knights/normal@1.0",
        5,
        4,
        {"rolls": "representative", "items": "dice_only", "placement": "chosen", "ties": "contest"},
        "random",
    ),
    ("fuzzy-knights/medium", 6, 2, {}, "random"),
)
MOST = times(150, 400)
"""Questions of one game. So many are past the set-up of the largest one, and the others are nearly over."""


@pytest.fixture(scope="module")
def exports(tmp_path_factory: pytest.TempPathFactory) -> Any:
    """Return the folder that a ruleset is exported to, each once."""
    whole = tmp_path_factory.mktemp("exports")

    @cache
    def folder(reference: str) -> Path:
        folder = whole / reference.replace("/", "-")
        write_export(load_ruleset(reference), folder)
        return folder

    return folder


def run(name: str, value: Any) -> list[Any]:
    """Return what a program in Node answers to what it is told."""
    program = shutil.which("node")
    if program is None:
        pytest.fail("node is not installed: `make audits` installs it on Debian and Ubuntu", pytrace=False)
    done = subprocess.run([program, HOSTS / name], input=json.dumps(value), capture_output=True, text=True, check=False)
    assert not done.stderr, done.stderr[:2000]
    answers: list[Any] = json.loads(done.stdout)
    return answers


def node(*jobs: dict[str, Any]) -> list[Any]:
    """Return what comes of jobs in Node."""
    return run("play.mjs", jobs)


def as_data(value: Any) -> Any:
    """Plain data as it is once it was JSON."""
    return json.loads(json.dumps(value))


def go_on(game: Game, *, seed: int, bot: str = "random", most: int = MOST, every: int = 50) -> dict[str, Any]:
    """Play on with bots, and keep what the program in Node keeps."""
    seated = [bots.make(bot, game.ruleset, seed=seed, seat=seat + 1) for seat in range(game.players)]
    asked, saves = [], []
    for stop in range(most):
        decision = game.decision
        if decision is None:
            break
        asked.append(decision.to_json())
        for index, option in enumerate(asked[-1]["options"]):
            option["index"] = index
        if stop % every == 0:
            saves.append(game.save_text())
        game.choose(seated[decision.player - 1](game.state))
    result = None if game.result is None else {"winners": list(game.result.winners)}
    log = [event.to_json() for event in game.log]
    saves.append(game.save_text())
    return {"asked": asked, "saves": saves, "log": log, "story": list(game.story()), "result": result}


def same(data: dict[str, Any], expected: dict[str, Any]) -> None:
    """Both tell of the same game; where they do not, the first difference is shown and no more."""
    expected = as_data(expected)
    for what in ("asked", "log", "story", "saves"):
        for place, (one, other) in enumerate(zip(data[what], expected[what], strict=False)):
            assert one == other, f"{what} {place}"
        assert len(data[what]) == len(expected[what])
    assert data["result"] == expected["result"]
    rules = {event["rule"] for event in expected["log"]}
    for line in data["lines"]:
        words = [piece if isinstance(piece, str) else f"🎲 {piece['dice']}" for piece in line["pieces"]]
        assert "".join(words) == line["text"]
        assert line["rule"] in rules or not line["rule"]
    assert [line["text"] for line in data["lines"]] == expected["story"]


@pytest.mark.parametrize(("reference", "seed", "players", "options", "bot"), GAMES)
def test_a_game_in_node_is_that_of_python(
    exports: Any, reference: str, seed: int, players: int, options: dict[str, str], bot: str
) -> None:
    job = {"players": players, "seed": seed, "options": options, "bot": bot, "most": MOST}
    (answer,) = node({"folder": str(exports(reference)), **job})
    game = Game(load_ruleset(reference), players=players, seed=seed, options=options)
    same(answer, go_on(game, seed=seed, bot=bot))


NESTS = """
terms: {twig: {name: Twig, plural: Twigs}}
kinds:
  player: {fields: {score: int}}
  egg: {wording: {one: egg, several: "eggs on {twig.plural}"}, fields: {}}
  nest: {wording: {one: nest, several: nests}, fields: {}}
  old_tree: {fields: {}}
procedures:
  game:
    steps:
      - {id: first, create: egg}
      - {id: second, create: egg}
      - {id: built, create: nest}
      - {id: grown, create: old_tree}
      - {id: older, create: old_tree}
      - {id: chosen, choose: {who: first(players), from: [warm, cold]}}
      - {id: over, finish: {winners: []}}
"""


def test_objects_of_the_setup_are_counted_by_the_nouns_of_their_kind(tmp_path: Path) -> None:
    ruleset = sound(NESTS, manifest=MANIFEST)
    assert Game(ruleset).story() == ("On the table: 2 eggs on Twigs, 1 nest, 2 old trees.",)
    write_export(ruleset, tmp_path)
    (answer,) = node({"folder": str(tmp_path), "players": 2, "seed": 1, "options": {}, "bot": "random", "most": MOST})
    same(answer, go_on(Game(ruleset, players=2, seed=1), seed=1))


PRICES = """
terms: {card: {name: card, plural: cards}}
kinds: {player: {fields: {held: {type: count, wording: "{card.plural} in hand"}, far: count}}}
procedures:
  game:
    steps:
      - {id: paid, choose: {who: first(players), number: {from: 1, to: 3}, costs: {held: it}}}
      - {id: gone, choose: {who: first(players), number: {from: 2, to: 3}, costs: {far: it, no_field: it}}}
      - {id: over, finish: {winners: []}}
"""


def test_costs_have_the_nouns_of_the_fields_that_pay_them(tmp_path: Path) -> None:
    ruleset = sound(PRICES, manifest=MANIFEST)
    game = Game(ruleset, players=2, seed=1)
    assert game.decision is not None
    labels = [option.label for option in game.decision.options]
    assert labels == ["1 (1 card in hand)", "2 (2 cards in hand)", "3 (3 cards in hand)"]
    game.choose(game.decision.options[0].index)
    assert game.decision is not None
    assert [option.label for option in game.decision.options] == ["2 (2 far, 2 no field)", "3 (3 far, 3 no field)"]
    write_export(ruleset, tmp_path)
    (answer,) = node({"folder": str(tmp_path), "players": 2, "seed": 1, "options": {}, "bot": "random", "most": MOST})
    same(answer, go_on(Game(ruleset, players=2, seed=1), seed=1))


@settings(max_examples=times(3, 300))
@given(st.booleans().flatmap(lambda effects: rulesets(depth=3, most=6, effects=effects)), st.integers(0, 2**16))
def test_random_rules_in_node_are_those_of_python(source: str, seed: int) -> None:
    ruleset, diagnostics = checked(a_game_of(source, rounds=2), manifest=MANIFEST, shapes=False)
    assume(ruleset is not None and not diagnostics.errors)
    assert ruleset is not None
    try:
        expected = go_on(Game(ruleset, players=2, seed=seed), seed=seed, most=60, every=7)
    except RulesFault:
        return
    with TemporaryDirectory() as folder:
        write_export(ruleset, Path(folder) / "rules")
        job = {"players": 2, "seed": seed, "options": {}, "bot": "random", "most": 60, "every": 7}
        (played,) = node({"folder": f"{folder}/rules", **job})
    same(played, expected)


@pytest.mark.parametrize("reference", ["pig/classic", "classics/kuhn-poker", "fuzzy-knights/normal@1.0"])
def test_each_opens_what_the_other_has_saved(exports: Any, reference: str) -> None:
    ruleset, random = load_ruleset(reference), Random(1)
    saves = []
    for seed in range(times(4, 30)):
        game = Game(ruleset, players=2, seed=f"seed {seed}", stop_at_chance=seed % 2 == 1)
        for _ in range(random.randrange(3 if "poker" in reference else 60)):
            if game.result is None:
                game.roll() if game.decision is None else game.choose(random.choice(game.decision.options))
        if game.result is None and game.decision is not None:
            saves.append(game.save_text())
    assert saves
    most = {"folder": str(exports(reference)), "does": "opens", "most": 0}
    for save, answer in zip(saves, node(*({**most, "save": save} for save in saves)), strict=True):
        assert answer["again"] == save
        here = Game.load_text(save, ruleset)
        assert answer["log"] == as_data([event.to_json() for event in here.log])
    rolling = [save for save in saves if '"stop_at_chance": false' in save]
    played = {**most, "most": 30, "lots": 5, "every": 10}
    for save, answer in zip(rolling, node(*({**played, "save": save} for save in rolling)), strict=True):
        same(answer, go_on(Game.load_text(save, ruleset), seed=5, most=30, every=10))
        for saved in answer["saves"]:
            assert open_save_text(saved).save_text() == saved


def test_moves_are_taken_back_and_games_lie_side_by_side(exports: Any) -> None:
    for reference, most in (("classics/goofspiel", 20), ("fuzzy-knights/normal@1.0", 30)):
        job = {"folder": str(exports(reference)), "does": "undoes", "seeds": [1, 2, 3], "players": 2, "most": most}
        (answer,) = node(job)
        assert answer["back"] > most
        for seed, save, log in zip((1, 2, 3), answer["saves"], answer["logs"], strict=True):
            expected = go_on(Game(load_ruleset(reference), players=2, seed=seed), seed=seed, most=most)
            assert save == expected["saves"][-1]
            assert log == as_data(expected["log"])


MOST_AGAIN = 16
"""Choices that are made again to take one back, however long the game is: a page does it between two pictures."""


def test_a_long_game_is_taken_back_to_its_beginning(exports: Any) -> None:
    folder = str(exports("fuzzy-knights/normal@1.0"))
    (answer,) = node({"folder": folder, "does": "unwinds", "players": 2, "seed": 3, "most": 140})
    assert 0 < answer.pop("work") <= MOST_AGAIN
    assert answer == {"stops": 140, "same": 140, "again": True}


@pytest.mark.parametrize("reference", ["pig/classic", "classics/leduc-poker", "classics/yacht", "fuzzy-knights/medium"])
def test_chance_has_the_same_odds(exports: Any, reference: str) -> None:
    most = 60
    (answer,) = node({"folder": str(exports(reference)), "does": "chances", "players": 2, "seed": 9, "most": most})
    ruleset = load_ruleset(reference)
    game = Game(ruleset, players=2, seed=9, stop_at_chance=True)
    seated = [bots.make("random", ruleset, seed=9, seat=seat) for seat in (1, 2)]
    met: list[Any] = []
    for stop in range(most):
        if game.result is not None:
            break
        if game.decision is not None:
            game.choose(seated[game.decision.player - 1](game.state))
            continue
        chance = game.chance
        assert chance is not None
        rule, rolled, outcomes = answer["met"][len(met)]
        met.append(rule)
        assert (rule, rolled) == (chance.rule, chance.roll)
        assert [outcome for outcome, _, _ in outcomes] == [outcome for outcome, _ in chance.outcomes]
        for (_, ways, of), (_, probability) in zip(outcomes, chance.outcomes, strict=True):
            assert probability.numerator * int(of) == int(ways) * probability.denominator
        if stop % 3:
            game.roll()
        else:
            game.resolve(outcomes[stop % len(outcomes)][0])
    assert met
    assert answer["save"] == game.save_text()


@pytest.mark.parametrize(
    "reference", ["classics/kuhn-poker", "classics/liars-dice", "classics/goofspiel", "pig/classic"]
)
def test_each_seat_is_told_what_it_may_see(exports: Any, reference: str) -> None:
    (answer,) = node({"folder": str(exports(reference)), "does": "tells", "players": 2, "seed": 6})
    game = Game(load_ruleset(reference), players=2, seed=6)
    go_on(game, seed=6, most=10_000)
    for seat, (told, story) in enumerate(answer):
        assert told == as_data([event.to_json() for event in game.log_for(seat)])
        assert story == list(game.story(seat=seat))


@pytest.mark.parametrize("reference", ["classics/kuhn-poker", "fuzzy-knights/normal@1.0"])
def test_names_of_players_are_words_alone(exports: Any, reference: str) -> None:
    job = {"folder": str(exports(reference)), "does": "names", "players": 2, "seed": 6, "most": 40}
    plain, named = node(job, job | {"names": {"1": "Ann <b>", "2": "Bo"}})
    assert named["called"] == ["Ann <b>", "Bo"]
    assert named["save"] == plain["save"]

    def called(words: Any) -> Any:
        return json.loads(json.dumps(words).replace("Player 1", "Ann <b>").replace("Player 2", "Bo"))

    assert named["story"] != plain["story"]
    for part in ("asks", "story", "seats", "again", "copy"):
        assert named[part] == called(plain[part]), part


def test_what_is_refused_leaves_the_game_alone(exports: Any) -> None:
    foreign = Game(load_ruleset("pig/classic"), players=2).save_text()
    (answer,) = node({"folder": str(exports("classics/tic-tac-toe")), "does": "refuses", "foreign": foreign})
    for said, part in zip(
        answer["said"],
        (
            *(
                "for 2 players, not 99",
                "for 2 players, not '2'; give a whole number such as 2",
                "there is no option weather",
                "a seed must be a whole number or a string, not 1.5",
                'such as {1: "Ann"}, not 3: Ann',
            ),
            "there is greedy, mcts, planner, random",
            *("Player 1 cannot choose `fly` at", "cannot choose option number 99 at"),
            "an option must be given as an option, an id or an index, not undefined",
            *("no chance event is pending", "not a Rulewright save", "not complete JSON", "changed after it was saved"),
            "played under pig/classic",
            *(["not Symbol(seat)"] * 6 + ["not '1'"] * 6 + ["not 99"] * 6),
        ),
        strict=True,
    ):
        assert said.startswith("GameError: "), said
        assert part in said
    assert answer["same"]
    assert answer["whole"], "settings that are null are none"
    assert answer["codes"] == [
        *["invalid-setting"] * 5,
        "invalid-argument",
        *["illegal-choice"] * 2,
        "invalid-argument",
        *("not-pending", "not-a-save", "damaged", "damaged", "other-gameplay"),
        *["invalid-argument"] * 18,
    ]
    types = files("rulewright").joinpath("export/js/rules.d.ts").read_text()
    typed = set(re.findall('"([a-z-]+)"', types.partition("type GameErrorCode =")[2].partition(";")[0]))
    assert set(answer["codes"]) < typed <= set(get_args(GameErrorCode))


def resign(text: str, change: Callable[[dict[str, Any]], object]) -> str:
    """Return a save with a change to it, and with the digest of the changed text."""
    save = parse_save(text)
    change(save)
    return save_text(save)


def test_a_forged_save_does_not_open_in_javascript(exports: Any) -> None:
    rules = load_ruleset("pig/classic")
    game = Game(rules, players=2, seed=7)
    for index in (0, 0, 0, 1):
        game.choose(index)
    ready = Game(rules, players=2, seed=7, stop_at_chance=True)
    ready.choose("roll")
    ready.resolve(5)
    ready.choose("roll")
    ready.roll()
    forged = [
        resign(game.save_text(), lambda save: save["state"]["objects"]["1"].__setitem__(1, 99)),
        resign(game.save_text(), lambda save: save["record"].pop()),
        resign(game.save_text(), lambda save: save["record"].append(["choose", "roll", 1])),
        resign(game.save_text(), lambda save: save["record"].__setitem__(0, ["choose", 0])),
        resign(game.save_text(), lambda save: save.update(seed=8)),
        resign(game.save_text(), lambda save: save.update(rolled=99)),
        resign(ready.save_text(), lambda save: save["record"].__setitem__(1, ["chance", 7, None])),
        resign(ready.save_text(), lambda save: save["record"][3].__setitem__(2, [[7]])),
    ]
    job = {"folder": str(exports("pig/classic")), "does": "reopens"}
    honest, refused, trusted = node(
        job | {"texts": [game.save_text(), ready.save_text()], "settings": {}},
        job | {"texts": forged, "settings": {}},
        job | {"texts": forged[:1], "settings": {"verify": False}},
    )
    assert [each["save"] for each in honest] == [game.save_text(), ready.save_text()]
    assert [len(each["log"]) for each in honest] == [len(game.log), len(ready.log)]
    assert [each.get("code") for each in refused] == ["damaged"] * len(forged)
    for text in forged:
        with pytest.raises(GameError):
            Game.load_text(text, rules)
    assert trusted[0]["save"] == forged[0]


def test_a_save_that_a_json_tool_wrote_again_opens_in_javascript(exports: Any) -> None:
    game = Game(load_ruleset("pig/classic"), players=2, seed="ü")
    game.choose("roll")
    data = json.loads(game.save_text())
    tight, tidy = json.dumps(data, separators=(",", ":")), json.dumps(data, indent=1, sort_keys=True)
    texts = [tight, tidy, "\ufeff" + game.save_text()]
    data["save"]["seed"] = "o"
    job = {"folder": str(exports("pig/classic")), "does": "reopens", "settings": {}}
    (answer,) = node(job | {"texts": [*texts, json.dumps(data)]})
    assert [each.get("save") for each in answer] == [*[game.save_text()] * 3, None]
    assert "store the save as text" in answer[3]["said"]


def test_missing_and_damaged_files_of_an_export_are_refused(tmp_path: Path, exports: Any) -> None:
    for name, change, code in (
        ("rules.wasm", Path.unlink, "missing-file"),
        ("rules.json", Path.unlink, "missing-file"),
        ("rules.wasm", lambda file: file.write_bytes(b"no module"), "damaged"),
        ("rules.json", lambda file: file.write_text("no JSON"), "damaged"),
        ("rules.json", lambda file: file.write_text("{}"), "other-format"),
    ):
        folder = shutil.copytree(exports("pig/classic"), tmp_path / f"{name}-{code}")
        change(folder / name)
        script = (
            "import('./rules.js').then((rules) => rules.load()).catch((error) => console.log(error.name, error.code))"
        )
        done = subprocess.run(["node", "-e", script], cwd=folder, capture_output=True, text=True, check=True)
        assert done.stdout == f"GameError {code}\n"


def test_a_fault_of_the_rules_names_its_rule_and_can_be_left(tmp_path: Path) -> None:
    folder = tmp_path / "rules"
    folder.mkdir()
    (folder / "ruleset.yaml").write_text(
        "ruleset: test/doubling\nversion: 1.0.0\ntitle: Doubling\nstatus: draft\nplayers: 2\nstart: game\n",
        encoding="utf-8",
    )
    (folder / "rules.yaml").write_text(
        """\
state:
  size: {type: int, default: 1, means: How large it is.}
  who: {type: player, means: Whose turn it is.}
procedures:
  game:
    title: A game
    steps:
      - id: rounds
        repeat:
          at_most: 100
          steps:
            - {id: grow, choose: {who: who, from: [more, less]}}
            - {id: grown, set: {size: size * 10}}
""",
        encoding="utf-8",
    )
    ruleset = load_ruleset("test/doubling", rules=[folder])
    write_export(ruleset, tmp_path / "out")
    (answer,) = node({"folder": str(tmp_path / "out"), "does": "faults", "most": 60})
    game = Game(ruleset, seed=1)
    for _ in range(answer["stop"]):
        game.choose(0)
    with pytest.raises(RulesFault) as told:
        game.choose(0)
    assert (answer["name"], answer["rule"], answer["said"]) == ("RulesFault", told.value.rule, str(told.value))
    assert answer["same"]


ROLLS = (
    *("1d6", "4d6kh3", "5d6kl2", "20d6", "count(6d10 >= 7)", "5d6 - 2d4 + 3", "abs(2d6 - 7)", "max(1d6, 1d8)"),
    *("1d6 * 1d4", "2 * 1d6", "2d20 > 1d12", "alike(5d6)", "sets(5d6, 2)", "run(5d6)", "different(5d6)", "(1d4)d6"),
    *("1d20 as x: 2 * 1d8 if x == 20 else 1d8", "1d4 times 2d6", "{2d6, 1d8}kh1", "{1d6 + 1d8 + 1d10}dl1dh1"),
    *("5d6dl1dh1", "down(7d6 / 2)", "nearest((1d20 - 15) / 2)", "3 times (1d6 + 1)", "count({2d6, 1d8} > 3)", "-1d6"),
    *("6d6 as pool: count(pool >= 5) - count(pool == 1)", "4d6 as x: x + (1d6 if count(x == 1) else 0)", "1d(1d6)"),
    *("3d4 as a: 2d4 as b: {a}kh1 as x: {b}kh1 as y: count(a > y) if x > y else alike(b)", "3d(1d4)kh2"),
    *(
        "4d6kh3 as x: count({x}kh2 > 3) + sets(x, 2)",
        "1d6 as x: count({x} > 3)",
        *("2d6 as x: 1d4 as x_1: alike(x) + x_1", "count(3d(1d4) >= 2) + 1", "alike(3d(1d4))", "4d(1d4)dl1dh1"),
        *(
            "1d4 as sides: 2d(1d4) + sides",
            "2d6 as Pool: count(Pool > 3) + Pool",
            "1d(1d4 + 1d2)",
            "1d6 as sides: 1d8 if sides == 1 else 1d4",
        ),
    ),
    *("3d6 as a, b, c: count({a, b, c} > 2) + a", "2d6 as x_1, x_2: x_1 - x_2", "2d6 as x: {x}dl1"),
    "2d6 as x: 1d4 as x_1: alike(x) + x_1",
)


def test_rolls_are_read_made_and_weighed_alike() -> None:
    rolls, seeds = [parse(each) for each in ROLLS], list(range(6))
    sides = [(count, group_size(count)) for count in (1, 2, 3, 4, 5, 6, 8, 10, 12, 20)]
    job = {"sides": sides, "texts": [format_roll(each) for each in rolls], "seeds": seeds}
    for each, found in zip(rolls, run("rolls.mjs", job), strict=True):
        assert found["text"] == format_roll(each)
        results = [roll(each, Generator(seed, "dice")) for seed in seeds]
        assert found["made"] == [[result.total, list_faces(result)] for result in results]
        odds = compute_distribution(each)
        assert [outcome for outcome, _, _ in found["odds"]] == list(odds.outcomes)
        for outcome, ways, of in found["odds"]:
            assert Fraction(int(ways), int(of)) == odds.get_probability(outcome)


def test_the_same_ruleset_has_the_same_files() -> None:
    ruleset = load_ruleset("classics/tic-tac-toe")
    assert build_files(ruleset) == build_files(ruleset)
