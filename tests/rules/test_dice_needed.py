"""What a text of the book may say of a game in one word: the dice that its files write down, and how many can play."""

from __future__ import annotations

import re
from typing import Any

import pytest

from rulewright import load_ruleset
from rulewright.ruleset.prose.placeholder_meaning import Verbatim, list_needed_dice, resolve_placeholder
from rulewright.ruleset.queries.dice_needed import list_dice_needed
from tests.published import rules_of

GAMES = [
    *(f"fuzzy-knights/{edition}" for edition in ("normal@0.1", "medium@0.1", "normal@0.2", "normal@1.0")),
    *("pig/classic@1.0.0", "classics/yacht@1.0.0", "classics/connect-four@1.0.0", "classics/tic-tac-toe@1.0.0"),
]
PLAYED = ("numbers", "tables", "kinds", "formulas", "procedures", "exceptions", "state")
PROSE = frozenset(["title", "means", "text", "ask", "label", "said", "tells", "names", "none", "unit"])
ADDED_UP = {f"fuzzy-knights/{edition}": {"d6": 7} for edition in ("normal@0.2", "normal@1.0")}
"""What no single figure says: a Castle and its Fortifications, which the pages print as 7d6 +21."""

ROLL = re.compile(r"(?<![\w.])(\d*)d(\d+|P)(?!\w)")


def written(node: Any) -> dict[str, int]:
    """Return the most dice of each kind in any one piece of text, of what is played and not said."""
    most: dict[str, int] = {}
    match node:
        case dict():
            parts = [written(value) for key, value in node.items() if key not in PROSE]
        case list():
            parts = [written(value) for value in node]
        case _:
            by_line: dict[str, int] = {}
            for count, die in ROLL.findall(str(node)):
                by_line[f"d{die}"] = by_line.get(f"d{die}", 0) + int(count or 1)
            return by_line
    for part in parts:
        for die, count in part.items():
            most[die] = max(most.get(die, 0), count)
    return most


@pytest.mark.parametrize("name", GAMES)
def test_every_die_that_is_written_is_listed_and_no_other(name: str) -> None:
    rules = rules_of(name)
    expected = written({section: rules.get(section, {}) for section in PLAYED})
    assert {die.name: many for die, many in list_dice_needed(load_ruleset(name))} == {
        **expected,
        **ADDED_UP.get(name, {}),
    }


@pytest.mark.parametrize(
    ("name", "players"),
    [
        ("fuzzy-knights/medium@0.1", "3 d3, 1 d4, 4 d6, 1 d10 and 1 dP"),
        ("fuzzy-knights/normal@0.2", "1 d4, 7 d6, 1 d12 and 1 dP"),
        ("fuzzy-knights/normal@1.0", "7 d6 and 1 dP"),
        ("pig/classic", "1 d6"),
        ("classics/connect-four", "none"),
    ],
)
def test_the_list_is_said_in_words(name: str, players: str) -> None:
    """As the sources have it: a d3 for Cities, a d4 for Tokens, a d10 or d12 for movement, and no d4 in 1.0.

    Seven d6 are a Castle's five and the two of its Fortifications; the die with two faces serves a setting alone.
    """
    assert list_needed_dice(load_ruleset(name)) == players


@pytest.mark.parametrize(("name", "players"), [("fuzzy-knights/normal@1.0", "2 to 4"), ("classics/hex", "2")])
def test_a_text_may_say_how_many_can_play(name: str, players: str) -> None:
    meaning = resolve_placeholder("players", load_ruleset(name))
    assert isinstance(meaning, Verbatim)
    assert meaning.words == players
