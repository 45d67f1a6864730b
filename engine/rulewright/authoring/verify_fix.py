"""Verify that a fix proposed by a diagnostic helps, before it is offered or applied."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from functools import lru_cache
from pathlib import Path

from rulewright.ruleset.editions.edition import MANIFEST
from rulewright.ruleset.schema.validator import validate
from rulewright.source.diagnostics.collector import DiagnosticError, Diagnostics
from rulewright.source.diagnostics.diagnostic import Diagnostic, Edit, apply_edits
from rulewright.source.files.unsaved_texts import build_file_key
from rulewright.source.span import Span, TextPlaces
from rulewright.source.yaml.yaml_reader import read_text

Key = tuple[str, str]
"""The identity of a diagnostic, independent of its position: its code and message."""

Texts = Mapping[str, tuple[str, str]]
"""The files that a fix changes, each with its text before and after."""

_ALONE = "<fix>"
"""A placeholder file name for text that is checked on its own."""


def build_key(diagnostic: Diagnostic) -> Key:
    """Return the key of a diagnostic."""
    return diagnostic.code.id, diagnostic.message


def apply_changes(diagnostics: Iterable[Diagnostic], text_of: Callable[[str], str | None]) -> Texts:
    """Return the text before and after of each file that the diagnostics' edits change. Nothing is written.

    Raises `ValueError` if edits overlap or if a file has no text.
    """
    changes: dict[str, tuple[str, str]] = {}
    for file, edits in _by_file(diagnostics).items():
        before = text_of(file)
        if before is None:
            raise ValueError(f"{file} has no text")
        changes[file] = (before, apply_edits(before, edits))
    return changes


def find_foreign_file(diagnostic: Diagnostic, folders: Iterable[Path]) -> str | None:
    """Return the first file that a fix changes outside of the folders that the author works on, or None."""
    own = [build_file_key(folder) for folder in folders]
    files = dict.fromkeys(edit.span.file for edit in diagnostic.edits)
    return next((file for file in files if not any(map(Path(build_file_key(file)).is_relative_to, own))), None)


def explain_harm(
    diagnostics: Sequence[Diagnostic], texts: Texts, before: Sequence[Diagnostic], after: Sequence[Diagnostic]
) -> str | None:
    """Return why the fix of `diagnostics` does not help, or None if it does.

    A fix helps if every file can still be parsed at least as far, the fixed diagnostics are gone, and fewer diagnostics
    are left. If there are not fewer, it still helps unless there is a new one in the edited text that is at least as
    severe as the fixed ones: a fix can reveal problems that were hidden. `before` and `after` are the diagnostics of
    the same files.
    """
    for file, edits in _by_file(diagnostics).items():
        if not _reads_as_far(*texts[file], edits):
            return f"less of {file} could be parsed"
    known, left = Counter(map(build_key, before)), Counter(map(build_key, after))
    for each in diagnostics:
        if left[build_key(each)] >= known[build_key(each)] > 0:
            return f"it does not help on its own: {each.message}"
    if len(after) < len(before):
        return None
    grave = {"error"} if any(each.severity == "error" for each in diagnostics) else {"error", "warning"}
    written = [span for file, edits in _by_file(diagnostics).items() for span in _apply(file, *texts[file], edits)]
    for each in after:
        new = left[build_key(each)] > known[build_key(each)] and each.severity in grave
        if new and any(_same_file(each.span, span) and _meet(each.span, span) for span in written):
            return f"it would introduce another mistake there: {each.message}"
    return None


def is_worth_offering(diagnostics: Sequence[Diagnostic], text_of: Callable[[str], str | None]) -> bool:
    """Return whether the joint fix of the diagnostics helps, judging by each file alone. False if its edits overlap.

    Takes milliseconds, so it can run on every keystroke. Effects on other files are not checked.
    """
    try:
        texts = apply_changes(diagnostics, text_of)
    except ValueError:
        return False
    for file, (before, after) in texts.items():
        own = [each for each in diagnostics if any(edit.span.file == file for edit in each.edits)]
        results = [_alone(text, file.endswith(MANIFEST)) for text in (before, after)]
        # Errors that involve other files are not found here; assume that they are fixed.
        named = {build_key(each) for each in results[0]}
        fixed = [each for each in own if build_key(each) in named]
        moved = [_in_place(each, file) for each in results[1]]
        if explain_harm(own, texts, results[0] + [each for each in own if each not in fixed], moved) is not None:
            return False
    return True


@lru_cache(maxsize=16)
def _alone(text: str, manifest: bool) -> list[Diagnostic]:
    """Return the diagnostics of a text without its context: syntax errors, or else schema errors."""
    diagnostics = Diagnostics()
    try:
        validate(read_text(text, _ALONE), "manifest" if manifest else "rules", diagnostics, overlay=True)
    except DiagnosticError as error:
        diagnostics.extend(error.diagnostics)
    return list(diagnostics)


def _in_place(diagnostic: Diagnostic, file: str) -> Diagnostic:
    span = diagnostic.span
    at = Span(file, span.line, span.column, span.end_line, span.end_column)
    return Diagnostic(diagnostic.code, diagnostic.message, at)


def _by_file(diagnostics: Iterable[Diagnostic]) -> dict[str, list[Edit]]:
    edits: dict[str, list[Edit]] = {}
    for edit in dict.fromkeys(edit for each in diagnostics for edit in each.edits):
        edits.setdefault(edit.span.file, []).append(edit)
    return edits


def _offsets(text: str, edits: Collection[Edit]) -> list[tuple[int, int, str]]:
    """Return the start, end and text of each edit, sorted by start. The ends are offsets in `text`."""
    places = TextPlaces(text, "")
    return sorted(
        (places.find_offset(e.span.line, e.span.column), places.find_offset(e.span.end_line, e.span.end_column), e.text)
        for e in edits
    )


def _reads_as_far(before: str, after: str, edits: Collection[Edit]) -> bool:
    """Return whether a YAML parser gets at least as far in the edited text as it did before."""
    stop = _stop(before)
    moved = stop + sum(len(text) - (end - start) for start, end, text in _offsets(before, edits) if end <= stop)
    return _stop(after) >= min(moved, len(after))


@lru_cache(maxsize=16)
def _stop(text: str) -> int:
    """Return the offset at which a YAML parser stops: the length of the text if there is no error.

    0 if the parser does not report a position.
    """
    import yaml

    try:
        for _ in yaml.parse(text, getattr(yaml, "CSafeLoader", yaml.SafeLoader)):
            pass
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        return mark.index if mark is not None else 0
    except (yaml.YAMLError, OverflowError, ValueError):
        return 0
    return len(text)


def _apply(file: str, before: str, after: str, edits: Collection[Edit]) -> list[Span]:
    """Return the spans of the inserted texts in the edited text. A line break in front of them does not count."""
    places, grown, spans = TextPlaces(after, file), 0, []
    for start, end, text in _offsets(before, edits):
        break_before = len(text) - len(text.lstrip("\n"))
        spans.append(places.build_span(start + grown + break_before, start + grown + len(text)))
        grown += len(text) - (end - start)
    return spans


def _meet(one: Span, other: Span) -> bool:
    """Return whether two spans overlap or touch."""
    return (one.line, one.column) <= (other.end_line, other.end_column) and (other.line, other.column) <= (
        one.end_line,
        one.end_column,
    )


def _same_file(one: Span, other: Span) -> bool:
    return one.file == other.file or build_file_key(one.file) == build_file_key(other.file)
