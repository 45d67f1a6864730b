"""The schema for rules laid over an edition proposes what is inherited, and allows what every rules file may say."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from rulewright.authoring.schema_files import build_inherited_schema
from rulewright.cli.main import main
from rulewright.ruleset.load_ruleset import load_ruleset
from rulewright.ruleset.schema.json_schema import build_fragment_schema

OVERLAYS: list[tuple[Any, bool]] = [
    ({"numbers": {"goal": {"is": 50}}}, True),
    ({"numbers": {"quite_new": {"is": 50, "means": "New."}}}, True),
    ({"numbers": {"goal": {"iz": 50}}}, False),
    ({"procedures": {"game": {"steps": [{"after": "quite_unknown", "id": "mine", "stop": True}]}}}, True),
    ({"procedures": {"game": {"steps": [{"after": 3, "id": "mine", "stop": True}]}}}, False),
    ({"quite": {}}, False),
]


@pytest.mark.parametrize(("rules", "allowed"), OVERLAYS)
def test_it_allows_what_any_rules_file_may_say(rules: Any, *, allowed: bool) -> None:
    schema = build_inherited_schema(load_ruleset("pig/classic@1.0"))
    Draft202012Validator.check_schema(schema)
    assert Draft202012Validator(schema).is_valid(rules) is allowed
    assert Draft202012Validator(build_fragment_schema()).is_valid(rules) is allowed


def test_every_inherited_entry_and_step_is_proposed() -> None:
    ruleset = load_ruleset("fuzzy-knights/normal@1.0")
    sections = build_inherited_schema(ruleset)["properties"]
    for section, entry in ruleset.resolved.rules.entries.items():
        if section != "pages":
            assert list(sections[section]["properties"]) == list(entry.value.to_plain()), section
    for name, procedure in ruleset.resolved.rules.entries["procedures"].value.to_plain().items():
        steps = sections["procedures"]["properties"][name]["properties"]["steps"]["items"]["properties"]
        assert set(steps["after"]["anyOf"][0]["enum"]) == set(ids(procedure["steps"])), name


def ids(steps: Any) -> Iterator[str]:
    """Yield every step id, however deeply the step is nested."""
    if isinstance(steps, list):
        for step in steps:
            yield from ids(step)
    elif isinstance(steps, dict):
        if isinstance(steps.get("id"), str):
            yield steps["id"]
        for inner in steps.values():
            yield from ids(inner)


def test_a_folder_of_house_rules_begins_with_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(["new", "house", "--extends", "pig/classic@1.0"]) == 0
    assert (tmp_path / "house/rules.yaml").read_text(encoding="utf-8").startswith("# yaml-language-server: $schema=")
    written = (tmp_path / "house/schema/rules.schema.json").read_text(encoding="utf-8")
    assert "goal" in json.loads(written)["properties"]["numbers"]["properties"]
    capsys.readouterr()
    assert main(["schema", "rules", "--of", "pig/classic@1.0"]) == 0
    assert capsys.readouterr().out == written
