"""Raster images for readers without SVG: previews for social networks, and app icons."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import cache
from io import BytesIO

from rulewright.base.resources import find_resource
from rulewright.book.style.assets import FOLDER as ASSETS
from rulewright.book.style.text_style import escape

BRAND = "#5f1d29"
"""The colour of the header of every page."""

SOCIAL = "social.png"
"""The file name of the preview image of a book or of the whole site."""

WIDTH, HEIGHT = 1200, 630
"""The size of the image in pixels, which social networks do not crop."""

_PAPER, _INK, _QUIET, _GOLD, _LINE = "#fbf8f2", "#2b2521", "#655b51", "#c9a24a", "#ded4c2"
_COLOURS = 128
"""The number of colours, including the shades at the edges of letters."""

_MARGIN = 90
_MOST_DRAWN = 8
_OTHERS = re.compile(r"[^\u0020-\u007e\u00a0-\u017f\u0218-\u021b\u2010-\u2027]+")
"""Characters that the fonts of the images lack."""

_SERIF, _SANS = 0.5, 0.47
"""The average width of a character as a fraction of the font size, with a margin."""


@cache
def render_png(svg: str, *, width: int) -> bytes:
    """Return a drawing as PNG, `width` pixels wide. Results are kept for the whole process.

    It uses the fonts of the project only, so the result is the same everywhere.
    """
    import resvg_py
    from PIL import Image

    fonts = [str(find_resource("site") / "fonts" / name) for name in ("card-serif.ttf", "card-sans.ttf")]
    drawn: bytes = resvg_py.svg_to_bytes(svg_string=svg, width=width, skip_system_fonts=True, font_files=fonts)
    bytes_i_o = BytesIO()
    with Image.open(BytesIO(drawn)) as picture:
        picture.quantize(_COLOURS, Image.Quantize.FASTOCTREE, dither=Image.Dither.NONE).save(
            bytes_i_o, "PNG", optimize=True
        )
    return bytes_i_o.getvalue()


def draw_icon(*, padded: bool) -> str:
    """Return the shield as SVG. With `padded`, it has a margin, so that a system may crop it to any shape."""
    drawing = _shield()
    if not padded:
        return f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24">{drawing}</svg>'
    return (
        '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 48 48">'
        f'<rect width="48" height="48" fill="{_PAPER}"/><g transform="translate(12 12)">{drawing}</g></svg>'
    )


def draw_social_card(title: str, about: str, facts: str, symbols: Sequence[str] = ()) -> str:
    """Return the image for link previews as SVG: a title, a sentence, a line of facts, and a row of symbols.

    Texts are not escaped yet. `symbols` are SVG `symbol` elements with an id, and the first ones are drawn.
    """
    size, y, lines = 92, 190, _lines(title, 92, _SERIF, 2, WIDTH - 2 * _MARGIN - 150)
    if len(lines) > 1:
        size, y, lines = 76, 160, _lines(title, 76, _SERIF, 2, WIDTH - 2 * _MARGIN - 150)
    parts = [
        f'<rect width="{WIDTH}" height="{HEIGHT}" fill="{_PAPER}"/>',
        f'<rect width="{WIDTH}" height="26" fill="{BRAND}"/><rect y="26" width="{WIDTH}" height="6" fill="{_GOLD}"/>',
        f'<g transform="translate({WIDTH - _MARGIN - 130} 70) scale(5.4)">{_shield()}</g>',
    ]
    for line in lines:
        parts.append(_text(line, y, size, "Rulewright Serif", BRAND, weight=700))
        y += int(size * 1.1)
    y += 6
    for line in _lines(about, 36, _SANS, 3 if len(lines) == 1 else 2, WIDTH - 2 * _MARGIN):
        parts.append(_text(line, y, 36, "Rulewright Sans", _INK))
        y += 48
    parts.append(_text(_show(facts), HEIGHT - 46, 28, "Rulewright Sans", _QUIET))
    parts.append(f'<path d="M{_MARGIN} {HEIGHT - 92}H{WIDTH - _MARGIN}" stroke="{_LINE}" stroke-width="2"/>')
    for number, symbol in enumerate(symbols[:_MOST_DRAWN]):
        named = re.search(r' id="([^"]*)"', symbol)
        if named is not None:
            parts.append(
                f"<defs>{symbol}</defs>"
                f'<g color="{BRAND}" fill="none" stroke="{BRAND}" stroke-width="1.8" stroke-linecap="round" '
                f'stroke-linejoin="round"><use href="#{named[1]}" x="{_MARGIN + number * 108}" y="{HEIGHT - 196}" '
                'width="80" height="80"/></g>'
            )
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{HEIGHT}" viewBox="0 0 {WIDTH} {HEIGHT}">'
        f"{''.join(parts)}</svg>"
    )


def build_social_tags(name: str, url: str) -> dict[str, str]:
    """Return the meta tags for link previews that are equal on all pages of a site at `url`, by name.

    Values are escaped. Each page adds its own title, description and address. `name` is that of the site, not escaped.
    """
    return {
        "og:site_name": escape(name),
        "og:image": escape(f"{url}{SOCIAL}"),
        "twitter:card": "summary_large_image",
    }


def with_meta(page: str, values: Mapping[str, str]) -> str:
    """Return a page with meta tags after its title, for pages that the theme does not build.

    The caller must escape `values`. A page without a title is returned unchanged.
    """
    result = "".join(
        f'<meta {"name" if key.startswith("twitter:") else "property"}="{key}" content="{value}">'
        for key, value in values.items()
    )
    return page.replace("</title>", f"</title>{result}", 1)


def _shield() -> str:
    svg = (find_resource("site") / ASSETS / "shield.svg").read_text(encoding="utf-8")
    return re.sub(r"^.*?<svg[^>]*>|</svg>\s*$", "", svg, flags=re.DOTALL)


def _show(text: str) -> str:
    return " ".join(_OTHERS.sub(" ", text).split())


def _lines(text: str, size: int, share: float, most: int, width: int) -> list[str]:
    """Return text in at most `most` lines that fit `width`, with an ellipsis if some of it is left out.

    `size` is the font size and `share` the mean width of a character, relative to it.
    """
    room = int(width / (size * share))
    lines: list[str] = [""]
    for word in _show(text).split():
        longer = f"{lines[-1]} {word}".strip()
        if len(longer) <= room or not lines[-1]:
            lines[-1] = longer[:room]
        elif len(lines) < most:
            lines.append(word[:room])
        else:
            lines[-1] = f"{lines[-1][: room - 1].rstrip(' ,;:.')}…"
            break
    return lines


def _text(line: str, y: int, size: int, family: str, colour: str, *, weight: int = 400) -> str:
    return (
        f'<text x="{_MARGIN}" y="{y}" font-family="{family}" font-weight="{weight}" font-size="{size}" '
        f'fill="{colour}">{escape(line)}</text>'
    )
