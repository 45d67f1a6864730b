"""The reference of everything a designer or an integrator can write, made from the program itself.

Each module has `page()`, which returns the Markdown of its page, or `pages()`, which returns several pages by path.
The program is the only source: keys, types and meanings come from the schema of rules files, steps and functions from
their registries, examples from the shipped rules, and numbers from the engine.
"""

from __future__ import annotations

import importlib
import pkgutil


def pages() -> dict[str, str]:
    """Return every page by its path, such as `files.md` or `commands/check.md`."""
    made: dict[str, str] = {}
    for name in sorted(module.name for module in pkgutil.iter_modules(__path__) if not module.name.startswith("_")):
        module = importlib.import_module(f"{__name__}.{name}")
        made |= module.pages() if hasattr(module, "pages") else {f"{name}.md": module.page()}
    return made
