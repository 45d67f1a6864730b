"""Selection of the features that distinguish a decision's options, measured in played games."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import sqrt

import yaml

from rulewright.ai import bots
from rulewright.base.errors import RulewrightError
from rulewright.dice.sampling.random_generator import Generator
from rulewright.engine.game.script import draw_value
from rulewright.engine.python_backend.compiler import compile_ruleset
from rulewright.engine.state.faults import RulesFault
from rulewright.engine.state.game_state import CHANCE, OVER, State
from rulewright.ruleset.overlay import lay_over
from rulewright.ruleset.ruleset import Ruleset
from rulewright.training.position_features import Feature

GAMES = 12
"""The number of games to analyze. At least half of them are between random players."""

MOST_DECISIONS = 1_000
"""The maximum number of decisions in an analyzed game."""

EVERY = 4
"""The interval between analyzed decisions of a game."""

MOST_OPTIONS = 12
"""The maximum number of options to analyze at a decision."""

SELDOM = 0.004
"""The minimum share of decisions in which a feature distinguishes options. Rarer features cannot be learned from few
games.
"""

BEING_LEARNED = "being_learned"
"""The id of the evaluation in training, which must differ from those of the ruleset."""


Value = Callable[[State, int], int]


@dataclass(frozen=True, slots=True)
class Relevant:
    """A feature that distinguishes options.

    `often` is the share of decisions in which it does, and `spread` its standard deviation between options there.
    """

    feature: Feature
    often: float
    spread: float


def format_weights(features: Sequence[Feature]) -> str:
    """Return an evaluation of these features as YAML rules.

    Every weight is 1. The bots receive the actual weights separately.
    """
    terms = {each.id: {"is": each.formula, "worth": 1} for each in features}
    return yaml.safe_dump({"weights": {BEING_LEARNED: {"terms": terms}}}, width=100_000, sort_keys=False)


def select_relevant(
    ruleset: Ruleset, features: Sequence[Feature], *, players: int, seed: int | str, options: dict[str, str]
) -> list[Relevant]:
    """Play games and return the features that distinguish options, in their given order.

    Features that rarely do so are left out. Of several features with proportional values, only the first is included.
    Raises `RulewrightError` if the games contain no decision.
    """
    with_terms = lay_over(ruleset, format_weights(features))
    machine = compile_ruleset(with_terms)
    values = [value for _, value in machine.terms(BEING_LEARNED)]
    results: list[list[list[float]]] = []
    generator = Generator(str(seed), "relevance")
    for game in range(GAMES):
        bot = "greedy" if ruleset.evaluate is not None and game % 2 else "random"
        policies = [bots.make(bot, with_terms, seed=f"{seed}/{game}", seat=seat) for seat in range(1, players + 1)]
        state = machine.empty(players, options=options)
        assert ruleset.start is not None
        machine.begin(state, ruleset.start, ())
        for number in range(MOST_DECISIONS):
            _roll(state, generator)
            if state.mode == OVER:
                break
            if number % EVERY == 0 and len(state.options) > 1:
                apart = _apart(state, values, generator)
                if apart:
                    results.append(apart)
            state.apply(policies[state.who - 1](state))
    if not results:
        raise RulewrightError(f"in {GAMES} games of {ruleset.title}, no player had a decision to make")
    saved, seen = [], set()
    for place, feature in enumerate(features):
        apart = [each[place] for each in results]
        spreads = [sum(value * value for value in each) / len(each) for each in apart]
        telling = [each for each in spreads if each]
        if len(telling) < max(2, SELDOM * len(results)):
            continue
        spread = sqrt(sum(telling) / len(telling))
        # Skip a feature that is always a multiple of an earlier one, because it adds nothing.
        every = [value for each in apart for value in each]
        sign = next(value for value in every if value)
        pattern = tuple(round(value / sign, 6) for value in every)
        if pattern not in seen:
            seen.add(pattern)
            saved.append(Relevant(feature, len(telling) / len(results), spread))
    return saved


def _roll(state: State, generator: Generator) -> None:
    while state.mode == CHANCE:
        state.apply_outcome(draw_value(state.roll, generator))


def _apart(state: State, values: Sequence[Value], generator: Generator) -> list[list[float]]:
    """Return, for each feature, the deviations of a decision's options from their mean.

    Only the first `MOST_OPTIONS` options count. The result is empty if fewer than two of them continue the game without
    a fault.
    """
    rows: list[list[int]] = []
    for option in range(min(len(state.options), MOST_OPTIONS)):
        after = state.clone()
        try:
            after.apply(option)
            _roll(after, generator)
            if after.mode != OVER:
                after.new_move()
                rows.append([value(after, state.who) for value in values])
        except RulesFault:
            continue
    if len(rows) < 2:
        return []
    results = []
    for column in zip(*rows, strict=True):
        mean = sum(column) / len(column)
        results.append([each - mean for each in column])
    return results
