"""Lists of an upper layer that say what changes, as steps do; and objects of an example, which merge by key."""

from __future__ import annotations

from typing import Any

import pytest

from rulewright.source.diagnostics.formats import text
from tests.ruleset.bad_rulesets import BASE
from tests.ruleset.test_merge import merged

LIST = "[rules, numbers, tables]"
LOWER = (
    f"pages: {{p: {{title: P, letter: P, sections: {{s: {{title: S, show: {LIST}, explains: {LIST}}}}}}}}}\n"
    "examples:\n"
    "  first:\n    title: First\n    of: tend\n    dice: [1, 2, 2]\n    policy: [random, first]\n"
    "    given: {t: {height: 3, owner: 1}, p: 1, players: [{score: 1}, {score: 2}], turn: {deep: {one: 1, two: 2}}}\n"
)


def changed(upper: str, *more: str) -> dict[str, Any]:
    resolved, diagnostics = merged(BASE + LOWER, upper, *more)
    assert not diagnostics.errors, text.render(diagnostics)
    return resolved.rules.to_plain()


def said_of(upper: str) -> str:
    _, diagnostics = merged(BASE + LOWER, upper)
    return text.render(diagnostics)


def section(key: str, value: str) -> str:
    return f"pages: {{p: {{sections: {{s: {{{key}: {value}}}}}}}}}\n"


CHANGES = [
    ("[{after: rules, id: dice}]", ["rules", "dice", "numbers", "tables"]),
    ("[{before: rules, id: dice}]", ["dice", "rules", "numbers", "tables"]),
    ("[{id: dice}]", ["rules", "numbers", "tables", "dice"]),
    ("[{delete: numbers}]", ["rules", "tables"]),
    ("[{replace: numbers, id: dice}]", ["rules", "dice", "tables"]),
    ("[{id: tables, before: rules}]", ["tables", "rules", "numbers"]),
    ("[{id: rules, after: numbers}]", ["numbers", "rules", "tables"]),
    ("[{after: rules, id: a}, {after: rules, id: b}]", ["rules", "a", "b", "numbers", "tables"]),
    ("[{after: b, id: a}, {after: rules, id: b}]", ["rules", "b", "a", "numbers", "tables"]),
    ("[{delete: rules}, {after: rules, id: a}]", ["a", "numbers", "tables"]),
    ("[rules]", ["rules"]),
]


@pytest.mark.parametrize("key", ["show", "explains"])
@pytest.mark.parametrize(("upper", "result"), CHANGES)
def test_a_list_says_what_changes(key: str, upper: str, result: list[str]) -> None:
    assert changed(section(key, upper))["pages"]["p"]["sections"]["s"][key] == result


@pytest.mark.parametrize(
    ("path", "value", "result"),
    [
        ("tables: {sizes: {rows: {middling: {needs", "[{after: small, id: large}]", ["small", "large"]),
        ("examples: {first: {policy", "[{delete: random}]", ["first"]),
        ("examples: {first: {dice", "[{before: 1, id: 6}]", [6, 1, 2, 2]),
    ],
)
def test_every_list_does(path: str, value: str, result: list[Any]) -> None:
    value_at_path: Any = changed(f"{path}: {value}{'}' * path.count('{')}\n")
    for key in path.replace("{", "").split(": "):
        value_at_path = value_at_path[key]
    assert value_at_path == result


@pytest.mark.parametrize(
    ("upper", "message"),
    [
        ("[{delete: numbrs}]", "did you mean `numbers`"),
        ("[{after: nowhere, id: dice}]", "there is no `nowhere` in the inherited list"),
        ("[{after: rules}]", "add `id:` with the entry"),
        ("[{id: rules}]", "`rules` is already in the list"),
        ("[{id: numbers, after: rules}]", "`numbers` is already there"),
        ("[{replace: rules, id: rules}]", "it is `rules` already"),
        ("[{replace: rules, id: tables}]", "`tables` is already in the list"),
        ("[{after: rules, before: tables, id: dice}]", "an entry can be placed only once"),
        ("[{after: dice, id: dice}]", "there is no `dice`"),
        ("[{after: rules, id: rules}]", "`rules` cannot come after itself"),
        ("[rules, {delete: tables}]", "it cannot contain the element `rules`"),
        (f"{LIST}", "is [rules, numbers, tables] already"),
    ],
)
def test_a_change_that_does_nothing_is_told(upper: str, message: str) -> None:
    assert message in said_of(section("show", upper))


def test_an_entry_that_stands_twice_cannot_be_named() -> None:
    assert "`2` is in the inherited list more than once" in said_of("examples: {first: {dice: [{delete: 2}]}}\n")


def test_objects_of_an_inherited_example_merge_by_key() -> None:
    upper = "examples: {first: {given: {t: {height: 5}, turn: {deep: {two: 7}}, p: 2, round: 3}}}\n"
    given = changed(upper)["examples"]["first"]["given"]
    assert given == {
        "t": {"height": 5, "owner": 1},
        "p": 2,
        "players": [{"score": 1}, {"score": 2}],
        "turn": {"deep": {"one": 1, "two": 7}},
        "round": 3,
    }
    whole = "examples: {first: {given: {t: {replace: true, height: 5}, turn: {deep: {one: {delete: true}}}}}}\n"
    given = changed(whole)["examples"]["first"]["given"]
    assert (given["t"], given["turn"]) == ({"height": 5}, {"deep": {"two": 2}})
    assert "examples.first.given.t.height is 3 already" in said_of("examples: {first: {given: {t: {height: 3}}}}\n")


def test_what_was_done_to_a_list_is_remembered() -> None:
    resolved, _ = merged(BASE + LOWER, section("show", "[{delete: tables}]"), section("show", "[{id: dice}]"))
    history = resolved.history.find_origins(("pages", "p", "sections", "s", "show"))
    assert [(each.operation, each.value) for each in history] == [
        ("defines", "[rules, numbers, tables]"),
        ("changes", "[rules, numbers]"),
        ("changes", "[rules, numbers, dice]"),
    ]
