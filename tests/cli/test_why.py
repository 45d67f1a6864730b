"""`rulewright why`: every value tells its edition, file and line, nested, moved and removed ones too."""

from __future__ import annotations

from pathlib import Path

import pytest

from rulewright.cli.main import main


@pytest.fixture
def rules(checkout: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.chdir(checkout)
    return "tests/house_rules"


@pytest.mark.parametrize(
    ("reference", "identity", "output"),
    [
        ("house/long-table", "settlement_tiers.citadel", "base_roll = 6d6 +18\n  house/high-keep@1.0.0 "),
        ("house/long-table", "visit_mine.reward", "house/fog@0.1.0 changes it: mine_capture_reward + 2  (tests/house_"),
        ("house/long-table", "starting_coins", "house/long-table@0.1.0 changes it: 12  (tests/house_rules/long-"),
        ("house/long-table", "terms.fog", "terms.fog.icon = 🌫️\n  house/fog@0.1.0 defines it"),
        ("fuzzy-knights/normal@1.0", "options.items.cards", "choices.cards = Card & Dice\n  fuzzy-knights/core@1.0.1"),
        ("fuzzy-knights/normal@1.0", "settlement_tiers.cost", "columns.cost = int\n  fuzzy-knights/core@1.0.1"),
        ("house/long-table", "options.max_days", "default = unlimited\n  fuzzy-knights/core@1.0.1 defines it"),
        ("fuzzy-knights/medium@0.1", "settlement_roll", "fuzzy-knights/medium@0.1.1 removes it  (rules/fuzzy-"),
        ("fuzzy-knights/medium@0.1", "settlement_tiers.villa.base_roll", "fuzzy-knights/core@1.0.1 defines it: 3d6 +9"),
        # What moved tells who moved it, and what it says keeps its own story.
        (
            "fuzzy-knights/normal@1.0",
            "token_type.monster",
            "(its place)\n  fuzzy-knights/normal@1.0.1 moves it: before item",
        ),
        # A step inside another, by its own name and through what it lies in.
        (
            "fuzzy-knights/medium@0.2",
            "pick_up.find",
            "every_find.repeat.steps.find.choose.from.grove.label = A {grove}",
        ),
        ("fuzzy-knights/medium@0.1", "journey.heading", "fuzzy-knights/medium@0.1.1 changes it: list(t for t in"),
        ("fuzzy-knights/medium@0.1", "procedures.journey", "fuzzy-knights/medium@0.1.1 changes it: list(t for t in"),
    ],
)
def test_it_tells(rules: str, reference: str, identity: str, output: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["why", reference, identity, "--rules", rules]) == 0
    assert output in capsys.readouterr().out


def test_what_never_was_there_is_refused(rules: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["why", "fuzzy-knights/medium@0.1", "settlement_rol", "--rules", rules]) == 1
    assert "there is no `settlement_rol`" in capsys.readouterr().err


def test_values_are_told_whole_since_layers_may_differ_at_their_end(
    tmp_path: Path, rules: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """Both values begin alike for longer than a line is wide."""
    manifest = "ruleset: house/{}\nversion: 1.0.0\nstatus: draft\ntitle: T\nplayers: 1\n{}"
    long = " + ".join(["1000"] * 20)
    for name, more, last in (("low", "", "1, means: A sum."), ("high", "extends: house/low@1.0\n", "2")):
        (tmp_path / name).mkdir()
        (tmp_path / name / "ruleset.yaml").write_text(manifest.format(name, more))
        (tmp_path / name / "rules.yaml").write_text(f"numbers: {{total: {{is: {long} + {last}}}}}\n")
    assert main(["why", "house/high", "numbers.total", "--rules", str(tmp_path)]) == 0
    output = capsys.readouterr().out
    assert f"house/low@1.0.0 defines it: {long} + 1  (" in output
    assert f"house/high@1.0.0 changes it: {long} + 2  (" in output
