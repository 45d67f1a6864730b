"""A simulation that gives shards to workers and adds up their counts in the order of the games."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Executor
from contextlib import nullcontext
from dataclasses import dataclass, replace
from time import perf_counter
from typing import Any

from rulewright.ai import bots
from rulewright.analysis.simulation.game_counts import Counts, GameRow
from rulewright.analysis.simulation.shard import Shard, ShardResult, pack_rules, play, play_games
from rulewright.analysis.simulation.stopping import refuse_stopped
from rulewright.analysis.simulation.workers import describe_programs, iterate_in_order, open_processes
from rulewright.base.errors import RulewrightError
from rulewright.engine.game.game_settings import explain_unknown_setting, refuse_ruleset, refuse_seed
from rulewright.engine.wasm_backend.interrupts import defer_interrupts
from rulewright.ruleset.editions.search_path import Folders, list_folders
from rulewright.ruleset.overlay import Value
from rulewright.ruleset.ruleset import Ruleset
from rulewright.source.diagnostics.excerpt import quote_value

SHARDS = 64
"""The target number of shards of a simulation: small enough to show progress, large enough for little overhead."""

LARGEST = 20_000
"""The maximum number of games in a shard, which limits memory."""

Progress = Callable[[int, int, float], None]


@dataclass(slots=True)
class SimulationRun:
    """A run in progress. Its counts cover exactly the first `counts.games` games.

    `loaded_games` is the number of games from an earlier run, read from a file.
    """

    shard: Shard
    counts: Counts
    loaded_games: int = 0


def simulate(
    ruleset: Ruleset,
    *,
    games: int = 1000,
    policies: Sequence[str] = (),
    seed: int | str = 0,
    workers: int = 1,
    options: dict[str, str] | None = None,
    rules: Folders = (),
    coverage: bool = False,
    values: Sequence[Value] = (),
    executor: Executor | None = None,
    remote: bool = False,
    progress: Progress | None = None,
) -> Counts:
    """Play many games and return their counts.

    The counts are the same for any number of workers and any executor, because each game's seed derives from the run's
    seed and the game's number. Raises `RulewrightError` for invalid arguments or rules that fail in play.

    Args:
        ruleset: The rules of the games.
        games: The number of games.
        policies: The name of a bot for each seat. By default, `random` bots at the smallest table.
        seed: The random seed of the run.
        workers: The number of worker processes.
        options: Settings in addition to those that the ruleset uses for simulations.
        rules: The folders given to `load_ruleset`, from which the workers load the rules.
        coverage: Whether to count steps, rows and options.
        values: Values that replace values in the rules (`with_values`).
        executor: An executor to use instead of worker processes.
        remote: Whether the workers are on other computers and need the files of the rules.
        progress: Receives the games played, the total number of games, and the seconds so far.
    """
    _refuse_numbers(games, workers, executor)
    if progress is not None and not callable(progress):
        raise RulewrightError(f"`progress` must be a function of three numbers, not {quote_value(progress)}")
    run = begin_run(
        ruleset, policies=policies, seed=seed, options=options, rules=rules, coverage=coverage, values=values
    )
    for _ in iterate_steps(
        ruleset, run, games=games, workers=workers, executor=executor, remote=remote, progress=progress
    ):
        pass
    return run.counts


def begin_run(
    ruleset: Ruleset,
    *,
    policies: Sequence[str] = (),
    seed: int | str = 0,
    options: dict[str, str] | None = None,
    rules: Folders = (),
    coverage: bool = False,
    rows: bool = False,
    values: Sequence[Value] = (),
) -> SimulationRun:
    """Return a run without any games yet. Raises `RulewrightError` for settings that do not fit the ruleset.

    Defaults are those of `simulate`. `rows` also keeps one row for each game.
    """
    refuse_ruleset(ruleset, "games are played")
    refuse_seed(seed)
    _refuse_kinds(policies, options, values)
    names = tuple(policies) or ("random",) * ruleset.players[0]
    options = {**ruleset.simulations, **(options or {})}
    _refuse(ruleset, names, options)
    shard = Shard(
        ruleset.reference,
        ruleset.digest_of_counts,
        tuple(str(folder) for folder in list_folders(rules)),
        names,
        tuple(sorted(options.items())),
        str(seed),
        0,
        0,
        coverage=coverage,
        rows=rows,
        values=tuple(values),
    )
    return SimulationRun(shard, Counts(len(names), dict.fromkeys(names, 0)))


def iterate_steps(
    ruleset: Ruleset,
    run: SimulationRun,
    *,
    games: int,
    workers: int = 1,
    executor: Executor | None = None,
    remote: bool = False,
    growing: bool = False,
    progress: Progress | None = None,
) -> Iterator[list[GameRow]]:
    """Continue a run up to `games` games, and yield the rows of each shard after adding its counts to `run`.

    The shards are in the order of their games, so the counts after any shard are the same for any number of workers.
    With `growing`, the first shards are small, so that a caller can stop early. `progress` does not count the games
    that the run already has. Raises `RulewrightError` for invalid arguments or rules that fail in play.
    """
    _refuse_numbers(games, workers, executor)
    started, before = perf_counter(), run.counts.games
    shard = bundle_shard(ruleset, run.shard) if remote else run.shard
    for played in _play_shards(ruleset, cut(shard, before, games, growing=growing), workers, executor):
        with defer_interrupts():
            run.counts += played.counts
        if progress is not None:
            spent = perf_counter() - started
            # Games of an earlier run do not count toward the rate.
            progress(run.counts.games - before, games - before, spent)
        yield played.rows


def bundle_shard(ruleset: Ruleset, shard: Shard) -> Shard:
    """Return a shard for a worker on another computer, with the files of the rules and the required versions."""
    return replace(shard, bundle=pack_rules(ruleset, shard.rules), programs=describe_programs())


def cut(shard: Shard, first: int, games: int, *, growing: bool = False) -> Iterator[Shard]:
    """Yield shards of the games from `first` up to but excluding `games`.

    Their sum is the same for any division. With `growing`, shards grow with the number of games before them.
    """
    even = max(1, min(LARGEST, -(-(games - first) // SHARDS)))
    while first < games:
        size = max(10, min(LARGEST, first // 10)) if growing else even
        yield replace(shard, first=first, last=min(first + size, games))
        first += size


def _play_shards(
    ruleset: Ruleset, shards: Iterable[Shard], workers: int, executor: Executor | None
) -> Iterator[ShardResult]:
    """Yield the result of each shard, in order. One worker without an executor plays them in this process.

    Raises `RulewrightError` if the rules fail in play, and `WorkersLostError` if a worker process is killed.
    """
    if executor is None and workers == 1:
        for shard in shards:
            refuse_stopped()
            yield play_games(ruleset, shard)
        return
    with open_processes(workers) if executor is None else nullcontext(executor) as pool:
        yield from iterate_in_order(pool, play, shards, ahead=count_shards_under_way(workers, executor))


def count_shards_under_way(workers: int, executor: Executor | None) -> int:
    """Return the number of shards to keep in progress.

    An external executor does not report its size, so it gets `SHARDS`.
    """
    return 2 * workers if executor is None or workers > 1 else SHARDS


def _refuse_numbers(games: Any, workers: Any, executor: Any) -> None:
    """Raise `RulewrightError` for games or workers that are no integers above 0, and for an invalid executor."""
    for number, least, text in ((games, 1, "needs at least one game"), (workers, 1, "needs at least one worker")):
        if type(number) is not int:
            raise RulewrightError(f"a simulation {text}, not {quote_value(number)}")
        if number < least:
            raise RulewrightError(f"a simulation {text}")
    if executor is not None and (isinstance(executor, type) or not callable(getattr(executor, "submit", None))):
        raise RulewrightError(f"an executor must be a `concurrent.futures.Executor`, not {quote_value(executor)}")


def _refuse_kinds(policies: Any, options: Any, values: Any) -> None:
    """Raise `RulewrightError` for an argument of a wrong type."""
    if isinstance(policies, str) or not isinstance(policies, Sequence):
        raise RulewrightError(f"`policies` must be a list with one bot name per seat, not {quote_value(policies)}")
    if any(callable(policy) for policy in policies):
        raise RulewrightError(
            "`simulate` takes bot names only, so that every worker can create them; to use your own function, "
            "loop over games with `Game`"
        )
    if not isinstance(options, Mapping | None):
        raise RulewrightError(f"`options` must be a mapping from settings to choices, not {quote_value(options)}")
    if not isinstance(values, Sequence) or any(
        not isinstance(value, tuple) or len(value) != 2 or not all(isinstance(part, str) for part in value)
        for value in values
    ):
        expected = "a list of pairs such as ('numbers.goal', '50')"
        raise RulewrightError(f"`values` must be {expected}, not {quote_value(values)}")


def _refuse(ruleset: Ruleset, policies: tuple[str, ...], options: dict[str, str]) -> None:
    """Raise `RulewrightError` for rules without a whole game, a wrong number of bots, or an unknown setting or bot."""
    fewest, most = ruleset.players
    if ruleset.start is None:
        raise RulewrightError(f"{ruleset.reference} has no `start:`, so there is no whole game to play")
    if not fewest <= len(policies) <= most:
        raise RulewrightError(f"{ruleset.title} is for {ruleset.format_players()}, not {len(policies)}")
    for name, choice in options.items():
        option = ruleset.declarations.options.get(name) if isinstance(name, str) else None
        if option is None or not isinstance(choice, str) or choice not in option.choices:
            raise RulewrightError(explain_unknown_setting(ruleset, name, choice))
    for seat, name in enumerate(policies, 1):
        bots.make(name, ruleset, seed=0, seat=seat)
