"""Who is let into the studio: nobody without the printed address, no other origin, no other name."""

from __future__ import annotations

import asyncio
import hashlib
import re
from base64 import b64encode
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from starlette.testclient import TestClient
from starlette.types import Message
from starlette.websockets import WebSocketDisconnect

from rulewright.base.errors import RulewrightError
from rulewright.book.site.atomic_swap import MARK
from rulewright.studio.http.http_app import QUESTIONS, build_app
from rulewright.studio.http.project import Project
from tests.studio.windows import HERE, PORT, TOKEN, Window, window

ELSEWHERE = ["http://evil.example", "https://127.0.0.1:8765", "http://127.0.0.1:8766", "http://localhost:1", "null"]


@pytest.fixture(scope="module")
def studio(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Window]:
    root = tmp_path_factory.mktemp("guard")
    (root / "notes.md").write_text("secret\n")
    with window(root) as opened:
        yield opened


@pytest.fixture
def stranger(studio: Window) -> TestClient:
    """Somebody without a cookie."""
    return TestClient(build_app(studio.studio, token=TOKEN, port=PORT), base_url=HERE, follow_redirects=False)


def test_a_stranger_is_told_how_to_get_in_and_nothing_else(stranger: TestClient) -> None:
    page = stranger.get("/")
    assert page.status_code == 401
    assert "rulewright studio" in page.text
    answer = stranger.get("/api/file", params={"path": "notes.md"})
    assert (answer.status_code, "secret" in answer.text) == (401, False)
    assert answer.json()["error"]["message"]


@pytest.mark.parametrize(
    "path", [*QUESTIONS, "/api/events", "/studio/app.js", "/assets/fonts.css", "/book/x", "/published/"]
)
def test_nothing_is_answered_without_the_token(stranger: TestClient, path: str) -> None:
    for method in ("GET", "POST", "PUT", "DELETE"):
        assert stranger.request(method, path).status_code == 401


@pytest.mark.parametrize("token", ["", "x", TOKEN[:-1], TOKEN + "a", TOKEN.upper(), "é" * 26])
def test_another_token_opens_nothing(stranger: TestClient, token: str) -> None:
    answer = stranger.get("/", params={"token": token})
    assert (answer.status_code, "set-cookie" in answer.headers) == (401, False)
    stranger.cookies.set(f"rulewright-studio-{PORT}", token.encode("ascii", "replace").decode())
    assert stranger.get("/api/folder").status_code == 401


def test_the_address_gives_a_cookie_that_no_script_and_no_other_site_has(stranger: TestClient) -> None:
    answer = stranger.get("/", params={"token": TOKEN})
    assert (answer.status_code, answer.headers["location"]) == (303, "/")
    cookie = answer.headers["set-cookie"]
    assert cookie.startswith(f"rulewright-studio-{PORT}={TOKEN}")
    assert {"HttpOnly", "SameSite=Strict", "Path=/"} <= set(cookie.split("; "))
    assert stranger.get("/api/folder").status_code == 200


@pytest.mark.parametrize("other", ['seen={"a": 1}', "name=a b", "=", "é=ü", f"rulewright-studio-{PORT}=old", "a,b/c=1"])
def test_cookies_of_other_programs_keep_nobody_out(stranger: TestClient, other: str) -> None:
    own = f"rulewright-studio-{PORT}={TOKEN}"
    for line in (f"{other}; {own}", f"{own}; {other}"):
        assert stranger.get("/api/folder", headers={"cookie": line.encode()}).status_code == 200
    assert stranger.get("/api/folder", headers={"cookie": other.encode()}).status_code == 401


@pytest.mark.parametrize(
    "host", ["evil.example", f"evil.example:{PORT}", "127.0.0.1", "127.0.0.1:8766", "", "[::1]:8765"]
)
def test_a_name_that_leads_here_is_not_this_machine(studio: Window, host: str) -> None:
    for path in ("/", "/api/folder", "/api/events"):
        assert studio.client.get(path, headers={"host": host}).status_code == 421


@pytest.mark.parametrize("origin", ELSEWHERE)
def test_no_other_origin_asks_or_writes(studio: Window, origin: str) -> None:
    for method, path in (("GET", "/api/folder"), ("GET", "/api/events"), ("PUT", "/api/file"), ("POST", "/api/undo")):
        answer = studio.client.request(
            method, path, headers={"origin": origin}, json={"path": "a.md", "text": "", "base": None}
        )
        assert answer.status_code == 403
    assert not (studio.studio.root / "a.md").exists()


@pytest.mark.parametrize("origin", ELSEWHERE)
def test_no_other_origin_has_the_language_server(studio: Window, origin: str) -> None:
    with pytest.raises(WebSocketDisconnect), studio.client.websocket_connect("/lsp", headers={"origin": origin}):
        pass


def test_no_stranger_has_the_language_server(stranger: TestClient) -> None:
    with pytest.raises(WebSocketDisconnect), stranger.websocket_connect("/lsp"):
        pass


@pytest.mark.parametrize(
    ("site", "destination", "status"),
    [
        ("same-origin", "empty", 200),
        ("none", "document", 200),
        ("cross-site", "document", 200),  # a link that leads here
        ("cross-site", "script", 403),
        ("same-site", "script", 403),  # a page at another port of this machine
        ("cross-site", "iframe", 403),
    ],
)
def test_a_page_elsewhere_cannot_load_what_is_here(studio: Window, site: str, destination: str, status: int) -> None:
    headers = {"sec-fetch-site": site, "sec-fetch-dest": destination}
    assert studio.client.get("/api/folder", headers=headers).status_code == status


def test_every_answer_says_how_careful_to_be_with_it(studio: Window) -> None:
    for path in ("/api/folder", "/nowhere", "/assets/fonts.css"):
        headers = studio.client.get(path).headers
        assert headers["x-content-type-options"] == "nosniff"
        assert "frame-ancestors" in headers["content-security-policy"]
        assert headers["referrer-policy"] == "no-referrer"


@pytest.mark.parametrize(
    "path",
    [
        "/studio/../docs/index.md",
        "/studio/%2e%2e/docs.yml",
        "/assets/..%2fdocs.yml",
        "/studio//etc/passwd",
        "/assets/%00",
    ],
)
def test_nothing_but_the_page_is_served(studio: Window, path: str) -> None:
    assert studio.client.get(path).status_code == 404


@pytest.mark.parametrize("body", [b"", b"[]", b"{", b'"x"', b"\xff", b"[" * 100_000, b"null"])
def test_what_is_no_question_is_told_so(studio: Window, body: bytes) -> None:
    answer = studio.client.put("/api/file", content=body)
    assert answer.status_code == 400
    assert answer.json()["error"]["message"]


def test_more_than_can_be_taken_in_is_refused(studio: Window) -> None:
    answer = studio.client.post("/api/undo", content=b" " * (9 * 1024 * 1024))
    assert answer.status_code == 413


def test_a_window_that_is_closed_while_it_asks_is_no_fault(studio: Window, capfd: pytest.CaptureFixture[str]) -> None:
    own = f"rulewright-studio-{PORT}={TOKEN}".encode()
    scope = {
        "type": "http",
        "method": "PUT",
        "path": "/api/file",
        "query_string": b"",
        "headers": [(b"host", f"127.0.0.1:{PORT}".encode()), (b"cookie", own)],
        "state": {},
    }
    parts = iter([{"type": "http.request", "body": b'{"path":', "more_body": True}, {"type": "http.disconnect"}])
    messages: list[Message] = []

    async def receive() -> Message:
        return next(parts)

    async def send(message: Message) -> None:
        messages.append(message)

    app = build_app(studio.studio, token=TOKEN, port=PORT)
    with ThreadPoolExecutor(1) as elsewhere:  # a browser of other tests may have a loop that runs in this thread
        elsewhere.submit(lambda: asyncio.run(app(scope, receive, send))).result()
    assert [each.get("status") for each in messages if each["type"] == "http.response.start"] == [400]
    assert capfd.readouterr().err == ""


def test_who_comes_by_a_link_of_another_site_goes_in_from_the_door(stranger: TestClient) -> None:
    """A browser leaves the cookie out then. The door runs its own line and nothing else, and takes the link along."""
    page = stranger.get("/")
    (script,) = re.findall(r"<script>(.*?)</script>", page.text)
    allowed = b64encode(hashlib.sha256(script.encode()).digest()).decode()
    assert f"script-src 'sha256-{allowed}';" in page.headers["content-security-policy"]
    assert 'href="/?"' in page.text
    assert "location.hash" in script


def test_a_folder_that_cannot_be_used_is_told_of(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    for folder, said in ((tmp_path / "file", "is a file"), (tmp_path / "file" / "below", "cannot be written")):
        with pytest.raises(RulewrightError, match=said):
            Project(folder).open()


def test_what_only_looks_like_a_book_is_not_served(studio: Window) -> None:
    """Rules of somebody else may come in a folder of this name, and a drawing in them is a page of this origin."""
    folder = studio.studio.root / "published"
    folder.mkdir()
    (folder / "x.svg").write_text("<svg xmlns='http://www.w3.org/2000/svg'><script>alert(1)</script></svg>")
    assert studio.client.get("/published/x.svg").status_code == 404
    (folder / MARK).write_text("")
    assert studio.client.get("/published/x.svg").status_code == 404
    studio.studio.released.books["garden/mine@1.0.0"] = "built here"
    answer = studio.client.get("/published/x.svg")
    assert (answer.status_code, "sandbox" in answer.headers["content-security-policy"]) == (200, True)
    assert studio.client.get("/published/../notes.md").status_code == 404
    assert studio.client.get(f"/published/{MARK}/..%2f..%2fnotes.md").status_code == 404


def test_who_comes_by_a_file_is_led_on_by_a_page_of_this_origin(stranger: TestClient) -> None:
    """A cookie that is strict is not brought where a page of another origin leads, and a file is one."""
    answer = stranger.get(
        "/", params={"token": TOKEN}, headers={"sec-fetch-site": "cross-site", "sec-fetch-dest": "document"}
    )
    assert answer.status_code == 200
    assert "set-cookie" in answer.headers
    assert TOKEN not in answer.text
    assert answer.headers["content-security-policy"].startswith("default-src 'none'")
