"""What the documentation says of the spellings of other dice programs is what the program says to whoever uses them."""

from __future__ import annotations

import pytest
from reference.dice import COMING_FROM, FORMS, NAMES, RECIPES

from rulewright.dice.ast import Roll
from rulewright.dice.dice_error import DiceError
from rulewright.dice.format_notation import format_roll
from rulewright.dice.parser.notation import parse
from tests.language.inline import sound

ROWS = [(program, theirs, ours) for program, rows in COMING_FROM.items() for theirs, ours in rows]


@pytest.mark.parametrize(("program", "theirs", "ours"), ROWS)
def test_a_spelling_of_another_program_is_read_alike_or_told_in_ours(program: str, theirs: str, ours: str) -> None:
    expected = parse(ours)
    assert read_or_suggested(theirs) == expected


def read_or_suggested(written: str) -> Roll:
    try:
        return parse(written)
    except DiceError as error:
        return parse(error.suggestion or "")


def test_the_names_of_the_page_can_be_given() -> None:
    ruleset = sound(NAMES)
    for written in ("critical(1d20)", "spread(3d6) + 1", "burning", "dP > 50"):
        assert parse(format_roll(ruleset.declarations.read_dice(written)), dice=ruleset.declarations.dice)


@pytest.mark.parametrize("example", [each for _, each, _ in FORMS] + [each for _, each in RECIPES])
def test_every_form_can_be_written_as_it_is_told(example: str) -> None:
    assert parse(format_roll(parse(example))) == parse(example)
