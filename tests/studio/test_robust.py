"""No request, however senseless, ends the server; what it says is of the request, and it goes on."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from threading import Thread
from typing import Any

import pytest

from rulewright.lsp.server.protocol_types import find_path
from tests.studio.client import Editor, at

ASKED = (
    *("hover", "definition", "references", "documentHighlight", "documentSymbol", "foldingRange", "completion"),
    *("signatureHelp", "prepareRename", "rename", "codeAction", "inlayHint", "semanticTokens/full"),
    *("codeLens", "formatting", "prepareCallHierarchy"),
)
CANCELLED = -32800
NOWHERE = {"line": 10**6, "character": 10**6}


@pytest.fixture(scope="module")
def editor(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Editor]:
    root = tmp_path_factory.mktemp("empty")
    manifest = "ruleset: a/b\nversion: 1.0.0\ntitle: B\nabout: C.\n"
    (root / "ruleset.yaml").write_text(manifest, encoding="utf-8")
    with Editor(root) as opened:
        opened.open(root / "ruleset.yaml")
        opened.open(root / "rules.yaml", "numbers: {a: {is: 1, means: One.}}\n")
        opened.checked()
        yield opened


def alive(editor: Editor) -> bool:
    return isinstance(editor.ask("workspace/symbol", {"query": ""}), list)


@pytest.mark.parametrize("method", ASKED)
@pytest.mark.parametrize(
    "uri", ["rules.yaml", "ruleset.yaml", "gone.yaml", "untitled:One", "http://x/y.yaml", "", "file:///%00.yaml"]
)
def test_any_place_of_any_file(editor: Editor, method: str, uri: str) -> None:
    root = Path(next(iter(editor.versions)).removeprefix("file://")).parent
    named = (root / uri).as_uri() if uri.endswith(".yaml") and ":" not in uri else uri
    span = {"start": {"line": 0, "character": 3}, "end": NOWHERE}
    for position in ({"line": 0, "character": 0}, NOWHERE):
        params: dict[str, Any] = {"textDocument": {"uri": named}, "position": position, "newName": "x", "range": span}
        params["options"] = {"tabSize": 2, "insertSpaces": True}
        params["context"] = {"diagnostics": [], "includeDeclaration": True, "triggerKind": 1, "isRetrigger": False}
        answer = editor.answer(f"textDocument/{method}", params)
        if "error" in answer:
            assert method in ("rename", "prepareRename"), answer
    assert alive(editor)


@pytest.mark.parametrize(
    "params", [None, [], {}, {"textDocument": 3}, {"textDocument": {"uri": None}, "position": "here"}]
)
def test_requests_of_no_form(editor: Editor, params: Any) -> None:
    assert "error" in editor.answer("textDocument/hover", params)
    editor.tell("textDocument/didChange", params)
    assert alive(editor)


def test_a_text_that_is_none_of_rules_is_left_alone(editor: Editor, tmp_path: Path) -> None:
    path = tmp_path / "compose.yaml"
    editor.open(path, "services: {web: {image: nginx}}\nnum\n")
    editor.checked()
    asked = {"textDocument": {"uri": path.as_uri()}, "position": {"line": 1, "character": 3}}
    assert editor.ask("textDocument/completion", asked)["items"] == []
    assert editor.ask("textDocument/documentSymbol", asked) == []
    assert editor.shown.get(path.as_uri(), []) == []
    editor.close(path)
    editor.checked()


def test_messages_of_no_form(editor: Editor) -> None:
    for body in (b"[]", b"3", b'{"jsonrpc": "2.0"}', b"{", b"\xff\xfe"):
        editor.write(body)
    assert "error" in editor.answer("nobody/asksThis", {})
    assert alive(editor)


def test_an_answer_of_no_form_leaves_nobody_waiting(editor: Editor) -> None:
    root = Path(next(iter(editor.versions)).removeprefix("file://")).parent
    path = root / "asking.yaml"
    editor.open(path, "procedures: {ask: {title: Ask, steps: [{id: how, choose: {who: players[0], from: [a, b]}}]}}\n")
    editor.checked()
    editor.replies["window/showMessageRequest"] = lambda _: ["nothing", 3]
    asked = {"command": "rulewright.run", "arguments": [path.as_uri(), "procedures", "ask"]}
    editor.answer("workspace/executeCommand", asked)
    editor.close(path)
    editor.checked()
    assert alive(editor)


ODD: list[Any] = ["\ud800", "a\udfff", float("inf"), float("nan"), 2**70, -1, 1.5, True, None, [], {}, "x", [[[]]]]


def test_values_of_no_form(tmp_path: Path) -> None:
    (tmp_path / "ruleset.yaml").write_text("ruleset: a/b\nversion: 1.0.0\ntitle: B\nabout: C.\n", encoding="utf-8")
    rules = tmp_path / "rules.yaml"
    printed: list[bytes] = []
    with Editor(tmp_path) as editor:
        assert editor.program.stderr is not None
        # Read as it comes: a server that prints much would wait for whoever reads nothing.
        reader = Thread(target=lambda stream: printed.append(stream.read()), args=[editor.program.stderr])
        reader.start()
        editor.open(rules, "numbers: {a: {is: 1, means: One.}}\n")
        assert editor.checked() == 0
        for odd in ODD:
            document = {"uri": rules.as_uri()}
            for position in ({"line": odd, "character": 0}, {"line": 0, "character": odd}):
                editor.answer("textDocument/hover", {"textDocument": document, "position": position})
            editor.answer("workspace/symbol", {"query": odd})
            editor.answer("workspace/executeCommand", {"command": "rulewright.run", "arguments": [odd, odd, odd]})
            change = {"textDocument": {**document, "version": odd}, "contentChanges": [{"text": odd}]}
            editor.tell("textDocument/didChange", change)
            editor.tell("textDocument/didOpen", {"textDocument": {**document, "uri": odd, "languageId": odd}})
            assert alive(editor)
        editor.versions[rules.as_uri()] = 20
        editor.type(rules, "numbers: {a: {is: 1, means: One.}}\n")
        assert editor.checked() == 0
        assert editor.leave() == 0
        reader.join(60)
        assert printed == [b""]


def test_half_a_letter_is_named_where_it_stands(editor: Editor) -> None:
    path = Path(next(uri for uri in editor.versions if uri.endswith("/rules.yaml")).removeprefix("file://"))
    text = "numbers: {a: {is: 1, means: '\ud83c\udff0 Two \ud800.'}}\n"
    editor.type(path, text)
    assert editor.checked() == 1
    (diagnostic,) = editor.shown[path.as_uri()]
    assert "half of a surrogate pair" in diagnostic["message"]
    assert diagnostic["range"]["start"]["character"] == text.index("\ud800")  # two halves of the castle stand before it
    editor.type(path, "numbers: {a: {is: 1, means: One.}}\n")
    assert editor.checked() == 0


def test_texts_of_no_form(editor: Editor) -> None:
    path = Path(next(uri for uri in editor.versions if uri.endswith("/rules.yaml")).removeprefix("file://"))
    for text in ("", "\0", "a: &b *b", "- " * 100, "\x85\u2028: 🏰", "x" * 2_000_000):
        editor.type(path, text)
        editor.checked()
        assert alive(editor)
    editor.type(path, "numbers: {a: {is: 1, means: One.}}\n")
    assert editor.checked() == 0


def test_nothing_is_printed_of_what_is_taken_back_too_late(tmp_path: Path) -> None:
    with Editor(tmp_path) as editor:
        editor.ask("workspace/symbol", {"query": ""})
        for identity in (1, 10**6, "never asked"):
            editor.tell("$/cancelRequest", {"id": identity})
        assert editor.leave() == 0
        assert editor.program.stderr is not None
        assert editor.program.stderr.read() == b""


def test_a_folder_that_is_opened_later_is_looked_through_and_one_that_is_closed_no_more(tmp_path: Path) -> None:
    below, above = tmp_path / "below", tmp_path / "above"
    for folder, more in ((below, ""), (above, "extends: far/below@1\n")):
        folder.mkdir()
        manifest = f"ruleset: far/{folder.name}\nversion: 1.0.0\ntitle: {folder.name}\nabout: C.\n{more}"
        (folder / "ruleset.yaml").write_text(manifest, encoding="utf-8")
        (folder / "rules.yaml").write_text(f"numbers: {{{folder.name}: {{is: 1, means: One.}}}}\n", encoding="utf-8")
    elsewhere = {"uri": (tmp_path / "below").as_uri(), "name": "below"}
    with Editor(above, capabilities={"workspace": {"workspaceFolders": True}}) as editor:
        editor.open(above / "rules.yaml")
        assert editor.checked() == 1
        for added, removed, errors in (([elsewhere], [], 0), ([], [elsewhere], 1)):
            event = {"added": added, "removed": removed}
            editor.tell("workspace/didChangeWorkspaceFolders", {"event": event})
            assert editor.checked() == errors


def test_nothing_is_printed_of_what_is_refused(tmp_path: Path) -> None:
    (tmp_path / "ruleset.yaml").write_text("ruleset: a/b\nversion: 1.0.0\ntitle: B\nabout: C.\n", encoding="utf-8")
    rules = tmp_path / "rules.yaml"
    with Editor(tmp_path) as editor:
        editor.open(rules, "numbers: {a: {is: 1, means: One.}}\n")
        assert editor.checked() == 0
        asked = {"textDocument": {"uri": rules.as_uri()}, "position": {"line": 0, "character": 10}, "newName": "A B"}
        assert "not a valid name" in editor.answer("textDocument/rename", asked)["error"]["message"]
        command = {"command": "rulewright.run", "arguments": [rules.as_uri(), "procedures", "none"]}
        assert "there is no such code lens" in editor.answer("workspace/executeCommand", command)["error"]["message"]
        assert editor.leave() == 0
        assert editor.program.stderr is not None
        assert editor.program.stderr.read() == b""


def test_what_is_offered_may_be_taken_back_while_it_waits_for_a_check(tmp_path: Path) -> None:
    (tmp_path / "ruleset.yaml").write_text("ruleset: a/b\nversion: 1.0.0\ntitle: B\nabout: C.\n", encoding="utf-8")
    rules = tmp_path / "rules.yaml"
    place = {"line": 0, "character": 0}
    asked = {"textDocument": {"uri": rules.as_uri()}, "range": {"start": place, "end": place}}
    with Editor(tmp_path) as editor:
        editor.open(rules, "numbers: {a: 1}\n")
        params = {**asked, "context": {"diagnostics": []}}
        editor.send({"jsonrpc": "2.0", "id": 99, "method": "textDocument/codeAction", "params": params})
        editor.tell("$/cancelRequest", {"id": 99})
        while (message := editor.read()).get("id") != 99:
            pass
        assert message["error"]["code"] == CANCELLED
        assert editor.checked() == 0
        assert editor.ask("textDocument/codeAction", params) == []
        assert editor.leave() == 0


SOUND = "numbers:\n  pace: {is: 3, means: Steps.}\n  race: {is: pace, means: The same.}\n"


ASKED_AT_ONCE = ["rename", "prepareRename", "references", "definition", "documentHighlight", "hover"]


@pytest.mark.parametrize("method", ASKED_AT_ONCE)
def test_what_is_asked_straight_after_opening_waits_for_the_first_check(method: str, tmp_path: Path) -> None:
    (tmp_path / "ruleset.yaml").write_text("ruleset: a/b\nversion: 1.0.0\ntitle: B\nabout: C.\n", encoding="utf-8")
    rules = tmp_path / "rules.yaml"
    rules.write_text(SOUND, encoding="utf-8")
    asked = {**at(rules, SOUND, "pace", into=1), "newName": "gait", "context": {"includeDeclaration": True}}
    with Editor(tmp_path) as editor:
        editor.open(rules)
        straight = editor.ask(f"textDocument/{method}", asked)
        assert editor.checked() == 0
        assert straight
        assert straight == editor.ask(f"textDocument/{method}", asked)


@pytest.mark.parametrize("here", ["file://localhost/", "file:/", "FILE:///", "file://LOCALHOST/"])
def test_each_spelling_of_a_file_of_this_machine_is_known(here: str, tmp_path: Path) -> None:
    (tmp_path / "ruleset.yaml").write_text("ruleset: a/b\nversion: 1.0.0\ntitle: B\nabout: C.\n", encoding="utf-8")
    rules = tmp_path / "rules.yaml"
    rules.write_text(SOUND, encoding="utf-8")
    uri = rules.as_uri().replace("file:///", here)
    with Editor(None) as editor:
        folder = {"uri": tmp_path.as_uri().replace("file:///", here), "name": "rules"}
        editor.tell("workspace/didChangeWorkspaceFolders", {"event": {"added": [folder], "removed": []}})
        typed = SOUND.replace("is: pace", "is: paces")
        document = {"uri": uri, "languageId": "yaml", "version": 1, "text": typed}
        editor.versions[uri] = 1
        editor.tell("textDocument/didOpen", {"textDocument": document})
        assert editor.checked() == 1
        assert [each["severity"] for each in editor.shown[uri]][:1] == [1]
        place = at(rules, typed, "pace", into=1)["position"]
        assert editor.ask("textDocument/hover", {"textDocument": {"uri": uri}, "position": place})


def test_a_file_of_another_machine_is_none_of_this_one() -> None:
    assert find_path("file://elsewhere/tmp/rules.yaml") != find_path("file:///tmp/rules.yaml")
