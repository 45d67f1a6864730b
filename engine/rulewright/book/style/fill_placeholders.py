"""A designer's words with their placeholders filled, and how values are said in them."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from rulewright.book.style.text_style import Style, format_decimal, format_integer
from rulewright.dice.ast import Roll
from rulewright.language.declarations import TableRow, Term
from rulewright.language.types import ListOf, MapOf, RecordOf, Row, Type, present
from rulewright.ruleset.prose.placeholder_meaning import (
    ChoiceWords,
    Faces,
    Nothing,
    NumberInWords,
    PlaceholderValue,
    RowTitle,
    RuleLink,
    TermWord,
    Verbatim,
    resolve_placeholder,
)
from rulewright.ruleset.prose.placeholders import Literal, Placeholder, begins_sentence, parse_parts, raise_first


def fill(words: str, style: Style, *, inside: bool = False) -> str:
    """Return `words` with every placeholder replaced by its value, in `style`.

    A term at the start of a sentence has a capital letter. With `inside`, `words` are a part of a sentence, so that a
    term at their start has none. An unknown placeholder stays unchanged, and `lint_words` reports it.
    """
    results, before = [], "," if inside else ""
    for part in parse_parts(words):
        if isinstance(part, Placeholder):
            results.append(render_placeholder(part, style, first=begins_sentence(before)))
            before = ","
        else:
            results.append(style.escape(part.text))
            before += part.text
    return "".join(results)


def find_first_sentence(words: str) -> str:
    """Return the first sentence of a designer's text, without its full stop. Placeholders do not end a sentence."""
    for part in parse_parts(words):
        if isinstance(part, Literal) and ". " in part.text:
            return words[: part.start + part.text.index(". ")]
    return words.rstrip().removesuffix(".")


def render_placeholder(part: Placeholder, style: Style, *, first: bool = False) -> str:
    """Return the value of a placeholder, in `style`. A term is `first` in a sentence with a capital letter.

    A placeholder with errors is returned as written, in braces.
    """
    match resolve_placeholder(part.body, style.ruleset):
        case TermWord(term=term, form="icon"):
            return style.icon(term)
        case TermWord(term=term, form=form, word=word):
            word = word or (term.plural if form == "plural" else term.name)
            return style.term(term, word=raise_first(word) if first else word)
        case PlaceholderValue(type=kind, value=value):
            return format_value(value, kind, style)
        case NumberInWords(word=word, term=None):
            return style.escape(word)
        case NumberInWords(number=number, word=word, term=Term() as term):
            return f"{style.escape(word)} {style.term(term, plural=number != 1)}"
        case Verbatim(words=words):
            return style.escape(words)
        case RowTitle(row=row):
            return name_row(row, style)
        case Faces(table=table, row=row):
            return style.escape(format_faces(row.faces, tuple(sorted(table.by_face))))
        case ChoiceWords(words=words):
            return fill(words, style)
        case RuleLink(section=section, id=identity, title=title):
            plain = _plain_words(title, style)
            return style.rule(f"{section}.{identity}", plain)
        case Nothing():
            return style.escape(f"{{{part.body}}}")
    raise TypeError(f"`{part.body}` has no text")


def _plain_words(title: str, style: Style) -> str:
    """Return words inside a link, which hold no link themselves."""
    return style.escape(fill(title, Style(style.ruleset)))


def name_row(row: TableRow, style: Style) -> str:
    """Return the title of a row."""
    return fill(row.title, style)


def format_value(value: Any, kind: Type, style: Style) -> str:
    """Return a value of the language as text in `style`, with `–` for a missing value, or an empty list or record."""
    inner = present(kind)
    if value is None:
        return "–"
    if isinstance(value, bool):
        return style.language.translate("yes" if value else "no")
    if isinstance(value, Roll):
        return style.dice(value)
    if isinstance(value, Fraction):
        return style.escape(format_decimal(value, style.language))
    if isinstance(inner, Row):
        return name_row(style.ruleset.declarations.tables[inner.table].rows[value], style)
    if isinstance(inner, ListOf):
        between = "; " if isinstance(inner.inner, RecordOf) else ", "
        return between.join(format_value(item, inner.inner, style) for item in value) or "–"
    if isinstance(inner, MapOf):
        rows = style.ruleset.declarations.tables[inner.table].rows.values()
        cells = zip(rows, value, strict=True)
        return ", ".join(f"{name_row(row, style)} {format_value(each, inner.inner, style)}" for row, each in cells)
    if isinstance(inner, RecordOf):
        parts = [(name, part, each) for (name, part), each in zip(inner.parts, value, strict=True) if each is not None]
        return ", ".join(f"{style.escape(name)} {format_value(each, part, style)}" for name, part, each in parts) or "–"
    if isinstance(value, str):
        from rulewright.ruleset.elaborate.node_readers import make_title

        return fill(value, style) if " " in value else style.escape(make_title(value))
    return style.escape(format_integer(value) if type(value) is int else str(value))


def format_faces(faces: tuple[int, ...], outcomes: tuple[int, ...]) -> str:
    """Return faces as ranges of neighbouring outcomes, which go up: `10–70, 90`."""
    from rulewright.ruleset.elaborate.table_faces import group_ranges

    runs = group_ranges(faces, outcomes)
    pairs = ((format_integer(first), format_integer(last)) for first, last in runs)
    return ", ".join(first if first == last else f"{first}–{last}" for first, last in pairs)
