"""What stands above an entry to be clicked, and what it then shows."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from rulewright.lsp.features.workspace import Good, Workspace
from rulewright.source.span import Span

Ask = Callable[[str, Sequence[str]], int | None]
"""Puts a question with its answers to whoever clicked: the place of the answer; None where they give none."""


@dataclass(frozen=True, slots=True)
class LensResult:
    """A result as a page to be read: its title, and Markdown."""

    title: str
    text: str


@dataclass(frozen=True, slots=True)
class Lens:
    """Words above a line of a file: which lens it is, and what the entry below is, as section and id.

    Above the first line of a file the section is empty: that stands for the edition.
    """

    name: str
    title: str
    span: Span
    section: str
    id: str


@dataclass(frozen=True, slots=True, eq=False)
class LensTarget:
    """An entry whose lens was clicked, in an edition as it was checked last.

    A seed for what chance decides; and how to ask whoever clicked.
    """

    workspace: Workspace
    path: Path
    good: Good
    section: str
    id: str
    seed: int
    ask: Ask


Work = Callable[[], LensResult]
"""What is left to be done, away from whoever types. Raises `RulewrightError` where it cannot be done."""
