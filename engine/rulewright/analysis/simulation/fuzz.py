"""Random games with every combination of settings, to find rules that fail or games that never end.

If there are too many combinations, the games use a set that covers all pairs of choices. Failures become diagnostics,
with the command that reproduces them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations, product
from math import prod
from os import fspath
from pathlib import Path
from typing import Literal

from rulewright.analysis.simulation.failed_game import build_play_command
from rulewright.analysis.simulation.shard import (
    MOST_DECISIONS,
    MOST_SEATS,
    defer_interrupts_in_module,
    get_native_games,
    load_shared,
    set_up_game,
)
from rulewright.analysis.simulation.workers import count_processors, open_processes, spread
from rulewright.engine.python_backend.compiler import compile_ruleset
from rulewright.engine.state.faults import RulesFault
from rulewright.engine.state.game_state import OVER
from rulewright.engine.wasm_backend.availability import is_available
from rulewright.engine.wasm_backend.interrupts import defer_interrupts
from rulewright.language.checked_steps import Procedure, Step
from rulewright.language.declarations import FIRST_PLAYER
from rulewright.ruleset.ruleset import Ruleset
from rulewright.source.diagnostics.diagnostic import Code, Diagnostic
from rulewright.source.span import Span

MOST_COMBINATIONS = 1_000
"""The maximum number of setting combinations that are all played. Beyond it, a subset covers all pairs of choices."""

FOR_A_WHILE = 2_000
"""The maximum number of decisions of a game with settings that the ruleset avoids in simulations."""

SHARDS = 256
"""The maximum number of chunks of games: small enough to show progress, large enough for little overhead."""

WORTH_A_WORKER = 16
"""The minimum number of games that justifies starting another process."""


@dataclass(frozen=True, slots=True)
class Playout:
    """One random game with at most `most` decisions. If `ends` is true, the game must end by then."""

    settings: tuple[tuple[str, str], ...]
    players: int
    seed: str
    most: int
    ends: bool


@dataclass(frozen=True, slots=True)
class FuzzFault:
    """A failure in game `number`.

    The kind is a step that fails in play (`fault`), a game without an end after `message` decisions (`endless`), or an
    error in Rulewright itself (`program`).
    """

    number: int
    playout: Playout
    kind: Literal["fault", "endless", "program"]
    rule: str
    message: str
    span: Span | None


@dataclass(slots=True)
class FuzzResult:
    """The results of random games with a number of `combinations` of settings.

    `whole` is true if these are all combinations and false if they only cover all pairs. `ended` counts the games that
    had to end and did. `left` counts the games that did not have to end. `faults` maps each distinct failure to its
    first game and its number of games. `in_all` is the planned number of games. An interrupt leaves some of them
    unplayed.
    """

    combinations: int = 0
    whole: bool = True
    in_all: int = 0
    ended: int = 0
    left: int = 0
    decisions: int = 0
    faults: dict[tuple[str, str, str], tuple[FuzzFault, int]] = field(default_factory=dict)

    @property
    def interrupted(self) -> bool:
        """Whether the run ended before all games were played."""
        return self.games < self.in_all

    @property
    def games(self) -> int:
        """The number of games played, including failures."""
        return self.ended + self.left + sum(count for _, count in self.faults.values())

    def add(self, fault: FuzzFault) -> None:
        """Count the failure of one game."""
        # The step of a fault identifies it, but the step at which an endless game was stopped means little.
        same = (fault.kind, "", "") if fault.kind == "endless" else (fault.kind, fault.rule, fault.message)
        self._count(same, fault, 1)

    def take(self, other: FuzzResult) -> None:
        """Add the games of `other`."""
        self.ended += other.ended
        self.left += other.left
        self.decisions += other.decisions
        for same, (fault, count) in other.faults.items():
            self._count(same, fault, count)

    def _count(self, same: tuple[str, str, str], fault: FuzzFault, more: int) -> None:
        first, count = self.faults.get(same, (fault, 0))
        self.faults[same] = (min(first, fault, key=lambda each: each.number), count + more)


@dataclass(frozen=True, slots=True)
class FuzzChunk:
    """The games from `first` up to, but not including, `end`, for a worker that loads the rules itself.

    `digest` is the digest of everything that the counts depend on.

    The chunk does not list its games. Chunks in the queue of a process pool must not fill its pipe, or a pool with
    stopped workers would wait forever (Python before 3.11.5, https://github.com/python/cpython/issues/94777).
    """

    reference: str
    digest: str
    rules: tuple[str, ...]
    first: int
    end: int
    games: int
    most: int


def play_out(
    ruleset: Ruleset,
    *,
    games: int = 1,
    workers: int | None = 1,
    most: int = MOST_DECISIONS,
    rules: Sequence[str | Path] = (),
    progress: Callable[[int, int], None] | None = None,
) -> FuzzResult:
    """Play `games` random games with every combination of settings and return the results.

    The results are the same for any number of `workers`. An interrupt ends the run, and the result then holds the games
    played so far. A ruleset without a `start:` procedure gives an empty result.

    Args:
        ruleset: The rules to test.
        games: The number of games for each combination.
        workers: The number of worker processes. By default 1; None means one per processor, or fewer for few games.
        most: The maximum number of decisions. A game that must end by then counts as endless.
        rules: The folders given to `load_ruleset`, from which the workers load the rules.
        progress: Receives the number of games played and the total, also once before the first game.
    """
    if ruleset.start is None:
        return FuzzResult()
    pinned, others, whole = _combinations(ruleset)
    in_all = games * (len(pinned) + len(others))
    played = FuzzResult(combinations=len(pinned) + len(others), whole=whole, in_all=in_all)
    size = -(-in_all // SHARDS)
    folders = tuple(fspath(folder) for folder in rules)
    pieces = (
        FuzzChunk(ruleset.reference, ruleset.digest_of_counts, folders, first, min(first + size, in_all), games, most)
        for first in range(0, in_all, size)
    )
    if workers is None:
        workers = max(1, min(count_processors(), in_all // WORTH_A_WORKER))
    if progress is not None:
        progress(0, in_all)
    try:
        for result in _play_all(ruleset, pieces, workers):
            with defer_interrupts():
                played.take(result)
            if progress is not None:
                progress(played.games, in_all)
    except KeyboardInterrupt:
        pass  # the counts show how many games were not played
    return played


def _combinations(ruleset: Ruleset) -> tuple[Sequence[Mapping[str, str]], Sequence[Mapping[str, str]], bool]:
    """Return the combinations that must end, the other combinations, and whether these are all."""
    choices = {option.id: tuple(option.choices) for option in ruleset.declarations.options.values()}
    return to_play(choices, ruleset.simulations, most=MOST_COMBINATIONS)


def list_games(
    ruleset: Ruleset,
    pinned: Sequence[Mapping[str, str]],
    others: Sequence[Mapping[str, str]],
    *,
    games: int,
    most: int,
    first: int = 0,
    end: int | None = None,
) -> Iterator[Playout]:
    """Yield the games number `first` up to `end` (default: all) of these combinations, `games` for each.

    Games with `pinned` settings come first and must end within `most` decisions. The others have `FOR_A_WHILE`
    decisions at most.
    """
    fewest, largest = ruleset.players
    for game in range(first, games * (len(pinned) + len(others)) if end is None else end):
        place, number = divmod(game, games)
        ends = place < len(pinned)
        settings = pinned[place] if ends else others[place - len(pinned)]
        players = fewest + (place + number) % (largest - fewest + 1)
        seed = f"{ruleset.digest}/{place}/{number}"
        limit = most if ends else min(most, FOR_A_WHILE)
        yield Playout(tuple(settings.items()), players, seed, limit, ends)


def _play_all(ruleset: Ruleset, pieces: Iterator[FuzzChunk], workers: int) -> Iterator[FuzzResult]:
    """Yield the results of the chunks, played in this process for one worker, and otherwise in order of completion.

    Raises `WorkersLostError` if a worker process is killed.
    """
    if workers == 1:
        for piece in pieces:
            yield play_piece_of(ruleset, piece)
        return
    with open_processes(workers) as pool:
        yield from spread(pool, play_piece, pieces, ahead=2 * workers)


def play_piece(piece: FuzzChunk) -> FuzzResult:
    """Play a chunk in a worker. Raises `RulewrightError` if the worker's rules differ from the client's."""
    return play_piece_of(load_shared(piece.reference, piece.rules, piece.digest), piece)


def play_piece_of(ruleset: Ruleset, piece: FuzzChunk) -> FuzzResult:
    """Play a chunk with a loaded ruleset. Failures of games are counted and not raised."""
    play = _inside(ruleset) if is_available() and ruleset.players[1] <= MOST_SEATS else _outside(ruleset)
    played = FuzzResult()
    pinned, others, _ = _combinations(ruleset)
    games = list_games(ruleset, pinned, others, games=piece.games, most=piece.most, first=piece.first, end=piece.end)
    for number, playout in enumerate(games, start=piece.first):
        play(number, playout, played)
    return played


Play = Callable[[int, Playout, FuzzResult], None]
"""A function that plays one game and counts its result."""


def _inside(ruleset: Ruleset) -> Play:
    """Return a function that plays games in WebAssembly. It counts the failure of a game and does not raise it."""
    from rulewright.engine.wasm_backend.bot_games import Series

    inside = get_native_games(ruleset)

    def play(number: int, playout: Playout, played: FuzzResult) -> None:
        seed, _, counted = playout.seed.rpartition("/")
        try:
            with defer_interrupts_in_module(inside):
                series = Series(seed, playout.players, dict(playout.settings), playout.most, ())
                ended = inside.play_one(series, int(counted))
        except RulesFault as fault:
            _count_fault(fault, number, playout, played)
            played.decisions += inside.decisions
            return
        except Exception as error:  # any failure is reported with its game, and the other games continue
            played.add(_fault(number, playout, "program", None, f"{type(error).__name__}: {error}"))
            played.decisions += inside.decisions
            return
        _count(number, playout, played, over=ended.over, decisions=ended.decisions, stands_at=ended.stands_at)

    return play


def _outside(ruleset: Ruleset) -> Play:
    """Return a function that plays games in generated Python. It counts the failure of a game and does not raise it."""
    machine = compile_ruleset(ruleset, sampling=True)

    def play(number: int, playout: Playout, played: FuzzResult) -> None:
        names = ("random",) * playout.players
        state, policies = set_up_game(machine, names, seed=playout.seed, options=dict(playout.settings))
        decisions = 0
        assert ruleset.start is not None
        try:
            machine.begin(state, ruleset.start, ())
            while state.mode != OVER and decisions < playout.most:
                state.apply(policies[state.who - FIRST_PLAYER](state))
                decisions += 1
        except RulesFault as fault:
            _count_fault(fault, number, playout, played)
            played.decisions += decisions
        except Exception as error:  # any failure is reported with its game, as above
            where = machine.locate_fault(state, error)
            played.add(_fault(number, playout, "program", where, f"{type(error).__name__}: {error}"))
            played.decisions += decisions
        else:
            over = state.mode == OVER
            stands_at = None if over else machine.step(state)
            _count(number, playout, played, over=over, decisions=decisions, stands_at=stands_at)

    return play


def _count(
    number: int, playout: Playout, played: FuzzResult, *, over: bool, decisions: int, stands_at: Step | None
) -> None:
    """Add a game to the results: as left early, as ended, or as the fault that it is endless."""
    played.decisions += decisions
    if not playout.ends:
        played.left += 1
    elif over:
        played.ended += 1
    else:
        played.add(_fault(number, playout, "endless", stands_at, f"{decisions:,}"))


def _count_fault(fault: RulesFault, number: int, playout: Playout, played: FuzzResult) -> None:
    span = fault.diagnostic.span if fault.diagnostic is not None else None
    played.add(FuzzFault(number, playout, "fault", fault.rule, fault.message, span))


def _fault(
    number: int, playout: Playout, kind: Literal["endless", "program"], where: Step | Procedure | None, message: str
) -> FuzzFault:
    rule = where.rule if isinstance(where, Step) else where.id if where is not None else ""
    return FuzzFault(number, playout, kind, rule, message, where.span if where is not None else None)


Settings = Mapping[str, str]
"""A choice for each setting."""


def combine_all(choices: Mapping[str, Sequence[str]]) -> list[Settings]:
    """Return every combination of choices, one for each setting."""
    return [dict(zip(choices, chosen, strict=True)) for chosen in product(*choices.values())]


def combine_pairwise(choices: Mapping[str, Sequence[str]]) -> list[Settings]:
    """Return combinations in which any two choices of different settings appear together at least once.

    Most failures depend on one choice or on a pair of choices, and few combinations cover all pairs. Each combination
    starts with an uncovered pair. For every other setting, it takes the choice that covers the most new pairs, and
    breaks ties by the number of uncovered pairs of the choice. Source: Cohen, Dalal, Fredman and Patton, "The AETG
    system", IEEE Transactions on Software Engineering 23 (1997).
    """
    if len(choices) < 2:
        return combine_all(choices)
    options = list(choices)
    apart = {
        frozenset({(one, first), (other, second)}): ((one, first), (other, second))
        for one, other in combinations(options, 2)
        for first in choices[one]
        for second in choices[other]
    }
    to_meet = Counter(chosen for pair in apart for chosen in pair)
    pairwise: list[Settings] = []
    while apart:
        settings = dict(next(iter(apart.values())))
        for option in options:
            if option not in settings:
                gain = {
                    choice: (
                        sum(frozenset({(option, choice), chosen}) in apart for chosen in settings.items()),
                        to_meet[option, choice],
                    )
                    for choice in choices[option]
                }
                settings[option] = max(gain, key=gain.__getitem__)
        for pair in map(frozenset, combinations(settings.items(), 2)):
            if apart.pop(pair, None) is not None:
                to_meet.subtract(pair)
        pairwise.append({option: settings[option] for option in options})
    return pairwise


def to_play(
    choices: Mapping[str, Sequence[str]], pinned: Settings, *, most: int
) -> tuple[list[Settings], list[Settings], bool]:
    """Return the combinations with the `pinned` choices, those without, and whether these are all combinations.

    If there are more than `most` combinations, both lists only cover all pairs.
    """
    whole = prod(len(each) for each in choices.values()) <= most
    choose = combine_all if whole else combine_pairwise
    fixed = {option: (pinned[option],) if option in pinned else each for option, each in choices.items()}
    others = [settings for settings in choose(choices) if any(settings[name] != pinned[name] for name in pinned)]
    return choose(fixed), others, whole


PLAYOUT_FAULT = Code(
    "playout-fault",
    "A random game that reached a step that cannot run",
    "Players may take every option they are offered, so every option must lead on.",
    "Guard the step with `when:`, or change what leads to it.",
)
PLAYOUT_ENDLESS = Code(
    "playout-endless",
    "A random game that does not end",
    "A game that can go on forever cannot be played to its end or simulated.",
    "Let the rules end it, or pin a setting that does so in the manifest: `simulations: {setting: choice}`.",
)
PLAYOUT_FAILED = Code(
    "playout-failed",
    "A random game that failed because of a bug in Rulewright",
    "Valid rules either run or report a fault, so this is a bug in Rulewright itself.",
    "Report the bug, with the rules and the command that reproduces it.",
)


def report_faults(played: FuzzResult, ruleset: Ruleset, *, rules: Sequence[str | Path] = ()) -> list[Diagnostic]:
    """Return one diagnostic for each distinct failure, in the order of the games.

    Each diagnostic describes the first game with that failure. `rules` are the folders of the ruleset, for the command
    that reproduces the game.
    """
    in_order = sorted(played.faults.values(), key=lambda each: each[0].number)
    return [_diagnostic(fault, count, played, ruleset, rules) for fault, count in in_order]


def _diagnostic(
    fault: FuzzFault, count: int, played: FuzzResult, ruleset: Ruleset, rules: Sequence[str | Path]
) -> Diagnostic:
    """Return the diagnostic of a fault that occurred in `count` games, with the command that reproduces it."""
    rule = f"`{fault.rule or ruleset.start}`"
    match fault.kind:
        case "fault":
            code, message = PLAYOUT_FAULT, f"{rule}: {fault.message}"
        case "endless":
            code, message = (
                PLAYOUT_ENDLESS,
                f"a game has not ended after {fault.message} decisions, and is at {rule}",
            )
        case "program":
            code, message = PLAYOUT_FAILED, f"{rule}: {fault.message}"
    span = fault.span or ruleset.procedures[ruleset.start or ""].span
    often, first = (f"{count:,} of {played.games:,} games failed like this. ", "the first") if count > 1 else ("", "it")
    hint = f"{code.fix}\n{often}To reproduce {first}:\n{build_command(fault.playout, ruleset, rules=rules)}"
    return Diagnostic(code, message, span, (), hint)


def build_command(playout: Playout, ruleset: Ruleset, *, rules: Sequence[str | Path] = ()) -> str:
    """Return the shell command that plays a game again."""
    seats = ["random"] * playout.players
    return build_play_command(ruleset.reference, seats, playout.seed, dict(playout.settings), rules)
