"""A designer at the studio, from an empty folder to published rules: by typing, completion and what is offered alone.

`python -m tests.studio.designer [RULE…]` plays it, and counts what it took: keys, names that were completed, rounds of
error and mend. Beside it stands what the same rules take in a terminal: the keys of the files and of the commands.
"""

from __future__ import annotations

import argparse
import re
import sys
import tempfile
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from tests.browser import CHROMIUM_ARGUMENTS, find_chromium
from tests.studio.running import Running
from tests.studio.window import Desk, sitting

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

HOUSE_RULES = Path(__file__).resolve().parents[1] / "house_rules"
EDITION = "fuzzy-knights/normal@1.0"
FOLLOWS = ("examples", "faq", "pages")
"""What is written once the rule itself stands: what shows that it holds, and the texts that no longer do."""


@dataclass(frozen=True, slots=True)
class Rule:
    """A house rule of `tests/house_rules/`: what is mistyped, what was meant, and the line to try it at."""

    name: str
    slip: tuple[str, str]
    at: str


RULES = (
    Rule("paid-shrine", ("hero.prayed_on == day or", "hero.prayd_on == day or"), "visit_shrine:"),
    Rule("citadel", ("needs: castle}", "needs: castel}"), "citadel:"),
    Rule("rolled-movement", ("roll: hero.movement,", "roll: hero.movment,"), "hero_turn:"),
    Rule("boots", ("do: wear,", "do: waer,"), "hero_turn:"),
    Rule("hundred-coins", ("player.coin >= fortune}", "player.coin >= fortun}"), "end_of_turn:"),
    Rule("pairs", ("when: not player.alliance", "when: not player.aliance"), "form_teams:"),
    Rule("turning-anchor", ("when: day > 1}", "when: dey > 1}"), "pass_the_anchor:"),
)


@dataclass
class Effort:
    """What something took."""

    keys: int = 0
    completed: int = 0
    rounds: int = 0
    offered: int = 0
    """Mistakes that were mended by what the studio offered, without typing."""


def written(rule: str) -> str:
    """What a designer writes of a rule: the file without the line that editors read."""
    text = (HOUSE_RULES / rule / "rules.yaml").read_text(encoding="utf-8")
    return "".join(line for line in text.splitlines(keepends=True) if not line.startswith("# yaml-language-server"))


def parts(text: str) -> tuple[str, str]:
    """The rule itself, and what follows from it."""
    sections = re.split(r"(?m)^(?=\w+:)", text)
    follows = [each for each in sections if each.split(":")[0] in FOLLOWS]
    return "".join(each for each in sections if each not in follows), "".join(follows)


@dataclass
class Designer:
    """Somebody who writes at a desk. Every key counts."""

    desk: Desk
    effort: Effort = field(default_factory=Effort)
    picture: Callable[[str], None] = lambda name: None

    def press(self, key: str) -> None:
        self.desk.keys.press(key)
        self.effort.keys += 1

    def type(self, text: str) -> None:
        self.desk.keys.type(text)
        self.effort.keys += len(text)

    # -- from an empty folder ---------------------------------------------------------------

    def start(self, folder: str, edition: str = EDITION) -> None:
        """Begin with house rules over an edition, in an empty file."""
        page = self.desk.page
        page.get_by_role("button", name="Leave the tour").click()
        self.desk.command("Start new rules")
        page.locator(".st-start").first.wait_for()
        self.type(edition)
        page.locator(f'.st-start[aria-selected=true][data-id^="edition:{edition}"]').wait_for()
        name = page.get_by_label("Folder")
        name.focus()
        self.press("Control+a")
        self.type(folder)
        self.press("Enter")
        page.locator(f'[role=tab][title="{folder}/rules.yaml"][aria-selected=true]').wait_for()
        self.desk.settled()
        self.desk.select_all()
        self.effort.keys += 1
        self.press("Delete")

    # -- writing --------------------------------------------------------------------------------

    def write(self, text: str) -> None:
        """Type lines of YAML where the cursor is, at the beginning of a line; names are completed if shorter."""
        for line in text.splitlines():
            if line.strip():
                self._indent(len(line) - len(line.lstrip()))
                self._line(line.strip())
            self.press("Enter")

    def _indent(self, wanted: int) -> None:
        """The editor begins a line where it most likely goes on; elsewhere it is moved there."""
        now = len(self._here())
        for _ in range(abs(wanted - now) // 2):
            self.press("Tab" if wanted > now else "Shift+Tab")
        assert len(self._here()) == wanted, (self._here(), wanted)

    def _line(self, line: str) -> None:
        key = re.match(r"(?:- )?\{?(?:id: )?(\w{7,}): ?", line)
        if key is None:
            self.type(line)
            return
        dash, name = line[: key.start(1)], key[1]
        self.type(dash + name[:3])
        self.press("Control+Space")
        if self._offered() == name:
            self.press("Enter")
            self.effort.completed += 1
        else:
            self.press("Escape")
        have = self._here().lstrip()
        assert line.startswith(have.rstrip()), (have, line)
        rest = line[len(have) :] if line.startswith(have) else line[len(have.rstrip()) :]
        self.type(rest)

    def _offered(self) -> str:
        """What is offered first, once the studio has answered."""
        page = self.desk.page
        page.wait_for_function("() => window.offeredIn(document.querySelector('.st-editor .cm-editor')) !== 'pending'")
        return str(page.evaluate("() => window.offeredIn(document.querySelector('.st-editor .cm-editor'))"))

    def _here(self) -> str:
        """What stands on the line before the cursor."""
        return str(self.desk.page.evaluate("() => window.lineIn(document.querySelector('.st-editor .cm-editor'))"))

    # -- what the studio says -----------------------------------------------------------------

    def mend(self, slip: tuple[str, str]) -> None:
        """See what is wrong, go to what was mistyped, and take what is offered for it."""
        meant, typed = slip
        self.desk.faulty()
        self.effort.rounds += 1
        word = next(
            each for each, right in zip(re.split(r"\W+", typed), re.split(r"\W+", meant), strict=True) if each != right
        )
        found = self.desk.page.locator(".cm-lintRange-error", has_text=word).first
        found.click()
        self.press("Control+.")
        self.desk.page.locator("[role=menuitem]:focus").wait_for()
        self.picture("mend")
        self.press("Enter")
        self.desk.page.wait_for_function(
            "text => window.textIn(document.querySelector('.st-editor .cm-editor')).includes(text)", arg=meant
        )
        self.effort.offered += 1
        self.desk.settled()

    def rule(self, rule: Rule) -> None:
        """Write a rule as a designer does: itself first, with a slip; then what follows from it; until all is sound."""
        text = written(rule.name)
        itself, follows = parts(text)
        meant, typed = rule.slip
        assert itself.count(meant) == 1
        self.write(itself.replace(meant, typed))
        self.mend(rule.slip)
        if follows:
            self.desk.to_end()
            self._indent(0)
            self.write(follows)
        self.desk.settled()
        if self.desk.page.locator('[data-errors="0"]').count() == 0:
            self.effort.rounds += 1
        self.desk.sound()
        self.desk.shows_lines(text)

    def tries(self, at: str) -> None:
        """Read it, and play it with the dice in hand."""
        page = self.desk.page
        self.desk.search(at)
        self.desk.panel("Read")
        page.locator(".st-frames[data-page] .st-frame--shown").wait_for()
        self.desk.panel("Try")
        told = page.locator(".st-try__told li")
        waits = page.locator(".st-try__waits")
        waits.locator("p").first.wait_for()
        for _ in range(3):
            before = (told.count(), waits.inner_text())
            if waits.get_attribute("data-kind") not in ("dice", "choice"):
                break
            page.locator(".st-try__waits button").last.click()
            page.wait_for_function(
                """([count, words]) => document.querySelectorAll(".st-try__told li").length !== count
                  || document.querySelector(".st-try__waits").innerText !== words""",
                arg=list(before),
            )
        assert waits.get_attribute("data-kind") != "fault"

    def plays(self) -> None:
        """Begin a game on the board."""
        self.desk.panel("Play")
        frame = self.desk.page.frame_locator("iframe[title='The game']")
        frame.get_by_role("button", name="Begin", exact=True).click()
        frame.locator(".rw-play__ask").wait_for()

    def publishes(self, *, book: bool = True) -> None:
        """Release it, step by step, with the keyboard: every text that waits is signed."""
        page = self.desk.page
        self.desk.command("Release …")
        steps = page.locator(".st-step")
        steps.first.wait_for()
        # How it plays is told by thousands of games, and whether they are worth their while is anybody's choice.
        for name in ("sign", "version", "lock", *(["book"] if book else [])):
            step = page.locator(f"[data-step={name}]")
            if step.get_attribute("data-state") == "done":
                continue
            for box in step.get_by_role("checkbox").all():
                box.focus()
                self.press("Space")
            step.locator("button.st-button--main").focus()
            self.press("Enter")
            page.locator(f"[data-step={name}][data-state=done]").wait_for()
        self.picture("release")
        self.press("Escape")
        page.locator("dialog").wait_for(state="detached")


def in_a_terminal(rule: str) -> int:
    """The keys that the same takes with a plain editor and a shell: the file, and each command once."""
    commands = (
        f"rulewright new {rule} --extends {EDITION}",
        f"rulewright check house/{rule} --rules {rule}",
        f"rulewright check house/{rule} --rules {rule}",
        f"rulewright run house/{rule} PROCEDURE --rules {rule}",
        f"rulewright diff {EDITION} house/{rule} --rules {rule}",
        f"rulewright check --sign house/{rule} --rules {rule}",
        f"rulewright release house/{rule} --rules {rule}",
        f"rulewright book build --rules {rule} --output {rule}-book",
    )
    return len(written(rule)) + sum(len(each) + 1 for each in commands)


def design(desk: Desk, rule: Rule, *, book: bool) -> Effort:
    """One rule, from an empty folder to its release."""
    designer = Designer(desk)
    designer.start(rule.name)
    designer.rule(rule)
    designer.tries(rule.at)
    designer.plays()
    designer.publishes(book=book)
    return designer.effort


def _designed(names: list[str]) -> Iterator[tuple[str, Effort]]:
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright, tempfile.TemporaryDirectory() as folder:
        browser = playwright.chromium.launch(executable_path=find_chromium(), args=list(CHROMIUM_ARGUMENTS))
        for rule in RULES:
            if names and rule.name not in names:
                continue
            home = Path(folder, rule.name)
            home.mkdir()
            with Running(home) as studio, sitting(browser, studio) as desk:
                yield rule.name, design(desk, rule, book=True)
        browser.close()


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("rules", nargs="*", choices=[[], *(rule.name for rule in RULES)])
    names = parser.parse_args().rules
    print(f"{'rule':<17}{'keys':>6}{'in a terminal':>15}{'completed':>11}{'rounds':>8}{'mended by offers':>18}")
    for name, effort in _designed(names):
        told = f"{effort.keys:>6}{in_a_terminal(name):>15}{effort.completed:>11}{effort.rounds:>8}{effort.offered:>18}"
        print(f"{name:<17}{told}", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
