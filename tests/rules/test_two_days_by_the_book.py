"""Two Days of two players, worked out on paper from the printed rules of 1.0, and played with the same dice.

Every figure that is expected here was written down by hand, Tile by Tile, before the game was played.
"""

from __future__ import annotations

from typing import Any

import pytest

from rulewright import Game, load_ruleset
from rulewright.engine.state.game_state import evaluate_expression
from rulewright.language.declarations import Scope
from rulewright.language.expressions.type_checker import check_expression
from rulewright.source.diagnostics.collector import Diagnostics
from rulewright.source.nodes import Scalar
from rulewright.source.span import Span

TOKENS = {
    "item": ["c5r1", "c5r7", "c6r1", "c10r10", "c10r9", "c10r8"],
    "resource": ["c4r2", "c6r6", "c9r1", "c9r2", "c9r3", "c9r4", "c9r5", "c9r6"],
    "monster": ["c4r4", "c5r5", "c1r1", "c1r2", "c1r3", "c1r4", "c1r5", "c1r6"],
    "mine": ["c4r3", "c5r8", "c2r8", "c2r9", "c2r10", "c3r10"],
}

SETUP = [
    *(tile for tiles in TOKENS.values() for tile in tiles),
    *(2, 5),  # the second player is the Anchor
    *("c5r6", "c4r1"),
]

FIRST_MORNING = [
    *("1", "1"),  # a Hero each: 5 and 1 make 6, 5 of them for the Hero
    *(60, 90, "c6r7", 50),  # an Item for the Anchor, nothing for the other
    *("nothing", "vote", "aye", "aye"),  # Items with dice only from now on
]

FIRST_TURN_OF_THE_ANCHOR = [
    *("c5r5", 20, 3, "#1", 9, 7, "fight", 10, 5),  # three Monsters, a Squad of two and one of one: 1 Coin
    "c5r6",
    *("c6r6", 80, 9),
    *("c6r7", 50, 80, 10),  # an Uncommon Off hand
    *("c5r7", 90, 10),  # a Common Amulet
    *(
        "c5r8",
        "take",
        80,
        4,
        "#1",
        13,
        12,
        "fight",
        13,
        12,
    ),  # four Guardians, 4d6 +9 against 2d6, twice: 2 Coins, and 1
    "none",
]

FIRST_TURN_OF_THE_OTHER = [
    *("c4r2", 10, 6),
    *("c4r3", "take", 70),
    *("c4r4", 90, 7, "2"),  # two bribed for 6 Coins
    *("c5r4", "c5r5", "c5r6", "2", "#3", 10, 10, "#1"),  # all against the walls: a tie, and the Hero faints
    *("fight", 12, 8),  # the two Mercenaries alone: the Encampment falls
    *("exchange", "1"),  # one of them stays
    "none",
]

COUNCIL = ["nothing", "nothing"]  # as after every Hero's turn

SECOND_MORNING = [
    *("1", "1", "exchange", "2"),  # a Mercenary in either Settlement; the one hired where the Hero is joins it
    *(60, 10, "c5r9", 100, 80, "c5r7"),
    *("nothing", "nothing"),
]

SECOND_TURN_OF_THE_ANCHOR = [
    *("c5r7", 100, 6, "6"),  # six defect
    *("c5r6", "go_on", "4", "2", "3"),  # Hero, four and two against Hero, walls and three
    *("#1", "#7", 39, 18, "fight"),
    *("#1", "#7", 39, 18, "fight"),
    *("#7", 19, 18),
    *("go_on", "none"),
]


@pytest.fixture
def game() -> Game:
    return Game(
        load_ruleset("fuzzy-knights/normal@1.0"), players=2, options={"placement": "chosen"}, stop_at_chance=True
    )


def play(game: Game, *parts: list[str | int]) -> None:
    """Feed the results and choices to the game, in order; a text is a choice, a number what the dice come to."""
    for entry in (entry for part in parts for entry in part):
        if isinstance(entry, int):
            game.resolve(entry)
        else:
            game.choose(entry)


def ask(game: Game, expression: str) -> Any:
    """Return what an expression of the rules comes to where the game stands."""
    diagnostics = Diagnostics()
    scope = Scope(game.ruleset.declarations)
    typed = check_expression(Scalar(expression, expression, Span.for_file("test")), scope, diagnostics)
    assert not diagnostics.errors, list(diagnostics)
    return evaluate_expression(game.state, typed)


def coins(game: Game) -> tuple[int, int]:
    """Return what is in the purse of the first player, and of the second."""
    one, other = ask(game, "list(p.coin for p in players)")
    return one, other


def test_the_game_begins_as_the_book_says(game: Game) -> None:
    play(game, SETUP)
    assert [len(tiles) for tiles in TOKENS.values()] == [6, 8, 8, 6]
    assert ask(game, "first(players_in_order) == last(players)")
    assert ask(game, "count(s for s in settlements if s.tier == encampment and not s.ramparts)") == 2
    assert coins(game) == (6, 6)  # 5 to begin with; the first income came with the first question


def test_the_first_day(game: Game) -> None:
    play(game, SETUP, FIRST_MORNING)
    assert coins(game) == (1, 1)
    assert ask(game, "count(lying_items(tiles.c6r7))") == 1

    play(game, FIRST_TURN_OF_THE_ANCHOR, COUNCIL)
    assert coins(game) == (1, 1 + 1 + 9 + 2 + 1)
    assert (
        ask(game, "count(h for h in heroes if h.tile == c5r8 and h.owner == last(players) and count(h.items) == 2)")
        == 1
    )
    assert ask(game, "count(m for m in mines if m.owner and m.tile == c5r8)") == 1
    assert ask(game, "count(monsters)") == 7

    play(game, FIRST_TURN_OF_THE_OTHER[:-1])
    assert coins(game)[0] == 1 + 6 + 1 - 6
    assert ask(game, "all(s.owner == first(players) for s in settlements)")
    assert ask(game, "count(h for h in heroes if h.tile == c5r6 and h.mercenaries == 1 and h.moves == 8)") == 1


def test_the_second_day(game: Game) -> None:
    play(game, SETUP, FIRST_MORNING, FIRST_TURN_OF_THE_ANCHOR, COUNCIL, FIRST_TURN_OF_THE_OTHER, COUNCIL)
    # Two Encampments and a Mine bring 3 to one, a Mine alone 1 to the other; each pays for a Hero.
    assert coins(game) == (2 + 3 - 1, 14 + 1 - 1)

    play(game, SECOND_MORNING)
    assert coins(game) == (0, 14)
    assert ask(game, "list(s.mercenaries for s in settlements)") == (1, 1)
    assert ask(game, "sum(h.mercenaries for h in heroes if h.owner == first(players))") == 2

    play(game, SECOND_TURN_OF_THE_ANCHOR)
    # One Settlement each again, one Hero left, and nothing was in the loser's purse.
    assert ask(game, "first(s.owner for s in settlements if s.tile == c5r6) == last(players)")
    assert ask(game, "count(heroes)") == 1
    assert ask(game, "sum(h.mercenaries for h in heroes)") == 6
    assert ask(game, "count(players_in_order)") == 2
    assert ask(game, "first(s.mercenaries for s in settlements if s.tile == c5r6)") == 0
    assert ask(game, "count(monsters)") == 6
