"""The pages of a book are told apart by their pictures."""

from __future__ import annotations

import re

import pytest

from rulewright.book.style.assets import drawings
from rulewright.book.style.places import book_pages
from rulewright.ruleset.load import load_ruleset
from tests.breadth import some
from tests.published import editions

SHOWN = some(sorted(editions()), [each for each in sorted(editions()) if "knights/normal@0" not in each])
"""The drafts of the largest game have the pictures of its newest edition."""


@pytest.mark.parametrize("reference", SHOWN)
def test_no_two_pages_of_a_book_share_a_picture(reference: str) -> None:
    ruleset = load_ruleset(reference)
    drawn = drawings(ruleset)
    named = [page.icon.text for page in book_pages(ruleset) if page.icon is not None]
    assert named
    assert set(named) <= set(drawn), "each has a drawing of its own, whatever fonts a reader has"
    shapes = [re.sub(r"<title>.*?</title>| id=\"[^\"]*\"", "", drawn[name]) for name in named]
    assert len(set(shapes)) == len(shapes)


@pytest.mark.parametrize("reference", SHOWN)
def test_every_word_with_a_sign_has_a_drawing(reference: str) -> None:
    ruleset = load_ruleset(reference)
    signed = {term.id for term in ruleset.declarations.terms.values() if term.icon}
    assert signed <= set(drawings(ruleset))
