"""What pages look and work with: styles, scripts and fonts, once for all books, and the drawings of a game."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType

import yaml

from rulewright.book.style.dice_pictures import DICE
from rulewright.resources import resource
from rulewright.ruleset.editions.icons import icons
from rulewright.ruleset.ruleset import Ruleset

FOLDER = "assets"
"""Where they lie, at the root of a site."""

_ALONE = frozenset({"fonts.css"})
"""What pages that are not the theme's ask for by itself."""

_SOURCE_MAP = re.compile(rb"\n?(?://# sourceMappingURL=\S+|/\*# sourceMappingURL=\S+ \*/)\s*\Z")


def way_to(*, shared: bool) -> str:
    """The way to them from a page of a book, which has them to itself, or shares them with the others of its site."""
    return f"../{FOLDER}/" if shared else f"{FOLDER}/"


STYLE = f"{FOLDER}/book.css"
SCRIPT = f"{FOLDER}/book.js"
"""The project's own styles and scripts in one file each, so that a page asks for few."""


def write_assets(site: Path) -> None:
    """Write them into `site`: the project's own, and of the theme's those that a page asks for."""
    own, settings = _own(), yaml.safe_load((resource("site").parent / "mkdocs.yml").read_text(encoding="utf-8"))
    joined = {STYLE: settings["extra_css"], SCRIPT: settings["extra_javascript"]}
    for name, parts in joined.items():
        names = [part.removeprefix(f"{FOLDER}/") for part in parts]
        # Scripts need no semicolon at their end, but where another one follows.
        data = (b"\n;\n" if name == SCRIPT else b"\n").join(own[part] for part in names)
        for part in names:
            if part not in _ALONE:
                del own[part]
        own[name.removeprefix(f"{FOLDER}/")] = data
    for name, data in (own | _theme()).items():
        target = site / FOLDER / name
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(data)


def _own() -> dict[str, bytes]:
    folder = resource("site") / FOLDER
    files = (path for path in folder.rglob("*") if path.suffix in {".css", ".js", ".svg", ".txt", ".woff2"})
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


_MENTION = re.compile(
    r"(?P<block></?(?:p|li|td|th|dt|dd|h\d|div|summary|figcaption)\b|\n\n)"
    r'|(?P<link><a class="rw-term" href="[^"]*">)'
    r'<svg class="rw-icon" aria-hidden="true"><use href="#rw-icon-(?P<icon>[^"]*)"/></svg>'
)
"""Where a block begins or ends, and a linked term with its drawing."""


def drawings(ruleset: Ruleset) -> Mapping[str, str]:
    """Every sound drawing → the symbol it is, ready for a sprite: of terms, of rows (`table.row`), and the cover.

    `check` tells of those that are not sound.
    """
    return MappingProxyType({name: icon.symbol for name, icon in icons(ruleset).items() if icon.fault is None})


def sprite(text: str, symbols: Mapping[str, str]) -> str:
    """The symbols that `text` uses, as one hidden drawing that a page carries itself, so that it works from disk."""
    inner = "".join(symbol for name, symbol in {**symbols, **DICE}.items() if f'"#rw-icon-{name}"' in text)
    if not inner:
        return ""
    # An element that Markdown takes for a block of its own, and leaves alone.
    return f'<div><svg class="rw-sprite" width="0" height="0" aria-hidden="true">{inner}</svg></div>'


def once_each(text: str) -> str:
    """The text with each drawing only at the first mention of its term in a paragraph, an item or a cell."""
    shown: set[str] = set()

    def first(found: re.Match[str]) -> str:
        if found["block"] is not None:
            shown.clear()
            return found[0]
        if found["icon"] in shown:
            return found["link"]
        shown.add(found["icon"])
        return found[0]

    return _MENTION.sub(first, text)
