"""Drawings that stand alone: each an image of its own, for what reads HTML and follows no link inside drawings."""

from __future__ import annotations

import re
from base64 import b64encode
from html import escape, unescape

_SPRITE = re.compile(r'<div><svg class="rw-sprite".*?</svg></div>', re.DOTALL)
_SYMBOL = re.compile(r'<symbol id="([^"]+)" viewBox="([^"]*)">(?:<title>.*?</title>)?(.*?)</symbol>', re.DOTALL)
_DRAWING = re.compile(r"<svg\b([^<>]*)>(.*?)</svg>", re.DOTALL)
_USE = re.compile(r'<use href="#([^"]+)"([^<>]*)/>')
_TITLE = re.compile(r"<title>(.*?)</title>", re.DOTALL)
_VARIABLE = re.compile(r"var\((--[\w-]+)(?:,\s*([^)]*))?\)")
_CLASS = re.compile(r'class="([^"]*)"')
_VIEW = re.compile(r'viewBox="([^"]*)"')
_SIZE = re.compile(r'\b(width|height)="([\d.]+)"')

INK = "#16120f"
COLOURS = {"--board-tile": "#ffffff", "--board-line": "#a89f92", "--board-ink": INK}
"""What stands for the variables that a stylesheet would set."""

LINES = f'fill="none" stroke="{INK}" stroke-width="1.8" stroke-linecap="round" stroke-linejoin="round"'
"""The looks of an icon, as the stylesheet has them."""


def drawn(page: str) -> str:
    """The page with every drawing as an image. One with a title has it as its words; others are silent."""
    symbols = {name: (view, shapes) for name, view, shapes in _SYMBOL.findall(page)}

    def image(found: re.Match[str]) -> str:
        attributes, inner = found.groups()
        title = _TITLE.search(inner)
        name, size = _CLASS.search(attributes), dict(_SIZE.findall(attributes))
        said = escape(unescape(title[1])) if title else ""
        data = b64encode(_alone(attributes, inner, symbols).encode()).decode()
        box = f' style="width: {float(size["width"]) * 0.75:g}pt"' if "width" in size else ""
        return f'<img class="{name[1] if name else ""}" alt="{said}"{box} src="data:image/svg+xml;base64,{data}">'

    return _DRAWING.sub(image, _SPRITE.sub("", page))


def _alone(attributes: str, inner: str, symbols: dict[str, tuple[str, str]]) -> str:
    view = _VIEW.search(attributes)
    lone = _USE.fullmatch(inner.strip())
    if lone is not None and lone[1] in symbols:
        box, inner = symbols[lone[1]]
    else:
        box = view[1] if view else "0 0 24 24"
        inner = _USE.sub(lambda use: _placed(use, symbols), inner)
    looks = LINES if "rw-icon" in attributes else 'font-family="sans-serif"'
    whole = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="{box}" {looks}>{inner}</svg>'
    return _VARIABLE.sub(lambda name: COLOURS.get(name[1], name[2] or INK), whole).replace("currentColor", INK)


def _placed(use: re.Match[str], symbols: dict[str, tuple[str, str]]) -> str:
    """A symbol as a part of a larger drawing."""
    if use[1] not in symbols:
        return ""
    view, shapes = symbols[use[1]]
    return f'<svg viewBox="{view}"{use[2]}><g {LINES}>{shapes}</g></svg>'
