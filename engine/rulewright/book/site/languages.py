"""Books in other languages, each in a folder of the book in English; and how the same page in two of them is linked."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rulewright.base.incremental.traces import Traces
from rulewright.book.parts.odds_examples import Weigh
from rulewright.book.site.raster_images import build_social_tags
from rulewright.book.style.rule_locations import FRONT, SHORT, WHOLE
from rulewright.book.style.text_style import ORIGINAL, escape
from rulewright.book.translated_book import render_translation
from rulewright.ruleset.prose.book_language import ENGLISH, Language
from rulewright.ruleset.ruleset import Ruleset
from rulewright.ruleset.translation.translation import Translation, read_translations
from rulewright.source.diagnostics.collector import Diagnostics

ALTERNATE, LANGUAGES = "alternate", "languages"
"""The front matter with the addresses of a page in all languages, and with the links that the page shows."""

_SAME = "This page in English"
_WHOLE = "The whole book, in English"


@dataclass(frozen=True, slots=True, eq=False)
class OtherBook:
    """A book in another language: the words it is made of, and its pages by path."""

    translation: Translation
    pages: Mapping[str, str]
    pdf: str = ""
    """The file in the folder of the book for the book as a PDF, or empty if there is none."""

    @property
    def language(self) -> Language:
        """Its language."""
        return self.translation.language

    @property
    def folder(self) -> str:
        """Its folder within that of the book in English."""
        return self.language.tag


def list_other_books(
    ruleset: Ruleset, traces: Traces | None = None, *, weigh: Weigh | None = None, pdf: str = ""
) -> list[OtherBook]:
    """Return the book in every language of the edition. The translations must have been checked before.

    `traces` has the results of earlier builds, and `weigh` computes the odds of examples. `pdf` is the file of the
    English book as a PDF, or empty if no book is to have one.
    """
    books = []
    for each in list_translations(ruleset):
        name = f"{pdf.removesuffix('.pdf')}-{each.language.tag}.pdf" if pdf else ""
        pages = render_translation(each, traces, weigh=weigh, pdf=name)
        books.append(OtherBook(each, pages, name if WHOLE in pages and SHORT in pages else ""))
    return books


def list_translations(ruleset: Ruleset) -> list[Translation]:
    """Return the translations of the edition from which books are made."""
    return [each for each in read_translations(ruleset, Diagnostics()) if each.language.is_complete]


def list_languages(ruleset: Ruleset) -> list[Language]:
    """Return the languages besides English in which the edition has a book."""
    return [each.language for each in list_translations(ruleset)]


def link_pages(pages: Mapping[str, str], others: Sequence[OtherBook], url: str) -> dict[str, str]:
    """Return the English pages, each with links to its translations. `others` are the translated books."""
    result = dict(pages)
    for path, text in pages.items():
        there = [other for other in others if path in other.pages]
        if not there:
            continue
        ways = {other.language: f"{other.folder}/{_find_address(path)}" for other in there}
        alternate = [(language.tag, f"{url}{way}") for language, way in ways.items()]
        links = [(each.tag, way, each.find_message("This page in this language")) for each, way in ways.items()]
        result[path] = _with(text, [(ENGLISH.tag, f"{url}{_find_address(path)}"), *alternate], links)
    return result


def link_other_pages(other: OtherBook, pages: Mapping[str, str], url: str) -> dict[str, str]:
    """Return the pages of a translated book, each with a link to the same page in English, or to the English book.

    `pages` are those of the English book.
    """
    result: dict[str, str] = {}
    for path, text in other.pages.items():
        original = f"{ORIGINAL}{_find_address(path if path in pages else FRONT)}"
        alternate = [(ENGLISH.tag, f"{url}{_find_address(path)}" if url else original)] if path in pages else []
        own = (other.language.tag, f"{url}{other.folder}/{_find_address(path)}" if url else _find_address(path))
        words = _SAME if path in pages else _WHOLE
        result[path] = _with(text, [own, *alternate], [(ENGLISH.tag, original, words)])
    return result


def build_other(other: OtherBook, pages: Mapping[str, str], book: Path, *, url: str, app: bool) -> None:
    """Build a book in another language into its folder within the English book, which is in `book`.

    `pages` are those of the English book, to which pages link, and `url` is its address. The book uses the assets of
    the English site, one folder higher, and has no not-found page. `app` says that the site works offline. Raises
    `BookError` for a warning of MkDocs.
    """
    from rulewright.book.site.mkdocs_build import build_pages

    language, ruleset = other.language, other.translation.ruleset
    result = link_other_pages(other, pages, url)
    here = f"{url}{other.folder}/" if url else ""
    title = f"{ruleset.title} {ruleset.version}"
    extra: dict[str, Any] = {"homepage": f"{ORIGINAL}../index.html", "scope": f"{ORIGINAL}.."}
    if app:
        extra["app"] = f"{ORIGINAL}../"
    if url:
        extra["preview"] = build_social_tags(title, url)
    target = book / other.folder
    build_pages(
        result,
        target,
        name=title,
        footer=_colophon(other),
        extra=extra,
        url=here,
        up=f"{ORIGINAL}../",
        language=language,
        not_found=False,
    )


def _colophon(other: OtherBook) -> str:
    """Return the HTML of the footer, with the version and a link to all rulebooks."""
    ruleset, language = other.translation.ruleset, other.language
    home = f'<a href="{ORIGINAL}../index.html">{language.translate("All rulebooks")}</a>'
    of_day = " " + language.translate("of %(date)s", date=ruleset.date) if ruleset.date else ""
    named = language.translate("%(title)s, version %(version)s", title=ruleset.title, version=ruleset.version)
    return f"{home} · {escape(named + of_day)}"


def _find_address(path: str) -> str:
    return f"{path.removesuffix('.md')}.html" if path.endswith(".md") else path


def _with(text: str, alternate: list[tuple[str, str]], links: list[tuple[str, str, str]]) -> str:
    """Return a page with links to its translations. In a page that is no Markdown they are only for search engines."""
    if not text.startswith("---\n"):
        result = "".join(f'<link rel="alternate" hreflang="{tag}" href="{escape(way)}">' for tag, way in alternate)
        return text.replace("</title>", f"</title>{result}", 1)
    values = {ALTERNATE: alternate, LANGUAGES: links}
    lines = "".join(f"{key}: {json.dumps(value, ensure_ascii=False)}\n" for key, value in values.items())
    return text.replace("---\n", f"---\n{lines}", 1)
