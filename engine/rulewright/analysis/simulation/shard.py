"""A shard, a range of games that any worker can play. It is plain data and may include the files of the rules."""

from __future__ import annotations

import hashlib
import json
import os
import tempfile
import zlib
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from rulewright.ai import bots
from rulewright.analysis.simulation.failed_game import GameNumbers, build_play_command, transport_faults
from rulewright.analysis.simulation.game_counts import Counts, GameRow, add_details, make_row
from rulewright.analysis.simulation.workers import refuse_others
from rulewright.base.errors import RulewrightError
from rulewright.dice.sampling.random_generator import Generator
from rulewright.engine.game.script import draw_outcome
from rulewright.engine.python_backend.compiler import FusedMachine, PythonMachine, compile_fused, compile_ruleset
from rulewright.engine.python_backend.runtime_support import Picks
from rulewright.engine.state.faults import RulesFault
from rulewright.engine.state.game_state import CHANCE, OVER, State, compute_measure, evaluate_expression
from rulewright.engine.wasm_backend.availability import is_available
from rulewright.engine.wasm_backend.interrupts import defer_interrupts, stop_on_signals
from rulewright.language.declarations import FIRST_PLAYER
from rulewright.ruleset.editions.catalogue import Catalogue
from rulewright.ruleset.editions.edition import MANIFEST, list_rules_files
from rulewright.ruleset.editions.search_path import search_path
from rulewright.ruleset.load_ruleset import load_pinned
from rulewright.ruleset.overlay import Value, with_values
from rulewright.ruleset.ruleset import Ruleset
from rulewright.ruleset.schema.edition_reference import parse_reference
from rulewright.ruleset.sections.measures import Measure
from rulewright.source.diagnostics.collector import Diagnostics

if TYPE_CHECKING:
    from rulewright.engine.wasm_backend.bot_games import BotGames, Series
    from rulewright.engine.wasm_backend.native_bots import Bot

T = TypeVar("T")

ANY = "random"
"""The bot that takes any option. Fused programs play it natively, because it needs nothing of the position."""

MOST_SEATS = 10
"""The maximum number of players for games in WebAssembly, because of the encoding of winners."""

MOST_DECISIONS = 1_000_000
"""The number of decisions after which a game is stopped. It then counts as unfinished, not as a draw."""


@dataclass(frozen=True, slots=True)
class Shard:
    """The games from `first` up to, but not including, `last`, of a run.

    Attributes:
        reference: The reference of the ruleset.
        digest: The digest of everything that the counts depend on. A worker with other rules refuses the shard.
        rules: The folders in which workers look for rulesets.
        policies: The name of a bot for each seat. The bots move one seat on with each game, to cancel seat advantage.
        options: The settings of the game, as pairs.
        seed: The random seed of the run.
        first: The number of the first game.
        last: The number after the last game.
        coverage: Whether to count steps, rows and options.
        rows: Whether to return each game as a row.
        dice_by_step: Whether the n-th roll of each step is the same in all games of a number, whatever else is rolled.
        careless: The number of a step at which the first of `policies` answers at random, if any.
        opening: The index of the option that the first decision of each game takes, if any.
        values: Values that replace values in the rules.
        bundle: The files of the rules, for workers on other computers, which use them instead of `rules`.
        programs: The versions that a worker must have, or an empty text for any.
    """

    reference: str
    digest: str
    rules: tuple[str, ...]
    policies: tuple[str, ...]
    options: tuple[tuple[str, str], ...]
    seed: str
    first: int
    last: int
    coverage: bool = False
    rows: bool = False
    dice_by_step: bool = False
    careless: int | None = None
    opening: int | None = None
    values: tuple[Value, ...] = ()
    bundle: bytes = b""
    programs: str = ""


@dataclass(slots=True)
class ShardResult:
    """The results of a shard: its counts and, if requested, its games as rows."""

    counts: Counts
    rows: list[GameRow] = field(default_factory=list)


_LOADED: dict[tuple[str, tuple[str, ...], tuple[Value, ...]], Ruleset] = {}

MOST_LOADED = 16
"""The number of recently used rulesets that a worker caches."""


def play(shard: Shard) -> ShardResult:
    """Play a shard in a worker.

    Raises `RulewrightError` if the worker's rules or program versions differ from the client's, or if the rules fail in
    play.
    """
    refuse_others(shard.programs)
    rules = (unpack_rules(shard.bundle),) if shard.bundle else shard.rules
    ruleset = load_shared(shard.reference, rules, shard.digest, shard.values)
    return play_games(ruleset, shard)


def load_shared(reference: str, rules: tuple[str, ...], digest: str, values: tuple[Value, ...] = ()) -> Ruleset:
    """Return a ruleset from the worker's cache, and load it again if its digest has changed.

    Raises `RulewrightError` if the ruleset cannot be loaded or does not have this `digest`.
    """
    key = (reference, rules, values)
    # Reload rules that have changed since an earlier run.
    if key not in _LOADED or _LOADED[key].digest_of_counts != digest:
        if len(_LOADED) >= MOST_LOADED:
            _LOADED.pop(next(iter(_LOADED)))
        ruleset = load_pinned(reference, rules=rules)
        _LOADED[key] = with_values(ruleset, values) if values else ruleset
    ruleset = _LOADED[key] = _LOADED.pop(key)  # move it to the end, as the most recently used one
    if ruleset.digest_of_counts != digest:
        raise RulewrightError(
            f"this worker has other rules or measures for {reference}: their digest is {ruleset.digest_of_counts}, "
            f"but the job needs {digest}"
        )
    return ruleset


def play_games(ruleset: Ruleset, shard: Shard) -> ShardResult:
    """Play a shard's games with a loaded ruleset. Raises `RulewrightError` if the rules fail in play."""
    numbers = GameNumbers(shard.first, shard.last)

    def build_command(number: int) -> str:
        seats = seat_policies(shard.policies, number)
        return build_play_command(shard.reference, seats, f"{shard.seed}/{number}", dict(shard.options), shard.rules)

    # `play` cannot replace values or answers.
    plain = not shard.values and shard.careless is None
    with transport_faults(numbers, build_command if plain else None):
        return _games(ruleset, shard, numbers)


def _games(ruleset: Ruleset, shard: Shard, numbers: GameNumbers) -> ShardResult:
    """Play the games of a shard in the fastest back end that can, and return their counts, with rows if requested.

    Raises `RulesFault` if the rules fail in play, and `RulewrightError` for an unknown bot.
    """
    machine: PythonMachine
    anybody = all(name == ANY for name in shard.policies)
    thinkers = find_native_bots(ruleset, shard.policies)
    if thinkers is not None:
        inside = _one_by_one_inside if shard.coverage or shard.rows else _counted_inside
        return inside(ruleset, shard, thinkers)
    if anybody and not shard.dice_by_step and shard.careless is None and shard.opening is None:
        machine = compile_fused(ruleset, recording=shard.coverage)
    else:
        machine = compile_ruleset(ruleset, recording=shard.coverage, sampling=not shard.dice_by_step)
    played = ShardResult(Counts(len(shard.policies), dict.fromkeys(shard.policies, 0)))
    options = dict(shard.options)
    if isinstance(machine, FusedMachine) and not (shard.coverage or shard.rows):
        _play_at_once(machine, shard, options, played.counts, numbers)
        return played
    for number in numbers:
        row = _play_one(machine, shard, number, options, played.counts)
        if shard.rows:
            played.rows.append(row)
    return played


def find_native_bots(ruleset: Ruleset, policies: Sequence[str]) -> list[Bot] | None:
    """Return these bots as the WebAssembly module of the ruleset knows them.

    None if the module is not available, if there are too many players, or if one of the bots runs only in Python.
    Raises `RulewrightError` for an unknown bot.
    """
    if not is_available() or len(policies) > MOST_SEATS:
        return None
    results = [bots.inside(name, ruleset) for name in policies]
    known = [bot for bot in results if bot is not None]
    return known if len(known) == len(results) else None


def _counted_inside(ruleset: Ruleset, shard: Shard, thinkers: Sequence[Bot]) -> ShardResult:
    """Play and count the games in WebAssembly, without rows.

    Raises `RulesFault` if the rules fail.
    """
    from rulewright.engine.wasm_backend.bot_games import END, FIGURE, LENGTH

    counts = Counts(len(shard.policies), dict.fromkeys(shard.policies, 0))
    measures = [*ruleset.measures]
    clocked = _list_clocked(ruleset)
    inside = get_native_games(ruleset)
    with defer_interrupts():
        counting = inside.open_counting(build_series(shard, thinkers))
    for first, last in _pieces(shard):
        for _ in split_into_chunks(counting.run(first, last), inside):
            pass
    for (what, one, two, three), times in counting.counted():
        if what == END:
            seats = seat_policies(shard.policies, one)
            counts.add_ends(seats=seats, winners=_seats_of(two), decided=three, games=times)
        elif what == LENGTH:
            counts.add_lengths({one: times})
        elif what == FIGURE:
            counts.measures.setdefault(measures[one], Counter())[two] += times
        else:
            counts.add_moment(clocked[one], two, three, times)
    return ShardResult(counts)


def _one_by_one_inside(ruleset: Ruleset, shard: Shard, thinkers: Sequence[Bot]) -> ShardResult:
    """Play the games one by one in WebAssembly, and return their counts, with rows and coverage as requested.

    Raises `RulesFault` if the rules fail.
    """
    from rulewright.engine.wasm_backend.bot_games import END, FIGURE, LENGTH, MOMENT, decode_winners

    played = ShardResult(Counts(len(shard.policies), dict.fromkeys(shard.policies, 0)))
    measures = [*ruleset.measures]
    clocked = _list_clocked(ruleset)
    inside = get_native_games(ruleset)
    play = inside.play_watched if shard.coverage else inside.play_each
    series = build_series(shard, thinkers)
    pieces = (piece for first, last in _pieces(shard) for piece in play(series, first, last))
    lines = [game for game in split_into_chunks(pieces, inside) if game is not None]
    for game in lines:
        number, rows, happened = game.number, game.rows, game.step_counts
        for _, clock, moment, value in (row for row in rows if row[0] == MOMENT):
            played.counts.add_moment(clocked[clock], moment, value)
        _, turn, won, decided = next(row for row in rows if row[0] == END)
        decisions = next(row[1] for row in rows if row[0] == LENGTH)
        values = {measures[row[1]]: row[2] for row in sorted(rows) if row[0] == FIGURE}
        sat, winners = seat_policies(shard.policies, turn), decode_winners(won)
        played.counts.add_game(seats=sat, winners=winners, decisions=decisions, measures=values, decided=decided)
        if happened is not None:
            played.counts.steps.update(happened.steps)
            add_details(played.counts, ruleset, happened.events, winners)
        if shard.rows:
            played.rows.append(make_row(number, sat, winners, decisions, values))
    return played


def get_native_games(ruleset: Ruleset) -> BotGames:
    """Return the WebAssembly module that plays games of a ruleset."""
    from rulewright.engine.wasm_backend.bot_games import games

    return games(ruleset)


def build_series(shard: Shard, thinkers: Sequence[Bot]) -> Series:
    """Return the settings of a shard's games in the form that the WebAssembly module needs."""
    from rulewright.engine.wasm_backend.bot_games import Series

    return Series(
        shard.seed,
        len(shard.policies),
        dict(shard.options),
        MOST_DECISIONS,
        thinkers,
        dice_by_step=shard.dice_by_step,
        careless=shard.careless,
        opening=shard.opening,
    )


@contextmanager
def defer_interrupts_in_module(inside: BotGames) -> Iterator[None]:
    """Defer interrupts, which the bindings might lose, and let an interrupt stop the current game."""
    with stop_on_signals(inside.stop), defer_interrupts():
        yield


def split_into_chunks(pieces: Iterator[T], inside: BotGames) -> Iterator[T]:
    """Yield the results of a module one by one.

    An interrupt stops the module and discards the unfinished result.
    """
    while True:
        with defer_interrupts_in_module(inside):
            results = [*islice(pieces, 1)]
        if not results:
            return
        yield results[0]


_AT_A_TIME = 200
"""The number of games per call of the module."""


def _pieces(shard: Shard) -> Iterator[tuple[int, int]]:
    for first in range(shard.first, shard.last, _AT_A_TIME):
        yield first, min(first + _AT_A_TIME, shard.last)


def _list_clocked(ruleset: Ruleset) -> list[str]:
    """Return the ids of the measures with a `per:`."""
    return [measure.id for measure in ruleset.measures.values() if measure.per is not None]


def _seats_of(bits: int) -> tuple[int, ...] | None:
    """Return the seats with a set bit, or None for a game that did not end."""
    return None if bits < 0 else tuple(seat for seat in range(bits.bit_length()) if bits >> seat & 1)


def seat_policies(policies: Sequence[str], number: int) -> tuple[str, ...]:
    """Return the bots by seat in a game. All bots move one seat on with each game."""
    turn = number % len(policies)
    return tuple(policies[turn:]) + tuple(policies[:turn])


def set_up_state(machine: PythonMachine, players: int, *, seed: str, options: Mapping[str, str]) -> State:
    """Return a game before its start, with the same dice as `rulewright play` for this seed."""
    state = machine.empty(players, options=options)
    state.generator = Generator(seed, "dice")
    return state


def set_up_game(
    machine: PythonMachine, seats: Sequence[str], *, seed: str, options: Mapping[str, str]
) -> tuple[State, list[bots.Policy]]:
    """Return a game before its start and its bots, with the same dice and bots as `rulewright play` for this seed."""
    state = set_up_state(machine, len(seats), seed=seed, options=options)
    return state, [bots.make(name, machine.ruleset, seed=seed, seat=seat) for seat, name in enumerate(seats, 1)]


def _play_one(machine: PythonMachine, shard: Shard, number: int, options: dict[str, str], counts: Counts) -> GameRow:
    """Play a game, add it to `counts` with its coverage, and return its row.

    Raises `RulesFault` if the rules fail.
    """
    seats = seat_policies(shard.policies, number)
    seed = f"{shard.seed}/{number}"
    if isinstance(machine, FusedMachine):
        state, decisions, first = _fused_game(machine, len(seats), seed, options, counts, recording=shard.coverage)
    else:
        state, decisions, first = _game(machine, seats, shard, number, counts)
    return count_game(counts, state, number=number, seats=seats, decisions=decisions, first=first)


def count_game(
    counts: Counts, state: State, *, number: int, seats: tuple[str, ...], decisions: int, first: int | None
) -> GameRow:
    """Add a game to `counts`, with its coverage if `state` has events, and return its row.

    `seats` names the player in each seat, and `first` is the player who made the first decision, if any. Raises
    `RulesFault` if a measure fails.
    """
    ruleset = state.machine.ruleset
    won = state.winners if state.mode == OVER else None
    winners = None if won is None else tuple(winner - FIRST_PLAYER for winner in won)
    measures = ruleset.measures.values() if winners is not None else ()
    values = {measure.id: _value(state, measure, first) for measure in measures}
    decided = state.frame[0] if winners is not None else 0
    counts.add_game(seats=seats, winners=winners, decisions=decisions, measures=values, decided=decided)
    if state.events is not None:
        add_details(counts, ruleset, state.events, winners)
    return make_row(number, seats, winners, decisions, values)


_Played = tuple[State, int, int | None]
"""The final state of a game, its number of decisions, and the player who made the first one."""


def _game(machine: PythonMachine, seats: Sequence[str], shard: Shard, number: int, counts: Counts) -> _Played:
    """Play a game to its end or for `MOST_DECISIONS`.

    Adds the series of the measures to `counts`, but does not count the game. Raises `RulesFault` if the rules fail.
    """
    seed = f"{shard.seed}/{number}"
    state, policies = set_up_game(machine, seats, seed=seed, options=dict(shard.options))
    if shard.coverage:
        state.events = []
    if shard.dice_by_step:
        state.generator = None
    rolled: Counter[int] = Counter()
    # The bot of the first place sits one seat further back with each game.
    careless = -number % len(seats)
    anything = bots.make(ANY, machine.ruleset, seed=seed, seat=careless + 1)
    assert machine.ruleset.start is not None
    machine.begin(state, machine.ruleset.start, ())
    clocks = MeasureClocks(state, counts)
    decisions, first = 0, None
    while state.mode != OVER and decisions < MOST_DECISIONS:
        step = state.frame[0]
        if state.mode == CHANCE:
            dice = Generator(seed, f"dice {step} {rolled[step]}")
            rolled[step] += 1
            state.apply_outcome(draw_outcome(state.roll, dice).value)
            continue
        first = first or state.who
        clocks.look(first)
        seat = state.who - FIRST_PLAYER
        if shard.opening is not None and not decisions and shard.opening < len(state.options):
            option = shard.opening
        else:
            option = policies[seat](state)
            if step == shard.careless and seat == careless:
                # Its bot has drawn the same numbers as without this answer, so that only the answer has effects.
                option = anything(state)
        state.apply(option)
        decisions += 1
    clocks.look(first)
    return state, decisions, first


def _play_at_once(
    machine: FusedMachine, shard: Shard, options: dict[str, str], counts: Counts, numbers: GameNumbers
) -> None:
    """Play a shard's games in one call each, group them by result, and add them to `counts`.

    Raises `RulesFault` if the rules fail.
    """
    players = len(shard.policies)
    timed = any(measure.per is not None for measure in machine.ruleset.measures.values())
    start = machine.ruleset.start
    assert start is not None
    ends: dict[tuple[int, tuple[int, ...] | None, int], int] = {}
    lengths: dict[int, int] = {}
    measured = {name: Counter[int]() for name in machine.measures}
    for number in numbers:
        seed = f"{shard.seed}/{number}"
        state = set_up_state(machine, players, seed=seed, options=options)
        clocks = MeasureClocks(state, counts) if timed else None
        picks = Picks(seed, players, MOST_DECISIONS, clocks.look if clocks else None)
        state.bots = picks.draws
        if clocks:
            clocks.picks = picks
        machine.begin(state, start, ())
        if clocks:
            clocks.look()
        if state.mode == OVER:
            end = (number % players, state.winners, state.frame[0] if state.winners is not None else 0)
            if state.winners is not None:
                with _locate_faults(state):
                    for name, result in measured.items():
                        result[machine.measure(state, name, picks.first)] += 1
        else:
            end = (number % players, None, 0)
        ends[end] = ends.get(end, 0) + 1
        decisions = MOST_DECISIONS - picks.left
        lengths[decisions] = lengths.get(decisions, 0) + 1
    for (turn, won, decided), games in ends.items():
        winners = None if won is None else tuple(winner - FIRST_PLAYER for winner in won)
        counts.add_ends(seats=seat_policies(shard.policies, turn), winners=winners, decided=decided, games=games)
    counts.add_lengths(lengths)
    counts.measures.update({name: result for name, result in measured.items() if result})


def _fused_game(
    machine: FusedMachine, players: int, seed: str, options: dict[str, str], counts: Counts, *, recording: bool
) -> _Played:
    """Play a game to its end or for `MOST_DECISIONS`, in one call.

    Adds the series of the measures to `counts`, but does not count the game. Raises `RulesFault` if the rules fail.
    """
    state = set_up_state(machine, players, seed=seed, options=options)
    if recording:
        state.events = []
    clocks = MeasureClocks(state, counts)
    clocks.picks = picks = Picks(seed, players, MOST_DECISIONS, clocks.look)
    state.bots = picks.draws
    assert machine.ruleset.start is not None
    machine.begin(state, machine.ruleset.start, ())
    clocks.look()
    return state, MOST_DECISIONS - picks.left, picks.first


class MeasureClocks:
    """A recorder of the measures with a `per:` in one game, for each new moment."""

    def __init__(self, state: State, counts: Counts) -> None:
        self.state = state
        self.counts = counts
        self.timed = [measure for measure in state.machine.ruleset.measures.values() if measure.per is not None]
        self.last: dict[str, int] = {}
        self.picks: Picks | None = None

    def look(self, first: int | None = None) -> None:
        """Add to the counts the value of each measure for which the moment has changed since the last call.

        `first` is the player who makes the first decision, if there is one. In a fused game, `picks` has it.
        """
        if self.picks is not None:
            first = self.picks.first
        for measure in self.timed:
            moment = _moment(self.state, measure)
            if self.last.get(measure.id) != moment:
                self.last[measure.id] = moment
                self.counts.add_moment(measure.id, moment, _value(self.state, measure, first))


def _value(state: State, measure: Measure, first: int | None) -> int:
    """Return the value of a measure in a state. `first` is the player who made the first decision, if any.

    Raises `RulesFault` if the rules fail.
    """
    machine = state.machine
    with _locate_faults(state):
        if isinstance(machine, FusedMachine):
            return machine.measure(state, measure.id, first)
        return compute_measure(state, measure, first)


def _moment(state: State, measure: Measure) -> int:
    """Return the moment (the `per:` value) of a measure in a state.

    Raises `RulesFault` if the rules fail.
    """
    machine = state.machine
    with _locate_faults(state):
        if isinstance(machine, FusedMachine):
            return machine.read_clock(state, measure.id)
        assert measure.per is not None
        moment: int = evaluate_expression(state, measure.per)
        return moment


@contextmanager
def _locate_faults(state: State) -> Iterator[None]:
    """Turn an overflow in a measure into a `RulesFault` at the current step of the game.

    In a fused game, which has no current step, the `OverflowError` passes through.
    """
    try:
        yield
    except OverflowError as error:
        step = state.machine.ruleset.steps.get(state.frame[0])
        if step is None:
            raise  # in a fused game, the code itself shows the position
        raise RulesFault(step, str(error)) from error


def pack_rules(ruleset: Ruleset, rules: tuple[str, ...] = ()) -> bytes:
    """Return the compressed files of `ruleset`, with the manifests of the editions that it follows.

    `rules` are the folders to find it in. Paths in the bundle are relative. Raises `DiagnosticError` if it is not
    found.
    """
    catalogue = Catalogue(search_path([Path(folder) for folder in rules]))
    files: dict[str, str] = {}
    for part in catalogue.chain(catalogue.find(parse_reference(ruleset.reference))):
        for path in (part.path, *list_rules_files(part.folder, Diagnostics())):
            files[f"{_folder(part.id)}/{path.relative_to(part.folder).as_posix()}"] = path.read_text(encoding="utf-8")
        if part.follows is not None:
            followed = catalogue.find(part.follows)
            files.setdefault(f"{_folder(followed.id)}/{MANIFEST}", followed.path.read_text(encoding="utf-8"))
    return zlib.compress(json.dumps(files, sort_keys=True).encode("utf-8"))


def unpack_rules(bundle: bytes) -> str:
    """Unpack a bundle into a folder for temporary files and return the folder.

    Equal bundles share one folder, which is kept for later runs. Raises `ValueError` if a path in the bundle leads out
    of the folder.
    """
    name = f"rulewright-{os.getuid() if hasattr(os, 'getuid') else 0}-{hashlib.sha256(bundle).hexdigest()[:24]}"
    folder = Path(tempfile.gettempdir()) / name
    if folder.is_dir():
        return str(folder)
    with tempfile.TemporaryDirectory(prefix="rulewright-") as result:
        inner = Path(result) / "rules"
        for path, text in _files(bundle):
            # `pack_rules` never writes a path that leads out of the folder.
            if not (inner / path).resolve().is_relative_to(inner.resolve()):
                raise ValueError(f"{path} leads out of the folder of the bundle")
            (inner / path).parent.mkdir(parents=True, exist_ok=True)
            (inner / path).write_text(text, encoding="utf-8")
        try:
            inner.rename(folder)
        except OSError:
            # Another worker created the folder first, with the same files.
            if not folder.is_dir():
                raise
    return str(folder)


def _files(bundle: bytes) -> Iterator[tuple[str, str]]:
    yield from json.loads(zlib.decompress(bundle)).items()


def _folder(identity: str) -> str:
    return identity.replace("/", "+")
