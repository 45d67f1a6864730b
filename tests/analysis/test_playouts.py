"""Playouts find what faults and what never ends, by every combination of options, and say how to see it again."""

from __future__ import annotations

import shlex
from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest

from rulewright import Game, Ruleset, load_ruleset
from rulewright.analysis.simulation import fuzz
from rulewright.analysis.simulation.fuzz import FOR_A_WHILE, FuzzResult, build_command, play_out, report_faults
from rulewright.cli.main import main
from rulewright.engine.game.record import ChoiceEntry
from rulewright.engine.python_backend.compiler import PythonMachine
from rulewright.engine.wasm_backend.bot_games import BotGames
from rulewright.source.diagnostics.diagnostic import Diagnostic
from rulewright.source.diagnostics.formats import text
from tests.analysis.walks import MANIFEST, PINNED, RULES, SOUND, written
from tests.source.goldens import assert_golden

GOLDENS = Path(__file__).parent / "goldens"


def walk(folder: Path, rules: str = RULES, *, manifest: str = MANIFEST + PINNED) -> Ruleset:
    return load_ruleset("test/walk", rules=[written(folder, rules, manifest=manifest)])


def counted(played: FuzzResult) -> tuple[int, int, int]:
    return played.ended, played.left, sum(count for _, count in played.faults.values())


def assert_told(name: str, diagnostic: Diagnostic, ruleset: Ruleset) -> None:
    """As it reads wherever the rules lie, and however gameplay is digested."""
    folder = str(ruleset.resolved.layers[0].folder.parent)
    sentence = text.render(
        [replace(diagnostic, span=replace(diagnostic.span, file=diagnostic.span.file.replace(folder, "rules")))]
    )
    assert_golden(name, sentence.replace(ruleset.digest, "DIGEST"), folder=GOLDENS)


def test_every_combination_is_played_as_often_as_asked(tmp_path: Path) -> None:
    ruleset = walk(tmp_path, SOUND)
    played = play_out(ruleset, games=3)
    assert (played.combinations, played.whole, counted(played)) == (8, True, (12, 12, 0))
    # A slow walk of ten turns, a fast one of five; and where a trap is set, whoever left is asked who was there.
    assert played.decisions >= 3 * (2 * 10 + 2 * 5) + 12 * FOR_A_WHILE


def test_a_game_without_options_is_played_to_the_end() -> None:
    played = play_out(load_ruleset("pig/classic@1.0"), games=30)
    assert (played.combinations, counted(played)) == (1, (30, 0, 0))


def test_numbers_of_players_take_turns(tmp_path: Path) -> None:
    ruleset = walk(tmp_path)
    played = fuzz.list_games(ruleset, [{}, {}, {}], [{}, {}, {}], games=1, most=9)
    assert Counter(each.players for each in played) == {2: 3, 3: 3}


def test_what_faults_is_told_once_with_its_rule_and_how_often(tmp_path: Path) -> None:
    ruleset = walk(tmp_path)
    played = play_out(ruleset, games=10)
    [(fault, count)] = played.faults.values()
    assert (fault.kind, fault.rule, fault.message) == ("fault", "game.caught", "there is nothing to choose from")
    assert dict(fault.playout.settings)["trap"] == "set"
    # Two of the four endless settings set the trap, and no player escapes it for 2,000 decisions.
    assert count >= 20
    assert played.ended + played.left + count == played.games == 80
    [found] = report_faults(played, ruleset)
    assert (found.span.file, found.span.line) == (str(tmp_path / "walk" / "rules.yaml"), 19)
    assert_told("fault.txt", found, ruleset)


def test_a_game_that_must_end_and_does_not_is_told(tmp_path: Path) -> None:
    ruleset = walk(tmp_path, SOUND, manifest=MANIFEST)
    played = play_out(ruleset, games=1, most=300)
    [(fault, count)] = played.faults.values()
    assert (fault.kind, count, played.ended) == ("endless", 4, 4)
    assert_told("endless.txt", report_faults(played, ruleset)[0], ruleset)


@pytest.mark.parametrize("inside", [True, False])
def test_what_the_program_fails_at_is_told_as_its_own(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, inside: bool
) -> None:
    def failing(self: object, *_: object) -> None:
        raise KeyError("lost")

    ruleset = walk(tmp_path)
    monkeypatch.setattr(fuzz, "is_available", lambda: inside)
    monkeypatch.setattr(BotGames, "play_one", failing)
    monkeypatch.setattr(PythonMachine, "start", failing)
    [fault] = report_faults(play_out(ruleset), ruleset)
    assert (fault.code.id, fault.message) == ("playout-failed", "`game`: KeyError: 'lost'")
    assert_told("failed.txt", fault, ruleset)


@pytest.mark.parametrize("rules", [RULES, SOUND])
def test_the_games_are_the_same_for_any_number_of_workers(tmp_path: Path, rules: str) -> None:
    ruleset = walk(tmp_path, rules)
    assert play_out(ruleset, games=2, workers=2, rules=[tmp_path]) == play_out(ruleset, games=2)


def test_another_gameplay_gives_other_games(tmp_path: Path) -> None:
    seeds = [
        {each.seed for each in fuzz.list_games(ruleset, [{}], [], games=5, most=1)}
        for ruleset in (walk(tmp_path / "a"), walk(tmp_path / "b", SOUND))
    ]
    assert not seeds[0] & seeds[1]


def test_a_fault_is_seen_again_by_what_is_to_be_typed(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    ruleset = walk(tmp_path)
    for fault, _ in play_out(ruleset).faults.values():
        machine, *arguments = shlex.split(build_command(fault.playout, ruleset, rules=[tmp_path]))
        assert machine == "rulewright"
        assert main(arguments) == 1
        out, err = capsys.readouterr()
        assert "`game.caught`: there is nothing to choose from" in err
        assert f"{tmp_path / 'walk' / 'rules.yaml'}:19:" in err
        assert out.startswith("A walk (test/walk@1.0.0)")


def test_a_game_that_ends_is_seen_again_too(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The game that is played in mass is the game that a person is shown, decision for decision."""
    ruleset = load_ruleset("pig/classic@1.0")
    [playout] = fuzz.list_games(ruleset, [{}], [], games=1, most=1_000_000)
    decisions = play_out(ruleset).decisions
    saved = tmp_path / "game.json"
    assert main([*shlex.split(build_command(playout, ruleset))[1:], "--save", str(saved)]) == 0
    record = Game.load(saved, ruleset).record
    assert sum(isinstance(line, ChoiceEntry) for line in record) == decisions


def test_beyond_a_bound_a_covering_set_is_played(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fuzz, "MOST_COMBINATIONS", 7)
    played = play_out(walk(tmp_path, SOUND))
    assert not played.whole
    assert played.combinations < 8
    assert counted(played)[2] == 0


def test_rules_that_say_nothing_of_a_whole_game_are_not_played(tmp_path: Path) -> None:
    ruleset = walk(tmp_path, manifest=MANIFEST.replace("start: game\n", ""))
    assert play_out(ruleset) == FuzzResult()


@pytest.mark.parametrize("most", [4, 60, 3_000])
def test_games_come_to_the_same_as_webassembly_and_as_python(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, most: int
) -> None:
    """Those that end, that fault, and that have not ended after so many decisions, each where it stands."""
    for ruleset in (
        walk(tmp_path / "faults"),
        walk(tmp_path / "ends", SOUND),
        load_ruleset("fuzzy-knights/normal@0.2"),
    ):
        games = 1 if ruleset.reference.startswith("fuzzy") else 5
        if games == 1 and most > 60:
            continue
        inside = play_out(ruleset, games=games, most=most)
        with monkeypatch.context() as without:
            without.setattr(fuzz, "is_available", lambda: False)
            assert play_out(ruleset, games=games, most=most) == inside
