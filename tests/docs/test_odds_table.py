"""What there is to ask about Fuzzy Knights: each line of the table works as typed, and answers what the page says."""

from __future__ import annotations

import re
import shlex
from collections import Counter
from fractions import Fraction
from pathlib import Path

import pytest

from rulewright import load_ruleset
from rulewright.analysis.odds.procedure_odds import ProcedureSetting, compute_procedure_odds
from rulewright.cli.main import main
from tests.analysis.enumerator import given_node
from tests.breadth import some
from tests.snippets import snippets, write

PAGE = Path(__file__).resolve().parents[2] / "site" / "docs" / "balance" / "odds.md"
ROW = re.compile(r"^\| (?P<what>[^|]+) \| `(?P<typed>[^`]+)` \| `(?P<answer>[^`]+)` \|$", re.MULTILINE)
ROWS = list(ROW.finditer(PAGE.read_text(encoding="utf-8")))

ASKED = some(ROWS, [row for row in ROWS if "until" not in row["typed"] or "castle" not in row["typed"]])
"""The page itself shows the one on Castles, and runs it; it takes as long as all others together."""

COVERED = [
    *(
        "cache",
        "rare",
        "kind of item",
        "an Encampment",
        "Castle",
        "a monster token",
        "two monster tokens",
        "beats monsters",
    ),
    *("takes a settlement", "which token", "days until"),
]


@pytest.mark.parametrize("row", ASKED, ids=[row["what"] for row in ASKED])
def test_a_question_works_as_typed(row: re.Match[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["odds", "fuzzy-knights/normal@1.0", *shlex.split(row["typed"])]) == 0
    printed = capsys.readouterr().out
    assert re.search(rf"(?<![\d.]){re.escape(row['answer'])}", printed)
    # What is no longer exact says how large it would be.
    assert "\nexact: " in printed or re.search(r"too large for exact odds: after [\d,]+ branches", printed)


@pytest.mark.parametrize("what", COVERED)
def test_nothing_is_left_out(what: str) -> None:
    assert any(what in row["what"] for row in ROWS)


def saved(caches: int) -> dict[str, Fraction]:
    """Return the day of the highest tier for who collects, opens so many caches and builds, day by day."""
    die = Counter(range(1, 7))
    two = Counter(a + b for a in die for b in die)
    cache = {n: Fraction(7 * die[n], 60) + Fraction(3 * two[n], 360) for n in range(1, 13)}
    finished: dict[str, Fraction] = {}
    waiting = {(0, 5): Fraction(1)}
    day = 0
    while waiting:
        day += 1
        evening: dict[tuple[int, int], Fraction] = {}
        for (tier, coins), chance in waiting.items():
            purses = {coins + (1, 2, 4)[tier]: chance}
            for _ in range(caches):
                fuller: dict[int, Fraction] = {}
                for purse, part in purses.items():
                    for found, often in cache.items():
                        fuller[purse + found] = fuller.get(purse + found, Fraction(0)) + part * often
                purses = fuller
            for purse, part in purses.items():
                cost = (10, 15, 25)[tier]
                place = (tier + 1, purse - cost) if purse >= cost else (tier, purse)
                evening[place] = evening.get(place, Fraction(0)) + part
        done = sum((part for (tier, _), part in evening.items() if tier == 3), Fraction(0))
        if done:
            finished[str(day)] = done
        waiting = {place: part for place, part in evening.items() if place[0] < 3}
    return finished


@pytest.mark.parametrize("caches", [0, 1])
def test_days_until_a_castle_are_those_worked_out_by_hand(caches: int, tmp_path: Path) -> None:
    for snippet in snippets(PAGE):
        if snippet.file.startswith("questions/") and not snippet.more:
            write(snippet, tmp_path)
    ruleset = load_ruleset("house/questions", rules=[tmp_path])
    given = given_node(f"players: [{{coin: 5}}, {{}}]\ncaches: {caches}")
    setting = ProcedureSetting(given=given, policies=["plan=take:tier"])
    odds = compute_procedure_odds(ruleset, "saving_up", ["days"], setting=setting)
    assert odds.exact
    assert odds.answers[0].chances == saved(caches)
