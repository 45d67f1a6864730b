"""Everything that can be known of an edition without playing it: its layers, types, lints and examples."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass, replace

from rulewright.play.examples.answers import check_answers
from rulewright.play.examples.judging import ExampleRun, run_example
from rulewright.play.examples.sample import check_samples
from rulewright.play.machine.allowance import Allowance
from rulewright.ruleset.doubts.overridden import point_at_overrides
from rulewright.ruleset.doubts.reach import runnable
from rulewright.ruleset.editions.catalogue import Catalogue
from rulewright.ruleset.editions.edition import Edition
from rulewright.ruleset.editions.surprises import shadows
from rulewright.ruleset.lints import run_lints
from rulewright.ruleset.pipeline import MOST_ERRORS, ruleset_of
from rulewright.ruleset.ruleset import Ruleset
from rulewright.ruleset.sections.examples import Example
from rulewright.ruleset.words.lint import Describe, lint_words
from rulewright.source.diagnostics.collected import Diagnostics, TooManyErrors
from rulewright.source.diagnostics.diagnostic import Diagnostic

Weigh = Callable[[Ruleset, Example, int], tuple[Iterable[Diagnostic], int]]
"""An example and the branches that are left → what is wrong with its odds, and the branches it took."""


@dataclass(frozen=True, slots=True)
class Checked:
    """What checking one edition found; `ruleset` is None where it could not be merged, or is abstract."""

    edition: Edition
    ruleset: Ruleset | None
    diagnostics: Diagnostics

    @property
    def sound(self) -> bool:
        """Whether it has no errors."""
        return not self.diagnostics.errors


def check_edition(
    catalogue: Catalogue,
    edition: Edition,
    *,
    describer: Callable[[Ruleset], Describe] | None = None,
    weigh: Weigh | None = None,
) -> Checked:
    """Check one edition. Examples are run where nothing is wrong that they lead to: what they show would mislead.

    `describer` makes what says in English what a rule says, for texts that were written for another rule. `weigh` says
    what is wrong with the odds that an example expects.
    """
    stage = ruleset_of(catalogue, edition)
    ruleset, diagnostics, doubt = stage.made, Diagnostics(stage.found), stage.doubt
    diagnostics.extend(shadows(catalogue, edition))
    if ruleset is None:
        return _each_once(Checked(edition, ruleset, diagnostics))
    whole = not diagnostics.errors
    linted = _linted(ruleset, describer if whole else None, whole=whole)
    # A text may well have been written for the rule as it is once it is mended: that is asked then.
    diagnostics.extend(linted if whole else doubt.sure(linted.errors, [ruleset.resolved.rules]))
    sound = ruleset.examples.values() if not diagnostics.errors else runnable(ruleset, doubt, diagnostics.errors)
    allowance = Allowance()
    runs: dict[str, ExampleRun] = {}
    for example in sound:
        runs[example.id] = run_example(ruleset, example, allowance)
    for run in runs.values():
        if weigh is not None and run.example.claims and run.holds and _claims_hold_in(edition, ruleset, run.example):
            _weigh(ruleset, run, weigh, allowance)
        diagnostics.extend(_for(edition, ruleset, run))
    if whole and len(runs) == len(ruleset.examples):
        check_answers(ruleset, runs, diagnostics)
        check_samples(ruleset, diagnostics)
    point_at_overrides(diagnostics, ruleset.resolved)
    return _each_once(Checked(edition, ruleset, diagnostics))


def _weigh(ruleset: Ruleset, run: ExampleRun, weigh: Weigh, allowance: Allowance) -> None:
    """Add what is wrong with the odds of an example, as long as branches are left to tell."""
    refused = allowance.refuse_branches(run.example.id, run.example.span)
    if refused is not None:
        run.problems.extend([refused])
        return
    problems, taken = weigh(ruleset, run.example, allowance.branches)
    allowance.branches -= taken
    run.problems.extend(problems)


def _linted(ruleset: Ruleset, describer: Callable[[Ruleset], Describe] | None, *, whole: bool) -> Diagnostics:
    """What is wrong with the words of an edition, and, where it is whole, with anything else that need not be so."""
    found = Diagnostics()
    with suppress(TooManyErrors), found.at_most(MOST_ERRORS):
        if whole:
            run_lints(ruleset, found)
        lint_words(ruleset, found, describe=None if describer is None else describer(ruleset))
    return found


def _each_once(checked: Checked) -> Checked:
    """What was found, each said once: two ways may lead to one fault, and as many are announced as are shown."""
    found = {(each.code.id, each.span, each.message): each for each in reversed(list(checked.diagnostics))}
    checked.diagnostics.replace(reversed(found.values()))
    return checked


def _claims_hold_in(edition: Edition, ruleset: Ruleset, example: Example) -> bool:
    """Whether an edition must keep to the odds that an example expects.

    It must where it says so itself, or lies directly over the abstract edition that does. House rules are laid over an
    edition in order to move its odds; `diff` tells how far.
    """
    *below, _ = ruleset.resolved.layers
    layer = ruleset.resolved.layer_of(example.span)
    abstract = bool(below) and (status := below[-1].manifest.get("status")) is not None and status.plain() == "abstract"
    return layer == edition.id or (abstract and layer == below[-1].name)


def _for(edition: Edition, ruleset: Ruleset, run: ExampleRun) -> Iterator[Diagnostic]:
    """What went wrong with an example, with what to do where the example is inherited."""
    layer = ruleset.resolved.layer_of(run.example.span)
    for found in run.problems:
        named = f"`{run.example.id}`" in found.message
        problem = found if named else replace(found, message=f"`{run.example.id}`: {found.message}")
        if layer == edition.id:
            yield problem
            continue
        remedy = (
            f"{layer} has this example, and in {edition.id} it no longer holds. Say what holds here, or leave it out:\n"
            f"examples:\n  {run.example.id}: {{delete: true}}"
        )
        path = f"examples.{run.example.id}"
        for section in (section for page in ruleset.pages.values() for section in page.sections):
            if any(shown.text == path for shown in section.show):
                rest = ", ".join(shown.text for shown in section.show if shown.text != path)
                remedy += f"\npages:\n  {section.page}: {{sections: {{{section.id}: {{show: [{rest}]}}}}}}"
        for question in ruleset.faq.values():
            proving = [example.text for example in question.examples]
            if proving == [run.example.id]:
                remedy += f"\nfaq:\n  {question.id}: {{delete: true}}"
            elif run.example.id in proving:
                others = ", ".join(name for name in proving if name != run.example.id)
                remedy += f"\nfaq:\n  {question.id}: {{example: [{others}]}}"
        yield replace(problem, suggestion="\n".join(part for part in (remedy, problem.suggestion) if part))
