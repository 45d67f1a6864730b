"""Help leads to pages of the documentation that exist, and without them to what the program says of itself."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from rulewright.base.resources import find_resource
from rulewright.ruleset.section import load_sections
from rulewright.studio.http.help_pages import STUDIO, TUTORIAL
from rulewright.studio.panels import load_panels
from tests.site.test_axe import violations
from tests.studio.window import Desk, expect
from tests.studio.windows import Window, window


def test_every_page_exists() -> None:
    docs = find_resource("site") / "docs"
    pages = [STUDIO, *(each.guide for each in load_panels().values())]
    pages += [each.guide for each in load_sections().values() if each.guide]
    assert [page for page in pages if not (docs / page).is_file()] == []


@pytest.fixture
def here(tmp_path: Path) -> Window:
    with window(tmp_path / "studio") as opened:
        return opened


def test_the_page_about_the_section_comes_first(here: Window) -> None:
    answer = here.get("/api/help", section="board", panel="odds")
    assert [each["path"] for each in answer["pages"]] == ["design/boards.md", "design/dice.md", STUDIO, TUTORIAL]
    assert answer["pages"][-2]["title"] == "Use the studio"
    assert answer["page"] == "design/boards.md"
    assert answer["text"].startswith("# ")
    assert answer["command"] == "rulewright odds --help"
    assert here.get("/api/help", page="cookbook/pack/index.md")["text"].startswith("# ")


def test_pages_are_found_by_their_words(here: Window) -> None:
    pages = here.get("/api/help", words="hex Board")["pages"]
    assert "design/boards.md" in [each["path"] for each in pages]
    assert here.get("/api/help", page=pages[0]["path"])["text"].lower().count("board") > 1
    assert here.get("/api/help", words="zzyzx board")["pages"] == []


@pytest.mark.parametrize("words", ["poorest player", "fewest coins", "richest player"])
def test_expressions_are_found_by_everyday_words(here: Window, words: str) -> None:
    assert "reference/values.md" in [each["path"] for each in here.get("/api/help", words=words)["pages"]]


def test_help_on_an_example_leads_to_examples_and_not_to_the_terminal(here: Window) -> None:
    assert here.get("/api/help", section="examples")["page"] == "tutorials/choices.md"


def test_a_recipe_shows_its_files(here: Window) -> None:
    text = here.get("/api/help", page="cookbook/small-hex/index.md")["text"]
    assert "--8<--" not in text
    assert "boards:" in text or "columns" in text


def test_notes_for_authors_are_left_out(here: Window) -> None:
    written = (find_resource("site") / "docs" / STUDIO).read_text(encoding="utf-8")
    assert "until you stop it (not run by the tests). It" in written
    text = here.get("/api/help", page=STUDIO)["text"]
    assert "until you stop it. It" in text
    assert "not run by" not in text


def test_extensions_of_markdown_are_written_as_html_or_left_out(here: Window) -> None:
    recipe = here.get("/api/help", page="cookbook/boots/index.md")["text"]
    note = recipe.split("<details>")[1].split("</details>")[0]
    title, _, rest = note.partition("</summary>")
    assert title == "\n<summary>Changes that check asked for, in boots/follows.yaml"
    assert rest.startswith("\n\n`check` reported")
    assert "\n```yaml\npages:\n" in rest
    assert recipe.index("## See it") > recipe.index("</details>")
    assert "\n## You design games\n" in here.get("/api/help", page="index.md")["text"]
    docs = find_resource("site") / "docs"
    pages = [file.relative_to(docs).as_posix() for file in docs.rglob("*.md")]
    extended = re.compile(r"^ *(?:\?\?\?|!!!|=== |<(?:div|section|figure)\b)", re.MULTILINE)
    assert [page for page in pages if extended.search(here.get("/api/help", page=page)["text"])] == []


def test_links_lead_to_pages_that_can_be_shown(here: Window) -> None:
    docs = find_resource("site") / "docs"
    assert "../reference/steps.md" in (docs / "design" / "steps.md").read_text(encoding="utf-8")
    text = here.get("/api/help", page="design/steps.md")["text"]
    links = re.findall(r"\]\(([^()#:]+\.md)", text)
    assert links
    assert [each for each in links if "status" in here.get("/api/help", page=f"design/{each}")] == []
    assert "As plain Markdown" not in text


@pytest.mark.parametrize("page", ["../docs.yml", "../../README.md", "/etc/passwd", "docs.css", "nowhere.md", "\0.md"])
def test_only_pages_of_the_documentation_are_read(here: Window, page: str) -> None:
    assert here.get("/api/help", page=page)["status"] == 404


def test_without_the_documentation_the_command_is_named(
    here: Window, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("rulewright.studio.http.help_pages.find_resource", lambda name: tmp_path / name)
    answer = here.get("/api/help", panel="fair")
    assert answer == {"pages": [], "page": "", "text": "", "command": "rulewright fair --help"}


@pytest.mark.browser
@pytest.mark.slow
def test_help_explains_the_problem_the_word_and_the_section(desk: Desk, rules: Path) -> None:
    rules.write_text("numbers:\n  goal: 50\n  bonus: 3\n", encoding="utf-8")
    desk.page.locator(".st-problem").wait_for()
    desk.search("bonus")
    desk.keys.press("ArrowLeft")
    desk.page.get_by_role("button", name="Help").click()
    dialog = desk.page.get_by_role("dialog", name="Help")
    expect(dialog.locator(".st-help__problem")).to_contain_text("nothing uses numbers.bonus")
    expect(dialog.locator(".st-help__here")).to_contain_text("A named number.")
    page = dialog.get_by_role("region", name="Documentation")
    assert violations(desk.page) == []
    expect(page.locator("h1")).to_have_text("Write text with placeholders")
    page.get_by_role("link", name="Publish your first rulebook").click()
    expect(page.locator("h1")).to_have_text("Publish your first rulebook")
    dialog.get_by_role("button", name="Use the studio").click()
    expect(page.locator("h1")).to_have_text("Use the studio")
