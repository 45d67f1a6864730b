"""What asks for the programs of the tests takes what a machine has, and asks Debian for no more than is missing.

The machine is a folder of scripts: each name is there or not, and `apt-get` writes down what it is asked for.
"""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from tests.browser import CHROMIUM_NAMES

SCRIPT = Path(__file__).parents[2] / ".ci" / "programs.sh"
OF_THE_SYSTEM = ("sh", "env", "find", "grep", "head", "basename")
LIBRARIES = "libatomic.so libpango-1.0.so libpangoft2-1.0.so libharfbuzz-subset.so"
THERE = {
    "node": "exit 0",
    "npm": "exit 0",
    "git": "exit 0",
    "msgfmt": "exit 0",
    "java": "exit 0",
    "ldconfig": f"printf '%s\\n' {LIBRARIES}",
    "id": "echo 0",
    "apt-cache": "exit 1",
    "apt-get": 'echo "$*" >>"$ASKED"',
}


def machine(folder: Path, programs: dict[str, str]) -> Path:
    """Return a folder for PATH with these programs, and with what every system has."""
    folder.mkdir()
    for name in OF_THE_SYSTEM:
        (folder / name).symlink_to(str(shutil.which(name)))
    for name, text in programs.items():
        (folder / name).write_text(f"#!/bin/sh\n{text}\n", encoding="utf-8")
        (folder / name).chmod(0o755)
    fonts = folder.parent / ".fonts"
    fonts.mkdir()
    (fonts / "own.ttf").touch()
    return folder


def asked_for(tmp_path: Path, programs: dict[str, str]) -> tuple[int, list[str]]:
    """Return the exit code, and what Debian was asked to install."""
    asked = tmp_path / "asked"
    path = machine(tmp_path / "bin", programs)
    environment = {"PATH": str(path), "HOME": str(tmp_path), "ASKED": str(asked)}
    done = subprocess.run(["/bin/sh", str(SCRIPT), "pages"], env=environment, capture_output=True, check=False)
    lines = asked.read_text(encoding="utf-8").splitlines() if asked.exists() else []
    return done.returncode, [line for line in lines if line.startswith("install")]


@pytest.mark.parametrize("chromium", CHROMIUM_NAMES)
def test_a_chromium_by_any_name_is_one(chromium: str, tmp_path: Path) -> None:
    assert asked_for(tmp_path, THERE | {chromium: "exit 0"}) == (0, [])


@pytest.mark.parametrize(
    ("missing", "package"),
    [
        ("chromium", "chromium"),
        ("node", "nodejs"),
        ("npm", "npm"),
        ("git", "git"),
        ("msgfmt", "gettext"),
        ("java", "default-jre-headless"),
    ],
)
def test_what_is_missing_is_asked_for_and_nothing_else(missing: str, package: str, tmp_path: Path) -> None:
    programs = {name: text for name, text in (THERE | {"chromium": "exit 0"}).items() if name != missing}
    code, asked = asked_for(tmp_path, programs)
    assert [line.split()[-1] for line in asked] == [package]
    # Node is run once it is there, which it is not here.
    assert code == (1 if missing == "node" else 0)


def test_a_machine_that_cannot_install_is_told_in_a_sentence(tmp_path: Path) -> None:
    path = machine(tmp_path / "bin", {name: text for name, text in THERE.items() if name != "apt-get"})
    environment = {"PATH": str(path), "HOME": str(tmp_path)}
    done = subprocess.run(
        ["/bin/sh", str(SCRIPT), "pages"], env=environment, capture_output=True, text=True, check=False
    )
    assert done.returncode == 1
    assert done.stderr.count("\n") == 1
    assert "there is no apt-get here" in done.stderr
