"""Descriptions of the changes in each section, one module each.

A module here has `TELLERS`: a section → its `Teller`. A section without one is told by what it says of its own words.
"""

from __future__ import annotations

from collections.abc import Mapping

from rulewright.base.lazy import compute_once
from rulewright.base.plugins import PluginFolder
from rulewright.book.changes.compared_side import Teller

FOLDER = PluginFolder(__name__, "the changes' module", TELLERS=dict)


@compute_once
def load_tellers() -> Mapping[str, Teller]:
    """Return who tells the changes of each section of which more is to be told than what differs in its words."""
    found: dict[str, Teller] = {}
    for _, module in FOLDER.iterate_working():
        found |= module.TELLERS
    return found
