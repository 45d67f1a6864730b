"""`mcts`: Monte Carlo tree search, with a budget of playouts (`mcts:200`) or milliseconds (`mcts:50ms`) a decision.

Upper confidence bounds on trees with chance sampled at each visit. A playout ends after `HORIZON` random decisions and
is then judged by the ruleset's `evaluate` formula, if it has one: where games are long, playing on at random to the end
tells nothing of the move at hand. Source: L. Kocsis and C. Szepesvári, "Bandit based Monte-Carlo Planning", ECML 2006.
"""

from __future__ import annotations

from math import log, sqrt, tanh
from time import perf_counter

from rulewright.dice.generator import Generator
from rulewright.errors import RulewrightError
from rulewright.play.adopt import adopt
from rulewright.play.bots import Policy
from rulewright.play.compile.compiler import Compiled
from rulewright.play.compile.programs import compiled
from rulewright.play.state import OVER, State
from rulewright.ruleset.ruleset import Ruleset

HELP = "searches: mcts:200 is two hundred playouts a decision, mcts:50ms fifty milliseconds"

PLAYOUTS = 200
HORIZON = 40
EXPLORATION = 0.7

MOST_PLAYOUTS = 1_000_000


class Node:
    """A decision as it was met: how often, and what came of each option, for the player who decides."""

    __slots__ = ("children", "rewards", "visits")

    def __init__(self, options: int) -> None:
        self.visits = [0] * options
        self.rewards = [0.0] * options
        self.children: dict[tuple[int, int, int], Node] = {}


def make(ruleset: Ruleset, generator: Generator, setting: str) -> Policy:
    """The bot. Raises `RulewrightError` for a budget that cannot be read."""
    playouts, seconds = _budget(setting)
    program = compiled(ruleset, sampling=True)
    judge = Judge(ruleset, program)

    def choose(state: State, /) -> int:
        root = Node(len(state.options))
        started = perf_counter()
        done = 0
        while done < playouts and (seconds is None or perf_counter() - started < seconds):
            # Every search rolls its own dice, drawn from the bot's stream: the game's are not for it to see.
            _search(root, adopt(state, program, generator=generator), judge)
            done += 1
        most = max(root.visits)
        best = [index for index, visits in enumerate(root.visits) if visits == most]
        return max(best, key=lambda index: root.rewards[index])

    return choose


def _budget(setting: str) -> tuple[int, float | None]:
    number = setting.removesuffix("ms")
    if not setting:
        return PLAYOUTS, None
    if not number.isdigit() or not 1 <= int(number) <= MOST_PLAYOUTS:
        raise RulewrightError(f"`mcts:{setting}` is no budget: write mcts:200 for playouts, mcts:50ms for milliseconds")
    return (MOST_PLAYOUTS, int(number) / 1000) if setting.endswith("ms") else (int(number), None)


class Judge:
    """The reward of each player where a playout stops, between 0 and 1."""

    def __init__(self, ruleset: Ruleset, program: Compiled) -> None:
        self.program = program
        self.knows = ruleset.evaluate is not None

    def __call__(self, state: State) -> dict[int, float]:
        players = state.live[1]
        if state.mode == OVER:
            winners = state.winners or ()
            return {player: 1.0 if player in winners else 0.5 if not winners else 0.0 for player in players}
        if not self.knows:
            return dict.fromkeys(players, 0.5)
        standing = {player: self.program.standing(state, player) for player in players}
        spread = max(1.0, sum(abs(value) for value in standing.values()) / len(players))
        rewards = {}
        for player, own in standing.items():
            others = [value for other, value in standing.items() if other != player]
            lead = own - max(others) if others else own
            # Standings have no scale of their own, so a lead counts by its share of what there is.
            rewards[player] = 0.5 + 0.45 * tanh(lead / spread)
        return rewards


def _search(root: Node, state: State, judge: Judge) -> None:
    """One visit: down the tree to a decision not met before, a playout from there, and the reward back up."""
    node = root
    path: list[tuple[Node, int, int]] = []
    while state.mode != OVER:
        index = _promising(node)
        fresh = node.visits[index] == 0
        path.append((node, index, state.who))
        state.apply(index)
        if fresh or state.mode == OVER:
            break
        # What chance did shows in who is asked what: the same place asked anew is the same node.
        key = (index, state.frame[0], len(state.options))
        if key not in node.children:
            node.children[key] = Node(len(state.options))
        node = node.children[key]
    below = state.generator.below if state.generator is not None else None
    assert below is not None
    for _ in range(HORIZON):
        if state.mode == OVER:
            break
        state.apply(below(len(state.options)))
    rewards = judge(state)
    for visited, index, who in path:
        visited.visits[index] += 1
        visited.rewards[index] += rewards[who]


def _promising(node: Node) -> int:
    """The option to try next: one never tried, else the one with the highest upper confidence bound."""
    for index, visits in enumerate(node.visits):
        if visits == 0:
            return index
    total = log(sum(node.visits))
    return max(
        range(len(node.visits)),
        key=lambda index: (
            node.rewards[index] / node.visits[index] + EXPLORATION * sqrt(total / node.visits[index])
        ),
    )
