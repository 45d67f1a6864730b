"""Who tells what became of an entry, section by section: found by being here.

A module here has `TELLERS`: a section → its `Teller`. A section without one is told by what it says of its own words.
"""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Mapping

from rulewright.book.changes.side import Teller
from rulewright.lazy import once


@once
def tellers() -> Mapping[str, Teller]:
    """Who tells the changes of each section of which more is to be told than what differs in its words."""
    found: dict[str, Teller] = {}
    for module in pkgutil.iter_modules(__path__):
        found |= getattr(importlib.import_module(f"{__name__}.{module.name}"), "TELLERS", {})
    return found
