"""A bad step is explained once, at its place; and every code of the language has a message that shows it."""

from __future__ import annotations

from pathlib import Path

import pytest

from rulewright.language import language_diagnostics
from rulewright.source.diagnostics.diagnostic import Code, Diagnostic, apply_edits
from rulewright.source.diagnostics.formats import text
from tests.language.bad_steps import BAD, OTHERS, PARTS, ROWS
from tests.language.garden import GARDEN, procedure
from tests.language.inline import MANIFEST, checked
from tests.language.test_bad_expressions import mended
from tests.source.goldens import assert_golden

FOLDER = Path(__file__).parent / "goldens" / "steps"


def source_of(name: str) -> str:
    if name in ROWS:
        return ROWS[name]
    return procedure(BAD[name], before=PARTS) if name in BAD else GARDEN + OTHERS[name]


def faults(name: str, source: str | None = None) -> list[Diagnostic]:
    manifest = MANIFEST.replace("rounding: truncate, ", "") if name == "no_rounding" else MANIFEST
    return list(checked(source or source_of(name), manifest=manifest)[1])


@pytest.mark.parametrize("name", [*BAD, *OTHERS, *ROWS])
def test_a_bad_step_is_explained(name: str) -> None:
    found = faults(name)
    assert_golden(f"{name}.txt", text.render(found), folder=FOLDER)
    assert len(found) == 1


@pytest.mark.parametrize("name", [*BAD, *OTHERS, *ROWS])
def test_what_is_proposed_works(name: str) -> None:
    (fault,) = faults(name)
    better = mended(source_of(name), fault)
    if better is not None:
        assert [f.message for f in faults(name, better) if f.code is fault.code] == []


@pytest.mark.parametrize("name", [name for name in BAD if name.endswith("without_braces")])
def test_a_roll_in_braces_is_written_by_the_edit(name: str) -> None:
    source = source_of(name)
    (fault,) = faults(name)
    assert faults(name, apply_edits(source, fault.edits)) == []


@pytest.mark.parametrize(
    ("choice", "is_valid"),
    [
        ("number: {from: 1, to: 2}", True),
        ("number: {from: 1, to: 1}, or_none: true", True),
        ("number: {from: 1, to: 1}, or_none: storm", False),
        ("number: {from: 1, to: 1}", False),
        ("number: {from: 1, to: goal}", False),  # a layer may change the number
        ("number: {from: 1, to: turn}, or_none: true", False),
        ("one_of: '[3, 5]'", True),
        ("one_of: '[3]'", False),
        ("one_of: '[]', or_none: true", False),
        ("some_of: '[3, 5]'", False),
    ],
)
def test_a_loop_without_a_bound_needs_two_options_that_there_always_are(choice: str, is_valid: bool) -> None:
    source = procedure(f"- {{id: x, repeat: {{steps: [{{id: y, choose: {{who: p, {choice}}}}}]}}}}", before=PARTS)
    assert ("endless-loop" not in [each.code.id for each in checked(source)[1]]) == is_valid


def test_bounds_the_wrong_way_round_are_turned_by_the_edit() -> None:
    source = source_of("numbers_the_wrong_way_round")
    (fault,) = faults("numbers_the_wrong_way_round")
    better = apply_edits(source, fault.edits)
    assert "number: {from: 1, to: 4}" in better
    assert faults("numbers_the_wrong_way_round", better) == []


ASK = "{id: c, choose: {who: p, from: [a, b]}}"


@pytest.mark.parametrize(
    "round_",
    [
        ASK,
        f"{{id: g, steps: [{{id: x, set: {{turn: 1}}}}, {ASK}]}}",
        f"{{id: i, if: storm, then: [{ASK}], else: [{{id: d, choose: {{who: p, from: [a, b]}}}}]}}",
        "{id: q, do: ask, with: {p: p}}",
        f"{{id: inner, repeat: {{steps: [{ASK}]}}}}",
        f"{{id: early, stop: true, when: storm}}, {ASK}",
        "{id: x, set: {turn: 1}}, {id: end, stop: true}",
    ],
)
def test_a_loop_needs_no_bound_where_every_round_asks_or_ends(round_: str) -> None:
    ask = "  ask: {given: {p: player}, steps: [{id: g, steps: [{id: c, choose: {who: p, from: [a, b]}}]}]}\n"
    source = procedure(f"- {{id: loop, repeat: {{steps: [{round_}]}}}}", before=ask)
    assert [fault.message for fault in checked(source)[1]] == []


def test_every_code_of_the_language_has_a_golden_message() -> None:
    own = {value.id for value in vars(language_diagnostics).values() if isinstance(value, Code)}
    folders = (FOLDER.parent, FOLDER.parents[2] / "ruleset" / "goldens")
    goldens = "".join(path.read_text(encoding="utf-8") for folder in folders for path in folder.glob("*/*.txt"))
    assert [code for code in sorted(own) if f"[{code}]" not in goldens] == []
