"""Matches between two evaluations, described as plain data that any worker process can play."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

from rulewright.analysis.simulation.shard import defer_interrupts_in_module, get_native_games, load_shared
from rulewright.engine.wasm_backend.native_bots import GREEDY, Bot
from rulewright.ruleset.overlay import lay_over
from rulewright.ruleset.ruleset import Ruleset
from rulewright.training.feature_selection import BEING_LEARNED

Worths = tuple[float, ...]
"""The weights of the features. An empty tuple means the ruleset's own formula."""


@dataclass(frozen=True, slots=True)
class TrainingMatch:
    """Games 0 up to `games` of a seed between two bots that look one decision ahead.

    `reference` and `rules` identify the ruleset, and `digest` is its `digest_of_counts`. `terms` are the rules with the
    features. A game with more than `most` decisions is a draw.
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
    """The results of games, from the view of the first of two evaluations."""

    wins: int
    losses: int
    draws: int
    decisions: int

    @property
    def share(self) -> float:
        """The share of the points that the first evaluation won. A draw counts half a point."""
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
    """Play a match in WebAssembly and return the score from the view of `match.one`.

    Games without a winner, or with winners on both sides, count as draws. Raises `RulewrightError` if the rules here
    differ from those of the match or fail during a game.
    """
    from rulewright.engine.wasm_backend.bot_games import END, LENGTH, Series, exhaust_pieces

    ruleset = _ruleset(match.reference, match.rules, match.digest, match.terms)
    number = [*ruleset.weights].index(BEING_LEARNED)
    bots = [Bot(GREEDY, 0, number, weights) for weights in (match.one, match.other)] * (match.players // 2)
    series = Series(match.seed, match.players, dict(match.options), match.most, bots)
    inside = get_native_games(ruleset)
    with defer_interrupts_in_module(inside):
        counting = inside.open_counting(series)
        exhaust_pieces(counting.run(0, match.games))
        results = list(counting.counted())
    wins = losses = draws = decisions = 0
    for (what, one, two, _), times in results:
        if what == LENGTH:
            decisions += one * times
        elif what == END:
            # Evaluations alternate around the table, and each moves one seat further with every game.
            sides = {(seat + one) % 2 for seat in range(max(two, 0).bit_length()) if two >> seat & 1}
            wins += times * (sides == {0})
            losses += times * (sides == {1})
            draws += times * (len(sides) != 1)
    return Score(wins, losses, draws, decisions)
