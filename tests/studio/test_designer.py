"""A designer writes house rules in the studio from an empty folder, by typing, completion and what is offered alone."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from rulewright import load_ruleset
from rulewright.authoring.sign_texts import list_waiting, map_texts
from rulewright.ruleset.prose.stale_texts import is_newer
from tests.breadth import THOROUGH, some
from tests.site.test_axe import violations
from tests.studio.designer import HOUSE_RULES, RULES, Designer, Rule, design, in_a_terminal, written
from tests.studio.running import ENGINE, Running
from tests.studio.window import expect, sitting

if TYPE_CHECKING:
    from playwright.sync_api import Browser

pytestmark = [pytest.mark.browser, pytest.mark.slow]

SHORTEST = [rule for rule in RULES if rule.name == "citadel"]


@pytest.mark.parametrize("rule", some(RULES, SHORTEST), ids=lambda rule: rule.name)
def test_a_house_rule_is_written_tried_played_and_published(browser: Browser, tmp_path: Path, rule: Rule) -> None:
    with Running(tmp_path) as studio, sitting(browser, studio) as desk:
        effort = design(Designer(desk), rule, book=THOROUGH)
    home = tmp_path / rule.name
    lines = [line.rstrip() for line in (home / "rules.yaml").read_text(encoding="utf-8").splitlines() if line.strip()]
    own = [line.rstrip() for line in written(rule.name).splitlines() if line.strip()]
    assert lines[: len(own)] == own  # signatures may stand below
    played = (home / "examples.yaml").read_text(encoding="utf-8")
    assert f"of: {rule.procedure}" in played
    manifest = (home / "ruleset.yaml").read_text(encoding="utf-8")
    assert "status: released" in manifest
    assert "locked:" in manifest
    checked = subprocess.run(
        [sys.executable, "-m", "rulewright", "check", f"house/{rule.name}", "--rules", str(home)],
        env={**os.environ, "PYTHONPATH": str(ENGINE)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert checked.returncode == 0, checked.stderr
    assert (effort.rounds, effort.offered) <= (2, 1)
    assert 0 < effort.keys < in_a_terminal(rule)
    if THOROUGH:
        assert (tmp_path / "published" / "index.html").exists()


def test_the_tour_ends_with_a_changed_rule_that_is_published(browser: Browser, tmp_path: Path) -> None:
    with Running(tmp_path) as studio, sitting(browser, studio) as desk:
        page, designer = desk.page, Designer(desk)
        tour = page.get_by_role("region", name="Tour")
        expect(tour).to_contain_text("1 of 6")
        expect(page.locator(".st-foot__problems")).to_be_hidden()  # there is nothing to be checked
        assert violations(page) == []
        tour.get_by_role("button", name="Choose a starting point").click()
        page.locator(".st-start").first.wait_for()
        assert violations(page) == []
        designer.type("pig/classic")
        page.locator('.st-start[aria-selected=true][data-id^="edition:pig/classic"]').wait_for()
        page.get_by_role("button", name="Start", exact=True).click()
        expect(tour).to_contain_text("2 of 6")
        page.locator('[role=tab][title="my-rules/rules.yaml"][aria-selected=true]').wait_for()
        desk.open("pig/classic@1.0.0/pig.yaml")
        desk.settled()
        page.locator(".cm-line", has_text="goal: {is: 100").locator("span", has_text="100").click()
        expect(tour).to_contain_text("3 of 6")
        designer.press("Control+.")
        page.locator("[role=menuitem]:focus", has_text="Override this in house/my-rules").wait_for()
        designer.press("Enter")
        page.get_by_role("textbox", name="New value, instead of 100").wait_for()
        designer.type("60")
        designer.press("Enter")
        expect(tour).to_contain_text("4 of 6")
        # What was written is marked, to be changed again.
        page.locator('[role=tab][title="my-rules/rules.yaml"][aria-selected=true]').wait_for()
        desk.sound()
        designer.type("70")
        expect(tour).to_contain_text("5 of 6")
        tour.get_by_role("button", name="Release", exact=True).click()
        page.locator("dialog .st-step").first.wait_for()
        assert violations(page) == []
        page.keyboard.press("Escape")
        designer.publishes()
        expect(tour).to_contain_text("6 of 6")
        tour.get_by_role("button", name="Done").click()
        tour.wait_for(state="detached")
        page.reload()
        desk.ready()
        expect(tour).to_have_count(0)
    assert "is: 70" in (tmp_path / "my-rules" / "rules.yaml").read_text(encoding="utf-8")
    assert (tmp_path / "published" / "index.html").exists()


def test_another_text_waits_although_the_signature_below_fits() -> None:
    rules = load_ruleset("house/boots", rules=[HOUSE_RULES])
    section = map_texts(rules)["items.bringing"]
    assert is_newer(section, rules)  # the words are ours, and the rules they explain those of the edition below
    assert "items.bringing" in list_waiting(rules, released=True)
