"""Every recipe is valid and without a warning, whatever was added to the rules that it builds on."""

from __future__ import annotations

from pathlib import Path

import pytest

from rulewright.authoring.example_odds import weigh_odds
from rulewright.base.incremental.traces import Traces
from rulewright.book.parts.rule_summaries import build_describer
from rulewright.ruleset.editions.catalogue import Catalogue
from rulewright.ruleset.editions.edition import Edition
from rulewright.source.diagnostics.formats import render
from rulewright.testing.check_edition import check_edition

CHECKOUT = Path(__file__).parents[2]
CATALOGUE = Catalogue([CHECKOUT / "site" / "docs" / "cookbook", CHECKOUT / "rules"])
RECIPES = [edition for edition in CATALOGUE.list_editions() if edition.folder.is_relative_to(CATALOGUE.paths[0])]
TRACES = Traces()
"""What one recipe has shown of the rules below, the next one need not show again."""


@pytest.mark.parametrize("recipe", RECIPES, ids=lambda edition: edition.ruleset)
def test_a_recipe_is_valid(recipe: Edition) -> None:
    checked = check_edition(CATALOGUE, recipe, describer=build_describer, weigh=weigh_odds, traces=TRACES)
    assert not list(checked.diagnostics), render("text", checked.diagnostics)


def test_there_are_recipes_and_none_is_unreadable() -> None:
    assert len(RECIPES) > 30
    assert not CATALOGUE.list_broken()
