"""The section `pages:`, the text of the rulebook."""

from __future__ import annotations

from dataclasses import dataclass

from rulewright.language.schema_shapes import Leaf, ListOf, MapOf, Record, optional, required, words
from rulewright.ruleset.elaborate.node_readers import iterate_entries, list_items, read_text
from rulewright.ruleset.section import RulesSection, find_rule
from rulewright.source.nodes import Mapping, Scalar
from rulewright.source.span import Span

SEARCH = optional(ListOf("Additional search terms, which are not displayed.", inner=Leaf("A word.", format="value")))

SECTION = Record(
    "A section of a page.",
    members={
        "title": required(words("Its heading.")),
        "explains": optional(ListOf("The rules that the text describes.", inner=Leaf("A rule.", format="reference"))),
        "text": optional(words("The text, with markup and placeholders.")),
        "reviewed": optional(
            Leaf(
                "The signature of the rules with which an author last compared the text.",
                format="value",
            )
        ),
        "show": optional(
            ListOf("The parts shown below the text, in order.", inner=Leaf("A rule.", format="reference"))
        ),
        "aid": optional(ListOf("The section's lines on the player aid, in the order of play.", inner=words("A line."))),
        "search": SEARCH,
        "notes": optional(
            MapOf(
                "Notes.",
                inner=Record(
                    "A note.",
                    members={
                        "kind": required(
                            Leaf("The type of the note.", format="id", values=("reminder", "tip", "special"))
                        ),
                        "text": required(words("The text.")),
                    },
                ),
                ordered=True,
            )
        ),
    },
)

PAGE = Record(
    "A page of the rulebook.",
    members={
        "title": required(words("Its heading.")),
        "icon": optional(Leaf("The term whose icon it shows.", format="reference")),
        "letter": required(Leaf("The letter that numbers its sections.", format="value")),
        "about": optional(words("Its subject, in one sentence.")),
        "sections": required(MapOf("Its sections, in order.", inner=SECTION, ordered=True)),
    },
    body="sections",
)


@dataclass(frozen=True, slots=True, eq=False)
class Note:
    """A reminder, a tip or a special case in a section."""

    id: str
    kind: str
    text: str


@dataclass(frozen=True, slots=True, eq=False)
class Section:
    """A section of a page. `explains` are the rules that its text depends on, `show` what is displayed below it.

    `aid` are its lines in the player aid. `search` are terms that only the search uses.
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
    search: tuple[str, ...]
    node: Mapping
    span: Span

    @property
    def name(self) -> str:
        """The name of its text."""
        return f"{self.page}.{self.id}"

    @property
    def path(self) -> tuple[str, ...]:
        """The path of the entry with its text and its signature."""
        return ("pages", self.page, "sections", self.id)

    @property
    def rules(self) -> tuple[str, ...]:
        """The paths of the entries that it explains, in whole or in part."""
        return tuple(dict.fromkeys(find_rule(path.text) for path in self.explains))


@dataclass(frozen=True, slots=True, eq=False)
class Page:
    """A page. Its sections are cited by `letter` and number: `M.2`."""

    id: str
    title: str
    icon: Scalar | None
    letter: str
    about: str
    sections: tuple[Section, ...]
    node: Mapping
    span: Span


def read_pages(rules: Mapping) -> dict[str, Page]:
    """Return every page by id, in the order of the book, with its sections numbered from 1 as in `A.1`.

    Section numbers are computed only here. Raises `AssertionError` if the rules do not follow the schema.
    """
    pages = {}
    for identity, entry in iterate_entries(rules.get("pages")):
        node = entry.value
        assert isinstance(node, Mapping)
        letter = read_text(node.get("letter"))
        sections = tuple(
            _section(identity, name, f"{letter}.{place}", inner.value, inner.key.span)
            for place, (name, inner) in enumerate(iterate_entries(node.get("sections")), start=1)
        )
        icon = node.get("icon")
        pages[identity] = Page(
            identity,
            read_text(node.get("title")),
            icon if isinstance(icon, Scalar) else None,
            letter,
            read_text(node.get("about")),
            sections,
            node,
            entry.key.span,
        )
    return pages


def _section(page: str, identity: str, number: str, node: object, span: Span) -> Section:
    assert isinstance(node, Mapping)
    reviewed = node.get("reviewed")
    return Section(
        page,
        identity,
        number,
        read_text(node.get("title")),
        read_text(node.get("text")),
        _scalars(node, "explains"),
        _scalars(node, "show"),
        reviewed if isinstance(reviewed, Scalar) else None,
        tuple(_note(name, entry.value) for name, entry in iterate_entries(node.get("notes"))),
        tuple(line.text for line in _scalars(node, "aid")),
        tuple(line.text for line in _scalars(node, "search")),
        node,
        span,
    )


def _scalars(node: Mapping, key: str) -> tuple[Scalar, ...]:
    return tuple(item for item in list_items(node.get(key)) if isinstance(item, Scalar))


def _note(identity: str, node: object) -> Note:
    assert isinstance(node, Mapping)
    return Note(identity, read_text(node.get("kind")), read_text(node.get("text")))


PAGES = RulesSection(
    key="pages",
    place=180,
    doc="The pages of the rulebook, with their sections and texts.",
    entry=PAGE,
    one="page",
    gameplay=False,
    parts=("sections",),
    read=lambda work: read_pages(work.rules),
    alone=True,
    prose=("about", "title", "sections.*.title", "sections.*.text", "sections.*.aid", "sections.*.notes.*.text"),
    marked_up=("sections.*.text", "sections.*.notes.*.text"),
    title="The book",
    heading="title",
    labels={"title": "Title", "about": "Described as", "icon": "Picture"},
    guide="design/text.md",
    anchor="pages-",
    on_pages=False,
    citable=False,
    report=120,
    gist="about",
    bookkeeping=("letter", "sections.*.explains", "sections.*.reviewed", "sections.*.search", "sections.*.show"),
)
