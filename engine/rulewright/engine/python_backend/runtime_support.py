"""The functions that generated code calls, and the random options of bots in fused programs."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from functools import partial
from itertools import chain, compress, repeat
from operator import itemgetter
from typing import Any

from rulewright.dice.ast import Roll
from rulewright.dice.rounding import divide
from rulewright.dice.sampling.fast_rng import draw_below
from rulewright.dice.sampling.roll_dice import total
from rulewright.engine.state.game_state import Only, State
from rulewright.engine.state.machine import draw_for_seat
from rulewright.language.builtins.aggregates import add_up, find_extreme_roll
from rulewright.language.builtins.distances import (
    find_distance,
    find_groups,
    find_path,
    find_ray,
    find_reached,
    iterate_walk,
)
from rulewright.language.builtins.list_functions import rotate_list, take_first, take_last
from rulewright.language.builtins.next_element import find_next, find_previous
from rulewright.language.builtins.roll_functions import compute_roll_mean, roll_each
from rulewright.language.expressions.evaluator import (
    as_roll,
    compute_dice_arithmetic,
    find_element,
    find_index,
    flatten_lists,
    join_lists,
    multiply,
    refuse_large,
    remove_elements,
    with_entry,
)
from rulewright.language.expressions.expression_cost import EffortError
from rulewright.language.operations import list_numbers, list_subsets


def choose_present(first: Any, otherwise: Any) -> Any:
    """Return `first`, or `otherwise` if it is None."""
    return otherwise if first is None else first


def get_first(values: Sequence[Any]) -> Any:
    """Return the first value, or None if there is none."""
    return values[0] if values else None


def get_last(values: Sequence[Any]) -> Any:
    """Return the last value, or None if there is none."""
    return values[-1] if values else None


_ORDER = itemgetter(0)


def sort_pairs(pairs: list[tuple[Any, Any]]) -> list[Any]:
    """Sort pairs by their first values, and return the second ones. The sort is stable and changes `pairs`."""
    pairs.sort(key=_ORDER)
    return [value for _, value in pairs]


def sample(state: State, roll: Any) -> Any:
    """Return the total of a roll, or one of several values, from the state's generator."""
    generator = state.generator
    assert generator is not None
    return total(roll, generator) if isinstance(roll, Roll) else roll[generator.draw_below(len(roll))]


def spend(state: State, items: Sequence[Any], each: int) -> Sequence[Any]:
    """Return `items`, and charge `each` operations per item."""
    state.spend(len(items) * each)
    return items


def join_values(state: State, left: tuple[Any, ...], right: Sequence[Any]) -> tuple[Any, ...]:
    """Return two lists as one, and count its length. Raises `OverflowError` if it is too long."""
    values = join_lists(left, right)
    state.hold(len(values))
    return values


def flatten_values(state: State, lists: Collection[Sequence[Any]]) -> tuple[Any, ...]:
    """Return the elements of all lists as one, and count its length. Raises `OverflowError` if it is too long."""
    values = flatten_lists(lists)
    state.hold(len(values))
    return values


def judge_after(
    state: State,
    procedure: Callable[..., Any],
    arguments: tuple[Any, ...],
    judge: Callable[[State], bool],
    cost: int,
) -> bool:
    """Return whether `judge` is true in the state that a procedure would leave. Charges `cost` and all that it takes.

    `procedure` is a function that runs all of it.
    """
    state.spend(cost)
    ahead = state.clone()
    if ahead.events is not None:
        ahead.events = []
    procedure(ahead, *arguments)
    result = judge(ahead)
    state.work, state.crowd = ahead.work, ahead.crowd
    return result


SUPPORT = {
    function.__name__: function
    for function in (
        EffortError,
        Only,
        add_up,
        as_roll,
        compute_dice_arithmetic,
        find_distance,
        divide,
        choose_present,
        find_extreme_roll,
        get_first,
        flatten_values,
        join_values,
        judge_after,
        get_last,
        compute_roll_mean,
        find_element,
        find_index,
        find_next,
        find_previous,
        list_numbers,
        sort_pairs,
        find_path,
        find_groups,
        find_ray,
        find_reached,
        refuse_large,
        roll_each,
        sample,
        spend,
        rotate_list,
        take_first,
        take_last,
        list_subsets,
        multiply,
        iterate_walk,
        with_entry,
        remove_elements,
    )
}
"""The functions available to every generated module, by name."""


class Picks:
    """The random numbers of the bots in one game, and the number of decisions they may still make.

    `draws` has, for each player number, a function that returns the next random byte of the bot and raises
    `StopIteration` if no decisions are left. The first entry resolves bytes that are not sufficient, and the last is
    the observer, if there is one. The picks are the same as those of the bot `random`. `first` is the player who made
    the first decision, or None before that.
    """

    __slots__ = ("_fast", "_left", "_lots", "draws", "first")

    def __init__(self, seed: int | str, players: int, most: int, look: Callable[[], object] | None = None) -> None:
        self._left = left = repeat(True, most)
        self._lots: list[Iterator[int]] = []
        self.draws: list[Any] = [self._settle]
        self.first: int | None = None
        self._fast: list[Callable[[], int]] = []
        for seat in range(1, players + 1):
            drawn = draw_for_seat(seed, seat)
            self._lots.append(drawn)
            # Drawing a byte counts the decision, so generated code need not count.
            self._fast.append(compress(drawn, left).__next__)
            self.draws.append(partial(self._draw_first, seat))
        self.draws.append(look)

    @property
    def left(self) -> int:
        """The number of decisions left."""
        return self._left.__length_hint__()

    def _draw_first(self, player: int) -> int:
        """Draw the first byte of the game. All later ones are drawn without this function, which would be slower."""
        byte = self._fast[player - 1]()
        if self.first is None:
            self.first = player
            self.draws[1:-1] = self._fast
        return byte

    def _settle(self, player: int, number: int, byte: int) -> int:
        """Return a pick from `number` options with an already drawn byte, which may have to be rejected."""
        return draw_below(number, chain((byte,), self._lots[player - 1]))
