"""The training run of the documentation, in a small form: it learns a short game of Pig, and knows the best play."""

from __future__ import annotations

import importlib.util
from types import ModuleType

import pytest

from rulewright import load_ruleset
from rulewright.base.resources import find_resource
from rulewright.ruleset.overlay import with_values

pytest.importorskip("pettingzoo")
import numpy as np

SCRIPT = find_resource("rules").parent / "site" / "docs" / "integrate" / "batch" / "learn_pig.py"
GOAL = 20


@pytest.fixture(scope="module")
def learning() -> ModuleType:
    spec = importlib.util.spec_from_file_location("learn_pig", SCRIPT)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_a_short_game_is_learned_by_playing(learning: ModuleType) -> None:
    rules = with_values(load_ruleset("pig/classic@1.0"), (("numbers.goal", str(GOAL)),))
    weights = learning.learn(rules, goal=GOAL, steps=1500, games=512)
    own, _, pot = np.meshgrid(np.arange(GOAL), np.arange(GOAL), np.arange(GOAL + 6), indexing="ij")
    best, value = learning.best_play(GOAL)
    assert 0.6 < value < 0.8
    assert learning.wins_of(best, best, GOAL) == pytest.approx(0.5, abs=1e-4)
    learned = learning.wins_of(learning.rolls(weights, GOAL), best, GOAL)
    timid = learning.wins_of((pot < 6) & (own + pot < GOAL), best, GOAL)
    assert timid < 0.45
    assert 0.48 < learned <= 0.5 + 1e-4
