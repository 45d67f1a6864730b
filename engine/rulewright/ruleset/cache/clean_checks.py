"""Checks of a ruleset that are skipped if they found nothing before in all that they read."""

from __future__ import annotations

from collections.abc import Callable

from rulewright.base.incremental.traces import Key, Traces
from rulewright.ruleset.cache.tracked_ruleset import RulesetDigests, TrackedRuleset
from rulewright.ruleset.ruleset import Ruleset
from rulewright.source.diagnostics.collector import Diagnostics
from rulewright.source.diagnostics.diagnostic import Diagnostic

Check = Callable[[Ruleset, Diagnostics], None]
"""A function that checks a ruleset, or a part of it, and adds the diagnostics."""


class CleanChecks:
    """The checks of one ruleset, with what earlier ones have found in `traces`.

    Diagnostics name positions in files, which any edit may move, so only checks without any are remembered.
    """

    def __init__(self, ruleset: Ruleset, traces: Traces, *, view: TrackedRuleset | None = None) -> None:
        self.view = TrackedRuleset(ruleset) if view is None else view
        self.traces = traces
        self.digests = RulesetDigests(self.view, traces)
        self.digests_in_play = RulesetDigests(self.view, traces, contents=self.digests.contents, in_play=True)

    def run(
        self,
        key: Key,
        check: Check,
        diagnostics: Diagnostics,
        *,
        only_plays: bool = False,
    ) -> None:
        """Run a check unless it is known to find nothing. `key` names it, first by its kind.

        The check gets the tracked ruleset, and must read the rules only from there, or depend on `key` alone. One that
        `only_plays` must read no descriptions.
        """

        def find() -> tuple[Diagnostic, ...]:
            results = Diagnostics()
            check(self.view, results)
            return tuple(results)

        digests = self.digests_in_play if only_plays else self.digests
        diagnostics.extend(self.traces.fetch(key, digests, find, keep=lambda results: not results))
