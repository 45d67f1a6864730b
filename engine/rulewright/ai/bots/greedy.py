"""The bot `greedy`, which looks one decision ahead and maximizes the ruleset's own `evaluate` formula."""

from __future__ import annotations

from collections.abc import Sequence

from rulewright.ai.bots import Policy
from rulewright.base.errors import RulewrightError
from rulewright.dice.dice_error import DiceError
from rulewright.dice.sampling.random_generator import Generator
from rulewright.engine.game.script import draw_value
from rulewright.engine.narration.determinize import determinize
from rulewright.engine.narration.redaction import analyze_sight
from rulewright.engine.python_backend.compiler import compile_ruleset
from rulewright.engine.state.faults import RulesFault
from rulewright.engine.state.game_state import CHANCE, OVER, State, list_outcomes
from rulewright.engine.state.machine import adopt_state
from rulewright.engine.wasm_backend.native_bots import GREEDY, MOST_OUTCOMES
from rulewright.ruleset.ruleset import Ruleset

JUDGES = True
HELP = "looks one decision ahead and picks the option with the best resulting position"

SAMPLES = 6

WON = 1_000_000
"""The value of a win, and the cost of a loss: larger than any evaluation."""


CANDIDATES = ("greedy",)


def estimate_cost(setting: str, length: float, *, judged: bool) -> float:
    """Return the work of a decision, in decisions of `greedy`."""
    return 1.0


class Foresight:
    """An evaluator of the options of a decision, one decision ahead.

    Samples and ties use the bot's own random numbers. `judge` is a learned evaluation. Without one, the ruleset's
    `evaluate` formula applies. Raises `RulewrightError` if there is neither.
    """

    def __init__(self, ruleset: Ruleset, generator: Generator, judge: str) -> None:
        """Compile the ruleset. Raises `RulewrightError` if it has no `evaluate` formula and `judge` is ""."""
        if ruleset.evaluate is None and not judge:
            raise RulewrightError(
                f"{ruleset.reference} has no evaluation for bots: add `evaluate:` to its manifest, or train one "
                f"(`rulewright train {ruleset.name}`)"
            )
        self.machine = compile_ruleset(ruleset)
        self.standing = self.machine.find_judgement(judge)
        self.generator = generator
        self._known = analyze_sight(ruleset).everything

    def guess_state(self, state: State, known: State | None = None) -> State:
        """Return a copy of a decision's state, with hidden values replaced by possible ones.

        `known` is the state as the player sees it, if you ask for several copies.
        """
        return determinize(adopt_state(state, self.machine), state.who, self.generator, known=known)

    def evaluate_options(self, state: State) -> list[float]:
        """Return the mean value of each option for the acting player, at the next decision or end of the game.

        The state must belong to this back end and does not change. If hidden values were guessed, an option that leads
        to a fault is worth 0; otherwise `RulesFault` is raised.
        """
        options = []
        for index in range(len(state.options)):
            after = state.clone()
            try:
                after.apply(index)
                options.append(self._evaluate(after, state.who, MOST_OUTCOMES))
            except RulesFault:
                if self._known:
                    raise
                options.append(0.0)  # the state with guessed values is impossible
        return options

    def choose_best(self, values: Sequence[float]) -> int:
        """Return the index of the best option. Breaks ties at random."""
        most = max(values)
        best = [index for index, value in enumerate(values) if value == most]
        return best[self.generator.draw_below(len(best))] if len(best) > 1 else best[0]

    def _evaluate(self, state: State, player: int, left: int) -> float:
        """Return the expected value of a state for `player` at the next decision. Uses up the state.

        At the end of the game, it is `WON` for a win, `-WON` for a loss and 0 without a winner. Chance events count
        exactly while they have at most `left` outcomes together. Others are sampled. Raises `RulesFault` if the rules
        fail.
        """
        if state.mode == OVER:
            if not state.winners:
                return 0.0
            return WON if player in state.winners else -WON
        if state.mode != CHANCE:
            state.new_move()  # evaluations must not use up the operation budget of the move
            return float(self.standing(state, player))
        weighed = None
        if left > 1:
            try:
                weighed = list_outcomes(state.roll)
            except DiceError:
                weighed = None
        if weighed is not None and len(weighed) <= left:
            total = 0.0
            for outcome, chance in weighed:
                after = state.clone()
                after.apply_outcome(outcome)
                total += float(chance) * self._evaluate(after, player, left // len(weighed))
            return total
        samples = SAMPLES if left > 1 else 1
        total = 0.0
        for _ in range(samples):
            after = state.clone()
            after.apply_outcome(draw_value(after.roll, self.generator))
            total += self._evaluate(after, player, 1)
        return total / samples


def make(ruleset: Ruleset, generator: Generator, setting: str, judge: str) -> Policy:
    """Return the bot.

    `judge` is the id of a learned evaluation, or "" for the ruleset's own formula. Raises `RulewrightError` for a
    setting, or if the ruleset has no evaluation.
    """
    if setting:
        raise RulewrightError(f"`greedy` takes no setting, so `greedy:{setting}` is not valid")
    foresight = Foresight(ruleset, generator, judge)

    def choose(state: State, /) -> int:
        return foresight.choose_best(foresight.evaluate_options(foresight.guess_state(state)))

    return choose


def inside(setting: str) -> tuple[int, int] | None:
    """Return the bot's number and setting in the WebAssembly module, or None with a setting."""
    return None if setting else (GREEDY, 0)
