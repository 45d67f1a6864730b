"""Decisions that choose several elements of a list: the elements, and the option of each selection."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from itertools import count
from math import comb, perm
from typing import Any

from rulewright.engine.game.game_error import GameError


@dataclass(frozen=True, slots=True)
class Subset:
    """The elements of a decision whose options are all selections of `at_least` to `at_most` of them.

    The options are ordered by their number of elements, and then like `itertools.combinations`, or with `in_order` like
    `itertools.permutations`.

    Attributes:
        elements: The labels of the elements, in order. No two are equal.
        at_least: The minimum number of elements to choose.
        at_most: The maximum number of elements to choose.
        in_order: Whether the order of the chosen elements matters.
    """

    elements: tuple[str, ...]
    at_least: int
    at_most: int
    in_order: bool = False

    def find(self, chosen: Collection[int]) -> int | None:
        """Return the index of the option with these elements, given as indices from 0. None if their number is wrong.

        With `in_order`, they are in the order of `chosen`, and each must be in it once.

        Raises:
            GameError: There is no such element, or `chosen` is not a collection.
        """
        many = len(self.elements)
        if not isinstance(chosen, Collection) or not all(type(each) is int and 0 <= each < many for each in chosen):
            raise GameError(f"elements must be given by their indices, from 0 to {many - 1}")
        size = len(set(chosen))
        if not self.at_least <= size <= self.at_most:
            return None
        if self.in_order:
            return self._find_sequence(list(chosen)) if len(chosen) == size else None
        place, after = sum(comb(many, fewer) for fewer in range(self.at_least, size)), 0
        for left, each in zip(range(size - 1, -1, -1), sorted(set(chosen)), strict=True):
            place += sum(comb(many - 1 - skipped, left) for skipped in range(after, each))
            after = each + 1
        return place

    def _find_sequence(self, chosen: Sequence[int]) -> int:
        """Return the index of the option with these elements in this order."""
        many, size = len(self.elements), len(chosen)
        place = sum(perm(many, fewer) for fewer in range(self.at_least, size))
        for at, each in enumerate(chosen):
            skipped = each - sum(earlier < each for earlier in chosen[:at])
            place += skipped * perm(many - 1 - at, size - 1 - at)
        return place

    def describe_count(self) -> str:
        """Return how many elements must be chosen, such as `3` or `1 to 2`."""
        return str(self.at_least) if self.at_least == self.at_most else f"{self.at_least} to {self.at_most}"

    def to_json(self) -> dict[str, Any]:
        """Return the elements as plain data."""
        result = {"elements": list(self.elements), "at_least": self.at_least, "at_most": self.at_most}
        return {**result, "in_order": True} if self.in_order else result


def find_elements(
    options: Sequence[tuple[Any, ...] | None], *, in_order: bool = False
) -> tuple[tuple[Any, ...], int, int]:
    """Return the list whose selections the options are, and the minimum and maximum size of a selection.

    The first selections of a size differ only in their last element, so they show the whole list. The option to choose
    nothing does not count. The list is empty if only empty selections are possible.
    """
    selections = [each for each in options if each is not None]
    low, high = len(selections[0]), len(selections[-1])
    if not high:
        return (), 0, 0
    size = max(low, 1)
    same = [each for each in selections if len(each) == size]
    ways = perm if in_order else comb
    many = next(many for many in count(size) if ways(many, size) == len(same))
    return (*same[0][:-1], *(each[-1] for each in same[: many - size + 1])), low, high
