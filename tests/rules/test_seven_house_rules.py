"""Seven house rules over the finished edition, as designers write them: what each asks for besides itself."""

from __future__ import annotations

from pathlib import Path

import pytest

from rulewright.ruleset.editions.catalogue import Catalogue
from rulewright.ruleset.schema.edition_reference import parse_reference
from rulewright.testing.check_edition import check_edition

ASKED = {
    "paid-shrine": ["player_turns.priority"],  # a list of what comes first on a tile, without the Shrine
    "citadel": [],
    "rolled-movement": ["player_turns.reach"],  # "has 2d8 +8 movement", where it is rolled
    "boots": ["player_turns.reach"],  # names the Amulet alone
    "hundred-coins": [],
    "pairs": ["learn.aim", "board_setup.goal"],  # the last player has won
    "turning-anchor": [],
}
"""The texts of the book that each asks to be read again, and why each of them has to be."""


@pytest.mark.parametrize("house", ASKED)
def test_it_is_sound_and_asks_for_no_signature_but_those_needed(house: str, checkout: Path) -> None:
    catalogue = Catalogue([checkout / "tests" / "house_rules", checkout / "rules"])
    checked = check_edition(catalogue, catalogue.find(parse_reference(f"house/{house}")))
    asked = [each.message.split("`")[1] for each in checked.diagnostics if each.code.id == "text-outdated"]
    assert asked == ASKED[house]
    assert [each.message for each in checked.diagnostics if each.code.id != "text-outdated"] == []


def test_all_seven_together_ask_for_five() -> None:
    assert sum(map(len, ASKED.values())) == 5
