"""The same rules make the same site, byte for byte."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.breadth import THOROUGH

pytestmark = pytest.mark.slow

# The largest edition has every kind of page; what becomes of pages in a site is the same for a small one.
BUILT = [[]] if THOROUGH else [["fuzzy-knights/normal@1.0", "--markdown"], ["pig/classic@1.0"]]


def build(what: list[str], folder: Path, **environment: str) -> dict[str, bytes]:
    """Build the site in a process of its own and in an empty folder: the bytes of each file."""
    folder.mkdir()
    inherited = {name: value for name, value in os.environ.items() if not name.startswith("COV_")}
    ran = subprocess.run(
        [sys.executable, "-m", "rulewright", "book", "build", *what, "--output", "site"],
        cwd=folder,
        env={**inherited, **environment},
        capture_output=True,
        text=True,
        check=False,
    )
    assert ran.returncode == 0, ran.stderr
    site = folder / "site"
    return {path.relative_to(site).as_posix(): path.read_bytes() for path in sorted(site.rglob("*")) if path.is_file()}


@pytest.mark.parametrize("what", BUILT, ids=" ".join)
def test_another_process_on_another_day_builds_the_same(what: list[str], tmp_path: Path) -> None:
    one = build(what, tmp_path / "one", PYTHONHASHSEED="2")
    two = build(what, tmp_path / "two", PYTHONHASHSEED="1", SOURCE_DATE_EPOCH="86400", TZ="Pacific/Auckland")
    assert one
    assert set(one) == set(two)
    assert [path for path in one if one[path] != two[path]] == []
