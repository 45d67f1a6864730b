"""Compare the rulebook build with plain MkDocs-Material, and a live edit with a build of its edition.

The first comparison: `build_site` of all shipped editions and stock Material for the same Markdown pages, alternately.
The second: a rules file is saved while the live view runs, and the page is requested at once over HTTP. For comparison,
the same edition is loaded, rendered and built alone, in the same process. Each result is a median.

    python benchmarks/book.py [--times 3]

Needs the `book` extra. It exits with 1 if a target is missed.
"""

from __future__ import annotations

import argparse
import logging
import re
import shutil
import statistics
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from threading import Thread
from urllib.request import urlopen

from _environments import ensure

ensure("mkdocs", "rulewright")

from mkdocs.commands.build import build  # noqa: E402
from mkdocs.config import load_config  # noqa: E402

from rulewright.book.changes.edition_history import Comparisons, PublishedEdition  # noqa: E402
from rulewright.book.dev_server.incremental_build import LiveSite  # noqa: E402
from rulewright.book.dev_server.live_server import BookServer  # noqa: E402
from rulewright.book.pages.change_marks import Marks  # noqa: E402
from rulewright.book.rulebook import render_site  # noqa: E402
from rulewright.book.site.book_folders import list_publishable, name_folders  # noqa: E402
from rulewright.book.site.markdown_export import export  # noqa: E402
from rulewright.book.site.publish import build_edition, build_site, load_all  # noqa: E402
from rulewright.ruleset.editions.catalogue import Catalogue  # noqa: E402
from rulewright.ruleset.load_ruleset import load_edition  # noqa: E402

RULES = Path(__file__).parent.parent / "rules"
EDIT_TARGET, BUILD_TARGET = 1.5, 3.0
LOOKED_AT = "fuzzy-knights-normal-1.0"
EDITS = {"one edition's file": "fuzzy-knights/normal-1.0", "a file below all": "fuzzy-knights/core"}
STOCK = """\
site_name: Rulebook
theme: {name: material, font: false}
use_directory_urls: false
markdown_extensions: [attr_list, md_in_html, tables, toc]
"""


def main() -> int:
    """Measure both comparisons. Return 1 if a target is missed."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--times", type=int, default=3)
    times: int = parser.parse_args().times
    logging.getLogger("mkdocs").setLevel(logging.CRITICAL)
    all_met = True
    with tempfile.TemporaryDirectory(prefix="rulewright-benchmark-") as temporary:
        work = Path(temporary)
        rules = Path(shutil.copytree(RULES, work / "rules"))
        for what, ratio, spread in edits(rules, work, times):
            print(f"edit of {what}, to the page: {ratio:.2f} x its edition's build ({spread}), target {EDIT_TARGET}")
            all_met &= ratio < EDIT_TARGET
        ratio, spread = builds(rules, work, times)
        print(f"every edition, compared with stock Material: {ratio:.2f} x ({spread}), target {BUILD_TARGET}")
        all_met &= ratio <= BUILD_TARGET
    return 0 if all_met else 1


def timed(work: Callable[[], object]) -> float:
    """Return the seconds that a call takes."""
    began = time.perf_counter()
    work()
    return time.perf_counter() - began


def edits(rules: Path, work: Path, times: int) -> list[tuple[str, float, str]]:
    """Return the ratio of medians for each kind of edit, with both times as text."""
    (work / "live").mkdir()
    server = BookServer(LiveSite([rules], work / "live"), port=0)
    Thread(target=server.serve, daemon=True).start()
    while not server.serve_thread.is_alive():
        time.sleep(0.05)
    results = []
    try:
        page = f"{server.url}{LOOKED_AT}/index.html"
        wait_until_idle(server, page)
        for what, folder in EDITS.items():
            page_times, alone = [], []
            for at in range(times):
                edit(rules / folder, at)
                page_times.append(timed(lambda: fetch(page)))
                wait_until_idle(server, page)
                alone.append(timed(lambda: build_alone(rules, work / "alone")))
                shutil.rmtree(work / "alone")
            one, other = statistics.median(page_times), statistics.median(alone)
            results.append((what, one / other, f"{one:.1f} s to {other:.1f} s"))
    finally:
        server.shutdown()
    return results


def edit(folder: Path, at: int) -> None:
    """Change the first heading of a page of the book in its rules file."""
    for path in sorted(folder.rglob("*.yaml")):
        text = path.read_text(encoding="utf-8")
        changed = re.sub(
            r"(\n {2}\w+:\n(?: {4}.*\n)*? {4}means: )(?=[A-Z])", rf"\g<1>{'Well, ' * (at % 2 + 1)}", text, count=1
        )
        if changed != text:
            path.write_text(changed, encoding="utf-8")
            return
    # Where no words can be changed a comment will do: the pages of the sources show it, and all is rendered again.
    path = next(path for path in sorted(folder.rglob("*.yaml")) if path.name != "ruleset.yaml")
    path.write_text(path.read_text(encoding="utf-8") + f"# {at}\n", encoding="utf-8")


def fetch(page: str) -> str:
    """Return a page as soon as it is up to date."""
    with urlopen(page) as answer:
        text: str = answer.read().decode()
    if "to mend in the rules" in text:
        raise SystemExit("the edit broke the rules")
    return text


def wait_until_idle(server: BookServer, page: str) -> None:
    """Wait until no build is running."""
    fetch(page)
    while server.site.choose_next(()) is not None:
        time.sleep(0.1)
    time.sleep(0.5)


def build_alone(rules: Path, output: Path) -> None:
    """Load, render and build only the visible edition."""
    catalogue = Catalogue([rules])
    editions = list_publishable(catalogue)
    names = name_folders(editions)
    edition = next(edition for edition in editions if names[edition.id] == LOOKED_AT)
    ruleset, _ = load_edition(catalogue, edition)
    assert ruleset is not None
    item = PublishedEdition(edition, LOOKED_AT, ruleset)
    build_edition(item, render_site(ruleset, Marks(item, Comparisons([item]))), output)


def builds(rules: Path, work: Path, times: int) -> tuple[float, str]:
    """Return the ratio of median build times of `build_site` and stock Material, with both times as text."""
    catalogue = Catalogue([rules])
    export(catalogue, work / "pages")
    names = [item.folder for item in load_all(catalogue)]
    ours, stock = [], []
    for _ in range(times):
        ours.append(timed(lambda: build_site(Catalogue([rules]), work / "site")))
        stock.append(timed(lambda: [build_stock(work, name) for name in names]))
    one, other = statistics.median(ours), statistics.median(stock)
    return one / other, f"{one:.1f} s to {other:.1f} s"


def build_stock(work: Path, name: str) -> None:
    """Build the pages of one edition with stock Material."""
    project = work / "stock" / name
    project.mkdir(parents=True, exist_ok=True)
    (project / "mkdocs.yml").write_text(STOCK, encoding="utf-8")
    config = load_config(
        str(project / "mkdocs.yml"), docs_dir=str(work / "pages" / name), site_dir=str(project / "site")
    )
    config.plugins.on_startup(command="build", dirty=False)
    build(config)
    config.plugins.on_shutdown()


if __name__ == "__main__":
    sys.exit(main())
