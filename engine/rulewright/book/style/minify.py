"""Minification of pages: removes text that has no effect in a browser."""

from __future__ import annotations

import re

_KEPT = re.compile(r"<(pre|script|textarea|style)\b.*?</\1>", re.DOTALL)
_BLANK = re.compile(r"\s*\n\s*")
"""White space around line breaks of the theme's templates, which a browser shows as a single space."""

_BLOCK = r"</?(?:div|dl|dt|dd|footer|form|h\d|header|li|link|main|meta|nav|ol|p|section|table|tbody|t[dhr]|thead|ul)\b"
_BESIDE_BLOCK = re.compile(rf"({_BLOCK}[^<>]*>)\n|\n(?={_BLOCK})")
"""A line break next to a block element, which a browser ignores."""


_HAND = re.compile(
    r'(<symbol\b[^<>]*>)(?:<title>[^<>]*</title>)?<g fill="none" stroke="currentColor" stroke-width="1\.8" '
    r'stroke-linecap="round" stroke-linejoin="round">(.*?)</g>(</symbol>)'
)
"""An icon with the common style attributes (in `pictures.css`) and its title, which repeats the word next to it."""

_CSS_COMMENT = re.compile(r"/\*.*?\*/", re.DOTALL)
_CSS_BLANK = re.compile(r"\s+")
_CSS_SIGN = re.compile(r" ?([{};,>]) ?")

_START = re.compile(r"<[a-z][\w-]*\b[^<>]*>")
_QUOTED = re.compile(r"""="([A-Za-z0-9_.#:;/-]*[A-Za-z0-9_.#:;-])"(?=[ >])""")
"""A value that needs no quotes (HTML, 13.1.2.3). It must not end with a slash, which could seem to close the tag."""
_LAST = re.compile(r"""="([A-Za-z0-9_.#:;-]+)"/>$""")
"""The same for the last attribute of a self-closing shape."""


def minify_page(page: str) -> str:
    """Return a page without redundant white space and quotes, and with simplified drawings.

    Elements with significant white space are left as they are.
    """
    parts, at = [], 0
    for saved in _KEPT.finditer(page):
        content = minify_css(saved[0]) if saved[1] == "style" else saved[0]
        parts += [_shorten(page[at : saved.start()]), content]
        at = saved.end()
    return "".join([*parts, _shorten(page[at:])])


def minify_css(css: str) -> str:
    """Return a stylesheet without comments and redundant white space. It must not have either in a quoted string."""
    return _CSS_SIGN.sub(r"\1", _CSS_BLANK.sub(" ", _CSS_COMMENT.sub("", css))).strip()


def simplify_drawings(html: str) -> str:
    """Return the drawings of a page without the looks that all have, and without their titles."""
    return _HAND.sub(r"\1\2\3", html)


def _shorten(html: str) -> str:
    short = simplify_drawings(_BESIDE_BLOCK.sub(r"\1", _BLANK.sub("\n", html)))
    return _START.sub(lambda tag: _LAST.sub(r"=\1 />", _QUOTED.sub(r"=\1", tag[0])), short)
