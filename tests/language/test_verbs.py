"""Verbs bring everything about themselves, or are refused."""

from __future__ import annotations

from typing import Any

import pytest

from rulewright.language.statement import (
    COMMON_KEYS,
    FOLDER,
    Statement,
    find_all,
    list_expressions,
    load_statements,
    refuse_incomplete,
)
from rulewright.ruleset.schema.validator import validate
from rulewright.source.diagnostics.collector import Diagnostics
from rulewright.source.diagnostics.formats import text
from rulewright.source.yaml.yaml_reader import read_text
from tests.language.garden import procedure
from tests.language.inline import sound

LANGUAGE = (
    *("choose", "create", "do", "draw", "finish", "for_each", "gain", "if", "let", "pay", "put", "remove"),
    *("repeat", "reshuffle", "roll", "say", "set", "show", "steps", "stop"),
)
"""The verbs of the language, in order. A plug-in may add others."""


def test_the_verbs_of_the_language_are_there_in_order() -> None:
    assert [verb for verb in load_statements() if verb in LANGUAGE] == [*LANGUAGE]


@pytest.mark.parametrize("verb", load_statements().values(), ids=lambda verb: verb.name)
def test_a_verb_explains_itself(verb: Statement) -> None:
    assert verb.name in verb.keys
    assert verb.keys[verb.name].required
    assert verb.summary[0].isupper()
    assert verb.summary.endswith(".")
    assert all(member.shape.doc.endswith(".") for member in verb.keys.values())


@pytest.mark.parametrize("verb", load_statements().values(), ids=lambda verb: verb.name)
def test_the_example_of_a_verb_has_the_shape_of_a_step(verb: Statement) -> None:
    step = verb.example.replace("…", "")
    diagnostics = Diagnostics()
    validate(read_text(f"procedures: {{p: {{steps: [{step}]}}}}\n", "p.yaml"), "rules", diagnostics, overlay=False)
    assert not diagnostics.errors, text.render(diagnostics)
    assert f"{verb.name}:" in step


def test_another_word_for_a_verb_means_only_that_one_and_is_no_key() -> None:
    # A plug-in may use any word as a key: suggestions are only for keys that nothing knows.
    verbs = [verb for verb in load_statements().values() if verb.name in LANGUAGE]
    words = [word for verb in verbs for word in verb.also]
    assert len(words) == len(set(words))
    assert not {*words} & {*COMMON_KEYS, *(key for verb in verbs for key in verb.keys)}


class Half(Statement):
    name = "half"
    summary = "Half of a verb."

    def check(self, node: Any, check: Any) -> Any:
        return None


def test_a_verb_that_lacks_a_part_is_refused() -> None:
    with pytest.raises(TypeError, match=r"Half lacks run, lower, example, keys, docs_templates/statements/half.j2"):
        refuse_incomplete(Half())


class Greedy(Half):
    name = "show"
    example = "{id: a, show: b}"

    def run(self, step: Any, run: Any) -> None:
        return None

    def lower(self, step: Any, lower: Any) -> None:
        return None


@pytest.mark.parametrize(
    ("key", "whose"), [("into", "every step"), ("none", "every step"), ("after", "steps that change another edition")]
)
def test_a_statement_with_a_reserved_key_is_refused(key: str, whose: str, monkeypatch: pytest.MonkeyPatch) -> None:
    show = load_statements()["show"].keys["show"]
    monkeypatch.setattr(Greedy, "keys", {"show": show, key: show}, raising=False)
    with pytest.raises(TypeError, match=f"`show` may not have the key `{key}`, which belongs to {whose}"):
        refuse_incomplete(Greedy())


@pytest.mark.parametrize("file", ["aaa", "zzz"])
def test_a_name_that_a_statement_has_is_refused_in_another_file(
    file: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The file that is called like the statement keeps it, wherever the other stands in the alphabet."""
    gain = type(load_statements()["gain"])
    added = type("Added", (gain,), {"__module__": f"{FOLDER.package}.{file}"})
    files = sorted([("gain", gain), (file, added)])
    monkeypatch.setattr(FOLDER, "iterate_objects", lambda kind: iter(files))
    assert {name: type(verb) for name, verb in find_all().items()} == {"gain": gain}
    assert f"`{file}` failed (PluginError: gain.py declares a statement `gain`, too" in capsys.readouterr().err


class Nameless(Statement):
    pass


def test_a_statement_without_a_name_is_refused() -> None:
    with pytest.raises(
        TypeError, match=r"Nameless lacks check, run, lower, name, .*docs_templates/statements/<name>\.j2"
    ):
        refuse_incomplete(Nameless())


def test_every_expression_of_a_step_is_found_whatever_its_verb() -> None:
    steps = """\
- {id: a, choose: {who: p, from: {x: turn > 1, y: {when: storm}}}}
- {id: b, choose: {who: p, some_of: trees, at_least: 1, at_most: turn}}
- {id: c, roll: t.size.roll, by: p}
- {id: e, set: {t.height: t.height + 1, turn: 2}}
- {id: f, gain: {who: p, score: turn}}
- {id: g, create: tree, with: {height: 4}}
- {id: h, repeat: {until: storm, at_most: turn, steps: []}}
- {id: i, for_each: q, in: trees, steps: []}
- {id: j, if: storm, then: []}
- {id: k, finish: {winners: players}, when: storm}
"""
    counts = {
        step.id: sum(1 for _ in list_expressions(step.action))
        for step in sound(procedure(steps)).procedures["main"].iterate_steps()
    }
    # `who`, each condition, each list and bound; places that are set count with the object they are a field of.
    assert counts == {"a": 3, "b": 4, "c": 2, "e": 4, "f": 3, "g": 1, "h": 2, "i": 1, "j": 1, "k": 1}
