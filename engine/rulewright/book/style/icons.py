"""The drawings of a game's terms, as a page of the book carries them."""

from __future__ import annotations

import re
from collections.abc import Mapping
from types import MappingProxyType

from rulewright.ruleset.editions.icons import icons
from rulewright.ruleset.ruleset import Ruleset

_MENTION = re.compile(
    r"(?P<block></?(?:p|li|td|th|dt|dd|h\d|div|summary|figcaption)\b|\n\n)"
    r'|(?P<link><a class="rw-term" href="[^"]*">)'
    r'<svg class="rw-icon" aria-hidden="true"><use href="#rw-icon-(?P<icon>[^"]*)"/></svg>'
)
"""Where a block begins or ends, and a linked term with its drawing."""


def drawings(ruleset: Ruleset) -> Mapping[str, str]:
    """Every term that has a sound drawing → the symbol it is, ready for a sprite. `check` tells of the others."""
    return MappingProxyType({name: icon.symbol for name, icon in icons(ruleset).items() if icon.fault is None})


def sprite(text: str, symbols: Mapping[str, str]) -> str:
    """The symbols that `text` uses, as one hidden drawing that a page carries itself, so that it works from disk."""
    used = [name for name in symbols if f'"#rw-icon-{name}"' in text]
    inner = "".join(symbols[name] for name in used)
    if not used:
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
