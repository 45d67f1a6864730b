"""A designer's words with their placeholders filled, and how values are said in them."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from rulewright.book.style.text_style import Style, decimal
from rulewright.dice.ast import Roll
from rulewright.language.declarations import TableRow, Term
from rulewright.language.types import ListOf, MapOf, RecordOf, Row, Type, present
from rulewright.ruleset.prose.placeholder_meaning import (
    ChoiceWords,
    Counted,
    Faces,
    Nothing,
    RowTitle,
    RuleLink,
    TermWord,
    Value,
    Verbatim,
    meaning,
)
from rulewright.ruleset.prose.placeholders import Literal, Placeholder, parts


def fill(words: str, style: Style) -> str:
    """`words` with every placeholder replaced by what it means, in `style`.

    A placeholder without meaning stays as it was written: `lint_words` reports it.
    """
    found = []
    for part in parts(words):
        if isinstance(part, Literal):
            found.append(style.escape(part.text))
        elif isinstance(part, Placeholder):
            found.append(said(part, style))
        else:
            found.append(style.escape(part.text))
    return "".join(found)


def first_sentence(words: str) -> str:
    """Return the first sentence of a designer's words, without its stop; what is in placeholders ends none."""
    for part in parts(words):
        if isinstance(part, Literal) and ". " in part.text:
            return words[: part.start + part.text.index(". ")]
    return words.rstrip().removesuffix(".")


def said(part: Placeholder, style: Style) -> str:
    """Return what a placeholder comes to, in `style`."""
    match meaning(part.body, style.ruleset):
        case TermWord(term=term, form="icon"):
            return style.icon(term)
        case TermWord(term=term, form=form, word=word):
            return style.term(term, plural=form == "plural", word=word)
        case Value(type=kind, value=value):
            return value_words(value, kind, style)
        case Counted(word=word, term=None):
            return style.escape(word)
        case Counted(number=number, word=word, term=Term() as term):
            return f"{style.escape(word)} {style.term(term, plural=number != 1)}"
        case Verbatim(words=words):
            return style.escape(words)
        case RowTitle(row=row):
            return row_words(row, style)
        case Faces(table=table, row=row):
            return style.escape(faces_words(row.faces, tuple(sorted(table.by_face))))
        case ChoiceWords(words=words):
            return fill(words, style)
        case RuleLink(section=section, id=identity, title=title):
            plain = _plain_words(title, style)
            return style.rule(f"{section}.{identity}", plain)
        case Nothing():
            return style.escape(f"{{{part.body}}}")
    raise TypeError(f"`{part.body}` has no words")


def _plain_words(title: str, style: Style) -> str:
    """Words inside a link, which hold no link themselves."""
    return style.escape(fill(title, Style(style.ruleset)))


def row_words(row: TableRow, style: Style) -> str:
    """Return what readers call a row."""
    return fill(row.title, style)


def value_words(value: Any, kind: Type, style: Style) -> str:
    """Return a value of the language as readers see it."""
    inner = present(kind)
    if value is None:
        return "–"
    if isinstance(value, bool):
        return style.language.said("yes" if value else "no")
    if isinstance(value, Roll):
        return style.dice(value)
    if isinstance(value, Fraction):
        return style.escape(decimal(value, style.language))
    if isinstance(inner, Row):
        return row_words(style.ruleset.declarations.tables[inner.table].rows[value], style)
    if isinstance(inner, ListOf):
        between = "; " if isinstance(inner.inner, RecordOf) else ", "
        return between.join(value_words(item, inner.inner, style) for item in value) or "–"
    if isinstance(inner, MapOf):
        rows = style.ruleset.declarations.tables[inner.table].rows.values()
        told = zip(rows, value, strict=True)
        return ", ".join(f"{row_words(row, style)} {value_words(each, inner.inner, style)}" for row, each in told)
    if isinstance(inner, RecordOf):
        parts = [(name, part, each) for (name, part), each in zip(inner.parts, value, strict=True) if each is not None]
        return ", ".join(f"{style.escape(name)} {value_words(each, part, style)}" for name, part, each in parts) or "–"
    if isinstance(value, str):
        from rulewright.ruleset.elaborate.node_readers import title

        return fill(value, style) if " " in value else style.escape(title(value))
    return style.escape(str(value))


def faces_words(faces: tuple[int, ...], outcomes: tuple[int, ...]) -> str:
    """Faces as ranges of neighbouring outcomes, which go up: `10–70, 90`."""
    from rulewright.ruleset.elaborate.table_faces import ranges

    runs = ranges(faces, outcomes)
    return ", ".join(str(first) if first == last else f"{first}–{last}" for first, last in runs)
