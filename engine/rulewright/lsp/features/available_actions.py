"""The model of code actions: a change of files, or a command that makes one."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path

from rulewright.authoring.verify_fix import is_worth_offering
from rulewright.lsp.features.edition_states import Good
from rulewright.lsp.features.symbol_at import SymbolAt
from rulewright.lsp.features.workspace import Workspace
from rulewright.ruleset.layers.layer import Layer
from rulewright.source.diagnostics.diagnostic import Diagnostic, Edit
from rulewright.source.files.unsaved_texts import build_file_key
from rulewright.source.source_map import SOURCES
from rulewright.source.span import Span

FIX = "quickfix"
DISABLE = "quickfix.disable"
REFACTOR = "refactor"
"""The LSP kinds of actions: a fix of a problem, a fix that gives something up, and other changes."""


@dataclass(frozen=True, slots=True)
class CodeAction:
    """An offered change, the diagnostic it fixes, if any, and whether it is the preferred one.

    A fix `resolves` a diagnostic in the range, or one of another file. An expensive change is a `command` with its
    arguments, which computes the change when the user chooses it. `value` is the inserted value that the user is
    expected to change, so a client may ask for another one first. `select` is the part of the inserted text that a
    client selects, so that the user can type over it. `kind` is the LSP kind.
    """

    title: str
    edits: tuple[Edit, ...] = ()
    resolves: Diagnostic | None = None
    preferred: bool = False
    command: str = ""
    arguments: tuple[str, ...] = ()
    value: str = ""
    select: str = ""
    kind: str = REFACTOR


@dataclass(frozen=True, slots=True, eq=False)
class ActionRequest:
    """A request for code actions: the range, the diagnostics of the file, and the symbol in the range."""

    workspace: Workspace
    path: Path
    place: Span
    diagnostics: tuple[Diagnostic, ...]
    symbol: SymbolAt | None

    @property
    def good(self) -> Good | None:
        """The edition of the file in its current state, or None if its rules have changed since they were checked."""
        good = next(iter(self.workspace.list_good(self.path)), None)
        return good if good is not None and self.workspace.is_current(good) else None

    def find_own_layer(self, good: Good) -> Layer | None:
        """Return the layer of an edition that the file belongs to, with its texts loaded.

        None if the edition does not read the file.
        """
        home = self.workspace.texts.find_home(self.path)
        own = build_file_key(home) if home is not None else ""
        own_layer = next((layer for layer in good.ruleset.resolved.layers if build_file_key(layer.folder) == own), None)
        if own_layer is not None:
            load_texts(self.workspace, own_layer)
        return own_layer


def build_fix_all(result: Iterable[Diagnostic], text_of: Callable[[str], str | None]) -> CodeAction | None:
    """Return one action for all proposed fixes that help and do not overlap. None if there are fewer than two."""
    saved: list[Edit] = []
    diagnostics: list[Diagnostic] = []
    for diagnostic in result:
        edits = [edit for edit in diagnostic.edits if edit not in saved]
        apart = not any(overlaps(edit.span, other.span) for edit in edits for other in saved)
        if edits and apart and is_worth_offering([diagnostic], text_of):
            saved += edits
            diagnostics.append(diagnostic)
    if len(diagnostics) < 2 or not is_worth_offering(diagnostics, text_of):
        return None
    return CodeAction(f"Apply all {len(diagnostics)} fixes", tuple(saved))


def overlaps(one: Span, other: Span) -> bool:
    """Return whether two ranges of one file share a character, or touch if one of them is empty."""
    return (one.line, one.column) <= (other.end_line, other.end_column) and (other.line, other.column) <= (
        one.end_line,
        one.end_column,
    )


def is_at(request: ActionRequest, span: Span) -> bool:
    """Return whether a span overlaps the range of a request."""
    return build_file_key(span.file) == build_file_key(request.path) and overlaps(span, request.place)


def load_texts(workspace: Workspace, layer: Layer) -> None:
    """Load the texts of a layer's files into `SOURCES`, for rules that came from the cache."""
    for file in layer.files:
        name = file.span.file
        text = workspace.texts.get_text(name) if SOURCES.find_text(name) is None else None
        if text is not None:
            SOURCES.remember(name, text)
