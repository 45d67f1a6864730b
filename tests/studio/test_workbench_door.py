"""A studio that is started anew is where it was, and lets in who was let in; nobody else learns by what."""

from __future__ import annotations

import json
import os
import re
import shutil
import socket
import stat
from collections.abc import Callable
from io import BytesIO
from pathlib import Path, PurePosixPath
from typing import Any
from zipfile import ZipFile

import pytest
import uvicorn

from rulewright.studio.http import serve_studio as serving
from rulewright.studio.storage.http_errors import RefusedError
from rulewright.studio.storage.session_token import (
    DOOR,
    SessionToken,
    make_token,
    read_token_file,
    save_token_file,
    write_way_in,
)
from tests.studio.windows import window

MANIFEST = "ruleset: house/ours\nversion: 0.1.0\nextends: pig/classic@1.0\ntitle: Ours\nstatus: draft\n"
unix = pytest.mark.skipif(os.name == "nt", reason="who may read a file is told otherwise there")

Start = Callable[..., tuple[int, str]]


@pytest.fixture
def root(tmp_path: Path) -> Path:
    made = tmp_path / "ours"
    made.mkdir()
    (made / "ruleset.yaml").write_text(MANIFEST)
    return made.resolve()


@pytest.fixture
def start(root: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Start:
    """Start a studio as people do, and end it at once: the port and the token of the address that it printed."""
    monkeypatch.delenv(serving.TOKEN, raising=False)

    def run(server: Any, sockets: list[socket.socket] | None = None) -> None:
        server.studio.close()

    monkeypatch.setattr(uvicorn.Server, "run", run)

    def begin(**more: bool | int) -> tuple[int, str]:
        capsys.readouterr()
        serving.serve(root, [], **{"browser": False, **more})
        match = re.search(r"http://127\.0\.0\.1:(\d+)/\?token=(\S+)", capsys.readouterr().out)
        assert match
        return int(match[1]), match[2]

    return begin


def test_the_next_start_is_at_the_same_door(start: Start) -> None:
    first = start()
    assert start() == first
    assert start() == first


def test_a_new_token_keeps_the_port(start: Start) -> None:
    port, token = start()
    assert start(fresh=True) != (port, token)
    again = start()
    assert again[0] == port
    assert again[1] != token


def test_a_port_and_a_token_that_are_named_win(start: Start, root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    _, token = start()
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        other = free.getsockname()[1]
    assert start(port=other) == (other, token)
    monkeypatch.setenv(serving.TOKEN, "a-token-that-somebody-names")
    assert start() == (other, "a-token-that-somebody-names")
    # It is nowhere on disk.
    assert "somebody" not in (root / DOOR).read_text()


def test_where_the_port_is_taken_it_is_another_one_and_another_token(
    start: Start, root: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    port, token = start()
    with socket.socket() as other:
        if os.name != "nt":
            other.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        other.bind(("127.0.0.1", port))
        other.listen()
        elsewhere = start()
        assert elsewhere[0] != port
        assert elsewhere[1] != token
        serving.serve(root, [], browser=False)
        assert f"Port {port}, used last time, is taken" in capsys.readouterr().out
    # Whoever listened there may have been shown the token.
    back = start()
    assert back[0] == port
    assert back[1] not in (token, elsewhere[1])


@unix
def test_only_its_owner_reads_it(start: Start, root: Path) -> None:
    before = os.umask(0)
    try:
        start()
    finally:
        os.umask(before)
    assert stat.S_IMODE((root / DOOR).stat().st_mode) == 0o600


@unix
@pytest.mark.parametrize("mode", [0o644, 0o640, 0o604, 0o660])
def test_what_others_may_read_is_made_anew(start: Start, root: Path, mode: int) -> None:
    _, token = start()
    (root / DOOR).chmod(mode)
    assert read_token_file(root) is None
    assert start()[1] != token
    assert stat.S_IMODE((root / DOOR).stat().st_mode) == 0o600


def test_a_folder_that_is_copied_brings_no_token(start: Start, root: Path, tmp_path: Path) -> None:
    start()
    shutil.copytree(root, tmp_path / "copy")  # with who may read what
    assert read_token_file(root) is not None
    assert read_token_file(tmp_path / "copy") is None


@pytest.mark.parametrize(
    "change",
    [
        {"port": 0},
        {"port": 65_536},
        {"port": True},
        {"port": "80"},
        {"port": 1.5},
        {"token": ""},
        {"token": "x"},
        {"token": "a" * 42 + "\n"},
        {"token": 'a"><script>' + "a" * 32},
        {"token": None},
        {"file": "1"},
        {"file": None},
    ],
    ids=repr,
)
def test_what_is_malformed_is_made_anew(start: Start, root: Path, change: dict[str, object]) -> None:
    start()
    data = json.loads((root / DOOR).read_text())
    (root / DOOR).write_text(json.dumps({**data, **change}))  # the same file: only what it says is odd
    assert read_token_file(root) is None
    start()
    assert read_token_file(root) is not None


@pytest.mark.parametrize("text", ["", "{", "[]", "null", "[" * 900, "\0", '{"port": 1}' * 200])
def test_what_says_nothing_is_made_anew(start: Start, root: Path, text: str) -> None:
    start()
    (root / DOOR).write_text(text)
    assert read_token_file(root) is None
    start()
    assert read_token_file(root) is not None


@unix
@pytest.mark.parametrize("kind", ["link", "hard", "folder", "pipe", "above"])
def test_no_link_leads_out(root: Path, tmp_path: Path, kind: str) -> None:
    (root / ".rulewright").mkdir()
    other = tmp_path / "other.json"
    save_token_file(root, SessionToken(8765, make_token()))
    os.replace(root / DOOR, other)
    before = other.read_bytes()
    if kind == "link":
        (root / DOOR).symlink_to(other)
    elif kind == "hard":
        os.link(other, root / DOOR)
    elif kind == "folder":
        (root / DOOR).mkdir()
    elif kind == "pipe":
        os.mkfifo(root / DOOR)
    else:
        (root / ".rulewright").rmdir()
        (tmp_path / "away").mkdir()
        os.replace(other, tmp_path / "away" / "studio.json")
        other = tmp_path / "away" / "studio.json"
        (root / ".rulewright").symlink_to(tmp_path / "away")
    assert read_token_file(root) is None
    save_token_file(root, SessionToken(8766, make_token()))
    assert other.read_bytes() == before
    if kind == "above":
        with pytest.raises(RefusedError):
            write_way_in(root, "http://127.0.0.1:1/")
        assert [each.name for each in (tmp_path / "away").iterdir()] == ["studio.json"]


def test_nothing_that_is_shared_carries_it(root: Path) -> None:
    token = make_token()
    (root / ".rulewright").mkdir()
    (root / ".rulewright" / ".gitignore").write_text("!studio.json\n")  # a folder may come with it
    save_token_file(root, SessionToken(8765, token))
    with window(root) as here:
        for name in (DOOR, "./" + DOOR, DOOR.replace("/", "\\")):
            assert here.get("/api/file", path=name)["status"] == 400
        assert DOOR not in [each["path"] for each in here.get("/api/folder")["files"]]
        answer = here.client.get("/api/share.zip", params={"ref": "house/ours@0.1.0"})
    with ZipFile(BytesIO(answer.content)) as archive:
        held = {name: archive.read(name) for name in archive.namelist()}
    assert [PurePosixPath(name).name for name in held] == ["ruleset.yaml"]
    assert not any(token.encode() in data for data in held.values())
    assert (root / ".rulewright" / ".gitignore").read_text().splitlines()[-1] == "*"


def test_a_browser_is_led_in_by_a_file_that_only_its_owner_reads(
    start: Start, root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened: list[tuple[str, int, str]] = []

    def browse(address: str) -> bool:
        page = Path(address.removeprefix("file://"))
        opened.append((address, stat.S_IMODE(page.stat().st_mode), page.read_text()))
        return True

    class Now:
        """A thread that is done at once."""

        def __init__(self, target: Callable[..., object], args: tuple[str, ...], daemon: bool) -> None:
            self.work = target, args

        def start(self) -> None:
            self.work[0](*self.work[1])

    monkeypatch.setattr(serving.webbrowser, "open", browse)
    monkeypatch.setattr(serving.threading, "Thread", Now)
    port, token = start(browser=True)
    ((address, mode, page),) = opened
    assert token not in address
    assert f"http://127.0.0.1:{port}/?token={token}" in page
    if os.name != "nt":
        assert mode == 0o600
    assert sorted(each.name for each in (root / ".rulewright").glob("*.html")) == []
