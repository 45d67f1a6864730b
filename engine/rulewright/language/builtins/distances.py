"""`reach`, `ray`, `groups`, `distance` and `path`: walks over the spaces of a board or any other linked values."""

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
    ends: Callable[[P], Any] | None = None,
    *,
    apart: bool = False,
) -> Iterator[tuple[P, int, P | None]]:
    """Yield each space in reach, nearest first, with its total cost and the space before it (None for a start).

    This is Dijkstra's algorithm. Spaces at the same distance come in the order in which the walk discovers them.

    Args:
        starts: The spaces to begin at, with a total cost of 0. Repeated ones count once.
        onward: Returns the neighbour of a space, a tuple or list of neighbours, or None.
        entering: Returns the cost to enter a space, or None if it cannot be entered. Negative costs count as 0.
        spend: Charges operations to the budget.
        each: Operations to charge for each space that the walk visits, and again for each of its neighbours.
        limit: The highest total cost. None means no limit.
        ends: Returns whether the walk does not go on from a space that it entered. None means that it always does.
        apart: Whether each start begins a walk of its own once the last one has ended. The condition of `entering`
            then holds for the starts as well, and no space is visited twice.
    """
    waiting: list[tuple[int, int, P, P | None]] = []
    # The cost to enter a space does not depend on the previous space, so the first way found to it is the cheapest.
    ps: set[P] = set()
    for together in ([start] for start in starts) if apart else [starts]:
        for start in together:
            if start in ps:
                continue
            ps.add(start)
            if apart:
                spend(each)
            if not apart or entering(start) is not None:
                waiting.append((0, len(ps), start, None))
        while waiting:
            total, _, place, before = heappop(waiting)
            yield place, total, before
            leads = None if ends is not None and before is not None and ends(place) else onward(place)
            others: Sequence[P] = leads if isinstance(leads, tuple | list) else () if leads is None else (leads,)
            spend(each * (1 + len(others)))
            for other in others:
                if other in ps:
                    continue
                ps.add(other)
                cost = entering(other)
                if cost is not None and (limit is None or total + max(0, cost) <= limit):
                    heappush(waiting, (total + max(0, cost), len(ps), other, place))


Walked = Iterator[tuple[Any, int, Any]]


def find_reached(steps: Walked) -> tuple[Any, ...]:
    """Return every space of a walk, nearest first."""
    return tuple(place for place, _, _ in steps)


def find_ray(steps: Walked) -> tuple[Any, ...]:
    """Return every space of a walk but its starts, nearest first."""
    return tuple(place for place, _, before in steps if before is not None)


def find_groups(steps: Walked) -> tuple[tuple[Any, ...], ...]:
    """Return the spaces of each of several walks, which begin where a space has none before it."""
    results: list[list[Any]] = []
    for place, _, before in steps:
        if before is None:
            results.append([])
        results[-1].append(place)
    return tuple(map(tuple, results))


def find_distance(steps: Walked, goal: Any) -> int | None:
    """Return the total cost to reach `goal`, or None if the walk does not reach it."""
    return next((total for place, total, _ in steps if place == goal), None)


def find_path(steps: Walked, goal: Any) -> tuple[Any, ...]:
    """Return the spaces from a start to `goal`, both included. Empty if the walk does not reach it."""
    previous: dict[Any, Any] = {}
    for place, _, before in steps:
        previous[place] = before
        if place == goal:
            break
    results = []
    here = goal if goal in previous else None
    while here is not None:
        results.append(here)
        here = previous[here]
    return tuple(reversed(results))


def _places(place: Sequence[Type]) -> Type:
    return ListOf(place[0])


REACH = Builtin(
    name="reach",
    signature="reach(onward for p in starts if condition until end by cost within limit)",
    means=(
        "Every place within reach, nearest first, including the starts. From each place, the walk continues to "
        "the places that `onward` gives, if they meet the condition. Entering a place costs 1, or the value after "
        "`by`. The walk does not continue from an entered place that meets the condition after `until`."
    ),
    result=_places,
    evaluate=find_reached,
    operation=lambda place, result: "walk.reach",
    of_list=True,
    walks=True,
)
RAY = Builtin(
    name="ray",
    signature="ray(onward for p in starts if condition until end by cost within limit)",
    means=(
        "The places that `reach` gives, without the starts: all places in one direction, up to and including the first "
        "place that meets the condition after `until`."
    ),
    result=_places,
    evaluate=find_ray,
    operation=lambda place, result: "walk.ray",
    of_list=True,
    walks=True,
)
GROUPS = Builtin(
    name="groups",
    signature="groups(onward for p in places if condition)",
    means=(
        "The places that meet the condition, as a list of groups. Two places are in the same group if a walk leads "
        "from one to the other without leaving the group."
    ),
    result=lambda place: ListOf(ListOf(place[0])),
    evaluate=find_groups,
    operation=lambda place, result: "walk.groups",
    of_list=True,
    walks=True,
    parts_only=True,
)
DISTANCE = Builtin(
    name="distance",
    signature="distance(onward for p in starts if condition until end by cost within limit to goal)",
    means="The cost of reaching the goal, or none if it cannot be reached.",
    result=lambda place: make_optional(INTEGER),
    evaluate=find_distance,
    operation=lambda place, result: "walk.distance",
    of_list=True,
    walks=True,
    to_goal=True,
)
PATH = Builtin(
    name="path",
    signature="path(onward for p in starts if condition until end by cost within limit to goal)",
    means="The places on the cheapest path, from a start to the goal itself. Empty if the goal cannot be reached.",
    result=_places,
    evaluate=find_path,
    operation=lambda place, result: "walk.path",
    of_list=True,
    walks=True,
    to_goal=True,
)
