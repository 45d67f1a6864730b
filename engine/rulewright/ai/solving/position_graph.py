"""The graph of all positions of a game without hidden information, with options and chance events.

A roll that directly follows a choice belongs to the option. Any later roll is a position of its own, so rolls that
repeat until a certain result form a cycle. If a player can win alone by an option without a chance event, the graph
omits the other options, which cannot be better. For games that can continue forever after a win is possible, only this
makes the graph finite.
"""

from __future__ import annotations

import marshal
from array import array
from collections import deque
from collections.abc import Iterator, Sequence
from hashlib import blake2b
from typing import Any

from rulewright.ai.solving.payoffs import compute_payoffs
from rulewright.ai.solving.solution import UnsolvedError, build_too_large
from rulewright.dice.dice_error import DiceError
from rulewright.engine.state.game_state import CHANCE, OVER, State, list_chances
from rulewright.engine.state.machine import Machine
from rulewright.engine.state.state_keys import Key, StateKeys, list_unordered_fields
from rulewright.ir.analyses.liveness import Liveness

TRIED_EACH = 12
"""The maximum number of options and outcomes to try, per allowed position on average."""

SIZE = 10
"""The size of a key in bytes. With a million positions, two keys are equal by chance in one of 10¹² games."""

Ending = tuple[tuple[float, ...], tuple[int, ...]]
"""The payoff of each seat in a finished game, and the winning seats, from 0."""


def hash_position(key: Key) -> bytes:
    """Return a hash of a position, `SIZE` bytes long, which is the same for equal positions."""
    try:
        # From format 3 on, the encoding of equal values depends on their reference counts.
        data = marshal.dumps(key, 2)
    except ValueError:
        data = repr(key).encode()  # `marshal` cannot encode the dice in the key
    return blake2b(data, digest_size=SIZE).digest()


CHANCES = -1
"""The player number of chance events."""


class PositionGraph:
    """Positions by number, in the order of discovery, and endings by negative number, from -1.

    For position n, `who` is the acting seat from 0, or `CHANCES` for a position with chance outcomes as its only
    option. Its options begin at `options[n]`. The results of option o begin at `branches[o]`, as `targets` with their
    `chances`. An omitted option has no branches.
    """

    def __init__(self, machine: Machine, *, first_new: int, most: int) -> None:
        self.positions = StateKeys(machine.ruleset, machine.ruleset.get_or_make(Liveness), first_new=first_new)
        self.most = most
        self.known: dict[bytes, int] = {}
        self.who = array("b")
        self.options = array("q", [0])
        self.branches = array("q", [0])
        self.targets = array("q")
        self.chances = array("d")
        self.endings: list[Ending] = []
        self._endings: dict[Ending, int] = {}
        self._waiting: deque[State] = deque()
        layout = self.positions.layout
        self._unordered: dict[int, set[int]] = {}
        for kind, name in machine.ruleset.get_or_make(list_unordered_fields):
            self._unordered.setdefault(layout.kinds[kind], set()).add(layout.places[kind, name])
        self._tried = 0
        self._prized = machine.ruleset.payoff is not None

    def __len__(self) -> int:
        return len(self.who)

    def build_key(self, state: State) -> bytes:
        """Return the hash of a state at a decision or chance event. Normalizes the state."""
        frames, objects = self.positions.compute_key(state)
        return hash_position((frames, tuple([item and self._in_order(item) for item in objects])))

    def _in_order(self, key: Key) -> Key:
        """Return the key of an object with its unordered lists sorted."""
        places = self._unordered.get(key[0])
        if places is None:
            return key
        return tuple([
            tuple(sorted(value, key=_sortable)) if place in places and value else value
            for place, value in enumerate(key)
        ])  # fmt: skip

    def follow(self, start: State) -> list[tuple[int, float]]:
        """Add every position that is reachable from a state.

        Return the state's own position or, at a chance event, those after each outcome, with their probabilities.

        Raises `UnsolvedError` if there are too many, and `RulesFault` if the rules reach an impossible state.
        """
        begun = self._list_landings(start.clone())
        while self._waiting:
            self._expand(self._waiting.popleft())
        return begun

    def list_successors(self, node: int) -> Iterator[int]:
        """Return the positions that may follow a position."""
        first, last = self.branches[self.options[node]], self.branches[self.options[node + 1]]
        return (target for target in self.targets[first:last] if target >= 0)

    def _expand(self, state: State) -> None:
        """Append the options and branches of the next position. Uses up the state.

        Raises `UnsolvedError` if an event has too many outcomes or the graph becomes too large.
        """
        if state.mode == CHANCE:
            self.who.append(CHANCES)
            self._branch(self._list_landings(state))
        else:
            self._choose(state)
        self.options.append(len(self.branches) - 1)

    def _try(self, tries: int) -> None:
        self._tried += tries
        if self._tried > TRIED_EACH * self.most:
            raise self._too_large(f"more than {TRIED_EACH * self.most:,} options and outcomes")

    def _branch(self, landed: Sequence[tuple[int, float]]) -> None:
        for target, chance in landed:
            self.targets.append(target)
            self.chances.append(chance)
        self.branches.append(len(self.targets))

    def _choose(self, state: State) -> None:
        """Append the player and the options of a decision.

        If an option wins at once and the ruleset has no payoffs, all other options are left without branches. Raises
        `UnsolvedError` if there are too many branches.
        """
        self.who.append(state.live[1].index(state.who))
        count = len(state.options)
        self._try(count)
        afters = []
        for index in range(count):
            after = state.clone()
            after.apply(index)
            afters.append(after)
        wins = None if self._prized else next((i for i, each in enumerate(afters) if _has_won(each, state.who)), None)
        for index, after in enumerate(afters):
            self._branch(self._list_landings(after) if wins in (None, index) else ())

    def _list_landings(self, state: State) -> list[tuple[int, float]]:
        """Return the numbers of the positions and endings after at most one chance event, with their probabilities.

        New ones are added to the graph. Uses up the state. Raises `UnsolvedError` if the event has too many outcomes or
        the graph becomes too large, and `RulesFault` if the rules fail.
        """
        if state.mode != CHANCE:
            return [(self._number(state), 1.0)]
        try:
            outcomes, shares = list_chances(state.roll)
        except DiceError as error:
            raise self._too_large(f"a roll with too many outcomes to count ({error})") from error
        self._try(len(outcomes))
        results: dict[int, float] = {}
        for outcome, share in zip(outcomes, shares, strict=True):
            after = state.clone()
            after.apply_outcome(outcome)
            number = self._number(after)
            results[number] = results.get(number, 0.0) + share
        return list(results.items())

    def _number(self, state: State) -> int:
        """Return the number of a position, or that of an ending, which is negative. New ones are added to the graph.

        Raises `UnsolvedError` if the graph becomes too large.
        """
        if state.mode == OVER:
            players = state.live[1]
            ending = (compute_payoffs(state), tuple(players.index(winner) for winner in state.winners or ()))
            return self._endings.setdefault(ending, self._new_ending(ending))
        key = self.build_key(state)
        number = self.known.get(key)
        if number is None:
            number = self.known[key] = len(self.known)
            if number >= self.most:
                raise self._too_large(f"more than {self.most:,} positions")
            state.new_move()
            self._waiting.append(state)
        return number

    def _new_ending(self, ending: Ending) -> int:
        if ending not in self._endings:
            self.endings.append(ending)
        return -len(self.endings)

    def _too_large(self, why: str) -> UnsolvedError:
        return build_too_large(self.positions.ruleset.title, why, self.most)


def _has_won(state: State, player: int) -> bool:
    return state.mode == OVER and state.winners == (player,)


def _sortable(value: Any) -> tuple[bool, Any]:
    return value is not None, value
