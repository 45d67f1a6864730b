"""Where two files of one layer change the same place, though each says it in another way."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence

from rulewright.ruleset import codes
from rulewright.ruleset.layers.contests import touching
from rulewright.ruleset.layers.history import Path
from rulewright.ruleset.layers.touches import Touch
from rulewright.source.diagnostics.collected import Diagnostics
from rulewright.source.diagnostics.diagnostic import Diagnostic, Related


def report_clashes(touches: Sequence[Touch], shared: Collection[Path], diagnostics: Diagnostics) -> None:
    """Report what several files of a layer do to one place, of the entries that they share (all, if that is empty).

    What one key says in two files has been told when they were united; here a step is replaced in one file and changed
    in the other, or two new ones both ask to stand right beside the same step.
    """
    by_file: dict[str, list[Touch]] = {}
    for touch in touches:
        if not shared or touch.path[:2] in shared:
            by_file.setdefault(touch.span.file, []).append(touch)
    told = {fault.span for fault in diagnostics.errors}
    earlier: list[Touch] = []
    for own in by_file.values():
        if earlier:
            diagnostics.extend(fault for fault in _clashes(earlier, own) if fault.span not in told)
        earlier += own


def _clashes(earlier: Sequence[Touch], own: Sequence[Touch]) -> Iterator[Diagnostic]:
    seen: set[tuple[object, object]] = set()
    for first, second, kind in touching(earlier, own):
        # What is placed beside a step that goes away or moves stands where that step stood, or goes along.
        # What one file adds another may say more of.
        if kind == "anchor" or _adds_around(first, second) or _adds_around(second, first):
            continue
        if (first.span, second.span) in seen:
            continue
        seen.add((first.span, second.span))
        yield _gap(first, second) if kind == "gap" else _both(first, second)


def _adds_around(outer: Touch, inner: Touch) -> bool:
    around = len(outer.path) < len(inner.path) and inner.path[: len(outer.path)] == outer.path
    return outer.operation == "adds" and around


def _gap(first: Touch, second: Touch) -> Diagnostic:
    assert second.beside is not None
    word, anchor = second.beside
    one, other = first.path[-1], second.path[-1]
    message = f"`{one}` and `{other}` are both put {word} `{anchor[-1]}`, by two files of one edition"
    related = (Related(first.span, f"`{one}` is put there here"),)
    hint = f"let one of them name the other: `{word}: {one}` here"
    return Diagnostic(codes.DECLARED_TWICE, message, second.span, related, hint)


def _both(first: Touch, second: Touch) -> Diagnostic:
    related = (Related(first.span, f"here {'.'.join(first.path)} {_DONE[first.operation]}"),)
    message = f"two files of one edition touch {'.'.join(second.path)}, which {_DONE[second.operation]} here"
    return Diagnostic(codes.DECLARED_TWICE, message, second.span, related)


_DONE = {
    "adds": "is added",
    "changes": "changes",
    "replaces": "is replaced",
    "removes": "is deleted",
    "moves": "moves",
    "places": "is placed",
}
