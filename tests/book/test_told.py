"""What readers are told of the events of an example."""

from __future__ import annotations

from pathlib import Path

import pytest

from rulewright.book.parts.runs import example_view
from rulewright.book.style.style import Unlinked
from rulewright.ruleset.load import load_ruleset
from tests.book.garden import steps, write_garden


def lines(folder: Path, *written: str, example: str = "", tenant: str = ", tenant: 1", watered: str = "") -> list[str]:
    """What an example of `tend` with these steps tells."""
    given = f"players: [{{seed: 5}}], bed: {{owner: 1{tenant}{watered}}}"
    one = f"  one: {{title: One, of: tend, given: {{{given}}}, expect: {{'1': 1}}{example}}}\n"
    write_garden(folder, steps(*written) + one)
    ruleset = load_ruleset("garden/small", rules=[folder])
    return [each.text for each in example_view(ruleset.examples["one"], Unlinked(ruleset)).happened]


@pytest.mark.parametrize(
    ("step", "said"),
    [
        ("- {id: s, set: {bed.tenant: none}}", "The Bed no longer has a tenant."),
        ("- {id: s, set: {bed.size: bush}}", "The Bed’s size is now Bush."),
        ("- {id: s, pay: {who: player, seed: 2}}", "Player 1 pays 2 Seeds and has 3 left."),
        ("- {id: s, set: {season: 2}}", "Season is now 2."),
        ("- {id: s, set: {raining: true}}", "Raining now holds."),
    ],
)
def test_what_changes_is_told_as_people_write_it_down(step: str, said: str, tmp_path: Path) -> None:
    found = lines(tmp_path, step)
    assert said in found
    assert "The Bed is now watered." in found


def test_who_was_not_there_before_is_told_alone(tmp_path: Path) -> None:
    assert lines(tmp_path, "- {id: a, set: {bed.tenant: player}}", tenant="")[0] == "The Bed’s tenant is now Player 1."


def test_a_setting_is_told_in_its_own_words_and_what_is_done_in_a_special_case_too(tmp_path: Path) -> None:
    found = lines(tmp_path, "- {id: s, set: {options.shade: full}}", watered=", watered: true")
    assert found == ["Shade: Full shade.", "The Bed is no longer watered."]


def test_a_choice_of_nothing_is_no_name(tmp_path: Path) -> None:
    asked = "- {id: c, choose: {who: player, one_of: beds, or_none: true}}"
    assert lines(tmp_path, asked, example=", choose: [none]")[0] == "Player 1 wants none of them."
