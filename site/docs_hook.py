"""What MkDocs does not do by itself for the documentation: the reference, shared assets, and figures worked out."""

from __future__ import annotations

import re
import sys
from pathlib import Path

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files
from mkdocs.structure.pages import Page

from rulewright.cli.reference import pages

SITE = Path(__file__).parent
ROOT = SITE.parent

MARKS = re.compile(r"^(?P<fence>\s*```(?:sh|python|text|yaml))(?: (?:run|fails|output))+", re.MULTILINE)
"""What only the tests read: which blocks are run (tests/snippets.py)."""


def on_files(files: Files, *, config: MkDocsConfig) -> Files:
    """Add the theme's assets, which lie beside the folder of the pages, and the generated reference."""
    for path in sorted((SITE / "assets").iterdir()):
        files.append(File(f"assets/{path.name}", str(SITE), config.site_dir, config.use_directory_urls))
    for name, text in pages().items():
        files.append(File.generated(config, f"reference/{name}", content=text))
    return files


def on_page_markdown(markdown: str, *, page: Page, config: MkDocsConfig, files: Files) -> str:
    """Take the marks for tests out, and put worked-out tables in."""
    if "<!-- repetition -->" in markdown:
        markdown = markdown.replace("<!-- repetition -->", _repetition())
    return MARKS.sub(r"\g<fence>", markdown)


def _repetition() -> str:
    """How much each edition repeats another, measured as the tests measure it."""
    sys.path.insert(0, str(ROOT))
    try:
        from tests.rules.repetition import EDITIONS, repetition
    finally:
        sys.path.remove(str(ROOT))
    rows = ["| edition | states | repeats another | share |", "| --- | ---: | ---: | ---: |"]
    for edition in EDITIONS[1:]:
        own, repeated = repetition(ROOT / "rules" / "fuzzy-knights", edition)
        rows.append(f"| {edition} | {len(own)} | {len(repeated)} | {len(repeated) / len(own):.1%} |")
    return "\n".join(rows)
