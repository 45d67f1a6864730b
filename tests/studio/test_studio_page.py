"""The page of the studio: what is typed is checked, completed, mended and saved, and nothing typed is ever lost."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.site.test_axe import violations
from tests.studio.running import Running
from tests.studio.test_panels_fair import ALONE, EDGE
from tests.studio.window import RULES, Desk, beside, enter, expect, sitting

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Route

pytestmark = [pytest.mark.browser, pytest.mark.slow]


# -- writing ---------------------------------------------------------------------------------


def test_what_is_typed_is_on_the_disk_and_checked(desk: Desk, rules: Path) -> None:
    desk.to_end()
    desk.keys.type("  die: 1d8")
    desk.sound()
    assert rules.read_text(encoding="utf-8") == desk.text == f"{RULES}  die: 1d8"
    desk.keys.type("\nbad: gaol + 1")
    desk.faulty()
    expect(desk.page.locator(".st-problem--error")).to_contain_text("gaol")
    expect(desk.page.locator(".cm-lintRange-error")).to_have_count(1)


def test_names_are_completed_and_mistakes_mended_by_the_keyboard(desk: Desk, rules: Path) -> None:
    desk.to_end()
    desk.keys.type("  di")
    desk.page.locator(".cm-tooltip-autocomplete [aria-selected=true]", has_text="die").wait_for()
    desk.keys.press("Tab")
    desk.keys.type("{is: 1d8, mean: Another die.")
    desk.faulty()
    desk.keys.press("F8")
    desk.keys.press("Control+.")
    desk.page.locator("[role=menuitem]:focus").wait_for()
    desk.keys.press("Enter")
    desk.sound()
    assert rules.read_text(encoding="utf-8") == f"{RULES}  die: {{is: 1d8, means: Another die.}}"


_HELD_BACK = """() => {
  const send = WebSocket.prototype.send, held = []
  WebSocket.prototype.send = function (message) {
    if (!message.includes("textDocument/completion")) return send.call(this, message)
    held.push(() => send.call(this, message))
    document.documentElement.dataset.asked = held.length
  }
  window.letGo = () => { WebSocket.prototype.send = send; held.splice(0).forEach(each => each()) }
}"""


def test_tab_behind_a_word_takes_what_is_offered_and_never_moves_its_line(desk: Desk) -> None:
    offered = desk.page.locator(".cm-tooltip-autocomplete [aria-selected=true]", has_text="die")
    desk.to_end()
    desk.page.evaluate(_HELD_BACK)
    desk.keys.type("  di")
    desk.keys.press("Tab")
    assert desk.text == f"{RULES}  di", "what is offered is not there yet"
    desk.page.locator("html[data-asked]").wait_for(state="attached")
    desk.keys.press("Tab")
    assert desk.text == f"{RULES}  di"
    desk.page.evaluate("window.letGo()")
    offered.wait_for()
    desk.keys.press("Tab")
    desk.shows(f"{RULES}  die: ")
    desk.keys.press("Tab")
    desk.shows(f"{RULES}    die: ")


def test_the_pointer_is_told_what_a_name_means(desk: Desk) -> None:
    desk.page.locator(".cm-line", has_text="goal").locator("span", has_text="goal").first.hover()
    expect(desk.page.locator(".cm-lsp-hover-tooltip")).to_contain_text("The score that wins the race.")


def test_a_definition_below_is_shown_to_be_read(desk: Desk) -> None:
    desk.point_at("goal")
    desk.insist("F12", desk.page.locator("[role=tab][title$='pig.yaml'][aria-selected=true]"))
    before = desk.text
    desk.keys.type("x")
    assert desk.text == before
    expect(desk.page.locator(".st-foot__state")).to_have_text("Read-only")


@pytest.mark.parametrize("by", ["keys", "toolbar"])
def test_a_name_is_changed_in_every_file_and_taken_back_in_every_file(desk: Desk, rules: Path, by: str) -> None:
    more = rules.with_name("more.yaml")
    # No earlier save of this folder has these words.
    first = RULES + f"  half: {{is: 25, means: Half of it. It is renamed by {by}.}}\n"
    second = "numbers:\n  twice: {is: half * 2, means: All of it.}\n"
    rules.write_text(first, encoding="utf-8")
    more.write_text(second, encoding="utf-8")
    desk.page.reload()
    desk.ready()
    desk.page.locator("[role=treeitem][data-path='quick/more.yaml']:not([data-line])").wait_for(state="attached")
    desk.open("quick/more.yaml")
    desk.shows(second)
    desk.settled()
    desk.open("quick/rules.yaml")
    desk.shows(first)
    desk.settled()
    desk.point_at("half")
    desk.insist("F2", desk.page.get_by_role("textbox", name="New name"))
    desk.page.get_by_role("textbox", name="New name").fill("middle")
    desk.keys.press("Enter")
    desk.page.get_by_text("Renamed in 2 files.").wait_for()
    desk.settled()
    assert "middle: {" in rules.read_text(encoding="utf-8")
    assert "is: middle * 2" in more.read_text(encoding="utf-8")
    if by == "toolbar":
        desk.page.get_by_role("button", name="Undo", exact=True).click()
        desk.shows(first)  # it stays with the shown file, since that was changed too
        desk.point_at("half")  # the editor has nothing of its own to take back then
    desk.keys.press("Control+z")
    desk.shows(first)
    desk.settled()
    assert (rules.read_text(encoding="utf-8"), more.read_text(encoding="utf-8")) == (first, second)


def test_what_was_saved_comes_back_from_its_history(desk: Desk, rules: Path) -> None:
    desk.to_end()
    desk.keys.type("  die: 1d8")
    desk.sound()
    first = desk.text
    desk.keys.type(" # an octahedron")
    desk.sound()
    later = desk.text
    desk.command("History of this file")
    desk.page.locator(".st-save[aria-selected=true]").wait_for()
    desk.page.locator(".st-save").nth(1).click()
    desk.page.get_by_role("button", name="Restore this version").click()
    desk.page.locator("dialog").wait_for(state="detached")
    desk.settled()
    assert rules.read_text(encoding="utf-8") == desk.text == first
    desk.page.get_by_role("button", name="Undo", exact=True).click()
    desk.shows(later)
    expect(desk.page.locator("#st-say")).to_contain_text("Undone: ")
    assert rules.read_text(encoding="utf-8") == later


# -- nothing is lost ---------------------------------------------------------------------------


def test_a_server_that_is_killed_while_one_types_costs_nothing(
    desk: Desk, at: tuple[Running, Path], rules: Path
) -> None:
    studio, _ = at
    desk.to_end()
    desk.keys.type("  die: 1d8")
    studio.kill()
    desk.keys.type("\n  # typed while nobody was there")
    desk.state("unsaved")
    expect(desk.page.locator(".st-foot__link")).to_contain_text("Your changes are kept here")
    typed = desk.text
    assert typed.endswith("nobody was there")
    studio.start()
    desk.sound()
    assert desk.text == typed == rules.read_text(encoding="utf-8")


def test_a_save_whose_answer_is_lost_is_no_conflict(desk: Desk, rules: Path) -> None:
    def lose(route: Route) -> None:
        if route.request.method == "PUT":
            route.fetch()
            route.abort()
        else:
            route.fallback()

    desk.page.route("**/api/file", lose)
    desk.to_end()
    with desk.page.expect_event("requestfailed"):
        desk.keys.type("  die: 1d8")
    assert rules.read_text(encoding="utf-8") != RULES  # it was saved all the same
    desk.keys.type(" # an octahedron")
    desk.page.unroute("**/api/file")
    desk.sound()
    assert rules.read_text(encoding="utf-8") == desk.text == f"{RULES}  die: 1d8 # an octahedron"


def test_a_window_that_is_loaded_anew_has_what_was_not_saved(desk: Desk, at: tuple[Running, Path], rules: Path) -> None:
    studio, _ = at
    desk.to_end()
    studio.kill()
    desk.keys.type("  die: 1d8")
    typed = desk.text
    desk.page.goto("about:blank")
    assert rules.read_text(encoding="utf-8") == RULES
    studio.start()
    enter(desk.page, studio)
    desk.shows(typed)
    desk.sound()
    assert rules.read_text(encoding="utf-8") == typed


def test_what_a_closed_window_left_is_found_by_the_next(desk: Desk, at: tuple[Running, Path], rules: Path) -> None:
    studio, _ = at
    other = desk.page.context.new_page()
    desk.to_end()
    studio.kill()
    desk.keys.type("  die: 1d8")
    typed = desk.text
    desk.page.close()
    studio.start()
    later = enter(other, studio)
    later.shows(typed)
    later.sound()
    assert rules.read_text(encoding="utf-8") == typed


def test_two_windows_that_left_one_file_have_both_texts_kept(desk: Desk, at: tuple[Running, Path], rules: Path) -> None:
    studio, _ = at
    third = desk.page.context.new_page()
    other = beside(desk, studio)
    other.shows(RULES)
    other.to_end()
    desk.to_end()
    studio.kill()
    desk.keys.type("  die: 1d8")
    other.keys.type("  hold: 25")
    left = {desk.text, other.text}
    desk.page.close()
    other.page.close()
    studio.start()
    later = enter(third, studio)
    later.state("conflict")
    assert {later.text, rules.read_text(encoding="utf-8")} == left
    mine = later.text
    third.reload()
    later.ready()
    later.state("conflict")
    assert later.text == mine
    third.get_by_role("button", name="Use the other version").click()
    later.state("saved")
    assert {later.text, mine} == left
    assert rules.read_text(encoding="utf-8") == later.text
    assert third.evaluate("Object.keys(localStorage).filter(key => key.startsWith('rulewright-studio-draft'))") == []


def test_what_is_changed_outside_is_taken_in_where_nothing_is_unsaved(desk: Desk, rules: Path) -> None:
    desk.to_end()
    changed = RULES.replace("50", "60")
    rules.write_text(changed, encoding="utf-8")
    desk.shows(changed)
    desk.keys.type("  die: 1d8")
    desk.sound()
    assert rules.read_text(encoding="utf-8") == f"{changed}  die: 1d8"


def _conflict(desk: Desk, rules: Path, theirs: str) -> str:
    """Write outside while saving does not come through; what stands in the editor then."""
    desk.page.route("**/api/file", lambda route: route.abort() if route.request.method == "PUT" else route.fallback())
    desk.to_end()
    desk.keys.type("  die: 1d8")
    desk.state("unsaved")
    mine = desk.text
    rules.write_text(theirs, encoding="utf-8")
    desk.page.unroute("**/api/file")
    desk.keys.type(" # mine")
    desk.state("conflict")
    assert rules.read_text(encoding="utf-8") == theirs
    return f"{mine} # mine"


THEIRS = RULES.replace("50", "60")


@pytest.mark.parametrize("choice", ["Keep my version", "Use the other version", "Show both"])
def test_where_two_have_written_whoever_is_here_decides(desk: Desk, rules: Path, choice: str) -> None:
    mine = _conflict(desk, rules, THEIRS)
    assert desk.text == mine
    assert violations(desk.page) == []
    desk.page.get_by_role("button", name=choice).click()
    if choice == "Show both":
        expect(desk.page.get_by_role("textbox", name="Theirs")).to_contain_text("60")
        expect(desk.page.get_by_role("textbox", name="Mine")).to_contain_text("# mine")
        assert violations(desk.page) == []
        desk.page.get_by_role("button", name="Copy this change").click()
        desk.page.get_by_role("textbox", name="Mine").focus()
        desk.keys.press("Control+End")
        desk.keys.type("  die: 1d8")
        desk.page.get_by_role("button", name="Save the right side").click()
    desk.state("saved")
    said = {"Keep my version": mine, "Use the other version": THEIRS, "Show both": f"{THEIRS}  die: 1d8"}[choice]
    desk.shows(said)
    assert rules.read_text(encoding="utf-8") == said


def test_two_windows_do_not_write_over_each_other(desk: Desk, at: tuple[Running, Path], rules: Path) -> None:
    studio, _ = at
    other = beside(desk, studio)
    other.shows(RULES)
    desk.to_end()
    desk.keys.type("  die: 1d8")
    other.shows(f"{RULES}  die: 1d8")  # taken in: nothing was unsaved there
    other.page.route("**/api/events", lambda route: route.abort())
    other.page.route("**/api/file", lambda route: route.abort() if route.request.method == "PUT" else route.fallback())
    other.to_end()
    other.keys.type(" # other")
    other.state("unsaved")
    desk.keys.type(" # desk")
    desk.sound()
    other.page.unroute("**/api/file")
    other.keys.type(" and more")
    other.state("conflict")
    assert rules.read_text(encoding="utf-8") == f"{RULES}  die: 1d8 # desk"
    assert other.text.endswith(" # other and more")


# -- what is seen beside it ------------------------------------------------------------------------


def test_a_sentence_of_the_book_leads_to_its_yaml(desk: Desk) -> None:
    desk.point_at("goal")
    desk.panel("Read")
    frame = desk.page.frame_locator(".st-frame--shown")
    frame.locator("[data-st-place]", has_text="Roll").last.click()
    desk.page.locator("[role=tab][aria-selected=true][title^='pig/classic@1.0.0/']").wait_for()
    expect(desk.page.locator(".st-foot__state")).to_have_text("Read-only")


def test_a_reload_keeps_tabs_and_cursors(desk: Desk) -> None:
    below = "pig/classic@1.0.0/pig.yaml"
    desk.open(below)
    desk.to_end()
    desk.open("quick/rules.yaml")
    desk.search("50")
    tabs = desk.page.locator(".st-tabs--files [role=tab]")
    before, line = tabs.all_inner_texts(), desk.page.locator(".st-foot__where")
    expect(line).to_have_text("Line 2, column 11")
    desk.page.reload()
    desk.ready()
    expect(tabs).to_have_text(before)
    expect(desk.page.locator("[role=tab][aria-selected=true][title='quick/rules.yaml']")).to_be_visible()
    expect(line).to_have_text("Line 2, column 11")
    tabs.filter(has_text="pig.yaml").click()
    expect(desk.page.locator(".cm-activeLine")).to_be_in_viewport()
    expect(line).not_to_have_text("Line 1, column 1")


def test_the_book_is_turned_page_by_page(desk: Desk, rules: Path) -> None:
    desk.panel("Read")
    pages = desk.page.get_by_role("combobox", name="Page of the book")
    heading = desk.page.frame_locator(".st-frame--shown").locator("h1")
    expect(heading).to_be_visible()
    pages.select_option("Glossary")
    expect(heading).to_contain_text("Glossary")
    desk.page.get_by_role("button", name="Next page").click()
    expect(heading).not_to_contain_text("Glossary")
    desk.page.get_by_role("button", name="Previous page").click()
    expect(heading).to_contain_text("Glossary")
    expect(pages.locator("option:checked")).to_have_text("Glossary")
    # A check leaves the page, and another line has its own.
    desk.rewrite(rules, f"{RULES}# More.\n")
    expect(heading).to_contain_text("Glossary")
    desk.search("50")
    expect(heading).to_have_text("Pig")


TIERS = """\
tables:
  tiers:
    title: Tiers
    columns: {cost: int, income: int, requires: text, base_roll: dice}
    rows:
      encampment: {title: Encampment, cost: 5, income: 1, requires: Nothing yet, base_roll: 2d6 +6}
      villa: {title: Villa, cost: 10, income: 2, requires: Encampment, base_roll: 3d6 +9}
"""


def test_a_table_of_the_book_fits_beside_the_text(desk: Desk, rules: Path) -> None:
    desk.rewrite(rules, TIERS)
    desk.panel("Read")
    desk.page.get_by_role("combobox", name="Page of the book").select_option("Procedures and tables")
    table = desk.page.frame_locator(".st-frame--shown").locator(".rw-scroll", has_text="Tiers")
    width, room = table.evaluate("""each => {
      each.closest("details")?.setAttribute("open", "")
      return [each.scrollWidth, each.clientWidth]
    }""")
    assert 300 < width <= room


def test_the_rows_of_a_table_are_shown_before_any_are_pasted(desk: Desk, rules: Path) -> None:
    desk.rewrite(rules, TIERS)
    rows = desk.panel("Rows").get_by_role("region", name="The rows of the table")
    expect(rows.get_by_role("row", name="villa")).to_contain_text("3d6 +9")


def test_help_finds_pages_by_words(desk: Desk) -> None:
    desk.page.get_by_role("button", name="Help").click()
    box = desk.page.get_by_role("dialog", name="Help")
    search = box.get_by_role("searchbox", name="Search the documentation")
    search.fill("hex board")
    desk.keys.press("Enter")
    expect(box.get_by_role("button", name="Build a board")).to_be_visible()
    expect(box.locator(".st-help__links [aria-pressed=true]")).to_have_count(1)
    search.fill("zzyzx")
    desk.keys.press("Enter")
    expect(box.get_by_role("alert")).to_have_text("No page has all of these words.")


def test_odds_stand_beside_those_of_the_edition_below(desk: Desk) -> None:
    desk.to_end()
    desk.keys.type("  die: 1d8")
    desk.sound()
    body = desk.panel("Odds")
    row = body.locator("tr.st-moved", has_text="1").first
    expect(row).to_contain_text("16.67")
    expect(row).to_contain_text("12.50")
    assert violations(desk.page) == []


def test_a_game_goes_on_by_the_changed_rules(desk: Desk) -> None:
    desk.point_at("goal")
    desk.panel("Play")
    frame = desk.page.frame_locator("iframe[title='The game']")
    frame.get_by_role("button", name="Begin", exact=True).click()
    frame.locator(".rw-play__ask").wait_for()
    before = desk.page.locator(".st-play[data-digest]").get_attribute("data-digest")
    desk.to_end()
    desk.keys.type("  die: 1d8")
    desk.sound()
    desk.page.locator(f".st-play[data-digest]:not([data-digest='{before}'])").wait_for()
    frame.locator(".rw-play__ask").wait_for()


def test_bots_play_before_and_after(desk: Desk) -> None:
    desk.point_at("goal")
    body = desk.panel("Fair")
    bots = body.get_by_label("Bots")
    expect(bots.locator("option").first).to_have_text("recommended")
    body.get_by_label("Budget").select_option("20")
    body.get_by_role("button", name="Play games").click()
    desk.page.locator(".st-fair[data-ended]").wait_for()
    expect(body.locator("table")).to_contain_text("house/quick")
    expect(bots.locator("option[value=mcts]")).to_have_text("searches deeply (mcts)")
    assert violations(desk.page) == []


def test_what_evens_out_an_advantage_opens_as_house_rules(browser: Browser, tmp_path: Path) -> None:
    folder = tmp_path / "edge"
    folder.mkdir()
    folder.joinpath("ruleset.yaml").write_text(ALONE, encoding="utf-8")
    folder.joinpath("rules.yaml").write_text(EDGE, encoding="utf-8")
    with Running(tmp_path) as studio, sitting(browser, studio) as desk:
        desk.open("edge/rules.yaml")
        desk.shows(EDGE)
        desk.settled()
        body = desk.panel("Fair")
        body.get_by_label("Budget").select_option("500")
        body.get_by_role("button", name="Even it out").click()
        expect(body.locator("pre")).to_contain_text("id: compensation_paid")
        desk.page.locator(".st-fair[data-ended]").wait_for()
        assert violations(desk.page) == []
        body.get_by_role("button", name="Open as house rules").click()
        desk.page.locator("[role=tab][title='edge-even/rules.yaml'][aria-selected=true]").wait_for()
        assert "compensation_paid" in (tmp_path / "edge-even" / "rules.yaml").read_text(encoding="utf-8")


def test_share_opens_at_once_and_says_what_a_link_cannot_do(desk: Desk) -> None:
    answer = {"fragment": "#rules=1.a", "shown": "#rules=1.a", "zip": "/zip", "plays": False, "why": "they have errors"}
    waiting: list[Route] = []
    desk.page.route("**/api/share?**", lambda route: waiting.append(route))
    for base, says in (
        ("", "These rules are a game of their own."),
        ("pig/classic@1.0.0", "because they have errors."),
    ):
        desk.page.get_by_role("button", name="Share", exact=True).click()
        dialog = desk.page.get_by_role("dialog", name="Share")
        expect(dialog).to_contain_text("The rules are being packed")
        expect(dialog.get_by_role("button", name="Import", exact=True)).to_be_visible()
        waiting.pop().fulfill(json={**answer, "base": base})
        expect(dialog).to_contain_text(says)
        expect(dialog.get_by_label("The rules as text")).to_be_focused()
        desk.keys.press("Escape")
        expect(dialog).to_have_count(0)


def test_a_link_leads_to_the_site_of_a_book_whose_address_is_written(desk: Desk) -> None:
    desk.page.get_by_role("button", name="Share", exact=True).click()
    dialog = desk.page.get_by_role("dialog")
    link = dialog.get_by_label("The rules as text")
    # Nobody else can open an address of this computer.
    assert link.input_value().startswith("#rules=1.")
    site = dialog.get_by_label("For a link that opens in a published book, enter the address of its site")
    for address, page in (
        ("https://books.example/knights", "https://books.example/knights/shared.html#rules=1."),
        ("https://books.example/a/index.html?x#y", "https://books.example/a/shared.html#rules=1."),
    ):
        site.fill(address)
        assert link.input_value().startswith(page)
    site.fill("ftp://books.example/")
    assert link.input_value().startswith("#rules=1.")


# -- for everybody -------------------------------------------------------------------------------


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing(desk: Desk, scheme: str) -> None:
    desk.page.emulate_media(color_scheme="dark" if scheme == "dark" else "light", reduced_motion="reduce")
    desk.page.set_viewport_size({"width": 1024, "height": 700})
    assert violations(desk.page) == []
    desk.to_end()
    desk.keys.type("  di")
    desk.page.locator(".cm-tooltip-autocomplete").wait_for()
    desk.keys.press("Escape")
    desk.faulty()
    assert violations(desk.page) == []
    desk.keys.press("F1")
    desk.page.locator(".st-palette__item").first.wait_for()
    assert violations(desk.page) == []
    desk.keys.press("Escape")


def test_nothing_is_wider_than_the_window(desk: Desk, rules: Path) -> None:
    rules.write_text("# A comment.\n" * 200 + RULES, encoding="utf-8")
    desk.shows("# A comment.\n" * 200 + RULES)
    for width in (360, 640, 720, 1024, 1440, 1920):  # a phone, twice as large letters, and screens
        desk.page.set_viewport_size({"width": width, "height": 700})
        assert desk.page.evaluate("document.documentElement.scrollWidth") == width
        assert desk.page.evaluate("document.querySelector('.st-work').scrollWidth <= innerWidth")
        # Nor is it higher, however long the text.
        assert desk.page.evaluate("document.querySelector('.st-foot').getBoundingClientRect().bottom") == 700
        assert desk.page.evaluate("document.querySelector('.st-foot').offsetHeight") < 70


def test_a_line_below_an_empty_one_begins_at_the_margin(desk: Desk, rules: Path) -> None:
    desk.rewrite(rules, "tables:\n  luck:\n    roll: 1d6\n    rows:\n      good: 1-3\n      bad: {on: 4-6}")
    desk.to_end()
    desk.keys.press("Enter")
    assert desk.text.endswith("\n" + 6 * " ")
    desk.keys.press("Enter")
    assert desk.text.endswith("bad: {on: 4-6}\n\n")
    desk.keys.type("numbers:")
    desk.keys.press("Enter")
    desk.keys.type("few: 3")
    assert desk.text.endswith("\n\nnumbers:\n  few: 3")


@pytest.mark.parametrize(("typed", "text"), [("bon", "+ bonus"), ("bonus", "+ bonus\n"), ("other", "+ other\n")])
def test_enter_completes_a_word_that_is_no_name_itself(desk: Desk, rules: Path, typed: str, text: str) -> None:
    desk.rewrite(rules, "numbers:\n  bonus: 3\n  bonus_of_all: 4\nformulas:\n  whole:\n    is: 1")
    desk.to_end()
    desk.keys.type(f" + {typed}")
    if typed != "other":
        desk.page.locator(".cm-tooltip-autocomplete li[aria-selected]").wait_for()
    desk.keys.press("Enter")
    assert desk.text.rstrip(" ").endswith(text)


def test_every_part_is_reached_by_the_keyboard(desk: Desk) -> None:
    desk.page.locator(".st-editor .cm-content").focus()
    focused = "document.activeElement.closest('.st-side, .st-middle, .st-panels')?.className"
    seen = []
    for _ in range(3):
        desk.keys.press("F6")
        seen.append(desk.page.evaluate(focused))
    assert seen == ["st-panels", "st-side", "st-middle"]
    desk.keys.press("Shift+F6")
    desk.keys.press("End")
    desk.keys.press("Home")
    desk.keys.press("ArrowDown")
    desk.keys.press("Enter")
    desk.page.locator(".st-editor .cm-content:focus").wait_for()
    bar = desk.page.locator("[role=separator]").first
    bar.focus()
    before = int(bar.get_attribute("aria-valuenow") or 0)
    desk.keys.press("ArrowRight")
    assert int(bar.get_attribute("aria-valuenow") or 0) > before
