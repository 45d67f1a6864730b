"""The loops that the documentation plays games with end for every game, also where people are not asked."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from rulewright.engine.game.game import Game
from tests.snippets import Snippet, snippets

ROOT = Path(__file__).resolve().parents[2]
LOOP = "while (decision := game.decision) is not None:"
PIG = '"pig/classic@1.0"'
ENDLESS = '"fuzzy-knights/normal@1.0"'
"""Left to itself, a game of this one by random players goes on for thousands of days."""
MOST = 6_000

LOOPS = [
    snippet
    for page in (ROOT / "README.md", ROOT / "site" / "docs" / "integrate" / "python.md")
    for snippet in snippets(page)
    if LOOP in snippet.text and PIG in snippet.text and "choice(decision.options)" in snippet.text
]


def test_both_pages_show_one() -> None:
    assert len(LOOPS) == 2


@pytest.mark.parametrize("loop", LOOPS, ids=lambda loop: loop.first)
def test_the_loop_ends_for_a_game_that_people_end(loop: Snippet, monkeypatch: pytest.MonkeyPatch) -> None:
    chosen = []
    choose = Game.choose

    def counted(game: Game, option: Any) -> None:
        chosen.append(option)
        assert len(chosen) < MOST, "it goes on and on"
        choose(game, option)

    monkeypatch.setattr(Game, "choose", counted)
    exec(compile(loop.text.replace(PIG, ENDLESS), "<loop>", "exec"), {})
    assert len(chosen) > 100
