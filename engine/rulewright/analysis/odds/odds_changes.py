"""The odds that change between two versions of the rules, for examples with `expect_odds`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction

from rulewright.analysis.odds.expected_odds import MOST_BRANCHES, weigh
from rulewright.ruleset.ruleset import Ruleset
from rulewright.ruleset.sections.examples import Example


@dataclass(frozen=True, slots=True)
class OddsChange:
    """The odds of one expression of an example before and after a change of the rules.

    `words` maps the id of each answer to its text.
    """

    example: Example
    expression: str
    before: Mapping[str, Fraction]
    after: Mapping[str, Fraction]
    words: Mapping[str, str]

    @property
    def answers(self) -> list[str]:
        """The ids of the answers with a new probability. For a condition, only `yes`."""
        moved = [each for each in self.words if self.before.get(each, 0) != self.after.get(each, 0)]
        return ["yes"] if set(moved) == {"yes", "no"} else moved


def compare_odds(before: Ruleset, after: Ruleset, *, most: int = MOST_BRANCHES) -> Iterator[OddsChange]:
    """Yield each expression with different odds in the two rulesets.

    The comparison covers the examples with claims about odds. It skips examples that need more than `most` branches or
    fail in either ruleset. It yields nothing if both rulesets have the same digest.
    """
    if before.digest == after.digest:
        return
    for example in {**before.examples, **after.examples}.values():
        if not example.claims or example.of not in before.procedures or example.of not in after.procedures:
            continue
        old, new = weigh(before, example, most=most).odds, weigh(after, example, most=most).odds
        for was, now in zip(old.answers, new.answers, strict=True) if old and new else ():
            if was.chances != now.chances:
                words = {**was.words, **now.words}
                yield OddsChange(example, now.question.written, was.chances, now.chances, words)
