"""Play: the page on which the edition is played, made from the parts of the book, without the rest of the site."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rulewright.base.errors import RulewrightError
from rulewright.base.lazy import once
from rulewright.book.pages.example_files import EXAMPLES, examples_file
from rulewright.book.play_page.play_data import TABLE as RULES
from rulewright.book.play_page.play_data import table_file
from rulewright.book.style.assets import carrying_over, programs
from rulewright.book.style.content_security import TABLE
from rulewright.book.style.rule_locations import PLAY
from rulewright.ruleset.ruleset import Ruleset
from rulewright.studio.panels.book_views import (
    ASSETS,
    HTML,
    KINDS,
    address,
    asset,
    book_of,
    framed,
    page_of,
    shown_in,
    sound_in,
)
from rulewright.studio.panels.cursor_context import look
from rulewright.studio.panels.panel import Asked, Desk, Panel, Served

PAGE = PLAY.replace(".md", ".html")

AGAIN = "again.js"
"""What takes a game up that was played before the rules changed."""


def answer(desk: Desk, asked: Asked) -> Mapping[str, Any]:
    """Where the game is played by the rules as they are, and the example at hand, if it can be gone through there."""
    at = look(desk, asked)
    if at.ruleset.start is None:
        raise RulewrightError(f"{at.ruleset.reference} has no `start:`, so that nobody can play a whole game of it")
    path = at.of("examples", "samples")
    scheme = "slate" if asked.more.get("dark") else "default"
    fragment = ""
    if path and path[1] in at.ruleset.sections.get(path[0], {}):
        fragment = f"#{'example' if path[0] == 'examples' else 'guide'}={path[1]}"
    return {
        **at.head(path),
        "page": address(at.edition, at.ruleset, PAGE, scheme=scheme),
        "digest": at.ruleset.digest,
        "example": fragment,
    }


def serve(desk: Desk, path: str, query: str) -> Served | None:
    """Return the page, the rules and examples that it reads, and its programs."""
    folder, _, name = path.partition("/")
    if folder == ASSETS:
        return asset(name, _programs())
    ruleset = sound_in(desk, folder) if name in (PAGE, RULES, EXAMPLES) else None
    if ruleset is None or ruleset.start is None:
        return None
    if name == PAGE:
        return Served(_page(ruleset, query).encode(), HTML, framed(TABLE))
    text = ruleset.once(_rules) if name == RULES else ruleset.once(_examples)
    return Served(text.encode(), KINDS[".js"])


def _page(ruleset: Ruleset, query: str) -> str:
    of = ruleset.digest_of_all[:12]
    scripts = [*(f"../{ASSETS}/{name}" for name in ("engine.js", AGAIN, "play.js")), f"{RULES}?of={of}"]
    found = page_of(ruleset, PLAY)
    return found.html(assets=f"../{ASSETS}/", scheme=shown_in(query), policy=TABLE, more=["play.css"], scripts=scripts)


def _rules(ruleset: Ruleset) -> str:
    return table_file(ruleset, book_of(ruleset).places)


def _examples(ruleset: Ruleset) -> str:
    return examples_file(book_of(ruleset).writer(PLAY))


@once
def _programs() -> Mapping[str, bytes]:
    return {name: text.encode() for name, text in (programs() | {AGAIN: carrying_over()}).items()}


PANEL = Panel("Play", 40, answer, serve)
