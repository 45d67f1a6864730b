"""The export of a book for other site generators: Markdown for any CommonMark parser, a menu, and the assets.

The pages are those of the site, rendered and sanitized, as HTML blocks in Markdown, which CommonMark passes through.
Headings are separate and marked as Markdown, so that generators can list them.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from html import unescape
from pathlib import Path
from xml.etree.ElementTree import Element

import yaml
from markdown import Markdown
from markdown.extensions import Extension
from markdown.treeprocessors import Treeprocessor

from rulewright.book.changes.edition_history import Comparisons, PublishedEdition
from rulewright.book.pages.change_marks import Marks
from rulewright.book.pages.comparison_pages import compare_pages
from rulewright.book.pages.data_files import SCHEMA, build_data_schema
from rulewright.book.pages.source_pages import render_source_pages
from rulewright.book.parts.odds_examples import Weigh
from rulewright.book.rulebook import Report, render_site
from rulewright.book.site.atomic_swap import OutputError, replace_folder
from rulewright.book.site.languages import ALTERNATE, LANGUAGES, link_other_pages, link_pages, list_other_books
from rulewright.book.site.menu import build_menu, list_links
from rulewright.book.site.publish import load_all, render_chooser_page
from rulewright.book.style.assets import FOLDER as ASSETS
from rulewright.book.style.assets import SCRIPT, STYLE, write_own_assets
from rulewright.book.style.minify import minify_page, simplify_drawings
from rulewright.book.style.rule_locations import FRONT
from rulewright.book.style.sanitizer import clean, sanitize
from rulewright.book.style.term_links import link_terms_once
from rulewright.book.style.text_style import escape
from rulewright.ruleset.editions.catalogue import Catalogue
from rulewright.ruleset.editions.edition import Edition
from rulewright.ruleset.prose.book_language import ENGLISH, Language

DOCS = "docs"
"""The folder of the pages that generators expect."""

SETTINGS = "zensical.toml"
SUMMARY = "SUMMARY.md"

Entry = tuple[str, "str | tuple[Entry, ...]"]
"""A menu entry: its title, and either the page that it links to or its subentries."""


def export(
    catalogue: Catalogue,
    output: Path,
    *,
    only: Sequence[Edition] = (),
    url: str = "",
    weigh: Weigh | None = None,
    report: Report | None = None,
) -> list[PublishedEdition]:
    """Write the Markdown pages of every edition, or of `only` some, and return these editions.

    `output` is replaced when everything is finished. `url` is the address of the site. `weigh` computes the odds of
    examples, and `report` receives the failures of pages. Raises `DiagnosticError` for errors in the rules, and
    `OutputError` for a folder that this program did not write, or if there are no editions.
    """
    published = load_all(catalogue, only)
    if not published:
        raise OutputError(
            "there are no editions to publish in " + (", ".join(map(str, catalogue.paths)) or "any folder")
        )
    comparisons = Comparisons(published)
    with replace_folder(output) as folder:
        docs = folder / DOCS
        front = {FRONT: render_chooser_page(comparisons), **compare_pages(comparisons)}
        titles = _write(front, docs)
        entries: list[Entry] = [(titles[FRONT], FRONT)]
        for item in published:
            pages = render_site(item.ruleset, Marks(item, comparisons), weigh=weigh, report=report)
            others = list_other_books(item.ruleset)
            linked = link_pages(pages, others, "")
            book = [*_menu(item.folder, pages, _write(linked, docs / item.folder))]
            for other in others:
                below, translated = f"{item.folder}/{other.folder}", link_other_pages(other, pages, "")
                own = _menu(below, other.pages, _write(translated, docs / below, other.language), other.language)
                book.append((other.language.name, tuple(own)))
            entries.append((comparisons.build_title(item), tuple(book)))
        if compared := tuple((titles[path], path) for path in front if path != FRONT):
            entries.append(("What changed", compared))
        _write(render_source_pages(published), docs)
        write_own_assets(docs)
        (docs / ASSETS / SCHEMA).write_text(build_data_schema(), encoding="utf-8")
        (folder / SETTINGS).write_text(_settings(entries, url), encoding="utf-8")
        (folder / SUMMARY).write_text("# Rulebooks\n\n" + "".join(_list(entries)), encoding="utf-8")
    return published


def _write(pages: Mapping[str, str], folder: Path, language: Language = ENGLISH) -> dict[str, str]:
    """Write the pages and the other files, and return the titles of the Markdown pages by path."""
    titles = {}
    for path, text in pages.items():
        if path.endswith(".md"):
            matter, body = _split_front_matter(text)
            known = yaml.safe_load(matter)
            titles[path] = unescape(known["title"])
            saved = [line for line in matter.splitlines() if not line.startswith(_OURS)]
            links = _link_languages(known.get(LANGUAGES, ()), language)
            text = "\n".join(["---", *saved, "---", "", links + simplify_drawings(convert_body(body))])
        elif path.endswith(".html"):
            text = minify_page(sanitize(text))
        target = folder / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(text, encoding="utf-8")
    return titles


_OURS = ("tags: ", f"{ALTERNATE}: ", f"{LANGUAGES}: ")
"""The front matter for our own search and theme, which other generators would display or ignore."""


def _link_languages(links: Sequence[tuple[str, str, str]], language: Language) -> str:
    """Return the HTML of the links to a page in other languages, or an empty string if there are none."""
    link_html = "".join(
        f'<a href="{escape(way)}" hreflang="{tag}" lang="{tag}">{escape(words)}</a>' for tag, way, words in links
    )
    label = escape(language.translate("Languages"))
    return f'<nav class="rw-languages" aria-label="{label}">{link_html}</nav>\n\n' if link_html else ""


def _split_front_matter(text: str) -> tuple[str, str]:
    """Return the front matter and the body of a page."""
    matter, _, body = text.removeprefix("---\n").partition("\n---\n")
    return matter, body


_HREF = re.compile(r'(<a\b[^>]*? href="[^":#]*)\.md(?=[#"])')
_PRE = re.compile(r"(<pre\b.*?</pre>)", re.DOTALL)
_BLANK = re.compile(r"\n\s*\n+[ \t]*")
_ID = re.compile(r'<h[1-6]\b[^>]*? id="([^"]*)"')
_HEADING = re.compile(r"<(h[1-6])( [^>]*)?>(.*?)</\1>\n?", re.DOTALL)
_TEXT = re.compile(r"(?<=>)[^<>]+|^[^<>]+")
_SIGNS = {ord(sign): f"&#{ord(sign)};" for sign in "*_`[]\\~^=$|{}"}
"""The characters that some Markdown dialects treat as markup."""


def convert_body(body: str) -> str:
    """Return the body of a page as Markdown that every renderer reads alike.

    Most of it is HTML, in which Markdown finds no markup. Blank lines would end a block of HTML, so there are none.
    Only headings are Markdown.
    """
    headings: list[str] = []
    html = link_terms_once(clean(Markdown(extensions=["attr_list", _Headings(headings)]).convert(body)))
    html = _HREF.sub(r"\1.html", html)
    # A blank line would end the HTML block, but is significant in preformatted text, so encode it.
    parts = _PRE.split(html)
    parts[::2] = [_BLANK.sub("\n", part) for part in parts[::2]]
    parts[1::2] = [part.replace("\n\n", "\n&#10;") for part in parts[1::2]]
    left = iter(headings)
    expected = next(left, None)

    def heading(result: re.Match[str]) -> str:
        nonlocal expected
        named = _ID.match(result[0])
        if expected is None or named is None or unescape(named[1]) != expected:
            return result[0]
        expected = next(left, None)
        words = _TEXT.sub(lambda text: text[0].translate(_SIGNS), result[3])
        return f'\n<{result[1]}{result[2]} markdown="span">{words}</{result[1]}>\n\n'

    return _HEADING.sub(heading, "".join(parts)).strip() + "\n"


class _Headings(Extension):  # type: ignore[misc]
    """Keeps the ids of headings that are no part of a block of HTML, in their order."""

    def __init__(self, lines: list[str]) -> None:
        super().__init__()
        self._lines = lines

    def extendMarkdown(self, md: Markdown) -> None:  # noqa: N802  # the library's name for it
        """Let `md` note the ids of the headings of each page that it converts."""
        result = self._lines

        class Note(Treeprocessor):  # type: ignore[misc]
            def run(self, root: Element) -> None:
                result.extend(e.get("id", "") for e in root if re.fullmatch("h[1-6]", e.tag) and e.get("id"))

        # It must run after the extension that reads the attributes of headings.
        md.treeprocessors.register(Note(md), "rulewright-headings", 1)


def _menu(
    folder: str, pages: Mapping[str, str], titles: Mapping[str, str], language: Language = ENGLISH
) -> Iterator[Entry]:
    """Yield the menu of one book, below its title."""
    for line in build_menu(pages, language):
        assert isinstance(line, dict)
        for title, below in line.items():
            if isinstance(below, str):
                yield title, f"{folder}/{below}"
                continue
            own: list[Entry] = [(titles[file], f"{folder}/{file}") for file in below]
            own += [(name, f"{folder}/{file}") for name, file in list_links(title, pages, language)]
            yield title, tuple(own)


def _settings(entries: Sequence[Entry], url: str) -> str:
    """Return the settings file for Zensical. It contains the menu, because Zensical reads it from nowhere else."""
    return f"""\
# Written by `rulewright book export`. `zensical build` turns it into a site; other generators find every page, in
# order, in {SUMMARY}.
[project]
site_name = "Rulebooks"
{f"site_url = {_toml(url)}" if url else "# site_url = "}
docs_dir = "{DOCS}"
site_dir = "site"
use_directory_urls = false
extra_css = [{_toml(STYLE)}]
extra_javascript = [{_toml(SCRIPT)}]
nav = [
{"".join(_nav(entries, "  "))}]

[project.theme]
language = "en"
font = false
logo = "{ASSETS}/shield.svg"
favicon = "{ASSETS}/shield.svg"
features = ["navigation.sections", "navigation.footer", "navigation.top", "toc.follow"]

[[project.theme.palette]]
media = "(prefers-color-scheme: light)"
scheme = "default"
primary = "custom"
accent = "custom"
toggle.icon = "lucide/moon"
toggle.name = "Switch to dark"

[[project.theme.palette]]
media = "(prefers-color-scheme: dark)"
scheme = "slate"
primary = "custom"
accent = "custom"
toggle.icon = "lucide/sun"
toggle.name = "Switch to light"

[project.markdown_extensions]
md_in_html = {{}}
toc = {{ permalink = "§", permalink_title = "Link to this section", toc_depth = 2 }}
"""


def _nav(entries: Sequence[Entry], indent: str) -> Iterator[str]:
    """Yield the lines of the menu in the settings file. Titles are escaped, because Zensical inserts them as HTML.

    Links to files other than Markdown are left out.
    """
    for text, below in entries:
        title = escape(text)
        if isinstance(below, tuple):
            yield f"{indent}{{ {_toml(title)} = [\n"
            yield from _nav(below, indent + "  ")
            yield f"{indent}] }},\n"
        elif below.endswith(".md"):
            yield f"{indent}{{ {_toml(title)} = {_toml(below)} }},\n"


def _toml(text: str) -> str:
    """Return text as TOML has it, which is as JSON has it but for one sign."""
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007F")


def _list(entries: Sequence[Entry], indent: str = "") -> Iterator[str]:
    """Yield the lines of the menu as a nested Markdown list, with escaped titles."""
    for title, below in entries:
        text = re.sub(r"([\\`*_\[\]<>&#~|])", r"\\\1", title)
        if isinstance(below, tuple):
            yield f"{indent}- {text}\n"
            yield from _list(below, indent + "  ")
        else:
            yield f"{indent}- [{text}](<{DOCS}/{below}>)\n"
