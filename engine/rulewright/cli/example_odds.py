"""The odds that examples speak of, for those who stand beside the odds and cannot ask them: checks and books."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rulewright.book.parts.chances import Chances
    from rulewright.ruleset.ruleset import Ruleset
    from rulewright.ruleset.sections.examples import Example
    from rulewright.source.diagnostics.collected import Diagnostics


def weigh_odds(ruleset: Ruleset, example: Example, most: int) -> tuple[Diagnostics, int]:
    """What is wrong with the odds that an example expects, and how many branches it took to tell, of `most`."""
    from rulewright.odds.claims import weigh

    weighed = weigh(ruleset, example, most=most)
    return weighed.problems, weighed.branches


def book_odds(ruleset: Ruleset, example: Example) -> list[Chances]:
    """The odds of an example as its book shows them; nothing where they cannot be worked out."""
    from rulewright.book.parts.chances import Chances
    from rulewright.odds.claims import weigh

    odds = weigh(ruleset, example).odds
    return [
        Chances(
            each.question.written, tuple((each.words[one], chance) for one, chance in each.chances.items()), each.mean
        )
        for each in (odds.answers if odds is not None else ())
    ]


@dataclass(frozen=True, slots=True)
class Moved:
    """The odds of one expression of an example, before a change of the rules and after it; `words` name the answers."""

    example: Example
    expression: str
    before: Mapping[str, Fraction]
    after: Mapping[str, Fraction]
    words: Mapping[str, str]

    @property
    def answers(self) -> list[str]:
        """The answers whose chance is another; of what is true or not, that it is true."""
        moved = [each for each in self.words if self.before.get(each, 0) != self.after.get(each, 0)]
        return ["yes"] if set(moved) == {"yes", "no"} else moved


def moved_odds(before: Ruleset, after: Ruleset) -> Iterator[Moved]:
    """The odds that moved, of every example that speaks of odds and has them in both rulesets."""
    from rulewright.odds.claims import weigh

    if before.digest == after.digest:
        return
    for example in {**before.examples, **after.examples}.values():
        if not example.claims or example.of not in before.procedures or example.of not in after.procedures:
            continue
        old, new = weigh(before, example).odds, weigh(after, example).odds
        for was, now in zip(old.answers, new.answers, strict=True) if old and new else ():
            if was.chances != now.chances:
                words = {**was.words, **now.words}
                yield Moved(example, now.question.written, was.chances, now.chances, words)
