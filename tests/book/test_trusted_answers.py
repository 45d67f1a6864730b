"""A book shows of its kept answers only those that the games played can bear, whatever game it is."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from rulewright import load_ruleset
from rulewright.book.pages.balance_page import LEAST_GAMES, select_trusted
from rulewright.ruleset.queries.fairness_results import read_results

PLAYED = ["course", "ends", "lead", "length", "options", "prices", "rolls", "rules"]
SHIPPED = sorted((Path(__file__).parents[2] / "rules").glob("*/*/fair.json"))


def kept(*questions: str, games: int = LEAST_GAMES) -> dict[str, Any]:
    return {"games": games, "answers": [{"question": question} for question in questions]}


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        ("classics/connect-four", ["seats", *PLAYED]),  # two players, nothing hidden, the first seat begins
        ("pig/classic", ["seats"]),  # two to ten players: what is asked of two holds for two
        ("classics/yacht", []),  # the dice are rolled before anybody decides
        ("classics/kuhn-poker", []),  # cards are hidden, and bots that guess do not bluff
        ("fuzzy-knights/normal@1.0", []),  # who begins is rolled for
    ],
)
def test_what_is_shown_goes_by_the_rules_of_the_game(name: str, shown: list[str]) -> None:
    ruleset = load_ruleset(name)
    answers = select_trusted(kept("seats", "skill", "perfect", *PLAYED), ruleset)
    assert [each["question"] for each in answers if each["question"] != "perfect"] == shown
    assert {"question": "perfect"} in answers
    few = select_trusted(kept("seats", "skill", "perfect", *PLAYED, games=LEAST_GAMES - 1), ruleset)
    assert few == [{"question": "perfect"}]


@pytest.mark.parametrize("path", SHIPPED, ids=lambda path: path.parent.name)
def test_no_shipped_book_tells_luck_from_skill_or_draws_of_one_table(path: Path) -> None:
    ruleset = load_ruleset(json.loads(path.read_text(encoding="utf-8"))["ruleset"])
    answers = read_results(ruleset)
    assert answers is not None
    for answer in select_trusted(answers, ruleset):
        said = " ".join(answer["says"])
        assert "skill" not in said
        assert "No game was drawn" not in said or ruleset.players[0] == ruleset.players[1]
