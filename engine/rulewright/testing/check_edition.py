"""Static checks and tests of an edition, from its layers and types to lints and examples."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from collections.abc import Mapping as ReadOnlyMapping
from contextlib import suppress
from dataclasses import dataclass
from typing import Literal, ParamSpec, TypeVar

from rulewright.engine.engine_diagnostics import UNPROVED_ANSWER
from rulewright.engine.state.faults import RULES_FAULT, Allowance
from rulewright.language.declarations import Scope
from rulewright.language.expressions.type_checker import check_expression
from rulewright.language.expressions.typed_ast import Typed
from rulewright.ruleset.editions.catalogue import Catalogue, report_shadowed
from rulewright.ruleset.editions.edition import Edition
from rulewright.ruleset.lints import load_lints
from rulewright.ruleset.lints.references import list_known_rules
from rulewright.ruleset.pipeline import MOST_ERRORS, PassResult, build_ruleset
from rulewright.ruleset.prose.prose_lint import lint_words
from rulewright.ruleset.prose.stale_texts import Describe
from rulewright.ruleset.queries.name_uses import list_procedure_expressions, list_rule_names, list_tables_of_type
from rulewright.ruleset.recovery.override_blame import point_at_overrides
from rulewright.ruleset.recovery.tainted import list_runnable
from rulewright.ruleset.ruleset import Ruleset
from rulewright.ruleset.sections.examples import Example
from rulewright.ruleset.translation.translation_lint import lint_translations
from rulewright.source.diagnostics.collector import Diagnostics, TooManyErrors
from rulewright.source.diagnostics.diagnostic import Diagnostic
from rulewright.source.diagnostics.internal_failures import attempt_part
from rulewright.source.nodes import Mapping, Scalar
from rulewright.source.span import Span
from rulewright.testing.board_setups import check_setups
from rulewright.testing.failure_hints import report_failures
from rulewright.testing.play_samples import check_samples
from rulewright.testing.run_examples import ExampleRun, run_example
from rulewright.testing.starting_position import end_scope
from rulewright.testing.story_trace import check_stories
from rulewright.testing.validate_expectations import check_expectations

P = ParamSpec("P")
T = TypeVar("T")

Weigh = Callable[[Ruleset, Example, int], tuple[Iterable[Diagnostic], int]]
"""Checks an example's odds within a number of branches. Returns the problems and the branches used."""


@dataclass(frozen=True, slots=True)
class EditionCheck:
    """The result of checking one edition.

    `ruleset` is None if the edition is abstract or its layers cannot merge.
    """

    edition: Edition
    ruleset: Ruleset | None
    diagnostics: Diagnostics

    @property
    def sound(self) -> bool:
        """Whether the edition has no errors."""
        return not self.diagnostics.errors


def check_edition(
    catalogue: Catalogue,
    edition: Edition,
    *,
    describer: Callable[[Ruleset], Describe] | None = None,
    weigh: Weigh | None = None,
) -> EditionCheck:
    """Check one edition and return the result.

    With errors elsewhere, the check runs only the examples that the errors do not affect. `describer` makes the
    function that describes a rule in English, to find outdated texts. `weigh` checks the odds that an example expects.
    """
    *_, (_, checked) = iterate_checks(catalogue, edition, describer=describer, weigh=weigh)
    return checked


Part = Literal["rules", "lint", "words", "example", "all"]
"""The name of the part of a check that has just finished."""


def iterate_checks(
    catalogue: Catalogue,
    edition: Edition,
    *,
    describer: Callable[[Ruleset], Describe] | None = None,
    weigh: Weigh | None = None,
) -> Iterator[tuple[Part, EditionCheck]]:
    """Run `check_edition` in steps, so that the caller can do other work in between or stop.

    Yields each finished part with the result so far. The last part is "all", with the result of `check_edition`.
    """
    diagnostics = Diagnostics()
    place = Span.for_file(str(edition.path))
    stage = attempt_part("reading the rules", edition.id, place, diagnostics, lambda: build_ruleset(catalogue, edition))
    stage = PassResult(None) if stage is None else stage
    ruleset, doubt = stage.value, stage.tainted
    diagnostics.extend(stage.diagnostics)
    diagnostics.extend(report_shadowed(catalogue, edition))
    if ruleset is None:
        yield "all", _each_once(EditionCheck(edition, ruleset, diagnostics))
        return
    yield "rules", EditionCheck(edition, ruleset, diagnostics)
    whole = not diagnostics.errors
    linted = Diagnostics()
    for _ in _lint(ruleset, linted, describer if whole else None, whole=whole):
        yield "lint", EditionCheck(edition, ruleset, diagnostics)
    # With errors in the rules, run only lints that cannot depend on them. Others may pass once the errors are fixed.
    diagnostics.extend(linted if whole else doubt.select_certain(linted.errors, [ruleset.resolved.rules]))
    yield "words", EditionCheck(edition, ruleset, diagnostics)
    sound = ruleset.examples.values() if not diagnostics.errors else list_runnable(ruleset, doubt, diagnostics.errors)
    allowance = Allowance()
    runs: dict[str, ExampleRun] = {}
    for example in sound:
        run = _attempt(f"the example `{example.id}`", ruleset, diagnostics, run_example, ruleset, example, allowance)
        if run is not None:
            runs[example.id] = run
        yield "example", EditionCheck(edition, ruleset, diagnostics)
    for run in runs.values():
        if weigh is not None and run.example.claims and run.holds and _claims_hold_in(edition, ruleset, run.example):
            part = f"the odds of the example `{run.example.id}`"
            _attempt(part, ruleset, diagnostics, weigh_example, ruleset, run, weigh, allowance)
            yield "example", EditionCheck(edition, ruleset, diagnostics)
    point_at_overrides(diagnostics, ruleset.resolved)
    diagnostics.extend(report_failures(ruleset, list(runs.values())))
    if whole and len(runs) == len(ruleset.examples):
        result = Diagnostics()
        _attempt("the check of answers", ruleset, result, check_answers, ruleset, runs, result)
        _attempt("the check of samples", ruleset, result, check_samples, ruleset, result)
        _attempt("the check of stories", ruleset, result, check_stories, ruleset, runs, result)
        _attempt("the check of setups", ruleset, result, check_setups, ruleset, result)
        _attempt("the check of expectations", ruleset, result, check_expectations, ruleset, result)
        point_at_overrides(result, ruleset.resolved)
        # If an example has already reported a step that cannot run, do not report it again.
        known = {each.span for each in diagnostics.errors if each.code is RULES_FAULT}
        diagnostics.extend(each for each in result if each.code is not RULES_FAULT or each.span not in known)
    yield "all", _each_once(EditionCheck(edition, ruleset, diagnostics))


def _attempt(
    part: str, ruleset: Ruleset, diagnostics: Diagnostics, work: Callable[P, T], /, *args: P.args, **more: P.kwargs
) -> T | None:
    """Run one part of the check. If it raises an exception, report that and return None."""
    place = Span.for_file(ruleset.resolved.manifest.span.file)
    return attempt_part(part, ruleset.reference, place, diagnostics, lambda: work(*args, **more))


def weigh_example(ruleset: Ruleset, run: ExampleRun, weigh: Weigh, allowance: Allowance) -> None:
    """Add the errors in the odds of an example to its problems, within the remaining allowance of branches.

    The branches that this takes leave the `allowance`.
    """
    refused = allowance.refuse_branches(run.example.id, run.example.span)
    if refused is not None:
        run.problems.extend([refused])
        return
    problems, taken = weigh(ruleset, run.example, allowance.branches)
    allowance.branches -= taken
    run.problems.extend(problems)


def _lint(
    ruleset: Ruleset, diagnostics: Diagnostics, describer: Callable[[Ruleset], Describe] | None, *, whole: bool
) -> Iterator[None]:
    """Run all lints for a valid edition, then those of texts. Yields after each lint.

    Adds diagnostics to `diagnostics`, and stops after too many errors. `describer` returns the descriptions of rules
    that outdated texts are compared with. `whole` is False for an edition with errors.
    """
    with suppress(TooManyErrors), diagnostics.limit_errors(MOST_ERRORS):
        for lint in load_lints() if whole else ():
            lint(ruleset, diagnostics)
            yield
        describe = None if describer is None else describer(ruleset)
        _attempt("the check of texts", ruleset, diagnostics, lint_words, ruleset, diagnostics, describe=describe)
        if whole and not diagnostics.errors:
            yield
            _attempt("the check of translations", ruleset, diagnostics, lint_translations, ruleset, diagnostics)


def _each_once(checked: EditionCheck) -> EditionCheck:
    """Remove duplicate diagnostics from a result and return it."""
    results = {(each.code.id, each.span, each.message): each for each in reversed(list(checked.diagnostics))}
    checked.diagnostics.replace(reversed(results.values()))
    return checked


def _claims_hold_in(edition: Edition, ruleset: Ruleset, example: Example) -> bool:
    """Return whether an edition must match the odds that an example expects.

    This is true for an edition's own examples and for those of the abstract edition directly below. House rules may
    change the odds of the edition they extend; `diff` reports how much.
    """
    *below, _ = ruleset.resolved.layers
    layer = ruleset.resolved.find_layer(example.span)
    abstract = (
        bool(below) and (status := below[-1].manifest.get("status")) is not None and status.to_plain() == "abstract"
    )
    return layer == edition.id or (abstract and layer == below[-1].name)


def check_answers(ruleset: Ruleset, runs: ReadOnlyMapping[str, ExampleRun], diagnostics: Diagnostics) -> None:
    """Report each FAQ example that passes but does not use the rule in question.

    `runs` has the runs of the examples by id.
    """
    known = set(list_known_rules(ruleset))
    for question in ruleset.faq.values():
        rule = question.about.text
        if rule not in known:  # the reference check reports a missing rule
            continue
        for example in question.examples:
            run = runs.get(example.text)
            # Other checks report missing and failing examples.
            if run is None or not run.holds:
                continue
            if rule not in list_rules_met(ruleset, run):
                message = f"`{run.example.id}` does not use `{rule}`, so it cannot prove the answer to `{question.id}`"
                diagnostics.add(UNPROVED_ANSWER, message, example.span)


def list_rules_met(ruleset: Ruleset, run: ExampleRun) -> set[str]:
    """Return the path of every rule that a run used.

    The paths cover the executed procedures and steps, and the rules that they read.
    """
    rules = {moment.event.rule for moment in run.steps}
    # A procedure can run without recording an event.
    carried_out = {rule.partition(".")[0] for rule in rules} | ({run.example.of} & ruleset.procedures.keys())
    rules_met = {f"procedures.{rule}" for rule in rules | carried_out}
    read: list[Typed] = list(_list_written(ruleset, run))
    for identity in carried_out:
        procedure = ruleset.procedures[identity]
        read += list_procedure_expressions(procedure)
        for step in procedure.iterate_steps():
            rules_met.update(list_tables_of_type(step.binds) if step.binds is not None else ())
    waiting = set(list_rule_names(read, ruleset))
    if run.example.of not in ruleset.procedures and run.example.of in ruleset.declarations.formulas:
        waiting.add(f"formulas.{run.example.of}")
    while waiting:
        path = waiting.pop()
        rules_met.add(path)
        formula = ruleset.declarations.formulas.get(path.removeprefix("formulas."))
        if path.startswith("formulas.") and formula is not None:
            waiting |= set(list_rule_names([formula.body], ruleset)) - rules_met
    return rules_met


def _list_written(ruleset: Ruleset, run: ExampleRun) -> Iterator[Typed]:
    """Yield the typed expressions that an example itself evaluates."""
    scope = Scope(ruleset.declarations)
    if run.finished is not None and run.finished.procedure is not None:
        scope = end_scope(run.finished.procedure, ruleset.declarations)
    expect = run.example.expect
    wanted = [entry.key for entry in expect.entries.values()] if isinstance(expect, Mapping) else []
    for node in (run.example.value, run.example.roll, *wanted):
        if isinstance(node, Scalar):
            yield check_expression(node, scope, Diagnostics())
