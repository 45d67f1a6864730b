"""The same rules make the same site, byte for byte."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.book.shipped import shipped_pages
from tests.breadth import THOROUGH

pytestmark = pytest.mark.slow

# What becomes of pages in a site is the same for a small one; the pages of the largest are compared below.
BUILT = [[]] if THOROUGH else [["pig/classic@1.0"]]
LARGEST = "fuzzy-knights/normal@1.0"
PRINT = """
import json, sys
from rulewright.book.rulebook import render_site
from rulewright.ruleset.load_ruleset import load_ruleset
print(json.dumps(render_site(load_ruleset(sys.argv[1]))))
"""


def environment(**added: str) -> dict[str, str]:
    return {name: value for name, value in os.environ.items() if not name.startswith("COV_")} | added


def build(what: list[str], folder: Path, **added: str) -> dict[str, bytes]:
    """Build the site in a process of its own and in an empty folder: the bytes of each file."""
    folder.mkdir()
    ran = subprocess.run(
        [sys.executable, "-m", "rulewright", "book", "build", *what, "--output", "site"],
        cwd=folder,
        env=environment(RULEWRIGHT_CACHE="off", **added),
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


def test_another_process_makes_the_same_pages_of_the_largest_edition() -> None:
    """Every kind of page is in it. This process orders sets as its own hashes have it, the other as fixed ones do."""
    other = environment(PYTHONHASHSEED="1", SOURCE_DATE_EPOCH="86400", TZ="Pacific/Auckland")
    ran = subprocess.run([sys.executable, "-c", PRINT, LARGEST], env=other, capture_output=True, text=True, check=True)
    pages, here = json.loads(ran.stdout), shipped_pages(LARGEST)
    assert set(pages) == set(here)
    assert [path for path in pages if pages[path] != here[path]] == []
