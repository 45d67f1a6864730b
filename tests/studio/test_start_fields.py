"""The starting values of a procedure are set in one panel and count in the others."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.studio.window import Desk, expect

pytestmark = [pytest.mark.browser, pytest.mark.slow]

WADING = """\
procedures:
  wade:
    title: Wading
    given: {deep: int}
    steps:
      - {id: cold, roll: 1d4}
      - {id: wet, let: deep + cold}
    gives: {left: wet}
examples:
  pond: {title: A pond, of: wade, given: {deep: 6}, expect_odds: {left > 6: 100 %}}
"""


def test_a_starting_value_that_is_set_in_odds_counts_in_try(desk: Desk, rules: Path) -> None:
    desk.rewrite(rules, WADING)
    desk.point_at("Wading")
    odds = desk.panel("Odds")
    deep = odds.get_by_label("Deep")
    expect(deep).to_have_value("6")
    deep.fill("2")
    deep.press("Tab")
    expect(odds.get_by_role("button", name="Go to the example")).to_be_visible()
    expect(desk.panel("Try").get_by_label("Deep")).to_have_value("2")
