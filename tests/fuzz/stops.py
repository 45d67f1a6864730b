"""Games of all shipped rulesets, on every machine at once: at each stop they show the same, down to what happened."""

from __future__ import annotations

import atexit
import os
from functools import cache
from itertools import islice
from random import Random

from rulewright import load_ruleset
from rulewright.base.resources import find_resource
from rulewright.engine import backends
from rulewright.engine.state.machine import Machine
from rulewright.ruleset.editions.catalogue import Catalogue
from rulewright.ruleset.ruleset import Ruleset
from tests.engine.walks import at_stop, stops
from tests.fuzz.mutate import main

MOST_STOPS = 200
"""Stops of one game that are looked at: long games come to the same questions again."""

seen = 0
"""Stops that were compared, of all games."""


@cache
def playable() -> tuple[str, ...]:
    """Return what there is to play; `ONLY` in the environment names a part of it."""
    editions = [each for each in Catalogue([find_resource("rules")]).list_editions() if each.status != "abstract"]
    return tuple(each.id for each in editions if os.environ.get("ONLY", "") in each.id)


@cache
def machines(reference: str) -> tuple[Ruleset, tuple[Machine, ...]]:
    """Return a ruleset on every machine."""
    ruleset = load_ruleset(reference)
    return ruleset, tuple(backends.make(name, ruleset) for name in backends.list_names())


def trial(random: Random) -> None:
    """One game, by settings and choices at random."""
    global seen
    ruleset, every = machines(random.choice(playable()))
    options = {option.id: random.choice([*option.choices]) for option in ruleset.declarations.options.values()}
    players, seed = random.randint(*ruleset.players), str(random.random())
    games = zip(*(stops(machine, players, options, seed=seed) for machine in every), strict=True)
    for states in islice(games, MOST_STOPS):
        first, *others = map(at_stop, states)
        assert all(other == first for other in others), (ruleset.reference, options, players, seed)
        seen += 1


if __name__ == "__main__":
    atexit.register(lambda: print(f"{seen} stops were the same on {', '.join(backends.list_names())}"))
    main("stops", trial)
