"""`rulewright run` loses nothing of what happened, asks for what is missing, and writes what was played."""

from __future__ import annotations

import json
import re
import shlex
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


PIG = ("run", "pig/classic@1.0", "game", "--dice", "6,1", "--choose", "roll,roll", "--until", "lost")

ADDS_A_BONUS = """
procedures:
  twice:
    title: Rolls
    steps:
      - {id: first, roll: 1d6 + 10}
      - {id: second, roll: 1d6 + 10}
"""


def edition_at(folder: Path, rules: str = "") -> None:
    """Write an edition of the user's own in a folder that may hold examples."""
    folder.mkdir(exist_ok=True)
    manifest = "ruleset: my/house\nversion: 1.0.0\ntitle: House\nstatus: draft\nextends: pig/classic@1.0\n"
    (folder / "ruleset.yaml").write_text(manifest)
    if rules:
        (folder / "rules.yaml").write_text(rules)


@pytest.mark.parametrize(
    ("typed", "message"),
    [
        (["--dice", "5", "5", "1"], "arguments: 5 1; separate several values with commas: --dice 5,5,1\n"),
        (
            ["--seed", "3", "--choose=roll", "hold"],
            "arguments: hold; separate several values with commas: --choose roll",
        ),
        (["--seed", "5", "6"], "unrecognized arguments: 6\n"),
        (["--dice", "5", "--sede", "6"], "unrecognized arguments: --sede 6\n"),
    ],
)
def test_values_of_a_list_without_commas_are_shown_with_them(
    typed: list[str], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as stopped:
        main(["run", "pig/classic@1.0", "game", *typed])
    assert stopped.value.code == 2
    assert message in capsys.readouterr().err


def call(capsys: pytest.CaptureFixture[str], *arguments: str | Path) -> tuple[int, str, str]:
    code = main([str(argument) for argument in arguments])
    captured = capsys.readouterr()
    return code, captured.out, captured.err


@pytest.fixture
def answers(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Return a person at the terminal, who types these lines and then leaves."""
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
    assert "Forming squads" in out
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
    assert (code, err) == (0, "there are 3 options, but none is `4`: type a number or a name\n")
    assert "Player 1: " in out
    assert out.count("battle.attacking_squads ") == 1
    assert "won = yes" in out


def test_a_person_may_roll_or_leave_it_to_chance(capsys: pytest.CaptureFixture[str], answers: list[str]) -> None:
    answers += ["95", "90", ""]
    code, out, err = call(
        capsys, "run", NORMAL, "visit_mine", "--given", "settlements=[{tier: villa}]", "--until", "guardians"
    )
    assert code == 0
    assert "cannot have the result 95" in err
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
    edition_at(tmp_path)
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
    edition_at(tmp_path)
    file = tmp_path / "examples.yaml"
    file.write_text(before)
    code, _, err = call(capsys, "run", "pig/classic@1.0", "game", "--seed", "1", "--record", file)
    assert code == 1
    assert err.startswith("error")
    assert file.read_text() == before
    assert sorted(path.name for path in tmp_path.iterdir()) == ["examples.yaml", "ruleset.yaml"]


@pytest.mark.parametrize(
    "name", ["examples.yaml", "new/examples.yaml", "mine/ruleset.yaml", "mine/examples.txt", "mine/.hidden/x.yaml"]
)
def test_nothing_is_recorded_where_nothing_would_read_it(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, name: str
) -> None:
    edition_at(tmp_path / "mine")
    before = sorted(tmp_path.rglob("*"))
    code, out, err = call(capsys, *PIG, "--record", tmp_path / name)
    assert (code, out) == (1, "")
    assert "edition" in err
    assert sorted(tmp_path.rglob("*")) == before


def test_a_file_that_cannot_be_read_or_written_is_told(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    edition_at(tmp_path)
    (tmp_path / "old.yaml").write_bytes(b"caf\xe9: 1\n")
    code, _, err = call(capsys, *PIG, "--record", tmp_path / "old.yaml")
    assert (code, "it is not UTF-8 text" in err) == (1, True)
    code, _, err = call(capsys, *PIG, "--record", tmp_path / "old.yaml" / "new.yaml")
    assert (code, "cannot be written" in err) == (1, True)
    assert (tmp_path / "old.yaml").read_bytes() == b"caf\xe9: 1\n"


def test_there_is_one_file_to_record_in(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    edition_at(tmp_path)
    with pytest.raises(SystemExit, match="2"):
        call(capsys, *PIG, "--record", tmp_path / "a.yaml", "--record", tmp_path / "b.yaml")
    assert "--record is given twice" in capsys.readouterr().err
    assert [path.name for path in tmp_path.iterdir()] == ["ruleset.yaml"]


def test_whoever_leaves_is_told_how_to_go_on(
    capsys: pytest.CaptureFixture[str], house: Path, answers: list[str]
) -> None:
    """The arguments that are told lead to where the answers had led, and ask for the rest."""
    file = house / "house" / "examples.yaml"
    record = ("--record", file, "--rules", house)
    answers += ["3", "3+6+3"]
    code, output, err = call(capsys, "run", "my/house", *BATTLE, *record)
    assert code == 1
    assert f"nothing was recorded in {file} because the run did not finish; to continue from there" in err
    assert not file.exists()
    script = shlex.split(err.partition("run it again with ")[2].partition("\n")[0])
    code, again, _ = call(capsys, "run", "my/house", *BATTLE, *script, *record)
    assert code == 1
    lines = [re.findall(r"(\w+\.\w+)  +(.*)", text) for text in (output, again)]
    assert len(lines[0]) > 4
    assert lines[0] == lines[1]


def test_a_roll_is_recorded_as_it_was_typed(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, answers: list[str]
) -> None:
    """Before any bonus, as scripts have it, and whatever was left to chance before."""
    edition_at(tmp_path, ADDS_A_BONUS)
    answers += ["4", "3"]
    file = tmp_path / "examples.yaml"
    assert call(capsys, "run", "my/house", "twice", "--record", file, "--rules", tmp_path)[0] == 0
    assert "    dice: [4, 3]\n" in file.read_text()
    assert "first: 14" in file.read_text()
    assert call(capsys, "check", "my/house", "--rules", tmp_path)[0] == 0


def test_where_a_choice_is_missing_what_happened_is_data_too(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["run", "pig/classic@1.0", "game", "--choose", "roll", "--dice", "5", "--json"]) == 1
    out, err = capsys.readouterr()
    data = json.loads(out)
    assert data["stopped"]
    assert [event["rule"] for event in data["events"]] == ["game.move", "game.face", "game.grown"]
    assert [each["code"] for each in data["diagnostics"]] == ["choices-missing"]
    assert "error[choices-missing]" in err
