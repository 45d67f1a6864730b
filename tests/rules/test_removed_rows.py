"""A row taken away in house rules while other rules still speak of it: both places are named, and the advice works."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
import yaml

from rulewright.ruleset.editions.catalogue import Catalogue
from rulewright.ruleset.load_ruleset import load_ruleset
from rulewright.ruleset.queries.lookup import find_node
from rulewright.ruleset.schema.edition_reference import parse_reference
from rulewright.source.diagnostics.diagnostic import Diagnostic
from rulewright.testing.check_edition import check_edition
from tests.breadth import some

MANIFEST = "ruleset: house/flat\nversion: 0.1.0\ntitle: Flat\nstatus: draft\nextends: {}\n"

# A row that other rules speak of, and the row that takes over from it.
ROWS = [
    ("fuzzy-knights/normal@1.0", "settlement_tiers", "castle", "estate"),
    ("fuzzy-knights/medium@0.1", "settlement_tiers", "castle", "estate"),
    ("fuzzy-knights/normal@1.0", "ramparts", "fortifications", "palisade"),
]


def errors(folder: Path, shipped: Path, house: dict[str, Any]) -> list[Diagnostic]:
    (folder / "flat" / "rules.yaml").write_text(yaml.safe_dump(house, sort_keys=False, allow_unicode=True))
    catalogue = Catalogue([folder, shipped])
    checked = check_edition(catalogue, catalogue.find(parse_reference("house/flat")))
    return [each for each in checked.diagnostics if each.severity == "error"]


def house_without(folder: Path, reference: str, table: str, row: str) -> dict[str, Any]:
    (folder / "flat").mkdir()
    (folder / "flat" / "ruleset.yaml").write_text(MANIFEST.format(reference))
    return {"tables": {table: {"rows": {row: {"delete": True}}}}}


def put(house: dict[str, Any], path: list[str], value: object) -> None:
    for part in path[:-1]:
        house = house.setdefault(part, {})
    house[path[-1]] = value


def overlay(house: dict[str, Any], more: dict[str, Any]) -> None:
    """Paste what the advice has ready."""
    for key, value in more.items():
        if isinstance(value, dict) and isinstance(house.get(key), dict):
            overlay(house[key], value)
        else:
            house[key] = value


# More speaks of this row than of the others; that of the medium edition is spoken of by the same rules.
@pytest.mark.parametrize(("reference", "table", "row", "_"), some(ROWS, [ROWS[0]]))
def test_both_places_are_named(tmp_path: Path, checkout: Path, reference: str, table: str, row: str, _: str) -> None:
    house = house_without(tmp_path, reference, table, row)
    found = errors(tmp_path, checkout / "rules", house)
    assert found
    for each in found:
        # What is missed in one place is told there; what is missed in several, once, where it is deleted.
        places = [related.span for related in each.related]
        if not places:  # an example that could be run, and no longer holds
            assert "{delete: true}" in (each.suggestion or "")
            continue
        missed, (removal,) = (places, [each.span]) if each.code.id == "still-needed" else ([each.span], places)
        assert len(missed) > (each.code.id == "still-needed")
        for place in missed:
            written = Path(place.file).read_text(encoding="utf-8").splitlines()
            assert row in written[place.line - 1], "the name that leads nowhere"
        assert removal.file == str(tmp_path / "flat" / "rules.yaml")
        removing = Path(removal.file).read_text(encoding="utf-8").splitlines()
        assert "delete: true" in removing[removal.line - 1]


# The two differ in what speaks of the row, and each step of the advice takes a check of the house rules.
@pytest.mark.parametrize(("reference", "table", "row", "instead"), some([ROWS[0], ROWS[-1]], [ROWS[0]]))
def test_following_the_advice_to_its_end_leaves_sound_rules(
    tmp_path: Path, checkout: Path, reference: str, table: str, row: str, instead: str
) -> None:
    house = house_without(tmp_path, reference, table, row)
    below = load_ruleset(reference, rules=[checkout / "rules"])
    for _ in range(20):
        found = errors(tmp_path, checkout / "rules", house)
        if not found:
            break
        advice = [related.message for each in found if each.code.id == "still-needed" for related in each.related]
        advice += [each.suggestion or "" for each in found if each.code.id != "still-needed"]
        for said in advice:
            leave_out = re.search(
                r"`(examples: {.*?: {delete: true}})`|delete the example:\n((?:\w+:\n|  .*\n)+)", said
            )
            if leave_out is not None:
                overlay(house, yaml.safe_load(leave_out[1] or leave_out[2]))
                continue
            named = re.search(r"(?:replace it at|it is needed at) `([^`]+)`", said)
            assert named is not None, said
            path, value = find_node(below, named[1])
            put(house, list(path), replaced(value.to_plain(), row, instead, house))
    assert not errors(tmp_path, checkout / "rules", house)


def replaced(value: object, row: str, instead: str, house: dict[str, Any]) -> object:
    """Return what a designer would write in the value's stead: the other row, and no example that was left out."""
    if isinstance(value, list):
        lines = {f"examples.{name}" for name, change in house.get("examples", {}).items() if "delete" in change}
        return [replaced(item, row, instead, house) for item in value if item not in lines]
    return re.sub(rf"\b{row}\b", instead, value) if isinstance(value, str) else value


def test_keeping_the_row_is_sound_too(tmp_path: Path, checkout: Path) -> None:
    house_without(tmp_path, "fuzzy-knights/normal@1.0", "settlement_tiers", "castle")
    assert not errors(
        tmp_path, checkout / "rules", {"tables": {"settlement_tiers": {"rows": {"castle": {"cost": 24}}}}}
    )
