"""What a designer does in the first ten minutes at a studio, each in a window of its own."""

from __future__ import annotations

from pathlib import Path

import pytest
import yaml

from tests.studio.book import write_book
from tests.studio.running import Running
from tests.studio.window import Desk, beside, expect

pytestmark = [pytest.mark.browser, pytest.mark.slow]

SHOP = """\
procedures:
  shop:
    title: Shopping
    given: {who: player}
    steps:
      - {id: luck, roll: 1d6, when: who.score >= 5}
      - {id: spent, set: {who.score: who.score - luck}, when: luck}
  other: {title: Waiting, steps: [{id: calm, roll: 1d4}]}
"""


def test_the_start_of_a_trial_is_set_in_fields_of_its_types(desk: Desk, rules: Path) -> None:
    desk.rewrite(rules, SHOP)
    desk.search("shop:")
    body = desk.panel("Try")
    events = body.get_by_role("list", name="Events").get_by_role("listitem")
    expect(events.first).to_contain_text("Skipped for Player 1: luck, because ")
    expect(events.first).to_contain_text("Here: Player 1: score 0.")
    body.get_by_label("Who").focus()
    desk.keys.type("Player 2")  # letter by letter, each of which chooses something
    expect(body.get_by_label("Who")).to_be_focused()
    expect(events.first).to_contain_text("Here: Player 2: score 0.")
    score = body.get_by_label("Player 2: Score")
    score.fill("8")
    desk.keys.press("Enter")
    body.get_by_role("button", name="4", exact=True).click()
    expect(events).to_have_count(2)
    expect(events.last).to_contain_text("4")
    expect(score).to_have_value("8")
    # Another procedure begins anew, and this one goes on where it was left.
    desk.search("other:")
    expect(score).to_have_count(0)
    desk.search("shop:")
    expect(events).to_have_count(2)
    expect(score).to_have_value("8")


def test_an_override_asks_for_its_value_and_is_no_error(desk: Desk, rules: Path) -> None:
    desk.open("pig/classic@1.0.0/pig.yaml")
    desk.settled()
    desk.page.locator(".cm-line", has_text="die: {is: 1d6").locator("span", has_text="1d6").click()
    desk.keys.press("Control+.")
    desk.page.get_by_role("menuitem", name="Override this in house/quick").click()
    value = desk.page.get_by_role("textbox", name="New value, instead of 1d6")
    expect(value).to_have_value("1d6")
    desk.keys.press("Enter")
    expect(desk.page.locator(".st-refused")).to_contain_text("This is the inherited value")
    value.fill("1d8")
    desk.keys.press("Enter")
    desk.page.locator('[role=tab][title="quick/rules.yaml"][aria-selected=true]').wait_for()
    desk.sound()
    assert yaml.safe_load(rules.read_text(encoding="utf-8"))["numbers"] == {"goal": 50, "die": {"is": "1d8"}}


def test_the_line_that_is_typed_in_stays_in_sight_when_problems_are_listed(desk: Desk, rules: Path) -> None:
    rules.write_text("# A comment.\n" * 60 + "numbers:\n  goal: 50\n", encoding="utf-8")
    desk.page.wait_for_function("() => window.textIn(document.querySelector('.st-editor .cm-editor')).length > 700")
    desk.to_end()
    desk.keys.type("  gaol: zzz")
    desk.faulty()
    desk.page.locator(".st-problem").first.wait_for()
    cursor, problems = (desk.page.locator(each).bounding_box() for each in (".cm-activeLine", ".st-problems"))
    assert cursor is not None
    assert problems is not None
    assert cursor["y"] + cursor["height"] <= problems["y"]


def test_a_text_is_shown_as_readers_see_it_and_changed_within_the_release(desk: Desk, rules: Path) -> None:
    book = rules.with_name("book.yaml")
    book.write_text(write_book("Get **{numbers.goal}** points."), encoding="utf-8")
    desk.command("Release…")
    text = desk.page.locator(".st-sign", has_text="Winning")
    expect(text.locator("strong")).to_have_text("50")
    text.get_by_role("button", name="Edit this text…").click()
    field = text.get_by_role("textbox", name="New text: Winning")
    expect(field).to_be_focused()
    expect(field).to_have_value("Get **{numbers.goal}** points.")
    field.fill("Be first at {numbers.goal}.")
    text.get_by_role("button", name="Save this text").click()
    expect(text.locator(".st-sign__text")).to_have_text("Be first at 50.")
    assert 'text: "Be first at {numbers.goal}."' in book.read_text(encoding="utf-8")


def test_changes_are_listed_under_the_names_of_what_changed(desk: Desk, rules: Path) -> None:
    rules.write_text("numbers: {goal: 60, die: 1d8}\n", encoding="utf-8")
    desk.sound()
    body = desk.panel("Changes")
    goal = body.locator("section", has=desk.page.get_by_role("heading", name="Goal (changed)"))
    expect(goal.get_by_role("listitem")).to_have_text("60 instead of 100.")


def test_changes_mark_the_new_words_of_a_text(desk: Desk, rules: Path) -> None:
    means = "The <b>points</b> a player has banked, and the points in the {pot} on that player's turn."
    rules.write_text(f'formulas: {{standing: {{means: "{means}"}}}}\n', encoding="utf-8")
    desk.sound()
    body = desk.panel("Changes")
    expect(body.locator("ins")).to_have_text("<b>points</b>")
    expect(body.locator("del")).to_have_text("points")


def test_a_bullet_stands_at_the_first_line_of_an_entry(desk: Desk, rules: Path) -> None:
    rules.write_text("numbers: {goal: 60}\n", encoding="utf-8")
    desk.sound()
    entry = desk.panel("Changes").locator(".st-changes__items > li", has_text="60 instead of 100.")
    entry.get_by_role("button").wait_for()
    # A mark in place of the bullet, which has no box of its own.
    first, height = entry.evaluate("""each => {
      const mark = document.createElement("span")
      mark.textContent = "•"
      mark.style = "display: inline-block; width: 0"
      each.prepend(mark)
      each.style.width = "2rem"
      const box = each.getBoundingClientRect()
      return [mark.getBoundingClientRect().top - box.top, box.height]
    }""")
    assert height > 60
    assert first < 10


def test_lines_of_the_source_are_joined_where_a_text_is_reviewed(desk: Desk, rules: Path) -> None:
    rules.with_name("book.yaml").write_text(write_book("|\n          If you\n          win."), encoding="utf-8")
    desk.command("Release…")
    text = desk.page.locator(".st-sign", has_text="Winning").locator(".st-sign__text p")
    box = text.bounding_box()
    assert box is not None
    assert box["height"] < 30


def test_a_label_stands_off_its_field(desk: Desk) -> None:
    desk.open("pig/classic@1.0.0/pig.yaml")
    desk.settled()
    desk.page.locator(".cm-line", has_text="die: {is: 1d6").locator("span", has_text="1d6").click()
    desk.keys.press("Control+.")
    desk.page.get_by_role("menuitem", name="Override this in house/quick").click()
    gap = desk.page.locator(".st-menu--form label").evaluate("""label => {
      const words = document.createRange()
      words.selectNodeContents(label.firstChild)
      return label.querySelector("input").getBoundingClientRect().left - words.getBoundingClientRect().right
    }""")
    assert gap >= 4


WEATHER = """\
tables:
  weather:
    title: Weather
    roll: 1d6
    rows: {rain: {on: 1-2, title: Heavy rain}, sun: {on: 3-6, title: Bright sun}}
procedures:
  outing:
    title: An outing
    steps:
      - {id: sky, roll: weather}
      - {id: again, roll: weather, when: sky == rain}
      - {id: end, stop: true, when: again == rain}
"""


def test_odds_name_rows_by_their_titles(desk: Desk, rules: Path) -> None:
    desk.rewrite(rules, WEATHER)
    desk.search("outing:")
    body = desk.panel("Odds")
    # Both rolls are shown, the second as far as it is made.
    expect(body.get_by_role("row", name="Bright sun")).to_contain_text(["66.67", "22.22"])
    expect(body.get_by_role("row", name="rain", exact=True)).to_have_count(0)


def test_the_key_of_an_option_is_not_read_as_its_value(desk: Desk) -> None:
    desk.panel("Play")
    frame = desk.page.frame_locator("iframe[title='The game']")
    frame.get_by_role("button", name="Begin", exact=True).click()
    option = frame.locator(".rw-play__option:visible").first
    expect(option.locator("span").first).to_have_text("Roll")
    expect(option.locator("span").last).to_have_text("1")


BETTING = """\
procedures:
  game:
    steps:
      - {before: turns, id: bet, choose: {who: first(players), number: {from: 0, to: 2}}, ask: How many?}
examples: {greed: {delete: true}, the_last_hold: {delete: true}}
pages: {pig: {sections: {turn: {show: [{delete: examples.greed}, {delete: examples.the_last_hold}]}}}}
"""


def test_the_key_of_a_number_is_that_number(desk: Desk, rules: Path) -> None:
    desk.rewrite(rules, BETTING)
    desk.panel("Play")
    frame = desk.page.frame_locator("iframe[title='The game']")
    frame.get_by_role("button", name="Begin", exact=True).click()
    option = frame.locator(".rw-play__option:visible")
    expect(option.locator("span:last-child")).to_have_text(["0", "1", "2"])
    option.first.press("0")
    expect(option.first).to_contain_text("Roll")


def test_a_window_without_room_for_three_columns_shows_one(desk: Desk) -> None:
    editor, files, panels = (desk.page.locator(f"#st-{name}") for name in ("middle", "side", "panels"))
    expect(desk.page.get_by_role("group", name="Visible column")).not_to_be_visible()
    desk.page.set_viewport_size({"width": 640, "height": 400})
    expect(editor).to_be_visible()
    expect(files).not_to_be_visible()
    content = editor.locator(".cm-content").bounding_box()
    assert content is not None
    assert content["width"] > 500
    desk.page.get_by_role("button", name="Files", exact=True).click()
    files.get_by_role("treeitem", name="ruleset.yaml").first.locator("> .st-tree__row").click()
    expect(editor).to_be_visible()
    desk.keys.press("Alt+3")
    expect(panels.get_by_role("tab", name="Odds")).to_have_attribute("aria-selected", "true")
    expect(editor).not_to_be_visible()
    desk.keys.press("F6")
    expect(files).to_be_visible()
    desk.page.set_viewport_size({"width": 1024, "height": 700})
    for column in (editor, files, panels):
        expect(column).to_be_visible()


def test_undo_pressed_quickly_takes_back_as_many_saves(desk: Desk, rules: Path) -> None:
    for goal in ("60", "70", "80"):
        desk.search("goal: ")
        desk.keys.press("ArrowRight")
        desk.keys.press("Shift+End")
        desk.keys.insert_text(goal)  # at once, so that each goal is one save
        desk.sound()
        desk.shows(f"numbers:\n  goal: {goal}\n")
    undo = desk.page.get_by_role("button", name="Undo", exact=True)
    desk.page.evaluate("button => { button.click(); button.click(); button.click() }", undo.element_handle())
    desk.shows("numbers:\n  goal: 50\n")
    assert rules.read_text(encoding="utf-8") == "numbers:\n  goal: 50\n"
    expect(desk.page.locator(".st-notice")).to_have_count(0)


LINES = "numbers:\n  goal: 50\n  # Lines between\n  # the two numbers.\n  die: 1d8\n"


def test_two_windows_that_change_different_lines_are_merged(desk: Desk, at: tuple[Running, Path], rules: Path) -> None:
    rules.write_text(LINES, encoding="utf-8")
    desk.shows(LINES)
    other = beside(desk, at[0])
    other.shows(LINES)
    other.page.route("**/api/events", lambda route: route.abort())
    other.page.route("**/api/file", lambda route: route.abort() if route.request.method == "PUT" else route.fallback())
    other.search("goal: 50")
    other.keys.press("End")
    other.keys.type(" # other")
    other.state("unsaved")
    desk.search("die: 1d8")
    desk.keys.press("End")
    desk.keys.type(" # desk")
    desk.state("saved")
    other.page.unroute("**/api/file")
    other.keys.type(" and more")
    merged = LINES.replace("50", "50 # other and more").replace("1d8", "1d8 # desk")
    other.shows(merged)
    other.state("saved")
    desk.shows(merged)
    assert rules.read_text(encoding="utf-8") == merged
    expect(other.page.locator(".st-conflict")).to_be_empty()


def test_whoever_types_is_told_how_the_text_is_left(desk: Desk) -> None:
    hint = desk.page.locator(".st-foot__leave")
    desk.page.get_by_role("button", name="Undo", exact=True).focus()
    expect(hint).not_to_be_visible()
    desk.to_end()
    expect(hint).to_have_text("Esc then Tab, or F6, leaves the editor.")
    expect(desk.page.locator(".st-editor .cm-content")).to_have_attribute("aria-description", hint.inner_text())
    desk.keys.press("Escape")
    desk.keys.press("Tab")
    expect(hint).not_to_be_visible()


def test_a_new_folder_is_called_like_the_title_until_it_is_named(desk: Desk) -> None:
    desk.command("Start new rules…")
    title, folder = desk.page.get_by_label("Title"), desk.page.get_by_label("Folder")
    expect(folder).to_have_value("my-rules")
    title.fill("2 Über Pigs!")
    expect(folder).to_have_value("uber-pigs")
    title.fill("Quick")
    expect(folder).to_have_value("quick-2")  # there is one already
    folder.fill("mine")
    title.fill("Another")
    expect(folder).to_have_value("mine")


def test_a_game_that_is_loaded_again_takes_no_keys_of_whoever_types(desk: Desk) -> None:
    panel = desk.panel("Play")
    frame = desk.page.frame_locator("iframe[title='The game']")
    frame.get_by_role("button", name="Begin", exact=True).click()
    frame.locator("#rw-play[data-state=asked]").wait_for()
    # The game that begins may take the focus. Only what a later one does is the question.
    frame.locator(".rw-play__option:visible").first.wait_for()
    desk.to_end()
    expect(desk.page.locator(".st-editor .cm-content")).to_be_focused()
    desk.page.evaluate("() => { window.left = 0; addEventListener('blur', () => window.left++) }")
    before = panel.locator(".st-play").get_attribute("data-digest")
    desk.keys.type("  die: 1d8")
    panel.locator(f".st-play:not([data-digest='{before}'])").wait_for()
    frame.locator("#rw-play[data-state=asked]").wait_for()
    frame.locator(".rw-play__option:visible").first.wait_for()
    assert desk.page.evaluate("() => window.left") == 0


def test_a_game_of_ones_own_asks_its_players_something_and_is_measured_alone(desk: Desk) -> None:
    desk.command("Start new rules…")
    desk.page.get_by_label("Title").fill("Dragon Race")
    desk.page.get_by_role("button", name="Start", exact=True).click()
    desk.page.locator('[role=tab][title="dragon-race/rules.yaml"][aria-selected=true]').wait_for()
    desk.sound()
    desk.panel("Play")
    frame = desk.page.frame_locator("iframe[title='The game']")
    frame.get_by_role("button", name="Begin", exact=True).click()
    expect(frame.locator(".rw-play__option:visible").first).to_contain_text("Stop")
    body = desk.panel("Fair")
    body.get_by_label("Budget").select_option("20")
    body.get_by_role("button", name="Play games").click()
    desk.page.locator(".st-fair[data-ended]").wait_for()
    assert [each.strip() for each in body.locator("thead th").all_text_contents()] == ["dragon-race/first@0.1.0"]
