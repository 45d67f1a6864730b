"""The same rules make the same site, byte for byte."""

from __future__ import annotations

import os
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from tests.project.test_readme import BUILDS_EVERYTHING
from tests.site.kinds import SITE, URL

pytestmark = pytest.mark.slow


def files(folder: Path) -> dict[str, bytes]:
    return {p.relative_to(folder).as_posix(): p.read_bytes() for p in sorted(folder.rglob("*")) if p.is_file()}


def test_another_process_on_another_day_builds_the_same(published: Path, tmp_path: Path) -> None:
    """By the command of the README, in an empty folder; only the address of the site is added."""
    program, *arguments = shlex.split(BUILDS_EVERYTHING)
    assert program == "rulewright"
    environment = {name: value for name, value in os.environ.items() if not name.startswith("COV_")}
    ran = subprocess.run(
        [sys.executable, "-m", "rulewright", *arguments, "--base-url", URL],
        cwd=tmp_path,
        env={**environment, "PYTHONHASHSEED": "1", "SOURCE_DATE_EPOCH": "86400", "TZ": "Pacific/Auckland"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert ran.returncode == 0, ran.stderr
    one, two = files(published / SITE), files(tmp_path / "site")
    assert set(one) == set(two)
    assert [path for path in one if one[path] != two[path]] == []
