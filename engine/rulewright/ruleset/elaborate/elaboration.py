"""What the sections of the rules are read with."""

from __future__ import annotations

from dataclasses import dataclass

from rulewright.language.declarations import Declarations
from rulewright.ruleset.elaborate.pending import Trail
from rulewright.ruleset.layers.layer import Layer
from rulewright.source.diagnostics.collected import Diagnostics
from rulewright.source.nodes import Mapping


@dataclass(frozen=True, slots=True, eq=False)
class Elaboration:
    """Merged `rules` on their way to `declarations`.

    `top` is the layer that lies over all others, `trail` what is being worked out just now; `whole` is whether all that
    was written is in `rules`. Faults go to `diagnostics`.
    """

    rules: Mapping
    declarations: Declarations
    diagnostics: Diagnostics
    trail: Trail
    top: Layer
    whole: bool
