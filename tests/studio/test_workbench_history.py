"""The history on disk: whatever happened to its file, it is read as far as it can be, and it is bounded."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from itertools import count, pairwise
from pathlib import Path

import pytest

from rulewright.base.errors import RulewrightError
from rulewright.studio.storage.file_content import Content
from rulewright.studio.storage.file_history import FileHistory


@pytest.fixture
def ticks() -> Iterator[datetime]:
    begin = datetime(2020, 1, 1, tzinfo=UTC)
    return (begin + timedelta(seconds=number) for number in count())


def opened(root: Path, ticks: Iterator[datetime], **bounds: int) -> FileHistory:
    history = FileHistory(root, now=lambda: next(ticks), **bounds)
    history.open()
    return history


def write(history: FileHistory, path: str, text: str, **more: str) -> str:
    after = history.contents.put(Content(text.encode()))
    history.add([history.entry(path, f"{path} {text}", before=history.known.get(path), after=after, **more)])
    return after


def test_what_was_added_is_read_again(tmp_path: Path, ticks: Iterator[datetime]) -> None:
    history = opened(tmp_path, ticks)
    for number in range(5):
        write(history, "a.yaml", str(number))
    again = opened(tmp_path, ticks)
    assert again.entries == history.entries
    assert again.known == history.known
    assert [step.id for step in (again.to_undo(),) if step] == [history.entries[-1].id]
    assert again.entries[0].when == "2020-01-01T00:00:00.000+00:00"


@pytest.mark.parametrize("lost", range(2, 60, 7))
def test_a_line_that_was_cut_off_is_no_line(tmp_path: Path, ticks: Iterator[datetime], lost: int) -> None:
    history = opened(tmp_path, ticks)
    for number in range(3):
        write(history, "a.yaml", str(number))
    history.log.write_bytes(history.log.read_bytes()[:-lost])
    again = opened(tmp_path, ticks)
    assert again.entries == history.entries[:2]
    write(again, "a.yaml", "after")
    assert [entry.words for entry in opened(tmp_path, ticks).entries] == ["a.yaml 0", "a.yaml 1", "a.yaml after"]


@pytest.mark.parametrize("line", ["", "{}", "[]", "null", "{", '{"id": 7}', "\0", "[" * 10_000, '"x"'])
def test_a_line_that_says_nothing_is_passed_over(tmp_path: Path, ticks: Iterator[datetime], line: str) -> None:
    history = opened(tmp_path, ticks)
    write(history, "a.yaml", "1")
    with history.log.open("a") as file:
        file.write(line + "\n")
    write(history, "a.yaml", "2")
    assert [entry.words for entry in opened(tmp_path, ticks).entries] == ["a.yaml 1", "a.yaml 2"]


def test_a_content_that_is_not_what_it_was_is_gone(tmp_path: Path, ticks: Iterator[datetime]) -> None:
    history = opened(tmp_path, ticks)
    version = write(history, "a.yaml", "1")
    path = next(path for path in history.contents.folder.rglob("*") if path.is_file())
    path.write_bytes(b"\0" + path.read_bytes()[1:])
    assert history.contents.get(version) is None
    path.unlink()
    assert history.contents.get(version) is None


def test_the_oldest_goes_first(tmp_path: Path, ticks: Iterator[datetime]) -> None:
    minutes = (next(ticks) + timedelta(minutes=2 * number) for number in count())
    history = opened(tmp_path, minutes, most=10, spare=5)
    versions = [write(history, "a.yaml", str(number)) for number in range(16)]
    assert [entry.after for entry in history.entries] == versions[-10:]
    kept = {path.parent.name + path.name for path in history.contents.folder.rglob("*") if path.is_file()}
    # The oldest that is left can be undone.
    assert kept == set(versions[-11:])
    assert opened(tmp_path, ticks).entries == history.entries


def test_what_is_kept_never_takes_more_room_for_long(tmp_path: Path, ticks: Iterator[datetime]) -> None:
    import random

    noise = random.Random(1)
    history = opened(tmp_path, ticks, room=100_000)
    for _ in range(40):
        write(history, "a.yaml", noise.randbytes(5_000).hex())
        assert sum(path.stat().st_size for path in history.contents.folder.rglob("*") if path.is_file()) <= 110_000
    assert history.entries
    last = history.known["a.yaml"]
    assert last is not None
    assert history.contents.get(last) is not None


def test_what_was_typed_long_ago_is_told_in_fewer_words(tmp_path: Path, ticks: Iterator[datetime]) -> None:
    history = opened(tmp_path, ticks, most=80, spare=20)
    first = write(history, "a.yaml", "first")
    write(history, "b.yaml", "other")
    for number in range(250):  # a second each
        write(history, "a.yaml", str(number))
    told = history.of("a.yaml")[::-1]
    assert len(history.entries) <= 100
    # Nothing is missing between two of them, from the first save to the last.
    assert told[0].after == first
    assert all(before.after == after.before for before, after in pairwise(told))
    assert [entry.words for entry in told[-20:]] == [f"a.yaml {number}" for number in range(230, 250)]
    assert all(
        version is None or history.contents.get(version) for entry in told for version in (entry.before, entry.after)
    )
    # All of it can be undone, step by step.
    undone = 0
    while (step := history.to_undo()) is not None:
        changes = step.list_versions().items()
        history.add(
            history.entry(path, "back", before=now, after=then, how="undo", of=step.id) for path, (then, now) in changes
        )
        undone += 1
    assert history.known == {"a.yaml": None, "b.yaml": None}
    assert undone < 110


def test_a_step_that_lost_its_beginning_is_not_undone(tmp_path: Path, ticks: Iterator[datetime]) -> None:
    history = opened(tmp_path, ticks, most=3, spare=1)
    for name in ("a", "b", "c", "d", "e"):
        write(history, f"{name}.yaml", name, step="together")
    assert history.to_undo() is None
    write(history, "z.yaml", "z")
    assert history.to_undo() is not None


def test_the_folder_is_nothing_that_git_keeps(tmp_path: Path, ticks: Iterator[datetime]) -> None:
    opened(tmp_path, ticks)
    assert (tmp_path / ".rulewright" / ".gitignore").read_text().splitlines()[-1] == "*"


@pytest.mark.parametrize(
    "part",
    ["", "history", "history/contents", "history/log.jsonl", "history/lock", ".gitignore", "history/contents/ab"],
)
def test_no_link_leads_it_elsewhere(tmp_path: Path, part: str) -> None:
    """A folder of somebody else may come with one: nothing is written or deleted behind it."""
    root, elsewhere = tmp_path / "root", tmp_path / "elsewhere"
    root.mkdir()
    elsewhere.mkdir()
    named = elsewhere / ("c" * 62)
    named.write_text("precious\n")
    link = root / ".rulewright" / part
    link.parent.mkdir(parents=True, exist_ok=True)
    is_file = part.endswith((".jsonl", "lock", ".gitignore"))
    link.symlink_to(named if is_file else elsewhere)
    history = FileHistory(root, most=2, spare=0)
    number = next(n for n in count() if Content(str(n).encode()).version.startswith("ab"))

    def use() -> None:
        history.open()
        # A folder of contents is looked at when something is to go into it.
        history.contents.keep_only(())
        history.contents.put(Content(str(number).encode()))

    with pytest.raises(RulewrightError, match="is a link"):
        use()
    assert [path.name for path in elsewhere.iterdir()] == [named.name]
    assert named.read_text() == "precious\n"


def test_a_link_that_comes_later_leads_nothing_elsewhere(tmp_path: Path, ticks: Iterator[datetime]) -> None:
    root, elsewhere = tmp_path / "root", tmp_path / "elsewhere"
    root.mkdir()
    history = opened(root, ticks)
    write(history, "a.yaml", "1")
    (root / ".rulewright").rename(elsewhere)
    (root / ".rulewright").symlink_to(elsewhere)
    before = {path: path.read_bytes() for path in elsewhere.rglob("*") if path.is_file()}
    with pytest.raises(RulewrightError, match=r"`\.rulewright` in this folder is a link"):
        history.add([history.entry("a.yaml", "a", before=None, after=None)])
    assert {path: path.read_bytes() for path in elsewhere.rglob("*") if path.is_file()} == before


def test_only_what_was_kept_is_let_go(tmp_path: Path, ticks: Iterator[datetime]) -> None:
    history = opened(tmp_path, ticks)
    version = write(history, "a.yaml", "1")
    others = [
        history.contents.folder / name for name in ("notes.md", "zz/" + "a" * 62, "ab/notes.md", "ab/" + "A" * 62)
    ]
    for path in others:
        path.parent.mkdir(exist_ok=True)
        path.write_text("mine")
    history.contents.keep_only(())
    assert history.contents.get(version) is None
    assert all(path.is_file() for path in others)
