"""An edition that has a book."""

from __future__ import annotations

from dataclasses import dataclass

from rulewright.ruleset.editions.edition import Edition
from rulewright.ruleset.ruleset import Ruleset


@dataclass(frozen=True, slots=True, eq=False)
class Published:
    """An edition, the folder of its book inside the site, and its rules."""

    edition: Edition
    folder: str
    ruleset: Ruleset
