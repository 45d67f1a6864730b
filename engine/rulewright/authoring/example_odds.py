"""The odds of examples, for packages that must not import `analysis`: checks and books."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rulewright.book.parts.odds_examples import Chances
    from rulewright.ruleset.ruleset import Ruleset
    from rulewright.ruleset.sections.examples import Example
    from rulewright.source.diagnostics.collector import Diagnostics


def weigh_odds(ruleset: Ruleset, example: Example, most: int) -> tuple[Diagnostics, int]:
    """Return the diagnostics of the odds that an example expects, and how many branches the computation took.

    `most` is the maximum number of branches.
    """
    from rulewright.analysis.odds.expected_odds import weigh

    weighed = weigh(ruleset, example, most=most)
    return weighed.problems, weighed.branches


def compute_book_odds(ruleset: Ruleset, example: Example, *, most: int | None = None) -> list[Chances]:
    """Return the odds that the book shows for an example, which must expect odds.

    Empty if they cannot be computed or would take more than `most` branches (default: the limit for examples).
    """
    from rulewright.analysis.odds.expected_odds import MOST_BRANCHES, weigh
    from rulewright.book.parts.odds_examples import Chances

    odds = weigh(ruleset, example, most=MOST_BRANCHES if most is None else most).odds
    return [
        Chances(
            each.question.written, tuple((each.words[one], chance) for one, chance in each.chances.items()), each.mean
        )
        for each in (odds.answers if odds is not None else ())
    ]
