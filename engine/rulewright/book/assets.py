"""What every page of a site looks and works with, once for all its books: styles, scripts and fonts, in one folder."""

from __future__ import annotations

import re
from pathlib import Path

from rulewright.resources import resource

FOLDER = "assets"
"""Where they lie, at the root of a site."""

_SOURCE_MAP = re.compile(rb"\n?(?://# sourceMappingURL=\S+|/\*# sourceMappingURL=\S+ \*/)\s*\Z")


def write_assets(site: Path) -> None:
    """Write them into `site`: the project's own, and of the theme's those that a page asks for."""
    for name, data in _own().items() | _theme().items():
        target = site / FOLDER / name
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(data)


def _own() -> dict[str, bytes]:
    folder = resource("site") / FOLDER
    files = (path for path in folder.rglob("*") if path.is_file() and "__pycache__" not in path.parts)
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in files}


def _theme() -> dict[str, bytes]:
    """Styles and the one script of the theme. Its search, with an index for each of thirty languages, is not used."""
    import material

    folder = Path(material.__path__[0]) / "templates" / FOLDER
    wanted = ("stylesheets/main.*.min.css", "stylesheets/palette.*.min.css", "javascripts/bundle.*.min.js")
    files = (path for pattern in wanted for path in folder.glob(pattern))
    return {path.relative_to(folder).as_posix(): without_source_map(path.read_bytes()) for path in files}


def without_source_map(data: bytes) -> bytes:
    """A script or style without its last line, which would lead to a map that readers have no use for."""
    return _SOURCE_MAP.sub(b"", data) + b"\n"
