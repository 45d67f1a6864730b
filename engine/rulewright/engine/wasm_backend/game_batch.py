"""Batches: many games of one ruleset in one memory, stepped together and read as rows of arrays.

The runtime does the work (`engine/runtime/batch.c`). This module passes its inputs and locates its rows. The caller's
tables decide how a game is encoded as numbers.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from typing import Any

from rulewright.dice.ast import Pool, Roll
from rulewright.dice.bounds import compute_mean
from rulewright.dice.dice_error import DiceError
from rulewright.engine.state.faults import RulesFault
from rulewright.engine.wasm_backend.codegen.memory_layout import BLOCK, NONE
from rulewright.engine.wasm_backend.wasm_machine import WasmMachine
from rulewright.language.declarations import GAME_KIND, PLAYER_KIND
from rulewright.language.types import Dice, ListOf, Optional, Type
from rulewright.ruleset.ruleset import Ruleset

NEVER, NEXT_STEP, SAME_STEP = range(3)
"""When a new game replaces one that has ended: only on request, with the next step, or immediately."""

_FIELDS = """
games seats width actions horizon shared bots viewer renewal stride procedure payoff plus minus stream fresh fresh_size
kinds questions feature_width features chosen seen last_seen masks players rewards terminated truncated seeds moves
copies lots offered any
""".split()  # noqa: SIM905 (names are easier to read as words)
"""The members of the runtime's `struct batch`, in order."""

_LARGEST = 10**18
_BYTES_OF_LOTS = 80
_MEAN_OF_DIE, _MEAN_OF_ROLL = 48, 16


class TooManyOptions(Exception):  # noqa: N818 (it is not a programming error)
    """A decision has more options than fit in the masks. `game`, `step` and `count` say where and how many.

    If `count` is not positive, an option has no number instead: the one at index `-count`.
    """

    def __init__(self, game: int, step: int, count: int) -> None:
        super().__init__(game, step, count)
        self.game, self.step, self.count = game, step, count


class NotOffered(Exception):  # noqa: N818 (it is not a programming error)
    """The chosen action is not legal in a game of the batch."""

    def __init__(self, game: int) -> None:
        super().__init__(game)
        self.game = game


class GameBatch:
    """A batch of games. `numbers` defines their encoding: it puts tables into memory and returns addresses and sizes.

    `bots` are the seats, from 0, that the `random` bot plays with the seed of the game. `viewer` is the observing
    seat, or None for the deciding player.
    """

    def __init__(
        self,
        ruleset: Ruleset,
        count: int,
        *,
        players: int,
        options: Mapping[str, str],
        numbers: Callable[[WasmMachine, Callable[[Sequence[int]], int]], Mapping[str, int]],
        horizon: int,
        renewal: int,
        bots: Sequence[int],
        viewer: int | None,
    ) -> None:
        """Reserve memory for the games and their arrays, and write the tables of `numbers` to it. Plays nothing."""
        self.machine = machine = WasmMachine(ruleset)
        self.host = machine.host
        self.count = count
        self.players = players
        assert ruleset.start is not None
        state = machine.empty(players, options=options)
        state.root = ruleset.start
        state.frame = [0, *([None] * ruleset.procedures[ruleset.start].size)]
        state.stack.append(state.frame)
        machine.write(state)
        sizes = numbers(machine, self._put)
        size = self.host.call("size_of_game")
        fresh = self.space(size)
        self.host.call("save_game", fresh, size)
        self.width, self.actions = sizes["width"], sizes["actions"]
        self.at = {
            "chosen": self.space(8 * count),
            "seen": self.space(4 * count * self.width),
            "last_seen": self.space(4 * count * self.width if renewal == SAME_STEP else 0),
            "masks": self.space(count * self.actions),
            "features": self.space(4 * count * (self.actions - sizes["shared"]) * sizes["feature_width"]),
            "players": self.space(4 * count),
            "rewards": self.space(8 * count * players),
            "terminated": self.space(count),
            "truncated": self.space(count),
            "seeds": self.space(8 * count),
            "offered": self.space(4 * count),
            "any": self.space(8 * count),
            "moves": self.space(8 * count),
            "copies": self.space(16 * count),
            "lots": self.space(count * players * _BYTES_OF_LOTS if bots else 0),
        }
        results = {
            **sizes,
            **self.at,
            "games": count,
            "seats": players,
            "horizon": horizon,
            "bots": sum(1 << seat + 1 for seat in set(bots)),
            "viewer": 0 if viewer is None else viewer + 1,
            "renewal": renewal,
            "stride": count,
            "procedure": machine.module_info.order.index(ruleset.start),
            "payoff": int(ruleset.payoff is not None),
            "plus": self._text(b"i"),
            "minus": self._text(b"i-"),
            "stream": self._text(b"dice"),
            "fresh": fresh,
            "fresh_size": size,
        }
        self.host.call("batch_use", self._put([results[name] for name in _FIELDS]))

    # -- memory ------------------------------------------------------------------------------------

    def space(self, size: int) -> int:
        at: int = self.host.call("take_space", max(size, 1))
        self.host.put(at, bytes(size))
        return at

    def _put(self, numbers: Sequence[int]) -> int:
        at = self.space(8 * len(numbers))
        self.host.write(at, numbers)
        return at

    def _text(self, text: bytes) -> int:
        at = self.space(len(text))
        self.host.put(at, text)
        return at

    def buffer(self, address: int, size: int) -> Any:
        """Return a writable view of bytes in memory, without a copy. The view keeps the memory alive."""
        result = (ctypes.c_uint8 * size).from_address(self.host.place(address))
        result.host = self.host  # type: ignore[attr-defined]
        return result

    # -- games -------------------------------------------------------------------------------------

    def begin(self) -> None:
        """Begin the games that `chosen` marks, by their seeds. Raises `RulesFault` and `TooManyOptions`."""
        self._proceed("batch_begin")

    def step(self) -> None:
        """Take the `chosen` option in every game and advance to the next decisions.

        Raises `NotOffered` before anything changes, and otherwise the exceptions of `begin`.
        """
        self._proceed("batch_step")

    def choose_any(self) -> None:
        """Choose an option in every game with the number from 0 to 1 in `any`."""
        self.host.call("batch_any")

    def look(self, viewer: int, rows: int) -> None:
        """Write the observations of a seat, from 0, for every game to memory. `rows` is the address of the first.

        A fault in the viewers of a field hides the field. Raises `RulesFault` for any other fault.
        """
        first = 0
        while True:
            try:
                self.host.call("batch_look", first, rows, viewer + 1)
            except RulesFault:
                if not self._blind():
                    raise
                first = self.host.call("batch_at")
            else:
                return

    def _proceed(self, how: str) -> None:
        """Advance all games. A fault in the viewers of a field hides the field, and the games go on.

        Raises `NotOffered`, `TooManyOptions`, or `RulesFault` for any other fault.
        """
        while True:
            try:
                game = self.host.call(how)
            except RulesFault:
                if not self._blind():
                    raise
                how = "batch_proceed"
            else:
                break
        if game < -1:
            raise NotOffered(-2 - game)
        if game >= 0:
            (step,) = self.host.read(self.host.get("frame") & 0xFFFFFFFF, 1)
            raise TooManyOptions(game, step, self.host.call("batch_options"))

    def _blind(self) -> bool:
        """Return whether a game stopped while evaluating the viewers of a field, because an object has left the game.

        The field is then hidden from all players, and its viewers are not evaluated again.
        """
        return bool(self.host.call("batch_blind"))


def lay_out_means(machine: WasmMachine) -> None:
    """Store the means of all rolls of the rules and of the initial state in memory, if they can be computed.

    The runtime combines them when rolls are combined in play.
    """
    layout, host = machine.module_info.layout, machine.host

    def known(roll: Roll) -> int:
        """Return the word for the mean of a roll, or `NONE` if it cannot be computed or is too large."""
        try:
            middle: Fraction = compute_mean(roll)
        except DiceError:
            return NONE
        if max(abs(middle.numerator), middle.denominator) > _LARGEST:
            return NONE
        return BLOCK | host.keep([2, middle.numerator, middle.denominator])

    def held(word: int, kind: Type) -> None:
        """Store the means of all rolls in a value."""
        if word == NONE or not word & BLOCK:
            return
        match kind:
            case Optional(inner=inner):
                held(word, inner)
            case ListOf(inner=inner):
                for each in host.block(word):
                    held(each, inner)
            case Dice():
                host.write((word & 0xFFFFFFFF) + _MEAN_OF_ROLL, [known(machine.reader.roll(word))])

    for address, die in (*layout.dice.items(), *machine.reader.dice.items()):
        host.write(address + _MEAN_OF_DIE, [known(Pool(1, die))])
    for address, roll in layout.rolls.items():
        host.write(address + _MEAN_OF_ROLL, [known(roll)])
    kinds = machine.ruleset.declarations.kinds
    seats = range(host.get("seats"))
    for kind, at in (
        (GAME_KIND, layout.game),
        *((PLAYER_KIND, layout.players + 8 * layout.player_size * n) for n in seats),
    ):
        for place, field in enumerate(kinds[kind].fields.values(), start=1):
            held(host.read(at + 8 * place, 1)[0], field.type)
