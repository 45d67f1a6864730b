"""Whatever a page asks, it is answered in words: no question, however odd, is a fault of the program."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from itertools import count
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from rulewright.studio.http.http_app import QUESTIONS
from tests.studio.windows import Window, window

MANIFEST = "ruleset: house/ours\nversion: 0.1.0\nextends: pig/classic@1.0\ntitle: Ours\nstatus: draft\n"
REF = "house/ours@0.1.0"

DEEP: Any = 0
for _ in range(400):
    DEEP = [DEEP]

ODD = [
    "",
    " ",
    "\0",
    "a\0b",
    "..",
    "../x",
    "/",
    "/etc/passwd",
    "C:\\x",
    "\ud800",
    "a\udfffb.yaml",
    "x" * 5_000,
    "ä" * 200,
]
ODD += [
    f"{'d/' * 300}x.yaml",
    "rules.yaml/x.yaml",
    "con",
    "a\nb",
    "git:" + "0" * 40 + ":\0",
    "edition:\ud800",
    "nothing:",
]
ODD += [
    "example:pig/classic@1.0.0:\0",
    "recipe:../x",
    f"recipe:{'y' * 5_000}",
    "%00",
    "#rules=AAAA",
    "pig/classic@1.0.0/x",
]
KNOWN = [
    "rules.yaml",
    "ruleset.yaml",
    REF,
    "nothing",
    "edition:pig/classic@1.0.0",
    "recipe:x",
    "new",
    "new.yaml",
    "1.0.0",
]
FIELDS = ["path", "text", "base", "to", "id", "ref", "folder", "title", "fragment", "step", "choice", "texts", "seen"]
FIELDS += [
    "line",
    "column",
    "write",
    "words",
    "group",
    "uri",
    "wait",
    "bots",
    "budget",
    "page",
    "name",
    "record",
    "file",
]
FIELDS += ["given", "dice", "choose", "options", "players", "procedure", "zip", "version", "panel", "asked", "thing"]

values = st.recursive(
    st.one_of(
        st.sampled_from([*ODD, *KNOWN]),
        st.sampled_from([None, True, False, 0, -1, 1, 2**70, -(2**70), 1.5, 1e308, float("inf"), float("nan")]),
        st.text(st.characters(), max_size=8),
        st.just(DEEP),
    ),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from([*FIELDS, *ODD]), inner, max_size=3),
    max_leaves=5,
)
SOUND: dict[str, Any] = {
    "path": "rules.yaml",
    "base": None,
    "to": "other.yaml",
    "text": "numbers: {}\n",
    "id": "nothing",
}
SOUND |= {
    "ref": REF,
    "folder": "new",
    "title": "New",
    "line": 1,
    "column": 1,
    "texts": ["goal.winning"],
    "choice": "1.0.0",
}
SOUND |= {"bots": ["random"], "budget": {"games": 1}, "seen": {f"{REF}/rules.yaml": "0" * 64}}
# What is sound but for a field or two gets further in than what is not sound at all.
bodies = st.builds(
    lambda odd, left: {key: each for key, each in {**SOUND, **odd}.items() if key not in left},
    st.dictionaries(st.sampled_from(FIELDS), values, min_size=1, max_size=3),
    st.sets(st.sampled_from(list(SOUND)), max_size=2),
)

ASKED = [
    (method, path.replace("{panel}", panel).replace("{step}", step))
    for path, answers in QUESTIONS.items()
    for method in answers
    # A game in the background, or thousands of them, is tried elsewhere.
    for panel in (["odds", "try", "none"] if "{panel}" in path else ["-"])
    for step in (["lock"] if "{step}" in path else ["-"])
]


NUMBERS = count()


@pytest.fixture(scope="module")
def here(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Window]:
    folder = tmp_path_factory.mktemp("nasty")
    (folder / "ruleset.yaml").write_text(MANIFEST)
    (folder / "rules.yaml").write_text("numbers: {goal: 50}\n")
    with window(folder) as opened:
        yield opened


def expect_no_failure(here: Window, method: str, address: str, content: bytes | None = None) -> None:
    answer = here.client.request(method, address, content=content)
    assert answer.status_code < 500, (method, address[:200], content, answer.text[:1_000])
    if answer.status_code >= 400:
        message = answer.json()["error"]["message"]
        assert message
        assert "Traceback" not in message


def query_of(body: dict[str, Any]) -> str:
    texts = {key: each if isinstance(each, str) else json.dumps(each) for key, each in body.items()}
    return "&".join(f"{key}={quote(each.encode(errors='surrogatepass'))[:2_000]}" for key, each in texts.items())


@pytest.mark.parametrize(("method", "address"), ASKED)
@settings(max_examples=12, deadline=None, derandomize=True, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(body=bodies)
def test_no_question_is_a_fault(here: Window, method: str, address: str, body: dict[str, Any]) -> None:
    if body.get("folder") == "new":
        body["folder"] = f"new{next(NUMBERS)}"
    if method == "GET":
        expect_no_failure(here, method, f"{address}?{query_of(body)}")
    else:
        expect_no_failure(here, method, address, json.dumps(body).encode())


NO_VALUES = [b'"\\ud800"', b'"\xed\xa0\x80"', b'{"a": ["\\udfff!"]}', b"NaN", b"-Infinity", b"1e999"]
"""JSON as Python reads it, and no text or number that a file or an answer can hold."""


@pytest.mark.parametrize(("method", "address"), [each for each in ASKED if each[0] != "GET"])
def test_what_no_answer_can_hold_is_refused_wherever_it_is_asked(here: Window, method: str, address: str) -> None:
    for field in ("procedure", "seed", "given", "path", "anything"):
        for value in NO_VALUES:
            rest = json.dumps({key: each for key, each in SOUND.items() if key != field}).encode()
            content = rest[:-1] + b', "%b": %b}' % (field.encode(), value)
            answer = here.client.request(method, address, content=content)
            assert answer.status_code == 400, (content, answer.text[:500])
            assert "is not valid JSON" in answer.json()["error"]["message"]


def test_a_whole_letter_may_be_written_as_two_halves(here: Window) -> None:
    content = b'{"path": "rules.yaml", "ref": "%b", "procedure": "\\ud83c\\udff0"}' % REF.encode()
    answer = here.client.post("/api/panel/try", content=content)
    assert answer.status_code == 422
    assert "\N{EUROPEAN CASTLE}" in answer.json()["error"]["message"]


@pytest.mark.skipif(os.name == "nt", reason="every file name is text there")
def test_a_file_whose_name_is_no_text_takes_nothing_down(tmp_path: Path) -> None:
    (tmp_path / "ruleset.yaml").write_text(MANIFEST)
    (tmp_path / "rules.yaml").write_text("numbers: {goal: 50}\n")
    odd = os.fsdecode(b"\xff")
    (tmp_path / odd).mkdir()
    (tmp_path / odd / "ruleset.yaml").write_text(MANIFEST.replace("ours", "odd"))
    (tmp_path / f"{odd}.yaml").write_text("numbers: {\n")
    with window(tmp_path) as opened:
        for method, address in ASKED:
            if method == "GET":
                expect_no_failure(opened, method, f"{address}?{query_of(SOUND)}")
            else:
                expect_no_failure(opened, method, address, json.dumps(SOUND).encode())
        assert "\N{REPLACEMENT CHARACTER}" in opened.client.get("/api/folder").text


@pytest.mark.parametrize("address", ["/api/undo", "/api/panel/odds", "/api/start"])
def test_what_is_no_json_object_is_refused(here: Window, address: str) -> None:
    for content in (b"\0", b"\xff\xfe", b"[]", b"null", b"7", b'"x"', b"{", b"[" * 100_000, b'{"a":' * 10_000):
        assert here.client.post(address, content=content).status_code == 400, content[:20]
    expect_no_failure(here, "POST", address, b'{"id": ' + b"9" * 10_000 + b"}")


@pytest.mark.parametrize("start", ["nothing", "edition:pig/classic@1.0.0", "recipe:", "example:"])
def test_a_title_is_written_whole_or_not(here: Window, start: str) -> None:
    groups = here.get("/api/starts", wait="1")["groups"]
    known = next(each["id"] for group in groups for each in group["starts"] if each["id"].startswith(start))
    for title in ("\ud800", "a\udfffb", "a\0", "\x07", "\x9f", "\ufeffa", "\ufffe"):
        assert here.post("/api/start", id=known, folder="titled", title=title)["status"] == 400, ascii(title)
    assert not (here.studio.root / "titled").exists()
    for title in ('"q"\\', "a: b # c", "- {x}", "x" * 5_000, "a\u2028b\x85c", "👩\u200d🚀"):
        response = here.post("/api/start", id=known, folder=f"titled{next(NUMBERS)}", title=title)
        assert response["ref"] is not None, ascii(title)


@pytest.mark.parametrize("top", ["studio", "assets", "book", "published", "api", "api/panel", "api/release", "none"])
def test_no_address_is_a_fault(here: Window, top: str) -> None:
    names = [quote(each.encode(errors="surrogatepass")) for each in ODD]
    for name in (*names, "%ed%a0%80", "%ff", "%2e%2e%2f%2e%2e%2f%2e%2e%2f%2e%2e%2fetc%2fpasswd", "%00", "a%00b"):
        for method in ("GET", "POST"):
            expect_no_failure(here, method, f"/{top}/{name}")
