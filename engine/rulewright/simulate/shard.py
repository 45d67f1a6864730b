"""A shard: a run of games that any worker can play, told in plain data."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from rulewright.dice.generator import Generator
from rulewright.errors import RulewrightError
from rulewright.language.declarations import FIRST_PLAYER
from rulewright.play import bots
from rulewright.play.compile.compiler import Compiled
from rulewright.play.compile.programs import compiled
from rulewright.play.state import OVER, State
from rulewright.play.view import measures, worked_out
from rulewright.ruleset.load import load_ruleset
from rulewright.ruleset.ruleset import Ruleset
from rulewright.simulate.counts import Counts

MOST_DECISIONS = 1_000_000
"""Decisions after which a game is given up; it then counts as unfinished, never as a draw."""


@dataclass(frozen=True, slots=True)
class Shard:
    """Games `first` to `last` (not included) of a run.

    `policies` names a bot for each place at the table; they move one seat on with every game, so that who goes first
    is measured and not mixed in. `digest` is that of the gameplay: a worker with other rules refuses.
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


_LOADED: dict[tuple[str, tuple[str, ...]], Ruleset] = {}


def play(shard: Shard) -> Counts:
    """Play a shard. Raises `RulewrightError` where the worker's rules are not the client's."""
    return play_games(loaded(shard.reference, shard.rules, shard.digest), shard)


def loaded(reference: str, rules: tuple[str, ...], digest: str) -> Ruleset:
    """A worker's own ruleset, loaded once. Raises `RulewrightError` where its gameplay is not that of `digest`."""
    key = (reference, rules)
    if key not in _LOADED:
        _LOADED[key] = load_ruleset(reference, rules=rules)
    ruleset = _LOADED[key]
    if ruleset.digest != digest:
        raise RulewrightError(
            f"this worker has {reference} with the gameplay digest {ruleset.digest}; {digest} is asked for"
        )
    return ruleset


def play_games(ruleset: Ruleset, shard: Shard) -> Counts:
    """Play a shard's games with a ruleset that is loaded already."""
    program = compiled(ruleset, recording=shard.coverage, sampling=True)
    counts = Counts(len(shard.policies), dict.fromkeys(shard.policies, 0))
    options = dict(shard.options)
    for number in range(shard.first, shard.last):
        _play_one(program, shard, number, options, counts)
    return counts


def seating(policies: Sequence[str], number: int) -> tuple[str, ...]:
    """Who sits where in a game: everybody moves one seat on with every game."""
    turn = number % len(policies)
    return tuple(policies[turn:]) + tuple(policies[:turn])


def seated(
    program: Compiled, seats: Sequence[str], *, seed: str, options: Mapping[str, str]
) -> tuple[State, list[bots.Policy]]:
    """A game about to begin, with the dice and the bots that `rulewright play` gives to the same seed."""
    state = program.empty(len(seats), options=options)
    state.generator = Generator(seed, "dice")
    return state, [bots.make(name, program.ruleset, seed=seed, seat=seat) for seat, name in enumerate(seats, 1)]


def _play_one(program: Compiled, shard: Shard, number: int, options: dict[str, str], counts: Counts) -> None:
    seats = seating(shard.policies, number)
    state, policies = seated(program, seats, seed=f"{shard.seed}/{number}", options=options)
    if shard.coverage:
        state.events = []
    assert program.ruleset.start is not None
    program.begin(state, program.ruleset.start, ())
    decisions = _finish(state, policies, counts)
    winners = state.winners if state.mode == OVER else None
    counts.add_game(
        seats=seats,
        winners=None if winners is None else tuple(winner - FIRST_PLAYER for winner in winners),
        decisions=decisions,
        measures=measures(state) if winners is not None else {},
    )
    if state.events is not None:
        counts.add_steps(line[0] for line in state.events)


def _finish(state: State, policies: Sequence[bots.Policy], counts: Counts) -> int:
    """Play a game to its end; how many decisions it took."""
    clocks = _Clocks(state, counts)
    decisions = 0
    while state.mode != OVER and decisions < MOST_DECISIONS:
        clocks.look()
        state.apply(policies[state.who - FIRST_PLAYER](state))
        decisions += 1
    clocks.look()
    return decisions


class _Clocks:
    """Notes the measures that are reported over something, whenever that has changed."""

    def __init__(self, state: State, counts: Counts) -> None:
        self.state = state
        self.counts = counts
        self.timed = [measure for measure in state.program.ruleset.measures.values() if measure.over is not None]
        self.last: dict[str, int] = {}

    def look(self) -> None:
        """Note what has changed since the last look."""
        for measure in self.timed:
            assert measure.over is not None
            moment = worked_out(self.state, measure.over)
            if self.last.get(measure.id) != moment:
                self.last[measure.id] = moment
                self.counts.add_moment(measure.id, moment, worked_out(self.state, measure.value))
