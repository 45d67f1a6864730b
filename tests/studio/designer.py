"""A designer at the studio, from an empty folder to published rules: by typing, completion and what is offered alone.

`make designer` plays it (`python -m tests.studio.designer [RULE…]`), and counts what it took: keys, names that were
completed, rounds of error and mend. Beside it stands what the same rules take in a terminal: the keys of the files and
of the commands. How long both have one wait is measured by `benchmarks/studio.py`.
"""

from __future__ import annotations

import argparse
import re
import sys
import tempfile
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from tests.browser import CHROMIUM_ARGUMENTS, PATIENCE, find_chromium
from tests.studio.running import Running
from tests.studio.window import Desk, sitting

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from playwright.sync_api import Locator

HOUSE_RULES = Path(__file__).resolve().parents[1] / "house_rules"
EDITION = "fuzzy-knights/normal@1.0"
ANSWERS = 20
"""Dice and choices after which a procedure is at its end, whichever it is."""
CHOICES = 4
"""What somebody chooses on the board before a game has been played a little."""
BOOK = 10 * PATIENCE
FOLLOWS = ("examples", "faq", "pages")
"""What is written once the rule itself stands: what shows that it holds, and the texts that no longer do."""


@dataclass(frozen=True, slots=True)
class Rule:
    """A house rule of `tests/house_rules/`: what is mistyped, what was meant, and the procedure to try it by."""

    name: str
    slip: tuple[str, str]
    procedure: str
    file: str = ""
    """The file of a layer below that has the procedure, where the rule itself has none."""
    given: tuple[tuple[str, str], ...] = ()
    """What is laid on the table beforehand, where the rule shows only then."""


RULES = (
    Rule("paid-shrine", ("hero.prayed_on == day or", "hero.prayd_on == day or"), "visit_shrine"),
    Rule(
        "citadel",
        ("needs: castle}", "needs: castel}"),
        "build",
        file="fuzzy-knights/core@1.0.1/daybreak.yaml",
        given=(("Settlement: tier", "castle"), ("Player 1: coins", "50")),
    ),
    Rule("rolled-movement", ("roll: hero.movement,", "roll: hero.movment,"), "hero_turn"),
    Rule("boots", ("do: wear,", "do: waer,"), "hero_turn"),
    Rule("hundred-coins", ("player.coin >= fortune}", "player.coin >= fortun}"), "end_of_turn"),
    Rule("pairs", ("when: not player.alliance", "when: not player.aliance"), "form_teams"),
    Rule("turning-anchor", ("when: day > 1}", "when: dey > 1}"), "pass_the_anchor"),
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
    """Return what a designer writes of a rule: the file without the line that editors read."""
    text = (HOUSE_RULES / rule / "rules.yaml").read_text(encoding="utf-8")
    return "".join(line for line in text.splitlines(keepends=True) if not line.startswith("# yaml-language-server"))


def parts(text: str) -> tuple[str, str]:
    """Return the rule itself, and what follows from it."""
    sections = re.split(r"(?m)^(?=\w+:)", text)
    follows = [each for each in sections if each.split(":")[0] in FOLLOWS]
    return "".join(each for each in sections if each not in follows), "".join(follows)


@dataclass
class Designer:
    """Somebody who writes at a desk. Every key counts."""

    desk: Desk
    effort: Effort = field(default_factory=Effort)
    picture: Callable[[str], None] = lambda name: None
    waiting: Callable[[str], AbstractContextManager[None]] = lambda what: nullcontext()
    """What is done inside is nothing but waiting, for what is named: whoever has a clock may look at it."""

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
        with self.waiting("start"):
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

    def _indent(self, expected: int) -> None:
        """Move to the right indentation where the editor begins a line elsewhere."""
        now = len(self._here())
        for _ in range(abs(expected - now) // 2):
            self.press("Tab" if expected > now else "Shift+Tab")
        assert len(self._here()) == expected, (self._here(), expected)

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
        """Return what is offered first, once the studio has answered."""
        page = self.desk.page
        with self.waiting("completion"):
            page.wait_for_function(
                "() => window.offeredIn(document.querySelector('.st-editor .cm-editor')) !== 'pending'"
            )
        return str(page.evaluate("() => window.offeredIn(document.querySelector('.st-editor .cm-editor'))"))

    def _here(self) -> str:
        """Return what stands on the line before the cursor."""
        return str(self.desk.page.evaluate("() => window.lineIn(document.querySelector('.st-editor .cm-editor'))"))

    # -- what the studio says -----------------------------------------------------------------

    def mend(self, slip: tuple[str, str]) -> None:
        """See what is wrong, go to what was mistyped, and take what is offered for it."""
        meant, typed = slip
        with self.waiting("squiggle"):
            self.desk.faulty()
        self.effort.rounds += 1
        word = next(
            each for each, right in zip(re.split(r"\W+", typed), re.split(r"\W+", meant), strict=True) if each != right
        )
        first = self.desk.page.locator(".cm-lintRange-error", has_text=word).first
        first.click()
        self.press("Control+.")
        with self.waiting("mend"):
            self.desk.page.locator("[role=menuitem]:focus").wait_for()
        self.picture("mend")
        # What mends stands first, or the menu would have somebody record, with one key, what is wrong.
        right = next(each for each in re.split(r"\W+", meant) if each and each not in re.split(r"\W+", typed))
        offered = self.desk.page.locator("[role=menuitem]:focus").inner_text()
        assert right in offered, offered
        self.press("Enter")
        self.desk.page.wait_for_function(
            "text => window.textIn(document.querySelector('.st-editor .cm-editor')).includes(text)", arg=meant
        )
        self.effort.offered += 1
        with self.waiting("check"):
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
        with self.waiting("check"):
            self.desk.settled()
        if self.desk.page.locator('[data-errors="0"]').count() == 0:
            self.effort.rounds += 1
        self.desk.sound()
        self.desk.shows_lines(text)

    def tries(self, rule: Rule) -> None:
        """Read it, play it with the dice in hand to its end, and keep that as an example."""
        page = self.desk.page
        if rule.file:
            self.desk.open(rule.file)
        self.desk.panel("Read")
        page.locator(".st-frames[data-answered]").wait_for(state="attached")
        page.evaluate("() => document.querySelector('.st-frames[data-answered]').removeAttribute('data-answered')")
        self.desk.search(f"{rule.procedure}:")
        with self.waiting("read"):
            page.locator(".st-frames[data-answered] .st-frame--shown").wait_for()
        self.desk.panel("Try")
        element = page.locator(".st-try__told li")
        waits = page.locator(".st-try__waits")
        with self.waiting("try"):
            waits.locator("p").first.wait_for()
        for name, value in rule.given:
            field = page.locator(".st-given").get_by_label(name)
            field.focus()
            if field.get_attribute("type") == "number":
                self.press("Control+a")
            self.type(value)
            self._answered(lambda: self.press("Tab"))
        for _ in range(ANSWERS):
            if waits.get_attribute("data-kind") not in ("dice", "choice"):
                break
            before = (element.count(), waits.inner_text())
            self._answer(waits)
            with self.waiting("try"):
                page.wait_for_function(
                    """([count, words]) => document.querySelectorAll(".st-try__told li").length !== count
                      || document.querySelector(".st-try__waits").innerText !== words""",
                    arg=list(before),
                )
        assert waits.get_attribute("data-kind") == "end", waits.inner_text()
        page.get_by_role("button", name="Save as an example…").focus()
        self.press("Enter")
        page.get_by_role("dialog").locator("input").wait_for()
        self.press("Enter")
        page.locator(f'[role=tab][title="{rule.name}/examples.yaml"][aria-selected=true]').wait_for()
        with self.waiting("check"):
            self.desk.sound()

    def _answer(self, waits: Locator) -> None:
        """Lay the highest that a die can show, or take what is offered last."""
        dice = waits.locator("input")
        if dice.count():
            dice.focus()
            self.type(dice.get_attribute("max") or "")
            self.press("Enter")
        elif waits.get_attribute("data-kind") == "dice":
            waits.locator(".st-face").last.click()
        else:
            waits.locator("button").last.click()

    def _answered(self, act: Callable[[], None]) -> None:
        """Do something that the panel answers by drawing itself anew."""
        page = self.desk.page
        page.evaluate("() => { document.querySelector('.st-try__asked').dataset.seen = 'yes' }")
        act()
        with self.waiting("try"):
            page.locator(".st-try__asked:not([data-seen])").wait_for()

    def plays(self, choices: int = CHOICES) -> None:
        """Begin a game on the board, and choose so often, or until it is over."""
        self.desk.panel("Play")
        frame = self.desk.page.frame_locator("iframe[title='The game']")
        begin = frame.get_by_role("button", name="Begin", exact=True)
        with self.waiting("play"):
            begin.wait_for()
        begin.click()
        element = frame.locator("#rw-play[data-state=asked]")
        with self.waiting("play"):
            element.wait_for()
        for _ in range(choices):
            before = element.get_attribute("data-choices")
            if not frame.locator(".rw-play__option:visible").count():
                frame.get_by_role("button", name="List all").click()
            frame.locator(".rw-play__option:visible").first.click()
            # What one waits for here is the bots, which move no faster than they can be followed.
            again = frame.locator(f"#rw-play[data-state=asked]:not([data-choices='{before}'])")
            over = frame.locator("#rw-play[data-state=over]")
            again.or_(over).wait_for()
            if over.count():  # who takes whatever stands first may lose before long
                return

    def publishes(self, *, book: bool = True) -> None:
        """Release it, step by step, with the keyboard: every text that waits is signed."""
        page = self.desk.page
        self.desk.command("Release…")
        steps = page.locator(".st-step")
        with self.waiting("release"):
            steps.first.wait_for()
        # How it plays is told by thousands of games, and whether they are worth their while is anybody's choice.
        for name in ("sign", "version", "lock", *(["book"] if book else [])):
            step = page.locator(f"[data-step={name}]")
            if step.get_attribute("data-state") in ("done", "none"):
                continue
            for box in step.get_by_role("checkbox").all():
                box.focus()
                self.press("Space")
            step.locator("button.st-button--main").focus()
            self.press("Enter")
            with self.waiting("book" if name == "book" else "release"):
                page.locator(f"[data-step={name}][data-state=done]").wait_for(timeout=BOOK)
        self.picture("release")
        self.press("Escape")
        page.locator("dialog").wait_for(state="detached")


def commands(rule: Rule) -> dict[str, tuple[str, ...]]:
    """Return what the same takes in a shell, by what is waited for.

    A mistake is found by one check, and gone at the next.
    """
    name, ref = rule.name, f"house/{rule.name}"
    check = f"rulewright check {ref} --rules {name}"
    return {
        "start": (f"rulewright new {name} --extends {EDITION}",),
        "squiggle": (check,),
        "check": (check,),
        "read": (f"rulewright diff {EDITION} {ref} --rules {name}",),
        "try": (f"rulewright run {ref} {rule.procedure} --rules {name}",),
        "play": (f"rulewright play {ref} --rules {name}",),
        "release": (f"rulewright check --sign {ref} --rules {name}", f"rulewright release {ref} --rules {name}"),
        "book": (f"rulewright book build {ref} --rules {name} --output {name}-book",),
    }


def in_a_terminal(rule: Rule) -> int:
    """Return the keys that the same takes with a plain editor and a shell: the file, and each command once."""
    lines = [line for each in commands(rule).values() for line in each]
    return len(written(rule.name)) + sum(len(line) + 1 for line in lines)


def design(designer: Designer, rule: Rule, *, book: bool) -> Effort:
    """Return one rule, from an empty folder to its release."""
    designer.start(rule.name)
    designer.rule(rule)
    designer.tries(rule)
    designer.plays()
    designer.publishes(book=book)
    return designer.effort


@contextmanager
def designing(rule: Rule) -> Iterator[tuple[Designer, Path]]:
    """Somebody at a studio of an empty folder, in a browser of their own."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright, tempfile.TemporaryDirectory() as folder:
        browser = playwright.chromium.launch(executable_path=find_chromium(), args=list(CHROMIUM_ARGUMENTS))
        home = Path(folder, rule.name)
        home.mkdir()
        with Running(home) as studio, sitting(browser, studio) as desk:
            yield Designer(desk), home
        browser.close()


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("rules", nargs="*", metavar="RULE", help=", ".join(rule.name for rule in RULES))
    names = parser.parse_args().rules
    unknown = sorted(set(names) - {rule.name for rule in RULES})
    if unknown:
        parser.error(f"no house rule is called {', '.join(unknown)}")
    print(f"{'rule':<17}{'keys':>6}{'in a terminal':>15}{'completed':>11}{'rounds':>8}{'mended by offers':>18}")
    for rule in RULES:
        if names and rule.name not in names:
            continue
        with designing(rule) as (designer, _):
            effort = design(designer, rule, book=True)
        text = f"{effort.keys:>6}{in_a_terminal(rule):>15}{effort.completed:>11}{effort.rounds:>8}{effort.offered:>18}"
        print(f"{rule.name:<17}{text}", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
