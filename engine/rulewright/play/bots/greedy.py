"""`greedy`: looks one decision ahead and takes what leaves it best off, by the ruleset's own `evaluate` formula."""

from __future__ import annotations

from rulewright.dice.errors import DiceError
from rulewright.dice.generator import Generator
from rulewright.errors import RulewrightError
from rulewright.play.bots import Policy
from rulewright.play.compile.compiler import compiled
from rulewright.play.game.script import chance_outcome
from rulewright.play.machine.faults import RulesFault
from rulewright.play.machine.machine import adopt
from rulewright.play.machine.state import CHANCE, OVER, State, outcomes
from rulewright.play.telling.guess import guessed
from rulewright.play.telling.sight import sight_of
from rulewright.play.wasm.thinkers import GREEDY, MOST_OUTCOMES, Bot
from rulewright.ruleset.ruleset import Ruleset

HELP = "looks one decision ahead and takes what leaves it best off"

SAMPLES = 6

WON = 1_000_000
"""What a victory is worth, and a defeat costs: more than any standing."""


def make(ruleset: Ruleset, generator: Generator, setting: str) -> Policy:
    """The bot. Raises `RulewrightError` if the ruleset has no `evaluate`."""
    if setting:
        raise RulewrightError(f"`greedy` has no setting, so `greedy:{setting}` means nothing")
    if ruleset.evaluate is None:
        raise RulewrightError(f"{ruleset.reference} does not say how bots judge (`evaluate:` in its manifest)")
    machine = compiled(ruleset)
    known = sight_of(ruleset).everything

    def worth(state: State, player: int, left: int) -> float:
        """The expected standing of `player` at the next decision; `left` outcomes may still be weighed exactly."""
        if state.mode == OVER:
            if not state.winners:
                return 0.0
            return WON if player in state.winners else -WON
        if state.mode != CHANCE:
            return float(machine.standing(state, player))
        weighed = None
        if left > 1:
            try:
                weighed = outcomes(state.roll)
            except DiceError:
                weighed = None
        if weighed is not None and len(weighed) <= left:
            total = 0.0
            for outcome, chance in weighed:
                after = state.clone()
                after.apply_outcome(outcome)
                total += float(chance) * worth(after, player, left // len(weighed))
            return total
        samples = SAMPLES if left > 1 else 1
        total = 0.0
        for _ in range(samples):
            after = state.clone()
            after.apply_outcome(chance_outcome(after.roll, generator).value)
            total += worth(after, player, 1)
        return total / samples

    def choose(state: State, /) -> int:
        player = state.who
        best: list[int] = []
        most = float("-inf")
        here = adopt(guessed(state, player, generator), machine)
        here.options = state.options
        for index in range(len(here.options)):
            after = here.clone()
            try:
                after.apply(index)
                value = worth(after, player, MOST_OUTCOMES)
            except RulesFault:
                if known:
                    raise
                value = 0.0  # what was guessed cannot be
            if value > most:
                best, most = [index], value
            elif value == most:
                best.append(index)
        return best[generator.below(len(best))] if len(best) > 1 else best[0]

    return choose


def inside(setting: str) -> Bot | None:
    """Its number in the module of a ruleset."""
    return None if setting else (GREEDY, 0)
