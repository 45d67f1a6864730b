"""An interval of what cannot be below zero does not say that it may be."""

from __future__ import annotations

import pytest

from rulewright.base.confidence_intervals import compute_mean_interval
from rulewright.engine.game.game_settings import explain_unknown_setting
from rulewright.language.declarations import Scope
from rulewright.language.expressions.narrowing import is_never_negative
from rulewright.language.expressions.type_checker import check_expression
from rulewright.language.types import INTEGER
from rulewright.ruleset.load_ruleset import load_ruleset
from rulewright.ruleset.schema.edition_reference import make_argument_node
from rulewright.source.diagnostics.collector import Diagnostics


@pytest.mark.parametrize(
    ("written", "sure"),
    [
        ("goal", True),
        ("sum(p.score for p in players)", True),
        ("max(p.score for p in players) + 3 * goal", True),
        ("count(p for p in players)", True),
        ("goal - 1", False),
        ("max(p.score for p in players) - min(p.score for p in players)", False),
        ("sum(p.score - goal for p in players)", False),
        ("-goal", False),
    ],
)
def test_only_what_is_sure_is_taken_for_sure(written: str, *, sure: bool) -> None:
    declarations, diagnostics = load_ruleset("pig/classic@1.0").declarations, Diagnostics()
    value = check_expression(make_argument_node(written), Scope(declarations), diagnostics, expected=INTEGER)
    assert not diagnostics.errors
    assert is_never_negative(value, declarations) is sure


def test_an_interval_ends_where_values_do() -> None:
    assert compute_mean_interval(2, 10, 100)[0] < 0
    assert compute_mean_interval(2, 10, 100, least=0)[0] == 0
    assert compute_mean_interval(2, 10, 100, least=0)[1] == compute_mean_interval(2, 10, 100)[1]


def test_a_choice_that_there_is_not_is_not_blamed_on_its_option() -> None:
    ruleset = load_ruleset("fuzzy-knights/normal@1.0")
    assert (
        explain_unknown_setting(ruleset, "items", "xylophone")
        == "the option items has no choice xylophone; there is cards, dice_only"
    )
    assert (
        explain_unknown_setting(ruleset, "items", "card")
        == "the option items has no choice card; did you mean `cards`?"
    )
    assert explain_unknown_setting(ruleset, "itms", "cards").startswith("there is no option itms; there is ")
