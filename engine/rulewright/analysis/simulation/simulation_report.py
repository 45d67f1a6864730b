"""The report of a simulation as data, for the text output, the page and other programs."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from math import inf
from typing import Any

from rulewright.analysis.simulation.game_counts import Counts, label_option, leaves_events
from rulewright.analysis.simulation.metrics import find_minimum, list_metrics, measure_titles, sum_powers
from rulewright.analysis.simulation.shard import Shard
from rulewright.base.confidence_intervals import (
    compute_mean_interval,
    compute_newcombe_interval,
    compute_wilson_interval,
)
from rulewright.engine.boards.board_contents import has_places
from rulewright.engine.narration.plain_names import Names
from rulewright.language.checked_steps import Step
from rulewright.ruleset.ruleset import Ruleset


def report(ruleset: Ruleset, shard: Shard, counts: Counts, seconds: float, *, resumed: int = 0) -> dict[str, Any]:
    """Return the report of a simulation as JSON data, with steps, rows and options if the shard has coverage.

    Shares and means have 95 % confidence intervals, and steps have their rule ids (`procedure.step`). `resumed` is the
    number of games from an earlier run, which do not count toward `seconds`.
    """
    data: dict[str, Any] = {
        "ruleset": ruleset.reference,
        "title": ruleset.title,
        "digest": ruleset.digest,
        "seed": shard.seed,
        "players": list(shard.policies),
        "settings": dict(shard.options),
        "games": counts.games,
        "kept": resumed,
        "seconds": round(seconds, 3),
        "games_per_second": round((counts.games - resumed) / seconds, 1) if seconds else 0.0,
        "decisions": counts.decisions,
        "draws": counts.draws,
        "shared": counts.shared,
        "unfinished": counts.unfinished,
        "wins": {
            policy: {
                "wins": counts.wins_by_policy[policy],
                "games": games,
                "interval": compute_wilson_interval(counts.wins_by_policy[policy], games),
            }
            for policy, games in sorted(counts.games_by_policy.items())
        },
        "wins_by_seat": [
            {"seat": seat, "wins": wins, "interval": compute_wilson_interval(wins, counts.games)}
            for seat, wins in enumerate(counts.wins_by_seat, 1)
        ],
        "decided_by": _count_endings(ruleset, counts),
        "lengths": {**summarize(counts.lengths, least=0), "histogram": _histogram(counts.lengths)},
        "measures": _measures(ruleset, counts),
        "series": {name: _curve(moments) for name, moments in counts.series.items()},
        "figures": {
            metric.id: {"title": metric.title, "value": metric.value, "interval": keep_finite(metric.interval)}
            for metric in list_metrics(counts, ruleset).values()
        },
    }
    return data | _coverage(ruleset, counts) if shard.coverage else data


def _coverage(ruleset: Ruleset, counts: Counts) -> dict[str, Any]:
    """Return the numbers of steps, rows and options, and the steps that never fired, as JSON data."""
    steps = _distinguish(ruleset)
    watched = {number: step.rule for number, step in steps.items() if leaves_events(step)}
    return {
        "steps": {step.rule: counts.steps[number] for number, step in steps.items()},
        "never_fired": [rule for number, rule in watched.items() if not counts.steps[number]],
        "watched": len(watched),
        "rows": _rows(ruleset, counts),
        "options": _options(ruleset, counts),
    }


def _distinguish(ruleset: Ruleset) -> dict[int, Step]:
    """Return the steps that readers know.

    The result leaves out internal steps: those that run within another step and share its rule id, and those that run
    the steps of a row.
    """
    own = {step.rule for step in ruleset.steps.values() if step.rule == f"{step.procedure}.{step.id}"}
    return {
        number: step
        for number, step in ruleset.steps.items()
        if not step.is_dispatch and (step.rule not in own or step.rule == f"{step.procedure}.{step.id}")
    }


MOST_OPTIONS = 8
"""The number of options of a decision that a report shows."""


def select_common(moments: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return the moments of a curve with at least a tenth as many games as its most frequent moment.

    Later moments belong to few games and vary widely.
    """
    most = max((each["games"] for each in moments), default=0)
    return [each for each in moments if 10 * each["games"] >= most]


def summarize(values: Counter[int], *, least: float = -inf) -> dict[str, Any]:
    """Return the `mean` with its `interval`, the minimum (`least`), the `median` and the maximum (`most`).

    The argument `least` is a lower bound on any possible value. Without any values, the numbers are 0 and the interval
    is None.
    """
    games, total, squares = sum_powers(values)
    if not games:
        return {"mean": 0.0, "interval": None, "least": 0, "median": 0, "most": 0}
    return {
        "mean": round(total / games, 4),
        "interval": keep_finite(compute_mean_interval(games, total, squares, least=least)),
        "least": min(values),
        "median": _median(values, games),
        "most": max(values),
    }


def keep_finite(interval: tuple[float, float]) -> tuple[float, float] | None:
    """Return a finite interval unchanged, or None for an infinite one, because JSON has no infinity."""
    return interval if abs(interval[0]) != float("inf") else None


def _median(values: Counter[int], games: int) -> int:
    """Return the median, or the upper of the two middle values. `values` must not be empty."""
    left = games // 2
    for value in sorted(values):
        left -= values[value]
        if left < 0:
            return value
    return max(values)


MOST_BARS = 24


def _histogram(values: Counter[int]) -> list[dict[str, int]]:
    """Return the number of games in each of at most about two dozen ranges of equal, round width.

    Empty without values.
    """
    if not values:
        return []
    low, high = min(values), max(values)
    step = next(
        step
        for power in range(20)
        for step in (10**power, 2 * 10**power, 5 * 10**power)
        if high - low < MOST_BARS * step
    )
    bars: Counter[int] = Counter()
    for value, games in values.items():
        bars[value // step] += games
    return [
        {"from": place * step, "to": (place + 1) * step - 1, "games": bars[place]}
        for place in range(low // step, high // step + 1)
    ]


def _measures(ruleset: Ruleset, counts: Counts) -> dict[str, Any]:
    """Return the summary and the histogram of each measure that has values, by id."""
    titles = measure_titles(ruleset)
    return {
        name: {
            "title": titles[name],
            **summarize(counts.measures[name], least=find_minimum(ruleset, name)),
            "histogram": _histogram(counts.measures[name]),
            **({"true": counts.measures[name][1]} if ruleset.measures[name].is_share else {}),
        }
        for name in titles
        if name in counts.measures
    }


def _curve(moments: dict[int, list[int]]) -> list[dict[str, Any]]:
    """Return the mean at each moment, in order, with its number of games and its interval."""
    results = []
    for moment, (total, games, squares) in sorted(moments.items()):
        mean = total / games
        low, high = compute_mean_interval(games, total, squares)
        results.append({"at": moment, "mean": mean, "games": games, "interval": keep_finite((low, high))})
    return results


def _count_endings(ruleset: Ruleset, counts: Counts) -> list[dict[str, Any]]:
    """Return how many games each step ended, in descending order. The rule is "" if no step of the rules ended them."""
    names = Names(ruleset)
    results = []
    for number, games in sorted(counts.decided.items(), key=lambda pair: (-pair[1], pair[0])):
        step = ruleset.steps.get(number)
        title = names.format_words(step.words.get("title", "")) if step else ""
        rule = step.rule if step else ""
        results.append(
            {"rule": rule, "title": title, "games": games, "interval": compute_wilson_interval(games, counts.games)}
        )
    return results


def _rows(ruleset: Ruleset, counts: Counts) -> dict[str, Any]:
    """Return the title and count of each table by id, and the title, count and share of each of its rows.

    Tables that were never rolled on or drawn from are left out.
    """
    names = Names(ruleset)
    drawn = {table for table, _ in counts.rows}
    results: dict[str, Any] = {}
    for table in ruleset.declarations.tables.values():
        if table.id not in drawn or has_places(table):
            continue
        in_all = sum(counts.rows[table.id, row] for row in table.rows)
        rows = {
            row: {
                "title": names.name_row(table.id, row),
                "times": counts.rows[table.id, row],
                "share": counts.rows[table.id, row] / in_all,
            }
            for row in table.rows
        }
        results[table.id] = {"title": names.format_words(table.title), "times": in_all, "rows": rows}
    return results


def _options(ruleset: Ruleset, counts: Counts) -> list[dict[str, Any]]:
    """Return the decisions with their options: the number of times taken, and the win rates with and without.

    "Others" are seats that faced the same decision in the same game and never took the option. A difference in win rate
    shows a correlation, not a cause, and is None if there are no takers or no others. Options that were never taken are
    left out.
    """
    names = Names(ruleset)
    by_step: dict[int, list[tuple[str, int]]] = {}
    for (number, option), times in counts.taken.items():
        by_step.setdefault(number, []).append((option, times))
    results = []
    for number, options in sorted(by_step.items()):
        step = ruleset.steps[number]
        seats, wins = counts.asked.get(number, (0, 0))
        lines = []
        for option, times in sorted(options, key=lambda pair: (-pair[1], pair[0])):
            took, won = counts.takers.get((number, option), (0, 0))
            others = (wins - won, seats - took)
            lines.append(
                {
                    "option": option,
                    "label": label_option(option, step, names),
                    "times": times,
                    "share": times / sum(each for _, each in options),
                    "takers": {"seats": took, "wins": won, "interval": compute_wilson_interval(won, took)},
                    "others": {"seats": others[1], "wins": others[0], "interval": compute_wilson_interval(*others)},
                    "difference": compute_newcombe_interval((won, took), others) if took and others[1] else None,
                }
            )
        ask = names.format_words(step.words.get("ask", "")) or names.format_words(step.words.get("title", ""))
        results.append({"rule": step.rule, "ask": ask, "seats": seats, "options": lines})
    return results
