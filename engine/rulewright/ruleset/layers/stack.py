"""Overlays made independently, stacked: each is tried on what it was written for, and where they meet is settled."""

from __future__ import annotations

from collections.abc import Sequence

from rulewright.ruleset.layers.contests import Contest, explained, is_settled, meetings
from rulewright.ruleset.layers.history import Path
from rulewright.ruleset.layers.layer import Layer
from rulewright.ruleset.layers.overlay import lay
from rulewright.ruleset.layers.touches import Touch
from rulewright.source.diagnostics.collected import Diagnostics


def is_stack(layers: Sequence[Layer]) -> bool:
    """Whether some layer lies on one that it was not written for."""
    names = [layer.name for layer in layers]
    return any(not layer.is_for(names[:place]) for place, layer in enumerate(layers))


def settle_contests(layers: Sequence[Layer], diagnostics: Diagnostics) -> frozenset[Path]:
    """The paths at which overlays meet; what nobody settles goes to `diagnostics`, and so does what is wrong with an
    overlay by itself."""
    touches: dict[str, tuple[Touch, ...]] = {}
    contests: list[Contest] = []
    contested: frozenset[Path] = frozenset()
    for place, layer in enumerate(layers):
        if all(layer.is_for([other.name]) and other.name in layer.chain for other in layers[:place]) and all(
            layer.name in other.chain for other in layers[place:]
        ):
            continue  # it is below or above every other one
        own = [other for other in layers[: place + 1] if other.name in layer.chain]
        touches[layer.name] = lay(own, diagnostics, contested).touches
        for other in layers[:place]:
            if other.name not in layer.chain:
                contests += meetings(other, layer, touches[other.name], touches[layer.name])
        contested = frozenset(path for contest in contests for path in contest.quiet)
    for layer in layers:
        if contests and layer.name not in touches:
            own = [other for other in layers if other.name in layer.chain]
            touches[layer.name] = lay(own, Diagnostics(), contested).touches
    # A step that is moved meets others where it stood and where it stands; to settle one settles it.
    meeting = {(contest.first.span, contest.second.span): contest for contest in contests}
    settled = {(c.first.span, c.second.span) for c in contests if is_settled(c, layers, touches)}
    diagnostics.extend(explained(contest, layers) for place, contest in meeting.items() if place not in settled)
    return contested
