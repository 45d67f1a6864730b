"""What differs between two rulesets, leaf by leaf, as data."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from rulewright.language.shape import ByForm, MapOf, Record, Shape, Steps
from rulewright.ruleset.canonical import form
from rulewright.ruleset.elaborate.read import entries
from rulewright.ruleset.history import Path
from rulewright.ruleset.merge_log import said, same
from rulewright.ruleset.model import RULES, step_shape
from rulewright.ruleset.ruleset import Ruleset
from rulewright.source.nodes import Mapping, Node, Scalar, Sequence

What = Literal["added", "removed", "changed", "moved"]


@dataclass(frozen=True, slots=True)
class Difference:
    """One difference. `path` is its place (steps are named by id); `words` says that only words or looks differ."""

    what: What
    path: Path
    before: str | None
    after: str | None
    words: bool

    @property
    def rule(self) -> tuple[str, str]:
        """The section and id of the rule it belongs to."""
        return self.path[0], self.path[1] if len(self.path) > 1 else ""


def differences(before: Ruleset, after: Ruleset) -> list[Difference]:
    """Everything in which two resolved rulesets differ, in the order of the second's rules, then what is gone."""
    found: list[Difference] = []
    for section, member in RULES.members.items():
        first, second = before.resolved.rules.get(section), after.resolved.rules.get(section)
        empty = Mapping({}, before.resolved.rules.span)
        found += _compare(first or empty, second or empty, member.shape, (section,), member.shape.cosmetic)
    return found


def _compare(before: Node, after: Node, shape: Shape | None, path: Path, words: bool) -> Iterator[Difference]:
    if isinstance(shape, ByForm):
        shape = form(shape, after)
    match before, after:
        case Mapping(), Mapping():
            yield from _mappings(before, after, shape, path, words)
        case Sequence(), Sequence() if isinstance(shape, Steps):
            yield from _mappings(_by_id(before), _by_id(after), shape, path, words)
        case _ if not same(before, after):
            yield Difference("changed", path, said(before), said(after), words)


def _mappings(before: Mapping, after: Mapping, shape: Shape | None, path: Path, words: bool) -> Iterator[Difference]:
    for key, entry in after.entries.items():
        inner = _inner(shape, key)
        cosmetic = words or (inner is not None and inner.cosmetic)
        there = before.get(key)
        if there is None:
            yield Difference("added", (*path, key), None, said(entry.value), cosmetic)
        else:
            yield from _compare(there, entry.value, inner, (*path, key), cosmetic)
    for key, entry in before.entries.items():
        if key not in after:
            inner = _inner(shape, key)
            yield Difference(
                "removed", (*path, key), said(entry.value), None, words or (inner is not None and inner.cosmetic)
            )
    ordered = isinstance(shape, Steps) or (isinstance(shape, MapOf) and shape.ordered and len(path) > 1)
    kept_before = [key for key in before.entries if key in after]
    kept_after = [key for key in after.entries if key in before]
    if ordered and kept_before != kept_after:
        yield Difference("moved", path, ", ".join(kept_before), ", ".join(kept_after), words)


def _inner(shape: Shape | None, key: str) -> Shape | None:
    if isinstance(shape, Steps):
        return step_shape()
    if isinstance(shape, MapOf):
        return shape.inner
    member = (shape.members.get(key) or shape.members.get("*")) if isinstance(shape, Record) else None
    return member.shape if member is not None else None


def _by_id(steps: Sequence) -> Mapping:
    """Steps as a mapping from their ids, so that they are compared by name and not by place."""
    found = {}
    for place, step in enumerate(steps.items):
        named = step.get("id") if isinstance(step, Mapping) else None
        key = named.text if isinstance(named, Scalar) else f"#{place + 1}"
        if isinstance(step, Mapping) and isinstance(named, Scalar):
            entry = step.entries["id"]
            rest = {name: inner for name, inner in step.entries.items() if name != "id"}
            found[key] = type(entry)(named, Mapping(rest, step.span))
    return Mapping(found, steps.span)


def renamed_terms(before: Ruleset, after: Ruleset) -> dict[str, tuple[str, str]]:
    """Terms that are the same thing by another word: id → (word before, word after)."""
    found = {}
    for identity, _ in entries(after.resolved.rules.get("terms")):
        old, new = before.declarations.terms.get(identity), after.declarations.terms.get(identity)
        if old is not None and new is not None and (old.name, old.icon) != (new.name, new.icon):
            found[identity] = (f"{old.icon} {old.name}".strip(), f"{new.icon} {new.name}".strip())
    return found
