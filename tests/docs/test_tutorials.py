"""The pages are true: their blocks are run as typed, in order, in an empty folder."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from rulewright.book.parts.rule_summaries import build_describer
from rulewright.ruleset.load_ruleset import load_ruleset
from tests.snippets import compare, run_here, snippets, write

ROOT = Path(__file__).resolve().parents[2]
DOCS = ROOT / "site" / "docs"
PAGES = [page for page in sorted(DOCS.rglob("*.md")) if not {"cookbook", "add"} & {*page.relative_to(DOCS).parts}]
"""Every page but those of recipes and plug-ins, which have tests of their own."""
GUIDES = ("tutorials", "design", "balance", "integrate", "tools")
"""Folders of pages to follow along."""
CONTINUES = re.compile(r"^<!-- continues (\S+) -->$", re.MULTILINE)
"""A page that begins with the files of another page, given relative to itself."""


def write_earlier_files(page: Path, folder: Path) -> None:
    """Write the files of the pages that a page continues, the first page first."""
    for earlier in CONTINUES.findall(page.read_text(encoding="utf-8")):
        write_earlier_files(page.parent / earlier, folder)
        for snippet in snippets(page.parent / earlier):
            if snippet.file:
                write(snippet, folder)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.relative_to(DOCS).with_suffix("").as_posix())
def test_a_page_works_as_typed(page: Path, tmp_path: Path) -> None:
    write_earlier_files(page, tmp_path)
    for snippet in snippets(page):
        if snippet.file:
            write(snippet, tmp_path)
            continue
        code, printed = run_here(snippet, tmp_path)
        assert code == (snippet.mark == "fails"), f"{snippet.text}\n{printed}"
        compare(snippet, printed.replace(f"{tmp_path}/", "").replace(f"{ROOT}/", ""))


@pytest.mark.parametrize("folder", GUIDES)
def test_every_guide_runs_something(folder: str) -> None:
    pages = [page for page in (DOCS / folder).glob("*.md") if not page.with_suffix(".ipynb").exists()]
    assert pages
    assert [page.name for page in pages if not any(each.mark for each in snippets(page))] == []


def test_the_book_of_the_first_game_calls_nothing_by_its_id(tmp_path: Path) -> None:
    write_earlier_files(DOCS / "tutorials" / "rulebook.md", tmp_path)
    text = "\n".join(build_describer(load_ruleset("snails/race", rules=[tmp_path / "race"]))("procedures.crawl"))
    assert "If the choice is “Crawl”" in text
    assert "gains Inches equal to the roll" in text
