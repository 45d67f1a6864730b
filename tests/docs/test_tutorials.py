"""The pages are true: their blocks are run as typed, in order, in an empty folder."""

from __future__ import annotations

from pathlib import Path

import pytest

from rulewright.book.parts.rule_summaries import build_describer
from rulewright.ruleset.load_ruleset import load_ruleset
from tests.snippets import compare, run_here, snippets, write

ROOT = Path(__file__).resolve().parents[2]
DOCS = ROOT / "site" / "docs"


@pytest.mark.parametrize(
    "page", [*sorted(DOCS.glob("*.md")), *sorted(DOCS.glob("learn/*.md"))], ids=lambda page: page.stem
)
def test_a_page_works_as_typed(page: Path, tmp_path: Path) -> None:
    for snippet in snippets(page):
        if snippet.file:
            write(snippet, tmp_path)
            continue
        code, printed = run_here(snippet, tmp_path)
        assert code == (snippet.mark == "fails"), f"{snippet.text}\n{printed}"
        compare(snippet, printed.replace(f"{tmp_path}/", "").replace(f"{ROOT}/", ""))


def test_every_tutorial_runs_something() -> None:
    for page in DOCS.glob("learn/*.md"):
        assert any(snippet.mark for snippet in snippets(page)), page


def test_the_book_of_the_first_game_calls_nothing_by_its_id(tmp_path: Path) -> None:
    for snippet in snippets(DOCS / "learn" / "new-game.md"):
        if snippet.file:
            write(snippet, tmp_path)
    said = "\n".join(build_describer(load_ruleset("snails/race", rules=[tmp_path / "race"]))("procedures.crawl"))
    assert "If the pace is “Crawl”" in said
    assert "gains as many Inches as the roll" in said
