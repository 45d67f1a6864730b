"""Files are written whole or not at all, and leave nothing behind."""

from __future__ import annotations

import os
import stat
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from rulewright.base.errors import RulewrightError
from rulewright.cli.command_runner import describe
from rulewright.cli.main import main
from rulewright.ruleset.ruleset_diagnostics import BAD_PLAYERS
from rulewright.source.diagnostics.diagnostic import Diagnostic
from rulewright.source.diagnostics.excerpt import MOST_SAID, shorten
from rulewright.source.files import atomic_write
from rulewright.source.files.atomic_write import (
    ChangedError,
    WriteError,
    describe_write_error,
    open_replacement,
    open_text_replacement,
    refuse_unwritable,
    replace_texts,
    write_text,
)
from rulewright.source.files.safe_read import read_bytes_as_text, read_regular
from rulewright.source.files.unsaved_texts import as_first_read
from rulewright.source.span import Span
from rulewright.source.yaml.core_schema import parse_whole_number


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def test_the_new_file_takes_the_place_of_the_old(tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    write_text(path, "one\n")
    path.chmod(0o640)
    write_text(path, "two\n")
    assert path.read_text(encoding="utf-8") == "two\n"
    assert stat.S_IMODE(path.stat().st_mode) == 0o640
    assert names(tmp_path) == ["a.txt"]


def test_an_error_leaves_what_was_there(tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    write_text(path, "one\n")

    def give_up_half_way() -> None:
        with open_text_replacement(path) as file:
            file.write("half of ")
            raise KeyError

    with pytest.raises(KeyError):
        give_up_half_way()
    assert path.read_text(encoding="utf-8") == "one\n"
    assert names(tmp_path) == ["a.txt"]


def test_a_link_goes_on_leading_to_the_file(tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to(tmp_path / "a.txt")
    write_text(tmp_path / "link", "one\n")
    assert (tmp_path / "link").is_symlink()
    assert (tmp_path / "a.txt").read_text(encoding="utf-8") == "one\n"


def test_what_a_killed_process_left_is_swept_and_what_is_under_way_is_not(tmp_path: Path) -> None:
    program = (
        "import os, sys; from pathlib import Path; from rulewright.source.files.atomic_write import open_replacement\n"
        "with open_replacement(Path(sys.argv[1])): os.kill(os.getpid(), 9)"
    )
    path = tmp_path / "a.txt"
    subprocess.run([sys.executable, "-c", program, str(path)], check=False)
    (left,) = names(tmp_path)
    assert left.endswith(".part")
    with open_replacement(path) as mine:
        assert names(tmp_path) == [mine.name]
        write_text(path, "meanwhile\n")
        assert mine.name in names(tmp_path)
    assert names(tmp_path) == ["a.txt"]


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no device that is always full")
def test_a_device_is_written_to_as_it_is() -> None:
    with pytest.raises(OSError, match="No space left"):
        write_text(Path("/dev/full"), "one\n")
    assert stat.S_ISCHR(os.stat("/dev/full").st_mode)


def test_what_cannot_be_written_is_known_before(tmp_path: Path) -> None:
    for path in (tmp_path, tmp_path / "not there" / "a.txt", Path("a\0b")):
        with pytest.raises(WriteError, match="cannot be written: "):
            refuse_unwritable(path)
    refuse_unwritable(tmp_path / "a.txt")
    assert names(tmp_path) == []
    assert (
        describe_write_error("x", ValueError("embedded null byte"))
        == "'x' cannot be written: it is not a valid file name"
    )


def test_only_a_file_of_some_size_is_read(tmp_path: Path) -> None:
    (tmp_path / "a").write_bytes(b"12345")
    assert read_regular(tmp_path / "a", 5) == b"12345"
    os.mkfifo(tmp_path / "pipe")
    for path, most in ((tmp_path / "a", 4), (tmp_path / "pipe", 9), (tmp_path, 9)):
        with pytest.raises(OSError):  # noqa: PT011 (each has words of its own)
            read_regular(path, most)


def test_numbers_are_plain_figures() -> None:
    assert [parse_whole_number(text) for text in ("7", " 42 ", "0", "²", "٣", "-1", "", "1_0", "9" * 5_000)] == [
        7,
        42,
        0,
        *[None] * 6,
    ]


def test_no_message_is_longer_than_anybody_reads() -> None:
    long = f"it says {'x' * 9_000} there"
    told = Diagnostic(BAD_PLAYERS, long, Span("a", 1, 1, 1, 1), suggestion=f"{long}\n{long}\n{long}")
    for text in (told.message, told.help, shorten(long, MOST_SAID)):
        assert len(text) <= MOST_SAID + len("\n… 9 lines left out …")
        assert text.startswith("it says xxx")
        assert text.endswith(("xxx there", "lines left out …"))
    assert describe(RulewrightError(long)) == f"error: {shorten(long, MOST_SAID)}"
    short = f"it says {'x' * 1_000} there"
    assert Diagnostic(BAD_PLAYERS, short, Span("a", 1, 1, 1, 1)).message == short


@pytest.mark.parametrize(
    ("key", "written", "code"),
    [
        ("players", "7" * 5_000, "bad-players"),
        ("players", "x" * 5_000, "bad-players"),
        ("version", "7" * 5_000, "bad-version"),
        ("version", "1.0.0-" + "7" * 5_000, "bad-version"),
        ("ruleset", "7" * 5_000, "bad-reference"),
    ],
)
def test_what_is_written_at_length_is_not_quoted_at_length(
    key: str, written: str, code: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    manifest = {"ruleset": "house/mine", "version": "1.0.0", "title": "Mine", "extends": "pig/classic@1", key: written}
    (tmp_path / "ruleset.yaml").write_text("".join(f"{name}: '{text}'\n" for name, text in manifest.items()))
    (tmp_path / "rules.yaml").write_text("numbers: {goal: 50}\n")
    assert main(["check", "house/mine", "--errors", "--rules", str(tmp_path)]) == 1
    err = capsys.readouterr().err
    assert f"error[{code}]" in err
    assert len(err) < 3_000


LONG_FIGURES = {
    "faces of a die": "dice: {dX: {faces: 1..LONG}}",
    "steps of a die": "dice: {dX: {faces: 1..9 step LONG}}",
    "faces of a row": "tables: {t: {roll: 1d6, columns: {n: int}, rows: {a: {on: 1-LONG, n: 1}}}}",
    "a face": "tables: {t: {roll: 1d6, columns: {n: int}, rows: {a: {on: 'LONG', n: 1}}}}",
    "a seed": "samples: {s: {title: S, seed: 'LONG'}}",
    "players of a sample": "samples: {s: {title: S, players: 'LONG'}}",
    "cards": "decks: {d: {of: faces, copies: 'LONG'}}",
    "a board": "kinds: {tile: {grid: {columns: 'LONG', rows: 3}}}",
    "a result": "examples: {e: {title: E, of: game, dice: ['LONG']}}",
    "a number": "numbers: {goal: 'LONG'}",
    "a roll": "numbers: {goal: LONGd6}",
    "the number of a ruling": (
        "rulings: {r: {number: 'LONG', about: procedures.game, question: Q, source: S, because: B, ruling: R}}"
    ),
}


@pytest.mark.parametrize("rules", LONG_FIGURES.values(), ids=LONG_FIGURES)
def test_a_figure_that_is_too_long_to_be_read_is_told(
    rules: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    manifest = "ruleset: house/mine\nversion: 1.0.0\ntitle: Mine\nextends: pig/classic@1\n"
    (tmp_path / "ruleset.yaml").write_text(manifest)
    (tmp_path / "rules.yaml").write_text(rules.replace("LONG", "7" * 5_000) + "\n")
    assert main(["check", "house/mine", "--rules", str(tmp_path)]) == 1
    assert "error[" in capsys.readouterr().err


def test_long_texts_keep_their_ends() -> None:
    assert shorten("short") == "short"
    assert shorten("x" * 500 + "end") == "x" * 59 + "…" + "x" * 17 + "end"


def test_many_threads_write_one_file_and_none_fails(tmp_path: Path) -> None:
    path = tmp_path / "a.txt"

    def work(number: int) -> None:
        for _ in range(50):
            write_text(path, f"{number}\n" * 1_000)

    with ThreadPoolExecutor(8) as pool:
        for written in [pool.submit(work, number) for number in range(8)]:
            written.result()
    assert len(set(path.read_text(encoding="utf-8").splitlines())) == 1
    assert names(tmp_path) == ["a.txt"]


def test_what_was_begun_is_made_anew_where_it_was_swept_before_it_was_locked(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "a.txt"
    real, swept = atomic_write.fcntl.flock, []

    def late(handle: int, operation: int) -> None:
        if not swept:
            swept.append(names(tmp_path))
            (tmp_path / swept[0][0]).unlink()
        real(handle, operation)

    monkeypatch.setattr(atomic_write.fcntl, "flock", late)
    write_text(path, "one\n")
    assert swept
    assert path.read_text(encoding="utf-8") == "one\n"
    assert names(tmp_path) == ["a.txt"]


@pytest.mark.parametrize("mask", [0o022, 0o077, 0o007])
def test_a_new_file_is_as_open_as_any_and_nobody_else_sees_the_mask_change(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, mask: int
) -> None:
    before = os.umask(mask)
    monkeypatch.setattr(os, "umask", lambda _: pytest.fail("another thread may make a file meanwhile"))
    try:
        write_text(tmp_path / "a.txt", "one\n")
    finally:
        monkeypatch.undo()
        os.umask(before)
    assert stat.S_IMODE((tmp_path / "a.txt").stat().st_mode) == 0o666 & ~mask


# -- over what was judged, and nothing else -------------------------------------------------------


def test_a_text_is_written_over_the_one_that_was_judged_alone(tmp_path: Path) -> None:
    one, other = tmp_path / "one.yaml", tmp_path / "two.yaml"
    one.write_text("a\n")
    other.write_text("b\n")
    for texts in (
        {one: ("a\n", "A\n"), other: ("c\n", "C\n")},
        {one: ("a\n", "A\n"), tmp_path / "none.yaml": ("", "C\n")},
        {one: (None, "A\n")},
    ):
        with pytest.raises(ChangedError, match="changed in the meantime"):
            replace_texts(texts)
    with pytest.raises(ChangedError):
        replace_texts({one: ("a\n", "A\n")}, checked_texts={str(other): "c\n"})
    assert (one.read_text(), other.read_text()) == ("a\n", "b\n")
    replace_texts({one: ("a\n", "A\n"), tmp_path / "new.yaml": (None, "new\n")}, checked_texts={str(other): "b\n"})
    assert {path.name: path.read_text() for path in tmp_path.iterdir()} == {
        "one.yaml": "A\n",
        "two.yaml": "b\n",
        "new.yaml": "new\n",
    }


def test_breaks_of_lines_and_the_mark_at_the_head_stay(tmp_path: Path) -> None:
    path = tmp_path / "a.yaml"
    path.write_bytes("\ufeffä\r\nb\r\n".encode())
    replace_texts({path: ("ä\nb\n", "ä\nc\n")})
    assert path.read_bytes() == "\ufeffä\r\nc\r\n".encode()


COUNTING = """
import sys
from pathlib import Path
from rulewright.source.files import atomic_write as writing
from rulewright.source.files.atomic_write import ChangedError, replace_texts

if sys.argv[3] == "alone":  # as where nothing can be locked: what is compared is still compared
    writing.fcntl = None
path, times = Path(sys.argv[1]), int(sys.argv[2])
while times:
    before = path.read_text()
    try:
        replace_texts({path: (before, f"{int(before) + 1}\\n")})
        times -= 1
    except ChangedError:
        pass
"""


def test_no_update_is_lost_among_processes(tmp_path: Path) -> None:
    path = tmp_path / "count"
    path.write_text("0\n")
    each = [sys.executable, "-c", COUNTING, str(path), "60", "locked"]
    running = [subprocess.Popen(each) for _ in range(3)]
    assert [process.wait() for process in running] == [0, 0, 0]
    assert path.read_text() == "180\n"
    assert names(tmp_path) == ["count"]


def test_where_nothing_can_be_locked_it_is_compared_and_written(tmp_path: Path) -> None:
    path = tmp_path / "count"
    path.write_text("0\n")
    subprocess.run([sys.executable, "-c", COUNTING, str(path), "5", "alone"], check=True)
    assert path.read_text() == "5\n"


def test_no_update_is_lost_among_threads(tmp_path: Path) -> None:
    path = tmp_path / "count"
    path.write_text("0\n")

    def count(_: int) -> None:
        for _ in range(20):
            while True:
                before = path.read_text()
                try:
                    replace_texts({path: (before, f"{int(before) + 1}\n")})
                    break
                except ChangedError:
                    pass

    with ThreadPoolExecutor(4) as pool:
        list(pool.map(count, range(4)))
    assert path.read_text() == "80\n"


def test_a_file_is_what_it_was_when_it_was_first_read(tmp_path: Path) -> None:
    path = tmp_path / "a.yaml"
    path.write_text("one\n")
    with as_first_read() as read:
        assert read_bytes_as_text(path) == "one\n"
        path.write_text("two\n")
        assert read_bytes_as_text(path) == "one\n"
        read.put(path, "tried\n")
        assert read_bytes_as_text(path) == "tried\n"
        read.forget()
        assert read_bytes_as_text(path) == "two\n"
        with pytest.raises(RulewrightError, match="there is no file"):
            read_bytes_as_text(tmp_path / "none.yaml")
    path.write_text("three\n")
    assert read_bytes_as_text(path) == "three\n"


# -- a disk that takes no more, and a link that leads nowhere --------------------------------------


@pytest.mark.parametrize("command", ["resume", "csv", "json", "report"])
def test_a_full_disk_loses_no_results_and_names_the_file(command: str, tmp_path: Path) -> None:
    """A file may have 100 bytes: as on a full disk, that shows when it is written, or when it is to be whole."""
    file = tmp_path / {"csv": "games.csv", "json": "report.json"}.get(command, "file")
    option = {"resume": "--resume", "report": "--report"}.get(command, "--output")
    program = f"""
import resource, sys
from rulewright.engine.wasm_backend import availability
availability.is_available = lambda: False  # the memory of a module is a file to the system
from rulewright.cli.main import main
resource.setrlimit(resource.RLIMIT_FSIZE, (100, 100))
sys.exit(main(["simulate", "pig/classic", "--games", "50", {option!r}, {str(file)!r}]))
"""
    environment = {**os.environ, "RULEWRIGHT_CACHE": "off", "PYTHONDONTWRITEBYTECODE": "1"}
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, env=environment, check=False)
    assert done.returncode == 1
    assert "games in" in done.stdout
    assert f"{file}" in done.stderr
    assert "File too large" in done.stderr or "file too large" in done.stderr
    assert "Traceback" not in done.stderr
    assert names(tmp_path) == []


@pytest.mark.parametrize("option", ["--output", "--report", "--resume"])
def test_a_link_to_itself_is_refused(option: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    link = tmp_path / "link.json"
    link.symlink_to(link)
    assert main(["simulate", "pig/classic", "--games", "1", option, str(link)]) == 1
    assert "it is a link to itself" in capsys.readouterr().err
    with pytest.raises(OSError, match="is a link to itself"):
        write_text(link, "text")
    assert link.is_symlink()
