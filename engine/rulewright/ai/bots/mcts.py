"""The bot `mcts`, a Monte Carlo tree search with a budget of playouts or milliseconds per decision.

`mcts:200` has 200 playouts, and `mcts:50ms` has 50 milliseconds. The search uses upper confidence bounds on trees and
samples chance events at every visit. By default, a playout continues at random to the end of the game and counts as a
win, a loss or neither. In games that are long or depend much on chance, such a result says little about the current
move. If there is an `evaluate` formula or a learned evaluation, it evaluates a playout as soon as it leaves the tree.
Such rewards have no known scale, so the exploration term is proportional to the spread of the rewards at the same
decision. This spread vanishes if nearly all playouts lose, and the search would never return to an option whose first
playout was unlucky. Therefore it has a minimum, which is proportional to the value of a win in the playouts that ended.

Without hidden information, and without a chance event since the current decision, the end of a game proves the value of
the option before it. The search takes options that are proven wins and avoids proven losses. A decision itself is
proven if the player can win or every option is proven. If playouts continue to the end, the search also checks whether
the next player can win at once.

Sources: L. Kocsis and C. Szepesvári, "Bandit based Monte-Carlo Planning", ECML 2006; exploration in proportion to the
spread as in P. Auer, N. Cesa-Bianchi and P. Fischer, "Finite-time analysis of the multiarmed bandit problem", 2002;
proofs as in M. Winands, Y. Björnsson and J.-T. Saito, "Monte-Carlo Tree Search Solver", Computers and Games 2008.
"""

from __future__ import annotations

from contextlib import nullcontext, suppress
from math import inf, sqrt
from time import perf_counter

from rulewright.ai.bots import Policy
from rulewright.base.errors import RulewrightError
from rulewright.dice.sampling.random_generator import Generator
from rulewright.engine.narration.determinize import determinize
from rulewright.engine.narration.redaction import analyze_sight, redact_value
from rulewright.engine.python_backend.compiler import PythonMachine, compile_ruleset
from rulewright.engine.state.faults import RulesFault
from rulewright.engine.state.game_state import OVER, State
from rulewright.engine.state.machine import adopt_state
from rulewright.engine.wasm_backend.native_bots import SEARCHING
from rulewright.ruleset.ruleset import Ruleset
from rulewright.source.yaml.core_schema import parse_whole_number

JUDGES = True
HELP = "Monte Carlo tree search; mcts:200 runs 200 playouts per decision, mcts:50ms searches for 50 milliseconds"

PLAYOUTS = 200
MOST = MOST_PLAYOUTS = 1_000_000

EXPLORATION = 1.0
"""The weight of the exploration term, as a multiple of the standard deviation of rewards."""

VICTORY = 4.0
"""The value of a win, as a multiple of the total evaluation of all players."""

FLOOR = 0.5
"""The minimum exploration weight, as a multiple of the mean prize, because a few similar results prove little."""

LONGEST = 100_000
"""The maximum number of random decisions in a playout to the end. A longer game counts as undecided."""

SHORT = 64
"""If random play ends the game within this many decisions and without chance events, playouts run to the end."""

CANDIDATES = ("mcts:8", "mcts:32", "mcts:128")


def estimate_cost(setting: str, length: float, *, judged: bool) -> float:
    """Return the work of a decision, in decisions of `greedy`. Without an evaluation, playouts go on to the end."""
    return int(setting) * (1.0 if judged else max(1.0, length / 20))


Outcome = int
"""The winners, as a bit set of player numbers; 0 without a winner."""


class Node:
    """A decision in the search tree, with statistics for each option from the view of the acting player.

    `sole` means that the node always has the same state, because there was no chance event since the current decision.
    Only then can options be `proven`, with the outcome under perfect play. `settled` is the number of proven options,
    and `winning` is one with which the acting player wins, or -1.

    Untried options come in order from a random `first` one. With a fixed start, a small budget would neglect the last
    options. `total` and `squares` are sums over all rewards, and `prizes` is the sum of all prizes (`PlayoutReward`).
    `harmonic` is 1 + 1/2 + 1/3 … for all visits. It grows like the logarithm, which has different last digits on
    different computers.
    """

    __slots__ = (
        "children",
        "first",
        "harmonic",
        "prizes",
        "proven",
        "rewards",
        "settled",
        "sole",
        "squares",
        "total",
        "tried",
        "visited",
        "visits",
        "winning",
    )

    def __init__(self, options: int, generator: Generator, *, sole: bool) -> None:
        """Create an unvisited decision. If there are several options, draw the first one to try from `generator`."""
        self.sole = sole
        self.proven: list[Outcome | None] = [None] * options
        self.settled = 0
        self.winning = -1
        self.first = generator.draw_below(options) if options > 1 else 0
        self.visits = [0] * options
        self.rewards = [0.0] * options
        self.total = 0.0
        self.squares = 0.0
        self.prizes = 0.0
        self.tried = 0
        self.visited = 0
        self.harmonic = 0.0
        self.children: dict[tuple[int, int, int, int], Node] = {}


def make(ruleset: Ruleset, generator: Generator, setting: str, judge: str) -> Policy:
    """Return the bot. Raises `RulewrightError` for an invalid budget, which is the `setting`.

    `judge` is the id of a learned evaluation, or "" for the ruleset's own formula. Without either, only the results of
    games count.
    """
    playouts, seconds = _budget(setting)
    machine = compile_ruleset(ruleset, sampling=True)
    by_outcome = PlayoutReward(machine, knows=False, judge="")
    by_formula = PlayoutReward(machine, knows=True, judge=judge) if ruleset.evaluate is not None or judge else None
    known = analyze_sight(ruleset).everything
    impossible = nullcontext() if known else suppress(RulesFault)  # a state with guessed values may be impossible

    def choose(state: State, /) -> int:
        """Return the index of an option after a search on copies of the state."""
        root = Node(len(state.options), generator, sole=known)
        started = perf_counter()
        done = 0
        # Searches roll dice with the bot's own generator, because the bot must not foresee the dice of the game.
        here = adopt_state(state, machine)
        seen = redact_value(here, here.who)

        def trial() -> State:
            copy = here.clone() if known else determinize(here, here.who, generator, known=seen)
            copy.generator = generator
            return copy

        uses_judge = by_formula or by_outcome
        if by_formula and not judge:
            with impossible:
                if _is_short(trial()):
                    uses_judge = by_outcome
        while done < playouts and not _is_decided(root) and (seconds is None or perf_counter() - started < seconds):
            with impossible:
                _search(root, trial(), uses_judge)
            done += 1
        return _chosen(root, state.who)

    return choose


def inside(setting: str) -> tuple[int, int] | None:
    """Return the bot's number and playouts in the WebAssembly module, or None for a budget in milliseconds.

    Raises `RulewrightError` for an invalid budget.
    """
    return None if setting.endswith("ms") else (SEARCHING, _budget(setting)[0])


def _budget(setting: str) -> tuple[int, float | None]:
    """Return the maximum number of playouts, and of seconds, or None without a time limit.

    Raises `RulewrightError` for an invalid setting.
    """
    number = setting.removesuffix("ms")
    if not setting:
        return PLAYOUTS, None
    most = parse_whole_number(number) or 0
    if not 1 <= most <= MOST_PLAYOUTS:
        raise RulewrightError(
            f"`mcts:{setting}` is not a valid budget: write mcts:200 for playouts, mcts:50ms for milliseconds"
        )
    return (MOST_PLAYOUTS, most / 1000) if setting.endswith("ms") else (most, None)


class PlayoutReward:
    """The reward of each player at the end of a playout, and the prize, which is the value of a win.

    In an undecided state, the reward is the lead over the best of the others, and the prize is 0. Without `knows`, only
    wins and losses count.
    """

    def __init__(self, machine: PythonMachine, *, knows: bool, judge: str) -> None:
        self.knows = knows
        self.standing = machine.find_judgement(judge)

    def __call__(self, state: State, outcome: Outcome | None = None) -> tuple[dict[int, float], float]:
        """Return the rewards by player for a finished game, a proven `outcome` or an undecided state, and the prize.

        Winners get the prize and the others its negative, or all get 0 without a winner. In an undecided state, the
        reward is the lead of each player, which is 0 if the evaluation is not used (`knows`).
        """
        if state.mode == OVER:
            outcome = _outcome(state)
        players = state.live[1]
        standing = {player: self._standing(state, player) if self.knows else 0.0 for player in players}
        if outcome is not None:
            prize = VICTORY * (1.0 + sum(abs(value) for value in standing.values()))
            won = {player: 0.0 if not outcome else prize if outcome >> player & 1 else -prize for player in players}
            return won, prize
        return _leads(standing), 0.0

    def find_leads(self, state: State) -> dict[int, float]:
        """Return the lead of each player, even if the game is over."""
        return _leads({player: self._standing(state, player) for player in state.live[1]})

    def _standing(self, state: State, player: int) -> float:
        state.new_move()  # evaluations must not use up the operation budget of the move
        return float(self.standing(state, player))


def _leads(standing: dict[int, float]) -> dict[int, float]:
    """Return how far each player is ahead of the best of the others. A single player's lead is their own value."""
    results = {}
    for player, own in standing.items():
        others = [value for other, value in standing.items() if other != player]
        results[player] = own - max(others) if others else own
    return results


def _search(root: Node, state: State, judge: PlayoutReward) -> None:
    """Run one playout and add its reward to all nodes on the path. Uses up the state.

    The playout descends to a new or proven node. Unless `judge` evaluates the position there, random play continues to
    the end of the game.
    """
    node = root
    path: list[tuple[Node, int, int]] = []
    outcome: Outcome | None = None
    generator = state.generator
    assert generator is not None
    while True:
        index = _promising(node, state.who)
        path.append((node, index, state.who))
        outcome = node.proven[index]
        if outcome is not None:
            break
        before = generator.index
        state.apply(index)
        sole = node.sole and generator.index == before
        if state.mode == OVER:
            if sole:
                _prove(path, _outcome(state))
            break
        if node.visits[index] == 0:
            if sole and not judge.knows and _can_win(state):
                outcome = 1 << state.who
                _prove(path, outcome)
            break
        # All chance results that lead to the same decision share a node.
        key = (index, state.who, state.frame[0], len(state.options))
        if key not in node.children:
            node.children[key] = Node(len(state.options), generator, sole=sole)
        node = node.children[key]
    if outcome is None and not judge.knows:
        _play_on(state)
    rewards, prize = judge(state, outcome)
    for visited, index, who in path:
        visited.tried += visited.visits[index] == 0
        visited.visits[index] += 1
        reward = rewards[who]
        visited.rewards[index] += reward
        visited.total += reward
        visited.squares += reward * reward
        visited.prizes += prize
        visited.visited += 1
        visited.harmonic += 1.0 / visited.visited


def _outcome(state: State) -> Outcome:
    """Return the outcome of a finished game."""
    return sum(1 << player for player in set(state.winners or ()))


def _can_win(state: State) -> bool:
    """Return whether the acting player has an option that wins at once, alone and without a chance event."""
    generator = state.generator
    assert generator is not None
    for index in range(len(state.options)):
        copy = state.clone()
        assert copy.generator is not None
        copy.apply(index)
        if copy.mode == OVER and _outcome(copy) == 1 << state.who and copy.generator.index == generator.index:
            return True
    return False


def _prove(path: list[tuple[Node, int, int]], outcome: Outcome) -> None:
    """Store the proven outcome of a path's last option, and all outcomes that follow for earlier decisions.

    A player that can win alone does so, even if other options are not proven.
    """
    for node, index, who in reversed(path):
        node.proven[index] = outcome
        node.settled += 1
        if outcome >> who & 1:
            node.winning = index
        if outcome != 1 << who:
            if node.settled < len(node.proven):
                return
            best = max(_proven_for(node, each, who) for each in range(node.settled))
            outcomes = {node.proven[each] for each in range(node.settled) if _proven_for(node, each, who) == best}
            if len(outcomes) > 1:
                return  # best outcomes for this player may differ for others
            [outcome] = (each for each in outcomes if each is not None)


def _proven_for(node: Node, index: int, who: int) -> int:
    """Return the proven value of an option for the acting player, 1 for a win, -1 for a loss, else 0."""
    outcome = node.proven[index]
    return 0 if not outcome else 1 if outcome >> who & 1 else -1


def _chosen(root: Node, who: int) -> int:
    """Return the index of a proven win, or else of the option with the most visits.

    Avoids proven losses, and options with a mean of at most 0 if a draw is certain.
    """
    certain = 0 in root.proven  # a proven draw

    def key(index: int) -> tuple[int, int, float]:
        mean = root.rewards[index] / max(1, root.visits[index])
        doubtful = certain and root.proven[index] is None and mean <= 0
        return 2 * _proven_for(root, index, who) - doubtful, root.visits[index], mean

    return max(range(len(root.visits)), key=key)


def _is_decided(node: Node) -> bool:
    """Return whether further playouts cannot change the choice."""
    return node.winning >= 0 or node.settled == len(node.proven)


def _play_on(state: State) -> None:
    """Take random options until the game is over, or for `LONGEST` decisions at most."""
    assert state.generator is not None
    below = state.generator.draw_below
    for _ in range(LONGEST):
        if state.mode == OVER:
            return
        state.apply(below(len(state.options)))


def _is_short(state: State) -> bool:
    """Return whether random play ends the game within a few decisions and without a chance event. Uses up the state."""
    generator = state.generator
    assert generator is not None
    for _ in range(SHORT):
        if state.mode == OVER:
            return True
        option = generator.draw_below(len(state.options))
        before = generator.index
        state.apply(option)
        if generator.index != before:
            return False
    return state.mode == OVER


def _promising(node: Node, who: int) -> int:
    """Return the index of the option to try next: a proven win, an untried one, or the one with the highest bound.

    Options that are proven losses come last, and proven draws have no exploration term.
    """
    if node.winning >= 0:
        return node.winning
    visits = node.visits
    if node.tried < len(visits):
        return (node.first + node.tried) % len(visits)
    mean = node.total / node.visited
    variance = node.squares / node.visited - mean * mean
    floor = FLOOR * node.prizes / node.visited
    scatter = max(floor, sqrt(variance)) if variance > 0 else 1.0
    best_index, highest = 0, -inf
    for index, count in enumerate(visits):
        if node.settled and node.proven[index] is not None:
            bound = 0.0 if _proven_for(node, index, who) == 0 else -inf
        else:
            bound = node.rewards[index] / count + EXPLORATION * scatter * sqrt(node.harmonic / count)
        if bound > highest:
            best_index, highest = index, bound
    return best_index
