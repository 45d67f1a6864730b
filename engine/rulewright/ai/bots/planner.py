"""The bot `planner`, which searches to the end of its own turn with a budget of turns (`planner:200`).

A turn ends when another player must decide. It begins with one of the options and continues as `greedy` plays. The bot
then evaluates the state as `mcts` does. It tries the options in the order of `greedy`'s preference, as many as the
budget can try a few times each. Each round removes the worse half. Of the last two, the bot takes `greedy`'s choice
unless the other one is better by more than the standard error, because means of few turns differ by chance.

Sources: G. Tesauro and G. R. Galperin, "On-line policy improvement using Monte-Carlo search", NIPS 1996; sequential
halving as in Z. Karnin, T. Koren and O. Somekh, "Almost optimal exploration in multi-armed bandits", ICML 2013.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from math import sqrt

from rulewright.ai.bots import Policy
from rulewright.ai.bots.greedy import Foresight
from rulewright.ai.bots.mcts import PlayoutReward
from rulewright.base.errors import RulewrightError
from rulewright.dice.sampling.random_generator import Generator
from rulewright.engine.game.script import draw_value
from rulewright.engine.narration.redaction import analyze_sight, redact_value
from rulewright.engine.state.faults import RulesFault
from rulewright.engine.state.game_state import CHANCE, OVER, State
from rulewright.engine.state.machine import adopt_state
from rulewright.engine.wasm_backend.native_bots import PLANNING
from rulewright.ruleset.ruleset import Ruleset
from rulewright.source.yaml.core_schema import parse_whole_number

JUDGES = True
HELP = "plays its own turn to the end; planner:200 tries 200 such turns per decision"

TURNS = 64
MOST = MOST_TURNS = 1_000_000

FEWEST = 4
"""The minimum number of tries per option. With a small budget, only the best options are tried."""

LONGEST = 100
"""The maximum number of decisions in a turn. A longer turn is evaluated before it ends."""


CANDIDATES = ("planner:2", "planner:8", "planner:32")


def estimate_cost(setting: str, length: float, *, judged: bool) -> float:
    """Return the work of a decision, in decisions of `greedy`. A turn has a few of them."""
    return 3.0 * int(setting)


@dataclass(slots=True)
class OptionTries:
    """An option with the statistics of its tries."""

    index: int
    times: int = 0
    sum: float = 0.0
    squares: float = 0.0

    @property
    def mean(self) -> float:
        """The mean reward."""
        return self.sum / max(1, self.times)

    @property
    def doubt(self) -> float:
        """The squared standard error of the mean."""
        mean = self.mean
        return max(0.0, self.squares / max(1, self.times) - mean * mean) / max(1, self.times)


def make(ruleset: Ruleset, generator: Generator, setting: str, judge: str) -> Policy:
    """Return the bot.

    `judge` is the id of a learned evaluation, or "" for the ruleset's own formula. Raises `RulewrightError` for an
    invalid budget, or if the ruleset has no evaluation.
    """
    turns = _budget(setting)
    foresight = Foresight(ruleset, generator, judge)
    reward = PlayoutReward(foresight.machine, knows=True, judge=judge)

    def turn(state: State, index: int) -> float:
        """Return the acting player's reward for a turn that begins with an option and continues as `greedy` plays.

        Uses up the state.
        """
        player = state.who
        take(foresight, state, index)
        for _ in range(LONGEST):
            if state.mode == OVER or state.who != player:
                break
            take(foresight, state)
        return reward(state)[0][player]

    return build_racing_policy(ruleset, foresight, turns, turn)


def build_racing_policy(
    ruleset: Ruleset, foresight: Foresight, tries: int, comes_to: Callable[[State, int], float]
) -> Policy:
    """Return a policy that tries options against each other with a budget of `tries` per decision.

    It prefers the choice of `greedy`, unless another option is better by more than the standard error. `comes_to` plays
    on with an option and returns the reward. It may change the state. If hidden values were guessed, tries that lead to
    a fault do not count. Otherwise the policy raises `RulesFault`.
    """
    known = analyze_sight(ruleset).everything

    def choose(state: State, /) -> int:
        """Return the index of an option after tries on copies of the state. A single option is not tried."""
        if len(state.options) == 1:
            return 0
        state = adopt_state(state, foresight.machine)
        seen = redact_value(state, state.who)
        here = foresight.guess_state(state, seen)
        values = foresight.evaluate_options(here)
        first = foresight.choose_best(values)
        others = sorted((index for index in range(len(values)) if index != first), key=lambda index: -values[index])
        left = [OptionTries(index) for index in (first, *others)][: max(2, tries // FEWEST)]
        rounds = max(1, (len(left) - 1).bit_length())
        while True:
            for _ in range(max(1, tries // (rounds * len(left)))):
                for tried in left:
                    try:
                        reward = comes_to(here.clone() if known else foresight.guess_state(state, seen), tried.index)
                    except RulesFault:
                        if known:
                            raise
                        continue  # the state with guessed values is impossible
                    tried.times += 1
                    tried.sum += reward
                    tried.squares += reward * reward
            if len(left) == 2:
                break
            half = (len(left) + 1) // 2
            left = [left[0], *sorted(left[1:], key=lambda tried: -tried.mean)][:half]
        favourite, best = left
        return best.index if best.mean - favourite.mean > sqrt(favourite.doubt + best.doubt) else favourite.index

    return choose


def take(foresight: Foresight, state: State, index: int | None = None) -> None:
    """Apply an option, or the choice of `greedy` without one, and resolve the chance events that follow.

    Raises `RulesFault` if the rules fail.
    """
    if index is None:
        index = foresight.choose_best(foresight.evaluate_options(state)) if len(state.options) > 1 else 0
    state.apply(index)
    while state.mode == CHANCE:
        state.apply_outcome(draw_value(state.roll, foresight.generator))


def inside(setting: str) -> tuple[int, int]:
    """Return the bot's number and turns in the WebAssembly module. Raises `RulewrightError` for an invalid budget."""
    return (PLANNING, _budget(setting))


def _budget(setting: str) -> int:
    return parse_budget("planner", setting, TURNS, "turns")


def parse_budget(bot: str, setting: str, usual: int, what: str) -> int:
    """Return the number of tries per decision in a bot's setting, or `usual` if the setting is empty.

    Raises `RulewrightError` for an invalid number. `bot` and `what`, the bot and its unit, appear in the message.
    """
    tries = (parse_whole_number(setting) or 0) if setting else usual
    if not 1 <= tries <= MOST_TURNS:
        raise RulewrightError(
            f"`{bot}:{setting}` is not a valid budget: write {bot}:200 for two hundred {what} per decision"
        )
    return tries
