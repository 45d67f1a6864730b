"""Views of the entries of a section, beyond title and text, in one module for each group of sections.

A function `show_SECTION(page, identity) -> str` in a module here returns the view of an entry. It receives the writer
of the page and the id of the entry, and usually renders a template of `docs_templates/`. A section without such a
function shows the title and the texts of its entries.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from rulewright.base.lazy import compute_once
from rulewright.base.plugins import PluginFolder

FOLDER = PluginFolder(__name__, "the entries' module")

Show = Callable[[Any, str], str]
"""A function from the writer of a page and the id of an entry to HTML within Markdown."""


@compute_once
def load_entry_views() -> dict[str, Show]:
    """Return the view function of each section that has one here. The result is computed once.

    A module that cannot be loaded is reported on stderr and left out.
    """
    entry_views: dict[str, Show] = {}
    for _, module in FOLDER.iterate_working():
        own = vars(module)
        entry_views |= {name.removeprefix("show_"): show for name, show in own.items() if name.startswith("show_")}
    return entry_views
