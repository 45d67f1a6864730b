"""Games as integrators play them: decisions, chance, logs, copies, records, saves."""

from __future__ import annotations

import copy
import hashlib
import json
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rulewright import Game, GameError, Ruleset, load_ruleset
from rulewright.base.errors import RulewrightError
from rulewright.dice.parser.notation import parse
from rulewright.dice.sampling.random_generator import Generator
from rulewright.engine.game.saves import open_save
from rulewright.engine.game.script import draw_outcome, draw_value
from rulewright.engine.python_backend.compiler import compile_ruleset
from rulewright.engine.state.state_json import compute_fingerprint, from_json, to_json
from rulewright.engine.state.tree_interpreter import Interpreter


@pytest.fixture(scope="module")
def pig() -> Ruleset:
    return load_ruleset("pig/classic@1.0")


def finish(game: Game, seed: int) -> Game:
    random = Random(seed)
    while (decision := game.decision) is not None:
        game.choose(random.choice(decision.options))
    return game


def test_a_game_goes_on_to_a_winner_and_says_why(pig: Ruleset) -> None:
    game = finish(Game(pig, players=3, seed=7), 1)
    assert game.result is not None
    [winner] = game.result.winners
    assert 1 <= winner <= 3
    last = game.log[-1]
    assert (last.rule, last.verb) == ("game.victory", "finish")
    assert last.text == f"The game is over: Player {winner} wins."


def test_the_same_seed_and_choices_give_the_same_game(pig: Ruleset) -> None:
    first, second = finish(Game(pig, seed="x"), 5), finish(Game(pig, seed="x"), 5)
    assert first.log == second.log
    assert first.record == second.record


def test_a_decision_offers_ids_labels_and_the_rule_that_asks(pig: Ruleset) -> None:
    decision = Game(pig).decision
    assert decision is not None
    assert (decision.player, decision.rule) == (1, "game.move")
    assert [(option.id, option.index) for option in decision] == [("roll", 0), ("hold", 1)]


@pytest.mark.parametrize("way", ["roll", 0, "#1"])
def test_an_option_is_taken_by_id_index_or_place(pig: Ruleset, way: str | int) -> None:
    game = Game(pig, seed=1)
    game.choose(way)
    assert game.record[0].to_data() == ["choose", "roll"]


@pytest.mark.parametrize("option", [None, 1.0, True])
def test_what_names_no_option_is_refused(pig: Ruleset, option: Any) -> None:
    with pytest.raises(GameError, match="an id or an index"):
        Game(pig, seed=1).choose(option)


def test_what_is_not_offered_is_refused_and_nothing_changes(pig: Ruleset) -> None:
    game = Game(pig, seed=1)
    before = game.to_json()
    with pytest.raises(RulewrightError, match=r"(?s)cannot choose `pass` at `game.move`.*roll, hold"):
        game.choose("pass")
    with pytest.raises(RulewrightError, match="cannot choose"):
        game.choose(2)
    assert game.to_json() == before


def test_chance_can_be_enumerated_resolved_or_left_to_the_generator(pig: Ruleset) -> None:
    game = Game(pig, seed=3, stop_at_chance=True)
    game.choose("roll")
    assert game.decision is None
    assert game.chance is not None
    assert game.chance.outcomes == tuple((face, Fraction(1, 6)) for face in range(1, 7))
    other = game.clone()
    game.resolve(5)
    other.roll()
    assert game.chance is None
    assert [event.text for event in game.log[-2:]] == ["🎲 1d6 comes to 5.", "The pot is now 5."]
    with pytest.raises(GameError, match="no chance event is pending"):
        game.roll()
    with pytest.raises(GameError, match="7 is not a possible outcome"):
        Game.resolve(_at_chance(pig), 7)


def _at_chance(pig: Ruleset) -> Game:
    game = Game(pig, stop_at_chance=True)
    game.choose("roll")
    return game


@pytest.mark.parametrize("copied", [Game.clone, copy.copy, copy.deepcopy])
def test_a_copy_goes_its_own_way(pig: Ruleset, copied: Callable[[Game], Game]) -> None:
    game = Game(pig, seed=3)
    game.choose("roll")
    twin, before = copied(game), game.to_json()
    finish(twin, 1)
    assert game.to_json() == before
    assert game.result is None
    # The same choices lead the original the same way: its generator was not used.
    assert finish(game, 1).log == twin.log


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"players": 11}, "2 to 10 players, not 11"),
        ({"players": 1}, "2 to 10 players, not 1"),
        ({"players": 2.5}, "2 to 10 players, not 2.5"),
        ({"seed": None}, "a seed must be a whole number or a string, not None"),
        ({"seed": 1.5}, "a seed must be a whole number or a string, not 1.5"),
        ({"options": {"speed": "fast"}}, "there is no option speed"),
    ],
)
def test_wrong_settings_are_refused(pig: Ruleset, settings: dict[str, object], message: str) -> None:
    with pytest.raises(GameError, match=message):
        Game(pig, **settings)  # type: ignore[arg-type]


def test_a_ruleset_without_a_whole_game_says_so() -> None:
    rules = load_ruleset("pig/classic")
    assert Game(rules).decision is not None
    with pytest.raises(GameError, match="has no `start:`"):
        Game(replace(rules, start=None))


@given(seed=st.integers(0, 10_000), plies=st.integers(0, 60))
def test_saving_and_loading_at_any_stop_changes_nothing(seed: int, plies: int) -> None:
    """The state as JSON, read back by either back end, is the same state and goes on the same way."""
    rules = load_pig()
    random = Random(seed)
    game = Game(rules, players=2, seed=seed, stop_at_chance=True)
    for _ in range(plies):
        if game.result is not None:
            break
        if game.decision is not None:
            game.choose(random.randrange(2))
        else:
            game.roll()
    written = json.loads(json.dumps(to_json(game.state)))
    for machine in (compile_ruleset(rules), Interpreter(rules)):
        state = from_json(machine, written)
        assert to_json(state) == written
        assert compute_fingerprint(state) == compute_fingerprint(game.state)
        assert (state.mode, state.options if state.mode == 1 else ()) == (
            game.state.mode,
            game.state.options if game.state.mode == 1 else (),
        )
        if state.mode == 1:
            other = game.state.clone()
            state.apply(0)
            other.events = []
            other.apply(0)
            assert to_json(state) == to_json(other)


_PIG: list[Ruleset] = []


def load_pig() -> Ruleset:
    if not _PIG:
        _PIG.append(load_ruleset("pig/classic@1.0"))
    return _PIG[0]


def test_a_saved_game_opens_where_it_was(pig: Ruleset, tmp_path: Path) -> None:
    game = Game(pig, players=4, seed=11)
    for option in ("roll", "roll", "hold"):
        if game.decision is not None:
            game.choose(option)
    game.save(tmp_path / "game.json")
    opened = Game.load(tmp_path / "game.json", pig)
    assert opened.to_json() == game.to_json()
    assert opened.record == game.record
    assert finish(opened, 2).log == finish(game, 2).log
    assert [path.name for path in tmp_path.iterdir()] == ["game.json"]


def forged(text: str, change: Callable[[dict[str, Any]], None]) -> str:
    """Return a save with a change to it, signed anew, as somebody who knows the format could write it."""
    save = json.loads(text)["save"]
    change(save)
    body = json.dumps(save, ensure_ascii=False)
    check = hashlib.sha256(body.encode()).hexdigest()
    return f'{{"rulewright": 2, "check": "{check}", "save": {body}}}\n'


@pytest.mark.parametrize(
    ("damage", "message"),
    [
        (lambda text: text[: len(text) // 2], "not complete JSON"),
        (lambda text: "", "not a Rulewright save"),
        (lambda text: "[" * 100_000, "not a Rulewright save"),
        (lambda text: '{"rulewright": 2, "x": ' + "[" * 100_000, "not complete JSON"),
        (lambda text: text.replace('"rulewright": 2', '"rulewright": 9'), "format 9; this program reads format 2"),
        (lambda text: text.replace('["player", 0]', '["player", 9]', 1), "changed after it was saved"),
        (lambda text: forged(text, lambda save: save.pop("record")), "must have exactly these members"),
        (lambda text: forged(text, lambda save: save["state"].pop("frames")), "damaged"),
        (lambda text: forged(text, lambda save: save["state"].update(next=-3)), "damaged"),
        (lambda text: forged(text, lambda save: save["state"]["frames"][0].update(at=["game", "fly"])), "damaged"),
        (lambda text: forged(text, lambda save: save["record"].append(["choose"])), "damaged"),
        (lambda text: forged(text, lambda save: save.pop("seed")), "must have exactly these members"),
        (lambda text: forged(text, lambda save: save.update(players=77)), "2 to 10 players"),
        (
            lambda text: forged(text, lambda save: save["state"].update(mode="x")),
            "position does not exist in the rules",
        ),
        (lambda text: forged(text, lambda save: save["state"].update(root=9)), "position does not exist in the rules"),
        (
            lambda text: forged(text, lambda save: save["state"]["objects"]["1"].pop()),
            "does not have the fields of its kind",
        ),
        (
            lambda text: forged(text, lambda save: save.update(digest="0", ruleset="pig/classic@0.9.0")),
            "Load pig/classic@0.9.0",
        ),
    ],
)
def test_a_damaged_or_foreign_save_is_refused_with_a_reason(
    pig: Ruleset, tmp_path: Path, damage: Callable[[str], str], message: str
) -> None:
    game = Game(pig, seed=1)
    game.choose("roll")
    path = tmp_path / "game.json"
    game.save(path)
    changed = damage(path.read_text())
    assert changed != path.read_text()
    path.write_text(changed)
    with pytest.raises(GameError, match=message):
        Game.load(path, pig)


SAVER = """
import sys
from rulewright import Game, load_ruleset
game = Game(load_ruleset("pig/classic@1.0"), players=2, seed=1)
print("ready", flush=True)
while True:
    for option in ("roll", "hold"):
        if game.decision is not None:
            game.choose(option)
    game.save(sys.argv[1])
    print("saved", flush=True)
"""


def test_a_process_killed_while_it_saves_leaves_a_whole_save(pig: Ruleset, tmp_path: Path) -> None:
    """Killed at eight different moments: the save is always one that was written, never a part of one."""
    path = tmp_path / "game.json"
    Game(pig, players=2, seed=1).save(path)
    random = Random(5)
    with subprocess.Popen([sys.executable, "-c", SAVER, str(path)], stdout=subprocess.PIPE) as first:
        assert first.stdout is not None
        for _ in range(5):
            first.stdout.readline()
        first.kill()
    lengths = set()
    for _ in range(8):
        with subprocess.Popen([sys.executable, "-c", SAVER, str(path)], stdout=subprocess.PIPE) as process:
            assert process.stdout is not None
            for _ in range(random.randint(1, 20)):
                process.stdout.readline()
            process.kill()
        lengths.add(len(Game.load(path, pig).record))
    assert len(lengths) > 1


def test_an_opened_game_tells_its_whole_log(pig: Ruleset, tmp_path: Path) -> None:
    game = Game(pig, seed=4)
    for option in ("roll", "hold", "roll"):
        game.choose(option)
    game.save(tmp_path / "game.json")
    opened = Game.load(tmp_path / "game.json", pig)
    copy = opened.clone()
    assert opened.log == game.log
    opened.choose("hold")
    game.choose("hold")
    assert opened.log == game.log
    assert len(copy.log) < len(opened.log)


def test_a_state_of_other_rules_is_refused(pig: Ruleset) -> None:
    data = Game(pig).to_json()
    data["digest"] = "0" * 16
    with pytest.raises(RulewrightError, match="saved with other rules"):
        from_json(compile_ruleset(pig), data)


def test_a_save_whose_record_leads_elsewhere_is_refused(pig: Ruleset, tmp_path: Path) -> None:
    game = Game(pig, seed=1)
    for option in ("roll", "hold", "roll"):
        game.choose(option)
    path = tmp_path / "game.json"
    game.save(path)
    assert open_save(path).to_json() == game.to_json()
    path.write_text(forged(path.read_text(), lambda save: save["record"].pop()))
    with pytest.raises(GameError, match="replaying its moves does not give the saved state"):
        open_save(path)


def test_a_copy_tells_what_follows_as_the_original_does(pig: Ruleset) -> None:
    rules = load_ruleset("fuzzy-knights/normal@1.0")
    game = Game(rules, players=2, seed=5)
    assert game.log
    copy = game.clone()
    for each in (game, copy):
        each.choose(0)
    assert copy.log == game.log
    assert any("Encampment of Player" in event.text for event in copy.log)


@pytest.mark.parametrize("source", [parse("2d6 +1"), parse("1d6"), 4, ("a", "b", "b")])
def test_a_value_is_drawn_as_its_outcome_is(source: Any) -> None:
    for seed in range(20):
        one, other = Generator(seed), Generator(seed)
        assert [draw_outcome(source, one).value for _ in range(3)] == [draw_value(source, other) for _ in range(3)]
        assert one == other


def test_the_running_procedures_do_not_depend_on_how_a_statement_keeps_its_call(tmp_path: Path) -> None:
    (tmp_path / "ruleset.yaml").write_text(
        "ruleset: test/calls\nversion: 1.0.0\ntitle: Calls\nplayers: 2\nstart: outer\n", encoding="utf-8"
    )
    (tmp_path / "rules.yaml").write_text(
        "procedures:\n"
        "  outer: {title: Outer, steps: [{id: on, do: inner}, {id: over, finish: {winners: players}}]}\n"
        "  inner: {title: Inner, steps: [{id: pick, choose: {who: players, from: [a, b]}}]}\n",
        encoding="utf-8",
    )
    rules = load_ruleset("test/calls", rules=tmp_path)
    game = Game(rules)
    next(step for step in rules.procedures["outer"].iterate_steps() if step.id == "on").action = None
    assert [each["procedure"] for each in game.snapshot()["under_way"]] == ["outer", "inner"]
