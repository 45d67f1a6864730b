"""Whole games between bots, played and counted inside the module."""

from __future__ import annotations

import json
from collections import Counter, deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from struct import Struct

from rulewright.base.lazy import lazy_property
from rulewright.dice.dice_error import DiceError
from rulewright.engine.state.faults import RulesFault
from rulewright.engine.state.game_state import list_outcomes
from rulewright.engine.wasm_backend.codegen.effect_code import (
    BY_ITSELF,
    COUNTING,
    DICE_BY_STEP,
    FORCING,
    PLAYING,
    RECORDING,
    STEP_BY_STEP,
)
from rulewright.engine.wasm_backend.codegen.memory_layout import BLOCK, WORDS
from rulewright.engine.wasm_backend.initial_state import InitialLayout
from rulewright.engine.wasm_backend.module_assembly import assemble_module
from rulewright.engine.wasm_backend.native_bots import ANYTHING, MOST_OUTCOMES, Bot
from rulewright.engine.wasm_backend.new_events import NewEvent, read_events
from rulewright.engine.wasm_backend.value_codec import ValueReader, ValueWriter
from rulewright.engine.wasm_backend.wasmtime_host import Host, load_module, share_per_thread
from rulewright.language.checked_steps import Step
from rulewright.language.lowering import list_marks, mark_of
from rulewright.ruleset.cache import storage
from rulewright.ruleset.cache.fingerprint import build_key, is_program_unchanged
from rulewright.ruleset.ruleset import Ruleset

_DICE = b"dice"

END, LENGTH, FIGURE, MOMENT = range(4)
"""The kinds of counted rows: ends (turn, winners as bits or negative, step), lengths, measures, and measures by
moment.
"""

Counted = tuple[tuple[int, int, int, int], int]
"""A row with its frequency."""

Rows = tuple[int, int, int, int]

_OUTCOME = Struct("<qd")

_WORTH = Struct("<d")

_SPENT = -1
"""The value in place of the winners for a game that reached the limit of decisions."""


@dataclass(frozen=True, slots=True)
class StepCounts:
    """The number of runs of each step, and the events that are recorded in full: answers, rolls and draws, in order."""

    steps: Mapping[int, int]
    events: list[NewEvent]


def decode_winners(word: int) -> tuple[int, ...] | None:
    """Return the winning seats, from 0, of a game that ran inside the module. None if the game did not end.

    The result is empty without a winner.
    """
    if word < 0:
        return None
    winners = []
    while word:
        winners.append((word & 63) - 1)
        word >>= 6
    return tuple(winners)


@dataclass(frozen=True, slots=True)
class PreparedModule:
    """A compiled module and the initial layout of its games. Both are plain data that can be stored in files."""

    code: bytes
    beginning: InitialLayout

    def pack(self) -> bytes:
        """Return as bytes."""
        head = json.dumps(self.beginning.to_plain()).encode()
        return len(head).to_bytes(8, "big") + head + self.code

    @classmethod
    def unpack(cls, data: bytes) -> PreparedModule:
        """Return the module that `pack` encoded. Raises `ValueError` or `TypeError` for other data."""
        end = 8 + int.from_bytes(data[:8], "big")
        return cls(data[end:], InitialLayout(**json.loads(data[8:end])))


def load_prepared(ruleset: Ruleset) -> PreparedModule:
    """Return the module of a ruleset, from the cache if possible. Otherwise compile and cache it."""
    saved = storage.read(build_key("wasm", ruleset.digest_of_all))
    if saved is not None:
        with suppress(ValueError, TypeError):
            return PreparedModule.unpack(saved)
    return prepare_module(ruleset)


def prepare_module(ruleset: Ruleset) -> PreparedModule:
    """Compile the module of a ruleset and store it in the cache, unless the program has changed while running."""
    module = assemble_module(ruleset)
    result = PreparedModule(module.code, InitialLayout.for_module(module))
    if is_program_unchanged():
        storage.write(build_key("wasm", ruleset.digest_of_all), result.pack())
    return result


@dataclass(frozen=True, slots=True)
class Series:
    """Games of one seed: game number n has the seed `seed`/n. None takes more than `most` decisions.

    `bots` are those of `rulewright.ai.bots.inside`, by their places at the table; everybody moves one seat on with
    every game. With `dice_by_step`, each roll of a step has random numbers of its own, so that a choice changes no
    other roll. At the step `careless`, if any, the bot of the first place answers at random. The first decision of a
    game takes the option with the index `opening`, if there is one.
    """

    seed: str
    players: int
    options: Mapping[str, str]
    most: int
    bots: Sequence[Bot]
    dice_by_step: bool = False
    careless: int | None = None
    opening: int | None = None

    @property
    def thinks(self) -> bool:
        """Whether any of the bots does more than choose at random, or an option is forced."""
        return self.opening is not None or any(bot.kind != ANYTHING for bot in self.bots)


@dataclass(frozen=True, slots=True)
class GameCounter:
    """Games of a series that are counted together.

    `run` plays the games from one number up to but excluding another. It yields at intervals, so that callers can
    interrupt it, and raises `RulesFault` if the rules fail. `counted` yields the counted rows, each with its
    frequency.
    """

    run: Callable[[int, int], Iterator[None]]
    counted: Callable[[], Iterator[Counted]]


@dataclass(frozen=True, slots=True)
class Single:
    """One game of a series with its number, its rows, and its events if they were recorded."""

    number: int
    rows: list[Rows]
    step_counts: StepCounts | None

    @property
    def winners(self) -> tuple[int, ...] | None:
        """The winning seats, from 0, in the order of the rules, or None if the game did not end."""
        return decode_winners(next(row[2] for row in self.rows if row[0] == END))


@dataclass(frozen=True, slots=True)
class ForcedOutcome:
    """A roll or draw with a forced result: its position among the chance events of the game, from 0, and the result.

    For a draw, `value` 0 forces the first card and any other value the last.
    """

    place: int
    value: int


@dataclass(frozen=True, slots=True)
class GameEnd:
    """The end of a game: whether it finished, its number of decisions, and its current step if it did not finish."""

    over: bool
    decisions: int
    stands_at: Step | None


class BotGames:
    """A player of games of one ruleset, one after another."""

    def __init__(self, ruleset: Ruleset) -> None:
        """Open the module of a ruleset. A cached module that cannot be opened is compiled again."""
        self.ruleset = ruleset
        self._prepared = load_prepared(ruleset)
        try:
            self.host = self._open()
        except Exception:  # the cached module may be invalid, or compiled from other rules
            self._prepared = prepare_module(ruleset)
            self.host = self._open()

    def _open(self) -> Host:
        ruleset = self.ruleset  # not `self`, because a reference cycle would keep the memory
        return Host(load_module(self._prepared.code), lambda: assemble_module(ruleset))

    @lazy_property
    def _reader(self) -> ValueReader:
        return ValueReader(self.host.module_info.layout, self.host.block)

    @lazy_property
    def _rolls(self) -> ValueWriter:
        """Return a writer for rolls in permanent memory, for the bots' knowledge of dice."""
        return ValueWriter(self.host.module_info.layout, partial(_stay, self.host), self.host.keep, self._reader)

    def open_counting(self, series: Series) -> GameCounter:
        """Return a counter that plays games of a series, with counts reset."""
        run = self._run(series)
        self.host.call("clear_counts", 0)
        return GameCounter(run, self._iterate_counts)

    def play_one(self, series: Series, number: int) -> GameEnd:
        """Play one game, and return its end. Clears the counts of the module, also those of a `GameCounter`.

        If it reaches the limit of decisions, it is played again to find the step of the last one. Raises `RulesFault`
        if the rules fail.
        """
        host = self.host
        host.call("clear_counts", 0)
        exhaust_pieces(self._run(series)(number, number + 1))
        rows = {what: (one, two) for (what, one, two, _), _ in self._iterate_counts() if what in (END, LENGTH)}
        over, decisions = rows[END][1] != _SPENT, rows[LENGTH][0]
        if over:
            return GameEnd(over, decisions, None)
        exhaust_pieces(self._run(series, flags=STEP_BY_STEP)(number, number + 1))
        return GameEnd(over, decisions, self.ruleset.steps.get(host.get("rule")))

    def stop(self) -> None:
        """Interrupt games in another thread, which raises `KeyboardInterrupt` there.

        Call it again until they have stopped.
        """
        self.host.stop()

    @property
    def decisions(self) -> int:
        """The number of completed decisions in the last game, if a fault ended it."""
        return max(self.host.get("decisions") - 1, 0)

    def play_each(self, series: Series, first: int, last: int) -> Iterator[Single | None]:
        """Yield the games from `first` up to but excluding `last`, one by one, without events.

        All of them are played before the first is yielded. None marks a pause between pieces, in which the caller may
        interrupt. Raises `RulesFault` if the rules fail.
        """
        yield from self._run(series, flags=BY_ITSELF)(first, last)
        results: list[list[Rows]] = [[] for _ in range(first, last)]
        for (what, one, two, three), _ in self._iterate_counts():
            results[(what >> 8) - 1].append((what & 0xFF, one, two, three))
        for number, rows in enumerate(results, start=first):
            yield Single(number, rows, None)

    def play_watched(self, series: Series, first: int, last: int) -> Iterator[Single | None]:
        """Yield every game from `first` up to but excluding `last`, with its step counts, answers, rolls and draws.

        None marks a pause between pieces. Raises `RulesFault` if the rules fail.
        """
        host = self.host
        sites = host.module_info.sites.events
        happened = host.module_info.layout.event_counters
        run = self._run(series, flags=BY_ITSELF | COUNTING | RECORDING)
        for number in range(first, last):
            host.call("clear_counts", 0)
            host.write(happened, [0] * len(sites))
            yield from run(number, number + 1)
            rows = [(what & 0xFF, one, two, three) for (what, one, two, three), _ in self._iterate_counts()]
            steps: Counter[int] = Counter()
            for site, times in zip(sites, host.read(happened, len(sites)), strict=True):
                step = site.operation.step
                if times and mark_of(site.operation) in list_marks(step):
                    steps[step.number] += times
            yield Single(number, rows, StepCounts(steps, list(read_events(host, self._reader))))

    def play_variants(self, series: Series, number: int, outcomes: Sequence[ForcedOutcome]) -> Iterator[Single | None]:
        """Yield one game again for each of `outcomes`, with that roll or draw forced and all other seeds unchanged.

        A forced roll consumes as many random words as the original roll. None marks a pause between pieces. Raises
        `RulesFault` if the rules fail.
        """
        run = self._run(series, flags=BY_ITSELF | FORCING)
        for forced in outcomes:
            self.host.call("clear_counts", 0)
            self.host.call("force_outcome", forced.place, forced.value)
            yield from run(number, number + 1)
            rows = [(what & 0xFF, one, two, three) for (what, one, two, three), _ in self._iterate_counts()]
            yield Single(number, rows, None)

    def _run(self, series: Series, *, flags: int = 0) -> Callable[[int, int], Iterator[None]]:
        """Return a function that plays games from one number up to but excluding another, in pieces.

        Prepares the memory of the module, and clears its counts. The function yields between pieces, and raises
        `RulesFault`.
        """
        host = self.host
        if series.dice_by_step:
            flags |= FORCING | DICE_BY_STEP
            host.call("force_outcome", -1, 0)
        host.call("answer_at_random", -1 if series.careless is None else series.careless, 0)
        host.call("answer_first", -1 if series.opening is None else series.opening)
        begun = b"".join(map(WORDS.pack, self._prepared.beginning.build_words(series.players, series.options)))
        host.call("free_space")
        host.call("clear_counts", 1)
        image = host.call("take_space", len(begun))
        host.put(image, begun)
        # The generator's keys contain the seed as text.
        written = b"s" + f"{series.seed}/".encode("utf-8", "surrogatepass")
        texts = host.call("take_space", len(written) + len(_DICE))
        host.put(texts, written + _DICE)
        fixed = (image, len(begun), self._prepared.beginning.start, texts, len(written), texts + len(written))
        if series.thinks:
            for place, bot in enumerate(series.bots):
                host.call("seat_bot", place, bot.kind, bot.setting)
                if bot.weight_values:
                    weights = b"".join(map(_WORTH.pack, bot.weight_values))
                    at = host.call("take_space", len(weights))
                    host.put(at, weights)
                    host.call("tell_worths", place, bot.weights, len(bot.weight_values), at)
        else:
            flags |= PLAYING

        def run(first: int, last: int) -> Iterator[None]:
            """Play the games from `first` up to but excluding `last`, and yield between pieces. Raises `RulesFault`."""
            try:
                waits = host.call_bots("play_games", *fixed, first, last, series.most, flags)
                while waits:
                    yield
                    roll = host.call("asked_roll")
                    if roll:
                        self._tell_outcomes(roll)
                    waits = host.call_bots("play_on")
            except RulesFault as fault:
                fault.game = number = host.call("playing", -1)
                if not flags & PLAYING:
                    raise
                # Code without pauses does not record the current rule, so play the failed game again step by step.
                try:
                    host.call("play_games", *fixed, number, number + 1, series.most, flags | STEP_BY_STEP)
                except RulesFault as located:
                    located.game = number
                    raise
                raise

        return run

    def _tell_outcomes(self, word: int) -> None:
        """Give bots the outcomes of the roll at `word`, or none if there are too many, so that bots sample it."""
        roll = self._reader.roll(word)
        try:
            outcomes = list_outcomes(roll)
        except DiceError:
            outcomes = ()
        if len(outcomes) > MOST_OUTCOMES:
            outcomes = ()
        packed = b"".join(_OUTCOME.pack(total, float(chance)) for total, chance in outcomes)
        at = self.host.call("take_space", max(len(packed), 1))
        self.host.put(at, packed)
        self.host.call("tell_outcomes", self._rolls.roll(roll), at, len(outcomes))

    def _iterate_counts(self) -> Iterator[Counted]:
        """Yield each counted result with the number of games that had it. Results of no game are left out."""
        host = self.host
        rows = host.read(host.call("counts_address"), 5 * host.call("counts_rows"))
        for place in range(0, len(rows), 5):
            if rows[place + 4]:
                yield (rows[place], rows[place + 1], rows[place + 2], rows[place + 3]), rows[place + 4]


def _stay(host: Host, words: Sequence[int]) -> int:
    """Return a block outside of all games."""
    at: int = host.call("take_space", 8 * (len(words) + 1))
    host.write(at, [len(words), *words])
    return BLOCK | at


def exhaust_pieces(pieces: Iterator[None]) -> None:
    """Run a generator of pieces to its end."""
    deque(pieces, maxlen=0)


games = share_per_thread(BotGames, lambda games: games.host)
"""A function that returns the player of games for a ruleset, one per thread."""
