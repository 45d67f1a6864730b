"""Report stored results of `fair` that are for other rules."""

from __future__ import annotations

from rulewright.ruleset.queries.fairness_results import FILE, find_results_file, read_results, start_of
from rulewright.ruleset.ruleset import Ruleset
from rulewright.source.diagnostics.collector import DiagnosticError, Diagnostics
from rulewright.source.diagnostics.diagnostic import Code

STALE_ANSWERS = Code(
    "stale-answers",
    "Fairness results for other rules",
    "The rulebook's fairness results come from saved games, and these rules may play differently.",
    "Simulate the games again with `rulewright fair REF --keep`.",
    severity="warning",
)


def lint(ruleset: Ruleset, diagnostics: Diagnostics) -> None:
    """Report stored results for another gameplay digest, and a results file that is invalid.

    Does nothing if there is no such file.
    """
    try:
        results = read_results(ruleset)
    except DiagnosticError as error:
        diagnostics.extend(error.diagnostics)
        return
    if results is not None and results["digest"] != ruleset.digest:
        message = (
            f"the results in {FILE} are for other rules: their gameplay digest is {results['digest']:.40}, but that of "
            f"{ruleset.reference} is {ruleset.digest}"
        )
        diagnostics.add(
            STALE_ANSWERS,
            message,
            start_of(find_results_file(ruleset)),
            suggestion=f"run `rulewright fair {ruleset.reference} --keep`",
        )
