"""Read the SVG icons of a game, which are untrusted input: only plain shapes are copied.

`icons/<term>.svg` is the icon of a term, `icons/<table>.<row>.svg` that of a row of a table, and `cover.svg` the cover
of the game or an edition. An edition's own folder takes precedence over its game's, and an upper layer over a lower
one.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from xml.etree import ElementTree

from rulewright.base.incremental.reads import note_file
from rulewright.ruleset.elaborate.table_heads import list_table_heads
from rulewright.ruleset.ruleset import Ruleset
from rulewright.source.diagnostics.diagnostic import Code
from rulewright.source.span import Span

BAD_ICON = Code(
    "bad-icon",
    "A drawing that cannot be shown",
    "The book would show the term without its picture.",
    "Save it as a small, plain SVG file in UTF-8: only shapes with fill and stroke, and no links.",
)
UNKNOWN_ICON = Code(
    "unknown-icon",
    "A drawing that nothing uses",
    "A drawing is found by its file name; under any other name, it is never shown.",
    "Name it after a term, `TERM.svg`, or after a row of a table, `TABLE.ROW.svg`, or delete it.",
    severity="warning",
)
FOLDER = "icons"
COVER = "cover.svg"
COVER_ID = "-cover"
"""The key of the cover among the icons; no term or row can have this name."""

LARGEST = 20_000
"""The maximum size of an icon in bytes."""

DEEPEST = 16
"""The maximum nesting of groups."""

_SHAPES = frozenset({"g", "path", "circle", "ellipse", "rect", "line", "polyline", "polygon"})
_LOOKS = frozenset(
    {
        *("d", "cx", "cy", "r", "rx", "ry", "x", "y", "x1", "y1", "x2", "y2", "width", "height", "points"),
        *("transform", "fill", "stroke", "opacity", "stroke-width", "stroke-linecap", "stroke-linejoin"),
        *("stroke-dasharray", "fill-rule", "clip-rule", "fill-opacity"),
    }
)
_NAMESPACE = re.compile(r"^\{[^}]*\}")
_PLAIN = re.compile(r"[\w\s.,#%()+-]*")
_VIEW = re.compile(r"\s*-?[\d.]+(?:[\s,]+-?[\d.]+){3}\s*")
_DOCTYPE = re.compile(r"<!DOCTYPE", re.IGNORECASE)


class IconError(ValueError):
    """An error for an SVG file that cannot be used with its line and column, counted from 1."""

    def __init__(self, message: str, line: int = 1, column: int = 1) -> None:
        super().__init__(message)
        self.line, self.column = line, column


@dataclass(frozen=True, slots=True)
class Icon:
    """An SVG file with its content as a symbol, or its error."""

    path: Path
    symbol: str
    fault: IconError | None

    @property
    def span(self) -> Span:
        """The position of the error."""
        line, column = (self.fault.line, self.fault.column) if self.fault is not None else (1, 1)
        return Span(os.fspath(self.path), line, column, line, column)


def find_icons(ruleset: Ruleset) -> dict[str, Icon]:
    """Return the icons of terms, of rows (by `table.row`), and the cover (by `COVER_ID`), including invalid icons.

    Terms and rows without a drawing are left out. If several folders have a drawing of the same name, the one of the
    highest layer is used. Never raises for invalid files.
    """
    files = {path.stem: path for folder in reversed(list(_folders(ruleset))) for path in _find_drawn(folder)}
    titles = list_drawable(ruleset)
    results = {name: _icon(files[name], name, titles[name]) for name in titles if name in files}
    front = cover(ruleset)
    return results if front is None else {**results, COVER_ID: front}


def cover(ruleset: Ruleset, identity: str = COVER_ID) -> Icon | None:
    """Return the cover of an edition, or of its game, or None if there is none. Its symbol gets the id `identity`."""
    paths = [home / COVER for home in _homes(ruleset)]
    for path in paths:
        note_file(path)
    there = next((path for path in paths if path.exists() or path.is_symlink()), None)
    return _icon(there, identity, "") if there is not None else None


class _DrawableNames:
    """The names that an icon may have, each with its title, or empty if the title may contain placeholders."""

    def __init__(self, ruleset: Ruleset) -> None:
        self._names = {term.id: term.name for term in ruleset.declarations.terms.values()}
        self._names |= {f"{table.id}.{row}": "" for table in list_table_heads(ruleset) for row in table.rows}

    @property
    def content(self) -> Mapping[str, str]:
        """The titles by name."""
        return self._names


def list_drawable(ruleset: Ruleset) -> Mapping[str, str]:
    """Return the titles of what may have an icon by name. Cached in the ruleset."""
    return ruleset.get_or_make(_DrawableNames).content


def find_stray_drawings(ruleset: Ruleset) -> Iterator[tuple[Path, bool]]:
    """Yield the path of each icon that no term or row uses, and whether that may be intentional.

    It may be in folders shared by the editions of a game, and in lower layers.
    """
    known = list_drawable(ruleset)
    own = ruleset.resolved.layers[-1].folder / FOLDER
    for folder in _folders(ruleset):
        for path in _find_drawn(folder):
            if path.stem not in known:
                yield path, folder != own


def _find_drawn(folder: Path) -> list[Path]:
    return sorted(path for path in folder.iterdir() if path.suffix == ".svg")


def _homes(ruleset: Ruleset) -> Iterator[Path]:
    """Yield the folder of each layer and the folder above it, the highest layer first and each folder once."""
    seen = set()
    for layer in reversed(ruleset.resolved.layers):
        for home in (layer.folder, layer.folder.parent):
            if home not in seen:
                seen.add(home)
                yield home


def _folders(ruleset: Ruleset) -> Iterator[Path]:
    for home in _homes(ruleset):
        note_file(home / FOLDER)
        if (home / FOLDER).is_dir():
            yield home / FOLDER


def _icon(path: Path, identity: str, name: str) -> Icon:
    try:
        return Icon(path, _symbol(_text(path), identity, name), None)
    except IconError as fault:
        return Icon(path, "", fault)


@lru_cache(maxsize=512)
def _symbol(text: str, identity: str, name: str) -> str:
    """Return the icon in `text` as an SVG symbol that contains only shapes and presentation attributes.

    `name` becomes its title, unless it is empty. Raises `IconError` if the text is not such an SVG, or has no shape.
    """
    root = _parse(text)
    if _tag(root) != "svg":
        raise IconError(f"its outermost element is `{_tag(root)[:40]}`, not `svg`")
    view = root.get("viewBox", "0 0 24 24")
    if not _VIEW.fullmatch(view):
        raise IconError("its `viewBox` is not four numbers")
    symbol = ElementTree.Element("symbol", {"id": f"i-{identity}", "viewBox": " ".join(view.split())})
    if name:
        ElementTree.SubElement(symbol, "title").text = name
    looks = {key: value for key, value in _looks(root).items() if key not in ("width", "height")}
    group = ElementTree.SubElement(symbol, "g", looks) if looks else symbol
    _copy(root, group, 1)
    if all(_tag(child) == "title" for child in group):
        raise IconError("it has no shape: " + ", ".join(sorted(_SHAPES - {"g"})))
    return ElementTree.tostring(symbol, encoding="unicode")


def _text(path: Path) -> str:
    """Return the text of a drawing.

    Raises `IconError` if it cannot be read, is too large, is not UTF-8, or is a link to somewhere outside.
    """
    note_file(path)
    try:
        whole = path.resolve(strict=True)
        if not whole.is_file():
            raise IconError("it is not a file")
        if not whole.is_relative_to(path.parent.parent.resolve()):
            raise IconError("it is a link to a file outside the rules folder")
        with whole.open("rb") as opened:
            data = opened.read(LARGEST + 1)
    except OSError as error:
        raise IconError(f"it cannot be read: {error.strerror}") from error
    except RuntimeError as error:
        raise IconError("it is a link to itself") from error
    if len(data) > LARGEST:
        raise IconError(f"it has more than {LARGEST} bytes")
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data[: error.start].count(b"\n") + 1
        raise IconError("it is not written in UTF-8", line, error.start - data.rfind(b"\n", 0, error.start)) from error


def _parse(text: str) -> ElementTree.Element:
    """Return the root element of a drawing. Raises `IconError` for invalid XML, and for a doctype."""
    # Without a doctype there are no entities, so no expansion attack is possible.
    doctype = _DOCTYPE.search(text)
    if doctype is not None:
        line = text.count("\n", 0, doctype.start()) + 1
        raise IconError("it has a doctype", line, doctype.start() - text.rfind("\n", 0, doctype.start()))
    try:
        return ElementTree.fromstring(text)
    except ElementTree.ParseError as error:
        line, column = error.position
        raise IconError(f"it is not XML: {str(error).partition(':')[0]}", line, column + 1) from error
    except ValueError as error:
        raise IconError("it declares an encoding other than UTF-8") from error


def _tag(element: ElementTree.Element) -> str:
    return _NAMESPACE.sub("", element.tag) if isinstance(element.tag, str) else ""


def _looks(element: ElementTree.Element) -> dict[str, str]:
    """Return the presentation attributes of an element. Others are left out.

    Raises `IconError` for a value that is not a plain colour or number.
    """
    results = {key: value for key, value in element.attrib.items() if key in _LOOKS}
    for key, value in results.items():
        if "url" in value.casefold() or not _PLAIN.fullmatch(value):
            raise IconError(f"its `{key}` is `{value[:40]}`, which is not a plain colour or number")
    return results


def _copy(source: ElementTree.Element, target: ElementTree.Element, depth: int) -> None:
    """Copy the shapes inside an element into `target`, and leave out everything else.

    Raises `IconError` for too many levels and for unsafe attributes.
    """
    if depth > DEEPEST:
        raise IconError(f"its groups are nested more than {DEEPEST} deep")
    for child in source:
        tag = _tag(child)
        if tag in _SHAPES:
            _copy(child, ElementTree.SubElement(target, tag, _looks(child)), depth + 1)
