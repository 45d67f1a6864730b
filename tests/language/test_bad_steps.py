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
    diagnostics = faults(name)
    assert_golden(f"{name}.txt", text.render(diagnostics), folder=FOLDER)
    assert len(diagnostics) == 1


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
        "{id: c, choose: {who: p, one_of: sizes}}",
        "{id: c, choose: {who: p, one_of: 'list(s for s in sizes)'}}",
        "{id: c, choose: {who: p, one_of: '[1, 2]'}}",
        "{id: c, choose: {who: p, one_of: '[1] + t.height'}}",
        "{id: c, choose: {who: p, one_of: '[p] + players', or_none: true}}",
        "{id: c, choose: {who: p, one_of: '[1, 2, 3] - t.height'}}",
        "{id: c, choose: {who: p, one_of: 'list(s for s in sizes if s != t.size)', or_none: true}}",
        "{id: c, choose: {who: p, number: {from: 1, to: 2}}}",
        "{id: c, choose: {who: p, number: {from: 0, to: goal}}}",
        "{id: c, choose: {who: p, some_of: sizes}}",
        "{id: c, choose: {who: p, some_of: '[1, 2, 3]', at_least: 2, at_most: 2}}",
        "{id: c, choose: {who: p, from: {a: storm, b: true}, or_none: true}}",
        "{id: c, choose: {who: players, as: q, one_of: sizes}}",
        "{id: c, choose: {who: '[p, t.owner or p]', as: q, one_of: sizes}}",
        "{id: e, for_each: s, in: sizes, steps: [{id: c, choose: {who: p, one_of: sizes}}]}",
    ],
)
def test_a_loop_needs_no_bound_where_every_round_asks_or_ends(round_: str) -> None:
    ask = "  ask: {given: {p: player}, steps: [{id: g, steps: [{id: c, choose: {who: p, from: [a, b]}}]}]}\n"
    source = procedure(f"- {{id: loop, repeat: {{steps: [{round_}]}}}}", before=ask)
    assert [fault.message for fault in checked(source)[1]] == []


@pytest.mark.parametrize(
    "form",
    [
        "one_of: '[1]'",
        "one_of: trees",
        "one_of: 'list(s for s in sizes if s != t.size)'",
        "one_of: 'list(s for s in sizes if s != s)', or_none: true",
        "one_of: '[1, 2] - t.height'",
        "one_of: '[1, 2] - [1, 2]', or_none: true",
        "one_of: 'distinct(1 for s in sizes)'",
        'one_of: sizes, or_none: storm, who: "list(q for q in players if q != p)", as: r',
        "number: {from: 2, to: 2}",
        "number: {from: 1, to: turn}",
        "some_of: sizes, at_least: 2",
        "some_of: sizes, at_most: 0",
        "some_of: sizes, at_least: turn",
        "some_of: trees",
        "from: {a: storm, b: true}",
    ],
)
def test_a_loop_needs_a_bound_if_a_round_may_have_fewer_than_two_options(form: str) -> None:
    who = "" if "who" in form else "who: p, "
    steps = f"- {{id: loop, repeat: {{steps: [{{id: c, choose: {{{who}{form}}}}}]}}}}"
    assert [fault.code.id for fault in checked(procedure(steps))[1]] == ["endless-loop"]


def test_an_endless_loop_names_the_choice_in_a_procedure_that_may_ask_nobody() -> None:
    asks = "  ask: {given: {p: player}, steps: [{id: c, choose: {who: p, one_of: trees}}]}\n"
    again = "  again: {given: {p: player}, steps: [{id: a, do: ask, with: {p: p}}]}\n"
    steps = "- {id: loop, repeat: {steps: [{id: g, do: again, with: {p: p}}]}}"
    (fault,) = checked(procedure(steps, before=asks + again))[1]
    assert [note.message for note in fault.related] == [
        "`g` runs `again`, which does not always ask a player",
        "`a` runs `ask`, which does not always ask a player",
        "`c` may have fewer than two options, and then nobody is asked",
    ]


def test_procedures_that_run_each_other_have_no_endless_loop_as_well() -> None:
    other = "  other: {given: {p: player}, steps: [{id: m, do: again, with: {p: p}}]}\n"
    again = "  again: {given: {p: player}, steps: [{id: r, repeat: {steps: [{id: o, do: other, with: {p: p}}]}}]}\n"
    faults_ = checked(procedure("- {id: g, do: again, with: {p: p}}", before=other + again))[1]
    assert [fault.code.id for fault in faults_] == ["recursion"]


@pytest.mark.parametrize("wrong", ["{id: c, choose: {who: p, one_of: siezs}}", "{id: c, do: aks}"])
def test_a_mistake_in_a_round_is_not_reported_as_an_endless_loop_as_well(wrong: str) -> None:
    inside = f"  ask: {{given: {{p: player}}, steps: [{wrong}]}}\n"
    steps = "- {id: loop, repeat: {steps: [{id: g, do: ask, with: {p: p}}]}}\n"
    assert len(checked(procedure(steps, before=inside))[1]) == 1
    assert len(checked(procedure(f"- {{id: loop, repeat: {{steps: [{wrong}]}}}}"))[1]) == 1


def test_every_code_of_the_language_has_a_golden_message() -> None:
    own = {value.id for value in vars(language_diagnostics).values() if isinstance(value, Code)}
    folders = (FOLDER.parent, FOLDER.parents[2] / "ruleset" / "goldens")
    goldens = "".join(path.read_text(encoding="utf-8") for folder in folders for path in folder.glob("*/*.txt"))
    assert [code for code in sorted(own) if f"[{code}]" not in goldens] == []
