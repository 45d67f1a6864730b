"""Formulas are explained where a page first needs them, those that they use with them, and every part is said once."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from rulewright.book.parts.step_sentences import StepWriter
from rulewright.book.rulebook import render_site
from rulewright.book.style.text_style import Style
from rulewright.ruleset.load_ruleset import load_ruleset
from tests.book.garden import steps, write_garden

FORMULAS = """\
formulas:
  half: {given: {n: int}, is: n / 2}
  ration: {given: {n: int}, is: half(n) * 4}
"""
BOTH = """\
  harvest:
    title: Harvest
    given: {player: player}
    steps:
      - {id: part, let: ration(season) + half(season)}
      - {id: got, gain: {who: player, seed: part}}
exceptions:
"""


def test_a_formula_is_explained_once_with_those_that_it_uses(tmp_path: Path) -> None:
    rules = steps("- {id: lot, let: ration(season)}", "- {id: got, gain: {who: player, seed: lot}}")
    rules = rules.replace("formulas:\n", FORMULAS).replace("exceptions:\n", BOTH)
    site = render_site(load_ruleset("garden/small", rules=[write_garden(tmp_path, rules)]))
    [page] = [text for path, text in site.items() if path.endswith(".md") and "Harvest</summary>" in text]
    explained = re.findall(r"<div><dt>(\w+)</dt>", page)
    assert [name for name in explained if name in ("Ration", "Half")] == ["Ration", "Half"]


@pytest.mark.parametrize("many", [1, 2, 3, 7])
@pytest.mark.parametrize("joint", [" and ", " or "])
def test_every_part_of_a_condition_is_said_once(many: int, joint: str, tmp_path: Path) -> None:
    numbers = range(101, 101 + many)
    parts = [f"season {'>=' if place % 2 else '<'} {number}" for place, number in enumerate(numbers)]
    assert list_numbers(f"- {{id: odd, when: {joint.join(parts)}, gain: {{who: player, seed: 1}}}}", tmp_path) == [
        *numbers
    ]


@pytest.mark.parametrize("many", [1, 2, 3, 7])
def test_every_change_of_a_step_is_said_once(many: int, tmp_path: Path) -> None:
    numbers = range(101, 101 + many)
    fields = ["season", "player.seed", "player.water", "bed.owner.seed", "turns", "rains", "days"][:many]
    changes = [f"{field}: {number}" for field, number in zip(fields, numbers, strict=True)]
    assert list_numbers(f"- {{id: odd, set: {{{', '.join(changes)}}}}}", tmp_path) == [*numbers]


@pytest.mark.parametrize("many", [1, 2, 3, 7])
def test_every_option_of_a_choice_is_said_once(many: int, tmp_path: Path) -> None:
    numbers = range(101, 101 + many)
    offers = [f"way_{number}: {{label: Take {number}}}" for number in numbers]
    assert list_numbers(f"- {{id: odd, choose: {{who: player, from: {{{', '.join(offers)}}}}}}}", tmp_path) == [
        *numbers
    ]


@pytest.mark.parametrize("many", [1, 2, 3, 7])
def test_every_summand_is_said_once(many: int, tmp_path: Path) -> None:
    numbers = range(101, 101 + many)
    summands = [f"(season + {number}) * 2" for number in numbers]
    assert list_numbers(f"- {{id: odd, set: {{turns: {' + '.join(summands)}}}}}", tmp_path) == [*numbers]


def list_numbers(step: str, folder: Path) -> list[int]:
    """Return the numbers above 100 in the sentence of a step, in order."""
    rules = steps(step).replace("state:\n", "state:\n  turns: int\n  rains: int\n  days: int\n")
    ruleset = load_ruleset("garden/small", rules=[write_garden(folder, rules)])
    text = StepWriter(ruleset.procedures["tend"], Style(ruleset)).step("odd")
    return sorted(int(number) for number in re.findall(r"\b1\d\d\b", text))
