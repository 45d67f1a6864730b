"""The documentation builds without a warning, every link of it leads somewhere, and it works from disk."""

from __future__ import annotations

import html
import json
import re
import subprocess
import sys
from pathlib import Path
from typing import Literal

import pytest
from playwright.sync_api import Page, expect

from rulewright.analysis.fairness.skill_scale import load_scale
from tests.site.crawl import faults
from tests.site.test_axe import violations

ROOT = Path(__file__).resolve().parents[2]
WIDE = ("explanation/speed.html", "integrate/train.html", "tutorials/optimal-pig.html")
"""Pages with a wide table, or with long lines of code."""


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("docs") / "site"
    build_docs(ROOT, folder)
    return folder


def build_docs(root: Path, into: Path) -> None:
    """Build the documentation in a folder with the options of `make docs`."""
    line = re.search(r"mkdocs (build .*--config-file site/docs\.yml)$", (ROOT / "Makefile").read_text("utf-8"), re.M)
    assert line is not None
    command = [sys.executable, "-m", "mkdocs", *line[1].split(), "--site-dir", str(into)]
    subprocess.run(command, cwd=root, check=True, stderr=subprocess.PIPE, text=True)


def test_a_broken_link_stops_the_build(tmp_path: Path) -> None:
    (tmp_path / "site" / "docs").mkdir(parents=True)
    (tmp_path / "site" / "docs.yml").write_text("site_name: Broken\n", encoding="utf-8")
    (tmp_path / "site" / "docs" / "index.md").write_text("[Nowhere](nowhere.md)\n", encoding="utf-8")
    with pytest.raises(subprocess.CalledProcessError) as failed:
        build_docs(tmp_path, tmp_path / "built")
    assert "'nowhere.md'" in failed.value.stderr


def test_links_lead_somewhere(site: Path) -> None:
    assert not faults(site)


def test_the_first_page_has_a_picture_and_three_doors(site: Path) -> None:
    page = (site / "index.html").read_text(encoding="utf-8")
    assert re.search(r'<svg [^>]*role="img"[^>]*>\s*<title', page)
    doors = page.split('class="doors"')[1].split("</article>")[0]
    assert len(re.findall(r"<h2\b", doors)) == 3
    for door in re.split(r"<h2\b", doors)[1:]:
        assert len(re.findall(r'<a href="[^"#]+"', door)) >= 3


def test_recipes_show_their_files_and_no_marks(site: Path) -> None:
    page = (site / "cookbook" / "citadel" / "index.html").read_text(encoding="utf-8")
    assert "base_roll" in page
    assert "output" not in page.split("See it", 1)[1].split("Watch for", 1)[0]
    assert "--8&lt;--" not in page
    assert not list(site.rglob("docs_hook.py"))


def test_the_measure_is_worked_out(site: Path) -> None:
    page = (site / "explanation" / "layers.html").read_text(encoding="utf-8")
    assert "normal-1.0" in page
    assert "repetition --" not in page


def test_every_measured_ratio_is_shown(site: Path) -> None:
    page = html.unescape(re.sub(r"<[^>]+>", "", (site / "explanation" / "speed.html").read_text(encoding="utf-8")))
    data = json.loads((ROOT / "benchmarks" / "results.json").read_text(encoding="utf-8"))
    assert data
    for ran in data.values():
        for ratio in ran["ratios"]:
            assert ratio["what"].replace("`", "") in page
            assert f"{ratio['value']:g}\N{NO-BREAK SPACE}×" in page


def test_how_far_better_play_leads_is_shown_as_it_was_counted(site: Path) -> None:
    page = html.unescape(re.sub(r"<[^>]+>", "", (site / "explanation" / "fairness.html").read_text(encoding="utf-8")))
    data = json.loads((ROOT / "benchmarks" / "results.json").read_text(encoding="utf-8"))
    told = page.partition("How far better play leads")[2]
    for ratio in data["rungs"]["ratios"]:
        assert ratio["what"].replace("`", "") in told
        assert f"{100 * ratio['value']:.1f}%" in told
    assert "<!-- rungs -->" not in page


def test_the_scale_and_the_power_of_fair_are_shown_as_they_were_measured(site: Path) -> None:
    page = html.unescape(re.sub(r"<[^>]+>", " ", (site / "explanation" / "fairness.html").read_text(encoding="utf-8")))
    power = json.loads((ROOT / "tests" / "analysis" / "power.json").read_text(encoding="utf-8"))
    scale = load_scale()
    for game in scale.games:
        low, high = game.metrics["scale.spread"].interval
        text = f"{game.metrics['scale.spread'].value:.0f} ({low:.0f} to {high:.0f})"
        assert re.search(rf"{game.title}\s.*\s{re.escape(text)}\s", page.partition("A scale of luck")[2], re.DOTALL)
    for name, each in power["cases"].items():
        alone = r"–" if name == "nothing" else rf"{each['alone']} \([^)]*\)"
        assert re.search(rf"{name}\s+{each['runs']}\s+{alone}\s+{each['with_others']}\s+{each['others']}\s", page)
    assert f"Commit {scale.commit}" in page
    assert f"Commit {power['commit']}" in page
    assert "<!--" not in page


def test_the_changelog_and_the_licence_have_pages(site: Path) -> None:
    changes = (site / "project" / "changelog.html").read_text(encoding="utf-8")
    assert '<h2 id="unreleased">Unreleased' in changes
    assert 'href="../publish/play.html#play"' in changes
    assert "MIT License" in (site / "project" / "licence.html").read_text(encoding="utf-8")


def test_a_notebook_is_shown_with_what_it_printed(site: Path) -> None:
    page = (site / "tutorials" / "optimal-pig.html").read_text(encoding="utf-8")
    assert "who begins wins 53.06% of all games" in page
    assert (site / "tutorials" / "optimal-pig.ipynb").is_file()


@pytest.mark.browser
@pytest.mark.parametrize("width", [390, 1280])
def test_it_is_read_from_disk(site: Path, page: Page, width: int) -> None:
    """`page` fails when another host is asked for anything."""
    page.set_viewport_size({"width": width, "height": 800})
    for name in (
        "index.html",
        "cookbook/shrine/index.html",
        "reference/steps.html",
        "reference/expressions.html",
        "reference/commands.html",
        "reference/commands/check.html",
        "reference/diagnostics.html",
        "reference/diagnostics/files-and-yaml.html",
        *WIDE,
    ):
        page.goto((site / name).as_uri())
        expect(page.locator("h1").first).to_be_visible()
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), name


@pytest.mark.browser
def test_it_is_searched_from_disk(site: Path, page: Page) -> None:
    page.set_viewport_size({"width": 1280, "height": 800})
    page.goto((site / "index.html").as_uri())
    page.locator("[data-md-component=search-query]").click()
    page.keyboard.type("citadel")
    # The first letters of it find something, too.
    page.locator(".md-search-result__list", has_text=re.compile("citadel", re.IGNORECASE)).wait_for(timeout=10_000)


SEARCHES = {
    "lint": "tools/check.html",
    "excel": "design/spreadsheets.html",
    "elo rating": "reference/commands/ladder.html",
    "mod": "design/layers.html",
    "trigger": "design/triggers.html",
    "simultaneous": "design/simultaneous.html",
    "fog of war": "design/hidden.html",
    "probablity": "design/dice.html",
}
"""A page that the search is to list among the first four, by the words that people type, or mistype."""


@pytest.mark.browser
def test_pages_are_found_by_other_names(site: Path, page: Page) -> None:
    page.set_viewport_size({"width": 1280, "height": 800})
    for words, expected in SEARCHES.items():
        page.goto((site / "index.html").as_uri())
        page.locator("[data-md-component=search-query]").click()
        page.keyboard.type(words)
        results = page.locator(".md-search-result__list a")
        results.first.wait_for(timeout=10_000)
        expect(results.and_(page.locator(f"[href*='{expected}']")).first).to_be_attached()
        first = results.evaluate_all("all => all.slice(0, 4).map(each => each.getAttribute('href'))")
        assert any(expected in each for each in first), (words, first)


@pytest.mark.browser
@pytest.mark.slow
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing(site: Path, page: Page, scheme: Literal["light", "dark"]) -> None:
    page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
    page.set_viewport_size({"width": 390, "height": 800})
    for name in ("index.html", "contributing/program.html", "explanation/digests.html", "reference/python.html"):
        page.goto((site / name).as_uri())
        page.locator("h1").first.wait_for()
        assert violations(page) == [], name
