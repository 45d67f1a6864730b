"""A book shows of its kept answers only those that the games played can bear, whatever game it is."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from rulewright import load_ruleset
from rulewright.analysis.fairness.answer import FEWEST_GAMES
from rulewright.book.pages.balance_page import select_trusted
from rulewright.book.rulebook import render_site
from rulewright.ruleset.queries.fairness_results import read_results

PLAYED = ["advantage", "course", "ends", "lead", "length", "options", "prices", "rolls", "rules"]
SHIPPED = sorted((Path(__file__).parents[2] / "rules").glob("*/*/fair.json"))


def make_results(*questions: str, games: int = FEWEST_GAMES) -> dict[str, Any]:
    command = "rulewright simulate"
    answers = [{"question": each, "missing": 0, "figures": [], "commands": [command]} for each in questions]
    return {"games": games, "sizes": [2, 3, 4], "answers": answers}


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        ("classics/connect-four", PLAYED),
        ("pig/classic", PLAYED),
        ("fuzzy-knights/normal@1.0", PLAYED),
        ("classics/kuhn-poker", []),  # cards are hidden, and bots that guess do not bluff
    ],
)
def test_what_is_shown_goes_by_the_rules_of_the_game(name: str, shown: list[str]) -> None:
    ruleset = load_ruleset(name)
    answers = select_trusted(make_results("skill", "perfect", *PLAYED), ruleset)
    assert [each["question"] for each in answers if each["question"] != "perfect"] == shown
    assert "perfect" in [each["question"] for each in answers]
    few = select_trusted(make_results("skill", "perfect", *PLAYED, games=FEWEST_GAMES - 1), ruleset)
    assert [each["question"] for each in few] == ["perfect"]


def test_results_of_the_smallest_table_are_only_of_games_for_one_number_of_players() -> None:
    old = make_results("length")
    del old["sizes"]
    assert select_trusted(old, load_ruleset("pig/classic")) == []
    assert [each["question"] for each in select_trusted(old, load_ruleset("classics/connect-four"))] == ["length"]


def test_what_is_not_known_yet_is_not_shown() -> None:
    played = make_results("length", "lead")
    played["answers"][0]["missing"] = 20
    assert [each["question"] for each in select_trusted(played, load_ruleset("pig/classic"))] == ["lead"]


def test_what_the_rules_leave_without_an_answer_is_not_shown() -> None:
    """Such an answer tells designers what to add to the rules, and rests on no games."""
    played = make_results("length", "lead")
    played["answers"][1]["commands"] = []
    assert [each["question"] for each in select_trusted(played, load_ruleset("pig/classic"))] == ["length"]
    page = render_site(load_ruleset("pig/classic"))["plays.md"]
    assert "measures:" not in page


def test_bots_are_named_as_code() -> None:
    ruleset = load_ruleset("pig/classic")
    page = render_site(ruleset)["plays.md"]
    assert re.search(r"<p[^>]*>With 2[^<]* games of <code>greedy</code>", page)
    assert "&#96;" not in page


@pytest.mark.parametrize("path", SHIPPED, ids=lambda path: path.parent.name)
def test_no_shipped_book_tells_luck_from_skill_or_draws_of_one_table(path: Path) -> None:
    ruleset = load_ruleset(json.loads(path.read_text(encoding="utf-8"))["ruleset"])
    answers = read_results(ruleset)
    assert answers is not None
    for answer in select_trusted(answers, ruleset):
        text = " ".join(answer["says"])
        assert "skill" not in text
        assert "No game was drawn" not in text or ruleset.players[0] == ruleset.players[1]
