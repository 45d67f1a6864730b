"""The site of all editions: one build for each, a chooser page, and the shared data."""

from __future__ import annotations

import json
import re
import shutil
import tempfile
from collections.abc import Mapping, Sequence
from contextlib import nullcontext
from pathlib import Path
from types import MappingProxyType
from typing import Any
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

from rulewright.base.garbage_collection import collect_young
from rulewright.base.plugins import Failure
from rulewright.book.changes.edition_history import (
    Comparisons,
    PublishedEdition,
    build_address,
    select_in_play,
)
from rulewright.book.english.grammar import join_list
from rulewright.book.pages.change_marks import Marks
from rulewright.book.pages.comparison_pages import compare_pages
from rulewright.book.pages.data_files import SCHEMA, build_data_schema
from rulewright.book.pages.front_page import name_short_pdf
from rulewright.book.pages.source_pages import render_source_pages
from rulewright.book.parts.odds_examples import Weigh
from rulewright.book.parts.template_loader import render
from rulewright.book.play_page.step_links import ENTRIES
from rulewright.book.play_page.what_if_data import Vary
from rulewright.book.print.pdf import render_pdf, require_pdf
from rulewright.book.rulebook import Report, render_site
from rulewright.book.site.atomic_swap import OutputError, replace_folder
from rulewright.book.site.book_folders import list_publishable, name_folders
from rulewright.book.site.languages import (
    OtherBook,
    build_other,
    link_pages,
    list_languages,
    list_other_books,
    list_translations,
)
from rulewright.book.site.menu import PAPER
from rulewright.book.site.raster_images import SOCIAL, WIDTH, build_social_tags, draw_social_card, render_png, with_meta
from rulewright.book.site.stored_parts import REST, StoredPart, list_files
from rulewright.book.site.web_app import write_app, write_worker
from rulewright.book.style.assets import FOLDER as ASSETS
from rulewright.book.style.assets import build_drawings, build_sprite, write_assets
from rulewright.book.style.content_security import FILES
from rulewright.book.style.prose_html import render_plain_prose
from rulewright.book.style.rule_locations import PLAY, SHORT, WHOLE
from rulewright.book.style.text_style import Style, escape
from rulewright.ruleset.editions.catalogue import Catalogue
from rulewright.ruleset.editions.edition import Edition
from rulewright.ruleset.editions.icons import cover
from rulewright.ruleset.load_ruleset import load_edition
from rulewright.ruleset.prose.book_language import describe_players
from rulewright.ruleset.prose.prose_lint import lint_words
from rulewright.ruleset.translation.translation_lint import lint_translations
from rulewright.source.diagnostics.collector import Diagnostics

VERSIONS = "versions.json"
SHARED = "shared.html"
"""The page that opens shared rules from the fragment of a link."""


def load_all(catalogue: Catalogue, only: Sequence[Edition] = ()) -> list[PublishedEdition]:
    """Return every publishable edition, or `only` some, loaded and checked.

    Folder names are the same in both cases. Raises `DiagnosticError` with the errors of all editions and, without
    `only`, of broken ones.
    """
    broken = () if only else catalogue.list_broken()
    result = Diagnostics(d for each in broken for d in each.diagnostics)
    names = name_folders(list_publishable(catalogue))
    published = []
    for edition in only or list_publishable(catalogue):
        ruleset, diagnostics = load_edition(catalogue, edition)
        result.extend(d for d in diagnostics.errors if d not in tuple(result))
        if ruleset is not None:
            words = Diagnostics()
            lint_words(ruleset, words)
            if not words.errors:
                lint_translations(ruleset, words)
            result.extend(d for d in words.errors if d not in tuple(result))
            published.append(PublishedEdition(edition, names[edition.id], ruleset))
    result.raise_if_errors()
    return published


def build_site(
    catalogue: Catalogue,
    output: Path,
    *,
    only: Sequence[Edition] = (),
    url: str = "",
    pdf: bool = False,
    archive: bool = False,
    weigh: Weigh | None = None,
    vary: Vary | None = None,
    report: Report | None = None,
) -> list[PublishedEdition]:
    """Build all editions, or `only` some, into `output`, as `write_site` does, and return them.

    Raises `DiagnosticError` for errors in the rules, and `OutputError` if there are no editions. Otherwise raises what
    `write_site` does.
    """
    if pdf:
        require_pdf()
    published = load_all(catalogue, only)
    if not published:
        raise OutputError(
            "there are no editions to publish in " + (", ".join(map(str, catalogue.paths)) or "any folder")
        )
    write_site(Comparisons(published), output, url=url, pdf=pdf, archive=archive, weigh=weigh, vary=vary, report=report)
    return published


def write_site(
    comparisons: Comparisons,
    output: Path,
    *,
    parts: Mapping[str, StoredPart] = MappingProxyType({}),
    url: str = "",
    pdf: bool = False,
    archive: bool = False,
    weigh: Weigh | None = None,
    vary: Vary | None = None,
    report: Report | None = None,
) -> None:
    """Build the site of valid editions into `output`, which is replaced once everything is finished.

    `parts` are those that are stored, or will be. `url` is the address of the site, for canonical addresses, sitemaps,
    and the not-found page. With `pdf`, each book is also a PDF, and with `archive`, the whole site is also one file to
    download. `weigh` computes the odds of examples, and `vary` creates the modules for other parameters. A page that
    fails is given to `report`, and the others are built. Then its part is not stored. Without `report`, the failure is
    raised.

    Raises `OutputError` for a folder that this program did not build, `BookError` for a warning of MkDocs, and
    `PdfError` if PDFs cannot be made here.
    """
    published = comparisons.published
    failures: list[Failure] = []
    is_complete = False

    def note(failure: Failure) -> None:
        failures.append(failure)
        assert report is not None
        report(failure)

    with replace_folder(output) as folder:
        for item in published:
            part = parts.get(item.folder)
            if part is not None and part.place(folder, output):
                continue
            if is_complete:
                collect_young()
            is_complete, before = True, len(failures)
            name = f"{item.folder}.pdf" if pdf else ""
            with part.open_traces() if part is not None else nullcontext() as traces:
                pages = render_site(
                    item.ruleset,
                    Marks(item, comparisons),
                    pdf=name,
                    weigh=weigh,
                    vary=vary,
                    report=note if report is not None else None,
                    traces=traces,
                )
                others = list_other_books(item.ruleset, traces, weigh=weigh, pdf=name)
                build_edition(item, pages, folder, url=url, app=True, others=others)
            if pdf:
                _write_pdfs(folder / item.folder, name, pages)
                for other in others:
                    if other.pdf:
                        _write_pdfs(folder / item.folder / other.folder, other.pdf, other.pages)
            if part is not None and len(failures) == before:
                part.store(folder, list_files(folder, item.folder))
        rest = parts.get(REST)
        if rest is None or not rest.place(folder, output):
            books = set(list_files(folder))
            with rest.open_traces() if rest is not None else nullcontext():
                _build_rest(comparisons, folder, url=url, archive=archive)
            if rest is not None and not failures:
                rest.store(folder, {*list_files(folder)} - books)


def _write_pdfs(book: Path, name: str, pages: Mapping[str, str]) -> None:
    """Write the PDFs of a book's pages into its folder: the whole book as `name`, and the short edition."""
    (book / name).write_bytes(render_pdf(pages[WHOLE]))
    (book / name_short_pdf(name)).write_bytes(render_pdf(pages[SHORT]))


def _build_rest(comparisons: Comparisons, folder: Path, *, url: str, archive: bool) -> None:
    """Build everything besides the books into the folder of a site that has all of them.

    Raises `BookError` for a warning of MkDocs.
    """
    write_shared(folder)
    write_app(comparisons.published, folder)
    build_front(comparisons, folder, url=url, archive=NAME if archive else "", app=True)
    build_sources(comparisons.published, folder)
    (folder / SHARED).write_text(render_shared_page(comparisons.published), encoding="utf-8")
    write_worker(comparisons.published, folder)
    if archive:
        pack(folder)


def write_shared(site: Path) -> None:
    """Write the files shared by all books into `site`: assets, and the schema of their data."""
    write_assets(site)
    (site / ASSETS / SCHEMA).write_text(build_data_schema(), encoding="utf-8")


def build_edition(
    item: PublishedEdition,
    pages: dict[str, str],
    site: Path,
    *,
    url: str = "",
    app: bool = False,
    others: Sequence[OtherBook] = (),
) -> None:
    """Build one edition's book into its folder of the site. `others` are its translations, which go into folders below.

    `url` is the address of the site, for canonical addresses and link previews, whose image is drawn only with it.
    `app` says that the site works offline, and has a not-found page at its root. Raises `BookError` for a warning of
    MkDocs.
    """
    from rulewright.book.site.mkdocs_build import build_pages

    title = f"{item.edition.title} {item.edition.version}"
    # A reader's preferences, such as dark mode, apply to every book of the site.
    extra: dict[str, Any] = {"version": {"provider": "mike"}, "homepage": "../index.html", "scope": ".."}
    footer = _colophon(item)
    here = f"{url.rstrip('/')}/{item.folder}/" if url else ""
    if app:
        extra["app"] = "../"
    if url:
        ruleset = item.ruleset
        about = render_plain_prose(ruleset.about, Style(ruleset))
        players = "1 player" if ruleset.players[1] == 1 else f"{describe_players(ruleset)} players"
        facts = " · ".join(filter(None, (players, ruleset.takes, f"version {item.edition.version}")))
        card = draw_social_card(item.edition.title, about, facts, tuple(build_drawings(ruleset).values()))
        extra["preview"] = build_social_tags(title, here)
        for path, name in PAPER.items():
            if path in pages:
                own = {"og:title": name, "og:description": escape(about), "og:url": f"{here}{path}"}
                pages = pages | {path: with_meta(pages[path], own | extra["preview"])}
    pages = link_pages(pages, others, here)
    # Hosts use the not-found page at the root, which links to every book.
    build_pages(
        pages, site / item.folder, name=title, footer=footer, extra=extra, url=here, up="../", not_found=not app
    )
    if url:
        (site / item.folder / SOCIAL).write_bytes(render_png(card, width=WIDTH))
    for other in others:
        build_other(other, pages, site / item.folder, url=here, app=app)


def _colophon(item: PublishedEdition) -> str:
    """Return the HTML of the footer, with the exact version of the rules and their digest."""
    date = item.ruleset.date
    parts = [
        '<a href="../index.html">All rulebooks</a>',
        f"{escape(item.edition.title)}, version {item.edition.version}" + (f" of {escape(date)}" if date else ""),
        f'<span class="rw-workshop"> · gameplay <a href="rules.json">{item.ruleset.digest}</a></span>',
    ]
    return " · ".join(parts[:-1]) + f"{parts[-1]}"


def build_front(comparisons: Comparisons, site: Path, *, url: str = "", archive: str = "", app: bool = False) -> None:
    """Build the chooser page and the pages that compare editions, and list the versions for the theme's selector.

    `url` is the address of the site, `archive` the name of the archive of the whole site, or empty. `app` says that the
    site works offline. Raises `BookError` for a warning of MkDocs.
    """
    from rulewright.book.site.mkdocs_build import build_pages

    # The folder is inside the site, so that the cleanup after a killed run removes it.
    with tempfile.TemporaryDirectory(prefix=".front-", dir=site) as temporary:
        front = Path(temporary)
        chooser = render_chooser_page(comparisons, archive=archive, shared=SHARED if app else "")
        pages = {"index.md": chooser, **compare_pages(comparisons)}
        books = [
            {
                "href": f"{item.folder}/index.html",
                "folder": item.folder,
                "title": f"{item.edition.title} {item.edition.version}",
            }
            for item in comparisons.published
        ]
        extra: dict[str, Any] = {"books": books, "others": _list_others(comparisons.published)}
        if app:
            extra["app"] = "./"
        if url:
            extra["preview"] = build_social_tags("Rulebooks", url)
        build_pages(pages, front, name="Rulebooks", url=url, extra=extra, up="")
        if url:
            games = join_list(list(dict.fromkeys(_name(item.edition.game) for item in comparisons.published)))
            count = len(comparisons.published)
            card = draw_social_card("Rulebooks", games, f"{count} edition{'s' if count > 1 else ''}")
            (front / SOCIAL).write_bytes(render_png(card, width=WIDTH))
        shutil.copytree(front, site, dirs_exist_ok=True)
    write_versions({item.folder: item.edition for item in comparisons.published}, site)


def _list_others(published: Sequence[PublishedEdition]) -> list[dict[str, Any]]:
    """Return each language besides English with its words and its books, for the not-found page of all books."""
    others: dict[str, dict[str, Any]] = {}
    for item in published:
        for translation in list_translations(item.ruleset):
            language, there = translation.language, translation.ruleset
            other = others.setdefault(
                language.tag, {"tag": language.tag, "words": dict(language.messages or {}), "books": []}
            )
            title = f"{there.title} {there.version}"
            other["books"].append({"href": f"{item.folder}/{language.tag}/index.html", "title": title})
    return [*others.values()]


def build_sources(published: Sequence[PublishedEdition], site: Path) -> None:
    """Write the pages that show the rules as they are written."""
    for path, text in render_source_pages(published).items():
        target = site / path
        target.parent.mkdir(exist_ok=True)
        target.write_text(text, encoding="utf-8")


def render_shared_page(published: Sequence[PublishedEdition]) -> str:
    """Return the page that opens rules from a link. It contains the published editions that such rules may extend."""
    books = [
        {
            "href": f"{item.folder}/index.html",
            "ref": escape(item.edition.id),
            "title": escape(f"{item.edition.title} {item.edition.version}"),
            "digest": item.ruleset.digest,
            "entries": f"{item.folder}/{ENTRIES}",
            "play": f"{item.folder}/{PLAY.replace('.md', '.html')}" if item.ruleset.start is not None else "",
        }
        for item in published
    ]
    return render("shared.html.j2", policy=FILES, books=books)


def write_versions(editions: Mapping[str, Edition], site: Path) -> None:
    """Write `VERSIONS` into `site`, the list of editions for the theme's selector. `editions` are by folder.

    Titles are escaped, because the theme inserts them as HTML.
    """
    versions = [
        {"version": folder, "title": escape(f"{edition.title} {edition.version}"), "aliases": []}
        for folder, edition in editions.items()
    ]
    (site / VERSIONS).write_text(json.dumps(versions, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")


NAME = "rulebooks.zip"
"""The file name of the archive, at the root of the archived site."""

INSIDE = "rulebooks"
"""The name of the single top-level folder in the archive, so that unpacking it creates nothing else."""

_DOWNLOAD = re.compile(rb'<p class="?rw-download"?><a .*?</a>[^<]*(?:</p>)?\s*', re.DOTALL)
_EARLIEST = (1980, 1, 1, 0, 0, 0)
_READABLE = 0o100644 << 16
_UNIX = 3


def pack(site: Path) -> Path:
    """Write an archive of everything in `site` into it, and return its path. Hidden files are left out.

    The archived copy does not offer the download.
    """
    target = site / NAME
    files = sorted((path.relative_to(site).as_posix(), path) for path in site.rglob("*") if path.is_file())
    with ZipFile(target, "w", ZIP_DEFLATED, compresslevel=9) as archive:
        for name, path in files:
            if name == NAME or path.name.startswith("."):
                continue
            entry = ZipInfo(f"{INSIDE}/{name}", _EARLIEST)
            entry.compress_type, entry.external_attr, entry.create_system = ZIP_DEFLATED, _READABLE, _UNIX
            data = path.read_bytes()
            archive.writestr(entry, _DOWNLOAD.sub(b"", data) if name == "index.html" else data)
    return target


def render_chooser_page(comparisons: Comparisons, *, archive: str = "", shared: str = "") -> str:
    """Return the page with a card for each edition, by game, and links to all comparisons.

    Editions below version 1.0 of a game that has a later one are drafts, and have a link instead of a card. `archive`
    is the name of an archive of the site, and `shared` the page for shared links, or empty.
    """
    games: dict[str, list[dict[str, object]]] = {}
    pairs: dict[str, list[dict[str, str]]] = {}
    covers = _covers(comparisons)
    for item in comparisons.published:
        games.setdefault(item.edition.game, []).append(
            {
                "href": f"{item.folder}/index.html",
                "cover": f"-{item.folder}" if f"-{item.folder}" in covers else "",
                "title": escape(item.edition.title),
                "about": escape(item.ruleset.about),
                "audience": escape(item.ruleset.audience),
                "takes": escape(item.ruleset.takes),
                # Games on one shelf have a version each, which only tells editions of the same game apart.
                "is_draft": item.edition.version.major == 0
                and any(other.edition.version.major for other in comparisons.list_game(item)),
                "version": str(item.edition.version) if len(comparisons.list_game(item)) > 1 else "",
                "players": describe_players(item.ruleset),
                "languages": [
                    {"tag": each.tag, "name": each.name, "href": f"{item.folder}/{each.tag}/index.html"}
                    for each in list_languages(item.ruleset)
                ],
            }
        )
        pairs.setdefault(_name(item.edition.game), [])
    for before, after in comparisons.iterate_pairs():
        pairs[_name(after.edition.game)].append(
            {
                "href": f"{build_address(before, after)}/index.html",
                "before": escape(comparisons.build_title(before)),
                "after": escape(comparisons.build_title(after)),
                "played": str(select_in_play(comparisons.compare(before, after))),
            }
        )
    named = [(_name(game), cards) for game, cards in games.items()]
    body = render("chooser.md.j2", games=named, pairs=pairs, archive=archive, shared=shared)
    return body.replace("<!-- sprite -->", build_sprite(body, covers))


def _covers(comparisons: Comparisons) -> dict[str, str]:
    """Return the valid covers as SVG symbols, under names that no term can have."""
    results: dict[str, str] = {}
    for item in comparisons.published:
        front = cover(item.ruleset, f"-{item.folder}")
        if front is not None and front.fault is None:
            results[f"-{item.folder}"] = front.symbol
    return results


def _name(game: str) -> str:
    return game.replace("-", " ").title()
