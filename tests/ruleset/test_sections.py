"""What the sections of the rules declare of themselves leads somewhere, and no two of them are in each other's way."""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path

import pytest

import rulewright
from rulewright.language.schema_shapes import ByForm, Leaf, ListOf, MapOf, Record, Shape
from rulewright.ruleset.section import ID, RulesSection, load_sections, matches_pattern

ALL = list(load_sections().values())
ENGINE = Path(rulewright.__file__).parent
MANY = 3
"""Sections that a collection names in a row before it is a table of sections."""

MAY_LIST_SECTIONS = {
    "book/changes/sections/numbers.py": "tellers of sections whose changes say more than words",
    "book/print/short_edition.py": "rules that are set in print",
    "book/parts/rule_summaries.py": "rules that texts explain, in English",
    "export/what_if_parameters.py": "words of readers, which no trial of a value depends on",
    "export/interface.py": "what other hosts are told of a ruleset, by the names that its rules have",
    "ruleset/translation/translation.py": "words that a translation may add where English makes them from ids",
    "ruleset/recovery/override_blame.py": "how a run notes that it read something of a rule",
    "ruleset/lints/unused.py": "what the language declares, and rules use by name",
    "ruleset/lints/missing_words.py": "what has names of its own for what sentences say",
    "ruleset/prose/placeholder_meaning.py": "what a name in words means besides a link",
    "ruleset/prose/text_signature.py": "what a reader notices of a rule",
    "studio/panels/odds.py": "what has chances that can be told",
    "studio/panels/read.py": "what is shown on pages, and has no page of its own",
}
"""Where something is done with a few sections that is no fact about them; whatever else there is needs no entry."""


def reached(shape: Shape, parts: list[str]) -> Iterator[Shape]:
    """Yield what stands where a pattern leads; nothing where it leads nowhere."""
    match shape:
        case ByForm():
            for form in (shape.scalar, shape.sequence, shape.mapping):
                if form is not None:
                    yield from reached(form, parts)
        case ListOf(inner=inner) if not parts:
            yield inner
        case _ if not parts:
            yield shape
        case Record(members=members) if parts[0] in members:
            yield from reached(members[parts[0]].shape, parts[1:])
        case MapOf(inner=inner) if parts[0] == "*":
            yield from reached(inner, parts[1:])


def named_in_a_row(node: ast.AST) -> set[str]:
    """Return the sections that one collection, or one choice among cases, names."""
    match node:
        case ast.Tuple(elts=found) | ast.List(elts=found) | ast.Set(elts=found):
            firsts = [each.elts[0] if isinstance(each, ast.Tuple) and each.elts else each for each in found]
        case ast.Dict(keys=found):
            firsts = [each for each in found if each is not None]
        case ast.Match(cases=cases):
            firsts = [
                each.value for case in cases for each in ast.walk(case.pattern) if isinstance(each, ast.MatchValue)
            ]
        case _:
            return set()
    return {each.value for each in firsts if isinstance(each, ast.Constant) and each.value in load_sections()}


def test_no_table_of_sections_stands_anywhere_else() -> None:
    files = {
        path.relative_to(ENGINE).as_posix()
        for path in ENGINE.rglob("*.py")
        if path.parent != ENGINE / "ruleset" / "sections"
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"), path))
        if len(named_in_a_row(node)) >= MANY
    }
    assert files == set(MAY_LIST_SECTIONS), "a fact about a section belongs in its file"


def twice(values: Iterable[object]) -> list[object]:
    return [each for each, number in Counter(values).items() if number > 1]


@pytest.mark.parametrize("section", ALL, ids=lambda section: section.key)
def test_every_place_it_names_is_there(section: RulesSection) -> None:
    keys = set(section.entry.members)
    assert {*section.labels, *section.parts, *section.settings, *section.names} <= keys
    assert section.heading in {"", ID, *keys}
    assert section.gist in {"", *keys}
    assert [each for each in section.bookkeeping if not [*reached(section.entry, each.split("."))]] == []
    for pattern in (*section.prose, *section.figureless, *section.marked_up):
        found = list(reached(section.entry, pattern.split(".")))
        assert found, pattern
        assert all(isinstance(each, Leaf) and each.format == "words" for each in found), pattern


def test_no_two_are_in_each_others_way() -> None:
    assert twice(section.place for section in ALL) == []
    assert twice(section.report for section in ALL) == []
    assert twice(section.anchor for section in ALL) == []
    assert twice(section.one for section in ALL) == []
    pages = [section.page for section in ALL if section.page is not None]
    assert twice(page.file for page in pages) == []


def test_only_what_is_no_gameplay_lists_words_alone() -> None:
    """What only illustrates is no rule, and no game is set up from what is only told."""
    for section in ALL:
        assert not (section.gameplay and section.illustrates)
        assert section.gameplay or not section.of_every_game
        assert section.gameplay or section.weight == (0, 0)


@pytest.mark.parametrize(
    ("pattern", "path", "whole", "does"),
    [
        ("text", ("text",), True, True),
        ("text", ("title",), True, False),
        ("notes.*.text", ("notes", "thirst", "text"), True, True),
        ("notes.*.text", ("notes", "thirst"), True, False),
        ("notes.*", ("notes", "thirst", "text"), True, False),
        ("notes.*", ("notes", "thirst", "text"), False, True),
        ("rows", ("columns", "rows"), False, False),
    ],
)
def test_patterns_fit_places(pattern: str, path: tuple[str, ...], *, whole: bool, does: bool) -> None:
    assert matches_pattern(pattern, path, whole=whole) is does


def test_the_description_of_a_section_says_more_than_its_name() -> None:
    """Hover and suggestions show it to people who meet the section for the first time."""
    for section in ALL:
        assert len(section.doc.split()) >= 6, section.doc
