"""What is accepted without the JSON Schema validator is what that finds nothing wrong with, and nothing else."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from rulewright.resources import resource
from rulewright.ruleset.schema.acceptance import Acceptance
from rulewright.ruleset.schema.validate import Kind, acceptance, validator
from rulewright.source.yaml.reader import read_file
from tests.ruleset.test_elaborate_anything import CHANGES, places, put, shipped
from tests.ruleset.test_shape import JSON, SECTIONS

FORMS: list[tuple[Kind, bool]] = [("manifest", False), ("rules", False), ("rules", True)]
RULES = resource("rules")
FILES = sorted(path for path in RULES.rglob("*.yaml"))


def agree(document: Any) -> None:
    for kind, overlay in FORMS:
        accepted = acceptance(kind, overlay=overlay)(document)
        assert accepted == validator(kind, overlay=overlay).is_valid(document), (kind, overlay)


@given(JSON | SECTIONS)
def test_anything_is_judged_alike(document: Any) -> None:
    agree(document)


@given(st.data())
def test_shipped_files_are_judged_alike_however_they_are_changed(data: st.DataObject) -> None:
    document = read_file(data.draw(st.sampled_from(FILES))).plain()
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
    assert acceptance("rules", overlay=False)(rules)
    for path in list(places(rules))[:: 1 if reference.startswith("pig") else 311]:
        agree(put(rules, path, ("remove", None)))
        agree(put(rules, path, ("put", 2.0)))
        agree(put(rules, path, ("rename", "x\n")))


VALUES = [None, True, False, 0, 1, 1.0, 1.5, "", "a", "a\n", "aa", [], [1], [True], ["a"], {}]
VALUES += [{"a": value} for value in VALUES] + [{"b": "a"}, {"a": 1, "b": 2}, {"delete": True}, {"delete": 1}]
SMALL: list[dict[str, Any]] = [
    {},
    *({"type": name} for name in ("object", "array", "string", "boolean", "number", "null")),
    {"type": ["string", "array"], "items": {"type": "string"}},
    {"enum": [True, "a", {"delete": True}, [1], None]},
    {"enum": [1, [True]]},
    {"not": {"enum": ["a"]}},
    {"anyOf": [{"required": ["a"]}, {"required": ["b"]}]},
    {"properties": {"a": {"type": "string"}}},
    {"properties": {"a": True}, "additionalProperties": False},
    {"additionalProperties": {"type": "string"}},
    {"additionalProperties": {"$ref": "#/$defs/own"}, "$defs": {"own": {"properties": {"a": {"$ref": "#/$defs/own"}}}}},
    {"propertyNames": {"enum": ["a"]}},
    {"$ref": "#/$defs/text", "description": "Words.", "$defs": {"text": {"type": "string"}}},
]


@pytest.mark.parametrize("schema", SMALL, ids=str)
def test_each_keyword_means_what_it_means(schema: dict[str, Any]) -> None:
    accepts, judge = Acceptance(schema), Draft202012Validator(schema)
    assert [accepts(value) for value in VALUES] == [judge.is_valid(value) for value in VALUES]


def test_a_keyword_that_is_not_known_is_refused() -> None:
    with pytest.raises(ValueError, match="minItems"):
        Acceptance({"type": "array", "minItems": 2})
