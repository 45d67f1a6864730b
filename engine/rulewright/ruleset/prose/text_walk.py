"""List all texts of a ruleset."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from rulewright.language.schema_shapes import ByForm, Leaf, ListOf, MapOf, Record, Shape, Steps
from rulewright.ruleset.schema.canonical_form import choose_form
from rulewright.ruleset.schema.model import MANIFEST, build_rules_shape, step_shape
from rulewright.ruleset.section import load_sections, matches_pattern
from rulewright.source.nodes import Mapping, Node, Scalar, Sequence

if TYPE_CHECKING:
    from rulewright.ruleset.ruleset import Ruleset

FIGURELESS = "means"
"""The key of descriptions, which must not contain literal numbers in any section."""


@dataclass(frozen=True, slots=True, eq=False)
class WordsAt:
    """A text with its node, and its path in the merged rules."""

    path: tuple[str, ...]
    scalar: Scalar

    @property
    def is_prose(self) -> bool:
        """Whether it is hand-written text that explains rules."""
        section = load_sections().get(self.path[0])
        return section is not None and self._fits(section.prose)

    @property
    def is_figureless(self) -> bool:
        """Whether it must not contain literal numbers, which could become outdated."""
        section = load_sections().get(self.path[0])
        return section is not None and self._fits((*section.prose, *section.figureless, FIGURELESS))

    @property
    def is_unfilled(self) -> bool:
        """Whether it fills placeholders, and so must not contain any."""
        section = load_sections().get(self.path[0])
        return section is not None and self._fits(section.unfilled)

    @property
    def is_marked_up(self) -> bool:
        """Whether it may contain markup. Other texts are literal."""
        section = load_sections().get(self.path[0])
        return self.path == ("manifest", "about") or (section is not None and self._fits(section.marked_up))

    def _fits(self, patterns: Iterable[str]) -> bool:
        return any(matches_pattern(pattern, self.path[2:]) for pattern in patterns)


def list_manifest_words(ruleset: Ruleset) -> Iterator[WordsAt]:
    """Yield the texts of the manifest. Their paths begin with `manifest`."""
    for key, entry in ruleset.resolved.manifest.entries.items():
        member = MANIFEST.members.get(key)
        if member is not None and isinstance(entry.value, Scalar) and getattr(member.shape, "format", "") == "words":
            yield WordsAt(("manifest", key), entry.value)


def list_entries(ruleset: Ruleset) -> Iterator[tuple[str, str]]:
    """Yield the section and id of each entry of the rules, in the order of the merged tree."""
    for section, written in ruleset.resolved.rules.entries.items():
        if isinstance(written.value, Mapping):
            yield from ((section, identity) for identity in written.value.entries)


def list_words(ruleset: Ruleset, section: str, identity: str) -> Iterator[WordsAt]:
    """Yield the texts of an entry of the rules, in their order."""
    member = build_rules_shape().members.get(section)
    written = ruleset.resolved.rules.entries[section].value
    if member is not None and isinstance(member.shape, MapOf) and isinstance(written, Mapping):
        yield from _walk(written.entries[identity].value, member.shape.inner, (section, identity))


def _walk(node: Node, shape: Shape | None, path: tuple[str, ...]) -> Iterator[WordsAt]:
    """Yield the texts in a node, by its schema. Steps have their ids in the path, and items of lists nothing."""
    if isinstance(shape, ByForm):
        shape = choose_form(shape, node)
    match shape, node:
        case Leaf(format="words"), Scalar():
            yield WordsAt(path, node)
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
                yield from _walk(item, step_shape(item), (*path, named.text if isinstance(named, Scalar) else ""))
