"""The pages on how to add something: what they say is written into a copy of the checkout, typed there, and works.

Their files are new ones and nothing else changes. One copy and one process serve all pages.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.checkout_copy import copy_checkout
from tests.snippets import Snippet, compare, snippets, write

ROOT = Path(__file__).resolve().parents[2]
ADD = ROOT / "site" / "docs" / "contributing" / "add"
PAGES = sorted(path.stem for path in ADD.glob("*.md") if path.stem not in {"index", "tests"})
SCREEN = 70
"""Lines of a page with its code in full, what commands print aside."""

PLUGINS = Path(__file__).parent / "plugins"
"""Statements, a board shape, and rules that use them, as somebody who knew only the pages wrote them."""

PLACES = {
    "statements/*.py": "engine/rulewright/language/statements",
    "statements/*.j2": "docs_templates/statements",
    "german/*.py": "engine/rulewright/book/languages/de/statements",
    "shapes/*.py": "engine/rulewright/ruleset/boards/shapes",
}
"""Where the files of `PLUGINS` belong. The folder `fair` belongs with the rules."""

HOMES = ("engine/rulewright/", "docs_templates/", "my-rules/", "tests/")
"""Where the files of a page may lie."""


def blocks(page: str) -> list[Snippet]:
    """Return the blocks of a page that are typed."""
    return [block for block in snippets(ADD / f"{page}.md") if block.mark]


def files(page: str) -> list[Snippet]:
    """Return the blocks of a page that are files."""
    return [block for block in snippets(ADD / f"{page}.md") if block.file]


@pytest.fixture(scope="module")
def checkout(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a copy of the checkout with the files of every page."""
    folder = copy_checkout(tmp_path_factory.mktemp("checkout"), copied=("engine", "docs_templates"))
    for page in ("index", "tests", *PAGES):
        for file in files(page):
            assert not (folder / file.file).exists(), f"{page} does not add {file.file}: it is there"
            assert file.file.startswith(HOMES)
            write(file, folder)
    for files_there, place in PLACES.items():
        for source in PLUGINS.glob(files_there):
            shutil.copy(source, folder / place)
    shutil.copytree(PLUGINS / "fair", folder / "my-rules" / "fair")
    return folder


def run_in(checkout: Path, module: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Run a module with the engine of a copy of the checkout."""
    environment = {
        **os.environ,
        "PYTHONPATH": os.pathsep.join([str(checkout / "engine"), str(ROOT), str(ROOT / "site")]),
        "RULEWRIGHT_CACHE": "off",
        "PYTHONDONTWRITEBYTECODE": "1",
        "COLUMNS": "72",
    }
    asked = [sys.executable, "-m", module, *arguments]
    return subprocess.run(asked, cwd=checkout, env=environment, text=True, capture_output=True, check=False)


@pytest.fixture(scope="module")
def results(checkout: Path) -> dict[str, Any]:
    """Return what came of it all."""
    typed = {page: [[block.language, block.text] for block in blocks(page)] for page in PAGES}
    done = run_in(checkout, "tests.docs.plugin_driver", json.dumps(typed))
    assert done.returncode == 0, done.stderr
    answer: dict[str, Any] = json.loads(done.stdout)
    return answer


@pytest.mark.parametrize("page", PAGES)
def test_what_is_typed_does_what_the_page_shows(page: str, results: dict[str, Any]) -> None:
    typed = blocks(page)
    assert typed, "nothing is typed"
    for block, (code, printed) in zip(typed, results["typed"][page], strict=True):
        assert code == (1 if block.mark == "fails" else 0), printed
        assert block.output is not None, f"the page does not show what `{block.first}` prints:\n{printed}"
        compare(block, printed)


@pytest.mark.parametrize("page", PAGES)
def test_a_page_is_no_more_than_a_screen(page: str) -> None:
    printed = sum(block.output.count("\n") + 2 for block in blocks(page) if block.output)
    assert len((ADD / f"{page}.md").read_text(encoding="utf-8").splitlines()) - printed <= SCREEN


def test_the_sample_tests_pass(checkout: Path) -> None:
    added = [file.file for file in files("tests")]
    done = run_in(checkout, "pytest", "-q", "-p", "no:cacheprovider", "-c", os.devnull, "--noconftest", *added)
    assert done.returncode == 0, done.stdout


def test_the_code_passes_lint_and_types(checkout: Path) -> None:
    added = [file.file for page in ("tests", *PAGES) for file in files(page) if file.file.endswith(".py")]
    for tool in (("ruff", "check", "--no-cache"), ("ruff", "format", "--check", "--no-cache"), ("mypy",)):
        done = run_in(checkout, *tool, *(file for file in added if tool != ("mypy",) or file.startswith("engine/")))
        assert done.returncode == 0, done.stdout


def test_every_page_is_in_the_list() -> None:
    overview = (ADD / "index.md").read_text(encoding="utf-8")
    assert [page for page in ("tests", *PAGES) if f"({page}.md)" not in overview] == []


@pytest.mark.parametrize("page", [*ADD.glob("*.md"), ROOT / "CONTRIBUTING.md"], ids=lambda page: page.stem)
def test_files_and_folders_on_a_page_exist(page: Path) -> None:
    prose = re.sub(r"^```.*?^```", "", page.read_text(encoding="utf-8"), flags=re.MULTILINE | re.DOTALL)
    named = re.findall(r"`([\w./-]+/(?:\w+\.(?:py|js|j2|md|yaml))?)`", prose)
    homes = (ROOT, ROOT / "engine" / "rulewright", ROOT / "site")
    assert [path for path in named if not any((home / path).exists() for home in homes)] == []


def test_all_machines_play_what_was_added_alike(results: dict[str, Any]) -> None:
    assert results["alike"] == {"long": 24, "over": 72}
    assert results["machines"] == ["Traced", "WasmMachine"]


def test_a_player_knows_the_own_answer_of_each_round(results: dict[str, Any]) -> None:
    """The sample resets its slot before it asks, as the page demands."""
    assert results["known"]


@pytest.mark.parametrize(("page", "sample"), [("branches", "statements"), ("german-blocks", "german")])
def test_a_page_quotes_the_sample(page: str, sample: str) -> None:
    text = (ADD / f"{page}.md").read_text(encoding="utf-8")
    quoted = [part.strip() for part in re.findall(r"^```python\n(.*?)^```", text, re.M | re.S)]
    assert len(quoted) == 1
    whole = (PLUGINS / sample / "sample_stake.py").read_text(encoding="utf-8")
    methods = re.sub(r"^ {4}", "", whole, flags=re.MULTILINE)
    assert quoted[0] in whole or quoted[0].replace("\n\n\n", "\n\n") in methods


def test_all_machines_play_the_fairground_alike(results: dict[str, Any]) -> None:
    """Its statements enter blocks after an answer and after a roll, in loops, in each other, and with no steps."""
    assert results["fair"]["alike"] == {"over": 96}
    assert results["fair"]["check"].startswith("✓ my/fair@1.0.0: valid (4 procedures, 49 steps, 1 table")


def test_the_fairground_is_counted_by_what_it_asks(results: dict[str, Any]) -> None:
    by_rule = {each["rule"]: each["options"] for each in results["fair"]["coverage"]["options"]}
    assert {(each["option"], each["label"]) for each in by_rule["game.ride"]} == {
        ("accept", "Accept"),
        ("decline", "Decline"),
    }
    assert [each["label"] for each in by_rule["game.goes"]] == ["Whichever"]


def test_the_book_of_the_fairground_is_right(results: dict[str, Any]) -> None:
    words = re.sub("<[^>]+>", "", results["fair"]["site"]["whole.html"])
    assert "one after another (the player who is asked), if" in words
    assert "“Do you pay for a ride?”; that player is the passenger. If one does:" in words
    assert "If a passenger has accepted, the one gains 1 Coin." in words
    assert "The Well Hub" not in words


def test_the_german_book_of_the_fairground_is_right(results: dict[str, Any]) -> None:
    """Its statements have several results, a label for choosing nothing, and nested steps that may be left out."""
    words = re.sub("<[^>]+>", "", results["fair"]["german"]["fair.md"])
    assert "das Geschenk für den Spieler oder „Nichts geben“, wenn der Geber weniger als 3 Münzen hat." in words
    assert "Der Nächste, nacheinander, wählt den Preis für den Nächsten. Zur Wahl stehen alle Preise." in words
    assert "Wenn der erste Wurf des Duells größer ist als der zweite Wurf des Duells, erhält der Spieler" in words


def test_what_is_wrong_is_refused(results: dict[str, Any]) -> None:
    misspelt, player, clamped = results["refused"].values()
    assert "did you mean `score`?" in misspelt
    assert "a number is needed here, but this is a player" in player
    assert "`clamp` takes a number, the least it may be, and the most" in clamped
    for told in results["refused"].values():
        assert "rules.yaml:1:" in told


def test_what_is_wrong_at_the_fair_is_refused(results: dict[str, Any]) -> None:
    outward, inward, own, later, nobody, small = results["refused_at_the_fair"].values()
    assert "a row of yard is needed here, but this is a list (a row of yard)" in outward
    assert "`first` takes a list, or a number and a list" in inward
    assert "`a` would also be the name of the result of this step" in own
    assert "= help: choose another name" in own
    assert "nothing here is called `b`" in later
    assert "must not be none" in nobody
    assert "a wheel has at least 3 spokes" in small
    assert "= help: write a whole number of at least 3" in small


def test_what_was_added_is_listed(results: dict[str, Any]) -> None:
    assert "  fond         fond:hold takes" in results["help"]["play"]
    assert "  traced       interprets" in results["help"]["play"]
    assert "  fond         fond:hold takes" in results["help"]["simulate"]
    assert "  ends         takes the first option or the last" in results["help"]["odds"]
    reference = results["reference"]
    assert "## `double:`\n\nMakes a number twice what it is." in reference["steps"]
    assert "`clamp(number, least, most)`" in reference["expressions"]
    assert "## `credits:`\n\nWho made the game." in reference["files"]
    assert "## `unexplained-number`" in reference["diagnostics"]
    assert "## `shouting-title`" in reference["diagnostics"]
    assert "| Compare the sizes of procedures. | [`steps`](commands/steps.md) |" in reference["commands"]


def test_the_book_says_and_shows_what_was_added(results: dict[str, Any]) -> None:
    site = results["site"]
    words = re.sub("<[^>]+>", "", site["whole.html"])
    assert "Double the player’s score." in words
    assert "came (but at least 3 and at most 5)" in words
    assert "<title>Tower: 3 stairs</title>" in site["whole.html"]
    assert 'id="credit-ada"' in site["credits.md"] + site["thanks.md"]
    assert "· Drew the" in site["thanks.md"]
    assert "credits.md" in site["index.md"]
