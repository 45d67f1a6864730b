"""Layers laid one over another, the lowest first."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from rulewright.ruleset.layers.clashes import report_clashes
from rulewright.ruleset.layers.history import History, Path
from rulewright.ruleset.layers.layer import Layer
from rulewright.ruleset.layers.log import MergeLog
from rulewright.ruleset.layers.merge import Merge
from rulewright.ruleset.layers.touches import Touch
from rulewright.ruleset.layers.unite import unite
from rulewright.ruleset.schema.model import rules_shape
from rulewright.source.diagnostics.collected import Diagnostics
from rulewright.source.nodes import Mapping
from rulewright.source.span import Span

INHERITED = ("rounding", "players", "start", "evaluate", "simulations")
"""What a manifest says of the game itself, and not of its edition alone."""


@dataclass(frozen=True, slots=True, eq=False)
class Laid:
    """Layers merged, with the history of every value, and what the uppermost layer touched."""

    rules: Mapping
    history: History
    touches: tuple[Touch, ...]


def lay(layers: Sequence[Layer], diagnostics: Diagnostics, contested: Collection[Path] = ()) -> Laid:
    """Merge the rules of `layers`. At `contested` paths overlays meet, so that saying a thing again settles it."""
    history = History()
    appended: dict[Path, str] = {}
    rules = Mapping({}, Span.at(str(layers[0].folder)))
    below: list[str] = []
    touches: tuple[Touch, ...] = ()
    for layer in layers:
        stacked = not layer.is_for(below)
        log = MergeLog(layer.name, history, diagnostics, contested=contested, stacked=stacked, appended=appended)
        united = unite(layer.files, Span.at(str(layer.folder)), diagnostics)
        rules = Merge(log).mapping(rules, united.rules, rules_shape(), ())
        if united.shared:
            report_clashes(log.touches, united.shared, diagnostics)
        below.append(layer.name)
        touches = (*log.touches, *_settings(layer))
    return Laid(rules, history, touches)


def _settings(layer: Layer) -> list[Touch]:
    found = [(key, entry.value) for key, entry in layer.manifest.entries.items() if key in INHERITED]
    return [Touch("changes", (key,), value, value.span) for key, value in found]
