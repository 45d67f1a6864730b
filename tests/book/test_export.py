"""The pages for other generators: what they make of them says what our site says, and so does plain CommonMark."""

from __future__ import annotations

import re
import subprocess
import sys
import tomllib
from html.parser import HTMLParser
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import unquote, urlsplit

import pytest
from markdown_it import MarkdownIt
from markdown_it.token import Token

from rulewright.book.site.atomic_swap import OutputError
from rulewright.book.site.markdown_export import DOCS, SETTINGS, SUMMARY, convert_body, export
from rulewright.book.site.publish import build_site
from rulewright.book.style.term_links import link_terms_once
from rulewright.cli.main import main
from rulewright.ruleset.editions.catalogue import Catalogue
from tests.book.garden import MANIFEST, write_garden
from tests.book.shipped import shipped_pages
from tests.breadth import some
from tests.published import FEW, editions

if TYPE_CHECKING:
    from playwright.sync_api import Page

URL = "https://gardens.example/books/"
TITLE = "A *Small* <b>Garden</b> & `more` \\\\ $x$ [y]"
"""Of signs that mean something to Markdown, HTML, TOML or a theme."""

THEMES = {"__skip", "__content"}
"""Where the link goes that skips to the content, on pages of either theme."""


HEADING = re.compile(r"^#{2,6} (.*) \{ #\S+ \}$", re.MULTILINE)
"""A heading as our pages have it, the one thing on them that is Markdown."""


class Article(HTMLParser):
    """What is in a page's article, or in a piece of a page: its words, links and ids, each in their order."""

    def __init__(self, page: str, *, piece: bool = False) -> None:
        super().__init__()
        self.depth = int(piece)
        self.words: list[str] = []
        self.links: list[str] = []
        self.ids: list[str] = []
        self.feed(page)
        self.close()

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        if self.depth:
            attribute = dict(attributes)
            # Each theme says in words of its own where its mark beside a heading leads.
            if attribute.get("id") and attribute["id"] not in THEMES:
                self.ids.append(str(attribute["id"]))
            if tag == "a" and attribute.get("href"):
                self.links.append(str(attribute["href"]))
        self.depth += tag == "article" and (self.depth > 0 or "md-content__inner" in str(dict(attributes).get("class")))

    def handle_endtag(self, tag: str) -> None:
        self.depth -= tag == "article" and self.depth > 0

    def handle_data(self, data: str) -> None:
        if self.depth:
            self.words += data.split()

    @property
    def said(self) -> tuple[str, list[str], list[str]]:
        return " ".join(self.words), self.links, self.ids


LED_ELSEWHERE = re.compile(r'<p class="?rw-download"?><a href="?shared.html"?>.*?</a>[^<]*(?:</p>)?')
"""What the front page of a site of ours says of another page of its own, which no book has."""


def article(page: str) -> tuple[str, list[str], list[str]]:
    article = Article(LED_ELSEWHERE.sub("", page))
    assert article.words, "the page has no article"
    return article.said


@pytest.fixture(scope="module")
def both(tmp_path_factory: pytest.TempPathFactory, checkout: Path) -> tuple[Path, Path]:
    """Our site of a few small games, and the same for another generator; nobody changes either.

    One game has two versions, which are compared, and a name that is trouble; one has a board, and one a ladder.
    """
    folder = tmp_path_factory.mktemp("both")
    older = write_garden(folder / "rules", manifest=MANIFEST.replace("A Small Garden", f"'{TITLE}'"))
    newer = write_garden(folder / "rules" / "newer", manifest=MANIFEST.replace("1.0.0", "1.0.1"))
    catalogue = Catalogue([older, newer, checkout / "rules"])
    names = ("garden/small", "classics/tic-tac-toe", "pig/classic")
    only = [each for each in catalogue.list_editions() if each.id.partition("@")[0] in names]
    assert len(only) >= 4
    build_site(catalogue, folder / "site", only=only)
    export(catalogue, folder / "pages", only=only)
    return folder / "site", folder / "pages"


@pytest.fixture(scope="module")
def zensical(both: tuple[Path, Path]) -> Path:
    """Return the site that Zensical makes of them, by one command."""
    _, pages = both
    ran = subprocess.run(
        [sys.executable, "-m", "zensical", "build", "--strict"],
        cwd=pages,
        capture_output=True,
        text=True,
        check=False,
    )
    assert ran.returncode == 0, ran.stdout + ran.stderr
    return pages / "site"


def markdown_in(folder: Path) -> list[str]:
    return sorted(path.relative_to(folder).as_posix() for path in folder.rglob("*.md"))


def test_zensical_makes_the_same_articles_of_it(both: tuple[Path, Path], zensical: Path) -> None:
    ours, pages = both
    lines = [f"{path.removesuffix('.md')}.html" for path in markdown_in(pages / DOCS)]
    written = {
        path.relative_to(ours).as_posix() for path in ours.rglob("*.html") if "md-content__inner" in path.read_text()
    }
    assert set(lines) == written - {"404.html"}
    assert any(path.startswith("compare/") for path in lines)
    for path in lines:
        assert article((zensical / path).read_text("utf-8")) == article((ours / path).read_text("utf-8")), path


def test_every_link_and_file_of_it_leads_somewhere(zensical: Path) -> None:
    for path in zensical.rglob("*.html"):
        if path.name == "404.html":
            continue
        for link in Article(path.read_text("utf-8"), piece=True).links:
            there = urlsplit(link)
            if there.scheme or not there.path:
                continue
            target = (path.parent / unquote(there.path)).resolve()
            assert target.is_file() or (target / "index.html").is_file(), f"{path}: {link}"
            assert target.is_relative_to(zensical.resolve())


def test_what_is_to_be_printed_comes_as_it_is(both: tuple[Path, Path], zensical: Path) -> None:
    ours, _ = both
    papers = [path.relative_to(ours) for name in ("whole", "short") for path in ours.rglob(f"{name}.html")]
    assert len(papers) >= 8
    for path in [*papers, *(path.relative_to(ours) for path in ours.rglob("rules*.json"))]:
        assert (zensical / path).read_bytes() == (ours / path).read_bytes(), path


def test_a_name_is_shown_as_text_in_its_menu(zensical: Path) -> None:
    page = (zensical / "index.html").read_text("utf-8")
    assert "<b>" not in page.lower()
    assert "A *Small* &lt;b&gt;Garden&lt;/b&gt; &amp; `more`" in page


@pytest.mark.browser
def test_its_pages_work_there_by_themselves(zensical: Path, window: Page) -> None:
    """Dice can be thrown without our theme: nothing that a reader does hangs on it."""
    wrong: list[str] = []
    window.on("pageerror", lambda error: wrong.append(str(error)))
    window.goto((zensical / "pig-classic-1.0" / "odds.html").as_uri())
    window.locator("article .rw-dice").first.click()
    window.locator("#rw-roller").wait_for(state="visible")
    assert wrong == []


def tokens(page: str) -> list[Token]:
    """Return what plain CommonMark reads a page as, without extensions."""
    return MarkdownIt("commonmark").parse(page)


def plain(page: str) -> tuple[str, list[str], list[str]]:
    return Article(MarkdownIt("commonmark").render(page), piece=True).said


def body(page: str) -> str:
    return page.partition("\n---\n")[2]


def test_plain_commonmark_reads_the_same(both: tuple[Path, Path]) -> None:
    ours, pages = both
    for path in markdown_in(pages / DOCS):
        written = body((pages / DOCS / path).read_text("utf-8"))
        words, links, ids = article((ours / path.replace(".md", ".html")).read_text("utf-8"))
        # Our site has a mark beside each heading that leads to it.
        marks = [link for link in links if words and link.startswith("#")]
        text, led, named = plain(written)
        assert text == words.replace(" §", ""), path
        assert [link for link in led if link not in marks] == [link for link in links if link not in marks], path
        assert named == ids, path
        assert {token.type for token in tokens(written)} == {"html_block"}, path


@pytest.mark.parametrize("reference", some(sorted(editions()), FEW))
def test_no_text_of_any_book_is_lost_or_read_as_code(reference: str) -> None:
    for path, page in shipped_pages(reference).items():
        if not path.endswith(".md"):
            continue
        written = convert_body(body(page))
        assert {token.type for token in tokens(written)} == {"html_block"}, path
        # The page as it was written is HTML but for its headings, and so can be read without any Markdown.
        html = link_terms_once(HEADING.sub(r"<h2>\1</h2>", body(page)))
        assert plain(written)[0] == Article(html, piece=True).said[0], path


def test_blank_lines_and_signs_of_markdown_within_stay_text() -> None:
    written = convert_body(
        "<div>\n<p>one</p>\n\n    <p>*two*</p>\n\n</div>\n\n## A *b* &#95;c&#95; { #here }\n\n"
        '<pre>x\n\n    y\n\n\nz</pre>\n\n<p>see <a href="other.md#there">it</a></p>\n'
    )
    assert "two" in written
    words, links, ids = plain(written)
    assert (words, links, ids) == ("one *two* A b _c_ x y z see it", ["other.html#there"], ["here"])
    assert "x\n\n    y\n\n\nz" in MarkdownIt("commonmark").render(written).replace("&#10;", "\n")


def test_the_menu_names_every_page_once(both: tuple[Path, Path]) -> None:
    _, pages = both
    settings = tomllib.loads((pages / SETTINGS).read_text("utf-8"))

    def flat(entries: object) -> list[str]:
        if isinstance(entries, str):
            return [entries]
        values = entries.values() if isinstance(entries, dict) else entries
        return [path for entry in values for path in flat(entry)]  # type: ignore[attr-defined]

    listed = flat(settings["project"]["nav"])
    # The list of fields is for designers, and only the front page leads to it.
    assert sorted(listed) == [page for page in markdown_in(pages / DOCS) if not page.endswith("/holdings.md")]
    links = Article(MarkdownIt("commonmark").render((pages / SUMMARY).read_text("utf-8")), piece=True)
    assert " ".join(TITLE.split()) in " ".join(links.words)
    assert [link for link in links.links if link.endswith(".md")] == [f"{DOCS}/{path}" for path in listed]
    assert all((pages / link).is_file() for link in links.links)


def test_it_can_be_had_by_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    rules = ["--rules", str(write_garden(tmp_path / "rules"))]
    assert main(["book", "export", str(tmp_path / "one"), "garden/small", *rules, "--base-url", URL]) == 0
    output = capsys.readouterr().out
    assert output == f"{tmp_path / 'one' / DOCS / 'garden-small-1.0'}  garden/small@1.0.0\n"
    assert tomllib.loads((tmp_path / "one" / SETTINGS).read_text("utf-8"))["project"]["site_url"] == URL
    assert main(["book", "build", "garden/small", "--markdown", "--output", str(tmp_path / "two"), *rules]) == 0
    assert (tmp_path / "two" / DOCS / "garden-small-1.0" / "index.md").is_file()


def test_nothing_to_export_is_said(tmp_path: Path) -> None:
    with pytest.raises(OutputError, match="no editions to publish"):
        export(Catalogue([tmp_path]), tmp_path / "pages")
