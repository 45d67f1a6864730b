"""The check of a ruleset's balance targets (`expect_play`) against simulated games."""

from __future__ import annotations

import shlex
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from os import fspath
from pathlib import Path
from typing import Literal

from rulewright.analysis.simulation.metrics import Metric, compute_win_share, list_metrics
from rulewright.analysis.simulation.run_simulation import Progress, SimulationRun, begin_run, iterate_steps
from rulewright.analysis.simulation.workers import Helpers
from rulewright.ruleset.ruleset import Ruleset
from rulewright.ruleset.sections.expect_play import Expectation, MetricBounds
from rulewright.source.diagnostics.collector import DiagnosticError
from rulewright.source.diagnostics.diagnostic import Code, Diagnostic

FIRST_LOOK = 1_000
"""The number of games before the first check. It doubles after each check, up to the limit."""

Verdict = Literal["holds", "missed", "open"]

MISSED = Code(
    "expectation-missed",
    "A balance target is missed",
    "The whole 95 % interval lies outside the target, so the miss is statistically significant.",
    "Change the rules (`rulewright simulate REF --sweep …` tries other numbers), or change the target.",
)
NOT_KNOWN = Code(
    "expectation-open",
    "There are too few games to decide whether a balance target is met",
    "The 95 % interval still includes a bound of the target.",
    "Allow more `games:`, or widen the target.",
    "warning",
)


@dataclass(frozen=True, slots=True)
class Evidence:
    """The metric of one balance target after `games` games, with its verdict."""

    expectation: Expectation
    bounds: MetricBounds
    metric: Metric
    games: int
    verdict: Verdict


@dataclass(slots=True)
class ExpectationReport:
    """The evidence for all balance targets of a ruleset.

    `faults` are the diagnostics of rules that failed in play and ended the games of a target. `interrupted` is true
    after an interrupt, and the evidence is then incomplete.
    """

    evidence: list[Evidence] = field(default_factory=list)
    faults: list[Diagnostic] = field(default_factory=list)
    interrupted: bool = False


def judge(
    ruleset: Ruleset,
    *,
    rules: Sequence[str | Path] = (),
    workers: int = 1,
    progress: Callable[[Expectation], Progress | None] | None = None,
) -> ExpectationReport:
    """Play the games of each balance target until its verdicts are known or it has used its allowed games.

    The report is the same for any number of `workers`, which start only if the games take long. Targets with the same
    bots, settings and seed share their games. `progress` returns a progress callback for each target, or None. An
    interrupt ends the run, and the report then covers the games played so far. Rules that fail in play are `faults` of
    the report. Raises `RulewrightError` for unknown bots or settings, which `check` normally finds first.
    """
    result = ExpectationReport()
    trials: list[_Trial] = []
    runs: dict[tuple[object, ...], SimulationRun] = {}
    try:
        with Helpers(workers) as helpers:
            for expectation, bots, bounds in _list_samples(ruleset):
                run = _run(ruleset, expectation, bots, rules)
                run = runs.setdefault((run.shard.policies, run.shard.options, run.shard.seed), run)
                trials.append(_Trial(ruleset, expectation, bounds, run))
                try:
                    trials[-1].play(helpers, None if progress is None else progress(expectation))
                except DiagnosticError as error:
                    result.faults.extend(error.diagnostics)
    except KeyboardInterrupt:
        result.interrupted = True
        for trial in trials[-1:]:
            trial.look()
    result.evidence.extend(each for trial in trials for each in trial.evidence.values())
    return result


def _list_samples(ruleset: Ruleset) -> Iterator[tuple[Expectation, tuple[str, ...], tuple[MetricBounds, ...]]]:
    """Yield each target with the bots of its games and the bounds that these games decide.

    Each cell of a matrix of who should beat whom needs games of its own.
    """
    for expectation in ruleset.expectations.values():
        plain = tuple(each for each in expectation.bounds if each.pair is None)
        if plain:
            yield expectation, expectation.list_bots(ruleset.players[0]), plain
        for each in expectation.bounds:
            if each.pair is not None:
                yield expectation, expectation.list_pair(each.pair, ruleset.players), (each,)


def _run(ruleset: Ruleset, expectation: Expectation, bots: Sequence[str], rules: Sequence[str | Path]) -> SimulationRun:
    """Return a run for an expectation by these bots, without any games yet.

    Raises `RulewrightError` for bots or settings that do not fit the ruleset.
    """
    return begin_run(
        ruleset,
        policies=bots,
        seed=expectation.seed,
        options=expectation.options,
        rules=[fspath(folder) for folder in rules],
    )


@dataclass(slots=True)
class _Trial:
    """A balance target with its games, which other targets may share, and the evidence so far."""

    ruleset: Ruleset
    expectation: Expectation
    bounds: tuple[MetricBounds, ...]
    run: SimulationRun
    evidence: dict[str, Evidence] = field(default_factory=dict)

    def play(self, helpers: Helpers, progress: Progress | None) -> None:
        """Play until no verdict is open, or until the target has used its allowed games.

        Raises `DiagnosticError` if the rules fail in play.
        """
        most = self.expectation.games
        games = self.run.counts.games or min(FIRST_LOOK, most)
        while True:
            while self.run.counts.games < games:
                for _ in iterate_steps(
                    self.ruleset,
                    self.run,
                    games=games,
                    workers=1 if helpers.executor is None else helpers.workers,
                    executor=helpers.executor,
                    progress=progress,
                ):
                    if helpers.start_if_due():
                        break
            self.look()
            if games >= most or all(each.verdict != "open" for each in self.evidence.values()):
                return
            games = min(2 * games, most)

    def look(self) -> None:
        """Update the open verdicts from the games played so far. Earlier verdicts stay."""
        games = self.run.counts.games
        metrics = list_metrics(self.run.counts, self.ruleset)
        for bounds in self.bounds if games else ():
            before = self.evidence.get(bounds.written)
            if before is None or before.verdict == "open":
                pair = bounds.pair
                metric = metrics[bounds.metric] if pair is None else compute_win_share(self.run.counts, *pair)
                self.evidence[bounds.written] = Evidence(
                    self.expectation, bounds, metric, games, judge_metric(metric, bounds)
                )


def judge_metric(metric: Metric, metric_bounds: MetricBounds) -> Verdict:
    """Return `holds` if the interval of a metric is within the bounds, `missed` if outside, otherwise `open`."""
    low, high = metric.interval
    if (metric_bounds.low is not None and high < metric_bounds.low) or (
        metric_bounds.high is not None and low > metric_bounds.high
    ):
        return "missed"
    within = (metric_bounds.low is None or low >= metric_bounds.low) and (
        metric_bounds.high is None or high <= metric_bounds.high
    )
    return "holds" if within else "open"


def report_judgement(
    result: ExpectationReport, ruleset: Ruleset, *, rules: Sequence[str | Path] = ()
) -> list[Diagnostic]:
    """Return the diagnostics of a report: failed rules, missed targets and open targets.

    After an interrupt, open targets are left out. Each diagnostic points to its target in the rules.
    """
    diagnostics = list(result.faults)
    for each in result.evidence:
        if each.verdict == "missed" or (each.verdict == "open" and not result.interrupted):
            code = MISSED if each.verdict == "missed" else NOT_KNOWN
            message = f"`{each.expectation.id}` of {ruleset.reference}: {each.bounds.written}: {format_evidence(each)}"
            hint = f"{code.fix}\nTo reproduce it:\n{build_command(each, ruleset, rules=rules)}"
            diagnostics.append(Diagnostic(code, message, each.bounds.span, (), hint))
    return diagnostics


def format_evidence(evidence: Evidence) -> str:
    """Format the evidence as one line: `6.10 % (5.12 % to 7.25 %) of 2,000 games; at most 5 % is wanted`."""
    metric = evidence.metric
    value, low, high = (
        f"{100 * each:.2f} %" if metric.share else f"{each:,.2f}" for each in (metric.value, *metric.interval)
    )
    of = "of" if metric.share else "in"
    many = f"{evidence.games:,} game{'' if evidence.games == 1 else 's'}"
    return f"{value} ({low} to {high}) {of} {many}; {evidence.bounds.text} is wanted"


def build_command(evidence: Evidence, ruleset: Ruleset, *, rules: Sequence[str | Path] = ()) -> str:
    """Return the shell command that plays the games of the evidence again."""
    expectation = evidence.expectation
    words = ["rulewright", "simulate", ruleset.reference, "--games", str(evidence.games)]
    pair = evidence.bounds.pair
    bots = expectation.list_bots(ruleset.players[0]) if pair is None else expectation.list_pair(pair, ruleset.players)
    words += ["--players", ",".join(bots)]
    words += [f"--seed={expectation.seed}"] if expectation.seed != 0 else []
    for name, choice in expectation.options.items():
        words += ["--option", f"{name}={choice}"]
    for folder in rules:
        words += ["--rules", fspath(folder)]
    return shlex.join(words)
