"""The development server: it rebuilds the parts affected by edits, and shows errors in the rules as a page."""

from __future__ import annotations

import logging
import os
import posixpath
import re
import tempfile
import time
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from threading import Thread
from typing import Any
from urllib.parse import unquote, urlsplit

from mkdocs.livereload import LiveReloadServer

from rulewright.base.errors import RulewrightError
from rulewright.book.dev_server.incremental_build import LiveSite
from rulewright.book.parts.odds_examples import Weigh
from rulewright.book.parts.template_loader import render
from rulewright.book.site.atomic_swap import open_scratch
from rulewright.book.style.content_security import SERVED
from rulewright.book.style.text_style import escape
from rulewright.ruleset.editions.search_path import search_path
from rulewright.source.diagnostics.diagnostic import Diagnostic
from rulewright.source.diagnostics.formats import text
from rulewright.source.files.file_states import Look, look_into

HOST = "127.0.0.1"
NAMES = frozenset({HOST, "localhost"})
"""The host names of this machine. Other names are refused, because a foreign page could use its own name for this
host.
"""

METHODS = frozenset({"GET", "HEAD"})
POLLING = 0.2
"""The interval between checks of the files, in seconds."""

SETTLING = 0.05
"""How many seconds without a change complete an edit, because an editor may write in several steps."""

PATIENCE = 1.0
"""The maximum number of seconds to wait for an edit to be complete."""

_POLL = "/livereload/"
_HOST = re.compile(r"([A-Za-z0-9.-]+)(?::\d{1,5})?")


class ServeError(RulewrightError):
    """An error that prevents the site from being served, such as a port in use."""


class BookServer(LiveReloadServer):
    """A server for a live site. A request for a stale page waits until that page is rebuilt.

    It uses MkDocs' server for files and for notifications to open pages. Stale pages and waiting requests are tracked
    for each part of the site: each edition, and the front page.
    """

    def __init__(self, site: LiveSite, *, port: int) -> None:
        self.site = site
        super().__init__(lambda: None, HOST, port, str(site.folder))
        self._seen: Look = ()
        self._noticed, self._looked = 1, 0
        """The number of edits noticed, and the number of edits whose stale parts are known."""
        self._requested: Counter[str] = Counter()
        self._epochs: dict[str, int] = {}

    def server_activate(self) -> None:
        super().server_activate()
        # With port 0, the system has chosen the port only now.
        self.url = f"http://{HOST}:{self.server_port}/"
        print(f"The rulebook is at {self.url} and follows your edits. Stop with Ctrl-C.", flush=True)

    # -- following edits -----------------------------------------------------------------

    def _build_loop(self) -> None:
        """Watch the files and build stale parts until the server stops, first those that requests wait for."""
        Thread(target=self._watch, daemon=True).start()
        while not self._shutdown:
            with self._epoch_cond:
                edit = self._noticed if self._looked != self._noticed else None
                requested = {self.site.find_part(path) for path in self._requested}
                part = self.site.choose_next(requested) if edit is None else None
                if edit is None and part is None:
                    self._epoch_cond.wait(self.shutdown_delay)
                    continue
            if edit is not None:
                self._settle()
                self.site.look()
                with self._epoch_cond:
                    self._looked = edit
                    self._epoch_cond.notify_all()
            elif part is not None:
                self.site.build(part)
                self._show(part)

    def _watch(self) -> None:
        while not self._shutdown:
            self._notice()
            time.sleep(POLLING)

    def _notice(self) -> None:
        """Check the files. From now on, no request gets a page that is older than their current state."""
        result = look_into(self.site.paths)
        with self._epoch_cond:
            if result != self._seen:
                self._seen = result
                self._noticed += 1
                self._epoch_cond.notify_all()

    def _settle(self) -> None:
        """Wait until the files have not changed for `SETTLING` seconds, but no longer than `PATIENCE` seconds."""
        end = time.monotonic() + PATIENCE
        before = look_into(self.site.paths)
        while time.monotonic() < end:
            time.sleep(SETTLING)
            now = look_into(self.site.paths)
            if now == before:
                return
            before = now

    def _show(self, part: str) -> None:
        """Publish a rebuilt part: its pages reload, and waiting requests continue."""
        with self._epoch_cond:
            self._visible_epoch = self._wanted_epoch = max(round(time.monotonic() * 1_000), self._visible_epoch + 1)
            self._epochs[part] = self._visible_epoch
            self._epoch_cond.notify_all()

    # -- serving -------------------------------------------------------------------------

    def serve_request(self, environ: dict[str, Any], start_response: Any) -> Iterable[bytes]:
        """Answer a request. Requests with other methods, for other hosts, or with invalid paths are refused."""
        method = environ["REQUEST_METHOD"]
        if method not in METHODS:
            allowed = ("Allow", "GET, HEAD")
            return _refuse(start_response, "405 Method Not Allowed", "This server only shows pages.", allowed)
        if not _is_here(environ.get("HTTP_HOST", "")):
            return _refuse(start_response, "421 Misdirected Request", f"This server only answers at {self.url}.")
        if "\0" in environ["PATH_INFO"]:
            return _refuse(start_response, "404 Not Found", "This page does not exist.")
        request: Iterable[bytes] = super().serve_request(environ, start_response)
        if method == "HEAD":
            getattr(request, "close", lambda: None)()
            return []
        return request

    def _serve_request(self, environ: dict[str, Any], start_response: Any) -> Iterable[bytes] | None:
        """Answer a request for a file of the site, or a poll for newer builds.

        Return None for a missing file other than a page; the base class then answers. Pages and search indexes wait
        until their part is up to date, and polls until there is news or their time is over.
        """
        path = environ["PATH_INFO"].encode("latin-1").decode("utf-8", "ignore")
        if path.startswith(_POLL) and path.endswith(".js"):
            return self._script(path, start_response)
        if path.startswith(_POLL):
            return self._news(path, environ.get("HTTP_REFERER", ""), start_response)
        if path.endswith(("/", ".html")):
            return self._page(path, start_response)
        if "/search/" in path:
            self._fresh(path)
        request: Iterable[bytes] | None = super()._serve_request(environ, start_response)
        return request

    def _fresh(self, path: str) -> tuple[str, int]:
        """Wait until the part of a page is up to date or the server stops. Return the part and its build number."""
        self._notice()
        with self._epoch_cond:
            with self._prioritize(path):
                self._epoch_cond.wait_for(lambda: self._shutdown or self._is_fresh(path))
            part = self.site.find_part(path)
            return part, self._epochs.get(part, self._visible_epoch)

    def _is_fresh(self, path: str) -> bool:
        return self._looked == self._noticed and not self.site.is_stale(self.site.find_part(path))

    @contextmanager
    def _prioritize(self, path: str) -> Iterator[None]:
        """Give priority to a page's part within the block. The caller must hold the lock."""
        self._requested[path] += 1
        self._epoch_cond.notify_all()
        try:
            yield
        finally:
            self._requested[path] -= 1
            if not self._requested[path]:
                del self._requested[path]

    def _page(self, path: str, start_response: Any) -> list[bytes]:
        """Wait until a page is up to date, and answer with it, or with the errors of its part."""
        part, epoch = self._fresh(path)
        faults = self.site.list_faults(part)
        status = "200 OK"
        if faults:
            page = render_fault_page(faults).encode()
        else:
            file = self.site.folder / _inside(path)
            if not file.is_file():
                status, file = "404 Not Found", self.site.find_folder(part) / "404.html"
            page = file.read_bytes() if file.is_file() else b"This page does not exist."
        # The content security policy blocks inline scripts, so this script is a file.
        content = b'%b<script src="%b%d.js"></script>' % (page, _POLL.encode(), epoch)
        headers = [("Content-Type", "text/html; charset=utf-8"), ("Content-Length", str(len(content)))]
        start_response(status, [*headers, ("Cache-Control", "no-store")])
        return [content]

    def _script(self, path: str, start_response: Any) -> list[bytes]:
        """Return the script with which a page of a given build number polls for newer builds."""
        age = path.removeprefix(_POLL).removesuffix(".js")
        inline: bytes = self._inject_js_into_html(b"", int(age) if _is_number(age) else 0)  # type: ignore[no-untyped-call]
        start_response("200 OK", [("Content-Type", "text/javascript; charset=utf-8"), ("Cache-Control", "no-store")])
        return [inline.removeprefix(b"<script>").removesuffix(b"</script>")]

    def _news(self, path: str, page: str, start_response: Any) -> list[bytes]:
        """Answer an open page as soon as its part has been rebuilt, or after the polling timeout.

        The answer is the newest build number of that part. `page` is the address of the page, and `path` has the build
        number that it knows.
        """
        known = path.removeprefix(_POLL).partition("/")[0]
        epoch = int(known) if _is_number(known) else 0
        with self._epoch_cond:
            here = unquote(urlsplit(page).path)
            with self._prioritize(here):
                self._epoch_cond.wait_for(
                    lambda: self._shutdown or self._epoch_of(here) > epoch, timeout=self.poll_response_timeout
                )
            newest = self._epoch_of(here)
        start_response("200 OK", [("Content-Type", "text/plain")])
        return [b"%d" % newest]

    def _epoch_of(self, path: str) -> int:
        return self._epochs.get(self.site.find_part(path), 0)


def _refuse(start_response: Any, status: str, why: str, *headers: tuple[str, str]) -> list[bytes]:
    start_response(status, [("Content-Type", "text/plain; charset=utf-8"), *headers])
    return [f"{why}\n".encode()]


def _is_here(host: str) -> bool:
    """Return whether a request names this machine. Any port is allowed, because the port may be forwarded."""
    named = _HOST.fullmatch(host)
    return named is not None and named[1].lower() in NAMES


def _is_number(text: str) -> bool:
    return text.isascii() and text.isdecimal() and len(text) < 20


def _inside(path: str) -> str:
    """Return a page's file relative to the site. The result never leads out of the site."""
    named = path + "index.html" if path.endswith("/") else path
    return posixpath.normpath("/" + named).lstrip("/")


def serve(rules: Sequence[Path], *, port: int, weigh: Weigh | None = None) -> None:
    """Serve the book of the rules until interrupted, and print its address.

    Raises `DiagnosticError` if a folder in `rules` is missing, and `ServeError` if the port cannot be used.
    """
    paths = search_path([Path(folder) for folder in rules])
    logging.getLogger("mkdocs.livereload").setLevel(logging.ERROR)
    # It holds the site and, next to it, the built files that are not swapped in yet.
    with open_scratch(Path(tempfile.gettempdir()), "rulewright-serve-") as beside:
        folder = beside / "site"
        folder.mkdir()
        server = BookServer(LiveSite(paths, folder, weigh=weigh), port=port)
        try:
            server.serve()  # type: ignore[no-untyped-call]
        except KeyboardInterrupt:
            pass
        except OSError as error:
            reason = os.strerror(error.errno) if error.errno else str(error)
            raise ServeError(
                f"cannot listen on port {port} ({reason}); choose "
                "another with `--port`, or `--port 0` for any free port"
            ) from error
        finally:
            server.shutdown()


def render_fault_page(faults: Sequence[Diagnostic | str]) -> str:
    """Return an HTML page that shows errors of the build. It links to no other file, because none may exist."""
    results = []
    for fault in faults:
        if isinstance(fault, Diagnostic):
            results.append((str(fault.span), fault.code.title, text.render([fault]).rstrip()))
        else:
            results.append(("", "The site could not be built", fault))
    return render(
        "fault.html.j2",
        policy=SERVED,
        faults=[(escape(place), escape(title), escape(message)) for place, title, message in results],
    )
