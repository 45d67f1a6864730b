"""The live view: rebuilds what an edit touches, and shows what is wrong with the rules as a page."""

from __future__ import annotations

import logging
import shutil
import tempfile
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from mkdocs.livereload import LiveReloadServer

from rulewright.book.chances import Weigh
from rulewright.book.fault_page import fault_page
from rulewright.book.live import LiveSite
from rulewright.ruleset.search_path import search_path

HOST = "127.0.0.1"
POLLING = 0.3
"""Seconds between two looks at the files."""


class BookServer(LiveReloadServer):
    """Serves a live site; an edition whose rules are broken answers with what is wrong with them."""

    def __init__(self, site: LiveSite, *, port: int) -> None:
        self.site = site
        super().__init__(site.refresh, HOST, port, str(site.folder), polling_interval=POLLING)

    def server_activate(self) -> None:
        super().server_activate()
        # The port is known only now where any would do.
        self.url = f"http://{HOST}:{self.server_port}/"
        print(f"The rulebook is at {self.url} and follows your edits. Stop with Ctrl-C.", flush=True)

    def _serve_request(self, environ: dict[str, Any], start_response: Any) -> Iterable[bytes] | None:
        path = environ["PATH_INFO"].encode("latin-1").decode("utf-8", "ignore")
        if not path.startswith("/livereload/") and path.endswith(("/", ".html")):
            with self._epoch_cond:
                self._epoch_cond.wait_for(lambda: self._visible_epoch == self._wanted_epoch)
                epoch = self._visible_epoch
            faults = self.site.faults_of(path.strip("/").partition("/")[0])
            if faults:
                page = fault_page(faults).encode()
                content: bytes = self._inject_js_into_html(page, epoch)  # type: ignore[no-untyped-call]
                headers = [("Content-Type", "text/html; charset=utf-8"), ("Content-Length", str(len(content)))]
                start_response("200 OK", [*headers, ("Cache-Control", "no-store")])
                return [content]
        found: Iterable[bytes] | None = super()._serve_request(environ, start_response)
        return found


def serve(rules: Sequence[Path], *, port: int, weigh: Weigh | None = None) -> None:
    """Serve until interrupted. Raises `DiagnosticError` if a folder that is named is missing."""
    paths = search_path([Path(folder) for folder in rules])
    logging.getLogger("mkdocs.livereload").setLevel(logging.ERROR)
    folder = Path(tempfile.mkdtemp(prefix="rulewright-serve-"))
    try:
        site = LiveSite(paths, folder, weigh=weigh)
        site.refresh()
        server = BookServer(site, port=port)
        for path in paths:
            server.watch(str(path))
        try:
            server.serve()  # type: ignore[no-untyped-call]
        except KeyboardInterrupt:
            pass
        finally:
            server.shutdown()
    finally:
        shutil.rmtree(folder, ignore_errors=True)
