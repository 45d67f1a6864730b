"""The result of checking one edition."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rulewright.ruleset.editions.edition import Edition
    from rulewright.ruleset.ruleset import Ruleset
    from rulewright.source.diagnostics.collector import Diagnostics


@dataclass(frozen=True, slots=True)
class EditionCheck:
    """The result of checking one edition.

    `ruleset` is None if the edition is abstract or its layers cannot merge.
    """

    edition: Edition
    ruleset: Ruleset | None
    diagnostics: Diagnostics

    @property
    def sound(self) -> bool:
        """Whether the edition has no errors."""
        return not self.diagnostics.errors
