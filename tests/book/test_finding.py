"""Finding things in a book: other words for them, an index, and what stands behind a link."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from pathlib import Path

import pytest

from rulewright.book.rulebook import render_site
from rulewright.book.search.link_previews import LONGEST, shorten_text
from rulewright.book.search.search_index import list_synonyms
from rulewright.ruleset.load_ruleset import load_ruleset
from tests.book.garden import garden, steps, write_garden


def test_a_term_is_found_by_its_other_words_its_icon_and_the_names_of_other_editions(tmp_path: Path) -> None:
    ours = garden(tmp_path / "ours")
    renamed = steps().replace("bed: {name: Bed", "bed: {name: Plot, also: [Patch]")
    write_garden(tmp_path / "theirs", renamed)
    theirs = load_ruleset("garden/small", rules=[tmp_path / "theirs"])
    bed, plant = ours.declarations.terms["bed"], ours.declarations.terms["plant"]
    assert list_synonyms(bed, [theirs]) == ("Plot", "Patch", "🌱", "seedling")
    assert list_synonyms(plant, [theirs]) == ("Herb",)
    assert list_synonyms(replace(bed, icon="🗺️"), []) == ("🗺️", "world map")


def test_an_editions_own_word_is_no_synonym_of_itself(tmp_path: Path) -> None:
    ours = garden(tmp_path)
    assert list_synonyms(ours.declarations.terms["plant"], [ours]) == ("Herb",)


def index(folder: Path) -> str:
    return render_site(garden(folder))["index-of-the-book.md"]


def test_everything_is_in_the_index_once_and_in_order(tmp_path: Path) -> None:
    text = index(tmp_path)
    lines = [re.sub(r"<[^>]*>", "", line) for line in re.findall(r"<li>(.*?)</li>", text)]
    titles = [re.split(r" [A-Z]\.?\d*$|: see|, ", line)[0] for line in lines]
    assert {"Growing", "Selling", "Tending a Bed", "Weather", "Sizes", "Shade", "Bed", "Plant", "Bush"} <= set(titles)
    assert titles == sorted(titles, key=str.casefold)
    assert len(titles) == len(set(titles))
    assert "Herb: see Plant" in lines
    assert not any(line.startswith("Seedling") for line in lines), "what Unicode calls an icon is only searched for"


def test_every_place_in_the_index_is_there(tmp_path: Path) -> None:
    site = render_site(garden(tmp_path))
    for href in re.findall(r'href="([^"#]*)(#[^"]*)?"', site["index-of-the-book.md"]):
        file, fragment = href
        target = site[file or "index-of-the-book.md"]
        assert not fragment or f'id="{fragment[1:]}"' in target or f"{{ {fragment} }}" in target, href


def previews(folder: Path) -> dict[str, list[str]]:
    page = render_site(garden(folder))["growing.md"]
    match = re.search(r'<script type="application/json" class="rw-previews">(.*?)</script>', page)
    assert match
    data: dict[str, list[str]] = json.loads(match[1])
    return data


def test_every_preview_says_what_the_term_or_rule_says_of_itself(tmp_path: Path) -> None:
    shown_previews = previews(tmp_path)
    assert shown_previews["glossary#term-seed"] == ["Seed", "What a Plant grows from."]
    assert all(len(words) == 2 and all(words) and "{" not in "".join(words) for words in shown_previews.values())


def test_a_preview_is_there_for_links_of_the_page_alone(tmp_path: Path) -> None:
    page = render_site(garden(tmp_path))["growing.md"]
    for key in previews(tmp_path):
        file, _, fragment = key.partition("#")
        assert f'href="{file + ".md" if file else ""}#{fragment}"' in page


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ("Short.", "Short."),
        ("One sentence. " + "x" * LONGEST + ".", "One sentence."),
        ("word " * 100, ("word " * 44).strip() + " …"),
    ],
)
def test_a_long_text_ends_with_a_sentence_or_a_word(text: str, kept: str) -> None:
    assert shorten_text(text) == kept
    assert len(shorten_text(text)) <= LONGEST + 2
