"""Conflicts between independent overlays, whether something resolves them, and clashes between files of one layer."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from rulewright.ruleset import ruleset_diagnostics
from rulewright.ruleset.layers.layer import Layer
from rulewright.ruleset.layers.merge_log import describe_node, is_same
from rulewright.ruleset.layers.value_origins import Path, Touch, find_new_place, find_steps_path
from rulewright.ruleset.section import load_sections
from rulewright.source.diagnostics.collector import Diagnostics
from rulewright.source.diagnostics.diagnostic import Diagnostic, RelatedSpan

WHOLE = ("adds", "changes", "replaces", "removes")
"""The operations that affect a value and everything in it."""

SIGNATURE = "reviewed"
"""The key of a text's signature, which never conflicts.

Both layers may change rules that the text explains, so the text must be signed for the stack of layers anyway.
"""


def is_signature(path: Path) -> bool:
    """Return whether a path is that of a signature in a section that has some."""
    section = load_sections().get(path[0])
    return section is not None and path[-1] == SIGNATURE and any(key.endswith(SIGNATURE) for key in section.bookkeeping)


@dataclass(frozen=True, slots=True)
class Contest:
    """A value that two layers change, neither of which was written for the other.

    `lower` is merged first. `paths` are the paths at which a layer above both may resolve the conflict.
    """

    lower: Layer
    upper: Layer
    first: Touch
    second: Touch
    paths: tuple[Path, ...]

    @property
    def quiet(self) -> tuple[Path, ...]:
        """The paths where no other diagnostics are reported: the conflict's own, and steps removed with a parent."""
        path = self.second.path
        removed = (
            tuple((*find_steps_path(path), part) for part in path[len(find_steps_path(path)) :])
            if self.lost and self.paths
            else ()
        )
        return (*self.paths, *removed)

    @property
    def lost(self) -> bool:
        """Whether the lower layer removes an entry that the upper one changes, so that this order cannot be merged."""
        return self.first.operation == "removes" and self.second.operation != "removes"


def find_conflicts(lower: Layer, upper: Layer, first: Sequence[Touch], second: Sequence[Touch]) -> Iterator[Contest]:
    """Yield every conflict between the changes of two layers."""
    for one, other, kind in find_common_touches(first, second):
        paths = {"gap": (one.path, other.path), "value": (min(one.path, other.path, key=len),), "anchor": ()}[kind]
        yield Contest(lower, upper, one, other, paths)


def find_common_touches(
    first: Sequence[Touch], second: Sequence[Touch]
) -> Iterator[tuple[Touch, Touch, Literal["value", "gap", "anchor"]]]:
    """Yield each pair of changes that affect the same part of the rules, with the kind of overlap.

    `value` is the same value, or a value and one that contains it. `gap` means entries inserted in the same position.
    With `anchor`, one removes or moves the entry beside which the other inserts something. The first change of a pair
    is always from `first`, and pairs are in the order of `second`. Signatures of pages are ignored.
    """
    by_path = _by_path(first)
    inside = _by_ancestor(first)
    beside = {touch.beside: touch for touch in first if touch.beside is not None}
    anchors = _by_anchor(first)
    for touch in second:
        if touch.beside is not None:
            other = beside.get(touch.beside)
            if other is not None and other.path != touch.path:
                yield other, touch, "gap"
            anchor = touch.beside[1]
            for removal in (result for path in _ancestors(anchor) for result in by_path[path]):
                if removal.operation == "removes" or (removal.operation == "moves" and removal.path == anchor):
                    yield removal, touch, "anchor"
            continue
        if is_signature(touch.path):
            continue
        other = _find_touch(touch, by_path, inside)
        if other is not None:
            yield other, touch, "value"
        if touch.operation in ("removes", "moves"):
            for placed in anchors[touch.path]:
                yield placed, touch, "anchor"


def _find_touch(touch: Touch, by_path: Mapping[Path, list[Touch]], inside: Mapping[Path, list[Touch]]) -> Touch | None:
    """Return the last change in the other layer to the value of `touch`, to one that contains it, or to one inside it.

    These are tried in this order. Changes to a containing value count only if they affect it as a whole, and changes
    inside count only if `touch` does. None if there is none.
    """
    there = by_path[touch.path]
    if not there:
        above = (result for path in _ancestors(touch.path[:-1]) for result in by_path[path])
        there = [result for result in above if result.operation in WHOLE]
    if not there and touch.operation in WHOLE:
        there = inside[touch.path]
    return there[-1] if there else None


def _by_path(touches: Iterable[Touch]) -> Mapping[Path, list[Touch]]:
    """Return the changes of values by path. Insertions beside an entry and signatures are left out."""
    results: dict[Path, list[Touch]] = defaultdict(list)
    for touch in touches:
        if touch.beside is None and not is_signature(touch.path):
            results[touch.path].append(touch)
    return results


def _by_ancestor(touches: Iterable[Touch]) -> Mapping[Path, list[Touch]]:
    """Return the changes of values by each of the paths above theirs."""
    results: dict[Path, list[Touch]] = defaultdict(list)
    for touch in touches:
        if touch.beside is None:
            for path in _ancestors(touch.path[:-1]):
                results[path].append(touch)
    return results


def _by_anchor(touches: Iterable[Touch]) -> Mapping[Path, list[Touch]]:
    """Return the insertions beside an entry, by the path of this entry and by those above it."""
    results: dict[Path, list[Touch]] = defaultdict(list)
    for touch in touches:
        if touch.beside is not None:
            for path in _ancestors(touch.beside[1]):
                results[path].append(touch)
    return results


def _ancestors(path: Path) -> Iterator[Path]:
    """Yield a path and its ancestors, the longest first."""
    for length in range(len(path), 0, -1):
        yield path[:length]


# -- resolving -----------------------------------------------------------------------------


def is_settled(contest: Contest, layers: Sequence[Layer], touches: Mapping[str, Sequence[Touch]]) -> bool:
    """Return whether a conflict is resolved.

    It is if the upper layer's manifest names the lower one in `over`, unless the conflict is `lost`, or if a layer
    written for both sets one of the values. `touches` has the changes of each layer by its name.
    """
    if not contest.lost and _knows(contest.upper, contest.lower, layers):
        return True
    both = {contest.lower.name, contest.upper.name}
    return any(
        _covers(touch, path)
        for layer in layers
        if both < layer.chain
        for touch in touches.get(layer.name, ())
        for path in contest.paths
    )


def _covers(touch: Touch, path: Path) -> bool:
    if touch.path == path:
        return True
    return touch.operation in ("replaces", "removes") and touch.path == path[: len(touch.path)]


def _knows(upper: Layer, lower: Layer, layers: Sequence[Layer]) -> bool:
    """Return whether `upper` declares in `over` that it goes above `lower`, or above a layer that includes it."""
    brought = [layer for layer in layers if lower.name in layer.chain and upper.name not in layer.chain]
    return any(reference.matches(layer.name) for reference in upper.over for layer in brought)


# -- reporting -----------------------------------------------------------------------------


def explain_conflict(contest: Contest, layers: Sequence[Layer]) -> Diagnostic:
    """Return the diagnostic of an unresolved conflict, with both positions and the line that would resolve it.

    Adds it to nothing.
    """
    lower, upper, first, second = contest.lower, contest.upper, contest.first, contest.second
    what = f"`{upper.name}` {_describe_operation(second)}, but `{lower.name}` {_describe_operation(first)}"
    alike = first.path == second.path and first.beside is None and second.beside is None
    if alike and (is_same(first.node, second.node) or first.operation == second.operation == "removes"):
        what = f"`{upper.name}` {_describe_operation(second)}, and so does `{lower.name}`"
    related = (RelatedSpan(first.span, f"`{lower.name}` does so here"),)
    return Diagnostic(ruleset_diagnostics.OVERLAYS_MEET, what, second.span, related, _advice(contest, layers))


def _describe_operation(touch: Touch) -> str:
    """Return a change as a clause without a subject, such as `changes a.b to 3`."""
    path = ".".join(touch.path)
    if touch.beside is not None:
        return f"puts `{touch.path[-1]}` {touch.beside[0]} `{touch.beside[1][-1]}`"
    said_so = f" to {describe_node(touch.node)}" if touch.operation == "changes" else ""
    if touch.operation == "moves":
        said_so = f" {find_new_place(touch.node)}"
    return f"{touch.operation} {path}{said_so}"


def _advice(contest: Contest, layers: Sequence[Layer]) -> str:
    """Return how a conflict can be resolved: by the order of `overlays`, by `over`, or by a value in the top layer."""
    lower, upper = contest.lower, contest.upper
    is_reversed = contest.lost or _knows(lower, upper, layers)
    if is_reversed:
        lower, upper = upper, lower
    line = f"over: [{', '.join([*map(str, upper.over), lower.ruleset])}]"
    if any(reference.matches(lower.name) for reference in upper.over):
        return f"`{upper.name}` must come after `{lower.name}` in `overlays`"
    hint = f"to give `{upper.name}` precedence, write `{line}` in {upper.path}"
    if upper.over:
        hint += ", in place of the current `over:`"
    if is_reversed:
        hint += f", and list it after `{lower.ruleset}` in `overlays`"
    top = layers[-1].name
    if contest.paths and {lower.name, upper.name} < layers[-1].chain:
        hint += f"; or define {' or '.join('.'.join(path) for path in contest.paths)} in `{top}` itself"
    return hint


def report_clashes(touches: Sequence[Touch], shared: Collection[Path], diagnostics: Diagnostics) -> None:
    """Report clashing changes that several files of one layer make.

    Only entries in `shared`, as section and id, are checked, or all if it is empty. Values set in two files were
    already reported when the files were merged. This finds the rest, such as a step replaced in one file and changed
    in another, or two new steps inserted in the same position. Positions that `diagnostics` already has an error for
    are skipped.
    """
    by_file: dict[str, list[Touch]] = {}
    for touch in touches:
        if not shared or touch.path[:2] in shared:
            by_file.setdefault(touch.span.file, []).append(touch)
    reported_spans = {fault.span for fault in diagnostics.errors}
    earlier: list[Touch] = []
    for own in by_file.values():
        if earlier:
            diagnostics.extend(fault for fault in _clashes(earlier, own) if fault.span not in reported_spans)
        earlier += own


def _clashes(earlier: Sequence[Touch], own: Sequence[Touch]) -> Iterator[Diagnostic]:
    """Yield a diagnostic for each pair of changes that clash.

    A change of what another file adds is no clash, and neither is a removal or move of the entry beside which another
    file inserts something.
    """
    seen: set[tuple[object, object]] = set()
    for first, second, kind in find_common_touches(earlier, own):
        # A step placed beside a removed step takes its position; beside a moved step, it moves with it.
        # A file may change what another one adds.
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
    """Return the diagnostic for two entries that different files insert in the same position."""
    assert second.beside is not None
    word, anchor = second.beside
    one, other = first.path[-1], second.path[-1]
    message = f"two files of one edition put `{one}` and `{other}` {word} `{anchor[-1]}`, so their order is undefined"
    related = (RelatedSpan(first.span, f"`{one}` is placed here"),)
    hint = f"let one of them name the other: `{word}: {one}` here"
    return Diagnostic(ruleset_diagnostics.DECLARED_TWICE, message, second.span, related, hint)


def _both(first: Touch, second: Touch) -> Diagnostic:
    related = (RelatedSpan(first.span, f"here {'.'.join(first.path)} {_DONE[first.operation]}"),)
    target = ".".join(second.path)
    message = f"two files of one edition make conflicting changes to {target}, which {_DONE[second.operation]} here"
    return Diagnostic(ruleset_diagnostics.DECLARED_TWICE, message, second.span, related)


_DONE = {
    "adds": "is added",
    "changes": "changes",
    "replaces": "is replaced",
    "removes": "is deleted",
    "moves": "moves",
    "places": "is placed",
}
