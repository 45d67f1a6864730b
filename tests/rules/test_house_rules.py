"""A folder of house rules (a die, a fifth tier, a new token with a procedure, changed steps) and no Python."""

from __future__ import annotations

from pathlib import Path

import pytest

from rulewright.cli.main import main

HIGH_KEEP = "house/high-keep"


@pytest.fixture
def rules(checkout: Path) -> str:
    return str(checkout / "tests" / "house_rules")


def test_they_are_sound(rules: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", HIGH_KEEP, "--rules", rules]) == 0
    assert "✓ house/high-keep@1.0.0: valid" in capsys.readouterr().out


def test_the_new_token_is_visited(rules: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["run", HIGH_KEEP, "visit_shrine", "--dice", "8", "--rules", rules]) == 0
    out = capsys.readouterr().out
    assert "🎲 1dO comes to 8: Miracle." in out
    assert "Player 1 gains 8 coins and now has 8." in out


def test_the_new_tier_reaches_every_rule_that_goes_by_tier(rules: str, capsys: pytest.CaptureFixture[str]) -> None:
    given = ["--given", "settlements=[{tier: citadel}, {tier: castle}]"]
    assert (
        main(["run", HIGH_KEEP, "visit_mine", *given, "--dice", "90,12", "--until", "guardians", "--rules", rules]) == 0
    )
    assert "guardians = 17" in capsys.readouterr().out
    assert main(["odds", HIGH_KEEP, "settlement_tiers.citadel.base_roll", "--rules", rules]) == 0
    assert "24 to 54, mean 39" in capsys.readouterr().out


def test_a_tier_that_a_table_by_tier_lacks_is_found_before_play(
    rules: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    text = (Path(rules) / "high-keep" / "rules.yaml").read_text()
    (tmp_path / "high-keep").mkdir()
    (tmp_path / "high-keep" / "ruleset.yaml").write_text((Path(rules) / "high-keep" / "ruleset.yaml").read_text())
    (tmp_path / "high-keep" / "rules.yaml").write_text(
        text.replace("citadel: {after: castle, roll: 4d6 +5}", "villa: {roll: 9d6}")
    )
    assert main(["check", HIGH_KEEP, "--rules", str(tmp_path)]) == 1
    assert "guardian_quantity has no row `citadel`, which this may look up" in capsys.readouterr().err


def test_a_changed_step_and_an_added_one(rules: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["run", HIGH_KEEP, "visit_mine", "--dice", "80", "--rules", rules]) == 0
    out = capsys.readouterr().out
    assert "check = Capture" in out  # 80 is guarded in the edition below
    assert "Player 1 gains 2 coins and now has 2." in out
    assert "visit_mine.recruits" in out
