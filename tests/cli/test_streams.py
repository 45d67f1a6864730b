"""What is typed, read and written by commands may be anything: there is a message, and never a traceback."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from rulewright.cli.main import main
from tests.breadth import some

COMMAND = [sys.executable, "-m", "rulewright"]
FULL = Path("/dev/full")
pytestmark = pytest.mark.skipif(not FULL.exists(), reason="there is no device that is always full")


def run(*arguments: str, stdin: str = "", stdout: int | None = None) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [*COMMAND, *arguments],
        input=stdin,
        stdout=subprocess.PIPE if stdout is None else stdout,
        stderr=subprocess.PIPE,
        text=True,
        check=False,
    )


def called(*arguments: str) -> int:
    """Return the exit code of a command in this process, which takes less than to start one.

    A traceback would be an error.
    """
    try:
        return main(list(arguments))
    except SystemExit as stopped:  # as the reader of arguments ends
        return int(stopped.code or 0)


COMMANDS = {
    "check": ("check", "pig/classic"),
    "list": ("list",),
    "odds": ("odds", "2d6"),
    "play": ("play", "pig/classic", "--players", "random,random", "--seed", "1"),
    "roll": ("roll", "2d6"),
    "schema": ("schema", "rules"),
    "show": ("show", "pig/classic"),
    "simulate": ("simulate", "pig/classic", "--games", "5"),
    "diff": ("diff", "fuzzy-knights/normal@0.1", "fuzzy-knights/normal@0.2"),
    "run": ("run", "pig/classic", "game", "--choose", "roll,hold", "--dice", "5", "--until", "grown"),
    "why": ("why", "pig/classic", "procedures.game"),
}


def test_a_terminal_without_ticks_is_told_that_rules_are_sound() -> None:
    own = {**os.environ, "PYTHONIOENCODING": "cp1252"}
    process = subprocess.run([*COMMAND, "check", "pig/classic"], capture_output=True, env=own, check=True).stdout
    assert process.decode("cp1252").startswith("ok pig/classic@")


# One that prints at its end, one on its way, and one that has processes at work: the others are as the first.
@pytest.mark.parametrize("name", some(list(COMMANDS), ["roll", "play", "simulate"]))
def test_a_full_device_is_told_of(name: str) -> None:
    with FULL.open("w") as full:
        done = run(*COMMANDS[name], stdout=full.fileno())
    assert done.returncode == 1
    assert done.stderr.splitlines()[-1] == "error: the output cannot be written: No space left on device"
    assert "Traceback" not in done.stderr


WRITERS = {
    "new": ("new", "yours", "--extends", "pig/classic@1.0"),
    "release": ("release", "house/mine", "--rules", "mine"),
    "replay": ("replay", "game.json", "--log"),
    "book build": ("book", "build", "pig/classic", "--output", "site"),
}


def test_a_full_device_is_told_of_by_what_writes_files_too(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert called("new", "mine", "--extends", "pig/classic@1.0") == 0
    assert called("play", "pig/classic", "--players", "random,random", "--seed", "1", "--save", "game.json") == 0
    for name, arguments in WRITERS.items():
        with FULL.open("w") as full:
            done = run(*arguments, stdout=full.fileno())
        assert done.returncode == 1, name
        assert done.stderr.splitlines()[-1] == "error: the output cannot be written: No space left on device", name
        assert "Traceback" not in done.stderr, name
    # What was to be written was written all the same, whole.
    assert called("check", "house/yours", "--rules", "yours") == 0
    assert (tmp_path / "site" / "index.html").is_file()


def without_room(*arguments: str, file: str, cwd: Path) -> subprocess.CompletedProcess[str]:
    """Run a command on a machine whose disk is full as soon as the file of this name is to be whole."""
    code = f"""
import errno, os, sys
fsync = os.fsync
def full(handle):
    name = os.readlink(f"/proc/self/fd/{{handle}}")
    if name.endswith(".part") and {file!r} in name:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
    fsync(handle)
os.fsync = full
from rulewright.cli.main import main
sys.exit(main({list(arguments)!r}))
"""
    return subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=False, cwd=cwd, stdin=subprocess.DEVNULL
    )


def test_a_release_for_which_there_is_no_room_leaves_the_manifest(tmp_path: Path) -> None:
    assert run("new", str(tmp_path / "mine"), "--extends", "pig/classic@1.0").returncode == 0
    manifest = tmp_path / "mine" / "ruleset.yaml"
    before = manifest.read_bytes()
    done = without_room("release", "house/mine", "--rules", "mine", file="ruleset.yaml", cwd=tmp_path)
    assert (done.returncode, done.stdout) == (1, "")
    assert "No space left on device" in done.stderr or "no space left on device" in done.stderr
    assert "Traceback" not in done.stderr
    assert manifest.read_bytes() == before
    assert sorted(path.name for path in manifest.parent.iterdir()) == ["rules.yaml", "ruleset.yaml", "schema"]


@pytest.mark.parametrize("file", ["rules.schema.json", "rules.yaml"])
def test_a_new_folder_for_which_there_is_no_room_is_not_there_by_halves(file: str, tmp_path: Path) -> None:
    done = without_room("new", "mine", "--extends", "pig/classic@1.0", file=file, cwd=tmp_path)
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr == "error: cannot write to mine: No space left on device\n"
    assert list(tmp_path.iterdir()) == []


def test_a_schema_for_which_there_is_no_room_leaves_the_old_one(tmp_path: Path) -> None:
    assert run("schema", "--output", str(tmp_path / "schema")).returncode == 0
    before = {path.name: path.read_bytes() for path in (tmp_path / "schema").iterdir()}
    (tmp_path / "schema" / "rules.schema.json").write_text("old", encoding="utf-8")
    before["rules.schema.json"] = b"old"
    done = without_room("schema", "--output", "schema", file="rules.schema.json", cwd=tmp_path)
    assert done.returncode == 2
    assert "the schemas cannot be written into 'schema': No space left on device" in done.stderr
    assert {path.name: path.read_bytes() for path in (tmp_path / "schema").iterdir()} == before


UNWRITABLE = {
    "new": ("new", "/proc/mine", "--extends", "pig/classic@1.0"),
    "new below a file": ("new", "file/mine", "--extends", "pig/classic@1.0"),
    "book build": ("book", "build", "pig/classic", "--output", "/proc/site"),
    "book build over a file": ("book", "build", "pig/classic", "--output", "file"),
    "book build over a device": ("book", "build", "pig/classic", "--output", "/dev/full"),
    "run": ("run", "pig/classic", "game", "--choose", "roll", "--dice", "5", "--until", "grown", "--record", "/proc/x"),
    "play": ("play", "pig/classic", "--players", "random,random", "--seed", "1", "--save", "/proc/x"),
    "replay": ("replay", "/dev/full"),
}


@pytest.mark.parametrize("arguments", UNWRITABLE.values(), ids=UNWRITABLE.keys())
def test_a_place_that_cannot_be_written_is_told_of(
    arguments: tuple[str, ...], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "file").write_text("kept", encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    assert called(*arguments) in (1, 2)
    assert "rror" in capsys.readouterr().err
    assert {path.name: path.read_text(encoding="utf-8") for path in tmp_path.iterdir()} == {"file": "kept"}


TYPED = {
    "a seed": ("play", "pig/classic", "--players", "random,random", "--seed", "²"),
    "dice": ("run", "fuzzy-knights/normal", "visit_mine", "--dice", "²"),
    "a choice": ("run", "pig/classic", "game", "--choose", "#²"),
    "a budget": ("play", "pig/classic", "--players", "mcts:²,random"),
    "many nines": ("play", "pig/classic", "--players", "mcts:" + "9" * 5_000 + ",random"),
    "times": ("roll", "1d6", "--times", "²"),
    "branches": ("odds", "pig/classic", "game", "--most", "²"),
    "a policy": ("odds", "pig/classic", "game", "--policy", "²=first"),
}


@pytest.mark.parametrize("arguments", TYPED.values(), ids=TYPED.keys())
def test_what_is_no_number_is_none(arguments: tuple[str, ...], capsys: pytest.CaptureFixture[str]) -> None:
    assert called(*arguments) in (0, 1, 2)
    err = capsys.readouterr().err
    assert len(err) < 6_000
    assert "unrecognized arguments" not in err, "the option is there"


def test_a_game_goes_on_whatever_is_typed(tmp_path: Path) -> None:
    other = tmp_path / "letter.txt"
    other.write_text("Dear Sir", encoding="utf-8")
    typed = ["²", "9" * 5_000, "save a\0b", "save " + "x" * 5_000, f"save {other}", f"save {tmp_path / 'game.json'}"]
    done = run("play", "pig/classic", "--seed", "1", stdin="\n".join([*typed, "quit", ""]))
    assert done.returncode == 0
    assert "Traceback" not in done.stderr
    assert len(done.stderr) < 3_000
    assert other.read_text(encoding="utf-8") == "Dear Sir"
    assert f"{other} is not a saved game" in done.stderr
    assert (tmp_path / "game.json").is_file()


@pytest.mark.parametrize("closed", ["<&-", ">&-", "<&- >&-", "2>&-"])
def test_a_closed_stream_is_none(closed: str) -> None:
    command = f"{sys.executable} -m rulewright play pig/classic --seed 1 {closed}"
    done = subprocess.run(["/bin/sh", "-c", command], stdin=subprocess.DEVNULL, capture_output=True, check=False)
    assert b"Traceback" not in done.stderr
    assert done.returncode == 0


def test_a_pipe_is_not_waited_for_where_a_run_is_to_go_on(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    pipe = tmp_path / "run"
    os.mkfifo(pipe)
    assert called("simulate", "pig/classic", "--games", "2", "--workers", "1", "--resume", str(pipe)) == 1
    out, err = capsys.readouterr()
    assert out == ""
    assert f"{str(pipe)!r} cannot be" in err


def test_results_are_printed_though_a_file_cannot_be_written(tmp_path: Path) -> None:
    done = run("simulate", "pig/classic", "--games", "5", "--report", str(FULL))
    assert "pig" in done.stdout.lower()
    assert done.returncode == 1
    assert "'/dev/full' cannot be written: no space left on device" in done.stderr
    link = tmp_path / "out.json"
    link.symlink_to(FULL)
    done = run("simulate", "pig/classic", "--games", "5", "--output", str(link), "--json")
    assert '"games": 5' in done.stdout
    assert done.returncode == 1


@pytest.mark.skipif(os.geteuid() == 0 and not Path("/proc/1/comm").exists(), reason="nothing is refused here")
def test_a_place_that_cannot_be_written_is_refused_before_any_game() -> None:
    done = run("simulate", "pig/classic", "--games", "1000000", "--report", "/proc/report.html")
    assert done.returncode == 1
    assert "cannot be written" in done.stderr
    assert done.stdout == ""


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP])
def test_whoever_is_told_to_end_ends_the_workers(number: signal.Signals) -> None:
    arguments = [*COMMAND, "simulate", "pig/classic", "--games", "100000000", "--workers", "2"]
    with subprocess.Popen(
        arguments, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True
    ) as begun:
        children = Path(f"/proc/{begun.pid}/task/{begun.pid}/children")
        while len(children.read_text(encoding="utf-8").split()) < 3:  # two workers, and who watches over them
            assert begun.poll() is None
        workers = children.read_text(encoding="utf-8").split()
        begun.send_signal(number)
        assert begun.wait() == 128 + number
    while any(_runs(worker) for worker in workers):
        pass  # who watches over what is shared ends when it sees that the others have; the test's own limit is the end


def _runs(process: str) -> bool:
    try:
        state = Path(f"/proc/{process}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()[0]
    except OSError:
        return False
    return state != "Z"


@pytest.mark.parametrize("asked", ["face + 1", "0 - face", "face * 2", "face", "face + 1 if face > 1 else 0"])
def test_odds_of_what_was_never_rolled_are_of_nothing(asked: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert called("odds", "pig/classic", "game", asked, "--until", "pot >= 0", "--json") == 0
    assert '"yes": "1"' in capsys.readouterr().out
