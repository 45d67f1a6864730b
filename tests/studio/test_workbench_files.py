"""Files in the studio: saved by version, never over anybody else's, all of it undone and had back."""

from __future__ import annotations

import errno
import hashlib
import os
import shutil
import subprocess
from collections.abc import Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path

import pytest

from rulewright.source.files.atomic_write import ChangedError, replace_texts
from rulewright.studio.storage.http_errors import RefusedError
from rulewright.studio.storage.project_folder import Folder
from tests.studio.windows import Window, window


@pytest.fixture
def root(tmp_path: Path) -> Path:
    folder = tmp_path / "rules"
    folder.mkdir()
    (folder / "rules.yaml").write_text("numbers: {}\n")
    return folder


@pytest.fixture
def here(root: Path) -> Iterator[Window]:
    with window(root) as opened:
        yield opened


def digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


def test_a_file_is_read_with_the_digest_of_its_bytes(here: Window, root: Path) -> None:
    response = here.get("/api/file", path="rules.yaml")
    assert response == {
        "path": "rules.yaml",
        "text": "numbers: {}\n",
        "version": digest("numbers: {}\n"),
        "readonly": False,
        "uri": (root / "rules.yaml").as_uri(),
    }
    assert here.get("/api/file", uri=(root / "rules.yaml").as_uri())["path"] == "rules.yaml"


def test_a_save_is_whole_and_says_its_version(here: Window, root: Path) -> None:
    assert here.put("rules.yaml", "terms: {}\n", digest("numbers: {}\n"))["version"] == digest("terms: {}\n")
    assert (root / "rules.yaml").read_bytes() == b"terms: {}\n"
    assert sorted(os.listdir(root)) == [".rulewright", "rules.yaml"]


def test_what_somebody_else_wrote_is_never_written_over(here: Window, root: Path) -> None:
    first = here.version("rules.yaml")
    here.put("rules.yaml", "a: 1\n", first)
    refused = here.put("rules.yaml", "b: 1\n", first)
    assert (refused["status"], refused["text"], refused["version"]) == (409, "a: 1\n", digest("a: 1\n"))
    (root / "rules.yaml").write_text("outside: 1\n")
    refused = here.put("rules.yaml", "b: 1\n", digest("a: 1\n"))
    assert (refused["status"], refused["text"]) == (409, "outside: 1\n")
    assert here.put("rules.yaml", "b: 1\n", None)["status"] == 409
    (root / "rules.yaml").unlink()
    refused = here.put("rules.yaml", "b: 1\n", digest("outside: 1\n"))
    assert (refused["status"], refused["text"], refused["version"]) == (409, None, None)
    assert not (root / "rules.yaml").exists()


def test_a_save_that_was_done_before_is_done(here: Window) -> None:
    """A server that died before it could answer had written it already."""
    before = here.version("rules.yaml")
    here.put("rules.yaml", "a: 1\n", before)
    assert here.put("rules.yaml", "a: 1\n", before)["version"] == digest("a: 1\n")
    assert len(here.get("/api/history")["entries"]) == 1


def test_line_breaks_and_the_mark_at_the_beginning_stay(here: Window, root: Path) -> None:
    (root / "windows.yaml").write_bytes(b"\xef\xbb\xbfa: 1\r\nb: 2\r\n")
    response = here.get("/api/file", path="windows.yaml")
    assert response["text"] == "a: 1\nb: 2\n"
    here.put("windows.yaml", "a: 1\nb: 3\n", response["version"])
    assert (root / "windows.yaml").read_bytes() == b"\xef\xbb\xbfa: 1\r\nb: 3\r\n"


@pytest.mark.parametrize(
    "name",
    [
        "",
        "/etc/passwd.yaml",
        "../out.yaml",
        "a/../../out.yaml",
        "a/./b.yaml",
        "a//b.yaml",
        "a\\b.yaml",
        "c:/x.yaml",
        "nul\0.yaml",
        ".git/config.yaml",
        ".rulewright/history/log.yaml",
        "a/.hidden.yaml",
        "con.yaml",
        "LPT1.yaml",
        "aux",
        "a:stream.yaml",
        "end.yaml.",
        "end .yaml ",
        "line\nbreak.yaml",
        "x" * 300 + ".yaml",
        "\ud800.yaml",
        "a.py",
        "Makefile",
        "a.YAML",
        None,
        7,
        ["a.yaml"],
    ],
)
def test_no_name_leads_elsewhere(here: Window, root: Path, name: object) -> None:
    before = sorted(path for path in root.parent.rglob("*") if "contents" not in path.parts)
    assert 400 <= here.put(name, "x", None)["status"] < 500
    for address in ("/api/file/delete", "/api/file/rename"):
        assert 400 <= here.post(address, path=name, to="b.yaml", base=None)["status"] < 500
    renamed = here.post("/api/file/rename", path="rules.yaml", to=name, base=here.version("rules.yaml"))
    assert 400 <= renamed["status"] < 500
    assert sorted(path for path in root.parent.rglob("*") if "contents" not in path.parts) == before


def test_no_link_leads_out(here: Window, root: Path) -> None:
    outside = root.parent / "outside"
    outside.mkdir()
    (outside / "secret.yaml").write_text("secret\n")
    (root / "linked.yaml").symlink_to(outside / "secret.yaml")
    (root / "folder").symlink_to(outside)
    (root / "hidden.yaml").symlink_to(root / ".rulewright" / "history" / "log.yaml")
    (root / "dangling.yaml").symlink_to(outside / "new.yaml")
    for name in ("linked.yaml", "folder/secret.yaml", "folder/new.yaml", "hidden.yaml", "dangling.yaml"):
        assert here.get("/api/file", path=name)["status"] == 403
        assert here.put(name, "x", None)["status"] == 403
        assert here.put(name, "x", digest("secret\n"))["status"] == 403
    assert os.listdir(outside) == ["secret.yaml"]
    assert (outside / "secret.yaml").read_text() == "secret\n"
    assert {each["path"] for each in here.get("/api/folder")["files"]} == {"rules.yaml"}


@pytest.mark.parametrize("text", [None, 7, "\ud800", "x" * (1024 * 1024 + 1)])
def test_what_no_file_can_hold_is_refused(here: Window, root: Path, text: object) -> None:
    assert here.put("a.yaml", text, None)["status"] in (400, 413)
    assert not (root / "a.yaml").exists()


def test_what_is_no_text_is_left_alone(here: Window, root: Path) -> None:
    (root / "bytes.yaml").write_bytes(b"\xff\xfe\x00")
    assert here.get("/api/file", path="bytes.yaml")["status"] == 415
    assert here.put("bytes.yaml", "x", None)["status"] == 415
    assert (root / "bytes.yaml").read_bytes() == b"\xff\xfe\x00"


def test_every_save_is_undone_and_done_again_across_files(here: Window, root: Path) -> None:
    def state() -> dict[str, str]:
        return {path.name: path.read_text() for path in root.glob("*.yaml")}

    states = [state()]
    here.put("rules.yaml", "a: 1\n", here.version("rules.yaml"))
    states.append(state())
    here.put("new.yaml", "n: 1\n", None)
    states.append(state())
    here.put("rules.yaml", "a: 2\n", here.version("rules.yaml"))
    states.append(state())
    here.post("/api/file/rename", path="new.yaml", to="newer.yaml", base=digest("n: 1\n"))
    states.append(state())
    here.post("/api/file/delete", path="rules.yaml", base=digest("a: 2\n"))
    states.append(state())
    for before in reversed(states[:-1]):
        here.post("/api/undo")
        assert state() == before
    assert here.post("/api/undo")["status"] == 409
    for after in states[1:]:
        here.post("/api/redo")
        assert state() == after
    assert here.post("/api/redo")["status"] == 409


def test_undoing_says_what_files_hold_then(here: Window) -> None:
    here.put("rules.yaml", "a: 1\n", here.version("rules.yaml"))
    here.put("new.yaml", "n: 1\n", None)
    assert here.post("/api/undo")["files"] == [{"path": "new.yaml", "version": None, "text": None}]
    text = "numbers: {}\n"
    assert here.post("/api/undo")["files"] == [{"path": "rules.yaml", "version": digest(text), "text": text}]


def test_a_save_after_an_undo_leaves_nothing_to_do_again(here: Window) -> None:
    here.put("a.yaml", "1", None)
    here.post("/api/undo")
    here.put("b.yaml", "1", None)
    assert here.post("/api/redo")["status"] == 409


def test_saves_of_one_group_are_one_step(here: Window, root: Path) -> None:
    for name in ("a.yaml", "b.yaml"):
        here.put(name, "old", None, group="first")
    for name in ("a.yaml", "b.yaml", "a.yaml"):
        here.put(name, f"new{here.text(name)}", here.version(name), group="rename")
    assert (root / "a.yaml").read_text() == "newnewold"
    assert {each["path"] for each in here.post("/api/undo")["files"]} == {"a.yaml", "b.yaml"}
    assert [(root / name).read_text() for name in ("a.yaml", "b.yaml")] == ["old", "old"]
    here.post("/api/undo")
    assert not (root / "a.yaml").exists()


def test_undoing_writes_over_nothing_that_came_after(here: Window, root: Path) -> None:
    here.put("rules.yaml", "a: 1\n", here.version("rules.yaml"))
    (root / "rules.yaml").write_text("outside\n")
    assert here.post("/api/undo")["status"] == 409
    assert (root / "rules.yaml").read_text() == "outside\n"


def test_a_change_outside_blocks_undo_in_that_file_alone(here: Window, root: Path) -> None:
    here.put("a.yaml", "a: 1\n", None)
    here.put("a.yaml", "a: 2\n", here.version("a.yaml"))
    here.put("rules.yaml", "b: 1\n", here.version("rules.yaml"))
    (root / "rules.yaml").write_text("outside\n")
    assert [each["text"] for each in here.post("/api/undo")["files"]] == ["a: 1\n"]
    assert [each["text"] for each in here.post("/api/redo")["files"]] == ["a: 2\n"]
    here.post("/api/undo")
    here.post("/api/undo")
    assert not (root / "a.yaml").exists()
    assert "rules.yaml" in here.post("/api/undo")["error"]["message"]
    assert (root / "rules.yaml").read_text() == "outside\n"


def test_what_changes_outside_is_in_the_history_and_can_be_had_back(here: Window, root: Path) -> None:
    (root / "rules.yaml").write_text("outside: 1\n")
    here.studio.look()
    (root / "rules.yaml").unlink()
    here.studio.look()
    (root / "other.yaml").write_text("made: 1\n")
    here.studio.look()
    *entries, first = here.get("/api/history", path="rules.yaml")["entries"]
    assert here.get("/api/history/entry", id=first["id"]) == {"text": "numbers: {}\n"}
    assert [(each["source"], each["words"].split()[1]) for each in entries] == [
        ("outside", "removed"),
        ("outside", "changed"),
    ]
    assert here.get("/api/history", path="other.yaml")["entries"][0]["words"].split()[1] == "created"
    assert here.get("/api/history/entry", id=entries[1]["id"]) == {"text": "outside: 1\n"}
    assert here.get("/api/history/entry", id=entries[0]["id"]) == {"text": None}
    assert here.post("/api/restore", id=entries[1]["id"], base=None)["text"] == "outside: 1\n"
    assert (root / "rules.yaml").read_text() == "outside: 1\n"
    here.post("/api/undo")
    assert not (root / "rules.yaml").exists()


def test_any_save_can_be_had_back(here: Window) -> None:
    texts = [f"a: {number}\n" for number in range(5)]
    for text in texts:
        here.put("rules.yaml", text, here.version("rules.yaml"))
    entries = here.get("/api/history", path="rules.yaml")["entries"]
    # How it was before the first of them is there, too.
    told = [here.get("/api/history/entry", id=each["id"])["text"] for each in reversed(entries)]
    assert told == ["numbers: {}\n", *texts]
    for entry, text in ((entries[-1], "numbers: {}\n"), (entries[-2], texts[0])):
        here.post("/api/restore", id=entry["id"], base=here.version("rules.yaml"))
        assert here.text("rules.yaml") == text
    for nothing in ("", "nothing", "git:" + "0" * 40 + ":rules.yaml", "../x"):
        assert here.get("/api/history/entry", id=nothing)["status"] == 404


def test_what_somebody_wrote_meanwhile_is_not_written_over_by_what_was(here: Window) -> None:
    base = here.version("rules.yaml")
    here.put("rules.yaml", "a: 1\n", base)
    entry = here.get("/api/history", path="rules.yaml")["entries"][-1]
    response = here.post("/api/restore", id=entry["id"], path="rules.yaml", base=base)
    assert (response["status"], response["text"], response["version"]) == (409, "a: 1\n", digest("a: 1\n"))
    assert here.post("/api/restore", id=entry["id"], path="rules.yaml")["status"] == 400
    assert here.post("/api/restore", id=entry["id"], path="rules.yaml", base=7)["status"] == 400
    assert here.text("rules.yaml") == "a: 1\n"


@pytest.mark.parametrize("way", ["undo", "redo"])
def test_a_window_undoes_only_what_it_has_seen(root: Path, way: str) -> None:
    with window(root) as one, window(root) as other:
        assert one.get("/api/folder")["steps"] == {"undo": None, "redo": None}
        steps = one.put("a.yaml", "one: 1\n", None)["steps"]
        if way == "redo":
            steps = one.post("/api/undo", step=steps["undo"]["id"])["steps"]
        seen = steps[way]["id"]
        # The other one does something else before this one asks.
        other.put("b.yaml", "other: 1\n", None)
        if way == "redo":
            other.post("/api/undo")
        response = one.post(f"/api/{way}", step=seen)
        assert response["status"] == 409
        assert "b.yaml" in response["error"]["message"]
        assert one.get("/api/folder")["steps"] == response["steps"]
        assert (root / "b.yaml").exists() == (way == "undo")
        # Who was told of it may want it all the same.
        assert [each["path"] for each in one.post(f"/api/{way}", step=response["steps"][way]["id"])["files"]] == [
            "b.yaml"
        ]
        assert one.post(f"/api/{way}", step=7)["status"] in (400, 409)


def test_git_tells_what_it_keeps(tmp_path: Path) -> None:
    def git(*arguments: str) -> None:
        who = ["-c", "user.name=A", "-c", "user.email=a@example.org", "-c", "commit.gpgsign=false"]
        subprocess.run(["git", *who, *arguments], cwd=tmp_path, check=True, capture_output=True)

    git("init", "--quiet")
    folder = tmp_path / "house"
    folder.mkdir()
    for number in (1, 2):
        (folder / "rules.yaml").write_text(f"a: {number}\n")
        git("add", "house")
        git("commit", "--quiet", "-m", f"Number {number}")
    git("mv", "house/rules.yaml", "house/moved.yaml")
    git("commit", "--quiet", "-m", "Moved")
    with window(folder) as here:
        assert here.get("/api/folder")["git"]
        entries = here.get("/api/history", path="moved.yaml")["entries"]
        assert [(each["words"], each["source"]) for each in entries] == [
            ("Moved", "git"),
            ("Number 2", "git"),
            ("Number 1", "git"),
        ]
        assert here.get("/api/history/entry", id=entries[2]["id"])["text"] == "a: 1\n"
        here.post("/api/restore", id=entries[2]["id"], path="moved.yaml", base=here.version("moved.yaml"))
        assert (folder / "moved.yaml").read_text() == "a: 1\n"
        status = subprocess.run(
            ["git", "status", "--porcelain"], cwd=tmp_path, check=True, capture_output=True, text=True
        )
        assert status.stdout.split() == ["M", "house/moved.yaml"]  # and nothing of what the studio remembers


def test_two_studios_of_one_folder_do_not_write_over_each_other(root: Path) -> None:
    with window(root) as one, window(root) as other:
        base = one.version("rules.yaml")
        one.put("rules.yaml", "one: 1\n", base)
        assert other.put("rules.yaml", "other: 1\n", base)["status"] == 409
        other.put("rules.yaml", "other: 1\n", one.version("rules.yaml"))
        assert one.post("/api/undo")["files"][0]["text"] == "one: 1\n"
        assert other.post("/api/undo")["files"][0]["text"] == "numbers: {}\n"
        assert [each["words"] for each in one.get("/api/history")["entries"]] == [
            each["words"] for each in other.get("/api/history")["entries"]
        ]


def test_history_is_there_when_the_studio_is_opened_again(root: Path) -> None:
    with window(root) as here:
        here.put("rules.yaml", "a: 1\n", here.version("rules.yaml"))
        here.put("rules.yaml", "a: 2\n", here.version("rules.yaml"))
        here.post("/api/undo")
    (root / "rules.yaml").write_text("meanwhile: 1\n")
    with window(root) as here:
        assert [each["source"] for each in here.get("/api/history")["entries"]] == [
            "outside",
            "studio",
            "studio",
            "studio",
        ]
        entry = here.get("/api/history")["entries"][1]
        here.post("/api/restore", id=entry["id"], base=here.version("rules.yaml"))
        assert here.text("rules.yaml") == "a: 1\n"


def test_a_history_that_somebody_deletes_is_begun_anew(here: Window, root: Path) -> None:
    here.put("rules.yaml", "a: 1\n", here.version("rules.yaml"))
    shutil.rmtree(root / ".rulewright")
    here.put("rules.yaml", "a: 2\n", here.version("rules.yaml"))
    assert here.post("/api/undo")["files"][0]["text"] == "a: 1\n"


def test_where_one_of_several_cannot_be_written_none_is(here: Window, root: Path) -> None:
    here.put("a.yaml", "old\n", None)
    here.put("sub/b.yaml", "old\n", None)
    (root / "sub").chmod(0o500)
    if os.access(root / "sub", os.W_OK):  # whoever may do anything may write there, too
        (root / "sub").chmod(0o700)
        (root / "sub" / "b.yaml").unlink()
        (root / "sub").rmdir()
        (root / "sub").write_text("no folder any more")
    texts = {"a.yaml": ("new\n", digest("old\n")), "sub/c.yaml": ("new\n", None)}
    with pytest.raises(RefusedError):
        here.studio.folder.put(texts, "both")
    assert here.text("a.yaml") == "old\n"
    assert here.get("/api/history")["entries"][0]["words"] != "both"


def test_a_history_that_cannot_be_written_is_told_of(here: Window, root: Path) -> None:
    before = here.version("rules.yaml")
    shutil.rmtree(root / ".rulewright" / "history" / "contents")
    (root / ".rulewright" / "history" / "contents").write_text("no folder any more")
    refused = here.put("rules.yaml", "a: 1\n", before)
    assert refused["status"] in (403, 507)
    assert refused["error"]["message"]
    assert (root / "rules.yaml").read_text() == "numbers: {}\n"


# -- others who write, and a full disk --------------------------------------------------------------


def test_what_a_terminal_writes_while_a_file_is_saved_stays(
    here: Window, root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """At the worst moment: between the look at the file and the writing of it."""
    rules, files = root / "rules.yaml", here.studio.folder
    real = type(files)._write_all

    def late(self: Folder, changes: Mapping[str, object]) -> None:
        replace_texts({rules: ("numbers: {}\n", "numbers: {}\n# signed\n")})
        real(self, changes)  # type: ignore[arg-type]

    monkeypatch.setattr(type(files), "_write_all", late)
    with pytest.raises(RefusedError, match=r"rules\.yaml was changed in the meantime") as caught:
        files.save("rules.yaml", "terms: {}\n", digest("numbers: {}\n"))
    assert caught.value.status == 409
    assert rules.read_text() == "numbers: {}\n# signed\n"


def test_studio_and_terminal_lose_nothing(here: Window, root: Path) -> None:
    """Both add a line, again and again, each to what it has read last."""
    rules, files = root / "rules.yaml", here.studio.folder

    def sign(number: int) -> None:
        while True:
            before = rules.read_text()
            with suppress(ChangedError):
                replace_texts({rules: (before, before + f"# signed {number}\n")})
                return

    def save(number: int) -> None:
        while True:
            content = files.read("rules.yaml")
            with suppress(RefusedError):
                files.save("rules.yaml", content.text + f"# saved {number}\n", content.version)
                return

    with ThreadPoolExecutor(2) as pool:
        both = [pool.submit(lambda do=do: [do(number) for number in range(20)]) for do in (sign, save)]
        for each in both:
            each.result()
    lines = rules.read_text().splitlines()[1:]
    assert sorted(lines) == sorted(f"# {what} {number}" for what in ("signed", "saved") for number in range(20))


@pytest.mark.parametrize(("name", "code"), [("rules.yaml", errno.ENOSPC), ("new/other.yaml", errno.EIO)])
def test_a_full_disk_is_told_with_the_name_of_the_file(
    here: Window, name: str, code: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = Path.write_bytes

    def full(path: Path, data: bytes) -> int:
        if path.name.startswith(f".{Path(name).name}."):
            raise OSError(code, os.strerror(code))  # as the system says it: of a file that is open already
        return real(path, data)

    monkeypatch.setattr(Path, "write_bytes", full)
    base = digest("numbers: {}\n") if name == "rules.yaml" else None
    with pytest.raises(RefusedError, match=f"'{name}' cannot be written: ") as caught:
        here.studio.folder.save(name, "terms: {}\n", base)
    assert caught.value.status == (507 if code == errno.ENOSPC else 403)
