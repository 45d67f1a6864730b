"""A window of the studio, as far as its server sees one."""

from __future__ import annotations

import base64
import json
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from starlette.testclient import TestClient

from rulewright.studio.http.http_app import build_app
from rulewright.studio.http.project import Project

TOKEN = "abcdefghijklmnopqrstuvwxyz"
PORT = 8765
HERE = f"http://127.0.0.1:{PORT}"


class Window:
    """Asks what a page asks. Answers that are no 200 come back with their status under `status`."""

    def __init__(self, client: TestClient, studio: Project) -> None:
        self.client, self.studio = client, studio

    def get(self, address: str, /, **named: Any) -> Any:
        return self._said(self.client.get(address, params=named))

    def post(self, address: str, /, **value: Any) -> Any:
        return self._said(self.client.post(address, content=json.dumps(value)))

    def put(self, path: object, text: object, base: object, /, **more: Any) -> Any:
        said = {"path": path, "text": text, "base": base, **more}
        return self._said(self.client.put("/api/file", content=json.dumps(said)))

    def text(self, path: str) -> str:
        text: str = self.get("/api/file", path=path)["text"]
        return text

    def version(self, path: str) -> str:
        version: str = self.get("/api/file", path=path)["version"]
        return version

    @staticmethod
    def _said(answer: Any) -> Any:
        said = answer.json()
        return said if answer.status_code == 200 else {**said, "status": answer.status_code}


@contextmanager
def window(root: Path) -> Iterator[Window]:
    """Open a studio of a folder without a server; nothing watches the folder but the caller."""
    studio = Project(root, every=3_600, quiet=3_600)
    studio.open()
    with TestClient(build_app(studio, token=TOKEN, port=PORT), base_url=HERE, follow_redirects=False) as client:
        client.get("/", params={"token": TOKEN})
        yield Window(client, studio)


def said_by(fragment: str) -> dict[str, Any]:
    """Return what a link says behind its #, read by nothing of the project's own."""
    text = fragment.partition("=1.")[2]
    data: dict[str, Any] = json.loads(zlib.decompress(base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))))
    return data
