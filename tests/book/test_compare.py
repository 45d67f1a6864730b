"""The pages that compare editions, the marks beside rules, and the page of what is new."""

from __future__ import annotations

import re
from html import unescape
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from rulewright.book.changes.edition_history import Comparisons, build_address
from rulewright.book.pages.comparison_pages import mark_differences
from rulewright.book.site.publish import build_site, load_all, render_chooser_page
from rulewright.ruleset.editions.catalogue import Catalogue
from rulewright.source.diagnostics.collector import DiagnosticError
from tests.book.garden import MANIFEST, steps, write_garden
from tests.site.crawl import faults
from tests.spelt_out import spelt_out

if TYPE_CHECKING:
    from playwright.sync_api import Browser

FIRST, SECOND, OTHER = "small-1.0", "small-1.1", "wild-1.0"


def manifest(ruleset: str, version: str, more: str = "") -> str:
    text = MANIFEST.replace("garden/small", ruleset).replace("1.0.0", version)
    return text.replace("A Small Garden", f"{ruleset.partition('/')[2].title()} Garden") + more


def write_editions(folder: Path) -> Path:
    """Three editions: a second version with another figure, table and no terms' change; a third one that follows it."""
    changed = steps("- {id: sow, pay: {who: player, seed: 1}}")
    changed = (
        changed.replace("harvest: {is: 3", "harvest: {is: 4").replace("on: 1-3", "on: 1-2").replace("on: 4", "on: 3-4")
    )
    wild = changed.replace("  catalogue: {title: Catalogue, of: sizes}\n", "").replace("name: Bed", "name: Patch")
    write_garden(folder / "first", steps(), manifest("garden/small", "1.0.0"))
    write_garden(folder / "second", changed, manifest("garden/small", "1.1.0"))
    write_garden(folder / "third", wild, manifest("garden/wild", "1.0.0", "follows: garden/small@1.1\n"))
    return folder


def catalogue(folder: Path) -> Catalogue:
    return Catalogue([folder / name for name in ("first", "second", "third")])


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("compare")
    build_site(catalogue(write_editions(folder / "rules")), folder / "site")
    return folder / "site"


def text_of(path: Path) -> str:
    """Return what a page says, without its markup."""
    html = path.read_text(encoding="utf-8")
    return re.sub(r"\s+", " ", unescape(re.sub(r"<[^>]+>", " ", html[html.index("<article") :])))


def test_editions_follow_each_other_by_version_or_as_they_say(tmp_path: Path) -> None:
    comparisons = Comparisons(load_all(catalogue(write_editions(tmp_path))))
    by_folder = {item.folder: item for item in comparisons.published}
    before = {folder: comparisons.find_previous(item) for folder, item in by_folder.items()}
    assert {folder: item and item.folder for folder, item in before.items()} == {
        FIRST: None,
        SECOND: FIRST,
        OTHER: SECOND,
    }
    assert [item.folder for item in comparisons.list_game(by_folder[OTHER])] == [FIRST, SECOND, OTHER]


def test_games_that_only_share_a_shelf_are_not_compared(tmp_path: Path) -> None:
    write_editions(tmp_path)
    write_garden(tmp_path / "fourth", steps(), manifest("garden/alone", "1.0.0"))
    comparisons = Comparisons(load_all(Catalogue([tmp_path / name for name in ("first", "second", "third", "fourth")])))
    games = {item.folder: {other.folder for other in comparisons.list_game(item)} for item in comparisons.published}
    alone = games.pop("garden-alone-1.0", None) or games.pop("alone-1.0")
    assert len(alone) == 1
    assert all(game == {FIRST, SECOND, OTHER} for game in games.values())
    cards = re.findall(r'<li><a href="([^"]+)/index.html">(.*?)</a>', render_chooser_page(comparisons))
    versions = {folder: "Version " in card for folder, card in cards if "rw-card__title" in card}
    assert versions == {folder: folder in (FIRST, SECOND, OTHER) for folder in versions}
    assert len(versions) == 4


def test_editions_that_follow_each_other_in_a_circle_are_still_in_an_order(tmp_path: Path) -> None:
    write_garden(tmp_path / "first", steps(), manifest("garden/small", "1.0.0", "follows: garden/wild\n"))
    write_garden(tmp_path / "second", steps(), manifest("garden/wild", "1.0.0", "follows: garden/small\n"))
    comparisons = Comparisons(load_all(Catalogue([tmp_path / "first", tmp_path / "second"])))
    first = comparisons.published[0]
    assert sorted(item.folder for item in comparisons.list_game(first)) == [FIRST, OTHER]
    pairs = sorted((before.folder, after.folder) for before, after in comparisons.iterate_pairs())
    assert pairs == [(FIRST, OTHER), (OTHER, FIRST)]  # the marks of both books link to one
    assert comparisons.list_pairs(first) == list(comparisons.iterate_pairs())


def test_an_edition_that_follows_nothing_there_is_a_fault_in_its_manifest(tmp_path: Path) -> None:
    write_garden(tmp_path, steps(), manifest("garden/small", "1.0.0", "follows: garden/smal\n"))
    with pytest.raises(DiagnosticError, match=r"no ruleset `garden/smal`(.|\n)*ruleset\.yaml:\d+:10"):
        load_all(Catalogue([tmp_path]))


def test_any_two_editions_have_one_page_that_both_books_link_to(site: Path) -> None:
    pairs = [f"{FIRST}..{SECOND}", f"{FIRST}..{OTHER}", f"{SECOND}..{OTHER}"]
    assert sorted(path.parent.name for path in site.glob("compare/*/index.html")) == sorted(pairs)
    for book in (FIRST, SECOND, OTHER):
        front = spelt_out(site / book / "index.html")
        linked = re.findall(r'href="../compare/([^/]+)/index.html"', front[front.index("Compare with") :])
        assert linked == [pair for pair in pairs if book in pair.split("..")]
    assert faults(site) == []


def test_an_edition_that_follows_another_game_is_compared_with_it(tmp_path: Path) -> None:
    write_garden(tmp_path / "rules" / "first", steps(), manifest("garden/small", "1.0.0"))
    for name, version, follows in (("second", "1.0.0", "follows: garden/small@1.0\n"), ("third", "1.1.0", "")):
        folder = tmp_path / "rules" / name
        folder.mkdir()
        more = f"extends: garden/small@1.0\n{follows}"
        head = f"ruleset: house/patch\nversion: {version}\ntitle: Patch\nstatus: draft\n"
        (folder / "ruleset.yaml").write_text(head + more)
        anew = '"Mind your {bed}. Nobody eats the {seed.plural}."'
        text = "" if follows else f"pages: {{growing: {{sections: {{tending: {{text: {anew}}}}}}}}}\n"
        (folder / "rules.yaml").write_text(f"numbers: {{harvest: {{is: 4}}}}\n{text}")
    build_site(Catalogue([tmp_path / "rules"]), tmp_path / "site")
    pairs = ["garden-small-1.0..house-patch-1.0", "house-patch-1.0..house-patch-1.1"]
    assert sorted(path.parent.name for path in tmp_path.glob("site/compare/*/index.html")) == pairs
    assert f"../compare/{pairs[0]}/index.html" in spelt_out(tmp_path / "site" / "house-patch-1.0" / "new.html")
    assert f"compare/{pairs[0]}/index.html" in spelt_out(tmp_path / "site" / "index.html")
    sentence = text_of(tmp_path / "site" / "house-patch-1.1" / "new.html")
    assert "“Tending a Bed”: Nobody eats the Seeds. Before and now" in sentence
    assert "Mind your" not in sentence
    assert faults(tmp_path / "site") == []


def test_a_page_has_a_group_for_each_section_with_its_count(site: Path) -> None:
    html = spelt_out(site / f"compare/{FIRST}..{SECOND}/index.html")
    jumps = re.findall(r'<a href="#in-(\w+)">[^<]*</a> <span class="rw-count">(\d+)</span>', html)
    assert jumps == [("procedures", "1"), ("numbers", "1"), ("tables", "1")]
    assert len(re.findall(r'<article class="rw-change', html)) == 3
    text = text_of(site / f"compare/{FIRST}..{SECOND}/index.html")
    assert "4 instead of 3." in text
    assert "Dry: on 1 to 2 instead of on 1 to 3: 75 % → 50 %." in text


def test_a_rule_is_marked_and_leads_to_what_changed(site: Path) -> None:
    html = spelt_out(site / SECOND / "growing.html")
    table = html[html.index('id="table-weather"') :]
    mark = table[table.index('<details class="rw-history') : table.index("</details>")]
    assert ">Changed<" in mark
    assert f'href="../compare/{FIRST}..{SECOND}/index.html#tables-weather"' in mark
    assert f'href="../{FIRST}/growing.html#table-weather"' in mark
    sizes = html[html.index('id="table-sizes"') :]
    assert ">Changed<" not in sizes[: sizes.index("</details>")]
    assert ">Changed<" not in spelt_out(site / FIRST / "growing.html")


def test_a_rule_that_another_edition_has_not_is_absent_there(tmp_path: Path) -> None:
    folder = write_editions(tmp_path / "rules")
    file = folder / "first" / "garden" / "small" / "garden.yaml"
    text = file.read_text(encoding="utf-8").replace("    title: Shade\n", "    title: Shade\n", 1)
    file.write_text(
        text.replace("tables.sizes, procedures.tend", "tables.sizes, decks.catalogue, procedures.tend"), "utf-8"
    )
    build_site(catalogue(folder), tmp_path / "site")
    html = spelt_out(tmp_path / "site" / FIRST / "growing.html")
    deck = html[html.index('id="deck-catalogue"') :]
    assert "Wild Garden: absent there" in deck[: deck.index("</details>")]
    assert f'href="../compare/{SECOND}..{OTHER}/index.html#decks-catalogue">gone</a>' in deck


def test_what_is_new_lists_what_is_played_differently_and_nothing_else(site: Path) -> None:
    assert not (site / FIRST / "new.html").exists()
    text = text_of(site / SECOND / "new.html")
    assert "than in Small Garden 1.0.0." in text
    assert all(words in text for words in ("Harvest changed", "Weather changed", "4 instead of 3."))
    wild = text_of(site / OTHER / "new.html")
    assert "Catalogue gone" in wild
    assert "Patch" not in wild[: wild.index("Catalogue gone")]


def test_the_whole_book_says_what_is_new_and_nothing_for_designers(site: Path) -> None:
    whole = (site / SECOND / "whole.html").read_text(encoding="utf-8")
    assert "4 instead of 3." in whole
    assert "For designers" not in whole
    assert "What is new" not in (site / FIRST / "whole.html").read_text(encoding="utf-8")


def test_the_books_and_the_front_page_lead_to_the_comparisons(site: Path) -> None:
    assert f'href="../compare/{FIRST}..{SECOND}/index.html"' in spelt_out(site / SECOND / "index.html")
    front = spelt_out(site / "index.html")
    front = front[front.index("rw-pairs") :]
    front = front[: front.index("</details>")]
    assert re.findall(r'href="compare/([^/]+)/', front) == [
        f"{FIRST}..{SECOND}",
        f"{FIRST}..{OTHER}",
        f"{SECOND}..{OTHER}",
    ]


def test_two_builds_of_several_editions_are_the_same(site: Path, tmp_path: Path) -> None:
    build_site(catalogue(write_editions(tmp_path / "rules")), tmp_path / "again")
    for path in site.rglob("*.html"):
        assert path.read_bytes() == (tmp_path / "again" / path.relative_to(site)).read_bytes(), path


def test_words_that_stayed_are_not_marked() -> None:
    before = "Take one card & put it back on the pile when you have read it."
    after = "Take two cards & put both back on the pile when you have read them."
    marked = mark_differences(before, after)
    plain = {name: unescape(re.sub(r"</?(del|ins)>", "", getattr(marked, name))) for name in ("before", "after")}
    assert plain == {"before": before, "after": after}
    assert re.findall(r"<del>(.*?)</del>", marked.before) == ["one card", "it", "it."]
    assert re.findall(r"<ins>(.*?)</ins>", marked.after) == ["two cards", "both", "them."]
    assert unescape(re.sub(r"<ins>.*?</ins>", "", marked.both)).count("<del>") == 3


@pytest.mark.browser
def test_a_reader_chooses_what_to_see(browser: Browser, site: Path) -> None:
    page = browser.new_page()
    page.goto((site / f"compare/{FIRST}..{OTHER}/index.html").as_uri())
    words, played = page.locator("#terms-bed"), page.locator("#numbers-harvest")
    sentence = page.get_by_text("4 instead of 3.", exact=True)
    assert words.is_visible()
    assert not sentence.is_visible()
    page.get_by_label("in sentences").check()
    assert sentence.is_visible()
    page.get_by_label("only what changes the game").check()
    assert played.is_visible()
    assert not words.is_visible()
    page.goto((site / f"compare/{FIRST}..{OTHER}/index.html").as_uri() + "#terms-bed")
    assert words.is_visible()
    page.close()


@pytest.mark.browser
def test_without_scripts_everything_is_shown(browser: Browser, site: Path) -> None:
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto((site / f"compare/{FIRST}..{OTHER}/index.html").as_uri())
    assert all(article.is_visible() for article in page.locator("article.rw-change").all())
    assert not page.locator(".rw-views").is_visible()
    context.close()


def test_the_address_of_a_comparison_names_both(tmp_path: Path) -> None:
    first, second, *_ = load_all(catalogue(write_editions(tmp_path)))
    assert build_address(first, second) == f"compare/{first.folder}..{second.folder}"
