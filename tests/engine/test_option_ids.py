"""An option of a type can have the ids that options of this type get."""

from __future__ import annotations

from typing import Any

import pytest

from rulewright.engine.game.option_ids import may_be_option
from rulewright.engine.narration.plain_names import build_option_id
from rulewright.language.types import Boolean, Choice, Entity, Integer, ListOf, Optional, RecordOf, Row, Type
from tests.language.inline import sound

RULES = sound("tables: {herbs: {columns: {worth: int}, rows: {sage: {worth: 1}, mint: {worth: 2}}}}\n")
HERB = Row("herbs")
PAIR = RecordOf("pair", (("herb", HERB), ("fresh", Boolean())))


@pytest.mark.parametrize(
    ("kind", "value"),
    [
        (Boolean(), True),
        (Boolean(), False),
        (Integer(), -3),
        (HERB, "mint"),
        (Choice(("stay", "go")), "go"),
        (Entity("player"), 2),
        (Optional(HERB), None),
        (ListOf(HERB), ()),
        (ListOf(HERB), ("sage", "mint")),
        (PAIR, ("sage", True)),
    ],
)
def test_an_option_can_have_the_id_that_its_value_gets(kind: Type, value: Any) -> None:
    assert may_be_option(build_option_id(value, kind), kind, RULES.declarations)


@pytest.mark.parametrize(
    ("kind", "written"),
    [(Boolean(), "true"), (Integer(), "two"), (HERB, "thyme"), (Entity("player"), "2"), (PAIR, "sage"), (HERB, "none")],
)
def test_an_option_cannot_have_another_id(kind: Type, written: str) -> None:
    assert not may_be_option(written, kind, RULES.declarations)
