"""The studio's panels, one module each.

A panel module defines `PANEL` with a title, a position, an answer function and, if it has pages of its own, a function
that serves them. Modules without `PANEL` are helpers.
"""

from __future__ import annotations

from types import MappingProxyType

from rulewright.base.lazy import compute_once
from rulewright.base.plugins import Broken, PluginFolder
from rulewright.studio.panels.panel import Panel

FOLDER = PluginFolder(__name__, "the panel")

_LAST = 1_000


@compute_once
def load_panels() -> MappingProxyType[str, Panel]:
    """Return every panel by its module name without trailing underscores, in display order.

    A panel that fails to load is at the end, and every request to it raises the reason. The result is cached.
    """
    results: dict[str, Panel] = {}
    for name, module in FOLDER.load_all().items():
        panel = Panel(name, _LAST, module.fail) if isinstance(module, Broken) else getattr(module, "PANEL", None)
        if isinstance(panel, Panel):
            results[name.rstrip("_")] = panel
    return MappingProxyType(dict(sorted(results.items(), key=lambda item: (item[1].place, item[0]))))
