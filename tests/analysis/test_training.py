"""Learning, held against games whose best play is known by hand."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml

from rulewright import load_ruleset
from rulewright.ai import bots
from rulewright.analysis.simulation.run_simulation import simulate
from rulewright.analysis.simulation.workers import Helpers
from rulewright.base.errors import RulewrightError
from rulewright.cli.commands.train import describe_use
from rulewright.cli.main import INTERRUPTED, main
from rulewright.dice.sampling.random_generator import Generator
from rulewright.engine.game.script import draw_outcome
from rulewright.engine.python_backend.compiler import compile_ruleset
from rulewright.engine.state.game_state import CHANCE, OVER, State
from rulewright.language.declarations import GAME, GAME_KIND, PLAYER_KIND
from rulewright.ruleset.overlay import lay_over
from rulewright.ruleset.ruleset import Ruleset
from rulewright.training import learn_weights as learning_module
from rulewright.training import weights_file
from rulewright.training.feature_selection import BEING_LEARNED, format_weights
from rulewright.training.learn_weights import NAME, WeightSearch, learn, prepare_learning
from rulewright.training.position_features import FEW, list_features
from rulewright.training.training_match import play
from tests.source.goldens import assert_golden

GOLDENS = Path(__file__).parent / "goldens" / "training"

MINES = """\
kinds:
  player: {fields: {gold: count, wood: count}}
  mine: {plural: mines, fields: {owner: player, depth: {type: depths, default: low}}}
state: {day: int}
tables:
  depths: {columns: {metres: int}, rows: {low: {metres: 10}, deep: {metres: 100}}}
procedures:
  game:
    title: Mines
    steps:
      - id: days
        repeat:
          at_most: 8
          steps:
            - id: each
              for_each: p
              in: players
              steps:
                - id: dig
                  ask: What do you take?
                  choose: {who: p, from: [gold, wood, mine]}
                - {id: rich, set: {p.gold: p.gold + 1}, when: dig == gold}
                - {id: warm, set: {p.wood: p.wood + 1}, when: dig == wood}
                - {id: made, create: mine, with: {owner: p}, when: dig == mine}
            - {id: next, set: {day: day + 1}}
      - {id: end, finish: {winners: "list(p for p in players if p.gold == max(q.gold for q in players))"}}
"""
"""Nothing but gold wins, and nothing says so."""


MANIFEST = """\
ruleset: house/mines
version: 1.0.0
title: Mines
players: 2
start: game
"""


def rules_of(folder: Path, rules: str) -> None:
    home = folder / "mines"
    home.mkdir()
    home.joinpath("ruleset.yaml").write_text(MANIFEST)
    home.joinpath("rules.yaml").write_text(rules)


@pytest.fixture
def mines(tmp_path: Path) -> Ruleset:
    rules_of(tmp_path, MINES)
    return load_ruleset("house/mines", rules=[tmp_path])


@pytest.mark.parametrize(
    "reference",
    [
        "fuzzy-knights/normal@1.0",
        "fuzzy-knights/medium@0.1",
        "classics/backgammon",
        "classics/checkers",
        "classics/oware",
    ],
)
def test_every_feature_is_sound_and_has_a_name_of_its_own(reference: str) -> None:
    ruleset = load_ruleset(reference)
    features = list_features(ruleset)
    overlay = lay_over(ruleset, format_weights(features))
    assert [*overlay.weights[BEING_LEARNED].terms] == [each.id for each in features]


def test_features_are_what_a_player_has(mines: Ruleset) -> None:
    by_id = {each.id: each.formula for each in list_features(mines)}
    assert by_id["gold"] == "who.gold"
    assert by_id["others_wood"] == "sum(it.wood for it in players if it != who)"
    assert by_id["mines"] == "count(it for it in mines if it.owner == who)"
    assert by_id["mine_depth_metres"] == "sum(it.depth.metres for it in mines if it.owner == who)"
    assert by_id["mine_depth_deep"] == "count(it for it in mines if it.owner == who and it.depth == deep)"
    assert by_id["others_mines"] == "count(it for it in mines if it.owner != who)"
    assert by_id["game_day"] == "day"
    overlay = lay_over(mines, format_weights(list_features(mines)))
    machine = compile_ruleset(overlay)
    state = machine.empty(2)
    machine.begin(state, "game", ())
    for option in (0, 2, 0, 2, 1, 2):
        state.apply(option)
    values = dict(
        zip(overlay.weights[BEING_LEARNED].terms, (value for _, value in machine.terms(BEING_LEARNED)), strict=True)
    )
    assert {name: values[name](state, 1) for name in ("gold", "wood", "mines", "others_mines", "game_day")} == {
        "gold": 2,
        "wood": 1,
        "mines": 0,
        "others_mines": 3,
        "game_day": 3,
    }


def positions(ruleset: Ruleset) -> Iterator[tuple[dict[str, int], State]]:
    """Yield positions of a game of random choices, and what every feature says of its first player there."""
    overlay = lay_over(ruleset, format_weights(list_features(ruleset)))
    machine, generator = compile_ruleset(overlay), Generator("features", "0")
    terms = zip(overlay.weights[BEING_LEARNED].terms, machine.terms(BEING_LEARNED), strict=True)
    values = {name: value for name, (_, value) in terms}
    bot = bots.make("random", overlay, seed="features", seat=1)
    state = machine.empty(2)
    assert ruleset.start is not None
    machine.begin(state, ruleset.start, ())
    for _ in range(150):
        while state.mode == CHANCE:
            state.apply_outcome(draw_outcome(state.roll, generator).value)
        if state.mode == OVER:
            break
        yield {name: value(state, 1) for name, value in values.items()}, state
        state.apply(bot(state))


def held(state: State, name: str, kind: str = GAME_KIND, entity: int = GAME) -> Any:
    """Return what a field holds, as the machine keeps it: what lies on rows in the order of the rows."""
    return state.objects[entity][state.machine.layout.places[kind, name]]


def test_what_lies_on_rows_that_belong_to_players_is_counted() -> None:
    seen = 0
    for values, state in positions(load_ruleset("classics/oware")):
        seeds = held(state, "seeds")
        assert (values["seeds_in_all"], values["others_seeds_in_all"]) == (sum(seeds[:6]), sum(seeds[6:]))
        assert [values[f"seeds_of_{few}"] for few in FEW] == [seeds[:6].count(few) for few in FEW]
        assert [values[f"others_seeds_of_{few}"] for few in FEW] == [seeds[6:].count(few) for few in FEW]
        assert values["seeds_by_behind"] == sum((5 - place) * some for place, some in enumerate(seeds[:6]))
        assert "seeds_by_side" not in values
        seen += 1
    assert seen > 20


def test_what_players_have_on_rows_is_counted(tmp_path: Path) -> None:
    rules = MINES.replace("{gold: count, wood: count}", "{gold: count, wood: count, dug: map of depths to count}")
    rules = rules.replace("{low: {metres: 10}", "{flat: {metres: 1}, low: {metres: 10}")
    rules_of(tmp_path, rules)
    game = positions(load_ruleset("house/mines", rules=[tmp_path]))
    _, state = next(game)
    place = state.machine.layout.places[PLAYER_KIND, "dug"]
    # On flat, low and deep rows, of 1, 10 and 100 metres; no rule changes it.
    state.objects[1][place], state.objects[2][place] = (2, 0, 3), (1, 1, 4)
    values, _ = next(game)
    assert (values["dug_in_all"], values["others_dug_in_all"]) == (5, 6)
    assert [values[f"dug_of_{few}"] for few in FEW] == [1, 0, 1, 1]
    assert [values[f"others_dug_of_{few}"] for few in FEW] == [0, 2, 0, 0]
    assert (values["dug_by_metres"], values["others_dug_by_metres"]) == (302, 411)


def test_rows_that_players_hold_are_counted() -> None:
    ruleset = load_ruleset("classics/checkers")
    rows = [row.cells["row"] for row in ruleset.declarations.tables["board"].rows.values()]
    kings_met = 0
    for values, state in positions(ruleset):
        men, kings = held(state, "men"), held(state, "kings")
        assert (values["men"], values["others_men"]) == (men.count(1), men.count(2))
        assert values["men_kings"] == sum(king for man, king in zip(men, kings, strict=True) if man == 1)
        assert values["others_men_by_row"] == sum(row for man, row in zip(men, rows, strict=True) if man == 2)
        kings_met += any(kings)
    assert kings_met


def test_things_that_stand_alone_are_counted() -> None:
    alone_met = 0
    for values, state in positions(load_ruleset("classics/backgammon")):
        stand: dict[int, Counter[str]] = {1: Counter(), 2: Counter()}
        for man in range(3, len(state.objects)):
            at = held(state, "at", "man", man)
            if at is not None:
                stand[held(state, "owner", "man", man)][at] += 1
        for side, player in (("", 1), ("others_", 2)):
            assert values[f"{side}man_at_alone"] == sum(times == 1 for times in stand[player].values())
        alone_met += values["man_at_alone"] > 0
    assert alone_met


def taught(ruleset: Ruleset, tmp_path: Path, generations: int, workers: int = 1) -> WeightSearch:
    made = prepare_learning(ruleset, rules=[str(tmp_path)])
    with Helpers(workers) as helpers:
        for generation in learn(made, helpers):
            if generation.number == generations:
                return made
    raise AssertionError


def test_what_wins_is_learned_from_nothing(mines: Ruleset, tmp_path: Path) -> None:
    made = taught(mines, tmp_path, 9)
    worths = dict(zip((each.id for each in made.features), made.best, strict=True))
    assert worths["gold"] > max(worths["wood"], worths.get("mines", 0))
    learned = lay_over(mines, yaml.safe_dump(yaml.safe_load(weights_file.format_file(made, generations=9, proof=None))))
    counts = simulate(learned, games=200, policies=("trained", "random"))
    # Best play takes gold eight times; chance does with a chance of 3^-8, and then it is a draw.
    assert counts.wins_by_policy["trained"] >= 198
    assert counts.wins_by_policy["random"] == 0


def test_it_is_the_same_for_any_number_of_workers_and_after_an_interrupt(
    mines: Ruleset, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = taught(mines, tmp_path, 6)
    monkeypatch.setattr("rulewright.analysis.simulation.workers.PATIENCE", 0.0)
    assert taught(mines, tmp_path, 6, workers=2).report == whole.report
    path = tmp_path / "weights.yaml.progress"
    half = taught(mines, tmp_path, 4)
    weights_file.keep(half, path)
    again = prepare_learning(mines, rules=[str(tmp_path)])
    assert weights_file.go_on(again, path) == 4
    weights_file.keep(prepare_learning(mines, rules=[str(tmp_path)]), path)  # another one, which has only begun
    assert weights_file.go_on(again, path) == 4
    asked = 0

    def counted(*given: Any) -> Any:
        nonlocal asked
        asked += 1
        return play(*given)

    monkeypatch.setattr(learning_module, "play", counted)
    with Helpers(1) as helpers:
        for generation in learn(again, helpers):
            if generation.number == 6:
                break
    assert (again.report, again.best) == (whole.report, whole.best)
    assert asked == 2 * again.size + learning_module.CHECKS  # what was played before is not played again


def test_a_command_writes_rules_that_bots_go_by(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    rules_of(tmp_path, MINES)
    assert main(["train", "house/mines", "--rules", str(tmp_path), "--generations", "6"]) == 0
    out = capsys.readouterr().out
    path = next(tmp_path.rglob("weights.yaml"))
    assert f"wrote {path}. To play against it, choose the bot `trained`" in out
    assert not [*tmp_path.rglob("*.progress")]
    ruleset = load_ruleset("house/mines", rules=[tmp_path])
    assert ruleset.weights[NAME].learned_for == ruleset.digest
    assert main(["check", "house/mines", "--rules", str(tmp_path)]) == 0
    streams = capsys.readouterr()
    assert "warning" not in streams.out + streams.err
    assert main(["ladder", "house/mines", "--rules", str(tmp_path), "--games", "20", "--json"]) == 0
    data = json.loads(capsys.readouterr().out)
    assert {each["bot"] for each in data["ratings"]} >= {"random", "trained"}
    assert data["ratings"][-1]["bot"] == "random"
    # What is learned goes on from what is known.
    again = prepare_learning(ruleset, rules=[str(tmp_path)])
    known = {term.id: term.worth for term in ruleset.weights[NAME].terms.values()}
    assert dict(zip((each.id for each in again.features), again.best, strict=True)) == pytest.approx(known)


def test_a_file_outside_of_the_rules_has_to_be_moved_first(mines: Ruleset, tmp_path: Path) -> None:
    inside = mines.resolved.layers[-1].folder / "weights.yaml"
    assert describe_use(inside, mines).startswith("choose the bot `trained`")
    moved = describe_use(tmp_path / "elsewhere.yaml", load_ruleset("classics/oware@1.0"))
    assert moved.startswith("run `rulewright new smart --extends classics/oware@1.0.0`, move the file to smart/")


def test_house_rules_inherit_what_was_learned_and_learn_further(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The weights of house rules are written whole: no inherited worth is left among them that nobody learned."""
    weights = """\
weights:
  trained:
    learned_for: "0123"
    terms:
      gold: {is: who.gold, worth: 1}
      old: {is: "day - day", worth: 5}
"""
    rules_of(tmp_path, MINES + weights)
    house = tmp_path / "house"
    house.mkdir()
    house.joinpath("ruleset.yaml").write_text(
        "ruleset: my/house\nversion: 1.0.0\ntitle: House\nextends: house/mines@1.0.0\n"
    )
    house.joinpath("rules.yaml").write_text("procedures: {game: {steps: [{id: days, repeat: {at_most: 6}}]}}\n")
    command = ["--rules", str(tmp_path)]
    assert main(["check", "my/house", *command]) == 0
    assert "stale-weights" in capsys.readouterr().err
    assert main(["train", "my/house", *command, "--generations", "3"]) == 0
    assert main(["check", "my/house", *command]) == 0
    streams = capsys.readouterr()
    assert "stale-weights" not in streams.out + streams.err
    ruleset = load_ruleset("my/house", rules=[tmp_path])
    written_terms = yaml.safe_load((house / "weights.yaml").read_text())["weights"][NAME]["terms"]
    assert written_terms.keys() == ruleset.weights[NAME].terms.keys() >= {"gold", "old"}


def test_an_interrupt_keeps_what_is_done_and_the_same_command_goes_on(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    rules_of(tmp_path, MINES)
    command = ["train", "house/mines", "--rules", str(tmp_path), "--generations", "3"]
    keep = weights_file.keep

    def interrupted(weight_search: WeightSearch, path: Path) -> None:
        keep(weight_search, path)
        if len(weight_search.report.generations) == 2:
            raise KeyboardInterrupt

    monkeypatch.setattr(weights_file, "keep", interrupted)
    assert main(command) == INTERRUPTED
    assert "run the same command to continue" in capsys.readouterr().out
    monkeypatch.setattr(weights_file, "keep", keep)
    assert main([*command[:-2], "--seed", "7"]) == 1
    assert "with other rules or settings" in capsys.readouterr().err
    assert main(command) == 0
    assert "continuing an earlier run after 2 generations" in capsys.readouterr().out


def test_nothing_else_in_a_file_is_lost(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    rules_of(tmp_path, MINES)
    path = tmp_path / "mine.yaml"
    path.write_text("weights: {trained: {terms: {}}}\nterms: {}\n")
    assert main(["train", "house/mines", "--rules", str(tmp_path), "--output", str(path)]) == 1
    assert "which would be lost" in capsys.readouterr().err
    assert path.read_text().endswith("terms: {}\n")


def test_what_was_learned_under_other_rules_is_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    rules_of(tmp_path, MINES + "weights:\n  trained: {learned_for: 0123, terms: {gold: {is: who.gold, worth: 1}}}\n")
    assert main(["check", "house/mines", "--rules", str(tmp_path)]) == 0
    error_text = capsys.readouterr().err.replace(f"{tmp_path}/", "")
    digest = load_ruleset("house/mines", rules=[tmp_path]).digest
    assert_golden("stale_weights.txt", error_text.replace(digest, "…"), folder=GOLDENS)


@pytest.mark.parametrize(
    ("reference", "message"),
    [("classics/kuhn-poker", "has hidden information"), ("classics/hex", "")],
)
def test_where_nothing_can_be_learned_it_is_said(reference: str, message: str) -> None:
    ruleset = load_ruleset(reference)
    if message:
        with pytest.raises(RulewrightError, match=message):
            prepare_learning(ruleset)
    else:
        assert prepare_learning(ruleset).features


@pytest.mark.parametrize(
    ("weights", "message"),
    [
        ("{gold: {is: who.gold, worth: much}}", "is not a weight"),
        ("{gold: {is: who.gold > 1, worth: 1}}", "a number"),
        ("{gold: {is: who.silver, worth: 1}}", "silver"),
        ("{gold: {worth: 1}}", "has no `is`"),
    ],
)
def test_bad_weights_are_explained(weights: str, message: str, mines: Ruleset) -> None:
    with pytest.raises(RulewrightError, match=message):
        lay_over(mines, f"weights: {{trained: {{terms: {weights}}}}}")


def test_bots_say_that_nobody_has_learned(mines: Ruleset) -> None:
    with pytest.raises(RulewrightError, match="rulewright train house/mines"):
        simulate(mines, games=1, policies=("trained", "random"))
    with pytest.raises(RulewrightError, match="or train one"):
        simulate(mines, games=1, policies=("greedy", "random"))
