"""A file of the wrong shape is explained in the words of its author, once, and at the right place."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from rulewright.language.statement import load_statements
from rulewright.ruleset.schema import json_schema, model
from rulewright.ruleset.schema import schema_diagnostics as shape_codes
from rulewright.ruleset.schema.validator import Kind, validate
from rulewright.ruleset.section import load_sections
from rulewright.source.diagnostics.collector import Diagnostics
from rulewright.source.diagnostics.diagnostic import Code, apply_edits
from rulewright.source.diagnostics.formats import text
from rulewright.source.yaml.yaml_reader import read_text
from tests.ruleset.bad_shapes import BAD_MANIFESTS, BAD_OVERLAYS, BAD_RULES
from tests.source.goldens import assert_golden

FOLDER = Path(__file__).parent / "goldens" / "shape"


def faults(source: str, kind: Kind = "rules", *, overlay: bool = False) -> Diagnostics:
    diagnostics = Diagnostics()
    sound = validate(read_text(source, "rules/bad.yaml"), kind, diagnostics, overlay=overlay)
    assert sound == (len(diagnostics) == 0)
    return diagnostics


@pytest.mark.parametrize("name", BAD_RULES)
def test_bad_rules_are_explained(name: str) -> None:
    assert_golden(f"{name}.txt", text.render(faults(BAD_RULES[name])), folder=FOLDER)


@pytest.mark.parametrize("name", BAD_OVERLAYS)
def test_a_bad_overlay_is_explained(name: str) -> None:
    assert_golden(f"{name}.txt", text.render(faults(BAD_OVERLAYS[name], overlay=True)), folder=FOLDER)


@pytest.mark.parametrize("name", BAD_MANIFESTS)
def test_a_bad_manifest_is_explained(name: str) -> None:
    assert_golden(f"{name}.txt", text.render(faults(BAD_MANIFESTS[name], "manifest")), folder=FOLDER)


@pytest.mark.parametrize("name", [name for name in (*BAD_RULES, *BAD_OVERLAYS) if name not in ("several",)])
def test_one_mistake_is_told_once(name: str) -> None:
    source = BAD_RULES.get(name) or BAD_OVERLAYS[name]
    expected = {"section_without_value": 2, "faces_as_row_id": 2}
    assert len(faults(source, overlay=name in BAD_OVERLAYS)) == expected.get(name, 1)


@pytest.mark.parametrize("name", [name for name in BAD_RULES if name != "several"])
def test_the_edits_of_a_fault_mend_it(name: str) -> None:
    fault = next(iter(faults(BAD_RULES[name])))
    if fault.edits:
        again = Diagnostics()
        validate(read_text(apply_edits(BAD_RULES[name], fault.edits), "rules/bad.yaml"), "rules", again, overlay=False)
        assert (fault.code, fault.message) not in [(each.code, each.message) for each in again]


@pytest.mark.parametrize("name", ["section_among_rows", "section_among_keys"])
def test_a_section_inside_another_is_moved_to_the_margin(name: str) -> None:
    fault = next(iter(faults(BAD_OVERLAYS[name], overlay=True)))
    mended = apply_edits(BAD_OVERLAYS[name], fault.edits)
    assert "\n\nexamples:\n  fallen:" in mended
    assert len(faults(mended, overlay=True)) == 0


@pytest.mark.parametrize("name", ["colon_forgotten", "yes_for_true", "unknown_section", "unknown_key"])
def test_a_sure_remedy_is_an_edit(name: str) -> None:
    assert next(iter(faults(BAD_RULES[name]))).edits


STEPS = "procedures:\n  turn:\n    steps:\n"
"""The start of a file, up to the steps of a procedure."""


@pytest.mark.parametrize(
    ("source", "mended"),
    [
        ("terms:\n  - id: 'road' # long\n    name: R\n", "terms:\n   road: # long\n    name: R\n"),
        ("terms:\n- {id: road , name: R} # long\n", "terms:\n road: {name: R} # long\n"),
        ("kinds:\n  - id: road\n  - {id: way}\n", "kinds:\n   road: {}\n   way: {}\n"),
        ("kinds: ['road', way,] # two\n", "kinds: {road: {}, way: {}} # two\n"),
        (f"{STEPS}      - # c\n        roll: 1d6\n", f"{STEPS}      - # c\n        id: roll_step\n        roll: 1d6\n"),
        (f"{STEPS}      'a': # c\n        roll: 1d6\n", f"{STEPS}      - id: a # c\n        roll: 1d6\n"),
        (f"{STEPS}      - id: a\n        set: x = 1\n", f"{STEPS}      - id: a\n        set: {{x: 1}}\n"),
        (f"{STEPS}      - id: a\n        set: x:1\n", f"{STEPS}      - id: a\n        set: {{x: 1}}\n"),
        (f"{STEPS}      - id: a\n        set: x '1, 2'\n", f"{STEPS}      - id: a\n        set: {{x: '1, 2'}}\n"),
        (f"{STEPS}      - {{id: a, set: x -= y - 2}}\n", f"{STEPS}      - {{id: a, set: {{x: x - (y - 2)}}}}\n"),
        (
            f"{STEPS}      - id: a\n        set: x += max(1, 2)\n",
            f'{STEPS}      - id: a\n        set: {{x: "x + max(1, 2)"}}\n',
        ),
        ("tables: {a: {rows: {1-3: capture}}}\n", "tables: {a: {rows: {capture: 1-3}}}\n"),
    ],
)
def test_a_fix_keeps_comments_and_the_meaning(source: str, mended: str) -> None:
    [fault] = faults(source)
    assert apply_edits(source, fault.edits) == mended
    assert len(faults(mended)) == 0


@pytest.mark.parametrize(
    "source",
    [
        "terms:\n  - id: long road\n    name: R\n",
        "terms:\n  - {id: 'a: b', name: R}\n",
        "terms:\n  - id:\n    name: R\n",
        "terms:\n  - id: road\n    name: R\n  - id: road\n    name: S\n",
        "terms:\n  - {id: road,\n     name: R}\n",
        "kinds: [road, long road]\n",
        "kinds: [road, road]\n",
        f"{STEPS}      long road: {{roll: 1d6}}\n",
        f"{STEPS}      'a: b':\n        roll: 1d6\n",
        f"{STEPS}      - ? roll\n        : 1d6\n",
        "tables: {a: {rows: {1-3: capture, capture: 4-6}}}\n",
    ],
)
def test_what_no_edit_can_mend_has_none(source: str) -> None:
    assert [fault.edits for fault in faults(source)] == [()]


@pytest.mark.parametrize(
    ("key", "made"), [("größe", "groesse"), ("Éclair", "eclair"), ("Øre", "oere"), ("Œuf", "oeuf")]
)
def test_letters_with_marks_are_written_out_in_ids(key: str, made: str) -> None:
    assert [edit.text for fault in faults(f"numbers: {{{key}: 3}}\n") for edit in fault.edits] == [made]


@pytest.mark.parametrize("key", ["\u0446\u0435\u043b\u044c", "\u76ee\u6a19", "\u03b4-x"])
def test_of_a_word_in_another_script_no_letter_is_left_as_an_id(key: str) -> None:
    assert [edit for fault in faults(f"numbers: {{{key}: 3}}\n") for edit in fault.edits] == []


def test_a_key_that_stands_there_already_is_proposed_by_no_edit() -> None:
    [fault] = faults("numbers: {goal: 3}\nnumebrs: {}\n")
    assert (fault.edits, "`numbers`? That key is already here" in fault.help) == ((), True)


def test_every_code_of_a_shape_has_a_golden_message() -> None:
    own = {value.id for value in vars(shape_codes).values() if isinstance(value, Code)}
    goldens = "".join(path.read_text(encoding="utf-8") for path in FOLDER.glob("*.txt"))
    assert [code for code in sorted(own) if f"[{code}]" not in goldens] == []


def test_what_is_found_comes_in_the_order_of_the_file() -> None:
    spans = [d.span for d in faults(BAD_RULES["several"])]
    assert spans == sorted(spans)


def test_errors_without_end_are_cut_off() -> None:
    diagnostics = faults("terms:\n" + "".join(f"  t{number}: {{nam: x}}\n" for number in range(500)))
    assert len(diagnostics) <= 102
    assert [d.code.id for d in diagnostics][-1] == "too-many-errors"


def test_many_unknown_keys_are_cut_off() -> None:
    source = "".join(f"key_{number}: 1\n" for number in range(30_000))
    assert len(faults(source)) == 101


def test_a_file_as_deep_as_a_file_may_be_is_checked() -> None:
    source = "{steps: [{id: a, steps: [{id: b, roll: x}]}]}"
    for number in range(27):
        source = source.replace("roll: x", f"steps: [{{id: c{number}, roll: x}}]")
    assert len(faults(f"procedures: {{turn: {source}}}")) == 0


@pytest.mark.parametrize(
    "source",
    [
        "terms: {pig: Pig}",
        "dice: {dP: 10..100 step 10, d3: [1, 1, 2]}",
        "numbers: {goal: 100, roll: 2d6 +6, none_yet: {is: none}, yes: true}",
        "tables: {check: {roll: 1d6, rows: {capture: 1-3, fight: [4, 5-6]}}}",
        "tables: {costs: {columns: {cost: int}, rows: {villa: {cost: 10, rate: 0.5, needs: [a, b]}}}}",
        "kinds: {player: {fields: {score: count}, derived: {twice: self.score * 2}}}",
        "procedures: {turn: {steps: [{id: end, finish: {winners: [player]}}, {id: set, set: {a.b: 1, c: [x]}}]}}",
        "procedures: {turn: {given: {}, steps: [{id: call, choose: {who: p, from: {roll: x > 1, hold: {when: y}}}}]}}",
        "examples: {e: {title: E, roll: 1d6, dice: [3], expect: 3}, f: {title: F, expect: {score: [1, {a: 1.5}]}}}",
    ],
)
def test_what_the_language_offers_is_accepted(source: str) -> None:
    assert list(faults(source)) == []
    assert list(faults(source, overlay=True)) == []


@pytest.mark.parametrize(
    "source",
    [
        "terms: {villa: {delete: true}, castle: {after: town, name: Castle}}",
        "tables: {costs: {rows: {villa: {cost: 12}, keep: {before: villa, cost: 1}}, about: {delete: true}}}",
        "tables: {costs: {rows: {replace: true, villa: {cost: 12}}}}",
        "procedures: {turn: {steps: [{id: a, when: {delete: true}}, {after: a, id: b, roll: 1d6}, {delete: c}]}}",
        "procedures: {turn: {steps: [{replace: a, roll: 1d6}, {before: a, id: d, stop: true}]}}",
        "options: {cards: {choices: {none_at_all: {delete: true}, two: Two}}}",
    ],
)
def test_what_an_overlay_may_say_is_accepted_there_alone(source: str) -> None:
    assert list(faults(source, overlay=True)) == []
    assert len(faults(source)) > 0


KEYS = sorted(
    {
        *load_sections(),
        *model.MANIFEST.members,
        *model.step_shape().members,
        *load_statements(),
        "x",
        "X",
        "before",
        "rows",
    }
    | {key for section in load_sections().values() for key in section.entry.members}
)
JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-3, 3) | st.floats(allow_nan=False, allow_infinity=False) | st.just("x"),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(KEYS), inner, max_size=4),
    max_leaves=20,
)
SECTIONS = st.dictionaries(st.sampled_from(sorted(load_sections())), st.dictionaries(st.just("x"), JSON), min_size=1)


@given(JSON | SECTIONS, st.sampled_from(["manifest", "rules"]), st.booleans())
def test_whatever_a_file_holds_it_is_sound_or_explained(data: Any, kind: Kind, overlay: bool) -> None:
    source = json.dumps(data)
    diagnostics = faults(source, kind, overlay=overlay)
    schema = json_schema.build_manifest_schema()
    if kind == "rules":
        schema = json_schema.build_fragment_schema() if overlay else json_schema.build_resolved_schema()
    # The language is stricter than JSON Schema about what a whole number is, and nothing else.
    if not Draft202012Validator(schema).is_valid(data):
        assert len(diagnostics) > 0
    for diagnostic in diagnostics:
        assert diagnostic.span.line == 1
        assert 1 <= diagnostic.span.column <= len(source) + 1
        assert not diagnostic.message.endswith(".")


@pytest.mark.parametrize(
    ("step", "statement"),
    [("gain: 3", "gain"), ("repeat: 3", "repeat"), ("set: score", "set"), ("create: [5]", "create"), ("do: 5", "do")],
)
def test_a_wrong_value_of_a_statement_is_answered_with_its_example(step: str, statement: str) -> None:
    """A scalar as well as a list."""
    (error,) = faults(f"procedures: {{p: {{steps: [{{id: a, {step}}}]}}}}\n").errors
    assert str(error.suggestion).endswith(f", as in `{load_statements()[statement].example}`")


def test_a_key_that_is_another_word_for_a_statement_leads_to_both(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(type(load_statements()["finish"]), "also", ("then",))
    diagnostics = faults("procedures: {turn: {steps: [{id: over, then: {winners: []}}]}}\n")
    assert "did you mean `finish`? Otherwise, add a statement that takes `then`: `if`" in text.render(diagnostics)
