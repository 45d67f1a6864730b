"""The sentence about an empty deck is left out where the rules draw only from a deck that is not empty."""

from __future__ import annotations

import pytest

from rulewright.book.parts.step_sentences import StepWriter
from rulewright.book.style.text_style import Style
from rulewright.ruleset.queries.guarded_draws import list_guarded_draws
from tests.language.inline import sound

RULES = """
terms: {{tile: {{name: tile, means: A square.}}}}
tables: {{tiles: {{title: Tiles, rows: {{road: {{}}, city: {{}}}}}}}}
decks: {{bag: {{title: The bag, of: tiles}}}}
procedures:
  game:
    steps:
      - id: turns
        repeat: {{while: {going}, at_most: 9, steps: [{{id: turn, do: turn}}]}}
      - {{id: over, finish: {{winners: []}}}}
  turn:
    steps:
      - {{id: top, draw: bag}}
      - {{id: more, draw: bag, when: {when}}}
"""
AGAIN = "first shuffle all of its tiles again"


@pytest.mark.parametrize(
    ("going", "when", "guarded"),
    [
        ("bag.left > 0", "bag.left > 0 and count(players) > 1", {"turn.top", "turn.more"}),
        ("bag.left >= 2", "true", {"turn.top", "turn.more"}),
        ("bag.left > 0", "bag.left > 0 or count(players) > 1", {"turn.top"}),
        ("bag.left != 0", "bag.left >= 0", {"turn.top"}),
        ("count(players) > 1", "bag.left > 0", {"turn.more"}),
    ],
)
def test_a_draw_is_guarded_by_conditions_around_it_and_around_calls(going: str, when: str, guarded: set[str]) -> None:
    rules = sound(RULES.format(going=going, when=when), manifest=MANIFEST)
    assert list_guarded_draws(rules) == guarded
    sentence = StepWriter(rules.procedures["turn"], Style(rules)).all()
    assert (AGAIN in sentence) == (len(guarded) < 2)


MANIFEST = "ruleset: test/tiles\nversion: 1.0.0\ntitle: Tiles\nplayers: 2\nstart: game\n"


def test_a_draw_in_a_loop_is_not_guarded_by_what_was_true_before_it() -> None:
    steps = "repeat: {at_most: 3, steps: [{id: top, draw: bag}]}, when: bag.left > 0"
    rules = RULES.format(going="bag.left > 0", when="true").replace("{id: top, draw: bag}", f"{{id: three, {steps}}}")
    assert list_guarded_draws(sound(rules, manifest=MANIFEST)) == set()


def test_a_draw_after_a_call_that_draws_is_not_guarded_by_what_was_true_before_the_call() -> None:
    rules = RULES.format(going="bag.left > 0", when="false").replace("do: turn}", "do: turn}, {id: last, draw: bag}")
    assert list_guarded_draws(sound(rules, manifest=MANIFEST)) == {"turn.top"}
