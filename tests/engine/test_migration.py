"""Saves and rules that have changed since: patches of words open them, others take them as far as they go."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from rulewright import Game, GameError, load_ruleset
from rulewright.cli.main import main
from rulewright.engine.game.save_migration import migrate_save
from rulewright.engine.game.saves import open_save, open_save_text

MANIFEST = "ruleset: own/pig\nversion: {version}\ntitle: Own Pig\nextends: pig/classic@1.0\n{more}"


def edition(folder: Path, version: str, rules: str = "", more: str = "") -> None:
    place = folder / version
    place.mkdir(parents=True)
    (place / "ruleset.yaml").write_text(MANIFEST.format(version=version, more=more), encoding="utf-8")
    if rules:
        (place / "rules.yaml").write_text(rules, encoding="utf-8")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    edition(tmp_path / "rules", "1.0.0")
    return tmp_path / "rules"


def saved(folder: Path, tmp_path: Path, *, choices: int = 30, **settings: Any) -> tuple[Game, Path]:
    game = Game(load_ruleset("own/pig@1.0.0", rules=folder), players=2, seed=4, **settings)
    for stop in range(choices):
        while game.chance is not None:
            game.roll()
        game.choose("roll" if stop % 3 else "hold")
    game.save(tmp_path / "game.json")
    return game, tmp_path / "game.json"


def test_a_patch_of_words_opens_a_save_wherever_it_is_opened(folder: Path, tmp_path: Path) -> None:
    game, save = saved(folder, tmp_path)
    (folder / "1.0.0").rename(tmp_path / "old")
    edition(folder, "1.0.1", "state: {pot: {means: What was rolled and not yet banked in this turn.}}\n")
    patched = load_ruleset("own/pig@1.0", rules=folder)
    assert patched.digest == game.ruleset.digest
    for again in (
        Game.load(save, patched),
        open_save(save, rules=folder),
        open_save_text(game.save_text(), rules=folder),
    ):
        assert again.ruleset.reference == "own/pig@1.0.1"
        assert (again.to_json(), again.record) == (game.to_json(), game.record)


def test_a_patch_that_plays_otherwise_opens_no_save(folder: Path, tmp_path: Path) -> None:
    _, save = saved(folder, tmp_path)
    (folder / "1.0.0").rename(tmp_path / "old")
    edition(folder, "1.0.1", "numbers: {goal: 50}\n")
    with pytest.raises(GameError, match="cannot be loaded here"):
        open_save(save, rules=folder)
    with pytest.raises(GameError, match="was played under"):
        Game.load(save, load_ruleset("own/pig@1.0", rules=folder))


def test_a_minor_version_of_the_same_gameplay_opens_a_save_only_by_name(folder: Path, tmp_path: Path) -> None:
    game, save = saved(folder, tmp_path)
    (folder / "1.0.0").rename(tmp_path / "old")
    edition(folder, "1.1.0")
    assert Game.load(save, load_ruleset("own/pig@1.1", rules=folder)).to_json() == game.to_json()
    with pytest.raises(GameError, match=r"open the save under other rules with `Game\.load`"):
        open_save(save, rules=folder)


@pytest.mark.parametrize("version", ["1.0.0", "1.0.1"])
def test_a_save_of_other_gameplay_names_the_migration(folder: Path, tmp_path: Path, version: str) -> None:
    _, save = saved(folder, tmp_path)
    (folder / "1.0.0").rename(tmp_path / "old")
    edition(folder, version, "numbers: {goal: 50}\n")
    with pytest.raises(GameError, match=r"with `rulewright replay --onto` or `migrate_save`$"):
        Game.load(save, load_ruleset("own/pig@1.0", rules=folder))


def test_rules_that_play_the_same_take_all_of_a_save(folder: Path, tmp_path: Path) -> None:
    game, save = saved(folder, tmp_path)
    moved = migrate_save(save, load_ruleset("pig/classic@1.0"))
    assert (moved.choices, moved.recorded, moved.stopped, moved.rerolled, moved.dropped) == (30, 30, None, 0, ())
    assert moved.game.record == game.record
    assert moved.game.snapshot()["values"] == game.snapshot()["values"]


def test_rules_that_end_earlier_say_where_it_stops(folder: Path, tmp_path: Path, capsys: Any) -> None:
    game, save = saved(folder, tmp_path)
    edition(folder, "1.1.0", "numbers: {goal: 20}\n")
    moved = migrate_save(save, load_ruleset("own/pig@1.1", rules=folder))
    assert 0 < moved.choices < moved.recorded == 30
    assert moved.stopped == "the game ends before the choice of `roll`"
    assert moved.game.result is not None
    assert moved.game.record == game.record[: len(moved.game.record)]
    new = tmp_path / "moved.json"
    assert main(["replay", str(save), "--onto", "own/pig@1.1", "--rules", str(folder), "--output", str(new)]) == 1
    assert f"Stopped before choice {moved.choices + 1}: the game ends" in capsys.readouterr().out
    assert open_save(new, rules=folder).to_json() == moved.game.to_json()


def test_a_choice_that_is_not_offered_is_named(folder: Path, tmp_path: Path, capsys: Any) -> None:
    _, save = saved(folder, tmp_path)
    assert main(["replay", str(save), "--onto", "classics/tic-tac-toe", "--json"]) == 1
    data = json.loads(capsys.readouterr().out)
    assert data["ruleset"] == "classics/tic-tac-toe@1.0.0"
    assert (data["migration"]["choices"], data["events"]) == (0, [])
    assert "Player 1 cannot choose `hold` at `game.place`" in data["migration"]["stopped"]


def test_what_came_up_on_a_table_comes_up_again_or_ends_it(folder: Path, tmp_path: Path) -> None:
    game, save = saved(folder, tmp_path, stop_at_chance=True)
    whole = migrate_save(save, load_ruleset("pig/classic@1.0"))
    assert (whole.game.record, whole.stopped) == (game.record, None)
    edition(folder, "1.1.0", "procedures: {game: {steps: [{id: face, roll: 1d4}]}}\n")
    moved = migrate_save(save, load_ruleset("own/pig@1.1", rules=folder))
    assert moved.stopped is not None
    assert "is not a possible outcome of game.face" in moved.stopped
    assert moved.game.record == game.record[: len(moved.game.record)]


def test_dice_that_the_rules_roll_otherwise_are_counted(folder: Path, tmp_path: Path) -> None:
    _, save = saved(folder, tmp_path)
    edition(folder, "1.1.0", "procedures: {game: {steps: [{id: face, roll: 1d8}]}}\nnumbers: {goal: 900}\n")
    moved = migrate_save(save, load_ruleset("own/pig@1.1", rules=folder))
    assert moved.rerolled > 0
    moved.game.save(tmp_path / "moved.json")
    assert open_save(tmp_path / "moved.json", rules=folder).to_json() == moved.game.to_json()


def test_a_choice_goes_to_no_other_player(folder: Path, tmp_path: Path, capsys: Any) -> None:
    _, save = saved(folder, tmp_path)
    first = '{id: second_first, before: turns, set: {player: "next(player, players)"}}'
    edition(folder, "1.1.0", f"procedures: {{game: {{steps: [{first}]}}}}\n")
    rules = load_ruleset("own/pig@1.1", rules=folder)
    moved = migrate_save(save, rules, rules=folder)
    assert (moved.choices, moved.same_players) == (0, True)
    assert moved.stopped == "Player 1 chose `hold` in the save, but now Player 2 has to decide"
    assert main(["replay", str(save), "--onto", "own/pig@1.1", "--rules", str(folder)]) == 1
    assert "but now Player 2 has to decide" in capsys.readouterr().out
    (folder / "1.0.0").rename(tmp_path / "old")
    unknown = migrate_save(save, rules, rules=folder)
    assert (unknown.choices, unknown.stopped, unknown.same_players, unknown.turn_before) == (30, None, False, None)
    assert main(["replay", str(save), "--onto", "own/pig@1.1", "--rules", str(folder)]) == 0
    assert "may now be those of other players" in capsys.readouterr().out


def test_draws_that_no_longer_happen_are_counted(tmp_path: Path, capsys: Any) -> None:
    place = tmp_path / "rules"
    place.mkdir()
    (place / "ruleset.yaml").write_text(
        "ruleset: own/tiles\nversion: 1.0.0\ntitle: Own\nextends: classics/dominoes@1.0\n", encoding="utf-8"
    )
    (place / "rules.yaml").write_text("numbers: {dealt: 5}\n", encoding="utf-8")
    game = Game(load_ruleset("classics/dominoes@1.0"), players=2, seed=4)
    game.save(tmp_path / "game.json")
    moved = migrate_save(tmp_path / "game.json", load_ruleset("own/tiles", rules=place))
    assert (moved.choices, moved.stopped, moved.rerolled, moved.left_over) == (0, None, 0, 4)
    assert game.decision is not None
    assert moved.turn_before == game.decision.player
    assert main(["replay", str(tmp_path / "game.json"), "--onto", "own/tiles", "--rules", str(place)]) == 0
    output = capsys.readouterr().out
    assert "Rolls and draws of the save that no longer happen: 4\n" in output
    assert moved.game.decision is not None
    moves = moved.game.decision.player != game.decision.player
    assert ("In the save, Player" in output) == moves


def test_settings_that_are_gone_are_named(tmp_path: Path) -> None:
    ruleset = load_ruleset("fuzzy-knights/normal@1.0")
    option, choice = next((each.id, next(iter(each.choices))) for each in ruleset.declarations.options.values())
    Game(ruleset, players=2, seed=1, options={option: choice}).save(tmp_path / "game.json")
    moved = migrate_save(tmp_path / "game.json", load_ruleset("pig/classic@1.0"))
    assert (moved.dropped, moved.game.options, moved.stopped) == ((option,), {}, None)


def test_a_fault_of_the_rules_leaves_the_game_before_it(folder: Path, tmp_path: Path) -> None:
    _, save = saved(folder, tmp_path)
    edition(folder, "1.1.0", "procedures: {game: {steps: [{id: grown, set: {pot: pot + face - 900}}]}}\n")
    moved = migrate_save(save, load_ruleset("own/pig@1.1", rules=folder))
    assert moved.stopped is not None
    assert "pot" in moved.stopped
    moved.game.save(tmp_path / "moved.json")
    assert open_save(tmp_path / "moved.json", rules=folder).to_json() == moved.game.to_json()


def test_output_goes_with_onto(folder: Path, tmp_path: Path, capsys: Any) -> None:
    _, save = saved(folder, tmp_path)
    with pytest.raises(SystemExit, match="2"):
        main(["replay", str(save), "--output", str(tmp_path / "new.json")])
    assert "--output needs --onto" in capsys.readouterr().err
