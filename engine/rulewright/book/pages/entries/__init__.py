"""How a page shows an entry of a section as more than its words: one file a section, called as the section is.

Each is a module with `show(page, identity) -> str`: it is given the page's writer and the id of the entry, and mostly
fills in a template of `docs_templates/`. A section without a file is shown by its title and its words.
"""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Callable
from functools import lru_cache
from typing import Any

Show = Callable[[Any, str], str]
"""The writer of a page and an id → HTML within Markdown."""


@lru_cache(maxsize=1)
def shown_as_more() -> dict[str, Show]:
    """What shows the entries of each section that has a file here."""
    names = (module.name for module in pkgutil.iter_modules(__path__))
    return {name: importlib.import_module(f"{__name__}.{name}").show for name in names}
