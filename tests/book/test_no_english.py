"""A book in German has no English in it: in no text, label, description or script of any page, nor in its frame."""

from __future__ import annotations

import json
import re
from base64 import b85decode
from collections.abc import Iterator
from gzip import decompress
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest
from pypdf import PdfReader

from rulewright.authoring.example_odds import compute_book_odds
from rulewright.base.resources import find_resource
from rulewright.book.site.languages import build_other, list_other_books
from rulewright.cli.main import main
from rulewright.ruleset.load_ruleset import load_ruleset

ENGLISH = re.compile(
    # Words that nearly every English sentence has, and German none.
    r"(?<![\w.-])(?:the|of|and|is|are|each|players?|you|your|its?|this|that|these|those|with|from|into|for|not|none|when"
    r"|whenever|who|whose|which|what|how|if|then|than|their|they|been|has|have|does|do|can|may|must|would|by|or|but|any"
    r"|every|other|another|after|before|until|while|both|between|under|over|up|down|out|there|here|only|one|two|three"
    r"|gains|pays|loses|chooses|rolls?|becomes|leaves|goes|comes|see|hidden|turns?|game)(?![\w-])",
    re.IGNORECASE,
)
MEANT = frozenset(["rules.json"])
"""What the books mean to be the same in every language."""

SHOWN = ("title", "alt", "aria-label", "placeholder", "data-label", "data-empty", "content")


class _Reader(HTMLParser):
    """Everything of a page that somebody reads, hears or finds, with the data of its scripts."""

    def __init__(self) -> None:
        super().__init__()
        self.texts: list[str] = []
        self.within: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag in ("script", "style", "nav"):
            self.within.append("data" if ("type", "application/json") in attrs else tag)
            if tag == "nav" and ("class", "rw-languages") in attrs:
                self.within[-1] = "languages"
        is_text = tag != "meta" or any(value == "description" for _, value in attrs)
        self.texts += [value for name, value in attrs if value and name in SHOWN and is_text]

    def handle_endtag(self, tag: str) -> None:
        if tag in ("script", "style", "nav") and self.within:
            self.within.pop()

    def handle_data(self, data: str) -> None:
        # The link to the English page is in English, and scripts have their messages by the English ones.
        if "script" in self.within or "style" in self.within or "languages" in self.within:
            return
        if "data" in self.within:
            self.texts += _list_values(json.loads(data))
        else:
            self.texts.append(data)


def _list_values(data: Any) -> Iterator[str]:
    """Yield the texts in JSON data, without keys and without words that are ids."""
    if isinstance(data, dict):
        data = list(data.values())
    if isinstance(data, list):
        for each in data:
            yield from _list_values(each)
    elif isinstance(data, str) and " " in data:
        yield data


_CODE = re.compile(r"<[^>]*>|%\(\w+\)s")
"""The tags of HTML, and the placeholders of messages."""


def list_english(texts: list[str]) -> list[str]:
    """Return the texts with an English word."""
    return [text.strip() for text in texts if text.strip() not in MEANT and ENGLISH.search(_CODE.sub(" ", text))]


_ANCHOR = re.compile(r"\{ #[\w-]+ \}$", re.MULTILINE)
"""The address of a heading in Markdown."""


def read_page(text: str) -> list[str]:
    """Return the texts of a page, with those of its front matter."""
    reader = _Reader()
    reader.feed(_ANCHOR.sub("", text))
    return reader.texts


@pytest.fixture(scope="module", params=["pig/classic@1.0", "fuzzy-knights/normal@1.0"])
def pages(request: pytest.FixtureRequest) -> dict[str, str]:
    """Return the files of the German book of an edition."""
    (books,) = list_other_books(load_ruleset(request.param), weigh=compute_book_odds)
    return dict(books.pages)


def test_no_page_has_english(pages: dict[str, str]) -> None:
    read = {path: read_page(text) for path, text in pages.items() if not path.endswith(".js")}
    assert {"index.md", "play.md", "odds.md", "aid.md", "short.html", "whole.html"} <= set(read)
    by_path = {path: english for path, texts in read.items() if (english := list_english(texts))}
    assert by_path == {}


def test_nothing_that_is_stepped_through_has_english(pages: dict[str, str]) -> None:
    """The examples and sample games of the Play page, with their starts, results and rules."""
    packed = json.loads(pages["examples.js"].removeprefix("rulewrightExamples(").rstrip(")\n"))
    examples = json.loads(decompress(b85decode(packed)))
    texts = [text for part in ("examples", "samples") for each in examples[part].values() for text in _list_words(each)]
    assert len(texts) > 3
    assert list_english(texts) == []
    assert list_english([*_list_values(examples["rules"])]) == []


def _list_words(example: dict[str, Any]) -> Iterator[str]:
    yield from (example["title"], example["text"], *example.get("given", ()), *example.get("results", ()))


def test_the_table_of_the_play_page_has_no_english(pages: dict[str, str]) -> None:
    packed = json.loads(pages["play.js"].removeprefix("rulewrightRules(").rstrip(")\n"))
    table = json.loads(decompress(b85decode(packed["table"])))
    texts = [*_list_values({name: table[name] for name in ("boards", "kinds", "decks", "texts", "guides")})]
    assert list_english([text for text in texts if not text.startswith("<")]) == []


def test_the_frame_of_a_page_has_no_english(tmp_path: Path) -> None:
    """The menu, the search, the footer and all that the theme adds."""
    (pig,) = list_other_books(load_ruleset("pig/classic@1.0"))
    build_other(pig, dict.fromkeys(pig.pages, ""), tmp_path, url="", app=True)
    pages = sorted((tmp_path / "de").rglob("*.html"))
    assert len(pages) > 5
    by_name = {page.name: list_english(read_page(page.read_text(encoding="utf-8"))) for page in pages}
    assert {name: english for name, english in by_name.items() if english} == {}


@pytest.mark.parametrize("edition", ["pig/classic@1.0"])
def test_neither_the_files_to_print_nor_the_not_found_page_have_english(edition: str, tmp_path: Path) -> None:
    """The PDFs of the book, with their titles and bookmarks, and what the not-found page says to readers of German."""
    assert main(["book", "build", edition, "--pdf", "--output", str(tmp_path / "site")]) == 0
    files = sorted((tmp_path / "site").glob("*/de/*.pdf"))
    assert len(files) == 2
    for file in files:
        reader = PdfReader(file)
        texts = [page.extract_text() for page in reader.pages]
        titles = [str(item.title) for item in reader.outline if not isinstance(item, list)]
        assert reader.trailer["/Root"]["/Lang"] == "de"
        assert list_english([*texts, *titles, *map(str, (reader.metadata or {}).values())]) == []
    page = (tmp_path / "site" / "404.html").read_text(encoding="utf-8")
    (german,) = re.findall(r'<section lang="?de"?>(.*?)</section>', page, re.DOTALL)
    assert "Diese Seite gibt es nicht" in german
    assert list_english(read_page(german)) == []


_COMMENT = re.compile(r"^\s*(?://|\*|/\*).*$", re.MULTILINE)
_LITERAL = re.compile(r"""(?<!say\()(?<!tell\()(?:"([A-Za-z][\w ,.:;!?’“”-]+)"|`([A-Z$][\w ,.:;!?’“”${}-]+)`)""")
_INTERNAL = frozenset(["another format", "no seats"])
"""What only a program reads."""


@pytest.mark.parametrize("folder", ["play", "roller"])
def test_scripts_say_everything_in_the_language_of_the_page(folder: str) -> None:
    """No sentence is written into a script that German pages run, except for what only an English page does."""
    only_english = {"again.js"}
    by_name = {}
    for path in sorted((find_resource("site") / "assets" / folder).rglob("*.js")):
        text = _COMMENT.sub("", path.read_text(encoding="utf-8"))
        texts = [one or re.sub(r"\$\{[^}]*\}", "", other) for one, other in _LITERAL.findall(text)]
        english = [each for each in list_english(texts) if " " in each and each not in _INTERNAL]
        if english and path.name not in only_english:
            by_name[path.name] = english
    assert by_name == {}


@pytest.mark.parametrize(
    "text", ["The rules", "Alle zahlen, then they roll.", "Zug 3 of 12", "Player 1", "1d6 comes to 3.", "Rolled by you"]
)
def test_english_would_be_found(text: str) -> None:
    assert list_english([text]) == [text]


@pytest.mark.parametrize("text", ["Die Spieler ziehen reihum.", "Was war das? So ein Gold!", "er hat den Hut an"])
def test_german_is_not_taken_for_english(text: str) -> None:
    assert list_english([text]) == []
