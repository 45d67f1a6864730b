"""Pages of an edition's book as the panels show them, with their addresses and assets."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from urllib.parse import parse_qs

from rulewright.authoring.example_odds import compute_book_odds
from rulewright.base.errors import RulewrightError
from rulewright.book.dev_server.single_page import Alone, render_alone
from rulewright.book.rulebook import Book
from rulewright.book.style.assets import list_looks
from rulewright.book.style.content_security import FILES
from rulewright.book.style.rule_locations import PLAY
from rulewright.ruleset.editions.edition import Edition
from rulewright.ruleset.ruleset import Ruleset
from rulewright.studio.panels.panel import Desk, ServedFile

ASSETS = "assets"
MOST_BRANCHES = 3_000
"""The maximum number of branches for the odds of an example on a page that is shown during typing."""

KINDS = {
    ".css": "text/css; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".json": "application/json; charset=utf-8",
    ".svg": "image/svg+xml",
    ".woff2": "font/woff2",
}
HTML = "text/html; charset=utf-8"

_FRAMED = "; frame-ancestors 'self'"
"""The policy directive of a page that only the studio may show in a frame."""


def build_folder_name(edition: Edition) -> str:
    """Return the first part of the addresses of an edition's pages."""
    return edition.id.replace("/", "-")


def build_address(edition: Edition, ruleset: Ruleset, page: str, *, scheme: str) -> str:
    """Return the address of a page with the current rules.

    The address contains a prefix of the rules' digest, so a frame reloads the page when the rules change.
    """
    return f"/book/{build_folder_name(edition)}/{page}?of={ruleset.digest_of_all[:12]}&scheme={scheme}"


def find_palette(query: str) -> str:
    """Return the color scheme in a query string, or "default"."""
    return parse_qs(query).get("scheme", ["default"])[0]


def build_frame_policy(policy: str) -> str:
    """Return a page's content security policy with the restriction that only the studio may frame the page."""
    return policy + _FRAMED


def get_book(ruleset: Ruleset) -> Book:
    """Return the book of a ruleset. The result is cached."""
    return ruleset.get_or_make(_book)


def _book(ruleset: Ruleset) -> Book:
    return Book(ruleset, weigh=partial(compute_book_odds, most=MOST_BRANCHES))


def get_page(ruleset: Ruleset, file: str) -> Alone:
    """Return a page of the book as a standalone page. The result is cached.

    Raises `RulewrightError` if the book has no page of that name.
    """
    saved = ruleset.get_or_make(_pages)
    if file not in saved:
        book = get_book(ruleset)
        if file not in book.list_files():
            raise RulewrightError(f"the book of {ruleset.reference} has no page {file.removesuffix('.md')}")
        saved[file] = render_alone(book, file)
    return saved[file]


def _pages(_: Ruleset) -> dict[str, Alone]:
    """Return an empty cache for the pages of a ruleset."""
    return {}


def find_sound_ruleset(desk: Desk, folder: str) -> Ruleset | None:
    """Return the last valid ruleset of the edition with this address prefix, or None."""
    with desk.workspace() as workspace:
        for edition in workspace.get_catalogue().list_editions():
            if build_folder_name(edition) == folder:
                sound = workspace.check_standing(edition).sound
                return sound.ruleset if sound is not None else None
        saved = workspace.list_sound()
    return next((each.ruleset for each in saved if build_folder_name(each.edition) == folder), None)


def serve_page(desk: Desk, path: str, query: str) -> ServedFile | None:
    """Return a standalone page of a book, or an asset of its layout, in the colours that `query` names.

    The page shows the last valid rules. None for other paths and for the Play page, and if the edition has never been
    valid.
    """
    folder, _, name = path.partition("/")
    if folder == ASSETS:
        return serve_asset(name, list_looks())
    ruleset = (
        find_sound_ruleset(desk, folder) if name.endswith(".html") and name != PLAY.replace(".md", ".html") else None
    )
    if ruleset is None:
        return None
    try:
        page = get_page(ruleset, f"{name.removesuffix('.html')}.md")
    except RulewrightError:
        return None
    html = page.render(assets=f"../{ASSETS}/", scheme=find_palette(query))
    return ServedFile(html.encode(), HTML, build_frame_policy(FILES))


def serve_asset(name: str, files: Mapping[str, bytes]) -> ServedFile | None:
    """Return the asset with this name, or None."""
    data = files.get(name)
    if data is None:
        return None
    return ServedFile(data, KINDS.get(f".{name.rpartition('.')[2]}", "text/plain; charset=utf-8"))
