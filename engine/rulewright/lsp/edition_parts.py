"""The check of an edition in an editor, which imports what a part of it needs when that part begins."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from rulewright.base.incremental.traces import Traces
from rulewright.ruleset.editions.catalogue import Catalogue
from rulewright.ruleset.editions.edition import Edition
from rulewright.ruleset.prose.stale_texts import Describe
from rulewright.ruleset.ruleset import Ruleset
from rulewright.ruleset.sections.examples import Example
from rulewright.source.diagnostics.diagnostic import Diagnostic
from rulewright.testing.check_edition import Part, iterate_checks
from rulewright.testing.edition_check import EditionCheck


def check_parts(catalogue: Catalogue, edition: Edition, traces: Traces) -> Iterator[tuple[Part, EditionCheck]]:
    """Check an edition with its texts and the odds of its examples, part by part, as `iterate_checks` does."""
    return iterate_checks(catalogue, edition, describer=_describer, weigh=_weigh, traces=traces)


def _describer(ruleset: Ruleset) -> Describe:
    """Return a function that describes a rule in English. It loads the book on first use."""

    def describe(path: str) -> Sequence[str]:
        from rulewright.book.parts.rule_summaries import build_describer

        return build_describer(ruleset)(path)

    return describe


def _weigh(ruleset: Ruleset, example: Example, most: int) -> tuple[Iterable[Diagnostic], int]:
    from rulewright.analysis.odds.expected_odds import weigh

    weighed = weigh(ruleset, example, most=most)
    return weighed.problems, weighed.branches
