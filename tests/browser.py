"""The system's Chromium, and pages in it that may talk to this machine alone."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page, Request

CHROMIUM_NAMES = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
"""The one without windows first: it draws and prints the same for a fifth less of the processor's time."""
CHROMIUM_ARGUMENTS = (
    "--headless",
    "--no-sandbox",  # Chromium refuses to run as root in its sandbox, and containers are root
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",  # the browser of its own accord asks no other host either
    "--disable-component-update",
    "--disable-sync",
    "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1",  # whatever a page asks elsewhere leads nowhere
)

PATIENCE = 60_000
"""Milliseconds until a state that does not come is a fault. Nothing waits so long for what comes."""


def find_chromium() -> str | None:
    """Return the path of the system's Chromium, or None."""
    return next(filter(None, map(shutil.which, CHROMIUM_NAMES)), None)


@contextmanager
def open_page(browser: Browser) -> Iterator[Page]:
    """Open an empty page without history; a request to another host fails, and is an AssertionError at the end."""
    # Pages as they come from their host; what a worker keeps of them is looked at in test_offline.
    context = browser.new_context(service_workers="block")
    strangers: list[str] = []

    def remember(request: Request) -> None:
        if _is_elsewhere(request.url):
            strangers.append(request.url)

    context.on("request", remember)
    yield context.new_page()
    context.close()
    assert not strangers, f"the page asked other hosts for {strangers}"


def _is_elsewhere(url: str) -> bool:
    address = urlsplit(url)
    return address.scheme not in {"file", "data", "blob", "about"} and address.hostname != "127.0.0.1"
