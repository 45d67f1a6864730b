"""A book in another language: every page that is shown is in it as a whole, and leads to the same page in English."""

from __future__ import annotations

import json
import re
from html import unescape
from pathlib import Path

import pytest

from rulewright.base.resources import find_resource
from rulewright.book.site.languages import OtherBook, link_pages, list_other_books
from rulewright.book.site.markdown_export import export
from rulewright.book.site.menu import OVERVIEW, PAPER, PRINT
from rulewright.book.style.assets import list_script_messages
from rulewright.book.translated_book import render_translation
from rulewright.ruleset.editions.catalogue import Catalogue
from rulewright.ruleset.load_ruleset import load_ruleset
from rulewright.ruleset.prose.book_language import load_languages
from rulewright.ruleset.translation.source_texts import list_source_texts
from rulewright.ruleset.translation.translation import read_translations
from rulewright.ruleset.translation.translation_lint import lint_translations
from rulewright.source.diagnostics.collector import Diagnostics
from tests.book.garden import steps, write_garden

SHIPPED = "fuzzy-knights/normal@1.0"


@pytest.fixture(scope="module")
def book() -> OtherBook:
    """Return the German book of the edition that is shipped with one."""
    (books,) = list_other_books(load_ruleset(SHIPPED))
    return books


@pytest.fixture(scope="module")
def shipped(book: OtherBook) -> dict[str, str]:
    """Return its pages."""
    return dict(book.pages)


def test_the_shipped_book_has_what_it_promises(shipped: dict[str, str]) -> None:
    assert list(shipped) == [
        "index.md",
        "learn.md",
        "dice.md",
        "board_setup.md",
        "daybreak.md",
        "player_turns.md",
        "resources.md",
        "items.md",
        "mines.md",
        "monsters.md",
        "settlements.md",
        "battle.md",
        "alliance.md",
        "end_of_the_game.md",
        "play.md",
        "play.js",
        "examples.js",
        "tables-of-the-book.md",
        "faq.md",
        "settings.md",
        "rulings.md",
        "glossary.md",
        "cards.html",
        "board.html",
        "index-of-the-book.md",
        "aid.md",
        "short.html",
        "odds.md",
        "whole.html",
    ]
    diagnostics = Diagnostics()
    lint_translations(load_ruleset(SHIPPED), diagnostics)
    assert [each.message for each in diagnostics] == []


def test_the_front_page_leads_to_every_other(shipped: dict[str, str]) -> None:
    # The page *Play* loads the scripts.
    there = {path for path in shipped if not path.endswith(".js")}
    assert {path for path in there if f'href="{path}"' not in shipped["index.md"]} == {"index.md"}


def test_every_table_of_the_game_is_on_the_page_of_tables(shipped: dict[str, str]) -> None:
    declared = load_ruleset(SHIPPED).declarations.tables
    there = set(re.findall(r'id="table-([a-z_]+)"', shipped["tables-of-the-book.md"]))
    assert there == {name for name, table in declared.items() if not table.is_board}


# -- as a whole: words that are marked, whatever they say -------------------------------------


def marked(folder: Path) -> dict[str, str]:
    """Return a garden of which every text is said in Greek letters: what is left in Latin ones was not translated."""
    write_garden(folder, steps().replace("examples.fair]", "examples.fair, decks.shelf]"))
    ruleset = load_ruleset("garden/small", rules=[folder])
    tree: dict[str, object] = {}
    for path, text in list_source_texts(ruleset).items():
        node = tree
        for key in path[:-1]:
            node = node.setdefault(key, {})  # type: ignore[assignment]
        translation = re.sub(r"\{[^{}]*\}|[A-Za-z]+", lambda part: part[0] if part[0][0] == "{" else "λόγος", text)
        node[path[-1]] = [translation] if path[-1] in ("also", "aid") else translation
    words = folder / "garden" / "small" / "words"
    words.mkdir()
    (words / "de.yaml").write_text(json.dumps(tree), encoding="utf-8")  # which is YAML, too
    diagnostics = Diagnostics()
    (translations,) = read_translations(load_ruleset("garden/small", rules=[folder]), diagnostics)
    assert not diagnostics.errors
    return render_translation(translations)


_UNSEEN = re.compile(r"<(script|style|svg)\b.*?</\1>|<title>.*?</title>|<!--.*?-->|<!doctype[^>]*>", re.DOTALL)
_ENGLISH = re.compile(r'<a [^>]*lang="en"[^>]*>.*?</a>|<code>.*?</code>|rules\.json', re.DOTALL)
_SAID = re.compile(r'(?:title|aria-label|data-label|content)="([^"]*)"')


def test_whatever_is_shown_is_said_in_the_language(tmp_path: Path) -> None:
    pages = marked(tmp_path)
    assert {"index.md", "growing.md", "settings.md", "glossary.md", "tables-of-the-book.md", "cards.html"} < set(pages)
    assert {"aid.md", "odds.md", "index-of-the-book.md", "whole.html"} < set(pages)
    ours = set(re.findall(r"[A-Za-zÄÖÜäöüß]+", " ".join((load_languages()["de"].messages or {}).values())))
    for path, text in pages.items():
        body = _ENGLISH.sub(" ", _UNSEEN.sub(" ", text.split("\n---\n", 1)[-1]))
        seen = re.sub(r"\{ #[^}]*\}", " ", re.sub(r"<[^>]*>", " ", body)) + " ".join(_SAID.findall(body))
        latin = set(re.findall(r"[A-Za-zÄÖÜäöüß]{3,}", unescape(seen))) - ours
        assert latin <= {"width", "device", "initial", "scale", "noindex"} | _policy(text), (path, latin)


def _policy(text: str) -> set[str]:
    return set(re.findall(r"[a-z]{3,}", "".join(re.findall(r'Content-Security-Policy" content="([^"]*)"', text))))


def test_a_page_with_one_text_that_is_missing_is_left_out(tmp_path: Path) -> None:
    marked(tmp_path)
    words = tmp_path / "garden" / "small" / "words" / "de.yaml"
    tree = json.loads(words.read_text(encoding="utf-8"))
    del tree["pages"]["growing"]["sections"]["tending"]["notes"]["thirst"]
    words.write_text(json.dumps(tree), encoding="utf-8")
    (translations,) = read_translations(load_ruleset("garden/small", rules=[tmp_path]), Diagnostics())
    pages = render_translation(translations)
    assert "growing.md" not in pages
    assert 'href="../growing.html" hreflang="en"' in pages["index.md"]


def test_the_front_page_of_all_books_and_other_generators_have_it_too(tmp_path: Path) -> None:
    pages = marked(tmp_path / "rules")
    export(Catalogue([tmp_path / "rules"]), tmp_path / "exported")
    docs = tmp_path / "exported" / "docs"
    (book,) = (path.parent for path in docs.glob("*/de"))
    assert {path.relative_to(book / "de").as_posix() for path in (book / "de").rglob("*.*")} == set(pages)
    front = (docs / "index.md").read_text(encoding="utf-8")
    assert f'<a href="{book.name}/de/index.html" hreflang="de" lang="de">Deutsch</a>' in front
    menu = (tmp_path / "exported" / "SUMMARY.md").read_text(encoding="utf-8")
    listed = [path for path in re.findall(r"\(<docs/([^>]*)>\)", menu) if path.startswith(f"{book.name}/de/")]
    assert {path.removeprefix(f"{book.name}/de/") for path in listed} == set(pages)
    assert "  - Deutsch\n" in menu


# -- the book's own words ---------------------------------------------------------------------

_TEMPLATE = re.compile(r'\b_\("((?:[^"\\]|\\.)*)"')
_PYTHON = re.compile(r'\.(?:said|found)\(\s*"((?:[^"\\]|\\.)*)"')
_BUILT = re.compile(r'\.build\(\s*"([^"]*)"|(?<!"")"([^"]*%\(\w+\)s[^"]*)"')
"""The sentences of the log: what `build` is given, and the messages in tables for it."""


def spoken() -> set[str]:
    """Return everything that templates, scripts and pages ask for by its English."""
    members = set(list_script_messages())
    for folder, pattern in (("docs_templates", "*.j2"), ("site", "overrides/**/*.html")):
        for path in find_resource(folder).glob("**/" + pattern if folder == "docs_templates" else pattern):
            members |= set(_TEMPLATE.findall(path.read_text(encoding="utf-8")))
    engine = Path(__file__).parents[2] / "engine" / "rulewright"
    for path in (engine / "book").rglob("*.py"):
        members |= set(_PYTHON.findall(path.read_text(encoding="utf-8")))
    for path in (engine / "engine" / "narration").glob("*.py"):
        members |= {one or other for one, other in _BUILT.findall(path.read_text(encoding="utf-8"))}
    return members


@pytest.mark.parametrize("tag", [tag for tag in load_languages() if tag != "en"])
def test_a_language_says_whatever_the_book_asks_for(tag: str) -> None:
    messages = load_languages()[tag].messages or {}
    missing = spoken() - set(messages) - {"This page in English"}
    assert not missing
    for message, translation in messages.items():
        # Other languages may have the names of things in another order.
        named = r"%\(\w+\)s|%%"
        assert sorted(re.findall(named, translation)) == sorted(re.findall(named, message)), message


@pytest.mark.parametrize("tag", [tag for tag in load_languages() if tag != "en"])
def test_a_language_says_nothing_that_nobody_asks_for(tag: str) -> None:
    texts = [path.read_text(encoding="utf-8") for path in (Path(__file__).parents[2] / "engine").rglob("*.py")]
    everything = " ".join([*texts, *spoken()])
    assert [message for message in load_languages()[tag].messages or {} if message not in everything] == []
    assert {OVERVIEW, PRINT, *PAPER.values()} & set(load_languages()[tag].messages or {})


# -- from one language to the other ------------------------------------------------------------


def test_pages_lead_to_themselves_in_the_other_language(book: OtherBook) -> None:
    english = {
        "learn.md": "---\ntitle: L\n---\nx",
        "plays.md": "---\ntitle: B\n---\nx",
        "cards.html": "<title>C</title>",
    }
    linked_pages = link_pages(english, [book], "https://example.org/b/")
    assert linked_pages["plays.md"] == english["plays.md"]
    assert '["de", "https://example.org/b/de/learn.html"]' in linked_pages["learn.md"]
    assert '["de", "de/learn.html", "Diese Seite auf Deutsch"]' in linked_pages["learn.md"]
    assert (
        '<link rel="alternate" hreflang="de" href="https://example.org/b/de/cards.html">' in linked_pages["cards.html"]
    )


def test_what_is_told_in_english_alone_is_said_to_be(tmp_path: Path) -> None:
    growing = marked(tmp_path)["growing.md"]
    # The garden's German has no nouns for the steps of its procedures, so its book leads to the English ones.
    assert re.search(r'Auf Englisch: <a href="\.\./growing\.html#[\w-]+" hreflang="en" lang="en">', growing)


def test_a_book_that_lacks_nothing_leads_to_no_page_in_english(shipped: dict[str, str]) -> None:
    assert '<a class="rw-rule" href="battle.md">Kampf</a>' in shipped["learn.md"]
    pages = {path: text for path, text in shipped.items() if path.endswith(".md")}
    assert {path for path, text in pages.items() if 'lang="en"' in text} == set()


def test_german_is_set_as_germans_set_it(shipped: dict[str, str]) -> None:
    assert "17,5" in shipped["dice.md"]
    assert "„" in shipped["learn.md"]
    assert "Würfel: 7 d6 und 1 dP, genug" in shipped["learn.md"]
    assert "im Schnitt" in shipped["tables-of-the-book.md"]
