"""What every test may use: the profiles of the property tests, a browser, and a server for built pages."""

from __future__ import annotations

import atexit
import gc
import os
import shutil
import signal
import sys
import tempfile
from collections.abc import Callable, Iterator
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import TYPE_CHECKING

import pytest
from hypothesis import HealthCheck, settings

from tests.browser import CHROMIUM_ARGUMENTS, PATIENCE, find_chromium, open_page

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

# `ci` finds the same few examples every time; `dev` looks for new ones; `thorough` looks for long.
settings.register_profile(
    "ci", derandomize=True, deadline=None, max_examples=30, suppress_health_check=[HealthCheck.too_slow]
)
settings.register_profile("dev", deadline=None)
settings.register_profile("thorough", deadline=None, max_examples=2_000)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "ci" if os.environ.get("CI") else "dev"))

pytest_plugins = ["tests.unchanged"]

# What one test has read of the rules, the others and the programs they start need not read again: all share a cache,
# which is as new as the run and goes with it. Workers are told of it by the process that starts them.
_SHARED_CACHE = "RULEWRIGHT_TESTS_CACHE"
if _SHARED_CACHE not in os.environ:
    os.environ[_SHARED_CACHE] = tempfile.mkdtemp(prefix="rulewright-tests-")
    atexit.register(shutil.rmtree, os.environ[_SHARED_CACHE], ignore_errors=True)
os.environ["RULEWRIGHT_CACHE"] = os.environ[_SHARED_CACHE]
# The secret that signs it goes with it, too.
os.environ["XDG_STATE_HOME"] = os.path.join(os.environ[_SHARED_CACHE], "state")

# Tests start hundreds of programs. Where the environment forbids Python to keep what it has compiled, each of them
# would compile the engine anew, which takes longer than most of them need for what they do.
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
sys.dont_write_bytecode = False

# From 3.14 on, Python colours usage where the environment asks for colours; tests read it as it is without.
os.environ["PYTHON_COLORS"] = "0"

# Trees of rules are made and kept by the hundred thousand, and hold no circles worth looking for so often.
gc.set_threshold(1_000_000, 20, 20)

# Whoever runs the tests in the background may have told them to ignore what programs under test must hear.
for _number, _usual in ((signal.SIGINT, signal.default_int_handler), (signal.SIGHUP, signal.SIG_DFL)):
    if signal.getsignal(_number) is signal.SIG_IGN:
        signal.signal(_number, _usual)


# The files that take longest. They are begun first, so that no worker is left with one of them at the end.
LONGEST = (
    "site/test_keyboard.py",
    "site/test_axe.py",
    "book/test_browser.py",
    "book/hostile/test_hostile_text.py",
    "docs/test_cookbook.py",
    "docs/test_tutorials.py",
    "site/test_pages.py",
    "ruleset/test_mistakes.py",
    "site/test_roller.py",
    "site/test_search.py",
    "site/test_lighthouse.py",
    "project/test_unchanged.py",
    "cli/test_streams.py",
    "site/test_builds.py",
    "docs/test_notebooks.py",
    "site/test_html.py",
    "cli/test_rules_commands.py",
    "book/test_short.py",
    "integrations/test_openspiel.py",
)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Put the longest files first."""
    ranks = {Path(__file__).parent / name: rank for rank, name in enumerate(LONGEST)}
    items.sort(key=lambda item: ranks.get(item.path, len(ranks)))


def pytest_collection_finish() -> None:
    """Freeze what was made until now, so that the garbage collector never looks through it again."""
    gc.collect()
    gc.freeze()


def pytest_addoption(parser: pytest.Parser) -> None:
    """Let a run of the tests that follows another of the same rules look at the site that this one built."""
    parser.addoption("--published", metavar="DIR", help="the folder to build the audited site in, unless it is there")


@pytest.fixture(scope="session")
def host(pytestconfig: pytest.Config, tmp_path_factory: pytest.TempPathFactory, worker_id: str) -> Path:
    """Return the folder of a host that serves the site of every shipped edition below a path."""
    from tests.published import publish_once

    base = tmp_path_factory.getbasetemp()
    shared = (base if worker_id == "master" else base.parent) / "published"
    return publish_once(Path(pytestconfig.getoption("published") or shared).resolve())


@pytest.fixture(scope="session")
def checkout() -> Path:
    """Return the root of the project."""
    return Path(__file__).resolve().parents[1]


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """Yield the system's Chromium, headless, with its own clean profile. Most tests want `page`."""
    from playwright.sync_api import expect, sync_playwright

    expect.set_options(timeout=PATIENCE)
    executable = find_chromium()
    if executable is None:
        pytest.fail("Chromium is not installed: `make browser` installs it on Debian and Ubuntu", pytrace=False)
    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=executable, args=[*CHROMIUM_ARGUMENTS])
        yield chromium
        chromium.close()


@pytest.fixture
def page(browser: Browser) -> Iterator[Page]:
    """Yield an empty page in the browser; the test fails when it asks another host for anything."""
    with open_page(browser) as page:
        yield page


@pytest.fixture(scope="module")
def one_window(browser: Browser) -> Iterator[Page]:
    with open_page(browser) as page:
        yield page


@pytest.fixture
def window(one_window: Page) -> Page:
    """Return a page for visits, the same one for a whole file of tests: to open another takes longer than most visits.

    It remembers nothing of earlier visits. What they asked of other hosts is told when all are done.
    """
    one_window.evaluate("try { localStorage.clear() } catch {}")  # a page without an address has none
    one_window.goto("about:blank")
    one_window.set_viewport_size({"width": 1280, "height": 720})
    one_window.emulate_media(media="null", color_scheme="null", reduced_motion="null")
    return one_window


class _QuietHandler(SimpleHTTPRequestHandler):
    def log_message(self, format: str, *args: object) -> None:
        """Keep the test's output for the test."""


@pytest.fixture
def site_server() -> Iterator[Callable[[Path], str]]:
    """Serve a folder on loopback: `site_server(folder)` returns its address, which ends in a slash."""
    servers: list[ThreadingHTTPServer] = []

    def serve(folder: Path) -> str:
        server = ThreadingHTTPServer(("127.0.0.1", 0), partial(_QuietHandler, directory=str(folder)))
        servers.append(server)
        Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True).start()
        return f"http://127.0.0.1:{server.server_port}/"

    yield serve
    for server in servers:
        server.shutdown()
        server.server_close()
