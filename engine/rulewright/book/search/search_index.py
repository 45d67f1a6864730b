"""The search index: sections with their words, the numbers of rules, and synonyms of terms."""

from __future__ import annotations

import json
import re
import unicodedata
from base64 import b64encode
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from gzip import compress
from html.parser import HTMLParser
from typing import Any

from rulewright.language.declarations import Term
from rulewright.ruleset.ruleset import Ruleset

INDEX = "search/index.js"
"""The path of the search index in the folder of a book."""

_HEADINGS = ("h1", "h2", "h3")
_VOID = frozenset({"area", "br", "col", "hr", "img", "input", "link", "meta", "source", "wbr"})
_SILENT_TAGS = frozenset({"script", "style", "svg", "template", "nav", "button"})
_SILENT = frozenset({"headerlink", "rw-beside", "rw-from", "rw-workshop", "rw-source"})
"""The classes of elements that the search ignores."""

_CELLS = frozenset({"td", "th", "dt", "dd"})
_BLOCKS = frozenset(
    {"p", "li", "tr", "div", "table", "caption", "summary", "section", "h4", "h5", "br", "dl", "ul", "ol"}
)
_BREAK = "\x1f"
"""The marker for the start or end of a block. Line breaks in the source only count as spaces."""

_CITED = re.compile(r"[A-Z]{1,2}\.\d+[a-z]?(?:\.\d+)*")
_UNENDED = re.compile(rf"([^.!?:;…]){_BREAK}")
LONGEST_STEP = 160
"""The maximum number of characters of a step that a search for its number shows."""


@dataclass(slots=True)
class SearchEntry:
    """A section of a page with its address, number, title and words, and hidden search terms.

    `synonyms` are other words for its title, separated by commas. `is_ruling` marks a numbered element that is found by
    its title and words, as a section is.
    """

    location: str
    number: str = ""
    title: str = ""
    text: str = ""
    hidden: str = ""
    synonyms: str = ""
    is_ruling: bool = False


@dataclass(slots=True)
class PageIndex:
    """The index of one page with its sections, and the other numbered elements on it."""

    title: str
    entries: list[SearchEntry] = field(default_factory=list)
    numbers: list[SearchEntry] = field(default_factory=list)

    @staticmethod
    def from_data(data: Mapping[str, Any]) -> PageIndex:
        """Return the index that `dataclasses.asdict` has turned into data."""
        entries, numbers = ([SearchEntry(**entry) for entry in data[name]] for name in ("entries", "numbers"))
        return PageIndex(data["title"], entries, numbers)


def read_page(location: str, title: str, html: str, tags: Iterable[str] = ()) -> PageIndex:
    """Return the search index of a page, given as HTML without the theme.

    `tags` are search terms that count more. Numbered elements are indexed on their own, too.
    """
    reader = _Reader(location, title)
    reader.feed(html)
    reader.close()
    page = reader.page
    page.entries[0].hidden = " ".join([*tags, page.entries[0].hidden]).strip()
    for entry in [*page.entries, *page.numbers]:
        entry.title, entry.text, entry.hidden = _tidy(entry.title), _tidy(entry.text), _tidy(entry.hidden)
    page.numbers = [entry for entry in page.numbers if entry.number]
    for entry in page.numbers:
        entry.text = _short(entry.text)
    return page


def search_index(name: str, pages: Iterable[PageIndex], books: Iterable[Mapping[str, str]] = ()) -> str:
    """Return a script with the search index of all pages, as compressed JSON. `name` is the title of the book.

    With `books`, the search covers these books of the same site as well.
    """
    pages = list(pages)
    entries: list[list[str | int]] = []
    numbers: dict[tuple[str, str], list[str]] = {}
    rulings: dict[str, list[str | int]] = {}
    for page in pages:
        for entry in page.entries:
            entries.append([entry.location, entry.number, entry.title, entry.text, entry.hidden, page.title])
        for entry in page.numbers:
            # If an entry, such as a ruling, is on two pages, the later one is its own page and wins.
            title = entry.title or page.title
            if entry.is_ruling:
                rulings[entry.number] = [entry.location, entry.number, title, entry.text, "", page.title, 1]
            else:
                numbers[entry.number, title] = [entry.number, entry.location, title, entry.text]
    synonyms = [
        [entry.title, *words]
        for page in pages
        for entry in page.entries
        if (words := [word.strip() for word in entry.synonyms.split(",") if word.strip()])
    ]
    data = {
        "name": name,
        "entries": [*entries, *rulings.values()],
        "numbers": list(numbers.values()),
        "synonyms": synonyms,
        "books": list(books),
    }
    text = json.dumps(data, ensure_ascii=False, separators=(",", ":"))
    return f'rulewrightIndex("{b64encode(compress(text.encode(), 9, mtime=0)).decode("ascii")}")\n'


class _Reader(HTMLParser):
    """A parser that assigns text to its section, or to the step or ruling within that."""

    def __init__(self, location: str, title: str) -> None:
        super().__init__(convert_charrefs=True)
        self.location = location
        self.page = PageIndex(title, [SearchEntry(location, title=title)])
        self._open: list[tuple[str, str]] = []
        """The open tags, each with its role."""
        self._roles: Counter[str] = Counter()
        """The number of open tags by role."""
        self._numbered: list[SearchEntry] = []

    def updatepos(self, i: int, j: int) -> int:
        """Return `j` without counting lines, because positions of tags are never used."""
        return j

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Note the role of a tag. A heading begins an entry, and a numbered element has an entry of its own as well."""
        attributes = {name: value or "" for name, value in attrs}
        classes = set(attributes.get("class", "").split())
        if tag in _BLOCKS or tag in _CELLS:
            self._say(_BREAK if tag in _BLOCKS else "\t")
        if tag in _VOID:
            return
        role = ""
        identity = attributes.get("id", "")
        if tag in _SILENT_TAGS or classes & _SILENT or "data-search-exclude" in attributes:
            role = "silent"
        elif tag in _HEADINGS:
            role = "heading"
            if tag != "h1":
                where = f"{self.location}#{identity}" if identity else self.page.entries[-1].location
                self.page.entries.append(SearchEntry(where))
            else:
                self.page.entries[0].title = ""
        elif "rw-number" in classes and self._is("heading"):
            role = "number"
        elif "rw-cite" in classes or "rw-label__number" in classes or "rw-label" in classes:
            role = "cited"
        elif "rw-synonyms" in classes:
            role = "synonyms"
        elif "hidden" in attributes:
            role = "hidden"
        elif identity and (tag in ("li", "details") or "rw-ruling" in classes):
            role = "numbered"
            within = self._numbered[-1].title if self._numbered else ""
            ruling = "rw-ruling" in classes
            self._numbered.append(SearchEntry(f"{self.location}#{identity}", title=within, is_ruling=ruling))
            self.page.numbers.append(self._numbered[-1])
        elif "rw-ruling__question" in classes or tag == "summary":
            role = "question"
        self._open.append((tag, role))
        self._roles[role] += 1

    def handle_endtag(self, tag: str) -> None:
        """Close the innermost open tag of this name with all tags inside it. Ignore a tag that is not open."""
        if tag in _VOID or tag not in (open_tag for open_tag, _ in self._open):
            return
        while self._open:
            open_tag, role = self._open.pop()
            self._roles[role] -= 1
            if role == "numbered":
                self._numbered.pop()
            if open_tag == tag:
                break
        if tag in _BLOCKS:
            self._say(_BREAK)

    def handle_data(self, data: str) -> None:
        self._say(" ".join(re.split(r"[\s\x1f]", data)))

    def _is(self, role: str) -> bool:
        return self._roles[role] > 0

    def _say(self, words: str) -> None:
        """Add words to the part of the last entry that the open tags stand for, or nowhere if they are silent."""
        if self._is("silent"):
            return
        entry = self.page.entries[-1]
        if self._is("synonyms"):
            entry.synonyms += words
        elif self._is("hidden"):
            entry.hidden += f" {words}"
        elif self._is("number"):
            entry.number += words.strip()
        elif self._is("heading"):
            entry.title += words
        else:
            self._body(entry, words)

    def _body(self, entry: SearchEntry, words: str) -> None:
        """Add words to the text of an entry and of the numbered element. Citations only give this element a number."""
        step = self._numbered[-1] if self._numbered else None
        if self._is("cited"):
            match = _CITED.search(words)
            if match is not None and step is not None and not step.number:
                step.number = match[0]
            return
        entry.text += words
        if step is not None:
            if self._is("question") and not step.text.strip(f" {_BREAK}"):
                step.title += words
            else:
                step.text += words


def _tidy(text: str) -> str:
    """Return text on one line, with dots between cells, rows, and paragraphs that do not end with a full stop."""
    lines = ([" ".join(cell.split()) for cell in line.split("\t")] for line in text.split(_BREAK))
    parts = [" · ".join(filter(None, line)) for line in lines]
    return _UNENDED.sub(r"\1 · ", _BREAK.join(filter(None, parts))).replace(_BREAK, " ")


def _short(text: str) -> str:
    return text if len(text) <= LONGEST_STEP else text[:LONGEST_STEP].rpartition(" ")[0] + " …"


def list_names(term: Term, others: Iterable[Ruleset] = ()) -> tuple[str, ...]:
    """Return the words for a term besides its name and plural, without repetition.

    `others` are other editions of the game.
    """
    words = [*term.also]
    for other in others:
        there = other.declarations.terms.get(term.id)
        if there is not None:
            words += [there.name, *there.also]
    return _exclude_own(term, words)


def list_synonyms(term: Term, others: Iterable[Ruleset] = ()) -> tuple[str, ...]:
    """Return the search terms for a term: its other names, its icon, and the Unicode name of that."""
    return _exclude_own(term, [*list_names(term, others), *_icon_words(term.icon)])


def _exclude_own(term: Term, words: Iterable[str]) -> tuple[str, ...]:
    """Return the words that are neither the name nor the plural of a term, each once regardless of its case."""
    own = {term.name.casefold(), term.plural.casefold()}
    results: dict[str, str] = {}
    for word in words:
        if word and word.casefold() not in own:
            results.setdefault(word.casefold(), word)
    return tuple(results.values())


def _icon_words(icon: str) -> list[str]:
    """Return an emoji and its Unicode name, so that readers can search for either."""
    return [icon, *_names(icon)] if icon else []


def name_icon(icon: str) -> str:
    """Return the Unicode names of an emoji, or an empty text for other icons."""
    return ", ".join(_names(icon))


def _names(icon: str) -> list[str]:
    named = (unicodedata.name(sign, "").lower() for sign in icon if unicodedata.category(sign) == "So")
    return [name for name in named if name]
