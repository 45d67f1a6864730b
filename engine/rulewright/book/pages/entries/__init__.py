"""Views of the entries of a section, beyond its title and text; one module each.

A function `show_SECTION(page, identity) -> str` in a module here shows the entries of a section: it is given the page's
writer and the id of the entry, and mostly fills in a template of `docs_templates/`. A section that has none is shown by
its title and its words.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from rulewright.base.lazy import compute_once
from rulewright.base.plugins import PluginFolder

FOLDER = PluginFolder(__name__, "the entries' module")

Show = Callable[[Any, str], str]
"""The writer of a page and an id → HTML within Markdown."""


@compute_once
def load_entry_views() -> dict[str, Show]:
    """Return what shows the entries of each section that has a function for it here."""
    found: dict[str, Show] = {}
    for _, module in FOLDER.iterate_working():
        own = vars(module)
        found |= {name.removeprefix("show_"): show for name, show in own.items() if name.startswith("show_")}
    return found
