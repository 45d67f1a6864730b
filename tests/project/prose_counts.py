"""Count what makes docstrings hard to read, and fail where there is more of it than the project allows.

usage: python -m tests.project.prose_counts [--list COUNT]

`make lint` runs it over `engine/`. A count is a place to look: `--list joins` prints each sentence that it counted.
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

WORD = re.compile(r"[A-Za-z0-9][\w’'./-]*")
ARGUMENT = re.compile(r"\s*\*{0,2}\w+( \([^)]*\))?: ")
"""An entry of `Args:` or `Raises:`, whose colon is no join."""


@dataclass(frozen=True, slots=True)
class Count:
    """One thing to count: its share of the sentences may be at most `ceiling` percent."""

    name: str
    ceiling: float
    pattern: re.Pattern[str]


COUNTS = (
    Count("wh-clauses", 5, re.compile(r"\b(?:who(?:ever)?|what(?:ever)?|where)\b", re.IGNORECASE)),
    Count("joins", 10, re.compile(r";|: ")),
    Count(
        "passives",
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
        re.compile(
            r"\b(?:tell(?:s|ing)?|told|stands?|stood|lies|lay|laid|comes? (?:to|of)|came (?:to|of)|anew|whoever"
            r"|whatever|by itself|so many|so much|as good as|goes on|beside)\b",
            re.IGNORECASE,
        ),
    ),
    Count("long sentences", 5, re.compile(rf"(?:{WORD.pattern}\W+){{{LONGEST_SENTENCE}}}{WORD.pattern}")),
)


@dataclass(frozen=True, slots=True)
class Sentence:
    """One sentence of a docstring, and the line its docstring begins in."""

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


def main() -> int:
    """Print each count beside its ceiling, and fail if one is above it."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--list", choices=[count.name for count in COUNTS], help="print each sentence that this counts")
    listed = parser.parse_args().list
    sentences = [one for file in sorted((ROOT / "engine").rglob("*.py")) for one in read_docstrings(file)]
    failed = False
    for count in COUNTS:
        counted = [one for one in sentences if count.pattern.search(one.text)]
        share = 100 * len(counted) / len(sentences)
        failed |= share > count.ceiling
        print(f"{count.name}: {share:.1f} % of {len(sentences)} sentences of docstrings, at most {count.ceiling:g} %")
        if count.name == listed:
            print(*(f"{one.file.relative_to(ROOT)}:{one.line}: {one.text}" for one in counted), sep="\n")
    return int(failed)


if __name__ == "__main__":
    sys.exit(main())
