"""The `rulewright check` command, which checks rulesets, fixes them and signs their texts."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import nullcontext, suppress
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING

from rulewright.base.errors import RulewrightError
from rulewright.base.garbage_collection import collect_seldom
from rulewright.cli.main import INTERRUPTED
from rulewright.cli.shared_options import add_rules_option, open_catalogue, refuse_changes

if TYPE_CHECKING:
    from rulewright.analysis.simulation.fuzz import FuzzResult
    from rulewright.analysis.simulation.play_expectations import ExpectationReport, Verdict
    from rulewright.analysis.simulation.run_simulation import Progress
    from rulewright.ruleset.cache.clean_checks import CleanChecks
    from rulewright.ruleset.editions.catalogue import Catalogue
    from rulewright.ruleset.editions.edition import BrokenEdition, Edition
    from rulewright.ruleset.prose.stale_texts import Describe
    from rulewright.ruleset.ruleset import Ruleset
    from rulewright.ruleset.sections.expect_play import Expectation
    from rulewright.ruleset.translation.translation import Translation
    from rulewright.source.diagnostics.collector import Diagnostic, Diagnostics
    from rulewright.source.span import Span
    from rulewright.testing.edition_check import EditionCheck

HELP = "check rulesets: structure, layers, names, types, tables, texts and examples"
TASKS = "Validate, lint, test and debug rules. Fix mistakes and sign texts."
EXAMPLE = """\
rulewright check
rulewright check house/my-house-rules --rules my-house-rules --fix
rulewright check --sign house/my-house-rules page.section --rules my-house-rules
rulewright check pig/classic --fuzz 20
rulewright check pig/classic --play
rulewright check pig/classic@1.0 --rules my-house-rules --format json"""

MOST_DECISIONS = 1_000_000


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the command to its parser."""
    parser.add_argument("references", nargs="*", metavar="REF", help="rulesets to check (default: all)")
    add_rules_option(parser)
    parser.add_argument(
        "--format",
        choices=("text", "json", "sarif", "github"),
        default="text",
        help="output format of diagnostics; text goes to stderr, the others to stdout",
    )
    parser.add_argument("--errors", action="store_true", help="show only errors, not warnings")
    parser.add_argument(
        "--numbers",
        action="store_true",
        help="report whether numbers in each ruleset can become too large",
    )
    fixing = parser.add_argument_group(
        "fixing",
        "A diagnostic with `fix:` suggests a change, which --fix applies. Only files in the folders of the\n"
        "checked rulesets change. Comments and layout are preserved, and valid rules stay valid.",
    )
    fixing.add_argument(
        "--fix", action="store_true", help="apply the changes that diagnostics suggest, after asking about each"
    )
    fixing.add_argument(
        "--sign",
        action="store_true",
        help=(
            "review texts whose rules have changed, and sign those that are still correct. To limit this, list texts "
            "(page.section) or translated entries (terms.card) after REF"
        ),
    )
    fixing.add_argument("--yes", action="store_true", help="do not ask: apply every change and sign every text")
    played = parser.add_argument_group(
        "playing",
        "Without these options, check takes seconds and plays no games. Some errors appear only in play: a step\n"
        "that fails, a game that never ends, a seat that wins too often. Finding them takes minutes, so use these\n"
        "options before a release or overnight. Ctrl-C stops and reports the games played so far.",
    )
    played.add_argument(
        "--fuzz", type=int, default=0, metavar="N", help="also play N random games with every combination of settings"
    )
    played.add_argument(
        "--play",
        action="store_true",
        help="simulate until each balance target (`expect_play:`) passes or fails",
    )
    played.add_argument("--workers", type=int, metavar="W", help="worker processes (default: number of CPUs)")
    played.add_argument(
        "--decisions",
        type=int,
        default=MOST_DECISIONS,
        metavar="N",
        help=f"number of decisions after which a game counts as endless (default: {MOST_DECISIONS:,})",
    )


def run(args: argparse.Namespace) -> int:
    """Check the rulesets, print the diagnostics and a summary, and return the exit code.

    The code is 1 after any error, or if there are no rulesets to check, and 130 after an interrupt in play. With
    `--fix`, it first changes the rules. With `--sign`, it signs texts instead.
    """
    from rulewright.source.diagnostics.formats import render

    if args.sign:
        return _sign(args)
    if args.fuzz < 0 or (args.workers is not None and args.workers < 1) or args.decisions < 1:
        args.parser.error("--fuzz must be at least 0, and --workers and --decisions at least 1")
    if args.fix:
        _fix(args)
    checked, result = _checked(args, again=bool(args.numbers or args.fuzz or args.play))
    growing = _numbers(checked, result) if args.numbers else {}
    played = _play(args, checked, result) if args.fuzz else {}
    interrupted = any(each.interrupted for each in played.values())
    reports = _judge(args, checked, result) if args.play and not interrupted else {}
    interrupted |= any(each.interrupted for each in reports.values())
    once = [each for each in _once(checked, result) if each.severity == "error" or not args.errors]
    if args.format != "text":
        print(render(args.format, once))
    elif once:
        print(render("text", once), file=sys.stderr)
    if args.format == "text":
        for each in checked:
            _print(_summary(each))
            for line in _describe_languages(each):
                _print(f"  {line}")
            if each in growing:
                _print(f"  {_describe_numbers(growing[each])}")
            if each.ruleset is not None and each in played:
                _print(f"  {_describe(played[each], each.ruleset, args.decisions)}")
            for line in _describe_play(reports[each], each.ruleset) if each in reports and each.ruleset else ():
                _print(f"  {line}")
        if not checked and not once:
            print("there are no rulesets to check; `rulewright check --help` lists the folders that are searched")
            return 1
    if interrupted:
        return INTERRUPTED
    return 1 if any(diagnostic.severity == "error" for diagnostic in once) else 0


def _checked(args: argparse.Namespace, *, again: bool = True) -> tuple[list[EditionCheck], Diagnostics]:
    """Check the requested editions and return them with all diagnostics. Every call reads the files again.

    Unless they are checked `again`, editions that are known to be valid have no ruleset.
    """
    from rulewright.source.diagnostics.collector import Diagnostics

    diagnostics = Diagnostics()
    with collect_seldom():
        checked = _check(args, open_catalogue(args), diagnostics, again=again)
    return checked, diagnostics


def _fix(args: argparse.Namespace) -> None:
    """Apply the changes that diagnostics suggest to the files, after asking about each (not with `--yes`).

    Prints the number of changes. Raises `RulewrightError` if an edition must not be changed.
    """
    from rulewright.authoring.apply_fixes import Finding
    from rulewright.cli.write_fixes import fix

    def check() -> Finding:
        checked, result = _checked(args)
        refuse_changes(each.edition.folder for each in checked)
        folders.update(dict.fromkeys(each.edition.folder for each in checked))
        return _once(checked, result), frozenset(each.edition.id for each in checked if each.sound)

    folders: dict[Path, None] = {} if args.references else dict.fromkeys(args.rules)
    fixing = fix(check, folders.keys(), everything=args.yes)
    if fixing.fix_count:
        _print(f"made {fixing.fix_count} change{'s' if fixing.fix_count > 1 else ''}")
    foreign = fixing.list_foreign()
    if foreign:
        _print(_describe_foreign(args, foreign))
    elif not fixing.fix_count and not fixing.refused:
        _print("nothing to fix: no diagnostic proposes a change")


def _describe_foreign(args: argparse.Namespace, files: Sequence[str]) -> str:
    """Return why fixes were not made that change these files, one file of each fix, outside of the checked rulesets."""
    from rulewright.source.files.unsaved_texts import build_file_key

    folders = {build_file_key(each.folder): each.id.partition("@")[0] for each in open_catalogue(args).list_editions()}
    owners = {
        next((folders[str(parent)] for parent in Path(build_file_key(file)).parents if str(parent) in folders), file)
        for file in files
    }
    fixes, them = ("1 fix", "it") if len(files) == 1 else (f"{len(files)} fixes", "them")
    names = " and ".join(f"`{owner}`" for owner in sorted(owners))
    also = "also change" if len(files) > 1 else "also changes"
    return f"not made: {fixes} that {also} {names}; to make {them}, check {names} as well"


def _sign(args: argparse.Namespace) -> int:
    """Sign texts of the first reference: those that the further references name, or all if none is named. Return 0.

    Writes signatures to the files of the edition. Exits with a usage error without a reference. Raises
    `RulewrightError` if the edition is abstract, must not be changed, or has errors.
    """
    from rulewright.cli.sign_translations import list_signable, sign_translations
    from rulewright.cli.write_fixes import sign
    from rulewright.ruleset.load_ruleset import load_edition

    if not args.references:
        args.parser.error("--sign needs the ruleset with the texts to sign: check --sign REF [TEXT …]")
    reference, *names = args.references

    def load() -> Ruleset:
        """Return the ruleset as it is now. Raises `RulewrightError` as `_sign` does."""
        catalogue = open_catalogue(args)
        edition = catalogue.find_edition(reference)
        refuse_changes([edition.folder])
        ruleset, result = load_edition(catalogue, edition)
        result.raise_if_errors()
        if ruleset is None:
            raise RulewrightError(f"`{reference}` is abstract: sign its texts in the editions that extend it")
        return ruleset

    ours = list_signable(load()) if names else frozenset[str]()
    translated = [name for name in names if name in ours]
    others = [name for name in names if name not in ours]
    signed = sign_translations(load, translated, everything=args.yes) if translated or not names else 0
    if others or not names:
        signed += sign(load, others, _describer, everything=args.yes, alone=not signed)
    if signed:
        _print(f"signed {signed} text{'s' if signed > 1 else ''}")
    return 0


def _check(
    args: argparse.Namespace, catalogue: Catalogue, diagnostics: Diagnostics, *, again: bool
) -> list[EditionCheck]:
    """Check the requested editions, or else all, and return their checks. All diagnostics are added to `diagnostics`.

    These include those of editions that cannot be read and of the sources. Reports the progress at an interrupt.
    """
    from rulewright.ruleset.editions.edition_diagnostics import UNKNOWN_RULESET, UNKNOWN_VERSION
    from rulewright.ruleset.schema.edition_reference import parse_reference
    from rulewright.source.diagnostics.collector import DiagnosticError

    editions = []
    if args.references:
        for text in args.references:
            try:
                editions.append(catalogue.find_edition(text))
            except DiagnosticError as error:
                # A manifest whose name cannot be read may be the requested one.
                unnamed = [
                    each for each in catalogue.list_broken() if each.ruleset is None and _lies_in(each, args.rules)
                ]
                diagnostics.extend(fault for each in unnamed for fault in each.diagnostics)
                missing = (UNKNOWN_RULESET, UNKNOWN_VERSION) if unnamed else ()
                diagnostics.extend(fault for fault in error.diagnostics if fault.code not in missing)
                # Report the errors of the readable edition that fits best, but do not call it valid, because
                # the request may be for one with a broken manifest.
                with suppress(DiagnosticError):
                    readable = catalogue.find_readable(parse_reference(text))
                    if readable is not None:
                        diagnostics.extend(check_unless_known(catalogue, readable, again=True).diagnostics)
    else:
        try:
            catalogue.refuse_bare(args.rules)
        except DiagnosticError as error:
            diagnostics.extend(error.diagnostics)
        editions = list(catalogue.list_editions())
        for broken in catalogue.list_broken():
            diagnostics.extend(broken.diagnostics)
    checked: list[EditionCheck] = []
    for edition in editions:
        try:
            each = check_unless_known(catalogue, edition, again=again)
        except KeyboardInterrupt:
            for done in checked:
                print(_summary(done), file=sys.stderr)
            print(f"interrupted: {len(checked)} of {len(editions)} editions were checked", file=sys.stderr)
            raise
        diagnostics.extend(each.diagnostics)
        checked.append(each)
    diagnostics.extend(_check_sources(catalogue, checked))
    return checked


def check_unless_known(catalogue: Catalogue, edition: Edition, *, again: bool) -> EditionCheck:
    """Check an edition, unless it is known to have nothing wrong. Check it `again` in any case.

    Of a known edition, the result is a `KnownCheck`, which has no ruleset.
    """
    from rulewright.base.incremental.reads import record_files
    from rulewright.cli.known_checks import KnownCheck, name_check
    from rulewright.source.diagnostics.collector import Diagnostics

    stored = None if again else name_check(catalogue, edition)
    lines = stored.find() if stored is not None else None
    if lines is not None:
        return KnownCheck(edition, None, Diagnostics(), tuple(lines))
    from rulewright.authoring.example_odds import weigh_odds
    from rulewright.ruleset.cache.stored_traces import open_traces
    from rulewright.testing.check_edition import check_edition

    with record_files() as files, open_traces(edition.id) as traces:
        checked = check_edition(
            catalogue,
            edition,
            describer=_describer,
            weigh=weigh_odds,
            check_sentences=_check_sentences,
            traces=traces,
        )
        clean = stored is not None and not len(checked.diagnostics)
        lines = [_summary(checked), *_describe_languages(checked)] if clean else []
    if stored is not None and clean:
        stored.store(files, lines)
    return checked


def _check_sources(catalogue: Catalogue, checked: Sequence[EditionCheck]) -> Iterable[Diagnostic]:
    """Return the diagnostics of the sources, unless they are known to have none."""
    from rulewright.base.incremental.reads import record_files
    from rulewright.cli.known_checks import KnownCheck, name_source_check
    from rulewright.ruleset.cache.edition_results import LazyRulesets
    from rulewright.ruleset.prose.source_coverage import check_sources

    # A source may name a rule that is missing only because its edition has errors.
    sound = [each for each in checked if each.sound]
    unsound = {each.edition.id for each in checked if not each.sound}
    stored = None if unsound else name_source_check(catalogue, [each.edition for each in sound])
    if stored is not None and stored.find() is not None:
        return ()
    built = {each.edition.id: each.ruleset for each in sound if each.ruleset is not None}
    others = [each.edition.id for each in sound if isinstance(each, KnownCheck) and each.edition.status != "abstract"]
    every = {edition.id for edition in catalogue.list_editions()}
    with record_files() as files:
        diagnostics = check_sources(catalogue.paths, LazyRulesets(catalogue, built, others), every, unsound=unsound)
    if stored is not None and not len(diagnostics):
        stored.store(files, True)
    return diagnostics


def _lies_in(broken: BrokenEdition, folders: Sequence[Path]) -> bool:
    return any(broken.folder.resolve().is_relative_to(Path(folder).resolve()) for folder in folders)


def _numbers(checked: list[EditionCheck], diagnostics: Diagnostics) -> dict[EditionCheck, int]:
    """Return, for each valid edition, the number of places at which a number may become too large.

    Also adds the diagnostics to the edition and to `diagnostics`.
    """
    from rulewright.ir.analyses.value_range import check_numbers

    places = {}
    for each in checked:
        if each.ruleset is not None and each.sound:
            wrong = check_numbers(each.ruleset)
            each.diagnostics.extend(wrong)
            diagnostics.extend(wrong)
            places[each] = len(wrong)
    return places


def _describe_numbers(places: int) -> str:
    from rulewright.ir.analyses.value_range import LONGEST_GAME

    if not places:
        return f"no number can become too large in games of up to {LONGEST_GAME:,} changes"
    return f"numbers may become too large in {places:,} place{'' if places == 1 else 's'}"


def _play(
    args: argparse.Namespace, checked: list[EditionCheck], diagnostics: Diagnostics
) -> dict[EditionCheck, FuzzResult]:
    """Play random games of the valid editions, and return the results.

    Adds the failures to each edition and to `diagnostics`. An interrupt ends the loop over the editions.
    """
    from rulewright.analysis.simulation.fuzz import play_out, report_faults
    from rulewright.cli import terminal

    played = {}
    for each in checked:
        rules = each.ruleset
        if rules is None or not each.sound:
            continue
        with terminal.show_progress() if rules.start is not None else nullcontext() as progress:
            if progress is not None:
                print(f"playing {rules.reference} with every combination of its settings:", file=sys.stderr)
            played[each] = play_out(
                rules,
                games=args.fuzz,
                workers=args.workers,
                most=args.decisions,
                rules=args.rules,
                progress=None if progress is None else _add_time(progress),
            )
        wrong = report_faults(played[each], rules, rules=args.rules)
        each.diagnostics.extend(wrong)
        diagnostics.extend(wrong)
        if played[each].interrupted:
            break
    return played


def _judge(
    args: argparse.Namespace, checked: list[EditionCheck], diagnostics: Diagnostics
) -> dict[EditionCheck, ExpectationReport]:
    """Simulate the balance targets of the valid editions, and return the reports.

    Adds missed and open targets to each edition and to `diagnostics`. An interrupt ends the loop over the editions.
    """
    from rulewright.analysis.simulation.play_expectations import judge, report_judgement
    from rulewright.analysis.simulation.workers import count_processors
    from rulewright.cli import terminal

    reports = {}
    for each in checked:
        rules = each.ruleset
        if rules is None or not each.sound:
            continue
        with terminal.show_progress() if rules.expectations else nullcontext() as progress:
            reports[each] = judge(
                rules,
                rules=args.rules,
                workers=args.workers or count_processors(),
                progress=None if progress is None else _announce(rules, progress),
            )
        wrong = report_judgement(reports[each], rules, rules=args.rules)
        each.diagnostics.extend(wrong)
        diagnostics.extend(wrong)
        if reports[each].interrupted:
            break
    return reports


def _announce(rules: Ruleset, progress: Progress) -> Callable[[Expectation], Progress]:
    """Return a function that announces the games of a balance target and returns its progress callback."""
    separator = ""

    def begin(expectation: Expectation) -> Progress:
        nonlocal separator
        print(f"{separator}playing {rules.reference} for the balance target `{expectation.id}`:", file=sys.stderr)
        separator = "\n"
        return progress

    return begin


_SIGNS: dict[Verdict, str] = {"holds": "✓", "missed": "✗", "open": "?"}


def _describe_play(report: ExpectationReport, rules: Ruleset) -> Iterator[str]:
    """Yield one line for each metric of the balance targets of an edition, or a line that there are none.

    After an interrupt, a last line has the number of tested targets.
    """
    from rulewright.analysis.simulation.play_expectations import format_evidence

    if not rules.expectations:
        yield "there are no balance targets (`expect_play:`)"
    for each in report.evidence:
        tail = " (undecided)" if each.verdict == "open" else ""
        yield f"{_SIGNS[each.verdict]} {each.expectation.id}, {each.bounds.written}: {format_evidence(each)}{tail}"
    if report.interrupted:
        known = {each.expectation.id for each in report.evidence}
        yield f"interrupted: {len(known)} of {len(rules.expectations)} balance targets were tested"


def _print(line: str) -> None:
    """Print a line. On a terminal, wrap it between words."""
    if sys.stdout.isatty():
        import textwrap

        from rulewright.cli.terminal import measure_width

        line = textwrap.fill(
            line, measure_width(), subsequent_indent="  ", break_long_words=False, break_on_hyphens=False
        )
    print(line)


def _describe_languages(checked: EditionCheck) -> Iterator[str]:
    """Yield one line for each translation of a valid edition, with its coverage."""
    from rulewright.cli.known_checks import KnownCheck

    if isinstance(checked, KnownCheck):
        yield from checked.lines[1:]
    elif checked.ruleset is not None and checked.sound:
        from rulewright.ruleset.translation.translation_lint import measure_coverage

        yield from map(str, measure_coverage(checked.ruleset))


def _add_time(progress: Callable[[int, int, float], None]) -> Callable[[int, int], None]:
    began = perf_counter()
    return lambda done, games: progress(done, games, perf_counter() - began)


def _describe(played: FuzzResult, rules: Ruleset, most: int) -> str:
    """Return a one-line summary of the random games of an edition."""
    from rulewright.analysis.simulation.fuzz import FOR_A_WHILE

    if not played.combinations:
        return "no games were played, because the manifest has no `start:`"
    settings = f"all {played.combinations:,} combinations of settings: " if rules.declarations.options else ""
    if not played.whole:
        settings = f"{played.combinations:,} combinations of settings, which contain every pair of choices: "
    pins = ", ".join(f"{option}: {choice}" for option, choice in rules.simulations.items())
    parts = [f"{_games(played.ended)} to the end" + (f" ({pins})" if pins else "")]
    if played.left:
        parts.append(f"{_games(played.left)} with other settings for up to {min(FOR_A_WHILE, most):,} decisions")
    wrong = sum(number for _, number in played.faults.values())
    tail = f"{_games(wrong)} went wrong" if wrong else f"nothing went wrong in {played.decisions:,} decisions"
    if played.interrupted:
        tail += f"; interrupted after {played.games:,} of {played.in_all:,} games"
    return f"played {settings}{', '.join(parts)}; {tail}"


def _games(number: int) -> str:
    return f"{number:,} game{'' if number == 1 else 's'}"


def _describer(ruleset: Ruleset) -> Describe:
    """Return a function that describes a rule in English. It imports the book package only when it is called."""

    def describe(path: str) -> Sequence[str]:
        from rulewright.book.parts.rule_summaries import build_describer

        return build_describer(ruleset)(path)

    return describe


def _check_sentences(checks: CleanChecks, translations: Sequence[Translation], diagnostics: Diagnostics) -> None:
    """Check the sentences for all steps, in English and in other languages, and add the diagnostics."""
    from rulewright.book.languages.sentence_check import check_sentences
    from rulewright.book.parts.step_sentences import check_templates

    diagnostics.extend(check_templates(checks.view.whole, checks))
    diagnostics.extend(check_sentences(translations, checks.traces))


def _once(checked: Sequence[EditionCheck], diagnostics: Diagnostics) -> list[Diagnostic]:
    """Return each diagnostic once, errors first, with other dice for failing examples as their fix.

    An error in a base edition also appears in every edition that extends it.
    """
    from rulewright.authoring.restate_example import add_dice_fix

    changeable = {
        _identify(diagnostic): each.ruleset
        for each in checked
        if each.ruleset is not None and each.edition.status != "released"
        for diagnostic in each.diagnostics.errors
    }
    once: dict[tuple[str, Span, str], Diagnostic] = {}
    for diagnostic in diagnostics:
        once.setdefault(_identify(diagnostic), diagnostic)
    distinct = [
        add_dice_fix(changeable[key], diagnostic) if key in changeable else diagnostic
        for key, diagnostic in once.items()
    ]
    return sorted(distinct, key=lambda diagnostic: diagnostic.severity != "error")


def _identify(diagnostic: Diagnostic) -> tuple[str, Span, str]:
    return diagnostic.code.id, diagnostic.span, diagnostic.message


def _summary(checked: EditionCheck) -> str:
    """Return a line about an edition: its number of errors or, if it is valid, of its parts."""
    from rulewright.cli.known_checks import KnownCheck

    if isinstance(checked, KnownCheck):
        return checked.lines[0]
    errors, warnings = len(checked.diagnostics.errors), len(checked.diagnostics.warnings)
    name = checked.edition.id
    if errors:
        return f"✗ {name}: {errors} error{'s' if errors > 1 else ''}"
    if checked.ruleset is None:
        return f"✓ {name}: valid as far as an abstract edition can be; the editions that extend it are checked in full"
    rules = checked.ruleset
    counts = {
        "procedure": sum(not each.is_dispatch for each in rules.procedures.values()),
        "step": sum(not step.woven for step in rules.steps.values()),
        "table": len(rules.declarations.tables),
        "passing example": len(rules.examples),
        "ruling": len(rules.rulings),
        "question": len(rules.faq),
    } | ({"warning": warnings} if warnings else {})
    parts = [f"{count} {noun}{'' if count == 1 else 's'}" for noun, count in counts.items()]
    return f"✓ {name}: valid ({', '.join(parts)})"
