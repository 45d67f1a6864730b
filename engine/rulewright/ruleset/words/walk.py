"""Every piece of a resolved ruleset that readers read."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from rulewright.language.shape import ByForm, Leaf, ListOf, MapOf, Record, Shape, Steps
from rulewright.ruleset.schema.canonical import form
from rulewright.ruleset.sections.model import MANIFEST, RULES, step_shape
from rulewright.source.nodes import Mapping, Node, Scalar, Sequence

if TYPE_CHECKING:
    from rulewright.ruleset.ruleset import Ruleset

FIGURELESS = (
    ("*", "*", "means"),
    ("kinds", "*", "fields", "*", "means"),
    ("kinds", "*", "derived", "*", "means"),
    ("options", "*", "choices", "*"),
    ("procedures", "*", "title"),
    ("tables", "*", "title"),
    ("overviews", "*", "title"),
    ("overviews", "*", "about"),
    ("samples", "*", "title"),
    ("samples", "*", "about"),
    ("rulings", "*", "question"),
    ("rulings", "*", "ruling"),
    ("rulings", "*", "because"),
    ("examples", "*", "title"),
    ("examples", "*", "text"),
)
"""Where, besides prose, words may hold no figure: what rules, rulings and examples are called and said to mean."""

PROSE = (
    ("terms", "*", "means"),
    ("procedures", "*", "means"),
    ("exceptions", "*", "means"),
    ("tables", "*", "about"),
    ("faq", "*", "question"),
    ("faq", "*", "answer"),
    ("pages", "*", "about"),
    ("pages", "*", "title"),
    ("pages", "*", "sections", "*", "title"),
    ("pages", "*", "sections", "*", "text"),
    ("pages", "*", "sections", "*", "aid"),
    ("pages", "*", "sections", "*", "notes", "*", "text"),
)
"""Where hand-written text explains rules, so that it may hold no figure of its own."""


@dataclass(frozen=True, slots=True, eq=False)
class Words:
    """One scalar of words: `path` is its place in the resolved tree."""

    path: tuple[str, ...]
    scalar: Scalar

    @property
    def is_prose(self) -> bool:
        """Whether it explains rules in sentences written by hand."""
        return self._is_one_of(PROSE)

    @property
    def is_figureless(self) -> bool:
        """Whether a figure in it would go stale unseen."""
        return self._is_one_of(PROSE) or self._is_one_of(FIGURELESS)

    def _is_one_of(self, patterns: tuple[tuple[str, ...], ...]) -> bool:
        return any(
            len(pattern) == len(self.path)
            and all(part in ("*", own) for part, own in zip(pattern, self.path, strict=True))
            for pattern in patterns
        )


def manifest_words(ruleset: Ruleset) -> Iterator[Words]:
    """The words of the manifest; their paths begin with `manifest`."""
    for key, entry in ruleset.resolved.manifest.entries.items():
        member = MANIFEST.members.get(key)
        if member is not None and isinstance(entry.value, Scalar) and getattr(member.shape, "format", "") == "words":
            yield Words(("manifest", key), entry.value)


def all_words(ruleset: Ruleset) -> Iterator[Words]:
    """All words of the ruleset, in the order of the resolved tree."""
    yield from _walk(ruleset.resolved.rules, RULES, ())


def _walk(node: Node, shape: Shape | None, path: tuple[str, ...]) -> Iterator[Words]:
    if isinstance(shape, ByForm):
        shape = form(shape, node)
    match shape, node:
        case Leaf(format="words"), Scalar():
            yield Words(path, node)
        case Record(members=members), Mapping():
            for key, entry in node.entries.items():
                member = members.get(key) or members.get("*")
                if member is not None:
                    yield from _walk(entry.value, member.shape, (*path, key))
        case MapOf(inner=inner), Mapping():
            for key, entry in node.entries.items():
                yield from _walk(entry.value, inner, (*path, key))
        case ListOf(inner=inner), Sequence():
            for item in node.items:
                yield from _walk(item, inner, path)
        case Steps(), Sequence():
            for item in node.items:
                named = item.get("id") if isinstance(item, Mapping) else None
                yield from _walk(item, step_shape(), (*path, named.text if isinstance(named, Scalar) else ""))
