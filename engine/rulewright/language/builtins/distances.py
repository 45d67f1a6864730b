"""`reach`, `distance` and `path`: from place to place, over whatever leads from one to others."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from heapq import heappop, heappush
from typing import Any, TypeVar

from rulewright.language.builtin import Builtin
from rulewright.language.types import INTEGER, ListOf, Type, make_optional

P = TypeVar("P", bound=Hashable)


def iterate_walk(
    starts: Iterable[P],
    onward: Callable[[P], Any],
    entering: Callable[[P], int | None],
    spend: Callable[[int], None],
    each: int,
    limit: int | None,
) -> Iterator[tuple[P, int, P | None]]:
    """Yield the places that are reached, nearest first: each with what it cost to come there, and the place before it.

    `onward` leads to a place, to several, or to none; `entering` says what entering a place costs, or None where it may
    not be entered. A cost below zero counts as nothing. Places as near as each other come in the order in which they
    were found. Each place that one goes on from takes `each` operations, and one for each place that it leads to.
    """
    waiting: list[tuple[int, int, P, P | None]] = []
    # What it costs to enter a place is the same from wherever one comes, so the first way found to it is the best.
    found: set[P] = set()
    for start in starts:
        if start not in found:
            found.add(start)
            waiting.append((0, len(found), start, None))
    while waiting:
        total, _, place, before = heappop(waiting)
        yield place, total, before
        leads = onward(place)
        others: Sequence[P] = leads if isinstance(leads, tuple | list) else () if leads is None else (leads,)
        spend(each * (1 + len(others)))
        for other in others:
            if other in found:
                continue
            found.add(other)
            cost = entering(other)
            if cost is not None and (limit is None or total + max(0, cost) <= limit):
                heappush(waiting, (total + max(0, cost), len(found), other, place))


Walked = Iterator[tuple[Any, int, Any]]


def find_reached(steps: Walked) -> tuple[Any, ...]:
    """Return every place that is reached."""
    return tuple(place for place, _, _ in steps)


def find_distance(steps: Walked, goal: Any) -> int | None:
    """Return what it costs to come to a place; None where it is not reached."""
    return next((total for place, total, _ in steps if place == goal), None)


def find_path(steps: Walked, goal: Any) -> tuple[Any, ...]:
    """Return the places on the way to a place, the first and the last among them; none where it is not reached."""
    came: dict[Any, Any] = {}
    for place, _, before in steps:
        came[place] = before
        if place == goal:
            break
    found = []
    here = goal if goal in came else None
    while here is not None:
        found.append(here)
        here = came[here]
    return tuple(reversed(found))


def _places(place: Sequence[Type]) -> Type:
    return ListOf(place[0])


REACH = Builtin(
    name="reach",
    signature="reach(onward for p in starts if condition by cost within limit)",
    means=(
        "Every place that can be reached, nearest first, the starts among them. One goes on from a place to those that "
        "`onward` leads to, and enters only those that fit the condition. Each costs 1, or what `by` says."
    ),
    result=_places,
    evaluate=find_reached,
    operation=lambda place, made: "walk.reach",
    of_list=True,
    walks=True,
)
DISTANCE = Builtin(
    name="distance",
    signature="distance(onward for p in starts if condition by cost within limit to goal)",
    means="What it costs to reach the goal, or none where it cannot be reached.",
    result=lambda place: make_optional(INTEGER),
    evaluate=find_distance,
    operation=lambda place, made: "walk.distance",
    of_list=True,
    walks=True,
    to_goal=True,
)
PATH = Builtin(
    name="path",
    signature="path(onward for p in starts if condition by cost within limit to goal)",
    means="The places on the cheapest way to the goal, from a start to the goal itself; empty where there is none.",
    result=_places,
    evaluate=find_path,
    operation=lambda place, made: "walk.path",
    of_list=True,
    walks=True,
    to_goal=True,
)
