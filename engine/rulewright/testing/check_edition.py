"""Static checks and tests of an edition, from its layers and types to lints and examples."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from collections.abc import Mapping as ReadOnlyMapping
from contextlib import suppress
from functools import partial
from typing import TYPE_CHECKING, Literal, ParamSpec, TypeVar

from rulewright.base.incremental.traces import NoTraces, Traces
from rulewright.ruleset.cache.clean_checks import CleanChecks
from rulewright.ruleset.cache.known_rulesets import open_checks
from rulewright.ruleset.editions.catalogue import Catalogue, report_shadowed
from rulewright.ruleset.editions.edition import Edition
from rulewright.ruleset.pipeline import MOST_ERRORS, PassResult, build_ruleset
from rulewright.ruleset.ruleset import Ruleset
from rulewright.ruleset.ruleset_diagnostics import OVERRIDE_WITHOUT_EFFECT
from rulewright.source.diagnostics.collector import Diagnostics, TooManyErrors
from rulewright.source.diagnostics.internal_failures import attempt_part
from rulewright.source.span import Span
from rulewright.testing.edition_check import EditionCheck

if TYPE_CHECKING:
    from rulewright.ruleset.prose.stale_texts import Describe
    from rulewright.ruleset.sections.examples import Example
    from rulewright.ruleset.translation.translation import Translation
    from rulewright.testing.example_verdict import ExampleVerdict, Weigh

P = ParamSpec("P")
T = TypeVar("T")

SentenceCheck = Callable[[CleanChecks, "Sequence[Translation]", Diagnostics], None]
"""A function that checks the sentences for the steps of a ruleset and of its translations, and adds diagnostics."""


def check_edition(
    catalogue: Catalogue,
    edition: Edition,
    *,
    describer: Callable[[Ruleset], Describe] | None = None,
    weigh: Weigh | None = None,
    check_sentences: SentenceCheck | None = None,
    traces: Traces | None = None,
) -> EditionCheck:
    """Check one edition and return the result.

    With errors elsewhere, the check runs only the examples that the errors do not affect. `describer` makes the
    function that describes a rule in English, to find outdated texts. `weigh` checks the odds that an example expects.
    `check_sentences` runs last, if there are no errors.
    """
    *_, (_, checked) = iterate_checks(
        catalogue, edition, describer=describer, weigh=weigh, check_sentences=check_sentences, traces=traces
    )
    return checked


Part = Literal["rules", "lint", "words", "example", "all"]
"""The name of the part of a check that has just finished."""


def iterate_checks(
    catalogue: Catalogue,
    edition: Edition,
    *,
    describer: Callable[[Ruleset], Describe] | None = None,
    weigh: Weigh | None = None,
    check_sentences: SentenceCheck | None = None,
    traces: Traces | None = None,
) -> Iterator[tuple[Part, EditionCheck]]:
    """Run `check_edition` in steps, so that the caller can do other work in between or stop.

    Yields each finished part with the result so far. The last part is "all", with the result of `check_edition`. It is
    the only one if the edition has no valid ruleset. `traces` has the results of earlier checks, which are reused as
    far as the rules that they have read are the same.
    """
    traces = NoTraces() if traces is None else traces
    diagnostics = Diagnostics()
    place = Span.for_file(str(edition.path))
    stage = attempt_part(
        "reading the rules", edition.id, place, diagnostics, lambda: build_ruleset(catalogue, edition, traces=traces)
    )
    stage = PassResult(None) if stage is None else stage
    ruleset, doubt = stage.value, stage.tainted
    diagnostics.extend(stage.diagnostics)
    diagnostics.extend(report_shadowed(catalogue, edition))
    if ruleset is None:
        yield "all", _each_once(EditionCheck(edition, ruleset, diagnostics))
        return
    yield "rules", EditionCheck(edition, ruleset, diagnostics)
    # A caller that stops here waits for no further imports.
    from rulewright.engine.state.faults import RULES_FAULT
    from rulewright.ruleset.recovery.override_blame import point_at_overrides
    from rulewright.ruleset.recovery.tainted import list_runnable
    from rulewright.testing.board_setups import check_setups
    from rulewright.testing.example_verdict import ExampleJudge
    from rulewright.testing.failure_hints import report_failures
    from rulewright.testing.play_samples import check_samples
    from rulewright.testing.story_trace import check_stories
    from rulewright.testing.validate_expectations import check_expectations

    whole = not diagnostics.errors
    linted = Diagnostics()
    checks = open_checks(ruleset, traces)
    translations: list[Translation] = []
    for _ in _lint(checks, linted, describer if whole else None, translations, whole=whole):
        yield "lint", EditionCheck(edition, ruleset, diagnostics)
    # With errors in the rules, run only lints that cannot depend on them. Others may pass once the errors are fixed.
    diagnostics.extend(linted if whole else doubt.select_certain(linted.errors, [ruleset.resolved.rules]))
    yield "words", EditionCheck(edition, ruleset, diagnostics)
    sound = ruleset.examples.values() if not diagnostics.errors else list_runnable(ruleset, doubt, diagnostics.errors)
    judge = ExampleJudge(checks)
    verdicts: dict[str, ExampleVerdict] = {}
    for example in sound:
        verdict = _attempt(f"the example `{example.id}`", ruleset, diagnostics, judge.judge, example)
        if verdict is not None:
            verdicts[example.id] = verdict
        yield "example", EditionCheck(edition, ruleset, diagnostics)
    for verdict in list(verdicts.values()):
        example = verdict.example
        if weigh is not None and example.claims and verdict.holds and _claims_hold_in(edition, ruleset, example):
            part = f"the odds of the example `{example.id}`"
            weighed = _attempt(part, ruleset, diagnostics, judge.weigh, verdict, weigh)
            verdicts[example.id] = verdict if weighed is None else weighed
            yield "example", EditionCheck(edition, ruleset, diagnostics)
    point_at_overrides(diagnostics, ruleset.resolved)
    runs = [verdict.run for verdict in verdicts.values() if verdict.run is not None]
    failures = list(report_failures(ruleset, runs, traces=traces))
    # A change that contradicts examples is one problem, even if it only repeats the inherited value.
    there = {each.span for each in failures if each.examples}
    diagnostics.replace(
        each for each in diagnostics if each.code is not OVERRIDE_WITHOUT_EFFECT or each.span not in there
    )
    diagnostics.extend(failures)
    if whole and len(verdicts) == len(ruleset.examples):
        result, plays = Diagnostics(), partial(checks.run, only_plays=True)
        _attempt("the check of answers", ruleset, result, check_answers, ruleset, verdicts, result)
        _attempt(
            "the check of samples", ruleset, result, checks.run, ("samples",), check_samples, result, only_plays=True
        )
        _attempt("the check of stories", ruleset, result, check_stories, ruleset, verdicts, result)
        _attempt("the check of setups", ruleset, result, plays, ("setups",), check_setups, result)
        _attempt(
            "the check of expectations",
            ruleset,
            result,
            checks.run,
            ("targets",),
            check_expectations,
            result,
            only_plays=True,
        )
        point_at_overrides(result, ruleset.resolved)
        # If an example has already reported a step that cannot run, do not report it again.
        known = {each.span for each in diagnostics.errors if each.code is RULES_FAULT}
        diagnostics.extend(each for each in result if each.code is not RULES_FAULT or each.span not in known)
    if check_sentences is not None and not diagnostics.errors:
        part = "the check of sentences"
        _attempt(part, ruleset, diagnostics, check_sentences, checks, translations, diagnostics)
    yield "all", _each_once(EditionCheck(edition, ruleset, diagnostics))


def _attempt(
    part: str, ruleset: Ruleset, diagnostics: Diagnostics, work: Callable[P, T], /, *args: P.args, **more: P.kwargs
) -> T | None:
    """Run one part of the check. If it raises an exception, report that and return None."""
    place = Span.for_file(ruleset.resolved.manifest.span.file)
    return attempt_part(part, ruleset.reference, place, diagnostics, lambda: work(*args, **more))


def _lint(
    checks: CleanChecks,
    diagnostics: Diagnostics,
    describer: Callable[[Ruleset], Describe] | None,
    translations: list[Translation],
    *,
    whole: bool,
) -> Iterator[None]:
    """Run all lints for a valid edition, then those of texts, and without errors those of translations.

    Yields after each lint. Adds diagnostics to `diagnostics`, and stops after too many errors. Adds the translations
    that were checked to `translations`. `describer` returns the descriptions of rules that outdated texts are compared
    with. `whole` is False for an edition with errors.
    """
    from rulewright.ruleset.lints import load_lints
    from rulewright.ruleset.prose.prose_lint import lint_words
    from rulewright.ruleset.translation.translation_lint import lint_translations

    ruleset = checks.view.whole
    with suppress(TooManyErrors), diagnostics.limit_errors(MOST_ERRORS):
        for name, lint in load_lints() if whole else ():
            checks.run(("lint", name), lint, diagnostics)
            yield
        describe = None if describer is None else describer(ruleset)
        part = "the check of texts"
        _attempt(part, ruleset, diagnostics, lint_words, ruleset, diagnostics, describe=describe, checks=checks)
        if whole and not diagnostics.errors:
            yield
            part, traces = "the check of translations", checks.traces
            read = _attempt(part, ruleset, diagnostics, lint_translations, ruleset, diagnostics, traces=traces)
            translations += read or ()


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


def check_answers(ruleset: Ruleset, verdicts: ReadOnlyMapping[str, ExampleVerdict], diagnostics: Diagnostics) -> None:
    """Report each FAQ example that passes but does not use the rule in question.

    `verdicts` has the verdicts on the examples by id.
    """
    from rulewright.engine.engine_diagnostics import UNPROVED_ANSWER
    from rulewright.ruleset.lints.references import list_known_rules

    known = set(list_known_rules(ruleset))
    for question in ruleset.faq.values():
        rule = question.about.text
        if rule not in known:  # the reference check reports a missing rule
            continue
        for example in question.examples:
            verdict = verdicts.get(example.text)
            # Other checks report missing and failing examples.
            if verdict is None or not verdict.holds:
                continue
            if rule not in verdict.rules:
                message = f"`{example.text}` does not use `{rule}`, so it cannot prove the answer to `{question.id}`"
                diagnostics.add(UNPROVED_ANSWER, message, example.span)
