"""The schemas say what the model says, and the copies beside the shipped rules are up to date."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any
from urllib.parse import unquote

import pytest
from jsonschema import Draft202012Validator

from rulewright.authoring.schema_files import KINDS, annotate, build_schema_line, write_schemas
from rulewright.base.resources import find_resource
from rulewright.language.schema_shapes import Record
from rulewright.language.statement import load_statements
from rulewright.ruleset.schema import model
from rulewright.ruleset.schema.json_schema import (
    build_diagnostics_schema,
    build_fragment_schema,
    build_manifest_schema,
    build_resolved_schema,
)
from rulewright.ruleset.schema.validator import validate
from rulewright.source.diagnostics.collector import Diagnostics
from rulewright.source.diagnostics.formats import render
from rulewright.source.yaml.yaml_reader import read_file, read_text

SCHEMAS = [build_manifest_schema, build_fragment_schema, build_resolved_schema, build_diagnostics_schema]
RULES = find_resource("rules")
SHIPPED = sorted(path for path in RULES.rglob("*") if path.suffix in (".yaml", ".yml"))


def every_schema(schema: Any) -> list[dict[str, Any]]:
    """Return all schemas inside one, itself included."""
    if isinstance(schema, list):
        return [found for item in schema for found in every_schema(item)]
    if not isinstance(schema, dict):
        return []
    inner = [value for key, value in schema.items() if not (key == "examples" and isinstance(value, list))]
    return [schema, *(found for value in inner for found in every_schema(value))]


@pytest.mark.parametrize("make", SCHEMAS)
def test_it_is_a_schema(make: Any) -> None:
    Draft202012Validator.check_schema(make())


@pytest.mark.parametrize("make", SCHEMAS)
def test_every_reference_leads_somewhere_and_every_definition_is_used(make: Any) -> None:
    schema = make()
    asked = {found["$ref"] for found in every_schema(schema) if "$ref" in found}
    assert asked == {f"#/$defs/{name}" for name in schema.get("$defs", {})}


@pytest.mark.parametrize("make", [build_fragment_schema, build_resolved_schema])
def test_every_section_and_every_verb_can_be_completed(make: Any) -> None:
    schema = make()
    assert list(schema["properties"]) == list(model.build_rules_shape().members)
    step = schema["$defs"]["step"]["properties"]
    assert set(step) >= set(model.step_shape().members)
    for verb in load_statements().values():
        assert verb.summary in step[verb.name]["description"]
        assert verb.example in step[verb.name]["description"]


@pytest.mark.parametrize("make", SCHEMAS)
def test_every_key_is_explained(make: Any) -> None:
    unexplained = [
        key
        for schema in every_schema(make())
        for key, inner in schema.get("properties", {}).items()
        if isinstance(inner, dict) and "description" not in inner and "enum" not in inner
    ]
    assert unexplained == []


def test_a_fragment_requires_nothing_but_that_a_step_names_one() -> None:
    required = {tuple(schema["required"]) for schema in every_schema(build_fragment_schema()) if "required" in schema}
    cases = {(name,) for name in load_statements()}  # under `if`: which statement a step is
    assert required - cases == {("delete",), ("id",), ("replace",)}


def test_the_resolved_form_requires_what_the_model_requires() -> None:
    schema = build_resolved_schema()
    for name, shape in vars(model).items():
        if isinstance(shape, Record) and name.lower() in schema["$defs"]:
            expected = [key for key, member in shape.members.items() if member.required]
            assert schema["$defs"][name.lower()].get("required", []) == expected


def test_the_resolved_form_places_nothing() -> None:
    placed = [
        schema
        for schema in every_schema(build_resolved_schema())
        if {"before", "after", "replace"} & set(schema.get("properties", {}))
    ]
    assert placed == []


def test_the_examples_of_verbs_fit_their_own_schema() -> None:
    for schema in (build_fragment_schema(), build_resolved_schema()):
        for name, inner in schema["$defs"]["step"]["properties"].items():
            for example in inner.get("examples", []):
                whole = {"$defs": schema["$defs"], **inner}
                assert list(Draft202012Validator(whole).iter_errors(example)) == [], name


def test_what_check_prints_fits_its_schema() -> None:
    diagnostics = Diagnostics()
    validate(read_text("tabels: {}\n", "bad.yaml"), "rules", diagnostics, overlay=False)
    Draft202012Validator(build_diagnostics_schema()).validate(json.loads(render("json", diagnostics)))


@pytest.mark.parametrize("path", SHIPPED, ids=lambda path: path.relative_to(RULES).as_posix())
def test_shipped_files_fit_the_schema_their_first_line_names(path: Path) -> None:
    first = path.read_text(encoding="utf-8").split("\n", 1)[0]
    usual = "words" if path.parent.name == "words" else "rules"
    kind = KINDS[{"ruleset.yaml": "manifest", "sources.yaml": "sources"}.get(path.name, usual)]
    update = "run: rulewright schema --output rules/schema --annotate rules"
    assert first + "\n" == build_schema_line(path, RULES / "schema" / kind.file), update
    schema = json.loads((path.parent / unquote(first.partition("$schema=")[2])).read_text(encoding="utf-8"))
    assert list(Draft202012Validator(schema).iter_errors(read_file(path).to_plain())) == []


@pytest.mark.parametrize("kind", KINDS.values(), ids=lambda kind: kind.name)
def test_the_committed_schemas_are_up_to_date(kind: Any) -> None:
    path = RULES / "schema" / kind.file
    assert path.read_text(encoding="utf-8") == kind.format_text(), "run: rulewright schema --output rules/schema"


class TestFiles:
    def test_a_line_is_added_once_and_put_right(self, tmp_path: Path) -> None:
        house = tmp_path / "my house" / "pig"
        (house / "book").mkdir(parents=True)
        (house / "ruleset.yaml").write_text("ruleset: pig/house\n")
        (house / "book" / "pages.yaml").write_text("# yaml-language-server: $schema=old.json\n# ours\npages: {}\n")
        (tmp_path / "my house" / "elsewhere.yaml").write_text("a: 1\n")
        schemas = tmp_path / "the schemas"
        write_schemas(schemas)
        assert [path.name for path in annotate(tmp_path, schemas)] == ["ruleset.yaml", "pages.yaml"]
        assert (house / "ruleset.yaml").read_text() == (
            "# yaml-language-server: $schema=../../the%20schemas/manifest.schema.json\nruleset: pig/house\n"
        )
        assert (house / "book" / "pages.yaml").read_text() == (
            "# yaml-language-server: $schema=../../../the%20schemas/rules.schema.json\n# ours\npages: {}\n"
        )
        assert (tmp_path / "my house" / "elsewhere.yaml").read_text() == "a: 1\n"
        assert annotate(tmp_path, schemas) == []

    def test_an_empty_file_is_given_its_line(self, tmp_path: Path) -> None:
        (tmp_path / "ruleset.yaml").write_text("")
        annotate(tmp_path, tmp_path / "schema")
        line = "# yaml-language-server: $schema=schema/manifest.schema.json\n"
        assert (tmp_path / "ruleset.yaml").read_text() == line
