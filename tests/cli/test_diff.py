"""`diff`: what changed, in sentences."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from rulewright.cli.main import main

MANIFEST = "ruleset: house/pig\nversion: 0.1.0\nextends: pig/classic@1\ntitle: House Pig\nstatus: draft\n"


def diff(capsys: pytest.CaptureFixture[str], tmp_path: Path, rules: str, *flags: str) -> str:
    folder = tmp_path / "pig"
    folder.mkdir(exist_ok=True)
    (folder / "ruleset.yaml").write_text(MANIFEST)
    (folder / "rules.yaml").write_text(rules)
    assert main(["diff", "pig/classic@1.0", "house/pig", "--rules", str(tmp_path), *flags]) == 0
    return capsys.readouterr().out


def test_a_ruleset_does_not_differ_from_itself(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["diff", "pig/classic", "pig/classic"]) == 0
    assert capsys.readouterr().out.endswith("\n\nNothing differs: the two play alike.\n")


@pytest.mark.parametrize(
    ("rules", "message"),
    [
        ("numbers: {goal: 50}\n", "50 instead of 100."),
        ("numbers: {die: 2d6 +1}\n", "2d6 +1 (3 to 13, 8 on average) instead of 1d6 (1 to 6, 3.5 on average)."),
        ("numbers: {spare: 3}\n", "+ Spare, added\n    3.\n"),
        ("terms: {pot: {name: Stake}}\n", "Pot is now called Stake."),
        (
            "procedures: {game: {steps: [{after: bank, id: tip, gain: {who: player, score: 1}}]}}\n",
            "is new: The player gains 1 ",
        ),
        ("procedures: {game: {steps: [{delete: passed}]}}\n", "is gone: "),
    ],
)
def test_each_change_is_one_sentence(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, rules: str, message: str
) -> None:
    out = diff(capsys, tmp_path, rules)
    assert message in out
    assert sum(line.startswith(("  ~", "  +", "  -")) for line in out.splitlines()) == 1


def test_a_word_changes_no_game(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    rules = "terms: {pot: {name: Stake}}\n"
    assert "The two play alike." in diff(capsys, tmp_path, rules)
    assert "Nothing differs: the two play alike." in diff(capsys, tmp_path, rules, "--gameplay")


def test_odds_move_with_the_faces(capsys: pytest.CaptureFixture[str], tmp_path: Path, checkout: Path) -> None:
    rules = str(checkout / "tests" / "house_rules")
    assert main(["diff", "fuzzy-knights/normal@1.0", "house/high-keep", "--rules", rules, "--json"]) == 0
    data = json.loads(capsys.readouterr().out)
    assert data["same_gameplay"] is False
    [change] = [change for change in data["changes"] if change["id"] == "guardian_check"]
    assert change["sentences"] == [
        "Capture: on 10 to 80 instead of on 10 to 70: 70 % → 80 %.",
        "Fight: on 90 to 100 instead of on 80 to 100: 30 % → 20 %.",
    ]


def test_markdown_has_headings(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    out = diff(capsys, tmp_path, "numbers: {goal: 50}\n", "--markdown")
    assert out.startswith("# From pig/classic@1.0.0 to house/pig@0.1.0\n")
    assert "## Numbers\n\n- **Goal** changed\n    - 50 instead of 100.\n" in out


def test_the_odds_of_whole_procedures_move(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    (tmp_path / "house").mkdir()
    manifest = "ruleset: house/easy\nversion: 1.0.0\ntitle: Easy\nstatus: draft\nextends: fuzzy-knights/normal@1.0\n"
    (tmp_path / "house" / "ruleset.yaml").write_text(manifest)
    rules = "tables: {rarity_check: {rows: {failure: {on: 10-50}, success: {on: 60-100}}}}\n"
    (tmp_path / "house" / "rules.yaml").write_text(rules)
    arguments = ["diff", "fuzzy-knights/normal@1.0", "house/easy", "--rules", str(tmp_path)]
    assert main([*arguments, "--json"]) == 0
    [moved] = json.loads(capsys.readouterr().out)["odds"]
    assert (moved["example"], moved["procedure"], moved["expression"]) == ("rarity_odds", "determine_rarity", "rarity")
    assert moved["before"]["rare"] == "63/1000"
    assert moved["after"] == {"common": "1/2", "uncommon": "1/4", "rare": "1/8", "epic": "1/16", "legendary": "1/16"}
    assert main(arguments) == 0
    out = capsys.readouterr().out
    assert "Changed odds" in out
    assert "    Legendary: 0.81% → 6.25%" in out
