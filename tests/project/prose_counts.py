"""Count what makes docstrings and pages hard to read, and fail where there is more of it than the project allows.

usage: python -m tests.project.prose_counts [--list COUNT]

`make lint` runs it over the docstrings of `engine/` and over all Markdown pages: those at the root, and in `site/docs`,
`engine`, `editors` and `benchmarks`. The ceilings hold for all pages together and, with some leeway, for each page. A
count is a place to look: `--list joins` prints each sentence that it counted.
"""

from __future__ import annotations

import argparse
import ast
import re
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]

IRREGULAR = (
    "been|done|made|given|shown|written|known|taken|told|said|kept|found|held|left|built|read|put|set|sent|run|gone|laid|met"
    "|paid|seen|chosen|thrown|begun|cut|let|lost|won|brought|bought|meant|led|hidden|broken|spoken|stuck|understood|bound"
    "|drawn"
)
"""Participles that do not end in `-ed`."""

LONGEST_SENTENCE = 30
"""Words in a sentence that is not yet long."""

LEEWAY = 2
"""Sentences by which a single page may exceed a ceiling, because one sentence is a large share of a short page."""

WORD = re.compile(r"[A-Za-z0-9][\w’'./-]*")
ARGUMENT = re.compile(r"\s*\*{0,2}\w+( \([^)]*\))?: ")
"""An entry of `Args:` or `Raises:`, whose colon is no join."""


NO_PROSE = re.compile(
    r"\A---\n.*?\n---\n|^( *)```.*?^\1```|<figure.*?</figure>|<!--.*?-->|^#.*?$|^\|.*?$|^> As plain Markdown.*?$",
    re.MULTILINE | re.DOTALL,
)
"""The parts of a page that are no sentences: front matter, code, pictures, comments, headings, tables."""


@dataclass(frozen=True, slots=True)
class Count:
    """One thing to count: its share of the sentences may be at most `ceiling` percent, on pages `page_ceiling`."""

    name: str
    ceiling: float
    page_ceiling: float
    pattern: re.Pattern[str]

    def select(self, sentences: list[Sentence]) -> list[Sentence]:
        """Return the sentences that are counted."""
        return [one for one in sentences if self.pattern.search(one.text)]


COUNTS = (
    Count("wh-clauses", 5, 12, re.compile(r"\b(?:who(?:ever)?|what(?:ever)?|where)\b", re.IGNORECASE)),
    Count("joins", 10, 10, re.compile(r";|: ")),
    Count(
        "passives",
        20,
        20,
        re.compile(
            r"\b(?:am|is|are|was|were|be|been|being)\s+(?:(?:not|never|also|only|always|then|already|ever|still|just|\w+ly)\s+){0,2}"
            rf"(?:\w{{2,}}ed|{IRREGULAR})\b",
            re.IGNORECASE,
        ),
    ),
    Count(
        "house words",
        2,
        2,
        re.compile(
            r"\b(?:tell(?:s|ing)?|told|stands?|stood|lies|lay|laid|comes? (?:to|of)|came (?:to|of)|anew|whoever"
            r"|whatever|by itself|so many|so much|as good as|goes on|beside)\b",
            re.IGNORECASE,
        ),
    ),
    Count("long sentences", 5, 5, re.compile(rf"(?:{WORD.pattern}\W+){{{LONGEST_SENTENCE}}}{WORD.pattern}")),
)


@dataclass(frozen=True, slots=True)
class Sentence:
    """One sentence, and the line in which its docstring or paragraph begins."""

    file: Path
    line: int
    text: str


def split_sentences(text: str) -> Iterator[str]:
    """Yield the sentences of a docstring, each on one line and with `code` in place of quoted code."""
    text = re.sub(r"```.*?```", "", text, flags=re.DOTALL)
    for paragraph in re.split(r"\n\s*\n|\n(?=\s*(?:[-*]|\d+\.)\s)|\n(?=    \S)", text):
        entry = ARGUMENT.sub("", paragraph) if paragraph.startswith("    ") else paragraph
        line = re.sub(r"`[^`]*`", "code", re.sub(r"\s+", " ", entry)).strip(" *-")
        for sentence in re.split(r"(?<=[.!?…])[\"”’)*]*\s+(?=[\"“‘(*A-Z0-9c])", line):
            if len(re.findall(r"[A-Za-z]{2,}", sentence)) >= 3:
                yield sentence


def read_docstrings(file: Path) -> Iterator[Sentence]:
    """Yield the sentences of each docstring of a module, its classes and its functions."""
    for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef | ast.Module):
            for sentence in split_sentences(ast.get_docstring(node) or ""):
                yield Sentence(file, getattr(node, "lineno", 1), sentence)


def read_page(file: Path) -> Iterator[Sentence]:
    """Yield the sentences of a Markdown page, with the texts of links in place of links."""
    # Removed parts leave their line breaks, so that lines keep their numbers.
    text = NO_PROSE.sub(lambda part: "\n" * part[0].count("\n"), file.read_text(encoding="utf-8"))
    for paragraph in re.finditer(r"(?:[^\n]+\n?)+", text):
        line = text.count("\n", 0, paragraph.start()) + 1
        for sentence in split_sentences(re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", paragraph[0])):
            yield Sentence(file, line, sentence)


def list_pages() -> list[Path]:
    """Return the pages whose prose is counted."""
    pages = [*ROOT.glob("*.md"), *(ROOT / "benchmarks").glob("*.md"), *(ROOT / "editors").glob("*/*.md")]
    return sorted([*pages, *(ROOT / "engine").rglob("*.md"), *(ROOT / "site" / "docs").rglob("*.md")])


def find_hard_pages(pages: list[list[Sentence]]) -> Iterator[str]:
    """Yield a message for each page, given as its sentences, and each count that is above its ceiling on this page."""
    for sentences in pages:
        for count in COUNTS:
            counted = count.select(sentences)
            if len(counted) > len(sentences) * count.page_ceiling / 100 + LEEWAY:
                yield f"{sentences[0].file}: {count.name}: {len(counted)} of {len(sentences)} sentences"


def main() -> int:
    """Print each count beside its ceiling, and fail if one is above it."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--list", choices=[count.name for count in COUNTS], help="print each sentence that this counts")
    listed = parser.parse_args().list
    docstrings = [one for file in sorted((ROOT / "engine").rglob("*.py")) for one in read_docstrings(file)]
    pages = [list(read_page(page)) for page in list_pages()]
    failed = False
    for count in COUNTS:
        for sentences, kind, ceiling in (
            (docstrings, "docstrings", count.ceiling),
            ([one for page in pages for one in page], "pages", count.page_ceiling),
        ):
            counted = count.select(sentences)
            share = 100 * len(counted) / len(sentences)
            failed |= share > ceiling
            print(f"{count.name}: {share:.1f} % of {len(sentences)} sentences of {kind}, at most {ceiling:g} %")
            if count.name == listed:
                print(*(f"{one.file.relative_to(ROOT)}:{one.line}: {one.text}" for one in counted), sep="\n")
    for message in find_hard_pages(pages):
        print(message)
        failed = True
    return int(failed)


if __name__ == "__main__":
    sys.exit(main())
