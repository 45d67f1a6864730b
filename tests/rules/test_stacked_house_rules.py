"""Two house rules made apart, one meant to lie over the other, and a table that plays by both: every verb follows."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from rulewright.cli.main import main
from rulewright.ruleset.load_ruleset import load_ruleset
from tests.docs.test_cookbook import rules_in_short

STACK = "house/long-table"


@pytest.fixture
def rules(checkout: Path) -> str:
    return str(checkout / "tests" / "house_rules")


def test_the_stack_and_each_of_its_overlays_are_sound(rules: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", STACK, "house/fog", "--rules", rules]) == 0
    out = capsys.readouterr().out
    assert "✓ house/long-table@0.1.0: valid" in out
    assert "✓ house/fog@0.1.0: valid" in out


def test_its_layers_are_shown_in_order(rules: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["show", STACK, "--rules", rules, "--json"]) == 0
    layers = [layer.partition("@")[0] for layer in json.loads(capsys.readouterr().out)["layers"]]
    below = ["fuzzy-knights/core", "fuzzy-knights/normal"]
    assert layers == [*below, "house/high-keep", "house/fog", "house/long-table"]
    assert main(["list", "--rules", rules, "--json"]) == 0
    [listed] = [output for output in json.loads(capsys.readouterr().out) if output["ruleset"] == STACK]
    assert listed["overlays"] == ["house/high-keep@1", "house/fog"]


def test_the_upper_one_holds_where_both_pay_more(rules: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["run", STACK, "visit_mine", "--dice", "80", "--rules", rules]) == 0
    out = capsys.readouterr().out
    assert "gains 3 coins and now has 3." in out
    assert "visit_mine.recruits" in out  # what only the lower one adds stays
    assert main(["why", STACK, "visit_mine.reward.gain.coin", "--rules", rules]) == 0
    out = capsys.readouterr().out
    assert out.index("house/high-keep@1.0.0 changes it") < out.index("house/fog@0.1.0 changes it")


def test_the_other_order_is_refused_with_what_to_do(
    rules: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    shutil.copytree(rules, tmp_path / "rules")
    manifest = tmp_path / "rules" / "long-table" / "ruleset.yaml"
    manifest.write_text(manifest.read_text().replace("house/high-keep@1, house/fog", "house/fog, house/high-keep@1"))
    assert main(["check", STACK, "--rules", str(tmp_path / "rules")]) == 1
    assert "in `overlays`" in capsys.readouterr().err


def test_a_saved_game_is_played_on_and_replayed(rules: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    save = str(tmp_path / "game.json")
    players = ["--players", "greedy,greedy", "--option", "max_days=hundred", "--seed", "2"]
    assert main(["play", STACK, *players, "--save", save, "--rules", rules]) == 0
    assert main(["replay", save, "--rules", rules, "--log"]) == 0
    assert "game.weather" in capsys.readouterr().out


def test_it_is_compared_simulated_and_released(rules: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["diff", "house/high-keep", STACK, "--rules", rules]) == 0
    assert "+ Does fog rise?, added" in capsys.readouterr().out
    settings = ["--games", "2", "--players", "greedy,greedy", "--option", "max_days=hundred"]
    assert main(["simulate", STACK, *settings, "--json", "--rules", rules]) == 0
    assert json.loads(capsys.readouterr().out)["games"] == 2
    shutil.copytree(rules, tmp_path / "rules")
    assert main(["release", STACK, "--rules", str(tmp_path / "rules")]) == 0
    fog = tmp_path / "rules" / "fog" / "rules.yaml"
    fog.write_text(fog.read_text().replace("fog_cost: {is: 1", "fog_cost: {is: 2"))
    capsys.readouterr()
    assert main(["check", STACK, "--rules", str(tmp_path / "rules")]) == 1
    assert "error[lock-broken]" in capsys.readouterr().err


def test_a_stack_is_begun_from_the_command_line(rules: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = str(tmp_path / "our-table")
    overlays = ["--overlay", "house/high-keep@1", "--overlay", "house/fog"]
    assert main(["new", folder, "--extends", "fuzzy-knights/normal@1.0", *overlays, "--rules", rules]) == 0
    assert "overlays: [house/high-keep@1, house/fog]" in (tmp_path / "our-table" / "ruleset.yaml").read_text()
    assert main(["check", "house/our-table", "--rules", folder, "--rules", rules]) == 0
    assert "✓ house/our-table@0.1.0: valid" in capsys.readouterr().out


def test_its_book_tells_of_both(rules: str) -> None:
    said = rules_in_short(load_ruleset(STACK, rules=[rules]))
    assert "Does fog rise?" in said
    assert "Praying at a" in said
