"""Games between two ways to judge, told in plain data so that any worker can play them."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

from rulewright.analysis.simulation.shard import defer_interrupts_in_module, get_native_games, load_shared
from rulewright.engine.wasm_backend.native_bots import GREEDY, Bot
from rulewright.ruleset.overlay import lay_over
from rulewright.ruleset.ruleset import Ruleset
from rulewright.training.feature_selection import BEING_LEARNED

Worths = tuple[float, ...]
"""What terms are worth; none of them: the ruleset's own formula judges."""


@dataclass(frozen=True, slots=True)
class TrainingMatch:
    """Games 0 to `games` of a seed between two who look one decision ahead.

    `reference` and `rules` name the ruleset, whose counts have the digest `digest`; `terms` is what is laid over it.
    A game of more than `most` decisions is a draw.
    """

    reference: str
    rules: tuple[str, ...]
    digest: str
    terms: str
    players: int
    options: tuple[tuple[str, str], ...]
    seed: str
    games: int
    most: int
    one: Worths
    other: Worths


@dataclass(frozen=True, slots=True)
class Score:
    """What games came to for the first of two."""

    wins: int
    losses: int
    draws: int
    decisions: int

    @property
    def share(self) -> float:
        """The points of the first, of those there were; a draw is half of one."""
        return (self.wins + self.draws / 2) / (self.wins + self.losses + self.draws)

    def __add__(self, more: Score) -> Score:
        return Score(
            self.wins + more.wins,
            self.losses + more.losses,
            self.draws + more.draws,
            self.decisions + more.decisions,
        )


@lru_cache(maxsize=4)
def _ruleset(reference: str, rules: tuple[str, ...], digest: str, terms: str) -> Ruleset:
    return lay_over(load_shared(reference, rules, digest), terms)


def play(match: TrainingMatch) -> Score:
    """Play a match. Raises `RulewrightError` where the rules are not the client's, or at fault."""
    from rulewright.engine.wasm_backend.bot_games import END, LENGTH, Series, exhaust_pieces

    ruleset = _ruleset(match.reference, match.rules, match.digest, match.terms)
    number = [*ruleset.weights].index(BEING_LEARNED)
    bots = [Bot(GREEDY, 0, number, worths) for worths in (match.one, match.other)] * (match.players // 2)
    series = Series(match.seed, match.players, dict(match.options), match.most, bots)
    inside = get_native_games(ruleset)
    with defer_interrupts_in_module(inside):
        counting = inside.open_counting(series)
        exhaust_pieces(counting.run(0, match.games))
        found = list(counting.counted())
    wins = losses = draws = decisions = 0
    for (what, one, two, _), times in found:
        if what == LENGTH:
            decisions += one * times
        elif what == END:
            # Who sits where moves on with every game: the first of two has every other place.
            sides = {(seat + one) % 2 for seat in range(max(two, 0).bit_length()) if two >> seat & 1}
            wins += times * (sides == {0})
            losses += times * (sides == {1})
            draws += times * (len(sides) != 1)
    return Score(wins, losses, draws, decisions)
