"""The call hierarchy of procedures: the procedures that a procedure calls, and its callers."""

from __future__ import annotations

from collections.abc import Iterator
from collections.abc import Mapping as ReadOnlyMapping
from dataclasses import dataclass
from pathlib import Path

from rulewright.language.checked_steps import CellSteps
from rulewright.language.statement import list_calls
from rulewright.lsp.features.definitions import find_everywhere
from rulewright.lsp.features.edition_states import Good
from rulewright.lsp.features.hover import render_words
from rulewright.lsp.features.symbol_at import find_meaning, map_span
from rulewright.lsp.features.workspace import Workspace
from rulewright.ruleset.elaborate.node_readers import read_text
from rulewright.ruleset.elaborate.row_procedures import list_procedure_nodes
from rulewright.ruleset.layers.step_tree import walk
from rulewright.source.nodes import Entry, Mapping, Sequence
from rulewright.source.span import Span


@dataclass(frozen=True, slots=True)
class CallNode:
    """A procedure with its id, its title, the range of its declaration, and its name in the declaration."""

    id: str
    title: str
    span: Span
    key: Span


@dataclass(frozen=True, slots=True)
class CallSite:
    """A procedure at the other end of calls, with the positions of the calls."""

    other: CallNode
    places: tuple[Span, ...]


def find_procedure_at(workspace: Workspace, path: Path, line: int, column: int) -> CallNode | None:
    """Return the procedure, or the cell with steps, that is named at a position, or None."""
    meaning = find_meaning(workspace, path, line, column)
    if meaning is None:
        return None
    match meaning.mention.path:
        case ("procedures", name, *_):
            return _procedure(workspace, path, meaning.good, name)
        case ("tables", table, "rows", row, cell, *_):
            return _procedure(workspace, path, meaning.good, CellSteps(table, row, cell).id)
    return None


def list_outgoing_calls(workspace: Workspace, path: Path, name: str) -> list[CallSite]:
    """Return the procedures that a procedure calls, in the edition of the file."""
    good = next(iter(workspace.list_good(path)), None)
    return [] if good is None else _group(workspace, path, good, [each for each in _all(good) if each[0] == name], 1)


def list_incoming_calls(workspace: Workspace, path: Path, name: str) -> list[CallSite]:
    """Return the callers of a procedure, in every edition that reads the file."""
    results: dict[str, CallSite] = {}
    for good in workspace.list_good(path):
        for call in _group(workspace, path, good, [each for each in _all(good) if each[1] == name], 0):
            known = results.get(call.other.id)
            places = dict.fromkeys([*(known.places if known else ()), *call.places])
            results[call.other.id] = CallSite(call.other, tuple(places))
    return list(results.values())


def _all(good: Good) -> Iterator[tuple[str, str, Span]]:
    """Yield every call as caller, callee and position."""
    for name, entry in _entries(good).items():
        steps = entry.value.get("steps") if isinstance(entry.value, Mapping) else None
        for step in walk(steps) if isinstance(steps, Sequence) else ():
            yield from (
                (name, called, call.span) for call in list_calls(step) for called in _list_called(call.text, good)
            )


def _entries(good: Good) -> ReadOnlyMapping[str, Entry]:
    return list_procedure_nodes(good.ruleset.resolved.rules)


def _list_called(written: str, good: Good) -> list[str]:
    """Return the procedure that a call names, or the steps of each row if it names their column."""
    if written in good.ruleset.procedures:
        return [written]
    column = written.rpartition(".")[2]
    return [each.id for each in good.ruleset.procedures.values() if each.cell and each.cell.column == column]


def _group(
    workspace: Workspace, path: Path, good: Good, results: list[tuple[str, str, Span]], end: int
) -> list[CallSite]:
    """Return calls grouped by the procedure at one end: 0 for the caller, 1 for the callee.

    Calls in changed lines are left out.
    """
    places: dict[str, list[Span]] = {}
    for call in results:
        span = map_span(workspace, good, call[2])
        if span is not None:
            places.setdefault(str(call[end]), []).append(span)
    result = ((_procedure(workspace, path, good, name), tuple(spans)) for name, spans in places.items())
    return [CallSite(procedure, spans) for procedure, spans in result if procedure is not None]


def _procedure(workspace: Workspace, path: Path, good: Good, name: str) -> CallNode | None:
    """Return a procedure at its current position, or None if the current text has no declaration of it."""
    entry = _entries(good).get(name)
    procedure = good.ruleset.procedures.get(name)
    rule = procedure.path if procedure is not None else ("procedures", name)
    rule = (*rule[:2], "rows", *rule[2:]) if rule[0] == "tables" else rule
    declared = [each.span for each in find_everywhere(workspace, path, rule) if each.declares]
    if entry is None or not declared:
        return None
    key = next((span for span in declared if span.file == entry.key.span.file), declared[0])
    whole = map_span(workspace, good, entry.value.span)
    if whole is None or whole.file != key.file:
        whole = key
    title = read_text(entry.value.get("title")) if isinstance(entry.value, Mapping) else ""
    span = Span(key.file, key.line, key.column, max(whole.end_line, key.end_line), whole.end_column)
    return CallNode(name, " ".join(render_words(title, good.ruleset)) if title else name, span, key)
