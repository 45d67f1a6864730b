"""The site of everything shipped, as a publisher builds it; built once for all tests that look at it."""

from __future__ import annotations

from pathlib import Path

from filelock import FileLock

from rulewright.book.publish import build_site
from rulewright.cli.example_odds import book_odds
from rulewright.ruleset.catalogue import Catalogue
from tests.site.kinds import SITE, URL


def publish_once(root: Path, checkout: Path) -> Path:
    """Build the site at `SITE` in the folder of a host, if nobody has yet. Whichever worker comes first builds it."""
    root.parent.mkdir(parents=True, exist_ok=True)
    with FileLock(root.with_suffix(".lock")):
        if not (root / SITE).is_dir():
            build_site(Catalogue([checkout / "rules"]), root / SITE, url=URL, weigh=book_odds)
    return root
