"""Layers merge by key at every level; what an upper layer says is changed, and nothing else."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rulewright.ruleset.layers.resolve_layers import Layer, ResolvedRules, resolve
from rulewright.ruleset.layers.step_tree import list_ids, walk
from rulewright.ruleset.schema.canonical_form import expand_short_forms
from rulewright.ruleset.schema.model import build_rules_shape
from rulewright.source.diagnostics.collector import Diagnostics
from rulewright.source.diagnostics.formats import text
from rulewright.source.nodes import Mapping, Node, Scalar, Sequence
from tests.language.inline import layer, sound
from tests.ruleset.bad_rulesets import BASE


def merged(*sources: str) -> tuple[ResolvedRules, Diagnostics]:
    diagnostics = Diagnostics()
    layers = []
    for place, source in enumerate(sources):
        new_layer = layer(source, name=f"layer{place}", shapes=False)
        assert isinstance(new_layer, Layer)
        layers.append(new_layer)
    return resolve(layers, diagnostics), diagnostics


def rules(*sources: str) -> dict[str, Any]:
    resolved, diagnostics = merged(*sources)
    assert not diagnostics.errors, text.render(diagnostics)
    return resolved.rules.to_plain()


def steps(*overlays: str) -> list[str]:
    """Return the ids of the steps of `tend`, in order, nested ones after the step they lie in."""
    resolved, diagnostics = merged(BASE, *(f"procedures: {{tend: {{steps: {overlay}}}}}\n" for overlay in overlays))
    assert not diagnostics.errors, text.render(diagnostics)
    tend = resolved.rules.get("procedures").get("tend")  # type: ignore[union-attr]
    written = tend.get("steps")  # type: ignore[union-attr]
    assert isinstance(written, Sequence)
    return list_ids(written)


# -- mappings --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("overlay", "path", "value"),
    [
        ("numbers: {goal: 50}", ("numbers", "goal", "is"), 50),
        ("numbers: {start: {is: 6}}", ("numbers", "start", "is"), 6),
        ("numbers: {bonus: 2d6}", ("numbers", "bonus", "is"), "2d6"),
        ("tables: {sizes: {rows: {large: {price: 8}}}}", ("tables", "sizes", "rows", "large", "price"), 8),
        (
            "tables: {sizes: {columns: {weight: optional int}}}",
            ("tables", "sizes", "columns", "weight"),
            "optional int",
        ),
        (
            "tables: {sizes: {rows: {large: {needs: [small]}}}}",
            ("tables", "sizes", "rows", "large", "needs"),
            ["small"],
        ),
        ("tables: {weather: {title: Sky}}", ("tables", "weather", "title"), "Sky"),
        ("kinds: {tree: {fields: {height: count}}}", ("kinds", "tree", "fields", "height", "type"), "count"),
        (
            "kinds: {tree: {derived: {tall: self.height > 3}}}",
            ("kinds", "tree", "derived", "tall", "is"),
            "self.height > 3",
        ),
        ("options: {mode: {default: wild}}", ("options", "mode", "default"), "wild"),
        ("procedures: {tend: {title: Tending}}", ("procedures", "tend", "title"), "Tending"),
        ("procedures: {tend: {gives: {n: t.height}}}", ("procedures", "tend", "gives", "n"), "t.height"),
    ],
)
def test_a_key_is_merged_wherever_it_lies(overlay: str, path: tuple[str, ...], value: Any) -> None:
    below, above = rules(BASE), rules(BASE, overlay + "\n")
    node = above
    for key in path:
        node = node[key]
    assert node == value
    if path[-1] == "is" and path[1] == "start":
        assert above["numbers"]["start"]["means"] == below["numbers"]["start"]["means"]


def test_a_list_is_replaced_whole() -> None:
    more = "tables: {sizes: {rows: {middling: {needs: [large, small]}}}}\n"
    assert rules(BASE, more)["tables"]["sizes"]["rows"]["middling"]["needs"] == ["large", "small"]


def test_a_layer_over_a_layer_over_a_layer() -> None:
    merged_rules = rules(BASE, "numbers: {goal: 50, more: 1}\n", "numbers: {goal: 60, more: {delete: true}}\n")
    assert merged_rules["numbers"]["goal"]["is"] == 60
    assert "more" not in merged_rules["numbers"]


def test_what_a_layer_removed_can_be_added_again() -> None:
    merged_rules = rules(BASE, "numbers: {goal: {delete: true}}\n", "numbers: {goal: 100}\n")
    assert merged_rules["numbers"]["goal"]["is"] == 100


def test_an_entry_may_be_replaced_whole() -> None:
    more = "kinds: {tree: {replace: true, means: A log., fields: {length: int}}}\n"
    tree = rules(BASE, more)["kinds"]["tree"]
    assert tree == {"means": "A log.", "fields": {"length": {"type": "int"}}}


def test_a_change_reaches_all_that_uses_it() -> None:
    base = BASE.replace("numbers: {goal: 100", "numbers: {double: goal * 2, goal: 100")
    ruleset = sound(base, "numbers: {goal: 7}\n")
    assert ruleset.declarations.numbers["double"].value == 14


# -- order ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("overlay", "order"),
    [
        ("huge: {price: 9}", ["small", "middling", "large", "huge"]),
        ("huge: {after: small, price: 9}", ["small", "huge", "middling", "large"]),
        ("huge: {before: small, price: 9}", ["huge", "small", "middling", "large"]),
        ("a: {after: small, price: 2}, b: {after: small, price: 2}", ["small", "a", "b", "middling", "large"]),
        ("a: {before: large, price: 2}, b: {before: large, price: 2}", ["small", "middling", "a", "b", "large"]),
        ("a: {after: b, price: 2}, b: {after: small, price: 2}", ["small", "b", "a", "middling", "large"]),
        ("small: {after: large}", ["middling", "large", "small"]),
        ("small: {after: large, price: 2}", ["middling", "large", "small"]),
        ("large: {before: small}, middling: {delete: true}", ["large", "small"]),
        ("middling: {replace: true, price: 4, after: large}", ["small", "large", "middling"]),
        ("a: {before: b, price: 8}, b: {after: a, price: 9}", ["small", "middling", "large", "a", "b"]),
    ],
)
def test_rows_stand_where_they_ask_to(overlay: str, order: list[str]) -> None:
    base = BASE.replace(", needs: [small]", "")
    assert list(rules(base, f"tables: {{sizes: {{rows: {{{overlay}}}}}}}\n")["tables"]["sizes"]["rows"]) == order


def test_entries_of_a_section_stand_where_they_ask_to() -> None:
    assert list(rules(BASE, "numbers: {middle: {after: goal, is: 3}}\n")["numbers"]) == ["goal", "middle", "start"]


# -- steps ------------------------------------------------------------------------------------------

BELOW = ["look", "good", "grown", "joy", "loop", "prune"]
NEW = "set: {t.height: 0}"


@pytest.mark.parametrize(
    ("overlay", "order"),
    [
        (f"[{{after: look, id: new, {NEW}}}]", ["look", "new", "good", "grown", "joy", "loop", "prune"]),
        (f"[{{before: look, id: new, {NEW}}}]", ["new", *BELOW]),
        (f"[{{after: grown, id: new, {NEW}}}]", ["look", "good", "grown", "new", "joy", "loop", "prune"]),
        (f"[{{before: prune, id: new, {NEW}}}]", ["look", "good", "grown", "joy", "loop", "new", "prune"]),
        (f"[{{after: good, id: new, {NEW}}}]", ["look", "good", "grown", "joy", "new", "loop", "prune"]),
        (
            f"[{{after: look, id: a, {NEW}}}, {{after: look, id: b, {NEW}}}]",
            ["look", "a", "b", "good", "grown", "joy", "loop", "prune"],
        ),
        (f"[{{after: look, id: a, {NEW}}}, {{after: a, id: b, {NEW}}}]", ["look", "a", "b", *BELOW[1:]]),
        (f"[{{before: look, id: a, {NEW}}}, {{before: look, id: b, {NEW}}}]", ["a", "b", *BELOW]),
        ("[{id: joy, before: grown}]", ["look", "good", "joy", "grown", "loop", "prune"]),
        ("[{id: good, after: loop}]", ["look", "loop", "prune", "good", "grown", "joy"]),
        ("[{id: loop, before: look}]", ["loop", "prune", "look", "good", "grown", "joy"]),
        ("[{id: joy, after: look}]", ["look", "joy", "good", "grown", "loop", "prune"]),
        ("[{id: look, after: prune}]", ["good", "grown", "joy", "loop", "prune", "look"]),
        ("[{id: loop, after: grown}]", ["look", "good", "grown", "loop", "prune", "joy"]),
        (
            f"[{{after: look, id: new, {NEW}}}, {{id: joy, after: look}}]",
            ["look", "new", "joy", "good", "grown", "loop", "prune"],
        ),
        # What stands beside a step that is moved goes with it, whichever is written first.
        (
            f"[{{after: joy, id: new, {NEW}}}, {{id: joy, after: look}}]",
            ["look", "joy", "new", "good", "grown", "loop", "prune"],
        ),
        ("[{id: joy, after: grown}, {id: grown, before: prune}]", ["look", "good", "loop", "grown", "joy", "prune"]),
        (
            f"[{{id: joy, after: new}}, {{after: look, id: new, {NEW}}}]",
            ["look", "new", "joy", "good", "grown", "loop", "prune"],
        ),
        (f"[{{before: b, id: a, {NEW}}}, {{after: look, id: b, {NEW}}}]", ["look", "a", "b", *BELOW[1:]]),
        # `remove` is the verb that takes an object out of the game, wherever it stands.
        ("[{id: grown, remove: t}]", BELOW),
        ("[{after: look, id: felled, remove: t}]", ["look", "felled", *BELOW[1:]]),
        ("[{replace: grown, id: felled, remove: t}]", ["look", "good", "felled", "joy", "loop", "prune"]),
        ("[{delete: grown}]", ["look", "good", "joy", "loop", "prune"]),
        ("[{delete: good}]", ["look", "loop", "prune"]),
        (f"[{{replace: grown, {NEW}}}]", BELOW),
        (f"[{{replace: grown, id: new, {NEW}}}]", ["look", "good", "new", "joy", "loop", "prune"]),
        (
            f"[{{id: good, steps: [{{after: joy, id: new, {NEW}}}]}}]",
            ["look", "good", "grown", "joy", "new", "loop", "prune"],
        ),
        (
            f"[{{id: loop, repeat: {{steps: [{{before: prune, id: new, {NEW}}}]}}}}]",
            ["look", "good", "grown", "joy", "loop", "new", "prune"],
        ),
        ("[{id: loop, repeat: {at_most: 5}}]", BELOW),
        ("[{id: good, when: {delete: true}}]", BELOW),
    ],
)
def test_steps_are_changed_by_their_ids_at_any_depth(overlay: str, order: list[str]) -> None:
    assert steps(overlay) == order


def step(identity: str, overlay: str) -> dict[str, Any]:
    resolved, diagnostics = merged(BASE, f"procedures: {{tend: {{steps: {overlay}}}}}\n")
    assert not diagnostics.errors, text.render(diagnostics)
    written = resolved.rules.get("procedures").get("tend").get("steps")  # type: ignore[union-attr]
    assert isinstance(written, Sequence)
    return next(one.to_plain() for one in walk(written) if one.to_plain()["id"] == identity)


def test_a_step_moves_whole_and_takes_its_history_along() -> None:
    changed = "procedures: {tend: {steps: [{id: joy, gain: {score: 2}}]}}\n"
    moved_out = "procedures: {tend: {steps: [{id: joy, after: look}]}}\n"
    resolved, diagnostics = merged(BASE, changed, moved_out)
    assert not diagnostics.errors, text.render(diagnostics)
    (_, joy, good, _) = resolved.rules.to_plain()["procedures"]["tend"]["steps"]
    assert joy == {"id": "joy", "gain": {"who": "p", "score": 2}}
    assert [step["id"] for step in good["steps"]] == ["grown"]
    history = resolved.history
    assert [
        (each.layer, each.operation)
        for each in history.find_origins(("procedures", "tend", "steps", "joy", "gain", "score"))
    ][-1] == ("test/layer1@1.0.0", "changes")
    (*_, last) = history.find_origins(("procedures", "tend", "steps", "joy"))
    assert (last.layer, last.operation, last.value) == ("test/layer2@1.0.0", "moves", "after look")


def test_a_step_is_merged_key_by_key() -> None:
    assert step("joy", "[{id: joy, gain: {score: 2}}]")["gain"] == {"who": "p", "score": 2}
    assert step("joy", "[{id: joy, when: t.height > 2}]") == {
        "id": "joy",
        "gain": {"who": "p", "score": 1},
        "when": "t.height > 2",
    }
    assert step("felled", "[{after: look, id: felled, remove: t}]") == {"id": "felled", "remove": "t"}
    assert step("grown", "[{id: grown, remove: joy}]")["remove"] == "joy"
    assert "when" not in step("good", "[{id: good, when: {delete: true}}]")
    assert step("loop", "[{id: loop, repeat: {at_most: 5}}]")["repeat"]["at_most"] == 5


def test_a_later_layer_sees_what_an_earlier_one_did() -> None:
    assert steps("[{delete: joy}]", f"[{{after: grown, id: joy, {NEW}}}]") == BELOW
    assert steps(f"[{{after: look, id: new, {NEW}}}]", "[{delete: look}]") == ["new", *BELOW[1:]]


# -- history -----------------------------------------------------------------------------------------


def test_the_history_of_a_value_tells_every_layer() -> None:
    resolved, _ = merged(BASE, "numbers: {goal: 50}\n", "numbers: {goal: 60}\n", "numbers: {goal: {delete: true}}\n")
    value = resolved.history.find_origins(("numbers", "goal", "is"))
    assert [(o.layer.partition("@")[0], o.operation, o.value) for o in value] == [
        ("", "defines", "100"),
        ("test/layer1", "changes", "50"),
        ("test/layer2", "changes", "60"),
    ]
    assert [o.operation for o in resolved.history.find_origins(("numbers", "goal"))][-1] == "removes"


def test_a_file_belongs_to_the_nearest_layer() -> None:
    resolved, _ = merged(BASE, "numbers: {goal: 50}\n")
    goal = resolved.rules.get("numbers").get("goal")  # type: ignore[union-attr]
    assert isinstance(goal, Mapping)
    assert resolved.find_layer(goal.entries["is"].value.span) == "test/layer1@1.0.0"
    assert resolved.find_layer(goal.entries["is"].key.span) == "test/layer0@1.0.0"


def test_one_thing_in_two_files_of_an_edition_is_told() -> None:
    diagnostics = Diagnostics()
    new_layer = layer("numbers: {a: 1}\n", shapes=False)
    other = layer("numbers: {a: 1}\n", name="more", shapes=False)
    assert isinstance(new_layer, Layer)
    assert isinstance(other, Layer)
    resolve(
        [Layer(new_layer.name, new_layer.folder, new_layer.manifest, (*new_layer.files, *other.files))], diagnostics
    )
    [fault] = diagnostics
    assert (fault.code.id, fault.span.file) == ("declared-twice", "rules/more/rules.yaml")
    assert [related.span.file for related in fault.related] == ["rules/base/rules.yaml"]


# -- one leaf ---------------------------------------------------------------------------------------

IDS = st.sampled_from(["a", "b", "c", "d"])


def some(inner: st.SearchStrategy[Any]) -> st.SearchStrategy[dict[str, Any]]:
    """Return a mapping from ids to values of one kind."""
    return st.dictionaries(IDS, inner, min_size=1)


def a_group(identity: str) -> dict[str, Any]:
    return {"id": identity, "steps": [{"id": f"{identity}_inner", "set": {"x": "1", "y.z": "2"}}]}


ROW = st.fixed_dictionaries({"price": st.integers(0, 9), "needs": st.lists(IDS, max_size=2)})
NUMBER = st.fixed_dictionaries({"is": st.integers(0, 99), "means": st.just("M")})
STEPS = st.lists(IDS, min_size=1, unique=True).map(lambda ids: [a_group(identity) for identity in ids])
LEAVES = st.fixed_dictionaries(
    {
        "numbers": some(NUMBER),
        "tables": some(st.fixed_dictionaries({"title": st.just("T"), "rows": some(ROW)})),
        "kinds": some(st.fixed_dictionaries({"fields": some(st.fixed_dictionaries({"type": st.just("int")}))})),
        "procedures": some(st.fixed_dictionaries({"title": st.just("P"), "steps": STEPS})),
    }
)


def leaves(node: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """Return the paths to all scalars and plain lists; a step is named by its id."""
    if isinstance(node, dict):
        return [found for key, value in node.items() if key != "id" for found in leaves(value, (*path, key))]
    if isinstance(node, list) and node and isinstance(node[0], dict):
        return [found for item in node for found in leaves(item, (*path, ("step", item["id"])))]
    return [path]


def overlay(path: tuple[Any, ...], value: Any) -> Any:
    """Return the overlay that sets the leaf at `path` alone."""
    if not path:
        return value
    head, *rest = path
    if isinstance(head, tuple):
        return [{"id": head[1], **overlay(tuple(rest), value)}]
    return {head: overlay(tuple(rest), value)}


def changed(node: Any, path: tuple[Any, ...], value: Any) -> Any:
    """Return `node` with the leaf at `path` changed: the independent answer."""
    if not path:
        return value
    head, *rest = path
    if isinstance(head, tuple):
        return [changed(item, tuple(rest), value) if item["id"] == head[1] else item for item in node]
    return {key: changed(inner, tuple(rest), value) if key == head else inner for key, inner in node.items()}


@given(LEAVES, st.data())
def test_an_overlay_of_one_leaf_changes_that_leaf_alone(base: dict[str, Any], data: st.DataObject) -> None:
    path = data.draw(st.sampled_from(leaves(base)))
    value = data.draw(st.sampled_from(["new", 1_000, ["x", "y", "z"]]))
    if path[-1] == "needs":
        value = ["x", "y", "z"]
    elif isinstance(value, list):
        value = "new"
    above = overlay(path, value)
    assert rules(json.dumps(base), json.dumps(above)) == changed(base, path, value)


@given(LEAVES)
def test_every_override_must_do_something(base: dict[str, Any]) -> None:
    """Each leaf that an overlay says over again is told once, with both places."""
    _, diagnostics = merged(json.dumps(base), json.dumps(base))
    steps_said_again = [fault for fault in diagnostics if fault.code.id != "override-without-effect"]
    assert steps_said_again == []
    assert len(diagnostics) == len(leaves(base))
    assert all(fault.related for fault in diagnostics)


@given(LEAVES)
def test_short_forms_are_written_out_once(base: dict[str, Any]) -> None:
    new_layer = layer(json.dumps(base), shapes=False)
    assert isinstance(new_layer, Layer)
    once = expand_short_forms(new_layer.files[0], build_rules_shape())
    assert same(expand_short_forms(once, build_rules_shape()), once)


def same(left: Node, right: Node) -> bool:
    if isinstance(left, Scalar) or isinstance(right, Scalar):
        return isinstance(left, Scalar) and isinstance(right, Scalar) and left.text == right.text
    return left.to_plain() == right.to_plain()
