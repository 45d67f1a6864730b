"""What met a designer who had never seen the studio, in windows over games of their own and of others."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.studio.running import Running
from tests.studio.window import RULES, Desk, expect, quick, sitting

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Route

pytestmark = [pytest.mark.browser, pytest.mark.slow]

OVER_BOTH = """\
ruleset: house/table
version: 0.1.0
extends: fuzzy-knights/medium@0.1
title: Table
about: Ours.
status: draft
"""


def test_an_override_is_offered_only_where_it_can_be_written(browser: Browser, tmp_path: Path) -> None:
    (tmp_path / "table").mkdir()
    (tmp_path / "table" / "ruleset.yaml").write_text(OVER_BOTH, encoding="utf-8")
    (tmp_path / "table" / "rules.yaml").write_text("# Ours.\n", encoding="utf-8")
    with Running(tmp_path) as studio, sitting(browser, studio) as desk:
        desk.settled()
        folder = desk.page.evaluate("async () => (await fetch('/api/folder')).json()")
        below, core = (f"{layer['ref']}/daybreak.yaml" for layer in folder["rulesets"][0]["layers"][1:])
        desk.open("table/ruleset.yaml")
        desk.page.locator('[role=tab][title="table/rules.yaml"] .st-tab__close').click()
        desk.open(below)
        desk.open(core)
        desk.settled()
        desk.search("hero_cost: {is: ")
        desk.keys.press("ArrowRight")
        desk.insist("Control+.", desk.page.get_by_role("menuitem", name="Override this in house/table"))
        assert desk.page.get_by_role("menuitem", name="Override this in").count() == 1
        desk.page.get_by_role("menuitem", name="Override this in house/table").click()
        value = desk.page.get_by_role("textbox", name="New value, instead of 5")
        value.fill("7")
        # A file that cannot be read must not cost the value.
        desk.page.route("**/api/file?**", lambda route: route.abort())
        desk.keys.press("Enter")
        expect(desk.page.locator(".st-menu .st-refused")).not_to_be_empty()
        expect(value).to_have_value("7")
        desk.page.unroute("**/api/file?**")
        desk.keys.press("Enter")
        desk.page.locator('[role=tab][title="table/rules.yaml"][aria-selected=true]').wait_for()
        assert "is: 7" in desk.text


def test_an_override_with_braces_is_written_with_quotes(desk: Desk, rules: Path) -> None:
    desk.open("pig/classic@1.0.0/pig.yaml")
    desk.search("Points banked so")
    desk.keys.press("ArrowRight")
    desk.override("Override this in", "The {pot}, or nothing")
    desk.page.wait_for_function(
        "() => window.textIn(document.querySelector('.st-editor .cm-editor')).includes('or nothing')"
    )
    assert '"The {pot}, or nothing"' in desk.text


def test_a_tour_shows_what_it_speaks_of(desk: Desk, rules: Path) -> None:
    rules.write_text("# A comment.\n" * 60 + "numbers:\n  goal: 60\n", encoding="utf-8")
    desk.page.wait_for_function("() => window.textIn(document.querySelector('.st-editor .cm-editor')).length > 700")
    desk.page.set_viewport_size({"width": 640, "height": 400})
    desk.to_end()
    tour = desk.page.get_by_role("region", name="Tour")
    for _ in range(2):  # rules are there already, and a tour that was left begins anew
        desk.command("tour")
        expect(tour).to_contain_text("1 of 6")
        expect(desk.page.locator(".st-side")).to_be_visible()
        for step in ("2", "3", "4"):
            tour.get_by_role("button", name="Next").click()
            expect(tour).to_contain_text(f"{step} of 6")
        expect(desk.page.locator(".st-middle")).to_be_visible()
        desk.page.wait_for_function(
            "() => document.querySelector('.cm-activeLine').getBoundingClientRect().bottom"
            " <= document.querySelector('.st-tour').getBoundingClientRect().top"
        )
        tour.get_by_role("button", name="Leave the tour").click()


def test_a_tour_shows_the_actions_that_it_speaks_of(desk: Desk) -> None:
    desk.search("50")
    desk.command("tour")
    tour = desk.page.get_by_role("region", name="Tour")
    for _ in range(2):
        tour.get_by_role("button", name="Next").click()
    tour.get_by_role("button", name="Show the actions").click()
    expect(desk.page.get_by_role("menu", name="Actions")).to_be_visible()


def test_the_tour_puts_the_cursor_on_a_number_that_has_actions(desk: Desk) -> None:
    desk.settled()
    desk.command("tour")
    tour = desk.page.get_by_role("region", name="Tour")
    tour.get_by_role("button", name="Next").click()
    tour.get_by_role("button", name="Open a file with numbers").click()
    expect(tour).to_contain_text("3 of 6")
    tour.get_by_role("button", name="Show the actions").click()
    menu = desk.page.get_by_role("menu", name="Actions")
    expect(menu.get_by_role("menuitem", name="Override this in")).to_be_visible()


def test_a_new_file_keeps_its_name_until_it_can_be_written(desk: Desk) -> None:
    desk.page.get_by_role("button", name="New file…").first.click()
    box = desk.page.get_by_role("dialog")
    name = box.get_by_label("Name")
    name.fill("quick/feast.py")
    name.press("Enter")
    expect(box.get_by_role("alert")).to_contain_text("names must end in .yaml")
    expect(name).to_have_value("quick/feast.py")
    name.fill("quick/feast")
    name.press("Enter")
    desk.page.locator('[role=tab][title="quick/feast.yaml"][aria-selected=true]').wait_for()


def test_a_tour_finds_numbers_below_any_rules_of_the_folder(browser: Browser, tmp_path: Path) -> None:
    game = tmp_path / "alone"
    game.mkdir()
    manifest = "ruleset: games/alone\nversion: 0.1.0\ntitle: Alone\nabout: No numbers.\nstatus: draft\nplayers: 2\n"
    (game / "ruleset.yaml").write_text(manifest, encoding="utf-8")
    (game / "rules.yaml").write_text("terms: {hat: {name: Hat}}\n", encoding="utf-8")
    quick(tmp_path)
    with Running(tmp_path) as studio, sitting(browser, studio) as desk:
        desk.command("tour")
        tour = desk.page.get_by_role("region", name="Tour")
        tour.get_by_role("button", name="Next").click()
        tour.get_by_role("button", name="Open a file with numbers").click()
        desk.page.locator('[role=tab][title="pig/classic@1.0.0/pig.yaml"][aria-selected=true]').wait_for()


def test_a_tour_covers_nothing_and_opens_numbers(desk: Desk) -> None:
    tour = desk.page.get_by_role("region", name="Tour")
    desk.command("tour")
    tour.get_by_role("button", name="Next").click()
    expect(tour).to_contain_text("2 of 6")
    work, card = (desk.page.locator(each).bounding_box() for each in (".st-work", ".st-tour"))
    assert work is not None
    assert card is not None
    assert work["y"] + work["height"] <= card["y"]
    tour.get_by_role("button", name="Open a file with numbers").click()
    desk.page.locator('[role=tab][title="pig/classic@1.0.0/pig.yaml"][aria-selected=true]').wait_for()
    expect(desk.page.locator(".cm-activeLine")).to_contain_text("goal: {is: 100")
    expect(tour).to_contain_text("3 of 6")
    expect(desk.page.locator(".st-foot__where")).to_have_text("Line 15, column 14")  # where there are actions
    tour.get_by_role("button", name="Back").click()
    expect(tour).to_contain_text("2 of 6")
    desk.page.locator(".st-editor .cm-content").focus()
    desk.keys.press("Home")
    for _ in "goal: {is:":  # to the space before the number
        desk.keys.press("ArrowRight")
    expect(tour).to_contain_text("3 of 6")
    expect(desk.page.locator(".st-foot__where")).to_have_text("Line 15, column 14")  # where there are actions
    tour.get_by_role("button", name="Leave the tour").click()


def test_a_problem_is_fixed_from_its_row_and_said_within_the_window(desk: Desk, rules: Path) -> None:
    rules.write_text("numbers:\n  goal: 60\n  1oal: 3\n", encoding="utf-8")
    desk.faulty()
    desk.page.set_viewport_size({"width": 640, "height": 400})
    desk.page.locator(".st-problem--error .st-problem__fix").click()
    expect(desk.page.locator("[role=menuitem]:focus")).to_contain_text("oal")
    desk.keys.press("Escape")
    desk.page.locator(".cm-lintRange-error").first.hover()
    element = desk.page.locator(".cm-tooltip-hover")
    expect(element.locator(".cm-diagnostic")).to_contain_text("1oal")
    expect(element.locator(".cm-diagnostic")).not_to_contain_text("bad-id")  # codes are for other programs
    boxes = [desk.page.locator(each).bounding_box() for each in ("#st-bar", ".cm-tooltip-hover", "#st-foot")]
    bar, tooltip, foot = (each for each in boxes if each is not None)
    assert bar["y"] + bar["height"] <= tooltip["y"]
    assert tooltip["y"] + tooltip["height"] <= foot["y"] + 1


def test_the_menu_of_commands_lists_the_nearest_name_first_and_says_if_there_is_none(desk: Desk, rules: Path) -> None:
    text = "numbers:\n  goal: 60\n  seagoal: 3\n  own_goal: 4\n"
    rules.write_text(text, encoding="utf-8")
    desk.shows(text)
    desk.settled()
    desk.keys.press("F1")
    desk.keys.type("goal")
    names = desk.page.locator(".st-palette__item > span:first-child")
    expect(names.filter(has_text="seagoal")).to_have_count(1)
    results = [name for name in dict.fromkeys(names.all_inner_texts()) if name in ("goal", "seagoal", "own_goal")]
    assert results == ["goal", "own_goal", "seagoal"]
    desk.keys.type("zzz")
    expect(desk.page.get_by_text("Nothing matches.")).to_be_visible()


def test_the_rules_are_copied_with_a_word(desk: Desk) -> None:
    desk.page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    desk.command("Share or import…")
    desk.page.get_by_role("button", name="Copy", exact=True).click()
    expect(desk.page.locator("dialog [role=status]")).to_have_text("Copied.")


def test_a_name_has_actions_for_what_is_done_with_names(desk: Desk) -> None:
    desk.settled()
    desk.search("goal")
    desk.keys.press("ArrowLeft")
    item = desk.page.get_by_role("menuitem", name="Show all uses of goal")
    desk.insist("Control+.", item)
    names = desk.page.get_by_role("menuitem").all_text_contents()
    assert "Go to the definition of goal" in names
    assert not [each for each in names if each.startswith(("Rename", "Override goal"))], "it is of another edition"
    item.click()
    expect(desk.page.get_by_role("listbox", name="Reference list")).to_contain_text("pig.yaml")
    desk.keys.press("Escape")
    desk.open("pig/classic@1.0.0/pig.yaml")
    desk.search("die: {is")
    desk.keys.press("ArrowLeft")
    desk.override("Override die in house/quick", "1d8", "1d6")
    desk.page.locator('[role=tab][title="quick/rules.yaml"][aria-selected=true]').wait_for()
    assert "is: 1d8" in desk.text
    desk.settled()  # a save after the end would be one of the next test's rules


CHANCES = """\
procedures:
  outing:
    title: An outing
    steps: [{id: sky, roll: 1d4}, {id: end, stop: true, when: sky == 1}]
"""


def test_what_a_panel_shows_is_marked_while_it_is_of_an_earlier_text(desk: Desk, rules: Path) -> None:
    desk.rewrite(rules, CHANCES)
    desk.search("1d4")
    body = desk.panel("Odds")
    again = desk.page.locator(".st-panel__again")
    expect(body.locator("tbody tr").first).to_contain_text("25")
    expect(again).to_be_hidden()
    held: list[Route] = []
    desk.page.route("**/api/panel/odds", lambda route: held.append(route))
    desk.search("1d4")
    desk.keys.press("ArrowRight")
    desk.keys.press("Backspace")
    desk.keys.type("5")
    desk.sound()
    expect(again).to_have_text("Checking… This is for the previous text.")
    desk.page.wait_for_timeout(300)  # a panel waits until the cursor rests
    # The answers come after more was typed, so they are of a text that nobody sees any more.
    desk.keys.press("Backspace")
    desk.keys.type("8")
    for route in held:
        route.continue_()
    held.clear()
    desk.sound()
    expect(body.locator("tbody tr").first).to_contain_text("25")
    expect(again).to_be_visible()
    for route in held:
        route.continue_()
    desk.page.unroute("**/api/panel/odds")
    desk.keys.press("ArrowLeft")
    desk.keys.press("ArrowUp")
    desk.keys.press("ArrowDown")
    expect(body.locator("tbody tr").first).to_contain_text("12.5")
    expect(again).to_be_hidden()


def test_what_a_panel_shows_is_marked_while_it_is_of_another_place(desk: Desk, rules: Path) -> None:
    desk.rewrite(rules, CHANCES)
    desk.search("1d4")
    body = desk.panel("Odds")
    again = desk.page.locator(".st-panel__again")
    expect(body.locator("tbody tr").first).to_contain_text("25")
    held: list[Route] = []
    desk.page.route("**/api/panel/odds", lambda route: held.append(route))
    desk.search("title")
    expect(again).to_have_text("Checking… This is for the rule where the cursor was.")
    for route in held:
        route.continue_()
    desk.page.unroute("**/api/panel/odds")
    expect(again).to_be_hidden()


def test_the_search_of_names_says_that_it_is_at_work(desk: Desk) -> None:
    desk.keys.press("F1")
    status = desk.page.locator(".st-dialog--palette").get_by_role("status", include_hidden=True)
    status.evaluate(
        "status => { window.said = []; const note = () => status.hidden || window.said.push(status.textContent);"
        " new MutationObserver(note).observe(status, { childList: true, attributes: true }) }"
    )
    desk.keys.type("zzqx")
    expect(status).to_have_text("Nothing matches.")
    assert "Searching the rules…" in desk.page.evaluate("window.said")


def test_a_value_that_your_rules_override_leads_there(desk: Desk) -> None:
    desk.open("pig/classic@1.0.0/pig.yaml")
    desk.point_at("100")
    desk.panel("Read")
    changed = desk.page.locator(".st-panel__changed")
    expect(changed).to_contain_text("house/quick@0.1.0 changes this.")
    changed.get_by_role("button", name="Go there").click()
    desk.shows(RULES)
    expect(changed).to_be_hidden()


def test_a_link_of_the_book_has_a_way_back(desk: Desk) -> None:
    desk.point_at("goal")
    desk.panel("Read")
    book = desk.page.frame_locator(".st-frame--shown")
    expect(book.locator("h1")).to_have_text("Pig")
    back = desk.page.get_by_role("button", name="Back", exact=True)
    expect(back).to_be_hidden()
    book.locator("a[href*='glossary']").first.click()
    expect(book.locator("h1")).to_contain_text("Glossary")
    back.click()
    expect(book.locator("h1")).to_have_text("Pig")
    expect(back).to_be_hidden()


def test_the_list_of_files_shows_the_one_that_is_open(desk: Desk) -> None:
    below = desk.page.locator("[role=treeitem][data-path='pig/classic@1.0.0/pig.yaml']:not([data-line])")
    expect(below).to_be_hidden()
    desk.open("pig/classic@1.0.0/pig.yaml")
    expect(below).to_be_visible()


def test_results_of_games_are_marked_when_the_game_has_changed(desk: Desk, rules: Path) -> None:
    desk.settled()
    body = desk.panel("Fair")
    few = body.get_by_label("Budget").locator("option[value='20']")
    expect(few).to_have_text("at most 20 games, too few to be clear")
    body.get_by_label("Budget").select_option("20")
    body.get_by_role("button", name="Play games").click()
    desk.page.locator(".st-fair[data-ended]").wait_for()
    other = body.locator(".st-fair__other")
    rules.write_text("# A comment.\nnumbers:\n  goal: 50\n", encoding="utf-8")
    desk.shows("# A comment.\nnumbers:\n  goal: 50\n")
    desk.settled()
    expect(other).to_be_hidden()
    rules.write_text("numbers:\n  goal: 20\n", encoding="utf-8")
    desk.shows("numbers:\n  goal: 20\n")
    desk.settled()
    expect(other).to_contain_text("These results are for house/quick@0.1.0 before your last changes")
    rules.write_text("numbers:\n  goal: 50\n", encoding="utf-8")
    expect(other).to_be_hidden()


def test_each_step_of_the_tour_is_seen_whole_at_twice_the_size(desk: Desk) -> None:
    desk.page.set_viewport_size({"width": 640, "height": 360})
    desk.command("tour")
    tour = desk.page.get_by_role("region", name="Tour")
    for step in range(1, 7):
        expect(tour).to_contain_text(f"{step} of 6")
        assert tour.evaluate("each => each.scrollHeight - each.clientHeight") <= 0
        if step < 6:
            tour.get_by_role("button", name="Next").click()


def test_a_column_has_its_width_back_after_zoom(desk: Desk) -> None:
    panels = desk.page.locator("#st-panels")
    bar = desk.page.get_by_role("separator", name="Width of the panels")
    bar.focus()
    for _ in range(3):
        desk.keys.press("Shift+ArrowLeft")

    def width() -> float:
        box = panels.bounding_box()
        assert box is not None
        return box["width"]

    before = width()
    for size in ((960, 600), (640, 400), (1280, 800)):
        desk.page.set_viewport_size({"width": size[0], "height": size[1]})
        desk.page.evaluate("() => new Promise(requestAnimationFrame)")
    assert width() == before


def test_one_action_of_a_menu_is_current(desk: Desk) -> None:
    desk.settled()
    desk.search("goal")
    desk.keys.press("ArrowLeft")
    items = desk.page.get_by_role("menuitem")
    desk.insist("Control+.", items.first)
    desk.page.keyboard.press("ArrowDown")
    items.last.hover()
    painted = "each => getComputedStyle(each).backgroundColor !== 'rgba(0, 0, 0, 0)'"
    assert [each.evaluate(painted) for each in items.all()] == [*[False] * (items.count() - 1), True]
    expect(items.last).to_be_focused()


def test_a_message_vanishes_without_motion_too(desk: Desk) -> None:
    desk.page.evaluate("import('/studio/desk/elements.js').then(({ say }) => say('Done.'))")
    element = desk.page.locator("#st-say")
    expect(element).to_have_text("Done.")
    element.wait_for(state="hidden")


def test_errors_are_listed_before_warnings(desk: Desk, rules: Path) -> None:
    rules.write_text("numbers:\n  spare: 3\n  goal: {is: 50, means: The 50 points.}\n", encoding="utf-8")
    desk.faulty()
    expect(desk.page.locator(".st-problem__kind")).to_have_text(["Error", "Warning"])
