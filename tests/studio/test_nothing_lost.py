"""What somebody writes or plays is not lost by a key or by a look at something else."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.studio.book import write_book
from tests.studio.window import Desk, expect

pytestmark = [pytest.mark.browser, pytest.mark.slow]


def test_walking_through_the_page_by_tab_changes_no_file(desk: Desk, rules: Path) -> None:
    desk.settled()
    before = rules.read_text(encoding="utf-8")
    desk.page.get_by_role("tab", name="rules.yaml").focus()
    editor = desk.page.locator(".st-editor .cm-content")
    desk.insist("Tab", desk.page.locator(".st-editor .cm-content:focus"))
    desk.keys.press("Tab")
    expect(editor).not_to_be_focused()
    desk.keys.press("Shift+Tab")
    expect(editor).to_be_focused()
    desk.keys.press("ArrowDown")
    desk.keys.press("Shift+Tab")
    expect(editor).not_to_be_focused()
    assert desk.text == before
    # Whoever types or clicks there indents.
    desk.page.locator(".cm-line", has_text="goal").click()
    desk.keys.press("Home")
    desk.keys.press("Tab")
    expect(editor).to_be_focused()
    assert desk.text != before


def test_the_page_opens_with_the_focus_outside_of_the_text(desk: Desk) -> None:
    desk.settled()
    editor = desk.page.locator(".st-editor .cm-content")
    expect(editor).to_be_visible()
    expect(editor).not_to_be_focused()
    before = desk.text
    for _ in range(30):
        desk.keys.press("Tab")
    assert desk.text == before


def test_escape_and_tab_leave_the_text_while_a_hover_is_shown(desk: Desk) -> None:
    desk.settled()
    before = desk.text
    desk.point_at("goal")
    line = desk.page.locator(".cm-line", has_text="goal").locator("span", has_text="goal").first
    line.hover()
    desk.page.locator(".cm-tooltip-hover").first.wait_for()
    desk.keys.press("Escape")
    # However long somebody looks at the text in between.
    desk.page.evaluate("Date.now = (now => () => now() + 60_000)(Date.now)")
    desk.keys.press("Tab")
    expect(desk.page.locator(".st-editor .cm-content")).not_to_be_focused()
    assert desk.text == before


def test_a_text_that_is_written_in_a_release_is_not_lost_by_escape(desk: Desk, rules: Path) -> None:
    first = write_book("Get {numbers.goal}.")
    second = first.split("sections:\n", 1)[1].replace("winning", "losing").replace("Winning", "Losing")
    rules.with_name("book.yaml").write_text(f"{first}\n{second}", encoding="utf-8")
    desk.command("Release…")
    dialog = desk.page.get_by_role("dialog", name="Release house/quick@0.1.0")
    winning, losing = (dialog.locator(f"[data-text='play.{name}']") for name in ("winning", "losing"))
    winning.get_by_role("button", name="Edit this text…").click()
    text = winning.get_by_role("textbox")
    text.fill("Another text.")
    desk.keys.press("Escape")
    question = desk.page.get_by_role("dialog", name="Close without your new text?")
    question.get_by_role("button", name="Cancel").click()
    expect(text).to_have_value("Another text.")
    # What another step does leaves it there.
    losing.get_by_role("checkbox").check()
    dialog.get_by_role("button", name="Mark the selected texts as reviewed").click()
    expect(losing).to_have_count(0)
    expect(text).to_have_value("Another text.")
    text.press("Escape")
    question.get_by_role("button", name="Close without it").click()
    expect(dialog).to_have_count(0)


def test_a_text_that_is_written_is_not_lost_when_the_old_one_is_marked_as_reviewed(desk: Desk, rules: Path) -> None:
    rules.with_name("book.yaml").write_text(write_book("Get {numbers.goal}."), encoding="utf-8")
    desk.command("Release…")
    dialog = desk.page.get_by_role("dialog", name="Release house/quick@0.1.0")
    winning = dialog.locator("[data-text='play.winning']")
    winning.get_by_role("button", name="Edit this text…").click()
    text = winning.get_by_role("textbox")
    text.fill("Another text.")
    winning.get_by_role("checkbox").check()
    dialog.get_by_role("button", name="Mark the selected texts as reviewed").click()
    question = desk.page.get_by_role("dialog", name="Mark the old text as reviewed?")
    question.get_by_role("button", name="Cancel").click()
    expect(text).to_have_value("Another text.")
    dialog.get_by_role("button", name="Mark the selected texts as reviewed").click()
    question.get_by_role("button", name="Mark the old text").click()
    expect(winning).to_have_count(0)


def test_a_game_goes_on_after_a_look_at_another_panel(desk: Desk, rules: Path) -> None:
    desk.panel("Play")
    frame = desk.page.frame_locator("iframe[title='The game']")
    begin = frame.get_by_role("button", name="Begin", exact=True)
    begin.click()
    frame.locator(".rw-play__option:visible").first.wait_for()
    desk.panel("Read")
    desk.rewrite(rules, "numbers:\n  goal: 60\n")
    desk.panel("Play")
    frame.locator(".rw-play__option:visible").first.wait_for()
    expect(begin).to_have_count(0)


ASKING = """\
procedures:
  game:
    title: A game
    steps:
      - {id: offer, do: offer, with: {player: last(players), partner: first(players)}}
      - {id: over, finish: {winners: []}}
  offer:
    title: Offer
    given: {player: player, partner: player}
    steps: [{id: answer, choose: {who: partner, from: [accept, refuse]}, ask: Do you agree?}]
"""


def test_a_question_about_another_player_says_who_must_answer(desk: Desk, rules: Path) -> None:
    home = rules.parent.with_name("asking")
    home.mkdir()
    manifest = (
        "ruleset: house/asking\nversion: 0.1.0\ntitle: Asking\nabout: A game.\nstatus: draft\nplayers: 2\nstart: game\n"
    )
    (home / "ruleset.yaml").write_text(manifest, encoding="utf-8")
    (home / "rules.yaml").write_text(ASKING, encoding="utf-8")
    desk.page.get_by_role("treeitem", name="Asking").first.wait_for()
    desk.open("asking/rules.yaml")
    desk.panel("Play")
    frame = desk.page.frame_locator("iframe[title='The game']")
    frame.get_by_role("button", name="Begin", exact=True).click()
    expect(frame.locator("#rw-play-turn")).to_have_text("Player 1: Do you agree?")
    expect(frame.locator(".rw-play__about")).to_have_text("Player 2")
