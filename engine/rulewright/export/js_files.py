"""The files of the JavaScript host, which are part of the package."""

from __future__ import annotations

from importlib.resources import files

MODULE = "built/rules.js"
"""The ES module that drives a ruleset. `editors/studio/build.js` builds it from the other files in `js/`."""


def read_js_file(name: str) -> str:
    """Return the text of the file `name` in `js/`."""
    return (files(__package__) / "js" / name).read_text(encoding="utf-8")
