"""A plug-in that is broken is named with its file, whatever its kind, and takes no other down."""

from __future__ import annotations

import importlib
import subprocess
import sys
from pathlib import Path

import pytest

from rulewright.base.plugins import Broken, PluginFolder
from tests.checkout_copy import copy_checkout
from tests.project.test_architecture import PLUG_IN_FOLDERS

ROOT = Path(__file__).resolve().parents[2]

LISTS = """
import importlib, sys
for name, owner in {owners!r}.items():
    folder = importlib.import_module(owner).FOLDER
    print(name, *(item for item, _ in folder.iterate_working()))
"""


def owner(folder: str) -> str:
    """Return the module that declares the `PluginFolder` of a folder."""
    module = f"rulewright.{folder.replace('/', '.')}"
    registries = {
        "rulewright.language.builtins": "rulewright.language.builtin",
        "rulewright.language.statements": "rulewright.language.statement",
        "rulewright.ruleset.boards.shapes": "rulewright.ruleset.boards.board_shape",
        "rulewright.ruleset.sections": "rulewright.ruleset.section",
    }
    return registries.get(module, module)


OWNERS = {folder: owner(folder) for folder in sorted(PLUG_IN_FOLDERS)}


@pytest.fixture(scope="module")
def broken(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a copy of the engine with one module in each folder that cannot be imported."""
    checkout = copy_checkout(tmp_path_factory.mktemp("checkout"))
    for folder in PLUG_IN_FOLDERS:
        (checkout / "engine" / "rulewright" / folder / "aaa_broken.py").write_text("raise ValueError('no')\n")
    return checkout


def run(checkout: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    environment = {"PYTHONPATH": str(checkout / "engine"), "RULEWRIGHT_CACHE": "off", "PATH": "/usr/bin:/bin"}
    command = [sys.executable, *arguments]
    return subprocess.run(command, cwd=checkout, env=environment, text=True, capture_output=True, check=False)


@pytest.mark.parametrize("folder", OWNERS)
def test_each_kind_has_its_folder(folder: str) -> None:
    declared: PluginFolder = importlib.import_module(OWNERS[folder]).FOLDER
    assert declared.package == f"rulewright.{folder.replace('/', '.')}"
    assert not [each for each in declared.load_all().values() if isinstance(each, Broken)]


def test_the_others_work(broken: Path) -> None:
    done = run(broken, "-c", LISTS.format(owners=OWNERS))
    assert done.returncode == 0, done.stderr
    folders = {name: importlib.import_module(module).FOLDER for name, module in OWNERS.items()}
    listed = {line.split()[0]: line.split()[1:] for line in done.stdout.splitlines()}
    assert listed == {name: [item for item, _ in folder.iterate_working()] for name, folder in folders.items()}
    for folder in folders.values():
        part = f"{folder.kind} `aaa_broken` ({folder.name_file('aaa_broken')})"
        assert f"error: {part} failed (ValueError: no)" in done.stderr


@pytest.mark.parametrize(
    "arguments",
    [
        ("check", "pig/classic"),
        ("play", "pig/classic", "--players", "random,random", "--seed", "1"),
        ("odds", "2d6"),
        ("simulate", "pig/classic", "--games", "4"),
        ("diff", "pig/classic", "pig/classic"),
    ],
)
def test_commands_go_on(broken: Path, arguments: tuple[str, ...]) -> None:
    done = run(broken, "-m", "rulewright", *arguments)
    assert done.returncode == (1 if arguments[0] == "check" else 0), done.stderr
    assert "Traceback" not in done.stderr


def test_what_is_lacking_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    package = tmp_path / "made_up_lints"
    package.mkdir()
    (package / "__init__.py").touch()
    (package / "whole.py").write_text("LIMIT = 3\n")
    (package / "half.py").write_text("LIMIT = 'three'\n")
    monkeypatch.syspath_prepend(tmp_path)
    folder = PluginFolder("made_up_lints", "the lint", LIMIT=int)
    half = folder.load_all()["half"]
    assert isinstance(half, Broken)
    assert str(half.error) == "made_up_lints/half.py lacks `LIMIT` (int)"
    assert [name for name, _ in folder.iterate_working()] == ["whole"]
