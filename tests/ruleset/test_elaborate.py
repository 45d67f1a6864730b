"""What a ruleset declares is checked whole: every fault is explained once, with all the places it has to do with."""

from __future__ import annotations

from pathlib import Path

import pytest

from rulewright.ruleset import ruleset_diagnostics
from rulewright.source.diagnostics.diagnostic import Code, Diagnostic, apply_edits
from rulewright.source.diagnostics.formats import text
from tests.language.inline import MANIFEST, checked
from tests.language.test_bad_expressions import mended
from tests.ruleset.bad_rulesets import ALONE, BASE, MANIFESTS, OVERLAYS
from tests.source.goldens import assert_golden

FOLDER = Path(__file__).parent / "goldens" / "rulesets"
GAME = (
    "state: {turn: int}\n"
    "procedures:\n  game: {steps: [{id: x, set: {turn: 1}}]}\n  other: {given: {n: int}, steps: []}\n"
)

LEFT_BEHIND = ("row_still_needed", "step_still_read", "choice_still_default", "verb_added_to_a_verb")
"""Overlays that merge well and leave something that is not sound."""


def faults(name: str) -> list[Diagnostic]:
    if name in OVERLAYS:
        return list(checked(BASE, OVERLAYS[name], shapes=False)[1])
    if name in MANIFESTS:
        manifest = MANIFEST.replace("players: 1..4", MANIFESTS[name])
        return list(checked(GAME, manifest=manifest)[1])
    return list(checked(ALONE[name], shapes=name != "no_rows")[1])


@pytest.mark.parametrize("name", [*OVERLAYS, *ALONE, *MANIFESTS])
def test_a_bad_ruleset_is_explained(name: str) -> None:
    diagnostics = faults(name)
    assert_golden(f"{name}.txt", text.render(diagnostics), folder=FOLDER)
    assert len(diagnostics) == 1


@pytest.mark.parametrize("name", [*OVERLAYS, *ALONE])
def test_what_is_proposed_works(name: str) -> None:
    fault = faults(name)[0]
    source = OVERLAYS.get(name) or ALONE[name]
    better = mended(source, fault)
    if better is not None:
        again = checked(BASE, better, shapes=False) if name in OVERLAYS else checked(better)
        assert [f.message for f in again[1] if f.code is fault.code] == []


@pytest.mark.parametrize("name", [*OVERLAYS, *ALONE])
def test_the_edits_of_a_fault_mend_it(name: str) -> None:
    fault = faults(name)[0]
    if not fault.edits:
        return
    assert {edit.span.file for edit in fault.edits} == {fault.span.file}
    source = OVERLAYS.get(name) or ALONE[name]
    better = apply_edits(source, fault.edits)
    again = checked(BASE, better, shapes=False) if name in OVERLAYS else checked(better)
    assert (fault.code, fault.message) not in [(each.code, each.message) for each in again[1]]


def test_many_faults_have_edits() -> None:
    assert sum(bool(faults(name)[0].edits) for name in (*OVERLAYS, *ALONE)) > 15


@pytest.mark.parametrize("name", [name for name in OVERLAYS if name not in LEFT_BEHIND])
def test_a_fault_of_an_override_shows_both_places(name: str) -> None:
    for fault in faults(name):
        assert fault.span.file.startswith("rules/upper1")
        alone = ("beside_what_is_not_there", "beside_itself", "new_step_without_id")
        assert bool(fault.related) == (name not in alone)


def test_every_code_of_rulesets_has_a_golden_message() -> None:
    own = {value.id for value in vars(ruleset_diagnostics).values() if isinstance(value, Code)}
    goldens = "".join(path.read_text(encoding="utf-8") for path in FOLDER.glob("*.txt"))
    tested_elsewhere = {"declared-twice", "bad-grid", "overlays-meet", "still-needed", "unrelated-section"}
    assert [code for code in sorted(own - tested_elsewhere) if f"[{code}]" not in goldens] == []


@pytest.mark.parametrize(
    "rules",
    [
        "numbers: {a: b + 1, b: t.x.n, c: twice(a)}\ntables: {t: {columns: {n: int}, rows: {x: {n: d}}}}\n"
        "formulas: {twice: {given: {n: int}, is: n * 2}}\n"
        "kinds: {player: {fields: {score: {type: int, default: c}}}}\n",
        "numbers: {cheap: sizes.small}\ntables: {sizes: {columns: {n: int}, rows: {small: {n: 1}}}}\n",
        "kinds: {tree: {fields: {h: int}, derived: {tall: self.high > 3, high: self.h * 2}}}\n",
        "formulas: {f: {is: g + 1}, g: {is: 2}}\n",
    ],
)
def test_figures_may_stand_in_any_order(rules: str) -> None:
    ruleset, diagnostics = checked(rules.replace("n: d}", "n: 41}"))
    assert not diagnostics.errors, text.render(diagnostics)
    assert ruleset is not None
    numbers = ruleset.declarations.numbers
    if "c" in numbers:
        assert (numbers["a"].value, numbers["c"].value) == (42, 84)
        assert ruleset.declarations.kinds["player"].fields["score"].default == 84


@pytest.mark.parametrize(
    "rules",
    [
        "numbers:\n" + "".join(f"  n{k}: n{k + 1} + 1\n" for k in range(500)) + "  n500: 1\n",
        "formulas:\n" + "".join(f"  f{k}: f{k + 1} + 1\n" for k in range(500)) + "  f500: 1\n",
        "formulas:\n" + "".join(f"  f{k}: {'(1 + ' * 13}f{k + 1}{')' * 13}\n" for k in range(60)) + "  f60: 1\n",
        "state: {turn: int}\nprocedures:\n"
        + "".join(f"  p{k}: {{steps: [{{id: x, do: p{k + 1}}}]}}\n" for k in range(1_200))
        + "  p1200: {steps: [{id: x, set: {turn: 1}}]}\n",
        "formulas:\n  f0: {given: {n: int}, is: n}\n"
        + "".join(f"  f{k}: {{given: {{n: int}}, is: f{k - 1}(n) + f{k - 1}(n)}}\n" for k in range(1, 200)),
        "numbers:\n  n0: 10\n" + "".join(f"  n{k}: n{k - 1} * n{k - 1}\n" for k in range(1, 200)),
    ],
    ids=["numbers", "formulas", "deep_formulas", "procedures", "doubling", "squares"],
)
def test_long_chains_are_told_and_do_no_harm(rules: str) -> None:
    _, diagnostics = checked(rules, shapes=False)
    assert {fault.code.id for fault in diagnostics} <= {"expression-too-large", "steps-too-deep", "unknown-procedure"}
    assert diagnostics.errors


def test_a_long_chain_in_its_order_is_sound() -> None:
    forward = "numbers:\n  n0: 1\n" + "".join(f"  n{k}: n{k - 1} + 1\n" for k in range(1, 500))
    ruleset, diagnostics = checked(forward, shapes=False)
    assert ruleset is not None
    assert not diagnostics.errors
    assert ruleset.declarations.numbers["n499"].value == 500
