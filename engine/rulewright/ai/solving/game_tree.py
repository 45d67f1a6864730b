"""The tree of a game with hidden information, and the players' information sets in it."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, field
from hashlib import blake2b

from rulewright.ai.solving.payoffs import compute_payoffs
from rulewright.ai.solving.solution import UnsolvedError
from rulewright.dice.dice_error import DiceError
from rulewright.engine.narration.player_view import view_of_player
from rulewright.engine.state.game_state import CHANCE, OVER, State, list_chances

COURSES = 30_000
"""The maximum number of nodes in a tree. Every round visits all of them."""

DEEPEST = 300
"""The maximum number of decisions and chance events on a path."""

AT_CHANCE, AT_END = -1, -2

SIZE = 10
"""The size of a key in bytes."""


@dataclass(slots=True)
class InformationSet:
    """Nodes of the tree that the acting player (from 0) cannot distinguish.

    At these nodes, the player has the same `view` and the same history of views and choices.
    """

    who: int
    options: int
    key: bytes
    view: bytes
    places: list[int] = field(default_factory=list)


@dataclass(slots=True)
class Tree:
    """Nodes by number, each after its parent, beginning with the root.

    `at` has the type of each node, the number of its information set or `AT_CHANCE` or `AT_END`. `leads` are the child
    nodes by option, or by outcome with the probabilities `shares`. For an end, `payoffs` is the value for the first
    player and `won` has the winning seats.
    """

    at: list[int] = field(default_factory=list)
    leads: list[tuple[int, ...]] = field(default_factory=list)
    shares: list[tuple[float, ...]] = field(default_factory=list)
    payoffs: list[float] = field(default_factory=list)
    won: list[tuple[int, ...]] = field(default_factory=list)
    sights: list[InformationSet] = field(default_factory=list)


def view_of(state: State) -> bytes:
    """Return the key of everything that the acting player can see."""
    return _digest(repr(view_of_player(state)).encode())


def build_information_key(past: bytes, view: bytes) -> bytes:
    """Return the key of an information set, given a player's history and view."""
    return _digest(past + view)


def extend_past(key: bytes, option: int) -> bytes:
    """Return a player's history after an option at the information set with this key."""
    return _digest(key + option.to_bytes(4, "big"))


def _digest(data: bytes) -> bytes:
    return blake2b(data, digest_size=SIZE).digest()


def build_tree(start: State, *, most: int) -> Tree:
    """Return the tree of a two-player game, with at most `most` nodes.

    Raises `UnsolvedError` if the game is too large or too long, if a roll has too many outcomes, if an end is not
    zero-sum, or if a player's options reveal hidden information, and `RulesFault` if the rules fail.
    """
    title = start.machine.ruleset.title
    tree = Tree()
    known: dict[bytes, int] = {}
    waiting: deque[tuple[int, State, tuple[bytes, bytes], int]] = deque()

    def place(state: State, past: tuple[bytes, bytes], deep: int) -> int:
        """Add a node, which is an end until its state is expanded, queue it for that, and return its number.

        Raises `UnsolvedError` if the tree has too many nodes or too many in a row.
        """
        number = len(tree.at)
        if number >= most:
            raise UnsolvedError(
                f"{title} is too large to solve: it has more than {most:,} decisions, chance events and endings",
                most=most,
            )
        if deep > DEEPEST:
            raise UnsolvedError(
                f"{title} is too long to solve: it has more than {DEEPEST} decisions and chance events in a row"
            )
        tree.at.append(AT_END)
        tree.leads.append(())
        tree.shares.append(())
        tree.payoffs.append(0.0)
        tree.won.append(())
        waiting.append((number, state, past, deep))
        return number

    place(start.clone(), (b"", b""), 0)
    while waiting:
        number, state, past, deep = waiting.popleft()
        if state.mode == OVER:
            payoffs = compute_payoffs(state)
            if len(payoffs) != 2 or abs(sum(payoffs)) > 1e-9 * (1 + abs(payoffs[0])):
                raise UnsolvedError(
                    f"{title} has hidden information and is not a zero-sum game for two players: "
                    "perfect play cannot be computed"
                )
            tree.payoffs[number] = payoffs[0]
            tree.won[number] = tuple(state.live[1].index(winner) for winner in state.winners or ())
            continue
        if state.mode == CHANCE:
            try:
                outcomes, tree.shares[number] = list_chances(state.roll)
            except DiceError as error:
                raise UnsolvedError(f"{title} is too large to solve: {error}") from error
            tree.at[number] = AT_CHANCE
            leads = []
            for outcome in outcomes:
                after = state.clone()
                after.apply_outcome(outcome)
                leads.append(place(after, past, deep + 1))
            tree.leads[number] = tuple(leads)
            continue
        who = state.live[1].index(state.who)
        view = view_of(state)
        key = build_information_key(past[who], view)
        sight = known.setdefault(key, len(tree.sights))
        if sight == len(tree.sights):
            tree.sights.append(InformationSet(who, len(state.options), key, view))
        seen = tree.sights[sight]
        if (seen.who, seen.options) != (who, len(state.options)):
            raise UnsolvedError(f"{title} cannot be solved: a player's options reveal hidden information")
        seen.places.append(number)
        tree.at[number] = sight
        leads = []
        for index in range(len(state.options)):
            after = state.clone()
            after.apply(index)
            after.new_move()
            done = extend_past(key, index)
            leads.append(place(after, (done, past[1]) if who == 0 else (past[0], done), deep + 1))
        tree.leads[number] = tuple(leads)
    return tree
