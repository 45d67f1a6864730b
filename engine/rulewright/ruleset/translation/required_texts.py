"""The texts that must be translated before an entry can be shown in another language."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from rulewright.language.types import ListOf, MapOf, RecordOf, Row, Type, present
from rulewright.ruleset.prose.placeholder_meaning import (
    ChoiceWords,
    NumberInWords,
    PlaceholderValue,
    RowTitle,
    RuleLink,
    TermWord,
    resolve_placeholder,
)
from rulewright.ruleset.prose.placeholders import Placeholder, parse_parts
from rulewright.ruleset.ruleset import Ruleset
from rulewright.ruleset.section import load_sections
from rulewright.ruleset.translation.source_texts import Path, is_sayable
from rulewright.ruleset.translation.translation import Translation

_UNTOLD = frozenset({"aid", "also"})
"""Keys of texts that are not displayed with an entry."""
_OF_SENTENCES = frozenset({"names", "wording", "unit", "log", "label", "steps", "instead"})
"""Keys of the words for generated sentences, which the planner of a language asks for itself."""


def is_translated(translation: Translation, prefix: Path) -> bool:
    """Return whether all texts at or below a path are translated, including those that they refer to."""
    return not any(True for _ in find_missing(translation, prefix))


def find_missing(translation: Translation, prefix: Path) -> Iterator[Path]:
    """Yield the paths of untranslated texts that are needed to show the entry at `prefix`, in no particular order.

    These are its own texts and, recursively, the texts that placeholders in translations insert. Each path occurs
    once. Yields nothing if the entry is complete. Raises `KeyError` for an unknown table.
    """
    there = translation.list_paths()
    near = translation.get_or_make(_group_paths).get(prefix[:2], []) if len(prefix) > 1 else there
    waiting = [path for path in near if path[: len(prefix)] == prefix and not _is_untold(path)]
    if prefix[0] == "tables":
        waiting += _cells(translation, prefix[1])
    seen: set[Path] = set()
    while waiting:
        path = waiting.pop()
        if path in seen or path not in there:
            continue
        seen.add(path)
        if path not in translation.texts:
            yield path
            continue
        text = "\n".join(line.text for line in translation.texts[path].lines)
        waiting += list_placeholder_texts(text, translation.ruleset)


def _group_paths(translation: Translation) -> dict[Path, list[Path]]:
    """Return the paths of all texts by entry: their section and id."""
    groups: dict[Path, list[Path]] = {}
    for path in translation.list_paths():
        groups.setdefault(path[:2], []).append(path)
    return groups


def _is_untold(path: Path) -> bool:
    return path[-1] in _UNTOLD or not _OF_SENTENCES.isdisjoint(path[2:])


def is_table_translated(translation: Translation, table: str) -> bool:
    """Return whether the whole table can be shown in the other language."""
    return is_sayable(translation.ruleset, table) and is_translated(translation, ("tables", table))


def list_placeholder_texts(words: str, ruleset: Ruleset) -> Iterator[Path]:
    """Yield the paths of the texts that fill the placeholders of a text.

    They may not exist, and may occur more than once. Placeholders without a text of the rules, such as numbers, are
    skipped.
    """
    for part in parse_parts(words):
        if not isinstance(part, Placeholder):
            continue
        match resolve_placeholder(part.body, ruleset):
            case TermWord(term=term, form=form):
                yield "terms", term.id, form
            case NumberInWords(term=term) if term is not None:
                yield from (("terms", term.id, form) for form in ("name", "plural"))
            case RowTitle(table=table, row=row):
                yield "tables", table.id, "rows", row.id, "title"
            case PlaceholderValue(type=kind):
                yield from _rows(kind, ruleset)
            case ChoiceWords():
                _, option, choice = part.body.split(".")
                yield "options", option, "choices", choice
            case RuleLink(section="pages", id=identity):
                page, _, section = identity.partition(".")
                yield ("pages", page, "sections", section, "title") if section else ("pages", page, "title")
            case RuleLink(section=key, id=identity):
                yield key, identity, load_sections()[key].heading


def _cells(translation: Translation, table: str) -> Iterator[Path]:
    """Yield the paths of the terms in a table's column headings, and of the titles of rows that its cells may name."""
    for term in translation.list_heading_terms(table):
        yield from (("terms", term, form) for form in ("name", "plural"))
    for kind in translation.ruleset.declarations.tables[table].columns.values():
        yield from _rows(kind, translation.ruleset)


def _rows(kind: Type, ruleset: Ruleset) -> Iterable[Path]:
    for table in _list_tables(kind):
        for row in ruleset.declarations.tables[table].rows:
            yield "tables", table, "rows", row, "title"


def _list_tables(kind: Type) -> Iterator[str]:
    """Yield the tables whose rows a value of a type may be or contain. A table may occur more than once."""
    match present(kind):
        case Row(table=table):
            yield table
        case ListOf(inner=inner) | MapOf(inner=inner):
            yield from _list_tables(inner)
        case RecordOf(parts=held):
            for _, part in held:
                yield from _list_tables(part)
