"""The data beside the rulebook is whole: a ruleset that is made of it again is the same game."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from rulewright import load_ruleset
from rulewright.book.pages.data_files import build_data_schema, build_rules_data
from rulewright.language.expressions.expression_parser import parse_expression
from rulewright.ruleset.editions.catalogue import Catalogue, search_path
from tests.breadth import some
from tests.published import FEW

EDITIONS = some([each.id for each in Catalogue(search_path()).list_editions() if each.status != "abstract"], FEW)


@pytest.mark.parametrize("reference", EDITIONS)
def test_a_ruleset_made_of_the_data_has_the_same_gameplay(reference: str, tmp_path: Path) -> None:
    ruleset = load_ruleset(reference)
    data = json.loads(build_rules_data(ruleset))
    Draft202012Validator(json.loads(build_data_schema())).validate(data)
    fewest, most = data["players"]
    players = f"{fewest}..{most}" if fewest < most else str(fewest)
    manifest = {"ruleset": "made/again", "version": "1.0.0", "title": data["title"], "players": players}
    manifest |= {name: data[name] for name in ("rounding", "start", "payoff", "evaluate") if data[name] is not None}
    (tmp_path / "again").mkdir()
    (tmp_path / "again" / "ruleset.yaml").write_text(json.dumps(manifest, ensure_ascii=False), encoding="utf-8")
    (tmp_path / "again" / "rules.yaml").write_text(json.dumps(data["rules"], ensure_ascii=False), encoding="utf-8")
    assert load_ruleset("made/again", rules=tmp_path).digest == ruleset.digest == data["digest"]


@pytest.mark.parametrize("reference", EDITIONS)
def test_expressions_are_trees_that_say_what_their_texts_say(reference: str) -> None:
    """Written out again from its tree, an expression reads as the one it came from."""
    data = json.loads(build_rules_data(load_ruleset(reference)))
    assert data["expressions"]
    for text, tree in data["expressions"].items():
        assert shape(parse_expression(written(tree))) == shape(parse_expression(text)), text


def written(tree: dict[str, Any]) -> str:
    """Return an expression in brackets wherever they may stand."""
    match tree["node"]:
        case "literal":
            value = tree["value"]
            return "none" if value is None else str(value).lower()
        case "dice_literal":
            return str(tree["notation"])
        case "name":
            return str(tree["text"])
        case "field":
            return f"{written(tree['base'])}.{tree['name']}"
        case "index":
            return f"{written(tree['base'])}[{written(tree['key'])}]"
        case "conditional":
            then, condition, otherwise = (written(tree[part]) for part in ("then", "condition", "otherwise"))
            return f"(({then}) if ({condition}) else ({otherwise}))"
        case "listing":
            return f"[{', '.join(map(written, tree['items']))}]"
        case "call":
            return f"{tree['function']}({', '.join(map(written, tree['arguments']))})"
        case "aggregate":
            text = f"{written(tree['element'])} for {tree['variable']} in {written(tree['source'])}"
            text += f" if {written(tree['condition'])}" if tree["condition"] else ""
            text += f" by {written(tree['order'])}" if tree["order"] else ""
            return f"{tree['function']}({text})"
    assert tree["node"] == "operation", tree
    operands = list(map(written, tree["operands"]))
    match tree["operator"], operands:
        case "neg", [operand]:
            return f"(-{operand})"
        case "not", [operand]:
            return f"(not {operand})"
    operator = tree["operator"].replace("_", " ")
    return f"({f' {operator} '.join(operands)})"


def shape(node: Any) -> Any:
    """Return a syntax tree without its places."""
    from dataclasses import fields, is_dataclass

    if isinstance(node, tuple):
        return [shape(item) for item in node]
    if not is_dataclass(node):
        return node
    places = ("start", "end", "name_start", "variable_start")
    return (type(node).__name__, [shape(getattr(node, part.name)) for part in fields(node) if part.name not in places])
