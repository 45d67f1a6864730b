"""The whole book as an accessible PDF: tagged, with bookmarks, made without network access.

The same book always gives the same bytes on one machine, because the file has no timestamp.
"""

from __future__ import annotations

import hashlib
import logging
import os
import re
from base64 import b64encode
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from html import escape, unescape

from rulewright.base.errors import MissingExtraError, RulewrightError
from rulewright.book.parts.template_loader import render
from rulewright.book.style.assets import list_looks

_ELSEWHERE = re.compile(r'(<a\b[^<>]*?) href="(?!#|https?:)[^"]*"')
"""A link to a file next to the page, which the PDF does not have."""


_ASSET = re.compile(r'<script src="[^"]*"></script>|<link rel="stylesheet" href="[^"]*?([^"/]+)">')
"""A link to an asset, which the PDF does not have. Styles and fonts are embedded instead."""

_CLOCK = "SOURCE_DATE_EPOCH"
"""The environment variable for the time that fontTools writes into fonts, in seconds since 1970."""

_FONT = re.compile(r'url\("([^"]+)"\)')


class PdfError(RulewrightError):
    """An error that prevents PDFs from being made on this machine."""


class MissingPdfError(PdfError, MissingExtraError):
    """An error for a missing Python package that makes PDFs."""


def require_pdf() -> None:
    """Raise `PdfError`, with the packages to install, if PDFs cannot be made here."""
    try:
        import weasyprint  # noqa: F401
    except ImportError as error:
        raise MissingPdfError("the PDF needs WeasyPrint: pip install 'rulewright[pdf]'") from error
    except OSError as error:
        # The Python package is installed, but its system libraries are not.
        raise PdfError(
            "the PDF needs Pango, which is missing: on Debian and Ubuntu, "
            "apt-get install libpango-1.0-0 libpangoft2-1.0-0 libharfbuzz-subset0 fonts-dejavu-core"
        ) from error


def render_pdf(page: str) -> bytes:
    """Return the PDF of the whole book from its single `page`, without access to other files or the network.

    Turns the warnings of WeasyPrint off for the whole process. Raises `PdfError` if PDFs cannot be made here.
    """
    require_pdf()
    from weasyprint import CSS, HTML
    from weasyprint.urls import URLFetcher

    logging.getLogger("weasyprint").setLevel(
        logging.ERROR
    )  # WeasyPrint warns about every property that only browsers support
    inside = URLFetcher(allowed_protocols=["data"])  # no access to files or the network
    page = embed_styles(page)
    document = HTML(string=draw_images(_ELSEWHERE.sub(r"\1", page)), base_url="book:/", url_fetcher=inside)
    with _stop_clock():
        pdf: bytes = document.write_pdf(
            stylesheets=[CSS(string=render("pdf.css"))],
            pdf_variant="pdf/ua-1",
            pdf_identifier=hashlib.sha256(page.encode()).digest()[:16],
        )
    return pdf


def embed_styles(page: str) -> str:
    """Return the page with its stylesheets and their fonts inside, and without its scripts."""
    return _ASSET.sub(lambda link: f"<style>{_embed_style(link[1])}</style>" if link[1] else "", page)


@contextmanager
def _stop_clock() -> Iterator[None]:
    """Have the fonts that are cut out of others in this context no time of their own, unless the user has set one."""
    if _CLOCK in os.environ:
        yield
        return
    os.environ[_CLOCK] = "0"
    try:
        yield
    finally:
        os.environ.pop(_CLOCK, None)


@cache
def _embed_style(name: str) -> str:
    """Return a stylesheet of the book with the files of its fonts, if it has any."""
    looks = list_looks()

    def embed(result: re.Match[str]) -> str:
        return f"url(data:font/woff2;base64,{b64encode(looks[result[1]]).decode()})"

    return _FONT.sub(embed, looks[name].decode())


_SPRITE = re.compile(r'<div><svg class="rw-sprite".*?</svg></div>', re.DOTALL)
_SYMBOL = re.compile(r'<symbol id="([^"]+)" viewBox="([^"]*)">(?:<title>.*?</title>)?(.*?)</symbol>', re.DOTALL)
_DRAWING = re.compile(r"<svg\b([^<>]*)>(.*?)</svg>", re.DOTALL)
_USE = re.compile(r'<use href="#([^"]+)"([^<>]*)/>')
_STYLE = re.compile(r"<style>.*?</style>", re.DOTALL)
_SVG = re.compile(r"(?<![\w.-])svg\b")
_TITLE = re.compile(r"<title>(.*?)</title>", re.DOTALL)
_VARIABLE = re.compile(r"var\((--[\w-]+)(?:,\s*([^)]*))?\)")
_CLASS = re.compile(r'class="([^"]*)"')
_VIEW = re.compile(r'viewBox="([^"]*)"')
_SIZE = re.compile(r'\b(width|height)="([\d.]+)"')

INK = "#16120f"
COLOURS = {"--board-tile": "#ffffff", "--board-other": "#f4efe4", "--board-line": "#a89f92", "--board-ink": INK}
"""The values of the CSS variables that the stylesheet sets for a drawing."""

LINES = f'fill="none" stroke="{INK}" stroke-width="1.8" stroke-linecap="round" stroke-linejoin="round"'
"""The line style of an icon, as in the stylesheet."""


def draw_images(page: str) -> str:
    """Return the page with every drawing as an image, which the rules for `svg` in its styles then apply to.

    The title of a drawing, if any, becomes the alternative text.
    """
    symbols = {name: (view, shapes) for name, view, shapes in _SYMBOL.findall(page)}

    def image(result: re.Match[str]) -> str:
        attributes, inner = result.groups()
        title = _TITLE.search(inner)
        name, size = _CLASS.search(attributes), dict(_SIZE.findall(attributes))
        text = escape(unescape(title[1])) if title else ""
        data = b64encode(_alone(attributes, inner, symbols).encode()).decode()
        box = f' style="width: {float(size["width"]) * 0.75:g}pt"' if "width" in size else ""
        return f'<img class="{name[1] if name else ""}" alt="{text}"{box} src="data:image/svg+xml;base64,{data}">'

    styled = _STYLE.sub(lambda style: _SVG.sub("img", style[0]), page)
    return _DRAWING.sub(image, _SPRITE.sub("", styled))


def _alone(attributes: str, inner: str, symbols: dict[str, tuple[str, str]]) -> str:
    """Return a drawing as SVG that needs no page: with the symbols that it uses, and with colors for variables."""
    view = _VIEW.search(attributes)
    lone = _USE.fullmatch(inner.strip())
    if lone is not None and lone[1] in symbols:
        box, inner = symbols[lone[1]]
    else:
        box = view[1] if view else "0 0 24 24"
        inner = _USE.sub(lambda use: _place_symbol(use, symbols), inner)
    looks = LINES if "rw-icon" in attributes else 'font-family="sans-serif"'
    whole = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="{box}" {looks}>{inner}</svg>'
    return _VARIABLE.sub(lambda name: COLOURS.get(name[1], name[2] or INK), whole).replace("currentColor", INK)


def _place_symbol(use: re.Match[str], symbols: dict[str, tuple[str, str]]) -> str:
    """Return a symbol as a part of a larger drawing, or "" if it is not among `symbols`."""
    if use[1] not in symbols:
        return ""
    view, shapes = symbols[use[1]]
    return f'<svg viewBox="{view}"{use[2]}><g {LINES}>{shapes}</g></svg>'
