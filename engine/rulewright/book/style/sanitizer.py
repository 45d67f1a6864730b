"""The sanitizer of every page: it keeps the elements and attributes that the book uses, and drops all others.

Text is escaped in `prose_html`, so there should be nothing to drop. The sanitizer protects readers if that fails.
"""

from __future__ import annotations

import re

_ANY = frozenset(
    {"class", "id", "role", "tabindex", "title", "hidden", "aria-label", "aria-hidden", "aria-labelledby"}
    | {"data-search-exclude"}
)
_DRAWN = frozenset(
    {*("x", "y", "width", "height", "rx", "ry", "cx", "cy", "r", "x1", "y1", "x2", "y2", "d", "points", "transform")}
    | {*("fill", "fill-rule", "fill-opacity", "clip-rule", "opacity", "viewBox", "href", "preserveAspectRatio")}
    | {*("stroke", "stroke-width", "stroke-linecap", "stroke-linejoin", "stroke-dasharray", "stroke-opacity")}
    | {*("font-family", "font-size", "font-weight", "text-anchor", "pointer-events", "patternUnits")}
)
_WORDS = (
    *("a", "abbr", "article", "b", "br", "button", "caption", "code", "dd", "del", "details", "div", "dl", "dt", "em"),
    *("fieldset", "figcaption", "figure", "footer", "form", "h1", "h2", "h3", "h4", "h5", "h6", "header", "hr", "i"),
    *("input", "ins", "kbd", "label", "legend", "li", "main", "nav", "ol", "p", "pre", "s", "section", "small", "span"),
    *("strong", "sub", "summary", "sup", "table", "tbody", "td", "tfoot", "th", "thead", "tr", "ul", "var"),
)
_SHAPES = (
    *("svg", "symbol", "use", "g", "path", "circle", "ellipse", "rect", "line", "polyline", "polygon", "text"),
    *("tspan", "title", "desc", "pattern"),
)
_OWN: dict[str, frozenset[str]] = {
    "a": frozenset({"href", "download", "hreflang", "lang"}),
    "article": frozenset({"data-view"}),
    "button": frozenset({"type"}),
    "details": frozenset({"open"}),
    "div": frozenset({"data-view"}),
    "form": frozenset({"data-view"}),
    "input": frozenset({"type", "name", "value", "checked"}),
    "label": frozenset({"for"}),
    "li": frozenset({"value"}),
    "ol": frozenset({"start"}),
    "span": frozenset({"style"}),
    "td": frozenset({"data-label", "data-on", "colspan", "rowspan"}),
    "th": frozenset({"scope", "colspan", "rowspan"}),
}
_ATTRIBUTES = {
    "*": set(_ANY),
    **{name: set(own) for name, own in _OWN.items()},
    **{name: set(_DRAWN) for name in _SHAPES},
}
_TAGS = {*_WORDS, *_SHAPES}
_SCHEMES = {"https"}

_ISLAND = re.compile(
    r'<script type="application/json" (?:id="rw-(?:rolls|what-if)"|class="rw-previews")>[^<]*</script>|<!-- sprite -->'
)
_BODY = re.compile(r"(?<=<body>)(.*)(?=</body>)", re.DOTALL)
_EMPTY = re.compile(r"(<(use|path|circle|ellipse|rect|line|polyline|polygon)\b[^<>]*)></\2>")
"""An empty shape with a separate end tag, as the sanitizer writes it."""

_SHARE = re.compile(r"--share:[\d.e-]+%")


def clean(html: str) -> str:
    """Return the body of a page with only the elements and attributes that the book uses.

    Its data islands stay unchanged, but move to the end.
    """
    import nh3

    islands = _ISLAND.findall(html)
    result = nh3.clean(
        _ISLAND.sub("", html),
        tags=_TAGS,
        attributes=_ATTRIBUTES,
        attribute_filter=_keep,
        url_schemes=_SCHEMES,
        link_rel=None,
        strip_comments=True,
    )
    return _EMPTY.sub(r"\1/>", result) + "".join(f"\n{island}" for island in islands)


def sanitize(page: str) -> str:
    """Return a whole page with its body clean."""
    return _BODY.sub(lambda body: clean(body[1]), page)


def _keep(element: str, attribute: str, value: str) -> str | None:
    """Return an attribute's value, or None to drop it. The only style that a page may set is the length of bars."""
    if attribute == "style":
        return value if _SHARE.fullmatch(value) else None
    return value if element != "use" or attribute != "href" or value.startswith("#i-") else None
