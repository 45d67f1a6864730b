"""`check --fix` and `check --sign`: what they show, ask, write, and leave alone."""

from __future__ import annotations

import io
import json
from pathlib import Path

import pytest

from rulewright.cli.main import main

BASE = """\
numbers: {wage: {is: 4, means: What a day pays.}}
kinds: {player: {fields: {coin: int}}}
procedures:
  day:
    title: A day
    means: Somebody works.
    given: {who: player}
    steps: [{id: paid, gain: {who: who, coin: wage}}]
pages:
  work:
    title: Work
    letter: W
    about: Earning.
    sections:
      pay: {title: Pay, explains: [procedures.day], text: You are paid., reviewed: old}
"""
HOUSE = """\
# The house pays better.     Keep this comment!
numbers: {wage: {is: 6}}     # and this one

procedures:
  day:
    steps:
      - {id: paid, gain: {coin: waeg + 1}}   # mistyped
pages: {work: {title: Work, about: Toil.}}
"""
MENDED = HOUSE.replace("waeg", "wage")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name, extends, text in (("base", "", BASE), ("house", "extends: work/base\n", HOUSE)):
        (tmp_path / name).mkdir()
        manifest = f"ruleset: work/{name}\nversion: 1.0.0\ntitle: Work\nstatus: draft\nplayers: 1\n{extends}"
        (tmp_path / name / "ruleset.yaml").write_text(manifest)
        (tmp_path / name / "rules.yaml").write_text(text)
    return tmp_path


def check(folder: Path, *options: str) -> int:
    return main(["check", *options, "--rules", str(folder)])


def rules(folder: Path) -> str:
    return (folder / "house" / "rules.yaml").read_text()


def answers(lines: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO(lines))


def test_every_change_is_shown_and_made_and_the_layout_kept(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "house" / "rules.yaml").write_text(HOUSE.replace("coin: waeg", "coin: wage"))
    assert check(folder, "work/house", "--fix", "--yes") == 0
    out = capsys.readouterr().out
    assert "-pages: {work: {title: Work, about: Toil.}}" in out
    assert "made 1 change\n" in out
    after = rules(folder)
    assert "title: Work" not in after  # it said what is inherited
    assert "Keep this comment!" in after
    assert "# and this one" in after
    assert "# mistyped" in after
    assert "reviewed" not in after  # whether a text is true is for somebody to say who has read it
    assert check(folder, "work/house", "--fix", "--yes") == 0
    assert "nothing to fix: no diagnostic proposes a change" in capsys.readouterr().out
    assert rules(folder) == after


def test_a_misspelt_name_is_spelt_right(folder: Path) -> None:
    (folder / "house" / "rules.yaml").write_text(HOUSE.replace("title: Work, ", ""))
    check(folder, "work/house", "--fix", "--yes")
    assert "coin: wage + 1}}   # mistyped" in rules(folder)


def test_what_is_refused_stays(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    answers("n\nn\nn\nn\n", monkeypatch)
    assert check(folder, "work/house", "--fix") == 1
    assert rules(folder) == HOUSE


def test_nothing_is_changed_where_nobody_answers(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    answers("", monkeypatch)
    check(folder, "work/house", "--fix")
    assert rules(folder) == HOUSE


def test_the_layer_below_is_never_changed(folder: Path) -> None:
    before = (folder / "base" / "rules.yaml").read_text()
    check(folder, "work/house", "--fix", "--yes")
    assert (folder / "base" / "rules.yaml").read_text() == before


def test_windows_line_breaks_stay(folder: Path) -> None:
    (folder / "house" / "rules.yaml").write_bytes(HOUSE.replace("\n", "\r\n").encode())
    check(folder, "work/house", "--fix", "--yes")
    data = (folder / "house" / "rules.yaml").read_bytes()
    assert b"wage" in data
    assert data.count(b"\n") == data.count(b"\r\n")


def test_a_text_is_signed_when_somebody_says_that_it_is_true(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (folder / "house" / "rules.yaml").write_text(HOUSE.replace("waeg", "wage").replace("title: Work, ", ""))
    answers("n\n", monkeypatch)
    assert check(folder, "--sign", "work/house") == 0
    out = capsys.readouterr().out
    assert (
        "work.pay: Pay\n  | You are paid.\n  What changed since it was signed:\n  procedures.day.paid (changed by "
        in out
    )
    assert "  The rules say:\n  procedures.day: " in out
    assert "reviewed" not in rules(folder)
    answers("y\n", monkeypatch)
    assert check(folder, "--sign", "work/house", "work.pay") == 0
    assert "signed 1 text" in capsys.readouterr().out
    assert check(folder, "work/house") == 0
    assert "warning" not in capsys.readouterr().err
    assert check(folder, "--sign", "work/house") == 0
    assert "nothing to sign" in capsys.readouterr().out


def test_a_text_that_is_not_there(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "house" / "rules.yaml").write_text(MENDED.replace("title: Work, ", ""))
    assert check(folder, "--sign", "work/house", "work.pya") == 1
    assert "has no text `work.pya`: did you mean `work.pay`?" in capsys.readouterr().err


def test_edits_are_data(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "house" / "rules.yaml").write_text(HOUSE.replace("title: Work, ", ""))
    check(folder, "work/house", "--format", "json")
    [edit] = json.loads(capsys.readouterr().out)[0]["edits"]
    assert (edit["line"], edit["end_line"], edit["end_column"] - edit["column"], edit["text"]) == (7, 7, 4, "wage")
    check(folder, "work/house", "--format", "sarif")
    result = json.loads(capsys.readouterr().out)["runs"][0]["results"][0]
    [change] = result["fixes"][0]["artifactChanges"]
    assert change["replacements"][0]["insertedContent"] == {"text": "wage"}


def test_errors_come_first_and_can_be_seen_alone(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    shutil_house = MENDED.replace("title: Work, ", "")
    (folder / "house" / "rules.yaml").write_text(
        f"{shutil_house}examples: {{a: {{title: A, value: wage, expect: 5}}}}\n"
    )
    assert check(folder, "work/house") == 1
    err = capsys.readouterr().err
    assert err.index("error[example-failed]") < err.index("warning[text-outdated]")
    assert check(folder, "work/house", "--errors") == 1
    assert "warning" not in capsys.readouterr().err


def test_a_change_that_breaks_what_was_sound_is_taken_back_for_that_reason(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    base = folder / "base" / "rules.yaml"
    base.write_text(f"{base.read_text()}examples: {{a: {{title: A, value: wage, expect: 4}}}}\n")
    (folder / "house" / "rules.yaml").write_text("numbers: {wages: {is: 6, means: What we pay.}}\n")
    assert check(folder, "work/house", "--fix", "--yes") == 0
    out = capsys.readouterr().out
    assert "taken back, since it would break what is sound" in out
    assert "`a` should come to 4 and comes to 6" in out
    assert "wages" in rules(folder)
