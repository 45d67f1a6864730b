"""Whether counts that came from a file can be those of a run: they must agree with each other and with its rules."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from itertools import chain
from typing import Any

from rulewright.play.telling.names import Names
from rulewright.ruleset.ruleset import Ruleset
from rulewright.simulate.counts import Counts, option_label
from rulewright.simulate.shard import MOST_DECISIONS, Shard

MOST_GAMES = 10**15
"""More games than any run has."""

_LARGEST = 2**63
_MOST_TIMES = 10**30


def inconsistency(counts: Counts, shard: Shard, ruleset: Ruleset) -> str | None:
    """Say what cannot be in the counts of a run that has played; None where nothing is wrong.

    Whatever else may stand in them, a report can be made of counts that pass.
    """
    if not 1 <= counts.games <= MOST_GAMES:
        return "no run has so many games"
    # Each may rely on those before it.
    found = chain(_ends(counts, shard), _figures(counts, ruleset), _steps(counts, shard, ruleset))
    return next((said for wrong, said in found if wrong), None)


def _ends(counts: Counts, shard: Shard) -> Iterator[tuple[bool, str]]:
    seats, games = len(shard.policies), counts.games
    ended = games - counts.unfinished
    decisive = ended - counts.draws
    places = Counter(shard.policies)
    won = sum(counts.wins_by_seat)
    counted = (counts.lengths, counts.decided, counts.steps, counts.rows, counts.taken)
    yield (
        any(not 1 <= times <= _MOST_TIMES for each in counted for times in each.values()),
        "something was counted never",
    )
    yield len(counts.wins_by_seat) != seats, "there is a seat too many or too few"
    yield decisive < 0, "more games are unfinished or drawn than were played"
    yield any(wins > decisive for wins in counts.wins_by_seat), "a seat has won more games than anybody"
    yield not decisive <= won <= decisive * seats, "the games that were won are not those that seats have won"
    yield (
        dict(counts.games_by_policy) != {name: games * there for name, there in places.items()},
        "the games of a bot are not those it has played",
    )
    yield not set(counts.wins_by_policy) <= set(places), "a bot has won that did not play"
    yield (
        any(wins > decisive * places[name] for name, wins in counts.wins_by_policy.items()),
        "a bot has won more games than anybody",
    )
    yield sum(counts.wins_by_policy.values()) != won, "bots have not won as often as seats"
    yield any(not 0 <= length <= MOST_DECISIONS for length in counts.lengths), "no game has such a length"
    yield sum(counts.lengths.values()) != games, "the lengths are not of as many games"
    yield (
        counts.decisions != sum(length * times for length, times in counts.lengths.items()),
        "the lengths do not add up to the decisions",
    )
    yield sum(counts.decided.values()) != ended, "the steps that ended games are not of as many games"


def _figures(counts: Counts, ruleset: Ruleset) -> Iterator[tuple[bool, str]]:
    games, ended = counts.games, counts.games - counts.unfinished
    names = set(ruleset.measures)
    clocked = {measure.id for measure in ruleset.measures.values() if measure.over is not None}
    yield set(counts.measures) != (names if ended else set()), "the measures are not those of the rules"
    for values in counts.measures.values():
        yield (
            not all(_is_number(value) and _is_number(times, 1) for value, times in values.items()),
            "a measure is none",
        )
        yield sum(values.values()) != ended, "a measure is not of as many games"
    yield not set(counts.series) <= clocked, "the series are not those of the rules"
    for moments in counts.series.values():
        yield (
            not all(_is_number(at) and _is_moment(told) for at, told in moments.items()),
            "a moment of a series is none",
        )
        seen = sum(told[1] for told in moments.values())
        yield seen > counts.decisions + 2 * games, "a series has more moments than decisions"


def _steps(counts: Counts, shard: Shard, ruleset: Ruleset) -> Iterator[tuple[bool, str]]:
    steps, tables = ruleset.steps, ruleset.declarations.tables
    watched: tuple[Mapping[Any, Any], ...] = (counts.steps, counts.rows, counts.taken, counts.takers, counts.asked)
    yield not shard.coverage and any(watched), "there are steps of a run that watched none"
    named = [*counts.decided, *counts.steps, *counts.asked]
    yield any(number not in steps and number != 0 for number in named), "there is no such step"
    yield (
        any(not _is_pair(row) or row[0] not in tables or row[1] not in tables[row[0]].rows for row in counts.rows),
        "there is no such row",
    )
    yield not all(_is_option(option, ruleset) for option in counts.taken), "there is no such option"
    yield not set(counts.takers) <= set(counts.taken), "an option was taken by somebody, and never"
    most = counts.games * len(shard.policies)
    for told in (*counts.takers.values(), *counts.asked.values()):
        yield len(told) != 2 or not 0 <= told[1] <= told[0] <= most, "a place won more games than it played"
    for option, (took, won) in counts.takers.items():
        yield took > counts.taken[option], "more places took an option than it was taken"
        asked, all_won = counts.asked.get(option[0], (0, 0))
        yield not 0 <= all_won - won <= asked - took, "more places took an option than were asked"


def _is_number(value: Any, least: int = -_LARGEST) -> bool:
    return type(value) is int and least <= value <= max(_LARGEST, MOST_GAMES)


def _is_moment(told: Any) -> bool:
    """Whether these can be the sum of some values, how many they are, and the sum of their squares."""
    if not isinstance(told, list) or len(told) != 3 or any(type(each) is not int for each in told):
        return False
    total, count, squares = told
    return count >= 1 and total * total <= count * squares <= count * count * _LARGEST**2


def _is_pair(key: Any) -> bool:
    return isinstance(key, tuple) and len(key) == 2 and all(isinstance(part, str) for part in key)


def _is_option(option: Any, ruleset: Ruleset) -> bool:
    if not isinstance(option, tuple) or len(option) != 2 or not isinstance(option[1], str):
        return False
    step = ruleset.steps.get(option[0])
    try:
        return step is not None and isinstance(option_label(option[1], step, Names(ruleset)), str)
    except (LookupError, ValueError, TypeError, AttributeError):
        return False
