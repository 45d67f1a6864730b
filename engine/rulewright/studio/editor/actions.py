"""What an editor offers to do at a place: the changes that diagnostics carry, and a text to be signed."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from rulewright.ruleset.layers.layer import Layer
from rulewright.ruleset.layers.written import value_set
from rulewright.ruleset.section import sections
from rulewright.ruleset.words.outdated import is_signed, signed
from rulewright.source.diagnostics.diagnostic import Diagnostic, Edit
from rulewright.source.files.unsaved import key_of_file
from rulewright.source.nodes import Mapping, Node
from rulewright.source.source_map import SOURCES
from rulewright.source.span import Span
from rulewright.studio.editor.pointing import pointed
from rulewright.studio.editor.workspace import Workspace


@dataclass(frozen=True, slots=True)
class Action:
    """A change that is offered, the diagnostic it mends, if any, and whether it is the one most likely meant."""

    title: str
    edits: tuple[Edit, ...]
    mends: Diagnostic | None = None
    preferred: bool = False


def actions(workspace: Workspace, path: Path, place: Span, found: Iterable[Diagnostic]) -> list[Action]:
    """What is offered for a stretch of a file. `found` are the diagnostics of the file."""
    here = [each for each in found if each.edits and meets(each.span, place)]
    mending = [
        Action(each.suggestion or f"Mend: {each.message}", each.edits, each, preferred=len(here) == 1)
        for each in here
        if all(not edit.span.file.startswith("<") for edit in each.edits)
    ]
    return [*mending, *_signatures(workspace, path, place), *_overrides(workspace, path, place)]


def mend_all(found: Iterable[Diagnostic]) -> Action | None:
    """All changes that diagnostics propose, as far as they do not meet; None where there is at most one."""
    kept: list[Edit] = []
    count = 0
    for diagnostic in found:
        edits = [edit for edit in diagnostic.edits if edit not in kept]
        if edits and not any(meets(edit.span, other.span) for edit in edits for other in kept):
            kept += edits
            count += 1
    return Action(f"Make all {count} changes that are proposed", tuple(kept)) if count > 1 else None


def meets(one: Span, other: Span) -> bool:
    """Whether two stretches of one file share a character, or touch where one of them is empty."""
    return (one.line, one.column) <= (other.end_line, other.end_column) and (other.line, other.column) <= (
        one.end_line,
        one.end_column,
    )


def _overrides(workspace: Workspace, path: Path, place: Span) -> Iterator[Action]:
    """Saying the value at a place anew in open rules that lie above it: the value itself, to be changed there."""
    at = pointed(workspace, path, place.line, place.column)
    home = workspace.texts.home(path)
    if at is None or at.is_key or home is None or len(at.way) < 2 or at.way[0] not in sections():
        return
    opened = {key_of_file(each) for file in workspace.texts.opened.values() if (each := workspace.texts.home(file))}
    for good in workspace.good(path):
        top = good.ruleset.resolved.layers[-1]
        own = key_of_file(top.folder)
        if own == key_of_file(home) or own not in opened or good.edition.status == "released":
            continue
        if not workspace.is_current(good) or any(_says(file, at.way) for file in top.files):
            continue
        _recall(workspace, top)
        edit = value_set(top, at.way, at.scalar.raw or at.scalar.text)
        if edit is not None:
            yield Action(f"Change this in {top.ruleset}: say it there, and change what it says", (edit,))


def _recall(workspace: Workspace, layer: Layer) -> None:
    """Have the texts of a layer's files at hand: of rules that were worked out before, nobody has read them here."""
    for file in layer.files:
        name = file.span.file
        text = workspace.texts.text(name) if SOURCES.text(name) is None else None
        if text is not None:
            SOURCES.remember(name, text)


def _says(file: Mapping, way: Sequence[str]) -> bool:
    """Whether a file says something at the end of a way."""
    node: Node | None = file
    for key in way:
        node = node.get(key) if isinstance(node, Mapping) else None
    return node is not None


def _signatures(workspace: Workspace, path: Path, place: Span) -> Iterator[Action]:
    """Signing the text at a place, for the edition that the file is of; nothing where its rules have changed since."""
    home = workspace.texts.home(path)
    for good in workspace.good(path)[:1]:
        if home is None or not workspace.is_current(good):
            continue
        for page in good.ruleset.pages.values():
            for section in page.sections:
                spans = [section.node.span, section.span, *([section.reviewed.span] if section.reviewed else [])]
                held = any(key_of_file(span.file) == key_of_file(path) and meets(span, place) for span in spans)
                if held and section.explains and not is_signed(section, good.ruleset):
                    edits = tuple(signed(section, good.ruleset))
                    if edits:
                        yield Action(f"Sign this text: `{section.page}.{section.id}` says what the rules say", edits)
