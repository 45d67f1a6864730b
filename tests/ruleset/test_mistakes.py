"""One mistake in a designer's folder is one diagnostic, in the right place; what it offers to change mends it."""

from __future__ import annotations

import shutil
from dataclasses import replace
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from rulewright.base.resources import find_resource
from rulewright.ruleset.editions.catalogue import Catalogue
from rulewright.ruleset.lints import run_lints
from rulewright.ruleset.lints.constant_conditions import FIXED_CONDITION
from rulewright.ruleset.lints.unused import UNUSED_DECLARATION
from rulewright.ruleset.load_ruleset import load_edition
from rulewright.source.diagnostics.collector import Diagnostic, DiagnosticError
from rulewright.source.diagnostics.diagnostic import apply_edits
from rulewright.source.diagnostics.formats import text
from rulewright.source.span import Span
from rulewright.testing.check_edition import check_edition
from tests.breadth import some
from tests.ruleset.mistakes import HOUSE, MANIFEST, MANIFESTS, PIG
from tests.source.goldens import assert_golden

RULES = find_resource("rules")
GOLDENS = Path(__file__).parent / "goldens" / "mistakes"
ALL = [*HOUSE, *MANIFESTS, *PIG]


def _read_code(name: str) -> str:
    """Return the code that a mistake is about, by what is kept of it; empty for a new mistake."""
    golden = GOLDENS / f"{name}.txt"
    return golden.read_text(encoding="utf-8").partition("[")[2].partition("]")[0] if golden.exists() else ""


CODES = {name: _read_code(name) for name in (*PIG, *MANIFESTS, *HOUSE)}
"""The code that each mistake is about. Those of Pig come first.

It is one in a copy of Pig wherever there is such a one: the largest game, which house rules are laid over, takes ten
times as long to check. A dozen codes come from house rules alone, and there is a mistake of each here.
"""


def _counts(diagnostic: Diagnostic, name: str) -> bool:
    """Return whether a mistake answers for a diagnostic.

    It does not for a warning that no mistake is about: a new lint may report much in rules that were written before it.
    """
    return diagnostic.severity == "error" or not CODES[name] or diagnostic.code.id in CODES.values()


def _of_each_code() -> list[str]:
    """Return the first mistake that each diagnostic code is about: others come to the same code."""
    first = {code: name for name, code in reversed(CODES.items())}
    return list(first.values())


# A misspelt row also makes rows missing elsewhere, in rules that the designer has not written.
NAMES = some(ALL, sorted({*_of_each_code(), "row_misspelt"}))

OF_THE_NEW_RULE = ("dice-script", "example-failed", "illegal-choice", "never-reached", "text-outdated")
"""What is said of inherited examples and texts that the new rule makes untrue: that is no fault of the remedy."""


LEADS_ON = ("delete_without_true",)
"""Mistakes behind which another stands: what was to be deleted is still needed."""


def _is_inherited(diagnostic: Diagnostic, name: str) -> bool:
    return name not in PIG and Path(diagnostic.span.file).is_relative_to(RULES)


def folder(name: str, at: Path) -> None:
    """Write the folder with the mistake `name` in it."""
    if name in PIG:
        # Answers that are kept beside the rules would be told to be of other rules.
        shutil.copytree(RULES / "pig" / "classic-1.0", at, ignore=shutil.ignore_patterns("fair.json"))
        shutil.copytree(RULES / "pig" / "icons", at / "icons")
        manifest = (at / "ruleset.yaml").read_text(encoding="utf-8").splitlines(keepends=True)
        kept = manifest
        if not name.startswith("released_"):
            kept = [line for line in manifest if not line.startswith(("status:", "locked:"))]
        (at / "ruleset.yaml").write_text("".join(kept).replace("pig/classic", "house/mine"), encoding="utf-8")
        file, *changes = PIG[name]
        # A file that should not be there has nothing in it yet.
        written = (at / file).read_text(encoding="utf-8") if (at / file).exists() else ""
        for right, wrong in zip(changes[::2], changes[1::2], strict=True):
            assert written.count(right) == 1
            written = written.replace(right, wrong)
        (at / file).write_text(written, encoding="utf-8")
        return
    at.mkdir()
    (at / "ruleset.yaml").write_text(MANIFESTS.get(name, MANIFEST), encoding="utf-8")
    (at / "rules.yaml").write_text(HOUSE.get(name, "numbers: {day_limit: 90}\n"), encoding="utf-8")


def check(at: Path, *, examples: bool = True) -> list[Diagnostic]:
    """Return everything that is found in the edition in a folder; without examples, what is found without playing."""
    catalogue = Catalogue([at, RULES])
    faults = [fault for broken in catalogue.list_broken() for fault in broken.diagnostics]
    mine = [edition for edition in catalogue.list_editions() if edition.folder.resolve() == at.resolve()]
    for edition in mine:
        try:
            if examples:
                faults += check_edition(catalogue, edition).diagnostics
                continue
            ruleset, diagnostics = load_edition(catalogue, edition)
            if ruleset is not None and not diagnostics.errors:
                run_lints(ruleset, diagnostics)
            faults += diagnostics
        except DiagnosticError as error:
            faults += error.diagnostics
    return faults


def format_diagnostic(diagnostic: Diagnostic) -> str:
    """Return a diagnostic as it is printed.

    Of places in the rules below, which have a life of their own, only the file.
    """
    below = [each for each in diagnostic.related if Path(each.span.file).is_relative_to(RULES)]
    own = tuple(each for each in diagnostic.related if each not in below)
    notes = [f"note: {each.message} (rules/{Path(each.span.file).relative_to(RULES).as_posix()})\n" for each in below]
    return text.render([replace(diagnostic, related=own)]) + "".join(notes)


@cache
def outcome(name: str) -> tuple[str, list[Diagnostic], list[Diagnostic] | None]:
    """Return what is said of a mistake, the diagnostics, and those left once its edits are made, if it has any."""
    with TemporaryDirectory() as base:
        at = Path(base) / "mine"
        folder(name, at)
        counted_faults = [each for each in check(at) if _counts(each, name)]
        text = "".join(map(format_diagnostic, counted_faults)).replace(f"{at}/", "mine/")
        if not counted_faults or not counted_faults[0].edits:
            return text, counted_faults, None
        for file in {edit.span.file for edit in counted_faults[0].edits}:
            written = Path(file).read_text(encoding="utf-8")
            edits = [edit for edit in counted_faults[0].edits if edit.span.file == file]
            Path(file).write_text(apply_edits(written, edits), encoding="utf-8")
        return text, counted_faults, [each for each in check(at, examples=False) if _counts(each, name)]


@pytest.mark.parametrize("name", NAMES)
def test_a_mistake_is_explained_once(name: str) -> None:
    faults, output, _ = outcome(name)
    assert_golden(f"{name}.txt", faults, folder=GOLDENS)
    assert len(output) == 1


@pytest.mark.parametrize("name", NAMES)
def test_a_mistake_is_found_in_the_file_it_stands_in(name: str) -> None:
    _, faults, _ = outcome(name)
    own = PIG[name][0] if name in PIG else "ruleset.yaml" if name in MANIFESTS else "rules.yaml"
    assert faults[0].span.file.endswith(f"mine/{own}") or name == "extends_left_out"


@pytest.mark.parametrize("name", NAMES)
def test_what_is_offered_mends_the_mistake_and_makes_no_other(name: str) -> None:
    _, faults, after = outcome(name)
    if after is not None:
        errors = [each for each in after if each.severity == "error"]
        left = [each for each in errors if not (each.code.id in OF_THE_NEW_RULE and _is_inherited(each, name))]
        assert [(each.code.id, each.message) for each in left if name not in LEADS_ON] == []
        assert (faults[0].code, faults[0].message) not in [(each.code, each.message) for each in after]


def test_only_warnings_that_some_mistake_is_about_count() -> None:
    span = Span("rules.yaml", 1, 1, 1, 2)
    assert _counts(Diagnostic(UNUSED_DECLARATION, "nothing uses it", span), "row_misspelt")
    assert not _counts(Diagnostic(FIXED_CONDITION, "it is always true", span), "row_misspelt")


def test_most_mistakes_have_a_remedy_that_a_machine_can_apply() -> None:
    assert sum(outcome(name)[2] is not None for name in NAMES) >= 45 * len(NAMES) // len(ALL)
