"""The command: what it says where it cannot serve, and that it leaves when the editor does."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from rulewright.cli.main import main
from tests.studio.client import Editor


def test_what_is_missing_is_said(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setitem(sys.modules, "websockets", None)
    assert main(["lsp", "--ws"]) == 1
    assert "pip install 'rulewright[studio]'" in capsys.readouterr().err


def test_a_folder_that_is_not_there_is_told_of_before_an_editor_waits(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["lsp", "--rules", "no-such-folder"]) == 1
    assert "folder-missing" in capsys.readouterr().err


def test_rules_that_lie_elsewhere_are_found(tmp_path: Path) -> None:
    for name, manifest in (
        ("far", "ruleset: a/far\nversion: 1.0.0\ntitle: Far\nabout: A.\n"),
        ("near", "ruleset: a/near\nversion: 1.0.0\nextends: a/far@1\ntitle: Near\nabout: B.\n"),
    ):
        (tmp_path / name).mkdir()
        (tmp_path / name / "ruleset.yaml").write_text(manifest, encoding="utf-8")
    with Editor(tmp_path / "near", "--rules", str(tmp_path / "far")) as editor:
        editor.open(tmp_path / "near" / "ruleset.yaml")
        assert editor.checked() == 0
    with Editor(tmp_path / "near") as editor:
        editor.open(tmp_path / "near" / "ruleset.yaml")
        assert editor.checked() == 1


def test_what_somebody_else_changes_is_taken_in(tmp_path: Path) -> None:
    manifest, rules = tmp_path / "ruleset.yaml", tmp_path / "rules.yaml"
    manifest.write_text("ruleset: a/b\nversion: 1.0.0\ntitle: B\nabout: C.\n", encoding="utf-8")
    can = {"workspace": {"didChangeWatchedFiles": {"dynamicRegistration": True}}}
    with Editor(tmp_path, capabilities=can) as editor:
        editor.open(manifest)
        assert editor.checked() == 0
        params = [each["params"] for each in editor.told if each.get("method") == "client/registerCapability"]
        assert params[0]["registrations"][0]["method"] == "workspace/didChangeWatchedFiles"
        rules.write_text("numbers: {a: {is: b, means: One.}}\n", encoding="utf-8")
        editor.tell("workspace/didChangeWatchedFiles", {"changes": [{"uri": rules.as_uri(), "type": 1}]})
        assert editor.checked() == 1
        assert editor.shown[rules.as_uri()][0]["code"] == "unknown-name"
        rules.unlink()
        editor.tell("workspace/didChangeWatchedFiles", {"changes": [{"uri": rules.as_uri(), "type": 3}]})
        assert editor.checked() == 0
        assert editor.shown[rules.as_uri()] == []


def test_it_leaves_with_the_editor(tmp_path: Path) -> None:
    with Editor(tmp_path) as editor:
        assert editor.leave() == 0
    with Editor(tmp_path) as editor:
        assert editor.program.stdin is not None
        editor.program.stdin.close()
        assert editor.program.wait(timeout=60) == 1
        editor.program.stdin = None
