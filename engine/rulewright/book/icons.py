"""The drawings of a game's terms: small SVG files beside its rules, `icons/<term>.svg`.

An edition's own folder comes before its game's, and a layer before those below it.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType
from xml.etree import ElementTree

from rulewright.ruleset.ruleset import Ruleset

FOLDER = "icons"
LARGEST = 20_000
"""Bytes a drawing may have."""

_SHAPES = frozenset({"g", "path", "circle", "ellipse", "rect", "line", "polyline", "polygon"})
_LOOKS = frozenset(
    {
        *("d", "cx", "cy", "r", "rx", "ry", "x", "y", "x1", "y1", "x2", "y2", "width", "height", "points"),
        *("transform", "fill", "stroke", "opacity", "stroke-width", "stroke-linecap", "stroke-linejoin"),
        *("stroke-dasharray", "fill-rule", "clip-rule", "fill-opacity"),
    }
)
_MENTION = re.compile(
    r"(?P<block></?(?:p|li|td|th|dt|dd|h\d|div|summary|figcaption)\b|\n\n)"
    r'|(?P<link><a class="rw-term" href="[^"]*">)'
    r'<svg class="rw-icon" aria-hidden="true"><use href="#rw-icon-(?P<icon>[^"]*)"/></svg>'
)
"""Where a block begins or ends, and a linked term with its drawing."""

_NAMESPACE = re.compile(r"^\{[^}]*\}")


def drawings(ruleset: Ruleset) -> Mapping[str, str]:
    """Every term that has a drawing → the symbol it is, ready for a sprite."""
    found: dict[str, str] = {}
    for term in ruleset.declarations.terms.values():
        for folder in _folders(ruleset):
            path = folder / f"{term.id}.svg"
            symbol = _symbol(path, term.id, term.name) if path.is_file() else None
            if symbol is not None:
                found[term.id] = symbol
                break
    return MappingProxyType(found)


def _folders(ruleset: Ruleset) -> list[Path]:
    found: list[Path] = []
    for layer in reversed(ruleset.resolved.layers):
        for folder in (layer.folder / FOLDER, layer.folder.parent / FOLDER):
            if folder not in found and folder.is_dir():
                found.append(folder)
    return found


def _symbol(path: Path, identity: str, name: str) -> str | None:
    """The drawing as a symbol, of shapes and their looks only; None if it cannot be one."""
    data = path.read_bytes()
    # Without a doctype there are no entities, so nothing in the file can grow when it is read.
    if len(data) > LARGEST or b"<!DOCTYPE" in data.upper():
        return None
    try:
        root = ElementTree.fromstring(data)
    except ElementTree.ParseError:
        return None
    symbol = ElementTree.Element("symbol", {"id": f"rw-icon-{identity}", "viewBox": root.get("viewBox", "0 0 24 24")})
    ElementTree.SubElement(symbol, "title").text = name
    looks = {key: value for key, value in root.attrib.items() if key in _LOOKS - {"width", "height"}}
    group = ElementTree.SubElement(symbol, "g", looks) if looks else symbol
    _copy(root, group)
    return ElementTree.tostring(symbol, encoding="unicode")


def _copy(source: ElementTree.Element, target: ElementTree.Element) -> None:
    for child in source:
        tag = _NAMESPACE.sub("", child.tag) if isinstance(child.tag, str) else ""
        if tag in _SHAPES:
            looks = {key: value for key, value in child.attrib.items() if key in _LOOKS and "url(" not in value}
            _copy(child, ElementTree.SubElement(target, tag, looks))


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


def sprite(text: str, symbols: Mapping[str, str]) -> str:
    """The symbols that `text` uses, as one hidden drawing that a page carries itself, so that it works from disk."""
    used = [name for name in symbols if f'"#rw-icon-{name}"' in text]
    inner = "".join(symbols[name] for name in used)
    return f'<div><svg class="rw-sprite" width="0" height="0" aria-hidden="true">{inner}</svg></div>' if used else ""
