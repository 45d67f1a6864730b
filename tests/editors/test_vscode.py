"""The extension of VS Code: what it asks the editor for, and that its library and the server understand each other."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from rulewright.lsp.code_lenses import load_kinds
from tests.studio.client import ENGINE

EXTENSION = Path(__file__).resolve().parents[2] / "editors" / "vscode"
MANIFEST = json.loads((EXTENSION / "package.json").read_text(encoding="utf-8"))
HERE = Path(__file__).parent
RULES = Path(__file__).resolve().parents[2] / "rules" / "pig" / "classic-1.0"


def node(script: str, *arguments: str, **environment: str) -> Any:
    program = shutil.which("node")
    if program is None:
        pytest.skip("there is no node here")
    process = subprocess.run(
        [program, str(HERE / script), *arguments],
        capture_output=True,
        text=True,
        timeout=100,
        check=False,
        env={"PATH": str(Path(program).parent), **environment},
    )
    assert process.returncode == 0, process.stderr
    return json.loads(process.stdout)


def activated(**settings: Any) -> Any:
    return node("activate.cjs", str(EXTENSION / "extension.js"), json.dumps(settings))


def test_it_starts_the_server_that_is_set_and_shows_what_comes_of_a_click() -> None:
    default = MANIFEST["contributes"]["configuration"]["properties"]["rulewright.command"]["default"]
    notes = activated(command=default)
    first, again = notes["clients"]
    assert first == again, "started again as it was"
    assert first["server"] == {"command": "rulewright", "args": ["lsp", "--docs", "https://example.org"]}
    assert first["selector"] == [{"scheme": "file", "language": "yaml"}]
    assert first["wishes"] == {"showsResults": True}
    assert notes["stopped"] == 2
    assert notes["errors"] == []
    assert notes["page"] == "# A game"
    assert notes["afterwards"] == "", "a page that is closed is gone"
    assert notes["ran"] == [["markdown.showPreviewToSide", "rulewright:/run game.md"]]
    own = [each["command"] for each in MANIFEST["contributes"]["commands"]]
    assert set(own) == set(notes["registered"]) - {"rulewright"}
    assert not {f"rulewright.{kind}" for kind in load_kinds()} & set(own), (
        "those the server has are registered by the client"
    )


def test_a_server_that_is_not_there_is_told_of_with_what_to_do() -> None:
    notes = activated(command=["nowhere"], fails="spawn nowhere ENOENT")
    assert all("`nowhere` cannot be started (spawn nowhere ENOENT)" in each for each in notes["errors"])
    assert all("rulewright.command" in each for each in notes["errors"])
    assert len(notes["errors"]) == 2


def test_the_version_is_that_of_the_package() -> None:
    from rulewright.base.resources import get_version

    assert MANIFEST["version"] == get_version()
    lock = json.loads((EXTENSION / "package-lock.json").read_text(encoding="utf-8"))
    assert lock["version"] == MANIFEST["version"]
    assert lock["packages"][""]["dependencies"] == MANIFEST["dependencies"]


def test_its_library_and_the_server_understand_each_other(tmp_path: Path) -> None:
    if not (EXTENSION / "node_modules" / "vscode-languageclient").is_dir():
        pytest.skip("npm ci --prefix editors/vscode installs what it speaks by")
    shutil.copytree(RULES, tmp_path / "pig", ignore=shutil.ignore_patterns("fair.json"))
    rules = tmp_path / "pig" / "pig.yaml"
    command = [sys.executable, "-m", "rulewright", "lsp"]
    answer = node("speak.cjs", str(EXTENSION), str(tmp_path), str(rules), *command, PYTHONPATH=str(ENGINE))
    assert answer["code"] == 0
    assert answer["errors"] == sum(each["severity"] == 1 for found in answer["diagnostics"].values() for each in found)
    assert "seed" in answer["result"]["text"]
    assert {"codeLensProvider", "callHierarchyProvider", "documentFormattingProvider"} <= answer["can"].keys()
    assert {f"rulewright.{kind}" for kind in load_kinds()} <= set(answer["can"]["executeCommandProvider"]["commands"])
