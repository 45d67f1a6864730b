"""Resolve placeholders in texts, and find titles that refer to each other in a cycle."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from rulewright.base.incremental.reads import Memo
from rulewright.language.declarations import Table, TableRow, Term
from rulewright.language.types import Type, Unknown
from rulewright.ruleset import prose_diagnostics as codes
from rulewright.ruleset.elaborate.node_readers import iterate_entries, make_title, read_constant
from rulewright.ruleset.elaborate.table_heads import find_table_head, list_table_heads
from rulewright.ruleset.prose.book_language import describe_players, find_language
from rulewright.ruleset.prose.placeholders import Literal, Placeholder, parse_parts
from rulewright.ruleset.queries.dice_needed import count_dice_needed
from rulewright.ruleset.schema.schema_path import join_alternatives
from rulewright.ruleset.section import ID, RulesSection, load_sections
from rulewright.source.diagnostics.collector import Diagnostics
from rulewright.source.diagnostics.suggestions import suggest_name
from rulewright.source.nodes import Entry, Mapping, Scalar
from rulewright.source.span import Span

if TYPE_CHECKING:
    from rulewright.ruleset.prose.text_walk import WordsAt
    from rulewright.ruleset.ruleset import Ruleset


TERM_FORMS = ("plural", "icon")


def list_term_forms(term: Term) -> tuple[str, ...]:
    """Return what may follow a term in a placeholder: `plural`, `icon`, and its own grammatical forms."""
    return (*TERM_FORMS, *term.forms)


_MOST_LISTED = 80
"""The maximum length of a list of terms in a suggestion."""

_COUNT = re.compile(r"(?P<figure>.*?)\s*:\s*(?P<form>[Ww]ords)?\s*(?P<term>\w+)?\s*", re.DOTALL)
"""A number with its format: `numbers.price:words`, `numbers.price:term`, `numbers.price:Words term`."""


@dataclass(frozen=True, slots=True, eq=False)
class TermWord:
    """A term. `form` is `name`, `plural`, `icon`, or one of its grammatical forms."""

    term: Term
    form: str

    @property
    def word(self) -> str:
        """The word in one of the term's own grammatical forms, or empty for other forms."""
        return self.term.forms.get(self.form, "")


@dataclass(frozen=True, slots=True, eq=False)
class PlaceholderValue:
    """A value: a number, a cell of a table, or the result of an expression."""

    type: Type
    value: Any


@dataclass(frozen=True, slots=True, eq=False)
class NumberInWords:
    """An integer in words or digits (`form` is `words`, `Words` or empty), and the term it counts, if any.

    `word` is the formatted number.
    """

    number: int
    form: str
    term: Term | None
    word: str


@dataclass(frozen=True, slots=True, eq=False)
class Verbatim:
    """Literal words, in which numbers are not checked."""

    words: str


@dataclass(frozen=True, slots=True, eq=False)
class RowTitle:
    """The title of a table row."""

    table: Table
    row: TableRow


@dataclass(frozen=True, slots=True, eq=False)
class Faces:
    """The faces of a row in a roll table."""

    table: Table
    row: TableRow


@dataclass(frozen=True, slots=True, eq=False)
class ChoiceWords:
    """The words for a choice of a setting."""

    words: str


@dataclass(frozen=True, slots=True, eq=False)
class RuleLink:
    """The title of an entry, as a link. `section` is `tables`, `procedures`, …. `title` may contain placeholders."""

    section: str
    id: str
    title: str


@dataclass(frozen=True, slots=True, eq=False)
class Nothing:
    """An invalid placeholder, with the reason and the range of the body that is wrong."""

    message: str
    offset: int
    length: int
    suggestion: str | None = None


Meaning = TermWord | PlaceholderValue | NumberInWords | Verbatim | RowTitle | Faces | ChoiceWords | RuleLink | Nothing


def resolve_placeholder(body: str, ruleset: Ruleset, *, span: Span | None = None) -> Meaning:
    """Return the meaning of the placeholder `{body}`, or a `Nothing` if it is invalid.

    A `Nothing` has a message, the faulty part of `body` and a suggestion. Nothing is reported. `span` is the position
    of the placeholder, for errors in an expression.
    """
    if not body:
        return Nothing("there is nothing between the braces", 0, 1, "write `{{` and `}}` for literal braces")
    if len(body) > 2 and body[0] == body[-1] and body[0] in "'\"":
        return Verbatim(body[1:-1])
    if (count := _COUNT.fullmatch(body)) is not None:
        return _count_in_words(count, ruleset, span)
    if body.startswith("="):
        return _expression(body[1:], ruleset, span)
    declared = ruleset.declarations
    head, *rest = body.split(".")
    if head in declared.terms and (not rest or (len(rest) == 1 and rest[0] in list_term_forms(declared.terms[head]))):
        return TermWord(declared.terms[head], rest[0] if rest else "name")
    if body == "dice":
        return Verbatim(list_needed_dice(ruleset))
    if body == "players":
        return Verbatim(describe_players(ruleset))
    if head in _SECTIONS and rest:
        return _SECTIONS[head](rest, len(head) + 1, ruleset)
    section = load_sections().get(head)
    if section is not None and section.linked and rest:
        return _linked(section, rest, ruleset)
    if head in declared.tables:
        return _row(declared.tables[head], rest, ruleset)
    if head in declared.terms:
        at = len(head) + 1
        forms = list_term_forms(declared.terms[head])
        listed = join_alternatives((f"`{each}`" for each in forms), word="and")
        hint = suggest_name(rest[0], forms) or f"it has {listed}"
        return Nothing(f"the term `{head}` has no `{'.'.join(rest)}`", at, len(body) - at, hint)
    return Nothing(f"nothing is called `{head}`", 0, len(head), _hint(body, head, ruleset))


def _count_in_words(count: re.Match[str], ruleset: Ruleset, span: Span | None) -> Meaning:
    """Return the meaning of a number with a form or a term behind it, or a `Nothing` if one of these is invalid."""
    meaning = resolve_placeholder(count["figure"], ruleset, span=span)
    if isinstance(meaning, Nothing):
        return meaning
    if not isinstance(meaning, PlaceholderValue) or type(meaning.value) is not int or meaning.value < 0:
        return Nothing(f"`{count['figure']}` is not a non-negative whole number", 0, len(count["figure"]))
    if count["form"] is None and count["term"] is None:
        return Nothing("the format of the number is missing", len(count["figure"]), 1, "add `words` or a term")
    term = None
    if count["term"] is not None:
        term = ruleset.declarations.terms.get(count["term"])
        if term is None:
            terms = ruleset.declarations.terms
            hint = suggest_name(count["term"], (*terms, "words", "Words")) or _list_terms(count, terms)
            return Nothing(f"there is no term `{count['term']}`", count.start("term"), len(count["term"]), hint)
    form = count["form"] or ""
    text = find_language(ruleset).spell_number(meaning.value) if form else str(meaning.value)
    return NumberInWords(meaning.value, form, term, text[:1].upper() + text[1:] if form == "Words" else text)


def _list_terms(count: re.Match[str], terms: Iterable[str]) -> str:
    """Return a hint with the terms, if they are few, and with the number followed by a plain word."""
    listed = ", ".join(f"`{each}`" for each in terms)
    plain = f"for a plain word, write `{{{count['figure']}}} {count['term']}`"
    return f"the terms here are {listed}; {plain}" if 0 < len(listed) <= _MOST_LISTED else plain


def list_needed_dice(ruleset: Ruleset) -> str:
    """Return the dice that a game needs as text: `1 d4, 5 d6 and 1 d10`, or `none` if it needs none."""
    named = [f"{count} {name}" for name, count in count_dice_needed(ruleset).items()]
    return find_language(ruleset).join_list(named) or "none"


def _hint(body: str, head: str, ruleset: Ruleset) -> str | None:
    """Return a hint for an unknown placeholder: the same name in a section, or else a similar beginning, or None.

    `body` is the text in the braces, and `head` its beginning.
    """
    declared = ruleset.declarations
    for section, known in _resolve(ruleset).items():
        if body in known:
            return f"did you mean `{section}.{body}`?"
    linked = [key for key, section in load_sections().items() if section.linked]
    known_heads = [*declared.terms, *declared.tables, *_SECTIONS, *linked]
    return suggest_name(head, known_heads)


def _resolve(ruleset: Ruleset) -> dict[str, Iterable[str]]:
    """Return the names that may follow a section in a placeholder, such as `goal` in `{numbers.goal}`, by section."""
    declared = ruleset.declarations
    linked = {key: map_titles(section, ruleset) for key, section in load_sections().items() if section.linked}
    return {
        "numbers": declared.numbers,
        "options": declared.options,
        **linked,
        "pages": map_page_titles(ruleset),
    }


def map_titles(section: RulesSection, ruleset: Ruleset) -> dict[str, str]:
    """Return the titles of a section's entries by id."""
    entries = iterate_entries(ruleset.resolved.rules.get(section.key))
    return {name: _title_of(section, entry, name) for name, entry in entries}


def _title_of(section: RulesSection, entry: Entry, name: str) -> str:
    return name if section.heading == ID else _title(entry.value, name, section.heading)


def _row(table: Table, rest: list[str], ruleset: Ruleset) -> Meaning:
    """Return the title, the faces or a cell of a table's row, or a `Nothing` if there is none."""
    at = len(table.id) + 1
    if not rest:
        message = f"`{table.id}` is a table, but this does not name a row"
        return Nothing(message, 0, len(table.id), f"write `tables.{table.id}` for a link to the table")
    row = table.rows.get(rest[0])
    if row is None:
        hint = suggest_name(rest[0], table.rows)
        return Nothing(f"{table.id} has no row `{rest[0]}`", at, len(rest[0]), hint)
    if len(rest) == 1:
        return RowTitle(table, row)
    at += len(rest[0]) + 1
    if rest[1:] == ["on"] and table.roll is not None:
        return Faces(table, row)
    if len(rest) == 2 and rest[1] in table.columns:
        return PlaceholderValue(table.columns[rest[1]], row.cells[rest[1]])
    known = [*table.columns, *(["on"] if table.roll is not None else [])]
    wrong = ".".join(rest[1:])
    return Nothing(f"{table.id} has no column `{wrong}`", at, len(wrong), suggest_name(wrong, known))


def _expression(text: str, ruleset: Ruleset, span: Span | None) -> Meaning:
    """Return the value of a constant expression, or a `Nothing` with its first error."""
    diagnostics = Diagnostics()
    node = Scalar(text.strip(), text.strip(), span or Span.for_file(""))
    kind, value = read_constant(node, ruleset.declarations, diagnostics)
    for diagnostic in diagnostics.errors:
        return Nothing(diagnostic.message, 0, len(text) + 1, diagnostic.suggestion)
    if isinstance(kind, Unknown):
        return Nothing("this expression has no value", 0, len(text) + 1)
    return PlaceholderValue(kind, value)


def _linked(section: RulesSection, rest: list[str], ruleset: Ruleset) -> Meaning:
    """Return a link to an entry of a section. It reads no other entry, unless there is none of this name."""
    written = ruleset.resolved.rules.get(section.key)
    entry = written.entries.get(rest[0]) if len(rest) == 1 and isinstance(written, Mapping) else None
    known = map_titles(section, ruleset) if entry is None else {rest[0]: _title_of(section, entry, rest[0])}
    return _link(section.key, known, rest, len(section.key) + 1)


def _link(section: str, known: dict[str, str], rest: list[str], at: int) -> Meaning:
    """Return a link to the entry of a section with this name, or a `Nothing` if it is not among the known ones.

    `known` are the titles of entries by name.
    """
    name = ".".join(rest)
    if name in known:
        return RuleLink(section, name, known[name])
    return Nothing(f"there is no `{section}.{name}`", at, len(name), suggest_name(name, known))


def _number(rest: list[str], at: int, ruleset: Ruleset) -> Meaning:
    """Return the value of a named number, or a `Nothing` if there is none. `at` is the offset of its name."""
    number = ruleset.declarations.numbers.get(rest[0])
    if number is None or len(rest) > 1:
        name = ".".join(rest)
        hint = suggest_name(name, ruleset.declarations.numbers)
        return Nothing(f"there is no number `{name}`", at, len(name), hint)
    return PlaceholderValue(number.type, number.value)


def _option(rest: list[str], at: int, ruleset: Ruleset) -> Meaning:
    """Return the words of a setting's choice, or a link to the setting, or a `Nothing`.

    `at` is the offset of its name.
    """
    options = ruleset.declarations.options
    if len(rest) == 2 and rest[0] in options:
        choices = options[rest[0]].choices
        if rest[1] in choices:
            return ChoiceWords(choices[rest[1]])
        at += len(rest[0]) + 1
        hint = suggest_name(rest[1], choices)
        return Nothing(f"the setting `{rest[0]}` has no choice `{rest[1]}`", at, len(rest[1]), hint)
    return _link("options", {o.id: o.title for o in options.values()}, rest, at)


def _table(rest: list[str], at: int, ruleset: Ruleset) -> Meaning:
    head = find_table_head(ruleset, rest[0])
    heads = list_table_heads(ruleset) if head is None or len(rest) > 1 else [head]
    return _link("tables", {each.id: each.title for each in heads}, rest, at)


def _page(rest: list[str], at: int, ruleset: Ruleset) -> Meaning:
    return _link("pages", map_page_titles(ruleset), rest, at)


def map_page_titles(ruleset: Ruleset) -> dict[str, str]:
    """Return the titles of pages and their sections, by `page` and `page.section`, in the order of the book.

    Cached in the ruleset.
    """
    return ruleset.get_or_make(_PageTitles).content


class _PageTitles:
    """The titles of all pages and sections, for callers that read no texts of pages."""

    def __init__(self, ruleset: Ruleset) -> None:
        self._titles: dict[str, str] = {}
        pages = ruleset.resolved.rules.get("pages")
        for page, entry in pages.entries.items() if isinstance(pages, Mapping) else ():
            self._titles[page] = _title(entry.value, page)
            sections = entry.value.get("sections") if isinstance(entry.value, Mapping) else None
            for section, inner in sections.entries.items() if isinstance(sections, Mapping) else ():
                self._titles[f"{page}.{section}"] = _title(inner.value, section)

    @property
    def content(self) -> dict[str, str]:
        """The titles themselves."""
        return self._titles


def _title(node: object, identity: str, heading: str = "title") -> str:
    written = node.get(heading) if isinstance(node, Mapping) else None
    return written.text.strip() if isinstance(written, Scalar) else make_title(identity)


_SECTIONS: dict[str, Callable[[list[str], int, Ruleset], Meaning]] = {
    "numbers": _number,
    "tables": _table,
    "options": _option,
    "pages": _page,
}
"""The sections whose placeholders insert more than a link."""


LONGEST = 20_000
"""The maximum length of a text with all titles in it filled in."""

DEEPEST = 40
"""The maximum depth of titles that refer to each other."""

ENDLESS = LONGEST + 1


class Circles:
    """A checker for the lengths of texts with placeholders filled in. A text that refers to itself is endless."""

    def __init__(self, ruleset: Ruleset) -> None:
        self.ruleset = ruleset
        self._lengths = Memo()

    def lint(self, words: WordsAt, diagnostics: Diagnostics) -> None:
        """Report placeholders in a text that lead back to it, or that would insert more than `LONGEST` characters."""
        text = words.scalar.text
        for part in parse_parts(text):
            named = self._find_name(part) if isinstance(part, Placeholder) else None
            if named is None or not isinstance(part, Placeholder):
                continue
            span = words.scalar.position(part.start, len(part.body))
            if self.leads_to(named, text):
                message = f"`{part.body}` leads back to this text, so filling it in would never end"
                diagnostics.add(codes.ENDLESS_WORDS, message, span)
            elif self.estimate_length(named) > LONGEST:
                message = f"`{part.body}` exceeds {LONGEST} characters when its own placeholders are filled in"
                diagnostics.add(codes.ENDLESS_WORDS, message, span)

    def estimate_length(self, text: str, nested: int = 0) -> int:
        """Return the approximate length of a text with placeholders filled in, at most `ENDLESS`.

        It is `ENDLESS` for a text that contains itself, or if texts are nested more than `DEEPEST` deep, where this one
        is `nested` in others. Results are cached.
        """
        return self._lengths.get((text, nested), lambda: self._add_lengths(text, nested))

    def _add_lengths(self, text: str, nested: int) -> int:
        """Return the length of a text with placeholders filled in, at most `ENDLESS`, also for too deep nesting.

        Not cached.
        """
        if nested >= DEEPEST:
            return ENDLESS
        result = 0
        for part in parse_parts(text):
            if isinstance(part, Literal):
                result += len(part.text)
            elif isinstance(part, Placeholder):
                named = self._find_name(part)
                result += 1 if named is None else self.estimate_length(named, nested + 1)
        return min(result, ENDLESS)

    def leads_to(self, start: str, end: str) -> bool:
        """Return whether the text `start` is `end` or refers to it, directly or indirectly."""
        names: set[str] = set()
        ahead = [start]
        while ahead:
            text = ahead.pop()
            if text == end:
                return True
            if text not in names:
                names.add(text)
                named = (self._find_name(part) for part in parse_parts(text) if isinstance(part, Placeholder))
                ahead += [each for each in named if each is not None]
        return False

    def _find_name(self, part: Placeholder) -> str | None:
        """Return the text that fills a placeholder if it contains placeholders itself, or None otherwise."""
        if "{" in part.body or part.body.startswith("="):
            return None
        match resolve_placeholder(part.body, self.ruleset):
            case RuleLink(title=title):
                return title if "{" in title else None
            case ChoiceWords(words=words):
                return words if "{" in words else None
            case RowTitle(row=row):
                return row.title if "{" in row.title else None
        return None
