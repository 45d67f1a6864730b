"""Putting entries where they ask to be."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from rulewright.ruleset import codes
from rulewright.source.diagnostic import Related
from rulewright.source.diagnostics import Diagnostics
from rulewright.source.nodes import Scalar
from rulewright.source.span import Span
from rulewright.source.suggest import did_you_mean


@dataclass(frozen=True, slots=True)
class Placement:
    """An entry and the entries it wants to stand `before` or `after`."""

    key: str
    anchors: Mapping[str, Scalar]
    span: Span


def place(order: Sequence[str], placements: Sequence[Placement], diagnostics: Diagnostics) -> list[str]:
    """`order` with each placed entry moved. An entry may be placed by one that is itself placed.

    Unknown anchors and contradictions go to `diagnostics`.
    """
    known = set(order)
    waiting = []
    for placement in placements:
        bad = [a for a in placement.anchors.values() if a.text not in known or a.text == placement.key]
        for anchor in bad:
            message = f"there is no `{anchor.text}` to stand beside"
            hint = did_you_mean(anchor.text, [key for key in order if key != placement.key])
            diagnostics.add(codes.OVERRIDE_OF_NOTHING, message, anchor.span, suggestion=hint)
        if not bad:
            waiting.append(placement)
    moving = {placement.key for placement in waiting}
    settled = [key for key in order if key not in moving]
    while waiting:
        ready = [p for p in waiting if all(a.text in settled for a in p.anchors.values())]
        if not ready:
            first, *others = waiting
            related = tuple(Related(p.span, f"`{p.key}` waits for it in turn") for p in others)
            message = f"`{first.key}` and what it stands beside wait for each other"
            diagnostics.add(codes.CONTRADICTORY_ORDER, message, first.span, related=related)
            return [*settled, *(p.key for p in waiting)]
        # Later wishes are carried out first, so that two entries after one anchor keep the order written.
        for placement in reversed([p for p in ready if "after" in p.anchors]):
            settled.insert(settled.index(placement.anchors["after"].text) + 1, placement.key)
            _check_both(placement, settled, diagnostics)
        for placement in [p for p in ready if "after" not in p.anchors]:
            settled.insert(settled.index(placement.anchors["before"].text), placement.key)
        waiting = [p for p in waiting if p not in ready]
    return settled


def _check_both(placement: Placement, order: list[str], diagnostics: Diagnostics) -> None:
    before = placement.anchors.get("before")
    if before is not None and order.index(before.text) < order.index(placement.key):
        after = placement.anchors["after"]
        message = f"`{placement.key}` cannot stand after `{after.text}` and before `{before.text}`"
        related = (Related(after.span, f"`{after.text}` stands after `{before.text}`"),)
        diagnostics.add(codes.CONTRADICTORY_ORDER, message, before.span, related=related)
