"""A boolean that may be none, as a condition, on every machine alike: none is not true."""

from __future__ import annotations

import pytest

from rulewright.book.parts.step_sentences import StepWriter
from rulewright.book.style.text_style import Style
from tests.engine import machines
from tests.language.inline import sound

CARDS = """\
tables:
  cards: {columns: {lasting: optional bool}, rows: {hut: {lasting: true}, storm: {lasting: false}, song: {}}}
state: {kept: int}
procedures:
  main:
    given: {p: player}
    steps:
      - {id: each_card, for_each: card, in: cards, steps: [{id: more, set: {kept: kept + 1}, when: CONDITION}]}
"""


@pytest.mark.parametrize(
    ("condition", "cards", "words"),
    [
        ("card.lasting", 1, "if it is lasting"),
        ("not card.lasting", 2, "if it is not lasting"),
        ("card.lasting and kept < 9", 1, "if it is lasting and"),
        ("card.lasting or false", 1, ""),
        ("none(c for c in [card] if not c.lasting)", 1, ""),
        ("not (card.lasting or true)", 1, ""),
    ],
)
def test_none_is_not_true(condition: str, cards: int, words: str) -> None:
    rules = sound(CARDS.replace("CONDITION", f'"{condition}"'))
    state = machines.carried_out(rules)
    assert state.objects[0][state.machine.layout.places["game", "kept"]] == cards
    assert words in StepWriter(rules.procedures["main"], Style(rules)).all()
