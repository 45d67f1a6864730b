"""Compare two rulesets leaf by leaf."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from rulewright.language.schema_shapes import ByForm, MapOf, Record, Shape, Steps
from rulewright.ruleset.layers.merge_log import is_same
from rulewright.ruleset.layers.value_origins import Path
from rulewright.ruleset.ruleset import Ruleset
from rulewright.ruleset.schema.canonical_form import choose_form
from rulewright.ruleset.schema.model import MANIFEST, step_shape
from rulewright.ruleset.section import load_sections, matches_pattern
from rulewright.source.nodes import Mapping, Node, Scalar, Sequence

What = Literal["added", "removed", "changed", "moved"]

EDITION = "edition"
"""The pseudo-section for differences between manifests."""

SETTINGS = ("players", "rounding", "start", "payoff", "evaluate", "simulations")
"""The keys of a manifest that affect play; the others describe the edition."""


@dataclass(frozen=True, slots=True)
class Difference:
    """A difference between two rulesets.

    Attributes:
        path: The path of the value. Steps go by their id.
        before: The node in the first ruleset, or None if added.
        after: The node in the second ruleset, or None if removed.
        words: Whether only texts or looks differ.
        step: The id of the innermost step that contains the path, or empty.

    If `what` is `moved`, the nodes are the containers whose children are in another order.
    """

    what: What
    path: Path
    before: Node | None
    after: Node | None
    words: bool
    step: str = ""

    @property
    def rule(self) -> tuple[str, str]:
        """The section and id of the rule that contains the path."""
        return self.path[0], self.path[1] if len(self.path) > 1 else ""


def compare_rules(before: Ruleset, after: Ruleset) -> list[Difference]:
    """Return the differences between two rulesets, settings first, then in the order of the sections.

    Of the manifests, only `SETTINGS` are compared, and keys of the rules that only structure the book are left out. In
    each mapping, additions and changes have the order of `after`, and then come removals and a change of order. Steps
    are compared by id. Empty if there are none.
    """
    first, second = before.resolved, after.resolved
    results = list(_compare(_settings(first.manifest), _settings(second.manifest), MANIFEST, (EDITION,), False))
    for key, section in load_sections().items():
        empty = Mapping({}, first.rules.span)
        lower, upper = first.rules.get(key) or empty, second.rules.get(key) or empty
        results += _compare(lower, upper, section.shape, (key,), not section.gameplay)
    return [difference for difference in results if not _is_bookkeeping(difference.path)]


def _settings(manifest: Mapping) -> Mapping:
    return Mapping({key: manifest.entries[key] for key in SETTINGS if key in manifest}, manifest.span)


def _is_bookkeeping(path: Path) -> bool:
    section = load_sections().get(path[0])
    return section is not None and any(
        matches_pattern(pattern, path[2:], whole=False) for pattern in section.bookkeeping
    )


def _compare(
    before: Node, after: Node, shape: Shape | None, path: Path, words: bool, step: str = ""
) -> Iterator[Difference]:
    """Yield the differences at and below a path.

    `words` says whether all are cosmetic, and `step` is the id of the step.
    """
    if isinstance(shape, ByForm):
        shape = choose_form(shape, after)
    match before, after:
        case Mapping(), Mapping():
            yield from _mappings(before, after, shape, path, words, step)
        case Sequence(), Sequence() if isinstance(shape, Steps):
            yield from _mappings(_by_id(before), _by_id(after), shape, path, words, step)
        case _ if not is_same(before, after):
            yield Difference("changed", path, before, after, words, step)


def _mappings(
    before: Mapping, after: Mapping, shape: Shape | None, path: Path, words: bool, step: str
) -> Iterator[Difference]:
    """Yield the differences between two mappings: those of the keys, and one for another order if it matters.

    `words` says that all of them are only in wording, and `step` is the id of the step around them, or empty.
    """
    steps = isinstance(shape, Steps)
    for key, entry in after.entries.items():
        inner = _inner(shape, key)
        cosmetic = words or (inner is not None and inner.cosmetic)
        owner = key if steps else step
        there = before.get(key)
        if there is None:
            yield Difference("added", (*path, key), None, entry.value, cosmetic, owner)
        else:
            yield from _compare(there, entry.value, inner, (*path, key), cosmetic, owner)
    for key, entry in before.entries.items():
        if key not in after:
            inner = _inner(shape, key)
            cosmetic = words or (inner is not None and inner.cosmetic)
            yield Difference("removed", (*path, key), entry.value, None, cosmetic, key if steps else step)
    ranked = steps or (isinstance(shape, MapOf) and shape.ranked)
    # The order of a section's entries matters only if it is a rule itself.
    ordered = ranked or (isinstance(shape, MapOf) and shape.ordered and len(path) > 1)
    if ordered and [key for key in before.entries if key in after] != [key for key in after.entries if key in before]:
        yield Difference("moved", path, before, after, words or not ranked, step)


def _inner(shape: Shape | None, key: str) -> Shape | None:
    """Return the shape at a key, or None if it is unknown."""
    if isinstance(shape, Steps):
        return step_shape()
    if isinstance(shape, MapOf):
        return shape.inner
    member = (shape.members.get(key) or shape.members.get("*")) if isinstance(shape, Record) else None
    return member.shape if member is not None else None


def _by_id(steps: Sequence) -> Mapping:
    """Return steps as a mapping by id, so that they are compared by id and not by position.

    The steps in it have no `id` key. Steps without an id are left out.
    """
    results = {}
    for place, step in enumerate(steps.items):
        named = step.get("id") if isinstance(step, Mapping) else None
        key = named.text if isinstance(named, Scalar) else f"#{place + 1}"
        if isinstance(step, Mapping) and isinstance(named, Scalar):
            entry = step.entries["id"]
            rest = {name: inner for name, inner in step.entries.items() if name != "id"}
            results[key] = type(entry)(named, Mapping(rest, step.span))
    return Mapping(results, steps.span)
