"""`interface.md` names every function of the module and every member that hosts need, and no file that is not there."""

from __future__ import annotations

import json
import re

import pytest
import wasmtime

from rulewright import load_ruleset
from rulewright.export.interface import build_interface
from rulewright.export.js_files import read_js_file
from rulewright.export.wasm_module import build_module
from rulewright.export.write_export import build_files, build_vectors_files

TEXT = read_js_file("interface.md")
NAMED = {*re.findall(r"\w+", " ".join(re.findall(r"`([^`]+)`", TEXT)))}


def test_every_function_of_a_module_is_named() -> None:
    made, _ = build_module(load_ruleset("classics/kuhn-poker"))
    module = wasmtime.Module(wasmtime.Engine(), made.code)
    internal = {each.name for each in module.exports if each.name.startswith("batch_")}
    assert internal
    assert "`batch_…`" in TEXT
    assert {each.name for each in module.exports} - internal <= NAMED


@pytest.mark.parametrize("reference", ["fuzzy-knights/normal@1.0", "classics/goofspiel"])
def test_every_member_that_hosts_need_is_named(reference: str) -> None:
    ruleset = load_ruleset(reference)
    data = build_interface(ruleset, *build_module(ruleset))
    titles = {
        "engine",
        "ruleset",
        "title",
        "about",
        "means",
        "icon",
        "term",
        "does",
        "may_change",
        "default",
        "minimum",
    }
    driven = {
        "decisions",
        "most_decisions",
        "ended_by",
        "results",
        "answer",
        "free",
        "game_size",
        "names",
        "parameters",
    }
    members = {*data, *data["layout"], *data["layout"]["at"], *data["kinds_of_roll"], *data["limits"]}
    for group in ("kinds", "procedures", "events"):
        members |= {name for each in data[group] for name in each}
    members |= {name for each in data["steps"].values() for name in each}
    members |= {name for each in data["steps"].values() for stop in each["stops"] for name in stop}
    members |= {name for kind in data["kinds"] for field in kind["fields"] for name in field}
    members |= {name for each in data["records"].values() for name in each}
    # What bots, limits and pages go by is the runtime's own business, or needs no word.
    assert members - NAMED <= titles | driven | {"objects", "list", "options", "crowd", "judged", "decks"}


def test_every_file_that_is_named_is_written() -> None:
    ruleset = load_ruleset("classics/tic-tac-toe")
    written = {*build_files(ruleset), *build_vectors_files(ruleset)}
    named = {*re.findall(r"[\w./]*\w\.(?:js|json|wasm|md|ts)\b", TEXT)}
    assert named
    assert named <= written


def test_every_section_that_is_linked_to_is_there() -> None:
    titles = {re.sub(r"[^\w -]", "", each).lower().replace(" ", "-") for each in re.findall(r"^## (.+)$", TEXT, re.M)}
    assert {*re.findall(r"\]\(#([^)]+)\)", TEXT)} <= titles


def test_numbers_that_are_too_large_for_a_reader_are_texts() -> None:
    def numbers(value: object) -> list[int]:
        match value:
            case dict():
                return [each for inner in value.values() for each in numbers(inner)]
            case list():
                return [each for inner in value for each in numbers(inner)]
        return [value] if type(value) is int else []

    data = json.loads(str(build_files(load_ruleset("pig/classic"))["rules.json"]))
    assert max(map(abs, numbers(data))) < 1 << 53
