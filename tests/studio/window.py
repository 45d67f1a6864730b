"""The page of the studio in a browser, as somebody who sits before it sees it and types into it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from playwright.sync_api import Error as PlaywrightError
from playwright.sync_api import expect

from tests.browser import PATIENCE, open_page
from tests.studio.running import Running

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Locator, Page

MANIFEST = """\
ruleset: house/quick
version: 0.1.0
extends: pig/classic@1.0
title: Quick Pig
about: A race to fifty.
status: draft
"""
RULES = """\
numbers:
  goal: 50
"""


def quick(folder: Path) -> Path:
    """House rules over a small game, in a folder; their file."""
    home = folder / "quick"
    home.mkdir(parents=True)
    (home / "ruleset.yaml").write_text(MANIFEST, encoding="utf-8")
    (home / "rules.yaml").write_text(RULES, encoding="utf-8")
    return home / "rules.yaml"


class Desk:
    """A window of the studio. What is done is done by keys and by the pointer; what is seen is what the page shows."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.keys = page.keyboard
        page.set_default_timeout(PATIENCE)

    def ready(self) -> None:
        """Wait until the page is there."""
        self.page.locator("html[data-begun]").wait_for(state="attached")
        self.page.evaluate(_EDITORS)

    def settled(self) -> None:
        """All that was typed is saved and checked."""
        self.page.locator('html[data-checked="true"][data-unsaved="0"]').wait_for(state="attached")

    def sound(self) -> None:
        self.page.locator('html[data-checked="true"][data-unsaved="0"]:has([data-errors="0"])').wait_for(
            state="attached"
        )

    def faulty(self) -> None:
        self.page.locator('html[data-checked="true"][data-unsaved="0"]:not(:has([data-errors="0"]))').wait_for(
            state="attached"
        )

    def state(self, state: Literal["saved", "unsaved", "saving", "conflict"]) -> None:
        """Expect the shown file to be in this state."""
        self.page.locator(f'.st-foot__state[data-state="{state}"]').wait_for()

    def open(self, name: str) -> None:
        """Show a file by the menu of commands."""
        self.command(name)
        self.page.locator(f'[role=tab][title$="{name}"][aria-selected=true]').wait_for()

    def command(self, name: str) -> None:
        """Do something by its name, in the menu of commands."""
        self.keys.press("F1")
        field = self.page.get_by_role("combobox", name="What do you want to do?")
        field.wait_for()
        self.keys.type(name)
        self.page.locator(".st-palette__item[aria-selected=true]", has_text=name).wait_for()
        self.keys.press("Enter")

    def panel(self, name: str) -> Locator:
        """Show a panel; its body, when it has answered."""
        self.page.get_by_role("tab", name=name, exact=True).click()
        body = self.page.locator(f'.st-panel[data-panel="{name.lower()}"]')
        body.wait_for()
        return body

    @property
    def text(self) -> str:
        """The whole text of the shown file, also what is out of sight."""
        return str(self.page.evaluate(_TEXT))

    def shows(self, text: str) -> None:
        """Expect the shown file to get this text."""
        self.page.wait_for_function(f"text => ({_TEXT})() === text", arg=text)

    def shows_lines(self, text: str) -> None:
        """Expect the shown file to have these lines, whatever blanks end them."""
        lines = [line.rstrip() for line in text.splitlines() if line.strip()]
        assert [line.rstrip() for line in self.text.splitlines() if line.strip()] == lines

    def rewrite(self, file: Path, text: str) -> None:
        """Change the shown file from outside, and wait until the window has it and it is valid."""
        file.write_text(text, encoding="utf-8")
        self.shows(text)
        self.sound()

    def override(self, item: str, value: str, inherited: str = "") -> None:
        """Override the value at the cursor: choose this action, and give it another value."""
        by_role = self.page.get_by_role("menuitem", name=item)
        self.insist("Control+.", by_role)
        by_role.click()
        self.page.get_by_role("textbox", name=f"New value, instead of {inherited}".rstrip()).fill(value)
        self.keys.press("Enter")

    def search(self, words: str) -> None:
        """Put the cursor where something stands in the shown file."""
        self.page.locator(".st-editor .cm-content").focus()
        self.keys.press("Control+Home")
        self.keys.press("Control+f")
        field = self.page.locator(".cm-search input[name=search]")
        field.fill("")
        field.press_sequentially(words)
        self.keys.press("Enter")
        self.keys.press("Escape")

    def to_end(self) -> None:
        """Put the cursor behind everything."""
        self.page.locator(".st-editor .cm-content").focus()
        self.keys.press("Control+End")

    def point_at(self, word: str) -> None:
        """Put the cursor into a word, the first that is in sight."""
        first = self.page.locator(".st-editor .cm-line", has_text=word).first
        first.locator("span", has_text=word).first.click()

    def insist(self, key: str, shown: Locator) -> None:
        """Press a key until it shows something: while rules are read anew, the studio has nothing to say of a place."""
        for _ in range(20):
            self.keys.press(key)
            with suppress(PlaywrightError):
                shown.wait_for(timeout=PATIENCE / 20)
                return
        raise AssertionError(f"{key} shows nothing")

    def select_all(self) -> None:
        self.page.locator(".st-editor .cm-content").focus()
        self.keys.press("Control+a")


_EDITORS = """import("/studio/codemirror.js").then(({ completionStatus, EditorView, selectedCompletion }) => {
  const state = element => EditorView.findFromDOM(element).state
  window.textIn = element => state(element).doc.toString()
  window.lineIn = element => {
    const { main } = state(element).selection
    const line = state(element).doc.lineAt(main.head)
    return line.text.slice(0, main.head - line.from)
  }
  window.offeredIn = element => {
    const status = completionStatus(state(element))
    return status === "active" ? selectedCompletion(state(element))?.displayLabel ?? "" : status ?? ""
  }
})"""
_TEXT = """() => {
  const shown = document.querySelector(".st-editor .cm-editor")
  return shown && window.textIn(shown)
}"""


@contextmanager
def sitting(browser: Browser, studio: Running) -> Iterator[Desk]:
    """Somebody who sits down at a studio that runs."""
    with open_page(browser) as page:
        yield enter(page, studio)


def enter(page: Page, studio: Running) -> Desk:
    """Come in by the printed address."""
    page.set_viewport_size({"width": 1280, "height": 800})
    page.emulate_media(reduced_motion="reduce")
    page.goto(studio.address)
    desk = Desk(page)
    desk.ready()
    return desk


def beside(desk: Desk, studio: Running) -> Desk:
    """Another window of the same browser."""
    return enter(desk.page.context.new_page(), studio)


__all__ = ["RULES", "Desk", "beside", "enter", "expect", "quick", "sitting"]
