"""What the bots of fused programs pick options by."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import chain, compress, repeat
from typing import Any

from rulewright.dice.lots import below
from rulewright.play.machine.seats import drawn_by


class Picks:
    """The lots of the bots in one game, and how many decisions they may still make between them.

    `draws` holds, for each player's number, a function that gives the next byte of the bot's lots, and that raises
    `StopIteration` when no decision is left. Before them is one that settles what a byte alone does not, after them the
    one that looks on, if any. What is picked is what the bot `random` picks.
    """

    __slots__ = ("_left", "_lots", "draws")

    def __init__(self, seed: int | str, players: int, most: int, look: Callable[[], object] | None = None) -> None:
        self._left = left = repeat(True, most)
        self._lots: list[Iterator[int]] = []
        self.draws: list[Any] = [self._settle]
        for seat in range(1, players + 1):
            drawn = drawn_by(seed, seat)
            self._lots.append(drawn)
            # Each byte that is given takes one from what is left, and generated code is not asked to count.
            self.draws.append(compress(drawn, left).__next__)
        self.draws.append(look)

    @property
    def left(self) -> int:
        """How many decisions are left."""
        return self._left.__length_hint__()

    def _settle(self, player: int, number: int, byte: int) -> int:
        """A pick from `number` options, where `byte` was drawn for it and may not do."""
        return below(number, chain((byte,), self._lots[player - 1]))
