"""The list of problems: about the rules that are open, with a fix only where there is one."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.studio import window
from tests.studio.running import Running
from tests.studio.window import Desk, expect

if TYPE_CHECKING:
    from playwright.sync_api import Browser

pytestmark = [pytest.mark.browser, pytest.mark.slow]

FAST = """\
procedures:
  game:
    steps:
      - {before: turns, id: hello, set: {pot: 0}}
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Return a folder with two sets of house rules: `quick`, and `fast`, whose change outdates an inherited text."""
    window.quick(tmp_path)
    (tmp_path / "fast").mkdir()
    manifest = window.MANIFEST.replace("house/quick", "house/fast").replace("Quick Pig", "Fast Pig")
    (tmp_path / "fast" / "ruleset.yaml").write_text(manifest, encoding="utf-8")
    (tmp_path / "fast" / "rules.yaml").write_text(FAST, encoding="utf-8")
    return tmp_path


@pytest.fixture
def both(browser: Browser, folder: Path) -> Iterator[Desk]:
    with Running(folder) as studio, window.sitting(browser, studio) as desk:
        desk.open("fast/rules.yaml")
        desk.settled()
        yield desk


def test_a_text_of_other_rules_is_reviewed_in_the_own_folder(both: Desk, folder: Path) -> None:
    problem = both.page.locator(".st-problem", has_text="may be out of date")
    expect(problem).to_contain_text("pig/classic@1.0.0/book/pig.yaml")
    problem.get_by_role("button", name="Fix…").click()
    menu = both.page.get_by_role("menu", name="Fixes").get_by_role("menuitem")
    expect(menu).to_have_text(
        [
            "Compare the text with the rules of house/fast@0.1.0, then edit it or mark it as reviewed…",
            "Mark the text of pig.turn as reviewed in house/fast, after comparing it with the rules",
        ]
    )
    # The file of the text cannot be changed, so nobody is led away to it.
    expect(both.page.locator("[role=tab][aria-selected=true][title='fast/rules.yaml']")).to_be_visible()
    menu.first.click()
    dialog = both.page.get_by_role("dialog", name="Compare texts of house/fast@0.1.0 with its rules")
    expect(dialog.locator("[data-step]")).to_have_count(1)
    text = dialog.locator("[data-text='pig.turn']")
    expect(text.get_by_role("button", name="Edit this text…")).to_be_in_viewport()
    both.keys.press("Escape")
    problem.get_by_role("button", name="Fix…").click()
    menu.last.click()
    expect(problem).to_have_count(0)
    both.settled()
    assert "reviewed: " in (folder / "fast" / "rules.yaml").read_text(encoding="utf-8")


def test_a_problem_without_a_fix_has_no_button(both: Desk, folder: Path) -> None:
    broken = "tables:\n  x: {title: A, rows: {a: 1,\nnumbers:\n  goal: 50\n"
    (folder / "fast" / "rules.yaml").write_text(broken, encoding="utf-8")
    both.shows(broken)
    both.faulty()
    problem = both.page.locator(".st-problems[aria-busy=false] .st-problem", has_text="never closed")
    expect(problem).to_be_visible()
    expect(problem.get_by_role("button", name="Fix…")).to_have_count(0)


def test_problems_are_those_of_the_rules_that_are_open(both: Desk) -> None:
    foot = both.page.locator(".st-foot__problems")
    expect(foot).to_have_text("1 warning")
    both.open("quick/rules.yaml")
    both.settled()
    expect(foot).to_have_text("valid, 1 warning in other rulesets")
    problems = both.page.locator(".st-problem")
    expect(problems).to_have_count(0)
    both.page.get_by_role("button", name="Show 1 warning in other rulesets").click()
    expect(problems).to_contain_text(["house/fast@0.1.0"])


def test_a_problem_that_appears_hides_neither_its_words_nor_the_line_that_is_typed(both: Desk, folder: Path) -> None:
    both.page.set_viewport_size({"width": 1100, "height": 600})
    lines = "".join(f"  line_{number}: {number}\n" for number in range(60))
    text = f"{FAST}numbers:\n{lines}"
    (folder / "fast" / "rules.yaml").write_text(text, encoding="utf-8")
    both.shows(text)
    both.settled()
    both.search("line_30")
    # The lowest line in sight is where the list opens.
    lowest = both.page.evaluate(
        """() => {
          const { bottom } = document.querySelector(".cm-scroller").getBoundingClientRect();
          const lines = [...document.querySelectorAll(".cm-line")];
          return lines.findLastIndex((each) => each.getBoundingClientRect().bottom <= bottom);
        }"""
    )
    both.page.locator(".cm-line").nth(lowest).click()
    both.keys.press("End")
    both.keys.type("  {")
    both.faulty()
    # Measured in one go, because rows are made anew while the check goes on.
    both.page.wait_for_function(
        """() => {
          const [words, row, line, problems] = [".st-problem--error .st-problem__words", ".st-problem--error",
            ".cm-activeLine", ".st-problems"].map((each) => document.querySelector(each)?.getBoundingClientRect());
          return words && row && line && problems && words.width > 0.6 * row.width && line.bottom <= problems.top;
        }"""
    )


def test_a_message_covers_no_text(both: Desk) -> None:
    both.page.locator(".st-problem__fix").first.click()
    both.page.get_by_role("menuitem", name="Mark the text").click()
    element = both.page.locator("#st-say")
    expect(element).to_contain_text("Done: Mark")
    boxes = [both.page.locator(each).bounding_box() for each in ("#st-say", "#st-work")]
    message, work = (each for each in boxes if each is not None)
    assert message["y"] + message["height"] <= work["y"]
