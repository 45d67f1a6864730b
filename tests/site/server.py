"""A static host as sites have it: text is compressed, and what is not found is answered with the site's own page."""

from __future__ import annotations

import gzip
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread

from tests.site.kinds import SITE

TEXT = ("text/", "application/javascript", "application/json", "application/xml", "image/svg+xml")


class _Host(SimpleHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_GET(self) -> None:
        path = Path(self.translate_path(self.path))
        if path.is_dir():
            path /= "index.html"
        status = 200
        if not path.is_file():
            path, status = Path(self.directory) / SITE / "404.html", 404
        content, kind = path.read_bytes(), self.guess_type(path)
        self.send_response(status)
        if kind.startswith(TEXT):
            content = gzip.compress(content, 6)
            self.send_header("Content-Encoding", "gzip")
            kind += "; charset=utf-8"
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(content)))
        self.send_header("Cache-Control", "max-age=600")
        self.end_headers()
        self.wfile.write(content)

    def log_message(self, format: str, *args: object) -> None:
        """Keep the test's output for the test."""


@contextmanager
def serving(folder: Path) -> Iterator[str]:
    """Serve `folder` on loopback. The address ends in a slash."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(_Host, directory=str(folder)))
    server.daemon_threads = True
    Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}/"
    server.shutdown()
    server.server_close()
