"""The page on sections names everything a section declares, and what it shows is a section."""

from __future__ import annotations

import re
from dataclasses import fields
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from rulewright.ruleset.section import RulesSection
from rulewright.source.yaml.yaml_reader import read_text


@pytest.fixture
def page(checkout: Path) -> str:
    return (checkout / "site" / "docs" / "contributing" / "sections.md").read_text(encoding="utf-8")


def test_the_page_names_everything_a_section_declares(page: str) -> None:
    rows = [line.split("|")[1] for line in page.splitlines() if line.startswith("| `")]
    named = [name for row in rows for name in re.findall(r"`(\w+)`", row)]
    assert sorted(named) == sorted(field.name for field in fields(RulesSection))


def test_what_the_page_shows_is_a_section(page: str) -> None:
    code = page.partition("```python\n")[2].partition("```")[0]
    data: dict[str, Any] = {}
    exec(code, data)
    section = data["CREDITS"]
    written = re.search(r"`(credits: \{.*\})`", page)
    assert written is not None
    rules = read_text(written[1], "page.yaml")
    assert set(section.labels) == set(section.entry.members)
    work = SimpleNamespace(rules=rules)
    assert section.read(work) == {"ada": {"name": "Ada", "text": "Drew the board."}}
