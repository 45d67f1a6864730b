"""The bot `rollout`, which plays the game to its end with a budget of games (`rollout:200`).

A game begins with one of the options, and all players continue as `greedy` plays. Its reward is a win or a loss. A game
without a winner counts less than half as much, by the lead. Options compete as in `planner`. Source: G. Tesauro and G.
R. Galperin, "On-line policy improvement using Monte-Carlo search", NIPS 1996.
"""

from __future__ import annotations

from rulewright.ai.bots import Policy
from rulewright.ai.bots.greedy import Foresight
from rulewright.ai.bots.mcts import PlayoutReward
from rulewright.ai.bots.planner import MOST_TURNS, build_racing_policy, parse_budget, take
from rulewright.dice.sampling.random_generator import Generator
from rulewright.engine.state.game_state import OVER, State
from rulewright.engine.wasm_backend.native_bots import ROLLING_OUT
from rulewright.ruleset.ruleset import Ruleset

JUDGES = True
HELP = "plays games to the end with `greedy` in every seat; rollout:200 plays 200 games per decision"

GAMES = 64
MOST = MOST_TURNS

LONGEST = 2_000
"""The maximum number of decisions in a game. A longer game counts as one without a winner."""

AHEAD = 0.5
"""The maximum value of a game without a winner. A win has the value 1."""


CANDIDATES = ("rollout:8", "rollout:32")


def estimate_cost(setting: str, length: float, *, judged: bool) -> float:
    """Return the work of a decision, in decisions of `greedy`. A game goes on for half of its length on average."""
    return int(setting) * length / 2


def make(ruleset: Ruleset, generator: Generator, setting: str, judge: str) -> Policy:
    """Return the bot.

    `judge` is the id of a learned evaluation, or "" for the ruleset's own formula. Raises `RulewrightError` for an
    invalid budget, or if the ruleset has no evaluation.
    """
    games = _budget(setting)
    foresight = Foresight(ruleset, generator, judge)
    reward = PlayoutReward(foresight.machine, knows=True, judge=judge)

    def game(state: State, index: int) -> float:
        """Play the game on after an option as `greedy` does, and return the acting player's reward. Uses up the state.

        It is 1 for a win and -1 for a loss. Without a winner, or after `LONGEST` decisions, it depends on the player's
        lead.
        """
        player = state.who
        take(foresight, state, index)
        for _ in range(LONGEST):
            if state.mode == OVER:
                break
            take(foresight, state)
        if state.mode == OVER and state.winners:
            return 1.0 if player in state.winners else -1.0
        leads = reward.find_leads(state)
        return AHEAD * leads[player] / (1.0 + sum(abs(lead) for lead in leads.values()))

    return build_racing_policy(ruleset, foresight, games, game)


def inside(setting: str) -> tuple[int, int]:
    """Return the bot's number and games in the WebAssembly module. Raises `RulewrightError` for an invalid budget."""
    return (ROLLING_OUT, _budget(setting))


def _budget(setting: str) -> int:
    return parse_budget("rollout", setting, GAMES, "games")
