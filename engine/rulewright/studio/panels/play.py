"""The Play panel, a playable page of the edition, built from the book without the rest of the site."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rulewright.base.errors import RulewrightError
from rulewright.base.lazy import compute_once
from rulewright.book.pages.example_files import EXAMPLES, build_examples_file
from rulewright.book.play_page.play_data import TABLE as RULES
from rulewright.book.play_page.play_data import build_table_file
from rulewright.book.style.assets import MIGRATION_SCRIPT, load_migration_script, load_programs
from rulewright.book.style.content_security import TABLE
from rulewright.book.style.rule_locations import PLAY
from rulewright.ruleset.ruleset import Ruleset
from rulewright.studio.panels.book_views import (
    ASSETS,
    HTML,
    KINDS,
    build_address,
    build_frame_policy,
    find_palette,
    find_sound_ruleset,
    get_book,
    get_page,
    serve_asset,
)
from rulewright.studio.panels.cursor_context import look
from rulewright.studio.panels.panel import Desk, Panel, PanelRequest, ServedFile

PAGE = PLAY.replace(".md", ".html")


def answer(desk: Desk, request: PanelRequest) -> Mapping[str, Any]:
    """Return the address of the playable page and the fragment that opens the example or sample at the cursor.

    The fragment is empty if there is neither. Raises `RulewrightError` if the edition has no `start:`, and as `look`
    does.
    """
    at = look(desk, request)
    if at.ruleset.start is None:
        raise RulewrightError(f"{at.ruleset.reference} has no `start:`, so there is no whole game to play")
    path = at.of("examples", "samples")
    scheme = "slate" if request.more.get("dark") else "default"
    fragment = ""
    if path and path[1] in at.ruleset.sections.get(path[0], {}):
        fragment = f"#{'example' if path[0] == 'examples' else 'guide'}={path[1]}"
    return {
        **at.head(path),
        "page": build_address(at.edition, at.ruleset, PAGE, scheme=scheme),
        "digest": at.ruleset.digest,
        "example": fragment,
    }


def serve(desk: Desk, path: str, query: str) -> ServedFile | None:
    """Return the playable page, its rules and examples, or a script, from the last valid rules.

    None for other paths, and if the edition has never been valid or has no game to start.
    """
    folder, _, name = path.partition("/")
    if folder == ASSETS:
        return serve_asset(name, _programs())
    ruleset = find_sound_ruleset(desk, folder) if name in (PAGE, RULES, EXAMPLES) else None
    if ruleset is None or ruleset.start is None:
        return None
    if name == PAGE:
        return ServedFile(_page(ruleset, query).encode(), HTML, build_frame_policy(TABLE))
    text = ruleset.get_or_make(_rules) if name == RULES else ruleset.get_or_make(_examples)
    return ServedFile(text.encode(), KINDS[".js"])


def _page(ruleset: Ruleset, query: str) -> str:
    of = ruleset.digest_of_all[:12]
    scripts = [*(f"../{ASSETS}/{name}" for name in ("engine.js", MIGRATION_SCRIPT, "play.js")), f"{RULES}?of={of}"]
    page = get_page(ruleset, PLAY)
    return page.render(
        assets=f"../{ASSETS}/", scheme=find_palette(query), policy=TABLE, more=["play.css"], scripts=scripts
    )


def _rules(ruleset: Ruleset) -> str:
    return build_table_file(ruleset, get_book(ruleset).places)


def _examples(ruleset: Ruleset) -> str:
    return build_examples_file(get_book(ruleset).make_writer(PLAY))


@compute_once
def _programs() -> Mapping[str, bytes]:
    return {
        name: text.encode() for name, text in (load_programs() | {MIGRATION_SCRIPT: load_migration_script()}).items()
    }


PANEL = Panel("Play", 40, answer, serve, guide="publish/play.md", command="play")
