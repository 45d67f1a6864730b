"""The compiled schema accepts what the validator finds nothing wrong with, and nothing else."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rulewright.base.resources import find_resource
from rulewright.ruleset.schema.validator import Kind, build_acceptance, build_validator
from rulewright.source.yaml.yaml_reader import read_file
from tests.breadth import times
from tests.ruleset.test_elaborate_anything import CHANGES, places, put, shipped
from tests.ruleset.test_shape import JSON, SECTIONS

FORMS: list[tuple[Kind, bool]] = [("manifest", False), ("rules", False), ("rules", True)]
RULES = find_resource("rules")
FILES = sorted(path for path in RULES.rglob("*.yaml"))


def agree(document: Any) -> None:
    for kind, overlay in FORMS:
        accepted = build_acceptance(kind, overlay=overlay)(document)
        valid = build_validator(kind, overlay=overlay).is_valid(document)
        # Where there is a `2.0`, which may be a value and no whole number, it is left to the validator.
        assert accepted == (valid and not has_whole_float(document)), (kind, overlay)


def has_whole_float(document: Any) -> bool:
    leaves, left = [], [document]
    while left:
        match left.pop():
            case dict() as found:
                left += found.values()
            case list() as found:
                left += found
            case leaf:
                leaves.append(leaf)
    return any(isinstance(leaf, float) and leaf.is_integer() for leaf in leaves)


@given(JSON | SECTIONS)
def test_anything_is_judged_alike(document: Any) -> None:
    agree(document)


@given(st.data())
def test_shipped_files_are_judged_alike_however_they_are_changed(data: st.DataObject) -> None:
    document = read_file(data.draw(st.sampled_from(FILES))).to_plain()
    agree(document)
    for _ in range(data.draw(st.integers(1, 3))):
        found = list(places(document))
        if not found:
            return
        document = put(document, data.draw(st.sampled_from(found)), data.draw(CHANGES))
    agree(document)


@pytest.mark.parametrize("reference", ["pig/classic@1.0", "fuzzy-knights/medium@0.1"])
def test_merged_rules_are_accepted_and_none_that_lack_a_part(reference: str) -> None:
    rules = shipped(reference)
    assert build_acceptance("rules", overlay=False)(rules)
    for path in list(places(rules))[:: 1 if reference.startswith("pig") else times(997, 311)]:
        agree(put(rules, path, ("remove", None)))
        agree(put(rules, path, ("put", 2.0)))
        agree(put(rules, path, ("rename", "x\n")))


@pytest.mark.parametrize("value", [2.0, -0.0, 1e300, 10**400, "\ud800", float("nan"), {"a": [2.0]}], ids=str)
def test_what_json_cannot_say_is_judged_alike(value: Any) -> None:
    for key in ("numbers", "players", "version", "examples"):
        agree({key: value})
        agree({key: {"a": value}})
        agree({key: {"a": {"is": value}}})
