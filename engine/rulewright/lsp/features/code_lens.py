"""The model of code lenses: the titles above entries, and their results."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from rulewright.lsp.features.edition_states import Good
from rulewright.lsp.features.workspace import Workspace
from rulewright.source.span import Span

Ask = Callable[[str, Sequence[str]], int | None]
"""A function that asks the user a question and returns the index of the answer, or None if the user cancels."""


@dataclass(frozen=True, slots=True)
class LensResult:
    """A result as a page with a title and Markdown text."""

    title: str
    text: str


@dataclass(frozen=True, slots=True)
class Lens:
    """A title above a line of a file: the kind of lens, and the entry below it as section and id.

    Above the first line of a file, the section is empty and the lens is about the edition.
    """

    name: str
    title: str
    span: Span
    section: str
    id: str


@dataclass(frozen=True, slots=True, eq=False)
class LensTarget:
    """A clicked entry, in the last checked state of an edition.

    It has the seed for random results, and a function that asks the user.
    """

    workspace: Workspace
    path: Path
    good: Good
    section: str
    id: str
    seed: int
    ask: Ask


Work = Callable[[], LensResult]
"""The remaining work of a lens, in another thread. Raises `RulewrightError` if it fails."""
