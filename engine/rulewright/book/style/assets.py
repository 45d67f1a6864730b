"""The assets of pages: styles, scripts and fonts, once for all books, and the icons of a game."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType

import yaml

from rulewright.base.lazy import compute_once
from rulewright.base.resources import find_resource
from rulewright.book.style.dice_icons import DICE
from rulewright.engine.boards.board_svg import CHECKER, draw_checker
from rulewright.ruleset.editions.icons import find_icons
from rulewright.ruleset.ruleset import Ruleset

FOLDER = "assets"
"""The folder of assets at the root of a site."""

_ALONE = frozenset({"drawings.css", "fonts.css"})
"""The assets that pages outside of the theme request separately."""

_SOURCE_MAP = re.compile(rb"\n?(?://# sourceMappingURL=\S+|/\*# sourceMappingURL=\S+ \*/)\s*\Z")


def find_asset_path(*, shared: bool) -> str:
    """Return the path from a page of a book to the assets.

    The assets are in the book's own folder, or in the parent folder if they are `shared` with other books of the site.
    """
    return f"../{FOLDER}/" if shared else f"{FOLDER}/"


STYLE = f"{FOLDER}/book.css"
SCRIPT = f"{FOLDER}/book.js"
"""The files that combine all of the project's own styles and scripts, so that a page needs few requests."""


_BUILT = "built"
"""The folder of the scripts that `editors/studio/build.js` builds."""

_PLAY = "play"
_PROGRAMS = (_PLAY, "what-if", "shared", "roller", _BUILT)
"""The folders of scripts: play, parameters, shared links, dice, and the built scripts."""

_ROLLER = f"{_BUILT}/roller.js"
"""The one built script that is part of `SCRIPT`."""

MIGRATION_SCRIPT = "again.js"
"""The script that continues a game after its rules have changed. Only the studio's Play page needs it."""


def load_programs() -> dict[str, str]:
    """Return the scripts and styles of the pages with games and changeable parameters, by name below `FOLDER`."""
    folder = find_resource("site") / FOLDER
    styles = [path.read_text(encoding="utf-8") for path in sorted((folder / _PLAY).rglob("*.css"))]
    names = ("engine.js", "play.js", "told.js", "what-if.js", "shared.js", "shared-play.js")
    return {
        **{name: (folder / _BUILT / name).read_text(encoding="utf-8") for name in names},
        "play.css": _without_idle("\n".join(styles)),
    }


def load_migration_script() -> str:
    """Return the text of `MIGRATION_SCRIPT`."""
    return (find_resource("site") / FOLDER / _BUILT / MIGRATION_SCRIPT).read_text(encoding="utf-8")


_SAID = re.compile(r'(?:[sS]ay|tell)\("([^"]+)"')


DECIMAL = "."
"""The message of scripts that stands for the decimal separator."""


def list_script_messages() -> list[str]:
    """Return the English messages in the scripts of all pages, in order."""
    folder = find_resource("site") / FOLDER
    paths = [*folder.glob("*.js"), *folder.glob("roller/*.js"), *folder.glob(f"{_PLAY}/**/*.js")]
    texts = (path.read_text(encoding="utf-8") for path in sorted(paths))
    messages = dict.fromkeys(message for text in texts for message in _SAID.findall(text))
    return [message for message in messages if message != DECIMAL]


def write_assets(site: Path) -> None:
    """Write the assets into `site`: the project's own, and those of the theme that pages use."""
    _write(_join_assets(without=frozenset()) | _theme(), site)


def write_own_assets(site: Path) -> None:
    """Write the assets that work with any theme into `site`."""
    own = _join_assets(without=_FOR_THE_THEME)
    _write({name: data for name, data in own.items() if not name.startswith(_SEARCH)}, site)


_FOR_THE_THEME = frozenset({"access.js", "search.js", "versions.js", "offline.js"})
"""Scripts that only work with the theme's header and menu, or with the service worker of a site built here."""

_SEARCH = "vendor/minisearch"
"""The library for the search in the header."""


def _join_assets(*, without: frozenset[str]) -> dict[str, bytes]:
    """Return the project's own assets, by name below `FOLDER`, with the common styles and scripts joined.

    The parts named in `without` are left out.
    """
    own, settings = (
        _read_own(),
        yaml.safe_load((find_resource("site").parent / "mkdocs.yml").read_text(encoding="utf-8")),
    )
    joined = {STYLE: settings["extra_css"], SCRIPT: settings["extra_javascript"]}
    for name, parts in joined.items():
        names = [part.removeprefix(f"{FOLDER}/") for part in parts]
        # A script needs a semicolon only if another one follows.
        data = (b"\n;\n" if name == SCRIPT else b"\n").join(own[part] for part in names if part not in without)
        for part in names:
            if part not in _ALONE:
                del own[part]
        own[name.removeprefix(f"{FOLDER}/")] = data
    short = {name: _without_idle(data.decode()).encode() for name, data in own.items() if name.endswith(".css")}
    return own | short | {name: text.encode() for name, text in load_programs().items()}


@compute_once
def list_looks() -> Mapping[str, bytes]:
    """Return the assets for displaying a page outside of its book, by name below `FOLDER`: styles, icons and fonts.

    Pages load those of `list_theme_styles` before `STYLE`. The result is computed once.
    """
    settings = yaml.safe_load((find_resource("site").parent / "mkdocs.yml").read_text(encoding="utf-8"))
    own = {name: data for name, data in _read_own().items() if name.endswith((".css", ".svg", ".woff2"))}
    style = b"\n".join(own[part.removeprefix(f"{FOLDER}/")] for part in settings["extra_css"])
    styles = {name: data for name, data in _theme().items() if name.endswith(".css")}
    return MappingProxyType({**own, **styles, STYLE.removeprefix(f"{FOLDER}/"): style})


def list_theme_styles() -> list[str]:
    """Return the styles of the theme, by name below `FOLDER`, in the order in which they count."""
    return sorted(name for name in list_looks() if name.startswith("stylesheets/"))


def _write(files: Mapping[str, bytes], site: Path) -> None:
    for name, data in files.items():
        target = site / FOLDER / name
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(data)


_IDLE = re.compile(
    r"""(?P<text>"[^"\n]*"|'[^'\n]*'|url\([^)]*\))|/\*.*?\*/|^[ \t]+|\n(?=\s*\n)"""
    r"|;?\s*(?P<end>\})\s*|[ \t]*(?P<mark>[{;,])\s*|(?<=[a-z]):[ \t]+",
    re.DOTALL | re.MULTILINE,
)
"""The redundant parts of a stylesheet: comments, indentation, empty lines, and spaces around punctuation, but not
strings.
"""


def _without_idle(style: str) -> str:
    def keep_strings(result: re.Match[str]) -> str:
        return result["text"] or result["end"] or result["mark"] or (":" if result[0].startswith(":") else "")

    return _IDLE.sub(keep_strings, style)


def _read_own() -> dict[str, bytes]:
    """Return the project's own assets, by name below `FOLDER`, without the sources of bundled scripts."""
    folder = find_resource("site") / FOLDER
    files = (path for path in folder.rglob("*") if path.suffix in {".css", ".js", ".svg", ".txt", ".woff2"})
    names = {path.relative_to(folder).as_posix(): path for path in files}
    return {
        name: path.read_bytes()
        for name, path in names.items()
        if name == _ROLLER or not name.startswith(tuple(f"{program}/" for program in _PROGRAMS))
    }


def _theme() -> dict[str, bytes]:
    """Return the theme's styles and its script, by name below `FOLDER`. Its search is not used."""
    import material

    folder = Path(material.__path__[0]) / "templates" / FOLDER
    patterns = ("stylesheets/main.*.min.css", "stylesheets/palette.*.min.css", "javascripts/bundle.*.min.js")
    files = (path for pattern in patterns for path in folder.glob(pattern))
    return {path.relative_to(folder).as_posix(): strip_source_map(path.read_bytes()) for path in files}


def strip_source_map(data: bytes) -> bytes:
    """Return a script or style without the link to a source map, which the site does not contain."""
    return _SOURCE_MAP.sub(b"", data) + b"\n"


_MENTION = re.compile(
    r"(?P<block></?(?:p|li|td|th|dt|dd|h\d|div|summary|figcaption)\b|\n\n)"
    r'|(?P<link><a class="rw-term" href="[^"]*">)'
    r'<svg class="rw-icon" aria-hidden="true"><use href="#i-(?P<icon>[^"]*)"/></svg>'
    r'|<svg class="rw-icon" aria-hidden="true"><use href="#i-(?P<alone>[^"]*)"/></svg>'
)
"""The start or end of a block, a linked term with its icon, and an icon without a link, such as that of a row."""


def build_drawings(ruleset: Ruleset) -> Mapping[str, str]:
    """Return the symbols of all valid icons, for a sprite: of terms, of rows (`table.row`), and of the cover.

    `check` reports the invalid ones.
    """
    return MappingProxyType({name: icon.symbol for name, icon in find_icons(ruleset).items() if icon.fault is None})


def build_sprite(text: str, symbols: Mapping[str, str]) -> str:
    """Return the SVG symbols that `text` uses as one hidden drawing, or an empty text.

    They come from `symbols`, by name, and from the dice. Each page contains its own, so that it also works from disk.
    """
    inner = "".join(draw_checker(start) for start in (0, 1) if f"url(#{CHECKER}{start})" in text)
    inner += "".join(symbol for name, symbol in {**symbols, **DICE}.items() if f'"#i-{name}"' in text)
    if not inner:
        return ""
    # Markdown treats a `div` as a block of its own, and leaves it unchanged.
    return f'<div><svg class="rw-sprite" width="0" height="0" aria-hidden="true">{inner}</svg></div>'


def draw_once_each(text: str) -> str:
    """Return the text with the icon of a term only at its first mention in a paragraph, an item or a cell."""
    drawn: set[str] = set()

    def first(result: re.Match[str]) -> str:
        if result["block"] is not None:
            drawn.clear()
            return result[0]
        if result["alone"] is not None:
            drawn.add(result["alone"])
            return result[0]
        if result["icon"] in drawn:
            return result["link"]
        drawn.add(result["icon"])
        return result[0]

    return _MENTION.sub(first, text)
