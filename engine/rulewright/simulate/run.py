"""A simulation: shards given to workers, counts added up as they come."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Executor, ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path
from time import perf_counter

from rulewright.errors import RulewrightError
from rulewright.play import bots
from rulewright.ruleset.ruleset import Ruleset
from rulewright.simulate.counts import Counts
from rulewright.simulate.shard import Shard, play, play_games
from rulewright.simulate.workers import spread

SHARDS = 64
"""Shards a simulation is cut into, at least one game each: small enough for progress, large enough for little talk."""


def simulate(
    ruleset: Ruleset,
    *,
    games: int = 1000,
    policies: Sequence[str] = (),
    seed: int | str = 0,
    workers: int = 1,
    options: dict[str, str] | None = None,
    rules: Sequence[str | Path] = (),
    coverage: bool = False,
    executor: Executor | None = None,
    progress: Callable[[int, int, float], None] | None = None,
) -> Counts:
    """Play many games and count what came of them.

    The counts are the same for any number of workers and any executor: each game's seed comes from the run's seed and
    the game's number. `policies` names a bot for each place at the table (default: random ones, the fewest who may
    play). `options` are settings beside those the ruleset wants for simulations. `progress` is called with games done,
    games in all and seconds so far. `rules` are the folders given to
    `load_ruleset`, which workers load from in turn. Raises `RulewrightError` for settings that do not fit.
    """
    names = tuple(policies) or ("random",) * ruleset.players[0]
    options = {**ruleset.simulations, **(options or {})}
    _refuse(ruleset, names, games, options)
    started = perf_counter()
    counts = Counts(len(names), dict.fromkeys(names, 0))
    shards = _shards(ruleset, names, games, str(seed), options, rules, coverage)
    if executor is None and workers == 1:
        for shard in shards:
            counts += play_games(ruleset, shard)
            if progress is not None:
                progress(counts.games, games, perf_counter() - started)
        return counts
    own = ProcessPoolExecutor(workers, mp_context=get_context("spawn")) if executor is None else None
    pool = executor or own
    assert pool is not None
    try:
        for found in spread(pool, play, shards, ahead=2 * max(workers, 1)):
            counts += found
            if progress is not None:
                progress(counts.games, games, perf_counter() - started)
    finally:
        if own is not None:
            own.shutdown(cancel_futures=True)
    return counts


def _shards(
    ruleset: Ruleset,
    policies: tuple[str, ...],
    games: int,
    seed: str,
    options: dict[str, str],
    rules: Sequence[str | Path],
    coverage: bool,
) -> Iterator[Shard]:
    size = max(1, min(2_000, -(-games // SHARDS)))
    for first in range(0, games, size):
        yield Shard(
            ruleset.reference,
            ruleset.digest,
            tuple(str(folder) for folder in rules),
            policies,
            tuple(sorted(options.items())),
            seed,
            first,
            min(first + size, games),
            coverage,
        )


def _refuse(ruleset: Ruleset, policies: tuple[str, ...], games: int, options: dict[str, str]) -> None:
    fewest, most = ruleset.players
    if ruleset.start is None:
        raise RulewrightError(f"{ruleset.reference} does not say what a whole game carries out (`start:`)")
    if not fewest <= len(policies) <= most:
        raise RulewrightError(f"{ruleset.title} is for {fewest} to {most} players, not {len(policies)}")
    if games < 1:
        raise RulewrightError("a simulation plays one game or more")
    for name, choice in options.items():
        option = ruleset.declarations.options.get(name)
        if option is None or choice not in option.choices:
            raise RulewrightError(f"there is no option {name}: {choice}")
    for seat, name in enumerate(policies, 1):
        bots.make(name, ruleset, seed=0, seat=seat)
