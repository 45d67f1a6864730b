"""What is done in a window of the studio beyond writing: given away, taken in, tried and kept, clicked, and mended."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

import pytest
import yaml

from tests.site.test_axe import violations
from tests.studio.running import Running
from tests.studio.window import MANIFEST, RULES, Desk, enter, expect, quick, sitting
from tests.studio.windows import said_by

if TYPE_CHECKING:
    from playwright.sync_api import Browser

pytestmark = [pytest.mark.browser, pytest.mark.slow]


@pytest.fixture
def home(rules: Path) -> Path:
    """Return the folder of the rules, as it was at first."""
    return rules.parent


def test_a_link_takes_rules_into_the_folder_of_somebody_else(desk: Desk, home: Path, tmp_path: Path) -> None:
    desk.command("Share or import")
    link = desk.page.get_by_role("textbox", name="The rules as text").input_value()
    assert violations(desk.page) == []
    with Running(tmp_path) as theirs:
        other = enter(desk.page.context.new_page(), theirs)
        other.command("Share or import")
        other.page.get_by_role("textbox", name="Text or link to import").fill(link)
        other.page.get_by_role("textbox", name="New folder").fill("given")
        other.page.get_by_role("button", name="Import", exact=True).click()
        other.page.locator("dialog").wait_for(state="detached")
        other.shows(RULES)
        other.sound()
    assert (tmp_path / "given" / "rules.yaml").read_bytes() == (home / "rules.yaml").read_bytes()


def test_a_link_does_without_what_a_book_plays_by_where_that_is_not_wanted(desk: Desk) -> None:
    def read_rules() -> dict[str, Any]:
        return said_by(desk.page.get_by_role("textbox", name="The rules as text").input_value())

    desk.command("Share or import")
    played = desk.page.get_by_role("checkbox", name="play by them")
    expect(played).to_be_checked()
    whole = read_rules()
    played.uncheck()
    assert read_rules() == {key: told for key, told in whole.items() if key != "play"}
    assert "play" in whole


def test_what_is_tried_is_kept_as_an_example(desk: Desk, home: Path) -> None:
    desk.point_at("goal")
    body = desk.panel("Try")
    body.get_by_role("button", name="Finish at random").click()
    keep = body.get_by_role("button", name="Save as an example")
    expect(keep).to_be_enabled()
    told = body.get_by_role("list", name="Events").get_by_role("listitem").count()
    assert told > 0
    keep.click()
    desk.page.get_by_role("textbox", name="Title of the example").fill("As tried!")
    assert violations(desk.page) == []
    desk.page.get_by_role("button", name="Save", exact=True).click()
    desk.page.locator("dialog").wait_for(state="detached")
    desk.sound()
    examples = {file: yaml.safe_load(file.read_text(encoding="utf-8")).get("examples") for file in home.glob("*.yaml")}
    (kept,) = (file for file, found in examples.items() if "as_tried" in (found or {}))
    desk.shows(kept.read_text(encoding="utf-8"))  # it is shown where it was kept


def test_editions_of_one_title_are_told_apart(desk: Desk, home: Path) -> None:
    root = desk.page.locator(".st-tree > [role=treeitem]").first.locator("> .st-tree__row")
    expect(root).not_to_contain_text("house/quick")
    other = home.with_name("quick2")
    other.mkdir()
    (other / "ruleset.yaml").write_text(MANIFEST.replace("0.1.0", "0.2.0"), encoding="utf-8")
    (other / "rules.yaml").write_text(RULES, encoding="utf-8")
    for version in ("0.1.0", "0.2.0"):
        expect(desk.page.locator(".st-tree__row--ruleset", has_text=f"house/quick@{version}")).to_be_visible()


def test_what_can_be_clicked_above_an_entry_opens_its_panel(desk: Desk) -> None:
    desk.to_end()
    desk.keys.type("  die: 1d8")
    desk.sound()
    expect(desk.page.locator(".st-inlay").first).not_to_be_empty()
    # It is behind the name, so that no line moves when it comes.
    lens = desk.page.locator(".cm-line .st-lens", has_text="odds")
    lens.first.click()
    desk.page.locator('.st-panel[data-panel="odds"]').wait_for()
    expect(desk.page.locator('.st-panel[data-panel="odds"] tr.st-moved').first).to_contain_text("12.50")


def test_all_that_can_be_mended_is_shown_and_then_written_as_one_step(desk: Desk, home: Path) -> None:
    more = home / "more.yaml"
    wrong = "numbers:\n  half: {is: 25, mean: Half of it.}\n"
    more.write_text(wrong, encoding="utf-8")
    desk.to_end()
    desk.keys.type("  twice: {is: 100, mean: Double.}")
    desk.faulty()
    typed = desk.text
    desk.command("Fix everything that can be fixed")
    write = desk.page.get_by_role("button", name="Apply 2 fixes")
    expect(write).to_be_focused()
    would = desk.page.get_by_role("textbox", name="Fixed version of quick/more.yaml")
    expect(would).to_contain_text("means: Half of it.")
    assert violations(desk.page) == []
    assert more.read_text(encoding="utf-8") == wrong
    desk.keys.press("Enter")
    desk.page.locator("dialog").wait_for(state="detached")
    desk.sound()
    assert more.read_text(encoding="utf-8") == wrong.replace("mean:", "means:")
    assert (home / "rules.yaml").read_text(encoding="utf-8") == desk.text == typed.replace("mean:", "means:")
    desk.page.get_by_role("button", name="Undo", exact=True).click()
    desk.shows(typed)
    assert more.read_text(encoding="utf-8") == wrong


def test_a_contradicted_example_is_one_problem_and_its_fix_one_step(browser: Browser, tmp_path: Path) -> None:
    rules = quick(tmp_path)
    long = tmp_path / "long"
    long.mkdir()
    (long / "ruleset.yaml").write_text(MANIFEST.replace("house/quick", "house/long"), encoding="utf-8")
    examples = "".join(f"  e{n}: {{title: E{n}, value: goal + {n}, expect: {100 + n}}}\n" for n in range(3))
    (long / "rules.yaml").write_text(f"examples:\n{examples}", encoding="utf-8")
    manifest = rules.parent / "ruleset.yaml"
    manifest.write_text(MANIFEST.replace("pig/classic@1.0", "house/long@0.1.0"), encoding="utf-8")
    with Running(tmp_path) as studio, sitting(browser, studio) as desk:
        desk.open("quick/rules.yaml")
        desk.faulty()
        problem = desk.page.locator(".st-problem--error")
        expect(problem).to_have_count(1)
        expect(problem).to_contain_text("goal contradicts 3 inherited examples: “E0”, “E1” and “E2”")
        expect(problem).to_contain_text("quick/rules.yaml:2")
        problem.locator(".st-problem__go").click()
        first = desk.page.locator("[role=menuitem]:focus", has_text="Expect what holds now in e0 (50), e1 (51) and e2")
        desk.insist("Control+.", first)
        desk.keys.press("Enter")
        desk.sound()
        restated = f"{RULES}\nexamples:\n  e0: {{expect: 50}}\n  e1: {{expect: 51}}\n  e2: {{expect: 52}}\n"
        desk.shows(restated)
        assert rules.read_text(encoding="utf-8") == restated
        desk.keys.press("Control+z")
        desk.shows(RULES)
        desk.faulty()


def test_what_a_release_says_is_set_as_it_is_meant(desk: Desk) -> None:
    desk.command("Release…")
    book = desk.page.locator("[data-step=book]")
    expect(book.locator("code")).to_have_text("published")
    expect(desk.page.locator("dialog")).not_to_contain_text("`")


def test_where_nothing_was_saved_undo_asks_nobody_and_says_so(browser: Browser, tmp_path: Path) -> None:
    quick(tmp_path)
    lines: list[str] = []
    complaints: list[str] = []
    with Running(tmp_path) as studio, sitting(browser, studio) as desk:
        desk.page.on("request", lambda request: lines.append(urlsplit(request.url).path))
        desk.page.on("console", lambda message: complaints.append(message.text) if message.type == "error" else None)
        desk.shows(RULES)
        desk.sound()
        desk.page.locator(".cm-content").first.click()
        element = desk.page.locator("#st-say")
        for key, words in (("z", "There is nothing to undo."), ("y", "There is nothing to redo.")):
            desk.keys.press(f"Control+Alt+{key}")
            expect(element).to_have_text(words)
        desk.keys.press("Control+z")
        expect(element).to_have_text("There is nothing to undo.")
    assert not {"/api/undo", "/api/redo"} & set(lines)
    assert complaints == []


def test_cells_that_are_pasted_become_rows(desk: Desk, home: Path) -> None:
    (home / "hats.yaml").write_text("tables:\n  hats:\n    columns: {copies: count}\n    rows: {cap: {copies: 3}}\n")
    body = desk.panel("Rows")
    cells = body.get_by_role("textbox", name="Cells from a spreadsheet")
    cells.fill("id\tcopies\ncap\tmany\n")
    expect(body.get_by_role("status")).to_have_text("Nothing can be written yet because the sheet has 1 error.")
    expect(body.get_by_role("listitem").first).to_contain_text("B2, copies: nothing here is called many")
    expect(body.get_by_role("button", name="Write")).to_be_disabled()
    cells.fill("id\tcopies\ncap\t4\nwig\t1\n")
    expect(body.get_by_role("status")).to_have_text("hats: 1 added, 1 changed, 0 unchanged.")
    assert violations(desk.page) == []
    body.get_by_role("button", name="Write").click()
    expect(body.get_by_role("status")).to_contain_text("Written to quick/hats.yaml.")
    expect(cells).to_have_value("")
    assert (home / "hats.yaml").read_text().endswith("rows: {cap: {copies: 4}, wig: {copies: 1}}\n")
    body.get_by_label("Or a CSV file").set_input_files(
        {"name": "hats.csv", "mimeType": "text/csv", "buffer": b"id;copies\ncap;5\n"}
    )
    expect(body.get_by_role("status")).to_have_text("hats: 1 changed, 1 unchanged.")


def test_a_file_has_a_menu(desk: Desk, rules: Path) -> None:
    more = rules.with_name("more.yaml")
    more.write_text("# More.\n", encoding="utf-8")
    file = desk.page.get_by_role("treeitem", name="more.yaml")
    file.click(button="right")
    menu = desk.page.get_by_role("menu", name="File")
    expect(menu.get_by_role("menuitem")).to_have_text(["Open", "Rename…", "Delete…"])
    desk.keys.press("Escape")
    expect(file).to_be_focused()
    file.click(button="right")
    menu.get_by_role("menuitem", name="Delete…").click()
    desk.page.get_by_role("dialog").get_by_role("button", name="Delete").click()
    expect(file).to_have_count(0)
    assert not more.exists()


def test_a_refused_name_is_explained_without_marks_of_code(desk: Desk) -> None:
    desk.point_at("goal")
    name = desk.page.get_by_role("textbox", name="New name")
    desk.insist("F2", name)
    name.fill("Not a name!")
    desk.keys.press("Enter")
    refused = desk.page.locator(".st-menu--form").get_by_role("alert")
    expect(refused.locator("code").first).to_have_text("Not a name!")
    expect(refused).not_to_contain_text("`")


def test_what_was_done_is_said_beside_rules_and_problems(desk: Desk) -> None:
    desk.to_end()
    desk.keys.type("  die: 1d8")
    desk.sound()
    desk.page.get_by_role("button", name="Undo").click()
    element = desk.page.locator("#st-say")
    expect(element).to_contain_text("Undone: ")
    covered = element.bounding_box()
    work = desk.page.locator("#st-work").bounding_box()
    assert covered is not None
    assert work is not None
    assert covered["y"] + covered["height"] <= work["y"]
