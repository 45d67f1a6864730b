"""The page lets its reader in between so many choices that it makes again, counted and not clocked."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path

import pytest

MOST = 12
"""Choices in one go: of the slowest shipped rules each is a few milliseconds of work on an old telephone."""


def test_so_many_choices_are_made_again_in_one_go() -> None:
    node = shutil.which("node")
    if node is None:
        pytest.fail("node is not installed: `make audits` installs it on Debian and Ubuntu", pytrace=False)
    root = Path(__file__).parents[2]
    choices = [each * 7 % 40 for each in range(100)]
    done = subprocess.run(
        [node, root / "tests/engine/hosts/slices.mjs", root / "site/assets/play"],
        input=json.dumps({"choices": choices}),
        capture_output=True,
        text=True,
        check=True,
    )
    for data in json.loads(done.stdout):
        assert data["made"] == len(choices)
        assert data["follows"]
        assert data["most"] <= MOST
        assert data["pauses"] == len(choices) // MOST
