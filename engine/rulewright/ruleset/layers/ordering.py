"""Order entries by the positions that they ask for."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from heapq import heappop, heappush
from itertools import pairwise

from rulewright.ruleset import ruleset_diagnostics
from rulewright.source.diagnostics.collector import Diagnostics
from rulewright.source.diagnostics.diagnostic import RelatedSpan
from rulewright.source.diagnostics.suggestions import suggest_name
from rulewright.source.nodes import Scalar
from rulewright.source.span import Span


@dataclass(frozen=True, slots=True)
class Placement:
    """An entry and the entries that it wants to be `before` or `after`."""

    key: str
    anchors: Mapping[str, Scalar]
    span: Span


@dataclass(frozen=True, slots=True)
class _Edge:
    """The constraint that `first` comes before `second`.

    `placement` is the placement that asks for it, or None if it is the order of the lower layer.
    """

    first: str
    second: str
    placement: Placement | None


def place(order: Sequence[str], placements: Sequence[Placement], diagnostics: Diagnostics) -> list[str]:
    """Return `order` with each placed entry moved. An entry may be placed beside another placed entry.

    Each placed entry is put next to its anchor if the constraints allow it. The others keep their order. Reports
    unknown anchors, whose placement is then ignored, and contradictions to `diagnostics`. On a contradiction, the
    result may violate some placements.
    """
    known = dict.fromkeys(order)
    active = [placement for placement in placements if _check_anchors(placement, known, diagnostics)]
    moving = {placement.key for placement in active}
    edges = [_Edge(a, b, None) for a, b in pairwise(key for key in order if key not in moving)]
    for move in active:
        edges += [_Edge(anchor.text, move.key, move) for word, anchor in move.anchors.items() if word == "after"]
        edges += [_Edge(move.key, anchor.text, move) for word, anchor in move.anchors.items() if word == "before"]
    preferred = _side_by_side(order, active)
    placed = _in_order(preferred, edges)
    if placed is not None:
        return placed
    _report(_circle(edges), diagnostics)
    return preferred


def _check_anchors(placement: Placement, order: Collection[str], diagnostics: Diagnostics) -> bool:
    """Return whether all anchors of a placement exist. Report the others, and an entry that is its own anchor."""
    bad = [a for a in placement.anchors.values() if a.text not in order or a.text == placement.key]
    for anchor in bad:
        message = f"there is no `{anchor.text}` to place this next to"
        hint = suggest_name(anchor.text, [key for key in order if key != placement.key])
        diagnostics.add(ruleset_diagnostics.OVERRIDE_OF_NOTHING, message, anchor.span, suggestion=hint)
    return not bad


def _side_by_side(order: Sequence[str], placements: Sequence[Placement]) -> list[str]:
    """Return the entries with each one right next to its anchor. If it has both, `after` has precedence over `before`.

    Entries in a cycle keep their position in `order`. The result may violate other constraints.
    """
    waiting = list(placements)
    moving = {placement.key for placement in placements}
    settled = [key for key in order if key not in moving]
    while waiting:
        ready = [placement for placement in waiting if all(a.text in settled for a in placement.anchors.values())]
        if not ready:
            # The rest is a cycle, so its first entry keeps its position.
            first = waiting[0]
            before = [key for key in order[: order.index(first.key)] if key in settled]
            settled.insert(settled.index(before[-1]) + 1 if before else 0, first.key)
            waiting = waiting[1:]
            continue
        # In reverse, so that entries with the same anchor keep their source order.
        for placement in reversed([placement for placement in ready if "after" in placement.anchors]):
            settled.insert(settled.index(placement.anchors["after"].text) + 1, placement.key)
        for placement in [placement for placement in ready if "after" not in placement.anchors]:
            settled.insert(settled.index(placement.anchors["before"].text), placement.key)
        waiting = [placement for placement in waiting if placement not in ready]
    return settled


def _in_order(names: Sequence[str], edges: Sequence[_Edge]) -> list[str] | None:
    """Return the topological order nearest to `names`, or None if the constraints have a cycle.

    Of the entries that may come next, the first in `names` is taken.
    """
    places = {key: place for place, key in enumerate(names)}
    if all(places[edge.first] < places[edge.second] for edge in edges):
        return list(names)
    held_back = Counter(edge.second for edge in edges)
    after = _by_first(edges)
    ready = [place for key, place in places.items() if not held_back[key]]
    lines: list[str] = []
    while ready:
        key = names[heappop(ready)]
        lines.append(key)
        for edge in after[key]:
            held_back[edge.second] -= 1
            if not held_back[edge.second]:
                heappush(ready, places[edge.second])
    return lines if len(lines) == len(names) else None


def _by_first(edges: Sequence[_Edge]) -> Mapping[str, list[_Edge]]:
    results: dict[str, list[_Edge]] = defaultdict(list)
    for edge in edges:
        results[edge.first].append(edge)
    return results


def _circle(edges: Sequence[_Edge]) -> list[_Edge]:
    """Return the edges of a shortest cycle through the first placed entry that is in one, in reverse order.

    Raises `ValueError` if there is no cycle.
    """
    after = _by_first(edges)
    for start in dict.fromkeys(edge.first for edge in edges if edge.placement is not None):
        reached: dict[str, _Edge] = {}
        level = [start]
        while level and start not in reached:
            steps = [edge for key in level for edge in after[key] if edge.second not in reached]
            reached |= {edge.second: edge for edge in reversed(steps)}
            level = list(dict.fromkeys(edge.second for edge in steps))
        if start in reached:
            way = [reached[start]]
            while way[-1].first != start:
                way.append(reached[way[-1].first])
            return way
    raise ValueError("there is no cycle")


def _report(circle: Sequence[_Edge], diagnostics: Diagnostics) -> None:
    """Report placements that contradict each other."""
    placements = list({id(edge.placement): edge.placement for edge in circle if edge.placement is not None}.values())
    first, *others = sorted(placements, key=lambda placement: placement.span)
    if not others:
        after, before = first.anchors["after"], first.anchors["before"]
        message = f"`{first.key}` cannot come both after `{after.text}` and before `{before.text}`"
        related: tuple[RelatedSpan, ...] = (RelatedSpan(after.span, f"`{after.text}` comes after `{before.text}`"),)
        diagnostics.add(ruleset_diagnostics.CONTRADICTORY_ORDER, message, before.span, related=related)
        return
    message = f"the position of `{first.key}` depends on itself"
    related = tuple(RelatedSpan(placement.span, f"`{placement.key}` is part of the cycle") for placement in others)
    diagnostics.add(ruleset_diagnostics.CONTRADICTORY_ORDER, message, first.span, related=related)
