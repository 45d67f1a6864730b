"""The site of everything shipped, as a publisher builds it; built once for all tests that look at it.

`python -m tests.published DIR` builds it ahead of them.
"""

from __future__ import annotations

import shlex
import sys
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from filelock import FileLock

from rulewright.book.dev_server.live_server import render_fault_page
from rulewright.book.site.book_folders import list_publishable, name_folders
from rulewright.cli.main import main
from rulewright.ruleset.editions.catalogue import Catalogue
from rulewright.ruleset.load_ruleset import load_edition, load_ruleset
from tests.book.garden import steps, write_garden
from tests.site.kinds import FAULTS, SITE, URL

BUILDS_EVERYTHING = "rulewright book build --output site"
"""The command of the README, by which the site is built."""
RULES = Path(__file__).resolve().parents[1] / "rules"


def publish_once(root: Path) -> Path:
    """Build the site at `SITE` in the folder of a host, and a page of faults beside it, if nobody has yet.

    Whichever worker comes first builds them.
    """
    root.parent.mkdir(parents=True, exist_ok=True)
    with FileLock(root.with_suffix(".lock")):
        if not (root / SITE).is_dir():
            _, *arguments, site = shlex.split(BUILDS_EVERYTHING)
            assert site == "site"
            assert main([*arguments, str(root / SITE), "--base-url", URL]) == 0
        if not (root / FAULTS).is_file():
            with TemporaryDirectory() as folder:
                (root / FAULTS).write_text(_faults(Path(folder)), encoding="utf-8")
    return root


@cache
def editions() -> dict[str, str]:
    """Return the folder in the site of each edition, by the edition's name."""
    return dict(name_folders(list_publishable(Catalogue([RULES]))))


@cache
def rules_of(edition: str) -> dict[str, Any]:
    """Return the resolved rules of an edition, as plain data."""
    plain: Any = load_ruleset(edition, rules=[RULES]).resolved.rules.to_plain()
    return dict(plain)


FEW = (
    "fuzzy-knights/normal@1.0.1",
    "fuzzy-knights/medium@0.1.1",
    "classics/backgammon@1.0.0",
    "classics/yacht@1.0.0",
    "pig/classic@1.0.0",
)
"""Editions that show what books can hold: the largest, whole and extended; a board, a table of figures; the smallest.

The other classics are made like these, and earlier drafts of a game hold what its later ones do.
"""


def _faults(folder: Path) -> str:
    """Return the page of a game with a misspelt word and a table with a gap."""
    rules = steps().replace("on: 1-3", "on: 1-2").replace("{numbers.harvest}", "{numbers.harvst}")
    catalogue = Catalogue([write_garden(folder, rules)])
    (edition,) = catalogue.list_editions()
    _, diagnostics = load_edition(catalogue, edition)
    assert diagnostics.errors
    return render_fault_page(diagnostics.errors)


if __name__ == "__main__":
    publish_once(Path(sys.argv[1]).resolve())
