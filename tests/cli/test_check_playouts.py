"""`check --fuzz`: what it plays, what it says of it, and that it plays nothing unless it is asked to."""

from __future__ import annotations

import json
import os
import pty
import re
import signal
import subprocess
import sys
import threading
from contextlib import suppress
from pathlib import Path

import pytest

from rulewright.analysis.simulation import fuzz, shard
from rulewright.analysis.simulation.fuzz import FuzzResult
from rulewright.cli.commands import check
from rulewright.cli.main import main
from rulewright.ruleset.load_ruleset import load_ruleset
from rulewright.ruleset.ruleset import Ruleset
from tests.analysis.walks import MANIFEST, PINNED, RULES, SOUND, written
from tests.breadth import some


def call(capsys: pytest.CaptureFixture[str], *arguments: str | Path) -> tuple[int, str, str]:
    code = main(["check", *map(str, arguments)])
    captured = capsys.readouterr()
    return code, captured.out, captured.err


def test_a_line_says_what_was_played(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    code, out, err = call(capsys, "test/walk", "--rules", written(tmp_path, SOUND), "--fuzz", "2", "--workers", "2")
    assert (code, err) == (0, "")
    _, line = out.splitlines()
    assert line.startswith(
        "  played all 8 combinations of settings: 8 games to the end (length: short), "
        "8 games with other settings for up to 2,000 decisions; nothing went wrong in "
    )


def test_a_game_without_options_has_no_combinations(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = call(capsys, "pig/classic@1.0", "--fuzz", "3")
    assert code == 0
    assert "  played 3 games to the end; nothing went wrong in " in out


def test_a_covering_set_is_called_one(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(fuzz, "MOST_COMBINATIONS", 3)
    _, out, _ = call(capsys, "test/walk", "--rules", written(tmp_path, SOUND), "--fuzz", "1")
    assert "combinations of settings, which contain every pair of choices: 4 games to the end" in out


def test_what_goes_wrong_is_an_error(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    code, out, err = call(capsys, "test/walk", "--rules", written(tmp_path, RULES), "--fuzz", "1")
    assert code == 1
    assert err.count("error[playout-fault]") == 1
    assert f"--rules {tmp_path}" in err
    assert "✗ test/walk@1.0.0: 1 error\n  played all 8 combinations" in out
    assert "4 games went wrong" in out


def test_a_game_may_take_as_many_decisions_as_is_said(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    rules = written(tmp_path, SOUND, manifest=MANIFEST)
    code, _, err = call(capsys, "test/walk", "--rules", rules, "--fuzz", "1", "--decisions", "50")
    assert code == 1
    assert "a game has not ended after 50 decisions" in err
    code, out, _ = call(capsys, "test/walk", "--rules", written(tmp_path, SOUND), "--fuzz", "1", "--decisions", "50")
    assert code == 0
    assert "4 games with other settings for up to 50 decisions" in out


def test_as_data_the_faults_are_diagnostics_like_others(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    code, out, err = call(capsys, "test/walk", "--rules", written(tmp_path, RULES), "--fuzz", "1", "--format", "json")
    [diagnostic] = json.loads(out)
    assert (code, err, diagnostic["code"], diagnostic["line"]) == (1, "", "playout-fault", 19)


def test_nothing_is_played_unless_asked(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    code, out, err = call(capsys, "test/walk", "--rules", written(tmp_path, RULES))
    assert (code, err, out.count("\n")) == (0, "", 1)
    assert "played" not in out


def test_what_is_not_sound_or_no_whole_game_is_not_played(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    broken = written(tmp_path / "a", RULES.replace("turn + (2", "trun + (2"))
    code, out, _ = call(capsys, "test/walk", "--rules", broken, "--fuzz", "1")
    assert (code, out.count("\n")) == (1, 1)
    begun = written(tmp_path / "b", RULES, manifest=(MANIFEST + PINNED).replace("start: game\n", ""))
    code, out, _ = call(capsys, "test/walk", "--rules", begun, "--fuzz", "1")
    assert "no games were played, because the manifest has no `start:`" in out


@pytest.mark.parametrize("wrong", [["--fuzz", "-1"], ["--workers", "0"], ["--decisions", "0"]])
def test_wrong_numbers_are_wrong_usage(capsys: pytest.CaptureFixture[str], wrong: list[str]) -> None:
    with pytest.raises(SystemExit) as stopped:
        main(["check", "pig/classic", *wrong])
    assert stopped.value.code == 2
    assert "at least" in capsys.readouterr().err


def test_the_bound_that_help_names_is_the_one_of_simulations() -> None:
    assert check.MOST_DECISIONS == shard.MOST_DECISIONS


WORKERS = [[], ["--workers", "1"], ["--workers", "2"]]


# Who names no number gets as many as there are processors: one or several, as are the others.
@pytest.mark.parametrize("workers", some(WORKERS, WORKERS[1:]))
def test_a_terminal_sees_how_far_it_is_and_an_interrupt_tells_what_was_played(
    tmp_path: Path, workers: list[str]
) -> None:
    arguments = ["check", "test/walk", "--rules", str(written(tmp_path, SOUND)), "--fuzz", "100000", *workers]
    ours, theirs = pty.openpty()
    process = subprocess.Popen(
        [sys.executable, "-m", "rulewright", *arguments],
        stdout=subprocess.PIPE,
        stderr=theirs,
        text=True,
        start_new_session=True,
    )
    os.close(theirs)
    seen = bytearray()
    left = threading.Event()

    def read() -> None:
        with suppress(OSError):  # how a terminal says that nobody writes to it any more
            while True:
                seen.extend(os.read(ours, 4096))
                if b"left" in seen:
                    left.set()

    terminal = threading.Thread(target=read)
    terminal.start()
    try:
        assert left.wait(timeout=600)
        os.killpg(process.pid, signal.SIGINT)  # as a terminal does: to every process of the command
        try:
            out, _ = process.communicate(timeout=60)
        except subprocess.TimeoutExpired as late:
            raise AssertionError(seen.decode()) from late
    finally:
        if process.poll() is None:
            os.killpg(process.pid, signal.SIGKILL)
        terminal.join()
        os.close(ours)
    assert process.returncode == 130
    first, *_ = shown = seen.decode().replace("\r", "\n").split("\n")
    assert first == "playing test/walk@1.0.0 with every combination of its settings:"
    lines = [line for line in shown if "800,000 games" in line]
    assert re.fullmatch(r"·{24} 0 of 800,000 games, 0 a second *", lines[0])
    done = re.fullmatch(
        r"\S{24} ([\d,]+) of 800,000 games, [\d,]+ a (second|minute), [\d.]+ (s|min|h) left *", lines[-1]
    )
    assert done is not None
    match = re.search(r"; interrupted after ([\d,]+) of 800,000 games$", out.rstrip())
    assert match is not None
    assert 0 < int(done[1].replace(",", "")) <= int(match[1].replace(",", "")) < 800_000


def test_a_machine_with_processors_to_spare_uses_them_where_there_is_enough_to_play(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[int] = []

    def play_all(ruleset: Ruleset, pieces: object, workers: int) -> list[FuzzResult]:
        asked.append(workers)
        return []

    monkeypatch.setattr(fuzz, "count_processors", lambda: 3)
    monkeypatch.setattr(fuzz, "_play_all", play_all)
    ruleset = load_ruleset("test/walk", rules=[written(tmp_path, SOUND)])
    for games in (1, 4, 5, 100):
        fuzz.play_out(ruleset, games=games, workers=None)
    fuzz.play_out(ruleset, games=1, workers=2)
    assert asked == [1, 2, 2, 3, 2]
