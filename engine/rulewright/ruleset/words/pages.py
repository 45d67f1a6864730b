"""The pages of the rulebook, as data."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from rulewright.ruleset.elaborate.read import entries, items, text
from rulewright.ruleset.words.explained import rule_of
from rulewright.source.nodes import Mapping, Scalar
from rulewright.source.span import Span

if TYPE_CHECKING:
    from rulewright.ruleset.ruleset import Ruleset


@dataclass(frozen=True, slots=True, eq=False)
class Note:
    """A reminder, a tip or a special case beside a section's text."""

    id: str
    kind: str
    text: str


@dataclass(frozen=True, slots=True, eq=False)
class Section:
    """One section. `explains` are rules and parts of rules that its text is bound to, `show` what is below it.

    `aid` is what the player aid says of it, line by line.
    """

    page: str
    id: str
    number: str
    title: str
    text: str
    explains: tuple[Scalar, ...]
    show: tuple[Scalar, ...]
    reviewed: Scalar | None
    notes: tuple[Note, ...]
    aid: tuple[str, ...]
    node: Mapping
    span: Span

    @property
    def rules(self) -> tuple[str, ...]:
        """The paths of the rules it explains, whole or in part."""
        return tuple(dict.fromkeys(rule_of(path.text) for path in self.explains))


@dataclass(frozen=True, slots=True, eq=False)
class Page:
    """One page. Its sections are cited by `letter` and place: `M.2`."""

    id: str
    title: str
    icon: Scalar | None
    letter: str
    about: str
    sections: tuple[Section, ...]
    node: Mapping
    span: Span


def read_pages(ruleset: Ruleset) -> tuple[Page, ...]:
    """Every page, in the order of the book. The numbers of sections are computed here and nowhere else."""
    found = []
    for identity, entry in entries(ruleset.resolved.rules.get("pages")):
        node = entry.value
        assert isinstance(node, Mapping)
        letter = text(node.get("letter"))
        sections = tuple(
            _section(identity, name, f"{letter}.{place}", inner.value, inner.key.span)
            for place, (name, inner) in enumerate(entries(node.get("sections")), start=1)
        )
        icon = node.get("icon")
        found.append(
            Page(
                identity,
                text(node.get("title")),
                icon if isinstance(icon, Scalar) else None,
                letter,
                text(node.get("about")),
                sections,
                node,
                entry.key.span,
            )
        )
    return tuple(found)


def _section(page: str, identity: str, number: str, node: object, span: Span) -> Section:
    assert isinstance(node, Mapping)
    reviewed = node.get("reviewed")
    return Section(
        page,
        identity,
        number,
        text(node.get("title")),
        text(node.get("text")),
        _scalars(node, "explains"),
        _scalars(node, "show"),
        reviewed if isinstance(reviewed, Scalar) else None,
        tuple(_note(name, entry.value) for name, entry in entries(node.get("notes"))),
        tuple(line.text for line in _scalars(node, "aid")),
        node,
        span,
    )


def _scalars(node: Mapping, key: str) -> tuple[Scalar, ...]:
    return tuple(item for item in items(node.get(key)) if isinstance(item, Scalar))


def _note(identity: str, node: object) -> Note:
    assert isinstance(node, Mapping)
    return Note(identity, text(node.get("kind")), text(node.get("text")))
