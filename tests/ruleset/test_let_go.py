"""Whoever loads rules again and again, as an editor does, keeps none of those that are no longer used."""

from __future__ import annotations

import gc
import weakref

import pytest

from rulewright import Game, load_ruleset
from rulewright.analysis.simulation.run_simulation import simulate
from rulewright.engine.narration.redaction import analyze_sight
from rulewright.ir.analyses.value_range import check_numbers
from rulewright.ruleset.overlay import with_values


@pytest.mark.parametrize("reference", ["pig/classic", "classics/kuhn-poker"])
def test_rules_that_nobody_uses_are_let_go(reference: str) -> None:
    number = {"pig/classic": "numbers.goal", "classics/kuhn-poker": "numbers.ante"}[reference]
    references = []
    for value in range(20, 23):
        ruleset = with_values(load_ruleset(reference), [(number, str(value))])
        simulate(ruleset, games=3)
        game = Game(ruleset, players=2, seed=value)
        for _ in range(5):
            if game.decision is not None:
                game.choose(0)
        check_numbers(ruleset)
        analyze_sight(ruleset)
        references.append(weakref.ref(ruleset))
        del ruleset, game
    gc.collect()
    assert [each() for each in references] == [None] * 3
