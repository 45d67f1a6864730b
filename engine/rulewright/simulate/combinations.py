"""Which settings to play by: every combination of choices or, of very many, a set that covers all pairs."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import combinations, product
from math import prod

Settings = Mapping[str, str]
"""A choice for each option."""


def every(choices: Mapping[str, Sequence[str]]) -> list[Settings]:
    """Every combination of choices, one of each option."""
    return [dict(zip(choices, chosen, strict=True)) for chosen in product(*choices.values())]


def covering(choices: Mapping[str, Sequence[str]]) -> list[Settings]:
    """Combinations in which any two choices of two options meet at least once.

    Most faults need one choice or two that meet, and pairs are covered by few combinations even where all together are
    beyond counting. Each begins with a pair that has not met yet, and takes for every other option the choice that
    meets most that it has not met, or else has most to meet. Source: Cohen, Dalal, Fredman and Patton, "The AETG
    system", IEEE Transactions on Software Engineering 23 (1997).
    """
    if len(choices) < 2:
        return every(choices)
    options = list(choices)
    apart = {
        frozenset({(one, first), (other, second)}): ((one, first), (other, second))
        for one, other in combinations(options, 2)
        for first in choices[one]
        for second in choices[other]
    }
    to_meet = Counter(chosen for pair in apart for chosen in pair)
    found: list[Settings] = []
    while apart:
        settings = dict(next(iter(apart.values())))
        for option in options:
            if option not in settings:
                worth = {
                    choice: (
                        sum(frozenset({(option, choice), chosen}) in apart for chosen in settings.items()),
                        to_meet[option, choice],
                    )
                    for choice in choices[option]
                }
                settings[option] = max(worth, key=worth.__getitem__)
        for pair in map(frozenset, combinations(settings.items(), 2)):
            if apart.pop(pair, None) is not None:
                to_meet.subtract(pair)
        found.append({option: settings[option] for option in options})
    return found


def to_play(
    choices: Mapping[str, Sequence[str]], pinned: Settings, *, most: int
) -> tuple[list[Settings], list[Settings], bool]:
    """The combinations with the `pinned` choices, those without, and whether that is every one there is.

    Beyond `most` combinations, both are sets that cover all pairs.
    """
    whole = prod(len(each) for each in choices.values()) <= most
    choose = every if whole else covering
    fixed = {option: (pinned[option],) if option in pinned else each for option, each in choices.items()}
    others = [settings for settings in choose(choices) if any(settings[name] != pinned[name] for name in pinned)]
    return choose(fixed), others, whole
