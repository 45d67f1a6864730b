"""The install page is true: what it names is there, and no page installs a package that is not published."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
DOCS = ROOT / "site" / "docs"
PAGE = DOCS / "start" / "install.md"
INSTALL = PAGE.read_text("utf-8")
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]

FOR_CONTRIBUTORS = {"docs", "test"}
"""Extras that a clone's `make` installs."""


def test_the_install_page_lists_every_extra() -> None:
    listed = re.findall(r"^\| `(\w+)` \|", INSTALL, flags=re.MULTILINE)
    assert set(listed) == set(PROJECT["optional-dependencies"]) - FOR_CONTRIBUTORS


def test_the_install_page_names_the_lowest_python() -> None:
    assert f"Python {PROJECT['requires-python'].removeprefix('>=')} or newer" in INSTALL


@pytest.mark.parametrize(
    "path",
    [ROOT / "README.md", *sorted({*DOCS.rglob("*.md"), *DOCS.rglob("*.yml")} - {PAGE})],
    ids=lambda path: path.relative_to(ROOT).as_posix(),
)
def test_no_page_installs_a_package_that_is_not_published(path: Path) -> None:
    assert re.findall(r"pip install [^`\n]*(?<![/\w])rulewright\b.*", path.read_text("utf-8")) == []
