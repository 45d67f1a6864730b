"""Descriptions of the changes in each section, one module each.

A module here has `TELLERS`, which maps a section to its `Teller`. A section without one is described by its texts.
"""

from __future__ import annotations

from collections.abc import Mapping

from rulewright.base.lazy import compute_once
from rulewright.base.plugins import PluginFolder
from rulewright.book.changes.compared_side import Teller

FOLDER = PluginFolder(__name__, "the changes' module", TELLERS=dict)


@compute_once
def load_tellers() -> Mapping[str, Teller]:
    """Return the describers of changes by section, for sections that have one."""
    tellers: dict[str, Teller] = {}
    for _, module in FOLDER.iterate_working():
        tellers |= module.TELLERS
    return tellers
