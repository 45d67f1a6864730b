"""The reference of everything a designer or an integrator can write, made from the program itself.

One module a page; each has `page()`, which returns the page's Markdown. Nothing on these pages is written twice: keys,
types and meanings come from the model of the rules files, verbs and functions from their registries, examples from the
rules that are shipped, and figures from the engine.
"""

from __future__ import annotations

import importlib
import pkgutil


def pages() -> dict[str, str]:
    """Return every page by its path: `files.md`, `steps.md` and so on."""
    names = sorted(module.name for module in pkgutil.iter_modules(__path__) if not module.name.startswith("_"))
    return {f"{name}.md": importlib.import_module(f"{__name__}.{name}").page() for name in names}
