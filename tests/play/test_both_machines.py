"""The plain interpreter and the generated code show the same state, and the same events, at every stop."""

from __future__ import annotations

from functools import cache
from typing import Any

from hypothesis import assume, given, settings
from hypothesis import strategies as st

from rulewright.language.declarations import FIRST_PLAYER
from rulewright.play.program import Program
from rulewright.play.state import State
from tests.language.inline import checked
from tests.play.machines import Table
from tests.play.random_rules import rulesets


def garden(program: Program) -> tuple[State, str, tuple[Any, ...]]:
    """Two players, a tree of each size, and the procedure `main` for the first player."""
    state = program.empty(2)
    layout = program.layout
    for number, size in enumerate(("small", "large")):
        thing = list(layout.defaults["tree"])
        thing[layout.places["tree", "size"]] = size
        thing[layout.places["tree", "height"]] = number + 2
        thing[layout.places["tree", "owner"]] = None if number else FIRST_PLAYER
        state.create(layout.kinds["tree"], thing)
    return state, "main", (FIRST_PLAYER,)


@settings(max_examples=150)
@given(rulesets(), st.integers(0, 2**16))
def test_random_rules_play_alike(source: str, seed: int) -> None:
    ruleset, found = checked(source)
    assume(ruleset is not None and not found.errors)
    assert ruleset is not None
    table = Table(ruleset)
    table.play(garden, seed)
    table.sample(garden, seed)
