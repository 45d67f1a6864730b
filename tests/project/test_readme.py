"""The README is true: every block of it that is marked to be run (```sh run, ```python run) is run."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

README = Path(__file__).resolve().parents[2] / "README.md"
BLOCK = re.compile(r"^```(?P<language>sh|python) run\n(?P<text>.*?)^```$", re.MULTILINE | re.DOTALL)
INTERPRETERS = {"sh": ["bash", "-euo", "pipefail", "-c"], "python": [sys.executable, "-c"]}


def blocks() -> list[tuple[str, str]]:
    """Language and text of each block that is marked."""
    return [(found["language"], found["text"]) for found in BLOCK.finditer(README.read_text(encoding="utf-8"))]


def test_some_blocks_are_run() -> None:
    assert {language for language, _ in blocks()} == set(INTERPRETERS)


@pytest.mark.parametrize(("language", "text"), blocks(), ids=lambda part: part.strip().splitlines()[0])
def test_a_block_runs(language: str, text: str, tmp_path: Path) -> None:
    programs = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    ran = subprocess.run(
        [*INTERPRETERS[language], text],
        cwd=tmp_path,
        env={**os.environ, "PATH": programs},
        capture_output=True,
        text=True,
        check=False,
    )
    assert ran.returncode == 0, f"{text}\n{ran.stdout[-2_000:]}\n{ran.stderr[-4_000:]}"
