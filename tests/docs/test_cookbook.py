"""Every recipe of the cookbook is sound, ends, shows in the book, and prints what its page says it prints."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path
from types import SimpleNamespace

import pytest

from rulewright import Ruleset
from rulewright.analysis.simulation.run_simulation import simulate
from rulewright.book.pages.page import PageWriter
from rulewright.book.parts.odds_charts import Rolls
from rulewright.book.print.short_edition import render_short_page
from rulewright.book.style.assets import build_drawings
from rulewright.book.style.rule_locations import SHORT, find_places, list_book_pages, number_rulings
from rulewright.cli.main import main
from rulewright.ruleset import load_ruleset
from rulewright.ruleset.editions.catalogue import Catalogue
from rulewright.ruleset.editions.edition import Edition
from rulewright.ruleset.editions.search_path import search_path
from rulewright.ruleset.load_ruleset import load_edition
from tests.breadth import some, times
from tests.docs.test_plain_markdown import load_hook
from tests.snippets import Snippet, compare, snippets

ROOT = Path(__file__).resolve().parents[2]
COOKBOOK = ROOT / "site" / "docs" / "cookbook"
RECIPES = sorted(path.parent.name for path in COOKBOOK.glob("*/index.md"))
GAMES = times(1, 2)
LONG = {"siege-from-twelve": 1}  # one game of the medium edition takes as long as ten of the others
PLAYED = some(RECIPES, ["gems", "market-day", "mine-baron", "river", "shorter-game", "shrine", "table-pig"])
"""Which change how a game goes on. Where only figures or words are other ones, it ends as that below it does."""
SHOWN = some(RECIPES, ["boots", "goblins", "shrine", "retreat-setting"])
"""Whose book is made: rows, a word, a kind, steps and a setting differ there. Other recipes change the same."""
TYPED = some(
    RECIPES,
    [name for name in RECIPES if "extends: fuzzy-knights" not in (COOKBOOK / name / "ruleset.yaml").read_text("utf-8")]
    + ["boots", "gems", "goblins", "mine-baron", "retreat-setting", "shrine", "volunteers"],
)
"""Whose commands are run. Of the many over the largest game, each of which takes seconds to check: rows and columns of
tables, a resource, a kind, steps, a setting, and a secret choice."""
LOAD_RULESET = load_ruleset.load_ruleset


@cache
def catalogue() -> Catalogue:
    """Return the recipes and the shipped rules."""
    return Catalogue(search_path([COOKBOOK]))


def edition(recipe: str) -> Edition:
    """Return a recipe's edition."""
    editions = [each for each in catalogue().list_editions() if each.ruleset == f"cookbook/{recipe}"]
    assert len(editions) == 1, f"cookbook/{recipe} is there {len(editions)} times"
    return editions[0]


@cache
def loaded(recipe: str) -> Ruleset:
    """Return a recipe, loaded once for all tests of it."""
    ruleset, diagnostics = load_edition(catalogue(), edition(recipe))
    diagnostics.raise_if_errors()
    assert ruleset is not None
    return ruleset


@cache
def book(reference: str) -> str:
    """Return the rules in short of an edition that a recipe extends."""
    return rules_in_short(load_cached(reference))


def rules_in_short(ruleset: Ruleset) -> str:
    """Return what the book says of the rules, without examples, samples and all that takes long to make."""
    pages = list_book_pages(ruleset)
    places = find_places(ruleset, pages)
    writer = PageWriter(ruleset, SHORT, places, build_drawings(ruleset), number_rulings(ruleset), None, Rolls(), None)
    return render_short_page(writer, pages)


def commands(recipe: str) -> Iterator[Snippet]:
    """Return the commands its page shows."""
    return (snippet for snippet in snippets(COOKBOOK / recipe / "index.md") if snippet.mark)


@pytest.fixture(autouse=True)
def load_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Most commands load a ruleset that another one has loaded."""
    monkeypatch.setattr(load_ruleset, "load_ruleset", load_cached)


@cache
def _load(reference: str, rules: tuple[str | Path, ...]) -> Ruleset:
    return LOAD_RULESET(reference, rules=rules)


def load_cached(reference: str, *, rules: Sequence[str | Path] = ()) -> Ruleset:
    """Return `load_ruleset`, which is asked once for each ruleset."""
    return _load(reference, tuple(rules))


@pytest.mark.parametrize("recipe", RECIPES)
def test_its_page_says_that_it_is_sound(recipe: str) -> None:
    """That `check` prints just this, the last test of this file makes sure of."""
    checks = [snippet for snippet in commands(recipe) if snippet.text.startswith("rulewright check")]
    outputs = [snippet.output for snippet in checks if " --play" not in snippet.text]
    assert len(outputs) == 1
    assert outputs[0] is not None
    assert outputs[0].startswith(f"✓ cookbook/{recipe}@1.0.0: valid")
    assert outputs[0].count("\n") == 1
    assert "warning" not in outputs[0]


def test_every_recipe_is_in_the_table_and_in_the_menu_under_one_name() -> None:
    hook = load_hook()
    menu = SimpleNamespace(nav=[{"Cookbook": ["cookbook/index.md"]}])
    hook.on_config(menu)
    first, *groups = menu.nav[0]["Cookbook"]
    listed = [path for group in groups for pages in group.values() for path in pages]
    assert first == "cookbook/index.md"
    assert sorted(listed) == sorted(f"cookbook/{recipe}/index.md" for recipe in RECIPES)
    written = (COOKBOOK / "index.md").read_text(encoding="utf-8")
    table = hook.on_page_markdown(written, page=None, config=None, files=None)
    rows = re.findall(r"^\| \[([^]]+)\]\(([^)]+)\) \| [^|]+ \| [^|]* \|$", table, re.MULTILINE)
    assert [f"cookbook/{path}" for _, path in rows] == listed
    for title, path in rows:
        assert f"\n# {title}\n" in (COOKBOOK / path).read_text(encoding="utf-8")
    by_step = dict(re.findall(r"^\| \[`(\w+)`\][^|]+\| ([^|]+) \|$", table, re.MULTILINE))
    assert "(kept-dice/index.md)" in by_step["roll"]
    assert "(shorter-game/index.md)" not in "".join(by_step.values())


@pytest.mark.parametrize("recipe", PLAYED)
def test_random_games_end(recipe: str) -> None:
    games = LONG.get(recipe, GAMES)
    assert simulate(loaded(recipe), games=games, seed=9).games == games


@pytest.mark.parametrize("recipe", SHOWN)
def test_the_book_shows_the_change(recipe: str) -> None:
    assert rules_in_short(loaded(recipe)) != book(str(edition(recipe).extends))


@pytest.mark.parametrize("recipe", RECIPES)
def test_its_page_shows_check_and_diff(recipe: str) -> None:
    text = "".join(snippet.text for snippet in commands(recipe))
    assert f"rulewright check cookbook/{recipe}" in text
    if "extends:" in (COOKBOOK / recipe / "ruleset.yaml").read_text(encoding="utf-8"):
        assert f" cookbook/{recipe} --gameplay" in text


@pytest.mark.parametrize(
    "snippet",
    [snippet for recipe in TYPED for snippet in commands(recipe)],
    ids=lambda snippet: snippet.first,
)
def test_a_command_prints_what_the_page_shows(
    snippet: Snippet, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """In this process, because a start of the program takes longer than most of these commands."""
    program, *arguments = shlex.split(snippet.text)
    assert program == "rulewright"
    monkeypatch.chdir(ROOT)
    assert main(arguments) == (snippet.mark == "fails")
    printed = capsys.readouterr()
    compare(snippet, printed.out + printed.err)
