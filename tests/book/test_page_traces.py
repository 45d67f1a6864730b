"""After any small edit, the pages of a book are those of a book made from nothing."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from rulewright.authoring.example_odds import compute_book_odds
from rulewright.authoring.what_if_modules import build_book_parameters
from rulewright.base.incremental.traces import Traces
from rulewright.book.rulebook import render_site
from rulewright.ruleset.load_ruleset import load_ruleset
from rulewright.ruleset.ruleset import Ruleset
from rulewright.source.diagnostics.collector import DiagnosticError
from tests.book.garden import steps, write_garden

RULES = steps(
    "- {id: rained, roll: 2d6 +1}",
    "- {id: sow, when: rained > 7, pay: {who: player, seed: 1}}",
)
WORD, NUMBER = re.compile(r"\b[A-Z][a-z]{2,}\b"), re.compile(r"(?<=[ :,-])[1-9]\b")


def render(ruleset: Ruleset, traces: Traces | None = None) -> dict[str, str]:
    return render_site(ruleset, weigh=compute_book_odds, vary=build_book_parameters, traces=traces)


def list_edits() -> Iterator[str]:
    """Yield the rules with another word, another number, or without a line."""
    for match in WORD.finditer(RULES):
        yield f"{RULES[: match.start()]}{match[0]}er{RULES[match.end() :]}"
    for match in NUMBER.finditer(RULES):
        yield f"{RULES[: match.start()]}{int(match[0]) + 1}{RULES[match.end() :]}"
    lines = RULES.splitlines(keepends=True)
    for place in range(1, len(lines)):
        yield "".join(lines[:place] + lines[place + 1 :])


def load(folder: Path, rules: str) -> Ruleset | None:
    """Return the rules, or None if they are not valid."""
    try:
        return load_ruleset("garden/small", rules=[write_garden(folder, rules)])
    except DiagnosticError:
        return None


@pytest.mark.parametrize("part", range(4))
def test_pages_after_an_edit_are_those_made_from_nothing(part: int, tmp_path: Path) -> None:
    traces, valid = Traces(), 0
    before = load(tmp_path, RULES)
    assert before is not None
    assert render(before, traces) == render(before)
    for edited in [*list_edits()][part::4]:
        ruleset = load(tmp_path, edited)
        if ruleset is not None:
            valid += 1
            assert render(ruleset, traces) == render(ruleset), edited
    assert valid > 15


def test_a_word_makes_only_the_pages_again_that_show_it(tmp_path: Path) -> None:
    traces = Traces()
    before, after = (load(tmp_path, each) for each in (RULES, RULES.replace("Mind your", "Care for your")))
    assert before is not None
    assert after is not None
    pages = render(before, traces)
    page = traces.work["page"]
    assert page == len(pages)
    assert render(before, traces) == pages
    assert traces.work["page"] == page
    changed = [file for file, text in render(after, traces).items() if pages[file] != text]
    assert "growing.md" in changed
    assert traces.work["page"] - page < len(pages) / 2
