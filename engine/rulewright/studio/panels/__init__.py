"""The studio's panels, one module each.

A panel module defines `PANEL` with a title, a position, an answer function and, if it has pages of its own, a function
that serves them. Modules without `PANEL` are helpers.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping

from rulewright.base.plugins import Broken, PluginFolder
from rulewright.studio.panels.panel import Panel

FOLDER = PluginFolder(__name__, "the panel")

_LAST = 1_000


class Panels(Mapping[str, Panel]):
    """Every panel by its module name without trailing underscores. Each is imported when it is first looked up.

    Panels that are imported already come first, in the order of their names. A panel that fails to load raises the
    reason at every request to it.
    """

    def __getitem__(self, name: str) -> Panel:
        panel = next((each for own in (name, f"{name}_") if (each := _load(own)) is not None), None)
        if panel is None:
            raise KeyError(name)
        return panel

    def __iter__(self) -> Iterator[str]:
        names = sorted(FOLDER.list_names(), key=lambda name: f"{FOLDER.package}.{name}" not in sys.modules)
        return (name.rstrip("_") for name in names if _load(name) is not None)

    def __len__(self) -> int:
        return sum(1 for _ in self)


def _load(name: str) -> Panel | None:
    """Return the panel of a module, or None if there is no such module or it is a helper."""
    if not FOLDER.has(name):
        return None
    module = FOLDER.load(name)
    panel = Panel(name, _LAST, module.fail) if isinstance(module, Broken) else getattr(module, "PANEL", None)
    return panel if isinstance(panel, Panel) else None


def load_panels() -> Mapping[str, Panel]:
    """Return every panel by its name."""
    return Panels()
