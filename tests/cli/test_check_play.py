"""`check --play`: what it plays, what it says of it, and that it plays nothing unless it is asked to."""

from __future__ import annotations

import json
import shlex
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from rulewright.cli import terminal
from rulewright.cli.main import main
from tests.analysis.coin import written

EXPECTED = """\
expect_play:
  fair: {with: greedy, seat_edge: at most 6 %, draws: at most 1 %}
  face: {face: 5..6, games: 2000}
"""


def call(capsys: pytest.CaptureFixture[str], folder: Path, *arguments: str) -> tuple[int, str, str]:
    code = main(["check", "--rules", str(folder), "--workers", "1", *arguments])
    captured = capsys.readouterr()
    return code, captured.out, captured.err


def test_what_holds_is_told_with_its_evidence(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    code, out, err = call(capsys, written(tmp_path, EXPECTED), "test/toss", "--play")
    assert (code, err) == (0, "")
    sound, edge, draws, face = out.splitlines()
    assert sound.startswith("✓ test/toss@1.0.0: valid")
    assert edge.startswith("  ✓ fair, seat_edge: ")
    assert draws == "  ✓ fair, draws: 0.00 % (0.00 % to 0.38 %) of 1,000 games; at most 1 % is wanted"
    assert face.startswith("  ✓ face, face: 5.")
    assert face.endswith(" in 1,000 games; 5..6 is wanted")


def test_what_is_missed_is_an_error_where_it_is_wanted(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    folder = written(tmp_path, EXPECTED, first=8)
    code, out, err = call(capsys, folder, "test/toss", "--play")
    assert code == 1
    assert out.startswith("✗ test/toss@1.0.0: 1 error\n  ✗ fair, seat_edge: 2")
    assert "\n  ✓ fair, draws: " in out
    assert err.startswith("error[expectation-missed]: `fair` of test/toss@1.0.0: seat_edge: 2")
    assert f"{folder}/toss/rules.yaml:26:35\n" in err
    # What it says to type shows the same games.
    text = err.rstrip().splitlines()[-1].strip()
    program, *arguments = shlex.split(text)
    assert (program, main([*arguments, "--json"])) == ("rulewright", 0)
    edge = json.loads(capsys.readouterr().out)["figures"]["seat_edge"]["value"]
    assert f"seat_edge: {100 * edge:.2f} % (" in out


def test_as_data_they_are_diagnostics_like_others(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    expected = "expect_play: {it: {seat_edge: at most 3 %, face: 5.4..5.6, games: 100}}\n"
    folder = written(tmp_path, expected, first=10)
    code, out, err = call(capsys, folder, "test/toss", "--play", "--format", "json")
    data = json.loads(out)
    assert (code, err) == (1, "")
    assert [(each["code"], each["severity"], each["line"], each["column"]) for each in data] == [
        ("expectation-missed", "error", 25, 31),
        ("expectation-open", "warning", 25, 50),
    ]
    code, out, _ = call(capsys, folder, "test/toss", "--play", "--format", "sarif")
    [run] = json.loads(out)["runs"]
    assert (code, [each["ruleId"] for each in run["results"]]) == (1, ["expectation-missed", "expectation-open"])


def test_what_cannot_be_told_is_a_warning(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    folder = written(tmp_path, "expect_play: {it: {face: 5.4..5.6, games: 100}}\n")
    code, out, err = call(capsys, folder, "test/toss", "--play")
    assert (code, err.count("warning[expectation-open]")) == (0, 1)
    assert "\n  ? it, face: 5." in out
    assert out.endswith(" in 100 games; 5.4..5.6 is wanted (undecided)\n")


def test_what_is_missed_in_a_layer_is_missed_in_each_edition_over_it(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    folder = written(tmp_path, EXPECTED)
    written(folder, "numbers: {first: 9}\n", name="above", extends="test/toss@1")
    code, out, err = call(capsys, folder, "test/toss", "test/above", "--play")
    assert (code, err.count("error[")) == (1, 1)
    assert "`fair` of test/above@1.0.0: seat_edge: 4" in err
    assert f"{folder}/toss/rules.yaml:26:35\n" in err
    assert out.startswith("✓ test/toss@1.0.0")
    assert "✗ test/above@1.0.0" in out


def test_nothing_is_played_unless_asked(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("rulewright.analysis.simulation.play_expectations.judge", None)
    code, out, _ = call(capsys, written(tmp_path, EXPECTED, first=8), "test/toss")
    assert (code, out.count("\n")) == (0, 1)


def test_what_expects_nothing_or_is_not_sound_is_not_played(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    code, out, _ = call(capsys, written(tmp_path / "a"), "test/toss", "--play")
    assert (code, out.splitlines()[1]) == (0, "  there are no balance targets (`expect_play:`)")
    broken = written(tmp_path / "b", EXPECTED.replace("seat_edge", "seat_egde"))
    code, out, err = call(capsys, broken, "test/toss", "--play")
    assert (code, out.count("\n"), "did you mean `seat_edge`?" in err) == (1, 1, True)


def test_an_interrupt_tells_what_was_played(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    @contextmanager
    def impatient() -> Iterator[Callable[[int, int, float], None]]:
        def stop(done: int, games: int, seconds: float) -> None:
            if done > games // 2:
                raise KeyboardInterrupt

        yield stop

    monkeypatch.setattr(terminal, "show_progress", impatient)
    code, out, err = call(capsys, written(tmp_path, EXPECTED), "test/toss", "--play")
    assert code == 130
    assert err == "playing test/toss@1.0.0 for the balance target `fair`:\n"
    assert out.splitlines()[-1] == "  interrupted: 1 of 2 balance targets were tested"
    assert "fair, seat_edge: " in out


def test_both_ways_of_playing_go_together(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    code, out, _ = call(capsys, written(tmp_path, EXPECTED), "test/toss", "--play", "--fuzz", "1")
    lines = [line[:10] for line in out.splitlines()[1:]]
    assert (code, lines) == (0, ["  played a", "  ✓ fair, ", "  ✓ fair, ", "  ✓ face, "])
