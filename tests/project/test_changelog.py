"""The changelog reads at a glance, and links of the pages at the root lead somewhere."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path

import pytest
from markdown.extensions.toc import slugify

ROOT = Path(__file__).resolve().parents[2]
CHANGELOG = (ROOT / "CHANGELOG.md").read_text("utf-8")
SECTIONS = {"Added", "Changed", "Deprecated", "Removed", "Fixed", "Security"}
LONGEST_ENTRY = 30
"""Words of an entry, its links left out."""

SAME_START = 4
"""No two entries of an area share this many first words."""

LINK = re.compile(r"\[([^\]]*)\]\(([^)#]*)(?:#([^)]*))?\)")


def test_an_entry_is_one_line() -> None:
    lines = CHANGELOG.split("## [", 1)[1].splitlines()[1:]
    unreleased = lines[: next(place for place, line in enumerate(lines) if line.startswith("## ["))]
    assert [line for line in unreleased if line and not line.startswith(("- ", "### ", "#### "))] == []


def test_an_entry_is_short() -> None:
    entries = [LINK.sub(r"\1", line) for line in CHANGELOG.splitlines() if line.startswith("- ")]
    assert [entry for entry in entries if len(entry.split()) - 1 > LONGEST_ENTRY] == []


def test_the_sections_are_those_of_keep_a_changelog() -> None:
    assert set(re.findall(r"^### (.+)$", CHANGELOG, flags=re.MULTILINE)) <= SECTIONS


def test_an_entry_is_in_an_area_and_is_there_once() -> None:
    entries = [line for line in CHANGELOG.splitlines() if line.startswith("- ")]
    assert sorted(entries) == sorted(set(entries))
    sections = re.split(r"^### ", CHANGELOG, flags=re.MULTILINE)[1:]
    outside = [each.split("#### ")[0] for each in sections if "\n#### " in each]
    assert [line for each in outside for line in each.splitlines() if line.startswith("- ")] == []


def test_no_two_entries_of_an_area_begin_alike() -> None:
    repeated = []
    for area in re.split(r"^#{2,4} ", CHANGELOG, flags=re.MULTILINE):
        starts = [tuple(line.split()[: SAME_START + 1]) for line in area.splitlines() if line.startswith("- ")]
        repeated += [" ".join(each) for each, times in Counter(starts).items() if times > 1]
    assert repeated == []


@pytest.mark.parametrize("page", ["CHANGELOG.md", "CONTRIBUTING.md", "README.md"])
def test_a_link_leads_to_a_page_and_a_heading(page: str) -> None:
    lost = []
    for _, path, anchor in LINK.findall((ROOT / page).read_text("utf-8")):
        if ":" in path:
            continue
        target = ROOT / path
        if not target.is_file() or (anchor and anchor not in list_anchors(target)):
            lost.append(f"{path}#{anchor}")
    assert lost == []


def list_anchors(page: Path) -> set[str]:
    """Return the ids of the headings of a page."""
    text = re.sub(r"^```.*?^```$", "", page.read_text("utf-8"), flags=re.MULTILINE | re.DOTALL)
    headings = re.findall(r"^#+ (.+?)(?: \{ ?#([\w-]+) ?\})?$", text, flags=re.MULTILINE)
    return {named or slugify(LINK.sub(r"\1", heading).replace("`", ""), "-") for heading, named in headings}
