"""How well bots play where the truth is known."""

from __future__ import annotations

import pytest

from rulewright import load_ruleset
from rulewright.simulate.ladder import ladder


@pytest.mark.parametrize("other", ["random", "planner:64"])
def test_a_searching_bot_loses_no_game_of_tic_tac_toe_to(other: str) -> None:
    """Whoever plays without an error does not: three in a row can be forced by nobody."""
    [pair] = ladder(load_ruleset("classics/tic-tac-toe"), ["mcts:1000", other], games=300)
    assert pair.losses == 0
    assert pair.wins + pair.draws == 300


def test_two_searching_bots_draw_tic_tac_toe() -> None:
    [pair] = ladder(load_ruleset("classics/tic-tac-toe"), ["mcts:1000", "mcts:1001"], games=60)
    assert pair.draws == 60


@pytest.mark.parametrize("reference", ["classics/connect-four", "classics/oware", "classics/checkers"])
def test_more_visits_play_better(reference: str) -> None:
    """Of forty games between equals, thirty or more would be won by one of them once in a thousand times."""
    [pair] = ladder(load_ruleset(reference), ["mcts:20", "mcts:200"], games=40)
    assert pair.losses - pair.wins >= 20


def test_where_a_game_is_short_its_end_counts_for_more_than_a_formula() -> None:
    """The formula of Connect Four counts neighbours: what goes by it alone loses to what plays on to the end."""
    [pair] = ladder(load_ruleset("classics/connect-four"), ["greedy", "mcts:50"], games=40)
    assert pair.losses >= 30
