"""Whatever a caller gives to the public functions, what they refuse is a `RulewrightError` whose text can be sent."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from enum import IntEnum
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from rulewright import Game, GameError, RulewrightError, load_ruleset, open_save, open_save_text, replay
from rulewright.ai import bots
from rulewright.analysis.simulation.run_simulation import simulate
from rulewright.base.errors import replace_surrogates
from rulewright.engine.game.decision import Option
from rulewright.engine.game.record import ChanceEntry, ChoiceEntry

HALF = "\ud800"
"""Half a character: JSON can bring it in, and nothing can send it out."""

BEYOND = 10**5000
"""A number that Python does not write."""

RULES = load_ruleset("pig/classic@1.0")
LATER = Game(RULES, seed=7, stop_at_chance=True)
LATER.choose("roll")


def make_game(**settings: Any) -> Game:
    return Game(RULES, seed=7, **settings)


def forged(body: str) -> str:
    return f'{{"rulewright": 2, "check": "{"0" * 64}", "save": {body}}}\n'


def make_values(kind: Any, *arguments: tuple[Any, ...]) -> tuple[Any, ...]:
    """Return values of a type of the library's, put together by somebody who reads no annotations."""
    return tuple(kind(*each) for each in arguments)


STRANGE_OPTIONS = make_values(Option, ("x", "x", 0, 0), (5, "roll", 0, 0))
STRANGE_CHOICES = make_values(ChoiceEntry, (0,), (None,))
STRANGE_RESULTS = (
    *make_values(
        ChanceEntry, (6.0, None), (True, None), (7, None), (BEYOND, None), ("6", None), (6, ()), (6, ((6, 6),)), (6, 5)
    ),
    *make_values(ChanceEntry, (6.0, ((6,),)), (True, ((1,),)), (1, ((True,),)), (6, ((6.0,),)), (6, (5,))),
    ChoiceEntry("roll"),
)

TABLE: dict[str, tuple[Callable[[Any], object], tuple[Any, ...]]] = {
    "load_ruleset": (load_ruleset, (None, 5, b"pig/classic", HALF, "a\0b", "")),
    "load_ruleset, rules": (lambda given: load_ruleset("pig/classic", rules=given), (None, 5, HALF, "a\0b", [None])),
    "load_ruleset, digest": (lambda given: load_ruleset("pig/classic", digest=given), (5, b"4272", HALF)),
    "Game": (Game, (None, 5, "pig/classic")),
    "Game, players": (lambda given: make_game(players=given), ("2", 2.0, True, 0, 99, BEYOND, [2])),
    "Game, seed": (lambda given: Game(RULES, seed=given), (None, 2.5, True, b"7", HALF, BEYOND, [7])),
    "Game, options": (
        lambda given: make_game(options=given),
        (5, ["fast"], "fast", {1: "fast"}, {HALF: "fast"}, {"pace": HALF}, {BEYOND: BEYOND}),
    ),
    "Game, stop_at_chance": (lambda given: make_game(stop_at_chance=given), (1, None, "yes")),
    "choose": (
        lambda given: make_game().choose(given),
        (None, 0.0, True, 5, -1, BEYOND, b"roll", HALF, "", "#", "#9", f"#{'9' * 5000}", [0], *STRANGE_OPTIONS),
    ),
    "resolve": (
        lambda given: LATER.clone().resolve(given),
        (None, 6.0, True, False, Fraction(6), 7, 0, BEYOND, "6", HALF, b"6", [6]),
    ),
    "resolve where nothing is rolled": (lambda given: make_game().resolve(given), (6, None)),
    "roll where nothing is rolled": (lambda given: make_game().roll(), (None,)),
    "repeat a choice": (
        lambda given: make_game().apply_entry(given),
        (None, 5, "roll", *STRANGE_CHOICES, ChoiceEntry(HALF), ChanceEntry(6, None)),
    ),
    "repeat what came up": (
        lambda given: LATER.clone().apply_entry(given),
        STRANGE_RESULTS,
    ),
    "view": (lambda given: make_game().view(given), (-1, 3, "1", 1.0, True, BEYOND, HALF)),
    "record_for": (lambda given: make_game().record_for(given), (None, -1, 3, "1", 1.0, True, BEYOND, HALF)),
    "story": (lambda given: make_game().story(since=given), (None, "0", 0.0)),
    "save": (lambda given: make_game().save(given), (None, 5, b"game.json", "", ".", "a\0b", HALF)),
    "load": (lambda given: Game.load(given, RULES), (None, 5, b"game.json", "", ".", "nowhere", "a\0b", HALF)),
    "open_save": (open_save, (None, 5, b"game.json", "", ".", "nowhere", "a\0b", HALF)),
    "open_save, rules": (lambda given: open_save("game.json", rules=given), (None, 5)),
    "load, ruleset": (lambda given: Game.load("game.json", given), (None, 5, "pig/classic")),
    "load_text, ruleset": (lambda given: Game.load_text(make_game().save_text(), given), (None, 5, "pig/classic")),
    "load_text": (
        lambda given: Game.load_text(given, RULES),
        (
            None,
            5,
            b"{}",
            bytearray(b"{}"),
            "",
            HALF,
            "{}",
            forged(f'"{HALF}"'),
            forged("{}"),
            make_game().save_text()[:-9],
        ),
    ),
    "open_save_text": (
        open_save_text,
        (None, 5, make_game().save_text().encode(), "", HALF, "{}", forged(f'"{HALF}"'), forged("{}"), ["{}"]),
    ),
    "replay": (replay, (None, 5, make_game().save_text(), RULES)),
    "bots.make": (
        lambda given: bots.make(given, RULES, seed=1, seat=1),
        (None, 5, "", "gredy", "random:5", "greedy:x", "mcts:0", "planner:x", f"mcts:{'9' * 5000}", HALF, min),
    ),
    "bots.make, ruleset": (lambda given: bots.make("random", given, seed=1, seat=1), (None, "pig/classic")),
    "bots.make, seed": (lambda given: bots.make("random", RULES, seed=given, seat=1), (None, 2.5, HALF, BEYOND)),
    "bots.make, seat": (lambda given: bots.make("random", RULES, seed=1, seat=given), (0, -1, 11, "1", True, BEYOND)),
    "simulate": (lambda given: simulate(given, games=1), (None, "pig/classic")),
    "simulate, games": (lambda given: simulate(RULES, games=given), (None, "5", 2.5, True, 0, -1)),
    "simulate, workers": (lambda given: simulate(RULES, games=1, workers=given), (None, "2", 0, -1, 1.5)),
    "simulate, executor": (lambda given: simulate(RULES, games=1, executor=given), (5, "threads", ThreadPoolExecutor)),
    "simulate, policies": (
        lambda given: simulate(RULES, games=1, policies=given),
        (
            5,
            "greedy",
            ["random"],
            ["random", 5],
            ["random", lambda state: 0],
            [None, None],
            {"random"},
            ["random", HALF],
        ),
    ),
    "simulate, seed": (lambda given: simulate(RULES, games=1, seed=given), (None, 2.5, HALF, BEYOND)),
    "simulate, options": (
        lambda given: simulate(RULES, games=1, options=given),
        (5, "fast", ["fast"], {1: "fast"}, {"pace": ["fast"]}, {HALF: HALF}),
    ),
    "simulate, rules": (lambda given: simulate(RULES, games=1, rules=given), (None, 5)),
    "simulate, values": (
        lambda given: simulate(RULES, games=1, values=given),
        (5, "goal", ["goal"], [("goal",)], [(1, 2)]),
    ),
    "simulate, progress": (lambda given: simulate(RULES, games=1, progress=given), (5, "bar")),
}

CASES = [
    pytest.param(call, given, id=f"{name} {n}") for name, (call, all_) in TABLE.items() for n, given in enumerate(all_)
]


@pytest.mark.parametrize(("call", "given"), CASES)
def test_what_is_refused_is_told_in_a_text_that_can_be_sent(
    call: Callable[[Any], object], given: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "game.json").write_text(make_game().save_text(), encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    with pytest.raises(RulewrightError) as error:
        call(given)
    assert str(error.value).strip()
    str(error.value).encode()
    assert all(replace_surrogates(told) == told for told in error.value.args if isinstance(told, str))
    assert [path.name for path in tmp_path.iterdir()] == ["game.json"]


class Pips(IntEnum):
    SIX = 6


def test_what_comes_up_is_recorded_as_the_rules_have_it() -> None:
    """A whole number of another type is the same total; what is recorded is the plain one, and the save opens."""
    game = LATER.clone()
    game.resolve(Pips.SIX)
    (*_, came) = game.record
    assert isinstance(came, ChanceEntry)
    assert type(came.value) is int
    assert open_save_text(game.save_text()).to_json() == game.to_json()


@pytest.mark.parametrize("given", [6.0, True, Fraction(6)])
def test_what_only_looks_equal_leaves_the_game_as_it_was(given: Any) -> None:
    game = LATER.clone()
    with pytest.raises(GameError, match=r"is not a possible outcome of game\.face"):
        game.resolve(given)
    assert game.save_text() == LATER.save_text()


def test_bytes_are_refused_in_words() -> None:
    """Many databases give a text back as bytes."""
    with pytest.raises(GameError, match=r"is bytes, but a save is text: decode it first"):
        open_save_text(make_game().save_text().encode())  # type: ignore[arg-type]


def test_a_seed_of_many_digits_comes_back() -> None:
    game = Game(RULES, seed=-(2**8191))
    assert open_save_text(game.save_text()).seed == game.seed


def test_an_error_of_the_system_names_the_file_that_was_meant(tmp_path: Path) -> None:
    with pytest.raises(OSError, match=r"nowhere/game\.json'$"):
        make_game().save(tmp_path / "nowhere" / "game.json")
