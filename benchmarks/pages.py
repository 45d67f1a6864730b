"""Compare the Lighthouse scores of our pages on a simulated phone with stock MkDocs-Material for the same text.

Each main kind of page is measured several times in one Chromium, ours and stock by turns; the median is the score. A
score is a time in disguise, so it belongs here and not among the tests, which hold what it follows from (bytes,
requests, elements, what blocks).

    python benchmarks/pages.py [--runs 3]

Needs the `book` extra, Chromium and Node (`make audits`). It exits with 1 where a page of ours scores below 0.9, or
below stock Material by more than 0.05.
"""

from __future__ import annotations

import argparse
import logging
import shutil
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

from _environments import ROOT, ensure
from _report import Ratio, report

ensure("mkdocs", "rulewright")
sys.path.insert(0, str(ROOT))

from book import build_stock  # noqa: E402

from rulewright.book.site.markdown_export import export  # noqa: E402
from rulewright.book.site.publish import build_site  # noqa: E402
from rulewright.ruleset.editions.catalogue import Catalogue  # noqa: E402
from tests.site.kinds import BOOK, KINDS, SITE, URL  # noqa: E402
from tests.site.lighthouse import lighthouse  # noqa: E402
from tests.site.server import serving  # noqa: E402

WANTED, BEHIND = 0.9, 0.05


def main() -> int:
    """Measure the pages. Return 1 if a target is missed."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--runs", type=int, default=3)
    runs: int = parser.parse_args().runs
    logging.getLogger("mkdocs").setLevel(logging.CRITICAL)
    subprocess.run(["make", "--silent", "audits"], cwd=ROOT, check=True, stdout=sys.stderr)
    with tempfile.TemporaryDirectory(prefix="rulewright-benchmark-") as temporary:
        work = Path(temporary)
        catalogue = Catalogue([ROOT / "rules"])
        build_site(catalogue, work / "host" / SITE, url=URL)
        export(catalogue, work / "pages")
        edition = BOOK.rpartition("/")[2]
        build_stock(work, edition)
        stock = f"{SITE}/stock"
        shutil.copytree(work / "stock" / edition / "site", work / "host" / stock)
        ratios = []
        with serving(work / "host") as address, lighthouse(shutil.which("node") or "node") as measure:

            def score(path: str) -> float:
                return float(measure(address + path, ["performance"])["categories"]["performance"]["score"])

            for kind in (kind for kind in KINDS if kind.main):
                theirs = kind.path.replace(BOOK, stock) if kind.path.startswith(BOOK) else None
                if theirs is not None and not (work / "host" / theirs).is_file():
                    theirs = None
                ours_found, theirs_found = [], []
                for _ in range(runs):
                    ours_found.append(score(kind.path))
                    if theirs is not None:
                        theirs_found.append(score(theirs))
                ours = statistics.median(ours_found)
                ratios.append(Ratio(f"{kind.name}: score", ours, at_least=WANTED))
                if theirs_found:
                    beside = ours / statistics.median(theirs_found)
                    ratios.append(
                        Ratio(f"{kind.name}: score compared with stock Material's", beside, at_least=1 - BEHIND)
                    )
    return report(ratios)


if __name__ == "__main__":
    sys.exit(main())
