"""The live view follows edits, shows faults as a page, and never hangs."""

from __future__ import annotations

import os
import re
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from html import unescape
from pathlib import Path
from threading import Thread
from typing import TYPE_CHECKING
from urllib.error import HTTPError
from urllib.request import Request, urlopen

import pytest

from rulewright.book.changes.edition_history import PublishedEdition
from rulewright.book.dev_server import incremental_build
from rulewright.book.dev_server.incremental_build import LiveSite
from rulewright.book.dev_server.live_server import BookServer
from rulewright.ruleset.cache import cache_folder
from tests.book.garden import MANIFEST, steps, write_garden

if TYPE_CHECKING:
    from playwright.sync_api import Page

PATIENCE = 20
"""Seconds after which what does not answer hangs."""

TRIES = 600
"""Looks at what comes to be, with a pause between."""


@pytest.fixture
def rules(tmp_path: Path) -> Path:
    return write_garden(tmp_path / "rules")


@pytest.fixture
def address(rules: Path, tmp_path: Path) -> Iterator[str]:
    """Yield the address of a live view of the rules."""
    with viewed(rules, tmp_path / "site") as address:
        yield address


@pytest.fixture(scope="module")
def still(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Yield the address of a live view of rules that nobody edits, the same for all who only ask it for something."""
    folder = tmp_path_factory.mktemp("still")
    with viewed(write_garden(folder / "rules"), folder / "site") as address:
        yield address


@contextmanager
def viewed(rules: Path, folder: Path) -> Iterator[str]:
    folder.mkdir()
    server = BookServer(LiveSite([rules], folder), port=0)
    running = Thread(target=server.serve, daemon=True)
    running.start()
    eventually(server.serve_thread.is_alive)
    try:
        yield server.url
    finally:
        server.shutdown()
        running.join(PATIENCE)


def fetch(address: str) -> str:
    with urlopen(address, timeout=PATIENCE) as answer:
        text: str = answer.read().decode()
    return text


def status_of(address: str) -> int:
    try:
        with urlopen(address, timeout=PATIENCE) as answer:
            status: int = answer.status
    except HTTPError as error:
        status = error.code
    return status


def news(page: str, *, epoch: int) -> int:
    """Return what an open page hears when it asks for news, once there are some since `epoch`."""
    root = "/".join(page.split("/", 3)[:3])
    with urlopen(Request(f"{root}/livereload/{epoch}/1", headers={"Referer": page}), timeout=PATIENCE) as answer:
        return int(answer.read())


def epoch_of(page: str) -> int:
    """Return the age that a page knows of itself."""
    match = re.search(r'src="/livereload/(\d+)\.js"', page)
    assert match
    return int(match[1])


def eventually(holds: Callable[[], bool]) -> None:
    for _ in range(TRIES):
        if holds():
            return
        time.sleep(0.1)
    raise AssertionError("it never came to be")


def test_an_edit_shows_and_a_fault_comes_and_goes(address: str, rules: Path) -> None:
    growing = f"{address}small-1.0/growing.html"
    assert "Tending a Bed" in fetch(growing)

    write_garden(rules, steps().replace("Tending a {bed}\n        explains", "Caring for a {bed}\n        explains"))
    eventually(lambda: "Caring for a Bed" in fetch(growing))

    write_garden(rules, steps().replace("about: How", "about: [<script>How"))
    eventually(lambda: "to fix in the rules" in fetch(growing))
    fault = fetch(growing)
    assert re.search(r"garden\.yaml:\d+:\d+", fault)
    assert "&lt;script&gt;How" in fault
    assert "to fix in the rules" in fetch(address)

    write_garden(rules, steps().replace("{numbers.harvest}", "{numbers.harvst}"))
    eventually(lambda: "did you mean `harvest`?" in unescape(fetch(growing)))

    write_garden(rules, steps())
    eventually(lambda: "Tending a Bed" in fetch(growing))
    assert "to fix in the rules" not in fetch(address)


def test_a_broken_manifest_is_shown_too(address: str, rules: Path) -> None:
    manifest = rules / "garden" / "small" / "ruleset.yaml"
    sound = manifest.read_text(encoding="utf-8")
    manifest.write_text(sound.replace("version: 1.0.0", "version: soon"), encoding="utf-8")
    eventually(lambda: "ruleset.yaml" in fetch(address))
    manifest.write_text(sound, encoding="utf-8")
    eventually(lambda: "to mend" not in fetch(address) and "A Small Garden" in fetch(address))


def test_nobody_gets_a_page_from_before_an_edit(address: str, rules: Path) -> None:
    growing = f"{address}small-1.0/growing.html"
    fetch(growing)
    for word in ("Caring for", "Watering", "Minding"):
        write_garden(rules, steps().replace("Tending a {bed}\n        explains", f"{word} a {{bed}}\n        explains"))
        assert f"{word} a Bed" in fetch(growing)


def test_an_open_page_hears_of_its_own_edition_alone(address: str, rules: Path) -> None:
    other = MANIFEST.replace("garden/small", "yard/small")
    (rules / "yard").mkdir()
    (rules / "yard" / "ruleset.yaml").write_text(other, encoding="utf-8")
    (rules / "yard" / "yard.yaml").write_text(steps(), encoding="utf-8")
    garden, yard = f"{address}garden-small-1.0/index.html", f"{address}yard-small-1.0/index.html"
    known, still = epoch_of(fetch(garden)), epoch_of(fetch(yard))
    write_garden(rules, steps().replace("How {plant.plural} grow", "How {plant.plural} thrive"))
    assert news(garden, epoch=known) > known
    assert "thrive" in fetch(garden)
    assert epoch_of(fetch(yard)) == still


def test_an_edit_below_two_editions_shows_in_both_at_once(address: str, rules: Path) -> None:
    (rules / "garden" / "small" / "ruleset.yaml").write_text(MANIFEST, encoding="utf-8")
    large = rules / "garden" / "large"
    large.mkdir()
    extends = MANIFEST.replace("garden/small", "garden/large") + "extends: garden/small@1\n"
    extends = "".join(line for line in extends.splitlines(True) if not line.startswith(("rounding", "players")))
    (large / "ruleset.yaml").write_text(extends, encoding="utf-8")
    (large / "more.yaml").write_text("terms: {pond: {name: Pond, means: Water.}}\n", encoding="utf-8")
    pages = [f"{address}{name}-1.0/growing.html" for name in ("large", "small")]
    assert all("Growing" in fetch(page) for page in pages)
    write_garden(rules, steps().replace("title: Growing", "title: Thriving"))
    assert all("Thriving" in fetch(page) for page in pages)


def test_files_may_come_and_go_in_any_way(address: str, rules: Path) -> None:
    home, growing = rules / "garden" / "small", f"{address}small-1.0/growing.html"
    sound = (home / "garden.yaml").read_bytes()
    assert "Tending a Bed" in fetch(growing)
    (home / "garden.yaml").write_bytes(b"")  # says nothing, which is no mistake: the page is gone
    assert status_of(growing) == 404
    for half in (sound[:700], sound + b"\xff\xfe", b"\x00"):
        (home / "garden.yaml").write_bytes(half)
        assert "Tending a Bed" not in fetch(growing)
    (home / "garden.yaml").write_bytes(sound)
    (home / "garden.yaml").rename(home / "beds.yaml")
    assert "Tending a Bed" in fetch(growing)
    (home / "ruleset.yaml").rename(home / "ruleset.yml")
    assert "ruleset.yml" in fetch(growing)
    shutil.rmtree(rules)
    assert status_of(growing) in (200, 404)
    assert "Tending" not in fetch(address)
    write_garden(rules)
    assert "Tending a Bed" in fetch(growing)
    assert status_of(f"{address}small-1.0/no-such-page.html") == 404


@pytest.mark.browser
def test_an_open_page_reloads_by_itself(page: Page, address: str, rules: Path) -> None:
    page.goto(f"{address}small-1.0/growing.html")
    write_garden(rules, "terms: {bed: [")
    page.get_by_text("to fix in the rules").wait_for(timeout=PATIENCE * 1_000)
    write_garden(rules, steps())
    page.locator("h2#tending").wait_for(timeout=PATIENCE * 1_000)


def test_only_the_edition_that_changed_is_built_again(rules: Path, tmp_path: Path) -> None:
    write_garden(rules / "more", manifest=MANIFEST.replace("garden/small", "garden/large"))
    folder = tmp_path / "site"
    folder.mkdir()
    site = LiveSite([rules], folder)
    site.refresh()
    before = {name: (folder / name / "index.html").stat().st_mtime_ns for name in ("small-1.0", "large-1.0")}
    write_garden(rules, steps().replace("How {plant.plural} grow", "How {plant.plural} thrive"))
    site.refresh()
    after = {name: (folder / name / "index.html").stat().st_mtime_ns for name in before}
    assert [name for name in before if before[name] != after[name]] == ["small-1.0"]
    assert "thrive" in (folder / "small-1.0" / "index.html").read_text(encoding="utf-8")


def test_a_server_that_starts_again_makes_only_what_has_changed(
    rules: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_garden(rules / "more", manifest=MANIFEST.replace("garden/small", "garden/large"))
    monkeypatch.setenv(cache_folder.VARIABLE, str(tmp_path / "cache"))
    lines: list[str] = []
    build = incremental_build.build_edition

    def note(item: PublishedEdition, *args: object, **more: object) -> None:
        lines.append(item.folder)
        build(item, *args, **more)  # type: ignore[arg-type]

    monkeypatch.setattr(incremental_build, "build_edition", note)

    def start(name: str) -> dict[str, bytes]:
        lines.clear()
        folder = tmp_path / name
        folder.mkdir()
        LiveSite([rules], folder).refresh()
        return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}

    first = start("first")
    assert sorted(lines) == ["large-1.0", "small-1.0"]
    assert start("second") == first
    assert lines == []
    write_garden(rules, steps().replace("How {plant.plural} grow", "How {plant.plural} thrive"))
    third = start("third")
    assert lines == ["small-1.0"]
    monkeypatch.setenv(cache_folder.VARIABLE, "off")
    assert start("fourth") == third


def test_the_command_serves_and_stops(rules: Path, tmp_path: Path) -> None:
    environment = {n: v for n, v in os.environ.items() if not n.startswith(("COV_", "RULEWRIGHT"))}
    served = subprocess.Popen(
        [sys.executable, "-m", "rulewright", "book", "serve", "--port", "0", "--rules", str(rules)],
        cwd=tmp_path,
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    )
    assert served.stdout is not None
    match = re.search(r"http://\S+", served.stdout.readline())
    assert match
    assert "A Small Garden" in fetch(f"{match[0]}garden-small-1.0/index.html")
    served.send_signal(signal.SIGINT)
    assert served.wait(PATIENCE) == 0


def answered(address: str, method: str, path: str, host: str | None = None) -> tuple[int, bytes]:
    """Return the status and body of a raw request, with any `Host`."""
    from http.client import HTTPConnection
    from urllib.parse import urlsplit

    parts = urlsplit(address)
    connection = HTTPConnection(parts.hostname or "", parts.port, timeout=PATIENCE)
    connection.putrequest(method, path, skip_host=True)
    if host is not None:
        connection.putheader("Host", host)
    connection.endheaders()
    answer = connection.getresponse()
    return answer.status, answer.read()


@pytest.mark.parametrize("host", ["rebound.example", "127.0.0.1.example", "localhost@evil", "[::1]", "", None, "a b"])
def test_only_this_machine_is_answered_by_name(still: str, host: str | None) -> None:
    for path in ("/", "/small-1.0/index.html", "/small-1.0/rules.json", "/livereload/0/1"):
        status, body = answered(still, "GET", path, host)
        assert status == 421
        assert b"Garden" not in body


@pytest.mark.parametrize("host", ["127.0.0.1:8000", "localhost", "LOCALHOST:80"])
def test_this_machine_is_answered_under_its_names(still: str, host: str) -> None:
    assert answered(still, "GET", "/index.html", host)[0] == 200


@pytest.mark.parametrize("method", ["POST", "PUT", "DELETE", "OPTIONS", "PATCH"])
def test_nothing_is_sent_here(still: str, method: str) -> None:
    assert answered(still, method, "/index.html", "localhost")[0] == 405


def test_a_head_is_a_page_without_its_body(still: str) -> None:
    assert answered(still, "HEAD", "/index.html", "localhost") == (200, b"")
    assert answered(still, "HEAD", "/assets/shield.svg", "localhost") == (200, b"")


@pytest.mark.parametrize(
    "path", ["/%00", "/a%00.html", "/%00/", "/%ff.html", "/..%2f..%2fetc/passwd", "/%2e%2e/%2e%2e/x"]
)
def test_a_strange_path_is_no_page(still: str, path: str) -> None:
    assert answered(still, "GET", path, "localhost")[0] == 404


def test_a_used_port_is_said_to_be(still: str, rules: Path) -> None:
    from urllib.parse import urlsplit

    port = str(urlsplit(still).port)
    ran = subprocess.run(
        [sys.executable, "-m", "rulewright", "book", "serve", "--rules", str(rules), "--port", port],
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert ran.returncode == 1
    assert f"port {port} (Address already in use)" in ran.stderr
    assert "Traceback" not in ran.stderr
