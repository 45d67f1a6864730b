"""Sentences stay what they are whatever the things in them are called: no name is taken for words of ours."""

from __future__ import annotations

import json
import re
from collections import Counter
from functools import cache
from html.parser import HTMLParser
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

import pytest
from markdown import markdown

from rulewright.book.english.expression_english import English
from rulewright.book.english.naming import NameWords
from rulewright.book.print.whole_book import EXTENSIONS
from rulewright.book.rulebook import render_site
from rulewright.book.style.text_style import HtmlStyle, Style
from rulewright.ruleset.load_ruleset import load_ruleset
from rulewright.ruleset.ruleset import Ruleset
from tests.book.hostile.game import write
from tests.book.reading.draw import Draw
from tests.book.reading.orchard import MANIFEST, RULES
from tests.book.test_read_back import typed
from tests.hostile_names import written

NAMES = (
    "The the, its: Do this: Q",
    "That are; that have whose what Q",
    "Whose \"it\" is 'so' → Q",
    "What `tick` <b>is</b> & &amp; Q",
    "Quad *star* _under_ **x** [x](y) Q",
    "Qu {brace} }} {{bed}} {self} Q",
    "Q a | b \\ c / d Q",
    "Leaf 🌱 👩‍🌾 שלום العربية Q",
    "7 -3 Plums. Otherwise: 1. Q",
    "🎲 2d6 comes to 5: low. Q",
)
"""Each ends as no other word does, and begins as `Zquv` does: neither takes `an`."""
NAMED = {
    "terms.*.name": ("Bed", "Seed"),
    "terms.*.plural": ("Water",),
    "tables.*.title": ("Tools", "Sizes"),
    "tables.*.rows.*.title": ("A spade", "Pouring rain"),
    "procedures.*.title": ("A whole game", "Tending a {bed}"),
    "options.*.title": ("Shade",),
    "options.*.choices.*": ("Full shade",),
}


class Reader(HTMLParser):
    """The text of a page, without what is in its head and its scripts."""

    def __init__(self) -> None:
        super().__init__()
        self.said: list[str] = []
        self.inside: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag in ("script", "style", "head"):
            self.inside.append(tag)
        elif tag not in ("b", "a", "strong", "em", "var", "span", "code", "use", "svg", "sup", "i"):
            self.said.append(" ")

    def handle_endtag(self, tag: str) -> None:
        if self.inside and self.inside[-1] == tag:
            self.inside.pop()

    def handle_data(self, data: str) -> None:
        if not self.inside:
            self.said.append(data)


def text_of(path: str, page: str) -> str:
    body = re.sub(r"\A---\n.*?\n---\n", "", page, flags=re.DOTALL)
    reader = Reader()
    reader.feed(markdown(body, extensions=list(EXTENSIONS)) if path.endswith(".md") else body)
    return " ".join("".join(reader.said).split())


def pages(folder: Path, name: str) -> dict[str, str]:
    """Return every page as text, where many things have this name."""

    def change(field: str, text: str) -> str:
        if text in NAMED.get(field, ()):
            return name if field.startswith("terms.") else written(name)
        return text

    site = render_site(load_ruleset("garden/small", rules=[write(folder, change)]))
    return {path: text_of(path, page) for path, page in site.items() if path.endswith((".md", ".html"))}


ALPHABETICAL = ("glossary.md", "index-of-the-book.md", "whole.html")
"""Pages on which names stand in the order of the alphabet."""


@cache
def plain(words: int) -> dict[str, str]:
    """Return every page, with a zero where a name of so many words stands."""
    name = " ".join(["Zquv"] * words)
    with TemporaryDirectory() as folder:
        return {path: text.replace(name, "\0") for path, text in pages(Path(folder), name).items()}


@pytest.mark.parametrize("name", NAMES)
def test_pages_are_the_same_but_for_the_name(name: str, tmp_path: Path) -> None:
    actual, expected = pages(tmp_path, name), plain(len(name.split()))
    assert actual.keys() == expected.keys()
    for path, text in actual.items():
        required = expected[path].replace("\0", name)
        if path in ALPHABETICAL:
            # But for the letters under which names stand.
            assert Counter(filter(_is_word, text.split())) == Counter(filter(_is_word, required.split())), path
        else:
            assert text == required, path


def _is_word(text: str) -> bool:
    return len(text) > 1 and not re.fullmatch("[A-Z0-9]{7,}", text)


PHRASES = (
    "its branch",
    "it is due",
    "it has one",
    "that are red",
    "that have one",
    "whose coat",
    "what lies due",
    "nobody",
    "none",
    "-7",
    "fine, whole; or: not",
    "<b>Bold</b> R&D &amp; x",
    "x “y” (z",
    "{bed} }} {given.tree}",
    "🌱 leaf שלום",
    "Do this:",
)
"""None takes `an` but those that begin with `it`, and none ends in `s`."""


def orchard(folder: Path, name: str) -> Ruleset:
    """Return the orchard with this name for a term, a row, a choice, fields, a formula and names of a procedure."""
    words, word = json.dumps(written(name), ensure_ascii=False), json.dumps(name, ensure_ascii=False)
    many = json.dumps(f"{name}z", ensure_ascii=False)
    rules = RULES.replace("STEPS", "[{id: idle, set: {season: season}}]")
    for before, after in (
        ("tree: {name: Tree,", f"tree: {{name: {word}, plural: {many},"),
        ("shade: 5}", f"shade: 5, title: {words}}}"),
        ("calm: Calm,", f"calm: {words},"),
        ("fruit: int", f"fruit: {{type: int, wording: {words}}}"),
        ("ripe: bool", f"ripe: {{type: bool, wording: {words}}}"),
        ("gardener: optional player", f"gardener: {{type: optional player, wording: {words}}}"),
        ("if_true: the wind blows", f"if_true: {words}"),
        ("is: of.coin + of.water}", f"is: of.coin + of.water, wording: {words}}}"),
        ("  walk:\n", f"  walk:\n    names: {{oak: {words}, guest: {words}}}\n"),
    ):
        assert before in rules
        rules = rules.replace(before, after)
    home = folder / "orchard" / "small"
    home.mkdir(parents=True)
    (home / "ruleset.yaml").write_text(MANIFEST, encoding="utf-8")
    (home / "orchard.yaml").write_text(rules, encoding="utf-8")
    return load_ruleset("orchard/small", rules=[folder])


@cache
def sentences(name: str) -> tuple[tuple[str, str], ...]:
    """Return what expressions say in plain text and as the text of HTML."""
    with TemporaryDirectory() as folder:
        ruleset = orchard(Path(folder), name)
    draw = Draw(Random(1))
    nodes = [typed(draw.any(1 + place % 3), ruleset) for place in range(EXPRESSIONS)]
    called = NameWords.in_procedure(ruleset.procedures["walk"])
    styles = Style(ruleset), HtmlStyle(ruleset, lambda path: f"page.html#{path}")
    plain, html = ([English(style, called).value(node) for node in nodes if node is not None] for style in styles)
    return tuple(zip(plain, (text_of("", each) for each in html), strict=True))


EXPRESSIONS = 400


@pytest.mark.parametrize("name", PHRASES)
def test_sentences_of_expressions_are_the_same_but_for_the_name(name: str) -> None:
    other = " ".join(["Zquv"] * len(name.split()))
    actual, expected = sentences(name), sentences(other)
    assert len(actual) > EXPRESSIONS / 2
    for sentence, required in zip(actual, expected, strict=True):
        assert _no_an(sentence) == _no_an(tuple(each.replace(other, name) for each in required))


def _no_an(texts: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(each.replace(" an it", " a it") for each in texts)
