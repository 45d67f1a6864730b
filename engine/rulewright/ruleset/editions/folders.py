"""Walking through folders, in the same order everywhere."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

from rulewright.source.diagnostics.collected import Diagnostics
from rulewright.source.diagnostics.diagnostic import Code
from rulewright.source.span import Span

FOLDER_UNREADABLE = Code(
    "folder-unreadable",
    "A folder that cannot be read",
    "Whatever rules it holds would be left out without a word.",
    "Check the permissions of the folder.",
)

DEEPEST = 16
"""No folder of rules is nested deeper; a loop of links ends here at the latest."""


def walk(folder: Path, diagnostics: Diagnostics, *, depth: int = DEEPEST) -> Iterator[tuple[Path, list[str]]]:
    """Each folder from `folder` down to `depth` levels below it, with the names of its files, in alphabetical order.

    Hidden folders and files are left out, and a folder that links lead to twice comes up once. One that cannot be read
    goes to `diagnostics`.
    """
    seen: set[str] = set()

    def visit(inside: Path, depth: int) -> Iterator[tuple[Path, list[str]]]:
        real = os.path.realpath(inside)
        if real in seen:
            return
        seen.add(real)
        try:
            with os.scandir(inside) as listing:
                shown = sorted((entry for entry in listing if not entry.name.startswith(".")), key=lambda e: e.name)
                # A folder that is called as a manifest is one that cannot be read, and not passed over.
                folders = [entry.name for entry in shown if entry.is_dir() and entry.name != "ruleset.yaml"]
        except OSError as error:
            reason = error.strerror or "it cannot be opened"
            message = f"the folder `{inside}` cannot be read: {reason[:1].lower()}{reason[1:]}"
            diagnostics.add(FOLDER_UNREADABLE, message, Span.at(os.fspath(inside)))
            return
        yield inside, [entry.name for entry in shown if entry.name not in folders]
        if depth > 0:
            for name in folders:
                yield from visit(inside / name, depth - 1)

    yield from visit(folder, depth)
