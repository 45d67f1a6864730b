"""Whether a change that a diagnostic proposes helps. Whoever offers such a change, or makes it, asks here."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from functools import lru_cache

from rulewright.ruleset.editions.edition import MANIFEST
from rulewright.ruleset.schema.validator import validate
from rulewright.source.diagnostics.collector import DiagnosticError, Diagnostics
from rulewright.source.diagnostics.diagnostic import Diagnostic, Edit, apply_edits
from rulewright.source.files.unsaved_texts import build_file_key
from rulewright.source.span import Span, TextPlaces
from rulewright.source.yaml.yaml_reader import read_text

Key = tuple[str, str]
"""What a diagnostic goes by, wherever it moves to: its code, and what it says."""

Texts = Mapping[str, tuple[str, str]]
"""Files that a change writes: their text before and after."""

_ALONE = "<fix>"
"""What a text is called that is looked at by itself, and is in no file."""


def build_key(diagnostic: Diagnostic) -> Key:
    """Return what a diagnostic goes by."""
    return diagnostic.code.id, diagnostic.message


def apply_changes(diagnostics: Iterable[Diagnostic], text_of: Callable[[str], str | None]) -> Texts:
    """Return the files that the edits of diagnostics change. Raises `ValueError` for edits that meet, or no text."""
    found: dict[str, tuple[str, str]] = {}
    for file, edits in _by_file(diagnostics).items():
        before = text_of(file)
        if before is None:
            raise ValueError(f"{file} has no text")
        found[file] = (before, apply_edits(before, edits))
    return found


def explain_harm(
    diagnostics: Sequence[Diagnostic], texts: Texts, before: Sequence[Diagnostic], after: Sequence[Diagnostic]
) -> str | None:
    """Say why the change of `texts` that mends `diagnostics` does not help; None where it does.

    A change helps where every file reads at least as far as before, what it mends is not found any more, and fewer
    diagnostics are left; or as many and more, if nothing as grave is found where it wrote: what was hidden by a fault
    comes to light with its mending. `before` and `after` are what was found in the same places.
    """
    for file, edits in _by_file(diagnostics).items():
        if not _reads_as_far(*texts[file], edits):
            return f"less of {file} could be read"
    known, left = Counter(map(build_key, before)), Counter(map(build_key, after))
    for each in diagnostics:
        if left[build_key(each)] >= known[build_key(each)] > 0:
            return f"it does not help alone: {each.message}"
    if len(after) < len(before):
        return None
    grave = {"error"} if any(each.severity == "error" for each in diagnostics) else {"error", "warning"}
    written = [span for file, edits in _by_file(diagnostics).items() for span in _apply(file, *texts[file], edits)]
    for each in after:
        new = left[build_key(each)] > known[build_key(each)] and each.severity in grave
        if new and any(_same_file(each.span, span) and _meet(each.span, span) for span in written):
            return f"it would put another mistake there: {each.message}"
    return None


def is_worth_offering(diagnostics: Sequence[Diagnostic], text_of: Callable[[str], str | None]) -> bool:
    """Return whether the change that diagnostics propose together helps, as far as the files by themselves show.

    This takes milliseconds, and may be asked at every key: what other files say of the change is not looked at.
    """
    try:
        texts = apply_changes(diagnostics, text_of)
    except ValueError:
        return False
    for file, (before, after) in texts.items():
        own = [each for each in diagnostics if any(edit.span.file == file for edit in each.edits)]
        found = [_alone(text, file.endswith(MANIFEST)) for text in (before, after)]
        # What is wrong in view of other files is not found here, and is taken to be mended.
        named = {build_key(each) for each in found[0]}
        mended = [each for each in own if build_key(each) in named]
        moved = [_in_place(each, file) for each in found[1]]
        if explain_harm(own, texts, found[0] + [each for each in own if each not in mended], moved) is not None:
            return False
    return True


@lru_cache(maxsize=16)
def _alone(text: str, manifest: bool) -> list[Diagnostic]:
    """Return what is wrong with a text by itself: what cannot be read, else what has not the shape of rules."""
    found = Diagnostics()
    try:
        validate(read_text(text, _ALONE), "manifest" if manifest else "rules", found, overlay=True)
    except DiagnosticError as error:
        found.extend(error.diagnostics)
    return list(found)


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
    places = TextPlaces(text, "")
    return sorted(
        (places.find_offset(e.span.line, e.span.column), places.find_offset(e.span.end_line, e.span.end_column), e.text)
        for e in edits
    )


def _reads_as_far(before: str, after: str, edits: Collection[Edit]) -> bool:
    """Return whether a YAML parser comes at least as far in the text after the edits as it did before them."""
    stop = _stop(before)
    moved = stop + sum(len(text) - (end - start) for start, end, text in _offsets(before, edits) if end <= stop)
    return _stop(after) >= min(moved, len(after))


@lru_cache(maxsize=16)
def _stop(text: str) -> int:
    """Return where a YAML parser stops: at the end, if nothing is in its way."""
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
    """Return where the texts of edits stand in the text after them."""
    places, grown, found = TextPlaces(after, file), 0, []
    for start, end, text in _offsets(before, edits):
        found.append(places.build_span(start + grown, start + grown + len(text)))
        grown += len(text) - (end - start)
    return found


def _meet(one: Span, other: Span) -> bool:
    """Return whether two stretches of a file share a character, or touch."""
    return (one.line, one.column) <= (other.end_line, other.end_column) and (other.line, other.column) <= (
        one.end_line,
        one.end_column,
    )


def _same_file(one: Span, other: Span) -> bool:
    return one.file == other.file or build_file_key(one.file) == build_file_key(other.file)
