"""`rulewright run` loses nothing of what happened, asks for what is missing, and writes what was played."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from rulewright.cli.main import main

NORMAL = "fuzzy-knights/normal@1.0"
BATTLE = ("battle", "--given", "attacker={player: 1, units: 3}", "--given", "defender={units: 3}")


@pytest.fixture
def house(tmp_path: Path, checkout: Path) -> Path:
    """House rules of one's own over the shipped ones."""
    folder = tmp_path / "rules"
    shutil.copytree(checkout / "rules", folder)
    (folder / "house").mkdir()
    manifest = f"ruleset: my/house\nversion: 1.0.0\ntitle: House\nstatus: draft\nextends: {NORMAL}\n"
    (folder / "house" / "ruleset.yaml").write_text(manifest)
    return folder


def call(capsys: pytest.CaptureFixture[str], *arguments: str | Path) -> tuple[int, str, str]:
    code = main([str(argument) for argument in arguments])
    captured = capsys.readouterr()
    return code, captured.out, captured.err


@pytest.fixture
def answers(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """A person at the terminal, who types these lines and then leaves."""
    lines: list[str] = []

    def typed(prompt: str = "") -> str:
        print(prompt, end="")
        if not lines:
            raise EOFError
        return lines.pop(0)

    monkeypatch.setattr("sys.stdin", _Terminal())
    monkeypatch.setattr("builtins.input", typed)
    return lines


class _Terminal:
    """What stands in for a terminal: only whether it is one is asked."""

    def isatty(self) -> bool:
        return True


def test_where_a_choice_is_missing_what_happened_is_told_first(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, err = call(capsys, "run", NORMAL, *BATTLE, "--choose", "3")
    assert code == 1
    assert "Forming Squads" in out
    assert "error[choices-missing]" in err
    code, out, err = call(capsys, "run", NORMAL, *BATTLE, "--choose", "3,squad-99")
    assert "error[illegal-choice]" in err
    assert "the options are: #1 (" in err
    assert "the options are: squad-" not in err


def test_a_roll_that_is_missing_loses_nothing_either(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, err = call(capsys, "run", NORMAL, "visit_mine", "--given", "settlements=[{tier: villa}]", "--dice", "90")
    assert code == 1
    assert "visit_mine.check" in out
    assert "error[dice-script]" in err


def test_a_person_is_asked_for_what_the_script_leaves_out(
    capsys: pytest.CaptureFixture[str], answers: list[str]
) -> None:
    answers += ["4", "3", "1", "fight"]
    code, out, err = call(capsys, "run", NORMAL, *BATTLE, "--dice", "3+6+3,3+4,1+3+1,2")
    assert (code, err) == (0, "there are 3 options, and none is `4`: type a number or a name\n")
    assert "Player 1: " in out
    assert out.count("battle.attacking_squads ") == 1
    assert "won = yes" in out


def test_a_person_may_roll_or_leave_it_to_chance(capsys: pytest.CaptureFixture[str], answers: list[str]) -> None:
    answers += ["95", "90", ""]
    code, out, err = call(
        capsys, "run", NORMAL, "visit_mine", "--given", "settlements=[{tier: villa}]", "--until", "guardians"
    )
    assert code == 0
    assert "cannot show 95" in err
    assert "guardians = " in out


def test_whoever_leaves_is_told_what_was_missing(capsys: pytest.CaptureFixture[str], answers: list[str]) -> None:
    code, out, err = call(capsys, "run", NORMAL, *BATTLE)
    assert code == 1
    assert out.count("battle.attacking_squads ") == 1
    assert "error[choices-missing]" in err
    assert not answers


def test_what_was_played_becomes_an_example_that_holds(capsys: pytest.CaptureFixture[str], house: Path) -> None:
    file = house / "house" / "examples.yaml"
    rules = ("--rules", house)
    for seed in ("4", "5"):
        code, _, err = call(capsys, "run", "my/house", *BATTLE, "--seed", seed, "--record", file, *rules)
        assert code == 0
    assert "recorded as the example `battle_played_2`" in err
    mine = ("visit_mine", "--given", "settlements=[{tier: villa}]", "--dice", "90,3", "--until", "guardians")
    assert call(capsys, "run", "my/house", *mine, "--record", file, *rules)[0] == 0
    written = file.read_text()
    assert "    dice: [90, 3]\n    until: guardians\n" in written
    assert "      guardians: 5\n" in written
    code, _, err = call(capsys, "check", "my/house", *rules)
    assert (code, err) == (0, "")
    holding = written.replace("guardians: 5", "guardians: 6")
    file.write_text(holding)
    assert "guardians" in call(capsys, "check", "my/house", *rules)[2]


def test_a_recording_leaves_the_rest_of_a_file_alone(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    file = tmp_path / "examples.yaml"
    before = "# ours\nexamples:\n    first:   # one\n        title: First\n        of: game\n\nnumbers: {goal: 50}\n"
    file.write_text(before)
    game = ("run", "pig/classic@1.0", "game", "--dice", "6,1", "--choose", "roll,roll", "--until", "lost")
    assert call(capsys, *game, "--record", file)[0] == 0
    lines = file.read_text().splitlines()
    assert [line for line in before.splitlines() if line not in lines] == []
    assert lines[5] == "    game_played:"
    assert call(capsys, *game, "--record", tmp_path / "new" / "more.yaml")[0] == 0
    assert (tmp_path / "new" / "more.yaml").read_text().startswith("examples:\n  game_played:\n")


@pytest.mark.parametrize(
    "before", ["examples: {first: {title: First, of: game}}\n", "examples:\n", "examples: [\n", "- 1\n"]
)
def test_a_file_that_nothing_can_be_added_to_stays_as_it_is(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, before: str
) -> None:
    file = tmp_path / "examples.yaml"
    file.write_text(before)
    code, _, err = call(capsys, "run", "pig/classic@1.0", "game", "--seed", "1", "--record", file)
    assert code == 1
    assert err.startswith("error")
    assert file.read_text() == before
    assert [path.name for path in tmp_path.iterdir()] == ["examples.yaml"]


def test_where_a_choice_is_missing_what_happened_is_data_too(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["run", "pig/classic@1.0", "game", "--choose", "roll", "--dice", "5", "--json"]) == 1
    out, err = capsys.readouterr()
    found = json.loads(out)
    assert found["stopped"]
    assert [event["rule"] for event in found["events"]] == ["game.move", "game.face", "game.grown"]
    assert [each["code"] for each in found["diagnostics"]] == ["choices-missing"]
    assert "error[choices-missing]" in err
