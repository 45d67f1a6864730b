"""Go to definition, and find all references."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from rulewright.language.expressions.typed_ast import Local
from rulewright.language.expressions.untyped_ast import Field
from rulewright.lsp.features.mentions.mention import Path as RulePath
from rulewright.lsp.features.symbol_at import find_meaning, map_lines, map_span
from rulewright.lsp.features.workspace import Workspace
from rulewright.ruleset.schema.edition_reference import parse_reference
from rulewright.source.diagnostics.collector import DiagnosticError
from rulewright.source.files.unsaved_texts import build_file_key
from rulewright.source.nodes import Scalar
from rulewright.source.span import Span


@dataclass(frozen=True, slots=True)
class NamedSpan:
    """A position that mentions a name, and whether it declares the name."""

    span: Span
    declares: bool


def find_definitions(workspace: Workspace, path: Path, line: int, column: int) -> list[Span]:
    """Return the declarations of the name at a position, counted from 1. Empty if there is no name.

    The first is in the layer that introduces it, and the layers that change it follow. The name of an edition leads
    to its manifest, and that of a part of a result to the step.
    """
    meaning = find_meaning(workspace, path, line, column)
    if meaning is None:
        return _find_step_of_part(workspace, path, line, column)
    if meaning.mention.path[0] == "":
        return _manifest(workspace, meaning.mention.path[1], meaning.span)
    declaring: dict[Span, int] = {}
    for good in workspace.list_good(path):
        order = {layer.name: place for place, layer in enumerate(good.ruleset.resolved.layers)}
        for each in good.mentions.by_path.get(meaning.mention.path, ()):
            span = map_span(workspace, good, each.span) if each.declares else None
            if span is not None:
                declaring.setdefault(span, order.get(good.ruleset.resolved.find_layer(each.span), 0))
    return sorted(declaring, key=lambda span: declaring[span])


def _find_step_of_part(workspace: Workspace, path: Path, line: int, column: int) -> list[Span]:
    """Return the id of the step whose result has its part named at a position, or nothing if there is none."""
    key = build_file_key(path)
    for good in workspace.list_good(path):
        then = map_lines(workspace, good, key).map_back(line)
        for reading in good.mentions.readings.get(good.files.get(key, ""), ()):
            for node, typed in reading.parts:
                if not isinstance(node, Field) or not isinstance(typed, Local):
                    continue
                span = reading.scalar.position(node.name_start, len(node.name))
                bound = reading.scope.locals.get(typed.name.partition(".")[0])
                if span.line == then and span.column <= column <= span.end_column and bound is not None:
                    step = map_span(workspace, good, bound.span)
                    return [step] if step is not None else []
    return []


def find_references(workspace: Workspace, path: Path, line: int, column: int) -> list[NamedSpan]:
    """Return every reference to the name at a position, with its declarations, in all editions that read the file."""
    meaning = find_meaning(workspace, path, line, column)
    return [] if meaning is None else list(find_everywhere(workspace, path, meaning.mention.path))


def find_everywhere(workspace: Workspace, path: Path, what: RulePath) -> Iterator[NamedSpan]:
    """Yield every mention of `what` in the editions that read a file, without duplicates."""
    spans: set[Span] = set()
    for good in workspace.list_good(path):
        for mention in good.mentions.by_path.get(what, ()):
            span = map_span(workspace, good, mention.span)
            if span is not None and span not in spans:
                spans.add(span)
                yield NamedSpan(span, mention.declares)


def _manifest(workspace: Workspace, written: str, at: Span) -> list[Span]:
    """Return the manifest of the referenced edition, or nothing if there is none."""
    try:
        edition = workspace.get_catalogue().find(parse_reference(Scalar(written, written, at)))
    except DiagnosticError:
        return []
    return [edition.span]
