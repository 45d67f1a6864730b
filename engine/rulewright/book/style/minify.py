"""Minification of pages: removes text that has no effect in a browser."""

from __future__ import annotations

import re

_KEPT = re.compile(r"<(pre|script|textarea|style)\b.*?</\1>", re.DOTALL)
_BLANK = re.compile(r"\s*\n\s*")
"""White space around line breaks of the theme's templates, which a browser shows as a single space."""

_BLOCK = (
    r"</?(?:article|aside|blockquote|body|details|div|dl|dt|dd|figcaption|figure|footer|form|h\d|head|header|hr|li|link|main"
    r"|meta|nav|ol|p|section|summary|table|tbody|t[dhr]|thead|title|ul)\b"
)
_BESIDE_BLOCK = re.compile(rf"({_BLOCK}[^<>]*>)\n|\n(?={_BLOCK})")
"""A line break next to a block element, which a browser ignores."""


_HAND = re.compile(
    r'(<symbol\b[^<>]*>)(?:<title>[^<>]*</title>)?<g fill="none" stroke="currentColor" stroke-width="1\.8" '
    r'stroke-linecap="round" stroke-linejoin="round">(.*?)</g>(</symbol>)'
)
"""An icon with the common style attributes (in `pictures.css`) and its title, which repeats the word next to it."""

_LOOKS = {
    'fill="currentColor" fill-opacity=".16"': "w",
    'font-size="9.1" font-weight="bold" text-anchor="middle" fill="#fff"': "s",
    'font-weight="bold" text-anchor="middle" fill="#fff"': "b",
    'font-size="11" text-anchor="middle" fill="var(--board-ink)"': "n",
    'fill="var(--board-tile)" stroke-width="2"': "r",
    'pointer-events="none"': "q",
    'fill="var(--board-tile)"': "o",
    'fill="var(--board-ink)"': "k",
}
"""Attributes that many shapes have, and the class of the stylesheets that replaces them.

They are a wash, the number of a seat and other numbers, the labels of spaces, the ring of a piece, what the pointer
ignores, and the colours of a board. The longer of two that begin alike comes first.
"""
_LOOK = re.compile(rf"(<[a-z]+\b(?![^<>]* class=)[^<>]*? )({'|'.join(map(re.escape, _LOOKS))})(?=[ />])")
"""Such attributes of a shape without a class."""
_FALLBACK = re.compile(r"(var\(--board-(?:tile|ink|line)), #\w+\)")
"""A colour of a drawing, with a second one for pages without the stylesheets."""
_TERM = re.compile(r'<a class="rw-term"(?= href="[^"]*#(?:glossary\.)?term-)')
"""A link to a term, which the stylesheets recognize by its address."""

_FONT = re.compile(r'(<svg\b[^<>]* role="img") font-family="sans-serif"')
"""The font of a drawing, which the stylesheets set."""

_ICON = re.compile(r'<svg class="rw-icon"(?= aria-hidden="true">)')
"""An icon, which the stylesheets recognize because no other hidden drawing has no class."""

_CSS_COMMENT = re.compile(r"/\*.*?\*/", re.DOTALL)
_CSS_BLANK = re.compile(r"\s+")
_CSS_SIGN = re.compile(r" ?([{};,>]) ?")

_START = re.compile(r"<[a-z][\w-]*\b[^<>]*>")
_QUOTED = re.compile(r"""="([A-Za-z0-9_.#:;/()-]*[A-Za-z0-9_.#:;()-])"(?=[ >])""")
"""A value that needs no quotes (HTML, 13.1.2.3). It must not end with a slash, which could seem to close the tag."""
_LAST = re.compile(r"""="([A-Za-z0-9_.#:;()-]+)"/>$""")
"""The same for the last attribute of a self-closing shape."""
_EMPTY = re.compile(r'(?: data-search-exclude)?=""(?=[ >])')
"""An empty value, which an attribute has without it, too (HTML, 13.1.2.3), and a mark for searches of other themes."""

_ENDS = "|".join(
    f"</(?:{closed})>(?={followed})"
    for closed, followed in (
        ("li", r"<li\b|</[ou]l>"),
        ("dt", r"<d[dt]\b"),
        ("dd", r"<d[dt]\b|</d(?:l|iv)>"),
        ("t[dh]", r"<t[dh]\b|</tr>"),
        ("tr", r"<tr\b|</t(?:able|body|head)>"),
        ("thead", r"<tbody\b"),
        ("tbody", r"</table>"),
        (
            "p",
            r"<(?:p|ul|ol|dl|div|h[1-6]|table|details|figure|section|nav|blockquote)\b"
            r"|</(?:div|li|dd|td|th|section|article|details|figure|figcaption|blockquote|main|header|footer)>",
        ),
    )
)
_OPTIONAL_END = re.compile(_ENDS)
"""An end tag that browsers imply, because of what follows (HTML, 13.1.2.4). Markup without white space between the tags
is required.
"""


def minify_page(page: str) -> str:
    """Return a page without redundant white space and quotes, and with simplified drawings.

    Elements with significant white space are left as they are.
    """
    parts, at = [], 0
    for saved in _KEPT.finditer(page):
        content = saved[0]
        if saved[1] == "style":
            content = minify_css(content)
        elif saved[1] == "pre":
            content = _unquote(content)
        parts += [_shorten(page[at : saved.start()]), content]
        at = saved.end()
    return "".join([*parts, _shorten(page[at:])])


def minify_css(css: str) -> str:
    """Return a stylesheet without comments and redundant white space. It must not have either in a quoted string."""
    return _CSS_SIGN.sub(r"\1", _CSS_BLANK.sub(" ", _CSS_COMMENT.sub("", css))).strip()


def simplify_drawings(html: str) -> str:
    """Return the drawings of a page without the looks that all have, and without their titles."""
    html = _FALLBACK.sub(r"\1)", _HAND.sub(r"\1\2\3", html))
    return _LOOK.sub(lambda shape: f'{shape[1]}class="{_LOOKS[shape[2]]}"', _FONT.sub(r"\1", html))


def _shorten(html: str) -> str:
    short = simplify_drawings(_BESIDE_BLOCK.sub(r"\1", _BLANK.sub("\n", html)))
    short = _ICON.sub("<svg", _TERM.sub("<a", short))
    return _OPTIONAL_END.sub("", _unquote(short))


def _unquote(html: str) -> str:
    """Return markup without the quotes and empty values that attributes can do without."""
    return _START.sub(lambda tag: _LAST.sub(r"=\1 />", _QUOTED.sub(r"=\1", _EMPTY.sub("", tag[0]))), html)
