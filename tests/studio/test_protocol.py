"""Every message of the language server has the form of the protocol, by the types that its makers publish."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from lsprotocol import types
from lsprotocol.converters import get_converter

from tests.studio.client import Editor, at

MANIFEST = "ruleset: a/b\nversion: 1.0.0\ntitle: B\nabout: C.\n"
TEXT = """\
numbers:
  goal: {is: 6, means: The goal.}
  twice: {is: 2 * goal, means: Twice the goal.}
procedures:
  ask:
    title: Ask
    steps:
      - {id: throw, roll: 1d6 + goal}
      - {id: more, do: again}
  again:
    title: Again
    steps: [{id: last, roll: 2d6}]
"""
AT = ("hover", "definition", "references", "documentHighlight", "completion", "signatureHelp", "prepareRename")
OF_A_FILE = ("documentSymbol", "foldingRange", "semanticTokens/full", "codeLens", "formatting", "inlayHint")


def structure(method: str, message: dict[str, Any], *, is_answer: bool) -> Any:
    """Return a message as an object of the published types. Raises for one of another form."""
    known: Any = types.METHOD_TO_TYPES[method]
    return get_converter().structure(message, known[1] if is_answer else known[0])


@pytest.mark.parametrize("encoding", ["utf-8", "utf-16", "utf-32"])
def test_every_message_has_the_published_form(tmp_path: Path, encoding: str) -> None:
    (tmp_path / "ruleset.yaml").write_text(MANIFEST, encoding="utf-8")
    rules = tmp_path / "rules.yaml"
    watching = {"didChangeWatchedFiles": {"dynamicRegistration": True}}
    rename = {"rename": {"prepareSupport": True}}
    capabilities = {"workspace": watching, "textDocument": rename, "general": {"positionEncodings": [encoding]}}
    with Editor(tmp_path, capabilities=capabilities) as editor:
        begun = structure("initialize", {"id": 0, "jsonrpc": "2.0", "result": editor.server}, is_answer=True)
        assert begun.result.capabilities.position_encoding == encoding
        assert begun.result.capabilities.rename_provider.prepare_provider
        editor.open(rules, TEXT)
        assert editor.checked() == 0
        whole = {"start": {"line": 0, "character": 0}, "end": {"line": 99, "character": 0}}
        more = {"options": {"tabSize": 2, "insertSpaces": True}, "newName": "other", "range": whole}
        more["context"] = {"diagnostics": [], "includeDeclaration": True, "triggerKind": 1, "isRetrigger": False}
        asked = [f"textDocument/{name}" for name in (*AT, *OF_A_FILE, "rename", "codeAction", "prepareCallHierarchy")]
        for mark in ("goal}", "2d6", "again}", "Ask"):
            place = at(rules, TEXT, mark, into=1)
            for method in asked:
                structure(method, editor.answer(method, {**place, **more}), is_answer=True)
            for item in editor.answer("textDocument/prepareCallHierarchy", place)["result"] or ():
                for method in ("callHierarchy/incomingCalls", "callHierarchy/outgoingCalls"):
                    assert structure(method, editor.answer(method, {"item": item}), is_answer=True).result is not None
        answer = editor.answer("workspace/symbol", {"query": "a"})
        assert structure("workspace/symbol", answer, is_answer=True).result
        misspelt = TEXT.replace("2 * goal", "2 * gaol")
        editor.type(rules, misspelt)
        assert editor.checked() > 0
        place = at(rules, misspelt, "gaol", into=1)
        here = {"start": place["position"], "end": place["position"]}
        fixes = editor.answer("textDocument/codeAction", {**place, **more, "range": here})
        assert structure("textDocument/codeAction", fixes, is_answer=True).result
        said = [each for each in editor.told if each.get("method") in types.METHOD_TO_TYPES]
        for message in said:
            structure(message["method"], message, is_answer=False)
        assert {each["method"] for each in said} == {"textDocument/publishDiagnostics", "client/registerCapability"}
        assert editor.leave() == 0


def test_requests_after_the_goodbye_are_refused(tmp_path: Path) -> None:
    with Editor(tmp_path) as editor:
        editor.ask("shutdown", None)
        assert editor.answer("workspace/symbol", {"query": ""})["error"]["code"] == types.ErrorCodes.InvalidRequest
        editor.tell("exit", None)
        assert editor.program.wait(timeout=60) == 0
