"""Overlays made apart and stacked: where they meet nobody guesses, and elsewhere their order changes nothing."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rulewright.ruleset.editions.catalogue import Catalogue
from rulewright.ruleset.ruleset import Ruleset
from rulewright.ruleset.schema.edition_reference import parse_reference
from rulewright.source.diagnostics.collector import DiagnosticError
from rulewright.source.diagnostics.formats import text
from tests.ruleset.stacks import MEETINGS, SETTLED, load, write, write_stack
from tests.source.goldens import assert_golden

FOLDER = Path(__file__).parent / "goldens" / "stacks"


@pytest.fixture(autouse=True)
def _here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("RULEWRIGHT_RULES", raising=False)


def rules(name: str = "my/table") -> Ruleset:
    ruleset, diagnostics = load(Path("rules"), name)
    assert ruleset is not None, text.render(diagnostics)
    assert not diagnostics.errors, text.render(diagnostics)
    return ruleset


# -- where they meet -----------------------------------------------------------------------


@pytest.mark.parametrize("name", MEETINGS)
def test_two_that_meet_are_an_error_with_both_places(name: str) -> None:
    write_stack(Path("rules"), *MEETINGS[name])
    ruleset, diagnostics = load(Path("rules"))
    assert ruleset is None
    assert_golden(f"{name}.txt", text.render(diagnostics), folder=FOLDER)
    [fault] = diagnostics
    assert fault.span.file == "rules/fog/rules.yaml"
    assert [related.span.file for related in fault.related] == ["rules/high/rules.yaml"]
    for alone in ("my/high", "my/fog"):
        rules(alone)


@pytest.mark.parametrize("name", MEETINGS)
def test_the_line_that_is_proposed_settles_it(name: str) -> None:
    write_stack(Path("rules"), *MEETINGS[name])
    [fault] = load(Path("rules"))[1]
    match = re.search(r"write `(over: \[.*?\])` in (\S+?/ruleset\.yaml)(, and list it after)?", fault.suggestion or "")
    assert match is not None
    line, manifest, after = match.groups()
    Path(manifest).write_text(f"{Path(manifest).read_text()}{line}\n")
    if after:
        table = Path("rules/table/ruleset.yaml")
        table.write_text(table.read_text().replace("[my/high, my/fog]", "[my/fog, my/high]"))
    rules()


@pytest.mark.parametrize("name", SETTLED)
def test_what_is_laid_over_both_may_settle_it(name: str) -> None:
    write_stack(Path("rules"), *MEETINGS[name], SETTLED[name])
    rules()


def test_the_upper_one_holds_where_it_names_the_lower_one() -> None:
    high, fog = "numbers: {goal: 50}\n", "numbers: {goal: 60}\n"
    write_stack(Path("rules"), high, fog, over="over: [my/high@^1]")
    assert rules().declarations.numbers["goal"].value == 60
    write_stack(Path("rules"), high, fog, over="over: [my/high@2]")
    assert [fault.code.id for fault in load(Path("rules"))[1]] == ["overlays-meet"]
    write_stack(Path("rules"), high, fog, over="over: [my/high]", overlays="[my/fog, my/high]")
    [fault] = load(Path("rules"))[1]
    assert fault.suggestion is not None
    assert fault.suggestion.startswith("`my/fog@1.0.0` must come after `my/high@1.0.0` in `overlays`")


def test_the_line_that_is_proposed_keeps_what_a_manifest_names_already() -> None:
    write_stack(Path("rules"), "numbers: {goal: 50}\n", "numbers: {goal: 60}\n", over="over: [my/other]")
    [fault] = load(Path("rules"))[1]
    assert fault.suggestion is not None
    match = re.search(
        r"write `(over: \[my/other, my/high\])` in (\S+), in place of the current `over:`", fault.suggestion
    )
    assert match is not None
    manifest = Path(match[2])
    manifest.write_text(manifest.read_text().replace("over: [my/other]", match[1]))
    assert rules().declarations.numbers["goal"].value == 60


def test_what_both_manifests_say_of_the_game_is_contested_too() -> None:
    write_stack(Path("rules"), "", "")
    write(Path("rules"), "high", "", manifest="extends: my/base@1\nplayers: 2")
    write(Path("rules"), "fog", "", manifest="extends: my/base@1\nplayers: 3")
    [fault] = load(Path("rules"))[1]
    assert fault.message == "`my/fog@1.0.0` changes players to 3, but `my/high@1.0.0` changes players to 2"
    write(Path("rules"), "table", "", manifest="extends: my/base@1\noverlays: [my/high, my/fog]\nplayers: 3")
    assert rules().players == (3, 3)


def test_a_fault_of_an_overlay_by_itself_is_told_as_such() -> None:
    write_stack(Path("rules"), "numbers: {goal: 100}\n", "numbers: {start: 7}\n")
    [fault] = load(Path("rules"))[1]
    assert fault.message == "numbers.goal.is is 100 already"


def test_each_value_tells_of_every_layer() -> None:
    write_stack(Path("rules"), "numbers: {goal: 50}\n", "numbers: {goal: 60}\n", "numbers: {goal: 70}\n")
    history = rules().resolved.history.find_origins(("numbers", "goal", "is"))
    assert [(origin.layer, origin.value) for origin in history] == [
        ("", "100"),
        ("my/high@1.0.0", "50"),
        ("my/fog@1.0.0", "60"),
        ("my/table@1.0.0", "70"),
    ]


# -- what lies below -----------------------------------------------------------------------


def chain(name: str = "my/table") -> list[str]:
    catalogue = Catalogue([Path("rules")])
    return [edition.id.partition("@")[0] for edition in catalogue.chain(catalogue.find(parse_reference(name)))]


def test_an_overlay_brings_what_it_was_laid_over_and_nothing_is_there_twice() -> None:
    write_stack(Path("rules"), "numbers: {goal: 50}\n", "numbers: {start: 7}\n")
    write(Path("rules"), "higher", "numbers: {goal: 40}\n", manifest="extends: my/high")
    write(Path("rules"), "table", "", manifest="extends: my/base\noverlays: [my/higher, my/fog]")
    assert chain() == ["my/base", "my/high", "my/higher", "my/fog", "my/table"]
    assert rules().declarations.numbers["goal"].value == 40
    write(Path("rules"), "second", "numbers: {goal: 30}\n", manifest="extends: my/table")
    write(Path("rules"), "drizzle", "dice: {dX: 1..3}\n", manifest="extends: my/fog")
    write(Path("rules"), "third", "", manifest="extends: my/second\noverlays: [my/drizzle]")
    below = ["my/base", "my/high", "my/higher", "my/fog", "my/table", "my/second", "my/drizzle", "my/third"]
    assert chain("my/third") == below
    assert rules("my/third").declarations.numbers["goal"].value == 30


def test_a_stack_of_one_overlay_is_that_overlay() -> None:
    write_stack(Path("rules"), "numbers: {goal: 50}\n", "", overlays="[my/high]")
    assert rules().digest == rules("my/high").digest


def test_a_stack_may_be_stacked() -> None:
    write_stack(Path("rules"), "numbers: {goal: 50}\n", "numbers: {goal: 60}\n", "numbers: {goal: 60}\n")
    write(Path("rules"), "snow", "numbers: {start: 7}\n")
    write(Path("rules"), "hall", "", manifest="extends: my/base\noverlays: [my/table, my/snow]")
    assert chain("my/hall") == ["my/base", "my/high", "my/fog", "my/table", "my/snow", "my/hall"]
    assert [rules("my/hall").declarations.numbers[name].value for name in ("goal", "start")] == [60, 7]


def of_another_version() -> None:
    write(Path("rules"), "old", "", manifest="extends: my/base@0.9")
    old = Path("rules/base-0.9")
    old.mkdir()
    (old / "ruleset.yaml").write_text("ruleset: my/base\nversion: 0.9.0\ntitle: Old\n")
    write(Path("rules"), "table", "", manifest="extends: my/base@1\noverlays: [my/old]")


def of_another_edition() -> None:
    write(Path("rules"), "other", "numbers: {goal: 5}\n", manifest="extends: my/base")
    write(Path("rules"), "of_other", "", manifest="extends: my/other")
    write(Path("rules"), "high", "", manifest="extends: my/base")
    write(Path("rules"), "table", "", manifest="extends: my/high\noverlays: [my/of_other]")


WRONG_BASES = {
    "of_another_version": of_another_version,
    "of_another_edition": of_another_edition,
    "over_nothing": lambda: write(Path("rules"), "table", "", manifest="overlays: [my/high]"),
    "no_overlay": lambda: write(Path("rules"), "table", "", manifest="extends: my/high\noverlays: [my/base]"),
    "a_whole_game": lambda: (
        write(Path("rules"), "alone", "numbers: {goal: 5}\n", manifest="status: draft"),
        write(Path("rules"), "table", "", manifest="extends: my/base\noverlays: [my/alone]"),
    ),
    "twice": lambda: write(Path("rules"), "table", "", manifest="extends: my/base\noverlays: [my/high, my/high@1]"),
    "over_itself": lambda: write(Path("rules"), "high", "", manifest="extends: my/base\noverlays: [my/table]"),
}


@pytest.mark.parametrize("name", WRONG_BASES)
def test_an_overlay_that_does_not_fit_says_what_it_needs(name: str) -> None:
    write_stack(Path("rules"), "", "")
    WRONG_BASES[name]()
    with pytest.raises(DiagnosticError) as caught:
        chain()
    assert_golden(f"{name}.txt", f"{caught.value}\n", folder=FOLDER)


# -- the order -----------------------------------------------------------------------------

LEAVES: dict[tuple[str, ...], Any] = {
    ("numbers", "goal"): 7,
    ("numbers", "start", "is"): 8,
    ("numbers", "wage"): 2,
    ("state", "rain"): "int",
    ("state", "wind"): "int",
    ("dice", "dX"): "1..3",
    ("tables", "sizes", "rows", "small", "price"): 2,
    ("tables", "sizes", "rows", "middling", "price"): 4,
    ("tables", "sizes", "rows", "huge"): {"price": 9},
    ("tables", "sizes", "rows", "vast"): {"price": 10},
    ("tables", "sizes", "rows", "tiny"): {"before": "small", "price": 0},
    ("tables", "sizes", "rows", "odd"): {"after": "small", "price": 3},
    ("tables", "sizes", "rows", "even"): {"before": "middling", "price": 3},
    ("tables", "weather", "title"): "Weather",
    ("kinds", "tree", "fields", "age"): "int",
    ("kinds", "tree", "fields", "rings"): "int",
    ("kinds", "player", "fields", "fame"): "count",
    ("options", "mode", "default"): "wild",
    ("options", "speed"): {"choices": {"slow": "Slow", "fast": "Fast"}, "default": "slow"},
    ("options", "luck"): {"choices": {"good": "Good", "bad": "Bad"}, "default": "bad"},
    ("procedures", "tend", "steps", "first"): {"before": "look", "set": {"t.height": 2}},
    ("procedures", "tend", "steps", "second"): {"after": "look", "set": {"t.height": 3}},
    ("procedures", "tend", "steps", "third"): {"before": "good", "set": {"t.height": 4}},
    ("procedures", "tend", "steps", "joy"): {"gain": {"score": 2}},
    ("procedures", "tend", "steps", "prune"): {"when": "t.height > 3"},
    ("procedures", "rest"): {"steps": []},
    ("terms", "leaf"): "Leaf",
}
"""Changes of which no two touch the same value or the same gap."""


def overlay(paths: list[tuple[str, ...]]) -> str:
    whole: dict[str, Any] = {}
    for path in paths:
        inner = whole
        for key in path[:-1]:
            inner = inner.setdefault(key, {})
        inner[path[-1]] = LEAVES[path]
    tend = whole.get("procedures", {}).get("tend")
    if tend:
        tend["steps"] = [{"id": name, **step} for name, step in tend["steps"].items()]
    return json.dumps(whole)


@given(st.permutations(list(LEAVES)), st.integers(0, len(LEAVES)), st.integers(0, len(LEAVES)))
def test_the_order_of_two_that_do_not_meet_changes_nothing(
    tmp_path_factory: pytest.TempPathFactory, paths: list[tuple[str, ...]], one: int, other: int
) -> None:
    first, second = sorted((one, other))
    high, fog = overlay(paths[:first]), overlay(paths[first:second])
    digests = set()
    for order in ("[my/high, my/fog]", "[my/fog, my/high]"):
        folder = tmp_path_factory.mktemp("rules")
        write_stack(folder, high, fog, overlays=order)
        ruleset, diagnostics = load(folder)
        assert ruleset is not None, text.render(diagnostics)
        assert not diagnostics.errors, text.render(diagnostics)
        digests.add(ruleset.digest)
    assert len(digests) == 1
