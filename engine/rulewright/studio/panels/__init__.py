"""The panels beside the text, one file each, found by being here.

A panel is a module with a `PANEL`: its title, its place in the row, what answers, and, where it has pages to show, what
serves them. Modules without one are what panels are made of.
"""

from __future__ import annotations

import importlib
import pkgutil
from types import MappingProxyType

from rulewright.lazy import once
from rulewright.studio.panels.panel import Panel


@once
def panels() -> MappingProxyType[str, Panel]:
    """Every panel by the name of its file, without the line behind one that Python has another use for, in order."""
    found: dict[str, Panel] = {}
    for each in pkgutil.iter_modules(__path__):
        panel = getattr(importlib.import_module(f"{__name__}.{each.name}"), "PANEL", None)
        if isinstance(panel, Panel):
            found[each.name.rstrip("_")] = panel
    return MappingProxyType(dict(sorted(found.items(), key=lambda item: (item[1].place, item[0]))))
