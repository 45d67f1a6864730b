"""Random games of everything shipped, by options of which any two meet: both machines play the same game."""

from __future__ import annotations

from itertools import islice

import pytest

from rulewright import load_ruleset
from rulewright.analysis.simulation.fuzz import combine_pairwise
from rulewright.base.resources import find_resource
from rulewright.engine.python_backend.compiler import compile_ruleset
from rulewright.engine.state.tree_interpreter import Interpreter
from rulewright.ruleset.editions.catalogue import Catalogue
from tests.breadth import some, times
from tests.engine.walks import at_stop, stops

STOPS = times(200, 1_000)
"""Stops of one game: most are the first days of it, and the longest games are played to the end elsewhere."""

_EVERY = [edition.id for edition in Catalogue([find_resource("rules")]).list_editions() if edition.status != "abstract"]
SHIPPED = some(
    _EVERY, [each for each in _EVERY if not each.startswith(("fuzzy-knights/normal@0", "classics/backgammon"))]
)
"""The options of the largest game's drafts are those of its newest edition; Backgammon, whose moves take the machines
longest, has none, and is played beside an independent one elsewhere."""


@pytest.mark.parametrize("reference", SHIPPED)
def test_both_machines_play_the_same_game_by_any_two_options(reference: str) -> None:
    ruleset = load_ruleset(reference)
    fewest, most = ruleset.players
    options = {option.id: tuple(option.choices) for option in ruleset.declarations.options.values()}
    fast, plain = compile_ruleset(ruleset, recording=True), Interpreter(ruleset)
    for number, settings in enumerate(combine_pairwise(options)):
        players = fewest + number % (most - fewest + 1)
        games = zip(stops(fast, players, settings), stops(plain, players, settings), strict=True)
        seen = 0
        for one, other in islice(games, STOPS):
            assert at_stop(one) == at_stop(other), (settings, players, seen)
            seen += 1
        assert seen >= 5  # two cards, two answers and the end: no game here is shorter
