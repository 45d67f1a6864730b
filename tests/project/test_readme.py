"""The README is true: every block of it that is marked to be run (```sh run, ```python run) is run."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.breadth import some
from tests.published import BUILDS_EVERYTHING
from tests.snippets import INTERPRETERS, Snippet, compare, run, snippets

README = Path(__file__).resolve().parents[2] / "README.md"


def test_some_blocks_are_run() -> None:
    assert {snippet.language for snippet in snippets(README)} == set(INTERPRETERS)


def test_the_block_that_is_run_elsewhere_is_there() -> None:
    assert BUILDS_EVERYTHING in {snippet.text.strip() for snippet in snippets(README)}


CHECKS_EVERYTHING = "rulewright check"
"""What other tests do ruleset by ruleset, and takes long at a time."""

BLOCKS = [each for each in snippets(README) if each.text.strip() != BUILDS_EVERYTHING]


@pytest.mark.parametrize(
    "snippet",
    some(BLOCKS, [each for each in BLOCKS if each.text.strip() != CHECKS_EVERYTHING]),
    ids=lambda snippet: snippet.first,
)
def test_a_block_runs(snippet: Snippet, tmp_path: Path) -> None:
    code, printed = run(snippet, tmp_path)
    assert code == 0, f"{snippet.text}\n{printed[-4_000:]}"
    compare(snippet, printed)
