"""No page of any edition says what nobody would write, and none shows the number of an object."""

from __future__ import annotations

import re
from html.parser import HTMLParser
from pathlib import Path

import pytest

from rulewright.ruleset.prose.book_language import ENGLISH, load_languages
from tests.site.kinds import SITE

BLOCKS = frozenset(
    ["p", "li", "div", "h1", "h2", "h3", "tr", "td", "th", "summary", "details", "dt", "dd", "section", "article"]
) | {"ul", "ol", "figcaption", "label", "del"}  # what is struck out goes on in no sentence
SILENT = frozenset(["script", "style", "svg", "nav", "header", "footer", "template", "head"])

PATTERNS = {
    "an article for another sound": r"\b[Aa]n (?!hour|[Xx]\b)[bcdfgjklmnpqrstvwxyzBCDFGJKLMNPQRSTVWXYZ][a-z]",
    "a name said twice": r"\bhaving rolled (?:(?:the )?\w+ )?rolled\b",
    "a word said twice": r"\b([a-z]+) \1\b",
    "the number of an object": r"(?i)\b(?:monster|mine|item token|hero|city|settlement|bed|side|squad)[ -]\d+\b",
    "the words of a program": r"(?:^|\. |\d )Let \w[\w ]* be \w",
    "a truth value as a value": r"\bis whether\b|\bis (?:not )?true\b",
    "a clause hung on a clause": r"that are not [^.,]* and that are [^.,]* or it is",
    "an answer that says nothing": r"\bchooses nothing\b",
    "an outcome that says its own name": r"What comes of it: ",
    "before and after as a program says them": r": (?:none|yes|no|\d+) → ",
    "two articles": r"\b(?:the|a|an) (?:the|a|an)\b",
    # A line with nothing but a name and a definition in brackets is no reckoning.
    "brackets that keep a reckoning together": (
        r"^(?![A-Z][\w’ ]* \([^()]*\)$).*\((?:one roll|the number|the total|where there is none)"
    ),
    "a mark that has lost its word": r" ,|, where :|\.\.(?!\.)",
    "what goes by the name of its place": r"\bits (\w+) (?:is|are) \1\b",
    "what becomes of itself": r"\b[Tt]he (\w+) becomes? the \1\b",
    "a place without an article": r"\b(?:on|is|of|enter) tile\b",
    "so many of what is not counted": r"\bas many movement\b",
    "one of what is several": r"\ba (?:ramparts|Fortifications)\b",
    "a clause owned by another": r"\bthat comes? before of\b",
    "an answer behind its explanation": r", where A is [^;]*? is \d+[;.]",
    "an amount without its article": r"\b(?:pays|gains) amount\b",
    "an outcome that is no outcome": r"\bis retreated\b|\border to retreat\b",
    # What is worked out of a letter in words of its own can be followed: `B is A times the number of players`.
    "letters that say nothing of each other": r"\b[A-W] is (?:not )?[A-W]\b(?! times the number of)",
    "a player that is an it": r"\bit is (?:not )?the player\b",
    "a stand-in of the machine": r"\bone as it comes\b|\bas they come\b|\bsays for \w+ times\b",
}


class _Text(HTMLParser):
    """What a reader can read of a page, block by block."""

    def __init__(self) -> None:
        super().__init__()
        self.said: list[str] = []
        self.silent = 0

    def handle_starttag(self, tag: str, attrs: object) -> None:
        self.silent += tag in SILENT
        if tag in BLOCKS:
            self.said.append("\n")

    def handle_endtag(self, tag: str) -> None:
        self.silent -= tag in SILENT
        if tag in BLOCKS:
            self.said.append("\n")

    def handle_data(self, data: str) -> None:
        if not self.silent:
            self.said.append(data.replace("\n", " "))


def lines(page: Path) -> list[str]:
    """Return the blocks of a page, each as a line."""
    reader = _Text()
    reader.feed(page.read_text(encoding="utf-8"))
    return [" ".join(line.split()) for line in "".join(reader.said).split("\n")]


@pytest.fixture(scope="module")
def page_lines(host: Path) -> dict[str, list[str]]:
    """Return what every page in English says; the sources of the rules are shown as they are."""
    root = host / SITE
    others = {"source", *load_languages()} - {ENGLISH.tag}
    pages = (page for page in root.rglob("*.html") if others.isdisjoint(page.relative_to(root).parts))
    return {str(page.relative_to(root)): lines(page) for page in pages}


@pytest.mark.parametrize("what", PATTERNS)
def test_nothing_is_said_that_nobody_would_write(what: str, page_lines: dict[str, list[str]]) -> None:
    pattern = re.compile(PATTERNS[what])
    lines_found = {
        line[:200]: page for page, said_there in page_lines.items() for line in said_there if pattern.search(line)
    }
    assert not lines_found, "\n".join(f"{page}: {line}" for line, page in list(lines_found.items())[:20])


def test_pages_are_read_whole(page_lines: dict[str, list[str]]) -> None:
    assert len(page_lines) > 100
    assert any(
        "The players who are left" in line or "goes to" in line for there in page_lines.values() for line in there
    )


@pytest.mark.parametrize(
    ("what", "sentence"),
    [
        ("an article for another sound", "what lies in an vault"),
        ("a name said twice", "having rolled rolled"),
        ("the number of an object", "Monster 11 comes into play."),
        ("the words of a program", "Let leaders be nobody."),
        ("a truth value as a value", "It is whether wanted's needs is now."),
        ("an answer that says nothing", "Player 2 chooses nothing."),
        ("what goes by the name of its place", "For every city, its ramparts is ramparts."),
        ("what becomes of itself", "The waiting become the waiting that are not the moving."),
        ("an outcome that says its own name", "What comes of it: won."),
        ("before and after as a program says them", "Player 1, place: 0 → 1."),
        ("a stand-in of the machine", "Players: 2 × the first alliance; one as it comes."),
        ("brackets that keep a reckoning together", "The average of ((one roll of 1d6, multiplied by 2) plus 9)"),
    ],
)
def test_what_was_said_once_would_be_found(what: str, sentence: str) -> None:
    assert re.search(PATTERNS[what], sentence)
