"""Whatever the public functions and methods are given, they raise nothing but what their docstrings say they raise."""

from __future__ import annotations

import builtins
import inspect
import re
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from fractions import Fraction
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import rulewright
from rulewright import Game, load_ruleset, open_save, open_save_text, replay
from rulewright.ai import bots
from rulewright.analysis.simulation.run_simulation import simulate
from rulewright.base.errors import RulewrightError
from rulewright.dice.dice_error import DiceError
from rulewright.engine.game.decision import Chance, Option
from rulewright.engine.game.record import ChanceEntry, ChoiceEntry
from rulewright.engine.game.save_migration import migrate_save
from rulewright.engine.game.saves import stops
from rulewright.engine.game.subset import Subset
from rulewright.engine.state.faults import RulesFault
from rulewright.export.example_data import build_example_data, build_sample_data
from rulewright.export.write_export import write_export
from rulewright.integrations.game_encoder import GameEncoder
from rulewright.integrations.numeric_game import GameSetting
from rulewright.source.diagnostics.collector import DiagnosticError
from rulewright.testing.play_samples import play_sample
from rulewright.testing.procedure_run import run
from tests.breadth import times
from tests.docs.test_stability import surface

RULES = load_ruleset("pig/classic@1.0")
ASKED = Game(RULES, seed=7)
ROLLS = Game(RULES, seed=7, stop_at_chance=True)
ROLLS.choose("roll")
SAVED = ASKED.save_text()
ENCODER = GameEncoder(GameSetting.for_ruleset(RULES))
RUN = run(RULES, "game", seed=1, until="game.move", choices=("roll",))
SAMPLE = play_sample(RULES, next(iter(RULES.samples.values())))

EXCEPTIONS: dict[str, type[BaseException]] = {
    **{name: each for name, each in vars(builtins).items() if isinstance(each, type) and issubclass(each, Exception)},
    **{each.__name__: each for each in (RulewrightError, rulewright.GameError, RulesFault, DiagnosticError, DiceError)},
}

Entry = tuple[Callable[..., Any], dict[str, Any]]


def of(game: Game | GameEncoder, name: str) -> Callable[..., Any]:
    """Return a method of a copy of a game, or of an encoder."""
    return lambda **given: getattr(game.clone() if isinstance(game, Game) else game, name)(**given)


ENTRIES: dict[str, tuple[Any, Callable[..., Any], dict[str, Any]]] = {
    "load_ruleset": (load_ruleset, load_ruleset, {"reference": "pig/classic@1.0", "rules": (), "digest": RULES.digest}),
    "Game": (
        Game,
        Game,
        {"ruleset": RULES, "players": 2, "seed": 7, "options": None, "stop_at_chance": False, "machine": None},
    ),
    "get_help": (bots.get_help, bots.get_help, {"name": "greedy"}),
    "Game.log_since": (Game.log_since, of(ASKED, "log_since"), {"since": 0}),
    "Game.log_for": (Game.log_for, of(ASKED, "log_for"), {"seat": 1}),
    "Game.story": (Game.story, of(ASKED, "story"), {"since": 0, "seat": 1}),
    "Game.snapshot": (Game.snapshot, of(ASKED, "snapshot"), {"seat": 1}),
    "Game.view": (Game.view, of(ASKED, "view"), {"seat": 1}),
    "Game.record_for": (Game.record_for, of(ASKED, "record_for"), {"seat": 1}),
    "Game.choose": (Game.choose, of(ASKED, "choose"), {"option": "roll"}),
    "Game.roll": (Game.roll, of(ASKED, "roll"), {}),
    "Game.resolve": (Game.resolve, of(ROLLS, "resolve"), {"outcome": 6}),
    "Subset.find": (Subset.find, Subset(("a", "b", "c"), 1, 2).find, {"chosen": [0, 2]}),
    "Game.save": (Game.save, of(ASKED, "save"), {"path": "other.json"}),
    "Game.load": (Game.load, Game.load, {"path": "game.json", "ruleset": RULES, "verify": True}),
    "Game.load_text": (Game.load_text, Game.load_text, {"text": SAVED, "ruleset": RULES, "verify": True}),
    "Game.from_save": (
        Game.from_save,
        Game.from_save,
        {"data": ASKED._build_save(), "ruleset": RULES, "name": "a save"},
    ),
    "Game.matches_generator": (Game.matches_generator, of(ASKED, "matches_generator"), {"words": 0}),
    "Game.apply_entry": (Game.apply_entry, of(ASKED, "apply_entry"), {"line": ChoiceEntry("roll")}),
    "Game.apply_entry a chance": (Game.apply_entry, of(ROLLS, "apply_entry"), {"line": ChanceEntry(6, ((6,),))}),
    "open_save": (open_save, open_save, {"path": "game.json", "rules": ()}),
    "open_save_text": (open_save_text, open_save_text, {"text": SAVED, "rules": ()}),
    "migrate_save": (migrate_save, migrate_save, {"path": "game.json", "ruleset": RULES, "rules": ()}),
    "write_export": (write_export, write_export, {"ruleset": RULES, "folder": "exported", "vectors": False}),
    "build_example_data": (build_example_data, build_example_data, {"run": RUN, "events": (0,)}),
    "build_sample_data": (build_sample_data, build_sample_data, {"played": SAMPLE}),
    "replay": (replay, replay, {"game": ASKED}),
    "GameEncoder": (GameEncoder, GameEncoder, {"setting": ENCODER.setting}),
    "GameEncoder.observe": (GameEncoder.observe, of(ENCODER, "observe"), {"game": ASKED, "seat": 1}),
    "GameEncoder.list_options": (GameEncoder.list_options, of(ENCODER, "list_options"), {"game": ASKED}),
    "GameEncoder.describe_options": (GameEncoder.describe_options, of(ENCODER, "describe_options"), {"game": ASKED}),
    "GameEncoder.find_action": (GameEncoder.find_action, of(ENCODER, "find_action"), {"game": ASKED, "option": "roll"}),
    "stops": (stops, stops, {"game": ASKED}),
    "make": (bots.make, bots.make, {"name": "random", "ruleset": RULES, "seed": 1, "seat": 1}),
    "SeatedBot": (
        bots.SeatedBot.__init__,
        bots.SeatedBot,
        {"name": "random", "ruleset": RULES, "seed": 1, "seat": 1},
    ),
    "simulate": (
        simulate,
        simulate,
        {
            "ruleset": RULES,
            "games": 1,
            "policies": ("random", "random"),
            "seed": 1,
            "workers": 1,
            "options": None,
            "rules": (),
            "coverage": False,
            "values": (),
            "executor": None,
            "remote": False,
            "progress": None,
        },
    ),
}
"""Each with what says what it raises, and arguments with which it raises nothing."""

HOLDS_WHAT_IT_IS_GIVEN = {
    *(
        "Counts",
        "ChanceEntry",
        "Chance",
        "ChoiceEntry",
        "Decision",
        "Event",
        "Migration",
        "Option",
        "Result",
        "Ruleset",
        "Subject",
        "Subset",
    ),
}
"""Data, which others make and nobody is to put together."""

NUMBERS = {"Ruleset.get_or_make", "Ruleset.get_part", "Weight"}
"""What is called with a function of one's own, and with a number of a few."""

WORDS = ("", "#", "#1", "#2", "0", "roll", "pig/classic", "random", "mcts:1", "greedy:x", "a\0b", "\ud800")

PLAIN = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-3, 12),
    st.sampled_from((10**30, -(10**30), 10**4000)),
    st.floats(),
    st.fractions(max_denominator=5),
    st.sampled_from(WORDS),
    st.text(st.characters(codec=None), max_size=6),
    st.binary(max_size=6),
)
THINGS = st.one_of(
    st.builds(Path, st.text("ab.\0/", max_size=4)),
    st.builds(Option, PLAIN, PLAIN, PLAIN, PLAIN),
    st.builds(ChoiceEntry, PLAIN),
    st.builds(ChanceEntry, PLAIN, st.one_of(PLAIN, st.lists(PLAIN, max_size=2), st.tuples(st.tuples(PLAIN)))),
    st.sampled_from((RULES, ASKED, object(), int, Game, min, ThreadPoolExecutor, Fraction(1, 2), ...)),
)
ANYTHING = st.recursive(
    st.one_of(PLAIN, THINGS),
    lambda inner: st.one_of(
        st.lists(inner, max_size=3),
        st.lists(inner, max_size=3).map(tuple),
        st.dictionaries(st.one_of(PLAIN, st.sampled_from((*ASKED._build_save(), "pace"))), inner, max_size=3),
        st.frozensets(PLAIN, max_size=3),
        st.lists(inner, max_size=3).map(iter),
    ),
    max_leaves=6,
)


def raised(entity: Any) -> tuple[type[BaseException], ...]:
    """Return the exceptions that a docstring names, in a sentence or in its section `Raises:`."""
    docstring = inspect.getdoc(entity) or ""
    sentences = " ".join(re.findall(r"[Rr]aises (.*?)(?:\.\s|\.$|\Z)", docstring, re.DOTALL))
    section = "".join(re.findall(r"^Raises:\n((?:    .*\n?)+)", docstring, re.MULTILINE))
    names = re.findall(r"`(\w+)`", sentences) + re.findall(r"^    (\w+):", section, re.MULTILINE)
    return tuple(EXCEPTIONS[name] for name in names if name in EXCEPTIONS)


@cache
def declared(name: str) -> tuple[type[BaseException], ...]:
    entity, *_ = ENTRIES[name]
    return raised(entity)


@pytest.fixture(autouse=True)
def _in_a_folder_with_a_save(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    with TemporaryDirectory() as folder:
        (Path(folder) / "game.json").write_text(SAVED, encoding="utf-8")
        monkeypatch.chdir(folder)
        yield


@pytest.mark.parametrize("name", ENTRIES)
def test_right_arguments_raise_nothing(name: str) -> None:
    _, call, arguments = ENTRIES[name]
    if name == "Game.roll":
        call = of(ROLLS, "roll")
    call(**arguments)


@pytest.mark.parametrize("name", [name for name, (_, _, arguments) in ENTRIES.items() if arguments])
@settings(max_examples=times(20, 1000), deadline=None)
@given(data=st.data())
def test_wrong_arguments_raise_what_the_docstring_says(name: str, data: st.DataObject) -> None:
    _, call, arguments = ENTRIES[name]
    wrong = data.draw(st.sets(st.sampled_from(list(arguments)), min_size=1, max_size=2))
    given_ = {key: data.draw(ANYTHING) if key in wrong else value for key, value in arguments.items()}
    said = None
    try:
        call(**given_)
    except declared(name) as error:
        said = str(error)
    assert said is None or said.encode().strip()


def test_where_nothing_stands_the_docstring_says_what_is_raised() -> None:
    for name, game in (("roll", ASKED), ("choose", ROLLS), ("resolve", ASKED), ("apply_entry", ROLLS)):
        _, _, arguments = ENTRIES[f"Game.{name}"]
        with pytest.raises(raised(getattr(Game, name))):
            of(game, name)(**arguments)


def test_every_public_name_that_takes_anything_is_driven() -> None:
    named = {line.partition("(")[0] for line in surface() if "(" in line and not line.endswith("()")}
    driven = {name for name, (_, _, arguments) in ENTRIES.items() if arguments and " " not in name}
    assert named - HOLDS_WHAT_IT_IS_GIVEN - NUMBERS == driven


def test_a_record_that_does_not_fit_is_told_of_where_it_is_read() -> None:
    for record in ([["choose", "fly"]], [["chance", 6, [[6]]]], [["choose", "roll"], ["chance", 7, None]]):
        game = Game.from_save({**ASKED._build_save(), "record": record}, RULES, name="this save", verify=False)
        reads: dict[Any, Callable[[], object]] = {
            Game.log.fget: lambda game=game: game.log,
            Game.log_for: lambda game=game: game.log_for(1),
            Game.story: lambda game=game: game.story(seat=1),
            Game.log_since: lambda game=game: game.log_since(0),
            Game.record_for: lambda game=game: game.record_for(1),
            replay: lambda game=game: replay(game),
            stops: lambda game=game: stops(game),
        }
        for read, call in reads.items():
            with pytest.raises(raised(read)):
                call()


def test_outcomes_of_a_roll_beyond_the_limits() -> None:
    assert raised(Chance.outcomes.fget) == (DiceError,)
