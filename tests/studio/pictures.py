"""Makes the pictures of *House rules in three minutes*: `python -m tests.studio.pictures` walks it in a studio.

It is walked twice, by day and by night: the page shows to each reader what goes with its own colours.
"""

from __future__ import annotations

import io
import sys
import tempfile
from pathlib import Path
from typing import Literal

from PIL import Image

from tests.browser import CHROMIUM_ARGUMENTS, find_chromium
from tests.studio.designer import EDITION, Designer
from tests.studio.running import Running
from tests.studio.window import Desk, sitting

INTO = Path(__file__).resolve().parents[2] / "site" / "docs" / "tools" / "studio"
MOST = 80 * 1024
"""Bytes that a picture may have."""
SUFFIX: dict[Literal["light", "dark"], str] = {"light": "", "dark": "-dark"}
"""What ends the name of a picture, by the colours it was taken in."""
RULE = """\
tables:
  guardian_check:
    rows:
      capture: 10-80
"""
FOLLOWS = """\
examples:
  fallen_to_guardians: {dice: [90, 11, 2, 30]}
"""


class Walk(Designer):
    """The walk of the page, picture by picture, into a folder."""

    def __init__(self, desk: Desk, into: Path, scheme: Literal["light", "dark"]) -> None:
        super().__init__(desk, picture=self._picture)
        desk.page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
        self.into = into
        self.suffix = SUFFIX[scheme]

    def _picture(self, name: str) -> None:
        # What passes by itself is no part of a picture.
        shot = self.desk.page.screenshot(animations="disabled", caret="hide", style=".st-say { display: none }")
        with Image.open(io.BytesIO(shot)) as drawn:
            drawn.convert("RGB").quantize(64, dither=Image.Dither.NONE).save(
                self.into / f"{name}{self.suffix}.png", optimize=True
            )

    def go(self) -> None:
        page = self.desk.page
        page.set_viewport_size({"width": 1100, "height": 620})
        page.get_by_role("button", name="Leave the tour").click()
        page.get_by_role("button", name="Start…").first.click()
        page.locator(".st-start").first.wait_for()
        self.type(EDITION)
        page.locator(f'.st-start[aria-selected=true][data-id^="edition:{EDITION}"]').wait_for()
        page.locator("[role=listbox][aria-busy=false]").wait_for()
        self.picture("start")
        page.get_by_role("button", name="Start", exact=True).click()
        page.locator('[role=tab][title="my-rules/rules.yaml"][aria-selected=true]').wait_for()
        self.desk.settled()
        # The first line, which other editors need, stays.
        for key in ("Control+Home", "ArrowDown", "Control+Shift+End", "Delete"):
            self.press(key)
        self.write(RULE)
        self.mend("90-100", picture="mend")
        self.mend("30]}")
        self.desk.sound()
        assert f"\n{FOLLOWS}" in self.desk.text, self.desk.text
        self.desk.search("guardian_check")
        for name in ("Odds", "Play"):
            self.desk.panel(name)
            if name == "Odds":
                page.locator(".st-moved").first.wait_for()
            else:
                self.plays(0)
            self.picture(name.lower())
        self.publishes(book=False)

    def mend(self, written: str, *, picture: str = "") -> None:
        """Go to the wavy line, and take what is offered first, which writes this."""
        self.desk.faulty()
        self.desk.page.locator(".cm-lintRange-error").first.click()
        self.press("Control+.")
        self.desk.page.locator("[role=menuitem]:focus").wait_for()
        if picture:
            self.picture(picture)
        self.press("Enter")
        self.desk.page.wait_for_function(
            "text => window.textIn(document.querySelector('.st-editor .cm-editor')).includes(text)", arg=written
        )
        self.desk.settled()


def main(into: Path = INTO) -> int:
    from playwright.sync_api import sync_playwright

    into.mkdir(exist_ok=True)
    with sync_playwright() as playwright, tempfile.TemporaryDirectory() as folder:
        browser = playwright.chromium.launch(executable_path=find_chromium(), args=list(CHROMIUM_ARGUMENTS))
        for scheme, suffix in SUFFIX.items():
            home = Path(folder, f"at{suffix}", "rules")
            home.mkdir(parents=True)
            with Running(home) as studio, sitting(browser, studio) as desk:
                Walk(desk, into, scheme).go()
        browser.close()
    for path in sorted(into.glob("*.png")):
        size = path.stat().st_size
        print(f"{path.name}: {size:,} bytes{', too many' if size > MOST else ''}")
    return 0


if __name__ == "__main__":
    sys.exit(main(*map(Path, sys.argv[1:2])))
