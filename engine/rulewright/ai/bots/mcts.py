"""`mcts`: Monte Carlo tree search, with a budget of playouts (`mcts:200`) or milliseconds (`mcts:50ms`) a decision.

Upper confidence bounds on trees; chance is sampled anew at each visit. A playout goes on at random to the end of the
game, and is won, lost or neither. Where games are long or much is left to chance, that tells nothing of the move at
hand: if the ruleset has an `evaluate` formula, or the bot a judgement that it learned, a playout is judged by it as
soon as it leaves the tree. Such rewards have no scale that a bot could know, so what counts for doubt is how far those
scatter that came of the same decision.

Where nothing is hidden, and nothing was left to chance since the decision at hand, the end of a game proves something
of the decision before it: what wins is taken, what loses is left, and a decision is proven itself where one can win or
every option is proven. Where visits go on to the end, whether the next player can win at once is seen at once.
Sources: L. Kocsis and C. Szepesvári, "Bandit based Monte-Carlo Planning", ECML 2006; doubt in proportion to the spread
as in P. Auer, N. Cesa-Bianchi and P. Fischer, "Finite-time analysis of the multiarmed bandit problem", 2002;
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
from rulewright.engine.narration.redaction import analyze_sight
from rulewright.engine.python_backend.compiler import PythonMachine, compile_ruleset
from rulewright.engine.state.faults import RulesFault
from rulewright.engine.state.game_state import OVER, State
from rulewright.engine.state.machine import adopt_state
from rulewright.engine.wasm_backend.native_bots import SEARCHING
from rulewright.ruleset.ruleset import Ruleset
from rulewright.source.yaml.core_schema import parse_whole_number

JUDGES = True
HELP = "Monte Carlo tree search: mcts:200 is 200 playouts per decision, mcts:50ms is 50 milliseconds"

PLAYOUTS = 200
MOST = MOST_PLAYOUTS = 1_000_000

EXPLORATION = 1.0
"""How much an option that was seldom tried counts for, as a multiple of how far rewards scatter."""

VICTORY = 4.0
"""What a victory is worth, as a multiple of everything the players have."""

FLOOR = VICTORY / 2
"""The least that doubt is weighed by where outcomes alone count: what came to the same a few times may yet be lost."""

LONGEST = 100_000
"""Random decisions after which a playout without a judge is given up as undecided."""

SHORT = 64
"""Random decisions within which a game is over, without any chance, that is played to its end and not judged sooner."""


Outcome = int
"""Who wins, as a set of bits by numbers of players: none, where nobody does."""


class Node:
    """A decision as it was met: how often each option was tried, and what came of it for the player who decides.

    `sole` says that it is one state of the game, always the same, as nothing was left to chance since the decision at
    hand. Only then may something be `proven`: the outcome of an option, whoever plays as well as they can. `settled` is
    how many options that is known of, and `winning` one of them by which the player who decides wins, or -1.

    `first` is the option that is tried first, the next one after it, and so on round: were it always the first of the
    list, those at its end would be seen least in a small budget. `total` and `squares` are of all rewards. `harmonic`
    is 1 + 1/2 + 1/3 … for all visits. It grows as their logarithm does, which not every computer works out to the same
    last digit.
    """

    __slots__ = (
        "children",
        "first",
        "harmonic",
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
        self.sole = sole
        self.proven: list[Outcome | None] = [None] * options
        self.settled = 0
        self.winning = -1
        self.first = generator.draw_below(options) if options > 1 else 0
        self.visits = [0] * options
        self.rewards = [0.0] * options
        self.total = 0.0
        self.squares = 0.0
        self.tried = 0
        self.visited = 0
        self.harmonic = 0.0
        self.children: dict[tuple[int, int, int, int], Node] = {}


def make(ruleset: Ruleset, generator: Generator, setting: str, judge: str) -> Policy:
    """Return the bot. Raises `RulewrightError` for a budget that cannot be read."""
    playouts, seconds = _budget(setting)
    machine = compile_ruleset(ruleset, sampling=True)
    by_outcome = PlayoutReward(machine, knows=False, judge="")
    by_formula = PlayoutReward(machine, knows=True, judge=judge) if ruleset.evaluate is not None or judge else None
    known = analyze_sight(ruleset).everything
    impossible = nullcontext() if known else suppress(RulesFault)  # what was guessed cannot always be

    def choose(state: State, /) -> int:
        root = Node(len(state.options), generator, sole=known)
        started = perf_counter()
        done = 0
        # Every search rolls its own dice, drawn from the bot's stream: the game's are not for it to see.
        here = adopt_state(state, machine)

        def trial() -> State:
            copy = here.clone() if known else determinize(here, here.who, generator)
            copy.generator = generator
            return copy

        judged = by_formula or by_outcome
        if by_formula and not judge:
            with impossible:
                if _is_short(trial()):
                    judged = by_outcome
        while done < playouts and not _is_decided(root) and (seconds is None or perf_counter() - started < seconds):
            with impossible:
                _search(root, trial(), judged)
            done += 1
        return _chosen(root, state.who)

    return choose


def inside(setting: str) -> tuple[int, int] | None:
    """Return its number and its visits in the module of a ruleset. A budget of time is kept outside alone."""
    return None if setting.endswith("ms") else (SEARCHING, _budget(setting)[0])


def _budget(setting: str) -> tuple[int, float | None]:
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
    """The reward of each player where a playout stops: the lead over the best of the others."""

    def __init__(self, machine: PythonMachine, *, knows: bool, judge: str) -> None:
        self.knows = knows
        self.standing = machine.find_judgement(judge)

    def __call__(self, state: State, outcome: Outcome | None = None) -> dict[int, float]:
        """Return rewards by player, where a game is over, or is known to come to an `outcome`.

        Or is still undecided.
        """
        if state.mode == OVER:
            outcome = _outcome(state)
        players = state.live[1]
        standing = {player: self._standing(state, player) if self.knows else 0.0 for player in players}
        if outcome is not None:
            prize = VICTORY * (1.0 + sum(abs(value) for value in standing.values()))
            return {player: 0.0 if not outcome else prize if outcome >> player & 1 else -prize for player in players}
        return _leads(standing)

    def find_leads(self, state: State) -> dict[int, float]:
        """Return the lead of each player, whether or not the game is over."""
        return _leads({player: self._standing(state, player) for player in state.live[1]})

    def _standing(self, state: State, player: int) -> float:
        state.new_move()  # to look takes nothing from the move
        return float(self.standing(state, player))


def _leads(standing: dict[int, float]) -> dict[int, float]:
    """Return what each player is ahead of the best of the others."""
    found = {}
    for player, own in standing.items():
        others = [value for other, value in standing.items() if other != player]
        found[player] = own - max(others) if others else own
    return found


def _search(root: Node, state: State, judge: PlayoutReward) -> None:
    """Search once: descend to a new or proven node, judge it, and back up its reward."""
    node = root
    path: list[tuple[Node, int, int]] = []
    outcome: Outcome | None = None
    generator = state.generator
    assert generator is not None
    while True:
        index = _promising(node, state.who, 0.0 if judge.knows else FLOOR)
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
        # What chance did shows in who is asked what: the same question asked anew is the same node.
        key = (index, state.who, state.frame[0], len(state.options))
        if key not in node.children:
            node.children[key] = Node(len(state.options), generator, sole=sole)
        node = node.children[key]
    if outcome is None and not judge.knows:
        _play_on(state)
    rewards = judge(state, outcome)
    for visited, index, who in path:
        visited.tried += visited.visits[index] == 0
        visited.visits[index] += 1
        reward = rewards[who]
        visited.rewards[index] += reward
        visited.total += reward
        visited.squares += reward * reward
        visited.visited += 1
        visited.harmonic += 1.0 / visited.visited


def _outcome(state: State) -> Outcome:
    """Return what a game that is over came to."""
    return sum(1 << player for player in set(state.winners or ()))


def _can_win(state: State) -> bool:
    """Return whether the player who is asked has an option by which they win at once, and alone."""
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
    """Keep the outcome of the last option of a path, and what it proves of those before it.

    Whoever can win alone does. For more cannot be wished, so that it need not be known what else there is.
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
                return  # what is the same to whoever decides is not to others
            [outcome] = (each for each in outcomes if each is not None)


def _proven_for(node: Node, index: int, who: int) -> int:
    """Return what is proven of an option for the player who decides: 1 that it wins, -1 that it loses, else 0."""
    outcome = node.proven[index]
    return 0 if not outcome else 1 if outcome >> who & 1 else -1


def _chosen(root: Node, who: int) -> int:
    """Return what was tried most often, if nothing is proven to win.

    And nothing that leads to less than what is certain.
    """
    certain = 0 in root.proven  # that nobody wins

    def key(index: int) -> tuple[int, int, float]:
        mean = root.rewards[index] / max(1, root.visits[index])
        doubtful = certain and root.proven[index] is None and mean <= 0
        return 2 * _proven_for(root, index, who) - doubtful, root.visits[index], mean

    return max(range(len(root.visits)), key=key)


def _is_decided(node: Node) -> bool:
    """Return whether more visits can tell nothing new."""
    return node.winning >= 0 or node.settled == len(node.proven)


def _play_on(state: State) -> None:
    """Take any options until the game is over."""
    assert state.generator is not None
    below = state.generator.draw_below
    for _ in range(LONGEST):
        if state.mode == OVER:
            return
        state.apply(below(len(state.options)))


def _is_short(state: State) -> bool:
    """Return whether the game is over after a few decisions, taken at random.

    And nothing is left to chance on the way.
    """
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


def _promising(node: Node, who: int, floor: float) -> int:
    """Return the option to try next: what is proven to win, one never tried, else the highest upper confidence bound.

    What is proven to lose is left, where there is anything else; of what nobody wins, no doubt is left. `floor` is the
    least that doubt is weighed by.
    """
    if node.winning >= 0:
        return node.winning
    visits = node.visits
    if node.tried < len(visits):
        return (node.first + node.tried) % len(visits)
    mean = node.total / node.visited
    variance = node.squares / node.visited - mean * mean
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
