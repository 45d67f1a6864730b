"""Entries of a first layer may stand where they ask to, and so may those of an entry that is new."""

from __future__ import annotations

from pathlib import Path

import pytest

from rulewright import load_ruleset
from rulewright.source.diagnostics.collector import DiagnosticError

BASE = "ruleset: order/base\nversion: 1.0.0\ntitle: Base\nstatus: abstract\n"
TOP = "ruleset: order/top\nversion: 1.0.0\nextends: order/base\ntitle: Top\nstatus: draft\n"


def edition(folder: Path, manifest: str, rules: str) -> None:
    folder.mkdir()
    (folder / "ruleset.yaml").write_text(manifest)
    (folder / "rules.yaml").write_text(rules)


def test_a_first_layer_is_put_in_order(tmp_path: Path) -> None:
    edition(tmp_path / "base", BASE, "numbers: {c: {is: 3, after: b}, a: 1, b: {is: 2, after: a}}\n")
    edition(
        tmp_path / "top", TOP, "tables: {t: {columns: {n: int}, rows: {y: {n: 2, after: x}, z: {n: 3}, x: {n: 1}}}}\n"
    )
    rules = load_ruleset("order/top", rules=[tmp_path])
    assert list(rules.declarations.numbers) == ["a", "b", "c"]
    assert list(rules.declarations.tables["t"].rows) == ["z", "x", "y"]


@pytest.mark.parametrize(
    ("rules", "message"),
    [
        ("numbers: {a: {is: 1, after: gone}}\n", "there is no `gone` to place this next to"),
        ("numbers: {a: {is: 1, after: b}, b: {is: 1, after: a}}\n", "the position of `a` depends on itself"),
        ("numbers: {a: {delete: true}}\n", "there is no `a` in the layers below"),
    ],
)
def test_a_place_that_cannot_be_had(tmp_path: Path, rules: str, message: str) -> None:
    edition(tmp_path / "base", BASE, rules)
    edition(tmp_path / "top", TOP, "numbers: {z: 1}\n")
    with pytest.raises(DiagnosticError, match=message):
        load_ruleset("order/top", rules=[tmp_path])
