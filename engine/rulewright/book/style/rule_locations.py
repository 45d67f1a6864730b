"""The location of each rule in the book, its number, and the links between pages."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from string import ascii_lowercase

from rulewright.book.style.text_style import Link
from rulewright.language.checked_steps import Block, Procedure, Step
from rulewright.ruleset.elaborate.node_readers import iterate_entries
from rulewright.ruleset.prose.explained_rules import find_rule_entry, list_internal_rules
from rulewright.ruleset.ruleset import Ruleset
from rulewright.ruleset.section import BookPage, RulesSection, load_sections
from rulewright.ruleset.sections.pages import Page, Section
from rulewright.ruleset.sections.rulings import Ruling
from rulewright.source.nodes import Mapping as MappingNode
from rulewright.source.span import Span

FRONT = "index.md"
REFERENCE = "reference.md"
AID = "aid.md"
HOLDINGS = "holdings.md"
INDEX = "index-of-the-book.md"
LEGEND = "legend"
"""The fragment of the glossary with the pictures that are not icons of terms."""
NEWS = "new.md"
ODDS = "odds.md"
PLAY = "play.md"
PLAYS = "plays.md"
TABLES = "tables-of-the-book.md"
"""The page of all tables, for translated books, which lack most of the other pages."""
WHOLE = "whole.html"
SHORT = "short.html"
CARDS = "cards.html"
BOARD = "board.html"


def _page_of(section: str) -> BookPage:
    page = load_sections()[section].page
    assert page is not None, f"no page lists the entries of {section}"
    return page


SETTINGS = _page_of("options").file
RULINGS = _page_of("rulings").file
GLOSSARY = _page_of("terms").file
FAQ = _page_of("faq").file

GENERATED: Mapping[str, BookPage] = {
    page.file: page
    for page in sorted(
        (
            *(section.page for section in load_sections().values() if section.page is not None),
            BookPage(
                file=PLAY,
                title="Play",
                about="Play by these rules at this screen, with other people or against bots.",
                place=10,
                in_menu=5,
            ),
            BookPage(file=AID, title="Player aid", place=20),
            BookPage(file=NEWS, title="What is new", place=30, on_front=10, in_menu=80),
            BookPage(
                file=REFERENCE,
                title="Procedures and tables",
                about="Everything that the other pages leave out.",
                place=50,
                on_front=40,
                in_menu=70,
            ),
            BookPage(
                file=HOLDINGS,
                title="Fields",
                about="For designers: the fields of players, objects and the game, with their initial values.",
                place=60,
            ),
            BookPage(
                file=INDEX,
                title="Index",
                about="Everything in this book, from A to Z.",
                place=80,
                on_front=70,
                in_menu=40,
            ),
            BookPage(file=ODDS, title="Odds", place=90, on_front=80, in_menu=50),
            BookPage(
                file=PLAYS,
                title="How the game plays",
                about="The results of many games between bots.",
                place=95,
                on_front=85,
                in_menu=55,
            ),
        ),
        key=lambda page: (page.place, page.file),
    )
}
"""The generated pages by file, in order: the lists of sections' entries, and the book's own pages."""

LISTED: Mapping[str, RulesSection] = {
    section.page.file: section for section in load_sections().values() if section.page is not None
}
"""The section whose entries a page lists, by the page's file."""

_TAKEN = frozenset((*GENERATED, FRONT, TABLES, "whole.md", "short.md", "cards.md", "board.md"))


def build_anchor(path: str) -> str:
    """Return the fragment of a rule: semantic, and the same in every edition."""
    key, _, identity = path.partition(".")
    section = load_sections().get(key)
    return f"{section.anchor if section is not None else key + '-'}{identity}"


def name_file(page: Page) -> str:
    """Return the file of a page. One that would hide a generated page gets another name."""
    name = f"{page.id}.md"
    return f"{page.id}-rules.md" if name in _TAKEN else name


@dataclass(frozen=True, slots=True, eq=False)
class RuleLocations:
    """`homes`: a rule's path → its file and fragment. `numbers`: the number of the section it is shown in.

    The home of `sections.<path>` is that section itself. A step has a number of its own, and so has each of several
    procedures in one section.
    """

    homes: Mapping[str, str]
    numbers: Mapping[str, str]
    unshown: Collection[str]

    def make_linker(self, file: str, drawn: Iterable[str]) -> Link:
        """Return a function that returns the link from the page `file` to a rule's path, or None.

        None means that the rule has no location. `drawn` are the names that have an icon. The function also takes
        `icons.NAME`, and returns an empty string for those and None for others.
        """
        pictures = frozenset(drawn)

        def link(path: str) -> str | None:
            section, _, identity = path.partition(".")
            if section == "icons":
                return "" if identity in pictures else None
            home = self.homes.get(path)
            if home is None:
                return None
            there, _, fragment = home.partition("#")
            return f"#{fragment}" if there == file and fragment else home

        return link


def find_places(ruleset: Ruleset, pages: tuple[Page, ...]) -> RuleLocations:
    """Return the location of every rule, and also of pages, sections and steps.

    That is its first display on a page, or else a generated page, or else the section that explains it. A rule with
    none of these has no location.
    """
    homes: dict[str, str] = {}
    numbers: dict[str, str] = {}
    for page in pages:
        homes[f"pages.{page.id}"] = name_file(page)
        for section in page.sections:
            homes[f"pages.{page.id}.{section.id}"] = f"{name_file(page)}#{section.id}"
            for path in section.show:
                if path.text not in homes and find_rule_entry(path.text, ruleset) is not None:
                    homes[path.text] = f"{name_file(page)}#{build_anchor(path.text)}"
                    homes[f"sections.{path.text}"] = f"{name_file(page)}#{section.id}"
                    numbers[path.text] = section.number
    for key, section_ in load_sections().items():
        if section_.page is None:
            continue
        for identity, _ in iterate_entries(ruleset.resolved.rules.get(key)):
            path_ = f"{key}.{identity}"
            if path_ not in homes or not section_.on_pages:
                homes[path_] = f"{section_.page.file}#{build_anchor(path_)}"
    for question in ruleset.faq.values():
        for named in question.examples:
            homes.setdefault(f"examples.{named.text}", f"{FAQ}#{build_anchor(f'examples.{named.text}')}")
    unshown = _list_unshown(ruleset, homes)
    for path_ in unshown:
        homes[path_] = f"{REFERENCE}#{build_anchor(path_)}"
    for page in pages:
        for section in page.sections:
            for rule in section.rules:
                homes.setdefault(rule, f"{name_file(page)}#{section.id}")
                homes.setdefault(f"sections.{rule}", f"{name_file(page)}#{section.id}")
                numbers.setdefault(rule, section.number)
    internal = list_internal_rules(ruleset)
    for path_ in internal:
        homes.setdefault(path_, f"{HOLDINGS}#{build_anchor(path_)}")
    for procedure in ruleset.procedures.values():
        if procedure.cell is not None:
            # The table shows the steps of its rows.
            table = homes[f"tables.{procedure.cell.table}"]
            first = next((step.rule for step in procedure.body.steps if not procedure.is_dispatch), "")
            homes[f"procedures.{procedure.id}"] = f"{table.partition('#')[0]}#{first}" if first else table
        home = homes[f"procedures.{procedure.id}"]
        file = home.partition("#")[0]
        # The section that explains an internal procedure does not show its steps.
        is_told = f"procedures.{procedure.id}" in internal and file != HOLDINGS
        for step in procedure.iterate_steps():
            homes.setdefault(f"steps.{step.rule}", home if is_told else f"{file}#{step.rule}")
    numbers.update(_cite(ruleset, homes, numbers))
    for path_ in _list_components(ruleset):
        homes.setdefault(path_, f"{HOLDINGS}#{build_anchor(path_)}")
    for identity in ruleset.declarations.triggers:
        homes[f"whenever.{identity}"] = homes[f"procedures.{identity}"]
    return RuleLocations(homes, numbers, unshown)


def _list_components(ruleset: Ruleset) -> Iterator[str]:
    """Yield the entries on the page of components."""
    declared = ruleset.declarations
    yield from (f"kinds.{name}" for name, kind in declared.kinds.items() if kind.fields)
    yield from (f"records.{name}" for name in declared.records)
    yield from (f"dice.{name}" for name, _ in iterate_entries(ruleset.resolved.rules.get("dice")))


def _cite(ruleset: Ruleset, homes: dict[str, str], numbers: dict[str, str]) -> dict[str, str]:
    """Return by path (`procedures.…`, `steps.…`) the numbers of the procedures that sections show, and their steps."""
    # While rules are being edited, a section may refer to a missing procedure (`unknown-rule`). Skip it.
    there = {f"procedures.{identity}" for identity in ruleset.procedures}.difference(list_internal_rules(ruleset))
    paths = [path for path in homes if path in there and path in numbers]
    numbered = [(path.partition(".")[2], numbers[path]) for path in paths if not homes[path].startswith(REFERENCE)]
    procedures = number_procedures(numbered)
    steps = step_numbers(ruleset.procedures, procedures)
    return {f"procedures.{identity}": number for identity, number in procedures.items()} | {
        f"steps.{rule}": number for rule, number in steps.items()
    }


def _list_unshown(ruleset: Ruleset, homes: dict[str, str]) -> tuple[str, ...]:
    """Return procedures and tables that no section shows, except internal ones."""
    return tuple(path for path in _list_public(ruleset) if path not in homes)


def _list_public(ruleset: Ruleset) -> list[str]:
    """Return the procedures and tables that readers need, without the steps in cells of tables."""
    paths = [f"procedures.{procedure.id}" for procedure in ruleset.procedures.values() if procedure.cell is None]
    paths += [f"tables.{identity}" for identity in ruleset.declarations.tables]
    internal = list_internal_rules(ruleset)
    return [path for path in paths if path not in internal]


def number_procedures(numbered: Iterable[tuple[str, str]]) -> dict[str, str]:
    """Return the number of each procedure by id: that of its section, with a letter if the section shows several.

    `numbered` are the procedures by id with the number of their section, in the order of the book.
    """
    sections: dict[str, list[str]] = {}
    for identity, section in numbered:
        sections.setdefault(section, []).append(identity)
    return {
        identity: f"{section}{letter}"
        for section, identities in sections.items()
        for identity, letter in zip(identities, _letters(len(identities)), strict=True)
    }


def step_numbers(procedures: Mapping[str, Procedure], numbered: Mapping[str, str]) -> dict[str, str]:
    """Return the number of each step by its rule, such as `M.2.3`, or `M.2b.3` in a section with several procedures.

    `numbered` are the numbers of the procedures by id.
    """
    numbers: dict[str, str] = {}
    for identity, number in numbered.items():
        numbers.update(_number_steps(procedures[identity].body.steps, number))
    return numbers


def _letters(many: int) -> list[str]:
    """Return a letter for each of several procedures. One that is alone needs none."""
    if many == 1:
        return [""]
    return [ascii_lowercase[place % 26] * (place // 26 + 1) for place in range(many)]


def _number_steps(steps: Iterable[Step], above: str) -> Iterator[tuple[str, str]]:
    """Yield the rule of each step in order, with its number, which begins with `above`.

    The steps of an exception are numbered within its step.
    """
    special: list[Step] = []
    place = 0
    for step in steps:
        if not is_listed(step):
            special.append(step)
            continue
        place += 1
        number = f"{above}.{place}"
        yield step.rule, number
        yield from _number_steps(_within([step, *special]), number)
        special = []


def is_listed(step: Step) -> bool:
    """Return whether a step is listed separately. The parts of an exception are not."""
    return step.rule == f"{step.procedure}.{step.id}"


def _within(steps: Iterable[Step]) -> Iterator[Step]:
    blocks: Iterator[Block] = (block for step in steps for block in step.blocks)
    return (inner for block in blocks for inner in block.steps)


def strip_texts(page: Page) -> Page:
    """Return a page without the texts of its sections, for callers that read only titles and numbers."""
    sections = (replace(each, text="", notes=(), node=_EMPTY, reviewed=None) for each in page.sections)
    return replace(page, sections=tuple(sections), node=_EMPTY)


_EMPTY = MappingNode({}, Span.for_file(""))


def list_book_pages(ruleset: Ruleset) -> tuple[Page, ...]:
    """Return every page of the rules, in their order, without generated pages.

    Procedures and tables that no section shows are added to the first section that explains them. Internal rules are
    removed from the sections that show them.
    """
    pages = tuple(ruleset.pages.values())
    internal = list_internal_rules(ruleset)
    left = set(_list_public(ruleset)) - {path.text for page in pages for part in page.sections for path in part.show}
    return tuple(replace(page, sections=tuple(_sections(page.sections, left, internal))) for page in pages)


def _sections(sections: Iterable[Section], left: set[str], internal: Collection[str]) -> Iterable[Section]:
    """Yield the sections, which also show those rules in `left` that they explain, and remove these from `left`.

    They do not show the rules in `internal`.
    """
    for each in sections:
        show = tuple(path for path in each.show if path.text not in internal)
        section = each if len(show) == len(each.show) else replace(each, show=show)
        rules = [rule for rule in section.rules if rule in left]
        left.difference_update(rules)
        named = {path.text.partition(":")[0]: path for path in section.explains}
        more = [replace(named.get(rule, section.explains[0]), text=rule, value=rule) for rule in rules]
        yield replace(section, show=(*section.show, *more)) if more else section


LETTER = "R"


@dataclass(frozen=True, slots=True, eq=False)
class RulingEntry:
    """A ruling and its number in this edition's book: `R.3`."""

    ruling: Ruling
    number: str


def number_rulings(ruleset: Ruleset) -> dict[str, RulingEntry]:
    """Return every ruling in the order of the book: those the rules give a number first, by it, then the others."""
    last = len(ruleset.rulings) + 1_000
    ordered = sorted(ruleset.rulings.values(), key=lambda ruling: ruling.number or last)
    return {ruling.id: RulingEntry(ruling, f"{LETTER}.{place}") for place, ruling in enumerate(ordered, start=1)}
