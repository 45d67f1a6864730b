"""Whatever the doors for other libraries are given, they raise what their docstrings say, and nothing else."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rulewright import load_ruleset
from tests.breadth import times
from tests.engine.test_public_exceptions import ANYTHING, raised

pytest.importorskip("gymnasium")
pytest.importorskip("pettingzoo")
pyspiel = pytest.importorskip("pyspiel")

from rulewright.integrations import gymnasium, openspiel, pettingzoo  # noqa: E402
from rulewright.integrations.gymnasium import RulewrightVectorEnv  # noqa: E402
from rulewright.integrations.pettingzoo import RulewrightEnv  # noqa: E402

TOE = "classics/tic-tac-toe@1.0"
RULES = load_ruleset(TOE)
SETTINGS = {"players": 2, "options": None, "rules": (), "horizon": 100, "most_options": 9, "most_objects": 9}

ENVIRONMENT = pettingzoo.env(RULES)
ENVIRONMENT.reset(seed=1)
ARRAYS = gymnasium.make_vec(RULES, games=2)
ARRAYS.reset(seed=1)

ENTRIES: dict[str, tuple[Any, Callable[..., Any], dict[str, Any]]] = {
    "pettingzoo.env": (
        pettingzoo.env,
        pettingzoo.env,
        {"ruleset": RULES, "render_mode": None, "observations": "dict", **SETTINGS},
    ),
    "pettingzoo reset": (RulewrightEnv.reset, ENVIRONMENT.reset, {"seed": 1, "options": None}),
    "pettingzoo step": (RulewrightEnv.step, ENVIRONMENT.step, {"action": 0}),
    "gymnasium.make_vec": (
        gymnasium.make_vec,
        gymnasium.make_vec,
        {"ruleset": RULES, "games": 2, "seat": None, "autoreset_mode": "NextStep", "copy": True, **SETTINGS},
    ),
    "gymnasium reset": (RulewrightVectorEnv.reset, ARRAYS.reset, {"seed": 1, "options": None}),
    "gymnasium step": (RulewrightVectorEnv.step, ARRAYS.step, {"actions": [0, 0]}),
    "openspiel.load_game": (
        openspiel.load_game,
        openspiel.load_game,
        {"ruleset": TOE, "players": 2, "options": None, "rules": ()},
    ),
}


@pytest.mark.parametrize("name", ENTRIES)
@settings(max_examples=times(10, 600), deadline=None)
@given(data=st.data())
def test_wrong_arguments_raise_what_the_docstring_says(name: str, data: st.DataObject) -> None:
    entity, call, arguments = ENTRIES[name]
    if name.endswith("step"):
        ENVIRONMENT.reset(seed=1)
        ARRAYS.reset(seed=1)
    wrong = data.draw(st.sets(st.sampled_from(list(arguments)), min_size=1, max_size=2))
    given_ = {key: data.draw(ANYTHING) if key in wrong else value for key, value in arguments.items()}
    said = None
    try:
        call(**given_)
    except raised(entity) as error:
        said = str(error)
    assert said is None or said.encode().strip()
