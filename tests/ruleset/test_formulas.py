"""What stands in the place of an expression and is none, or has no type, is refused: its users would be unchecked."""

from __future__ import annotations

from pathlib import Path

import pytest

from rulewright import load_ruleset
from rulewright.source.diagnostics.collector import DiagnosticError


@pytest.mark.parametrize(
    ("formula", "message"),
    [
        ("[1, 2]", "an expression is needed here, not a list"),
        ('"max([])"', "this list is always empty, so `max` has no use"),
        ('"first([])"', "this list is always empty, so `first` has no use"),
    ],
)
def test_a_formula_has_a_type(tmp_path: Path, formula: str, message: str) -> None:
    (tmp_path / "ruleset.yaml").write_text("ruleset: sums/plain\nversion: 1.0.0\ntitle: Sums\nstatus: draft\n")
    (tmp_path / "rules.yaml").write_text(f"formulas: {{total: {{is: {formula}, means: What it comes to.}}}}\n")
    with pytest.raises(DiagnosticError, match=message):
        load_ruleset("sums/plain", rules=[tmp_path])


def test_an_empty_list_adds_up_to_nothing(tmp_path: Path) -> None:
    (tmp_path / "ruleset.yaml").write_text("ruleset: sums/plain\nversion: 1.0.0\ntitle: Sums\nstatus: draft\n")
    (tmp_path / "rules.yaml").write_text('formulas: {total: {is: "sum([]) + count([])", means: Zero.}}\n')
    assert "total" in load_ruleset("sums/plain", rules=[tmp_path]).declarations.formulas
