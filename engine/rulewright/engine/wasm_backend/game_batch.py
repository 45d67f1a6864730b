"""Many games of one ruleset in one memory: set up, begun, stepped, and looked at in rows of arrays.

The work is done by the runtime (`engine/runtime/batch.c`); here is what it is handed, and where its rows lie. What a
row means is up to whoever says by tables how a game is told in numbers.
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
"""When the game after one that has ended begins: when it is asked for; by the next step; at once."""

_FIELDS = """
games seats width actions horizon shared bots viewer renewal stride procedure payoff plus minus stream fresh fresh_size
kinds questions chosen seen last_seen masks players rewards terminated truncated seeds moves copies lots
offered any
""".split()  # noqa: SIM905 (a table of names reads better as words)
"""What `struct batch` of the runtime holds, in its order."""

_LARGEST = 10**18
_BYTES_OF_LOTS = 80
_MEAN_OF_DIE, _MEAN_OF_ROLL = 48, 16


class TooManyOptions(Exception):  # noqa: N818 (it is no error of a program)
    """There are more options than the masks have room for: in which game, at which step, and how many."""

    def __init__(self, game: int, step: int, count: int) -> None:
        super().__init__(game, step, count)
        self.game, self.step, self.count = game, step, count


class NotOffered(Exception):  # noqa: N818 (it is no error of a program)
    """What is chosen in a game is not offered there."""

    def __init__(self, game: int) -> None:
        super().__init__(game)
        self.game = game


class GameBatch:
    """So many games. `numbers` says how they are told: it puts tables into memory and gives addresses and sizes.

    `bots` are the seats (from 0) that take any option, as the bot `random` does by the game's seed; `viewer` is the
    seat that always looks, or None for whoever is asked.
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
        told = numbers(machine, self._put)
        size = self.host.call("size_of_game")
        fresh = self.space(size)
        self.host.call("save_game", fresh, size)
        self.width, self.actions = told["width"], told["actions"]
        self.at = {
            "chosen": self.space(8 * count),
            "seen": self.space(4 * count * self.width),
            "last_seen": self.space(4 * count * self.width if renewal == SAME_STEP else 0),
            "masks": self.space(count * self.actions),
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
        found = {
            **told,
            **self.at,
            "games": count,
            "seats": players,
            "horizon": horizon,
            "bots": sum(1 << seat + 1 for seat in set(bots)),
            "viewer": 0 if viewer is None else viewer + 1,
            "renewal": renewal,
            "stride": count,
            "procedure": machine.made.order.index(ruleset.start),
            "payoff": int(ruleset.payoff is not None),
            "plus": self._text(b"i"),
            "minus": self._text(b"i-"),
            "stream": self._text(b"dice"),
            "fresh": fresh,
            "fresh_size": size,
        }
        self.host.call("batch_use", self._put([found[name] for name in _FIELDS]))

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
        """Return bytes of the memory, to be looked at and written to as they are; they keep it alive."""
        found = (ctypes.c_uint8 * size).from_address(self.host.place(address))
        found.host = self.host  # type: ignore[attr-defined]
        return found

    # -- games -------------------------------------------------------------------------------------

    def begin(self) -> None:
        """Begin the games that `chosen` marks, by their seeds. Raises `RulesFault` and `TooManyOptions`."""
        self._proceed("batch_begin")

    def step(self) -> None:
        """Take what is `chosen` in every game, and go on to the next questions.

        Raises `NotOffered` before anything is done, and else as `begin` does.
        """
        self._proceed("batch_step")

    def choose_any(self) -> None:
        """Choose in every game what the number from 0 to 1 in `any` comes to, of what is offered."""
        self.host.call("batch_any")

    def look(self, viewer: int, rows: int) -> None:
        """Write down what a seat sees of every game, in rows from an address on."""
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
        """Return whether it was in asking who sees something that a game stopped.

        It leads through what has left the game.

        Nobody sees it then, and nothing is asked of it again.
        """
        return bool(self.host.call("batch_blind"))


def lay_out_means(machine: WasmMachine) -> None:
    """Have the mean of every roll of the rules in memory, and of those that a game begins with, where it can be told.

    The runtime puts them together where rolls are put together in play.
    """
    layout, host = machine.made.layout, machine.host

    def known(roll: Roll) -> int:
        try:
            middle: Fraction = compute_mean(roll)
        except DiceError:
            return NONE
        if max(abs(middle.numerator), middle.denominator) > _LARGEST:
            return NONE
        return BLOCK | host.keep([2, middle.numerator, middle.denominator])

    def held(word: int, kind: Type) -> None:
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
