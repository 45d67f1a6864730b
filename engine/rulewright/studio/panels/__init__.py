"""The panels beside the text, one module each.

A panel is a module with a `PANEL`: its title, its place in the row, what answers, and, where it has pages to show, what
serves them. Modules without one are what panels are made of.
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
    """Return every panel by the name of its file, without the line behind one that Python has another use for.

    In order.

    The last ones are those that cannot be loaded: whoever asks them is told why.
    """
    found: dict[str, Panel] = {}
    for name, module in FOLDER.load_all().items():
        panel = Panel(name, _LAST, module.fail) if isinstance(module, Broken) else getattr(module, "PANEL", None)
        if isinstance(panel, Panel):
            found[name.rstrip("_")] = panel
    return MappingProxyType(dict(sorted(found.items(), key=lambda item: (item[1].place, item[0]))))
