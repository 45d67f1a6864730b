"""The mentions of names in the expressions of the rules."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from rulewright.language.declarations import GAME_KIND, ROW_NAME, split_column
from rulewright.language.expressions import typed_ast as t
from rulewright.language.expressions import untyped_ast
from rulewright.language.expressions.untyped_ast import Syntax
from rulewright.language.expressions.word_notes import ScalarReading
from rulewright.language.types import ListOf as Listed
from rulewright.language.types import RecordOf, Row
from rulewright.lsp.features.mentions.known_names import NameResolver
from rulewright.lsp.features.mentions.mention import Mention, Path


def iterate_expression_mentions(
    reading: ScalarReading, places: Mapping[str, Path], known: NameResolver
) -> Iterator[Mention]:
    """Yield the mentions in an expression. `places` has the path of each declaration by its position."""
    for node, typed in reading.parts:
        for start, length, path in _find_name(node, typed, reading, places, known):
            if reading.scalar.text[start : start + length] == path[-1] or path[0] == "kinds" or path[0] == "@":
                yield Mention(reading.scalar.position(start, length), path, "expression")


def _find_name(
    node: Syntax, typed: t.Typed, reading: ScalarReading, places: Mapping[str, Path], known: NameResolver
) -> Iterator[tuple[int, int, Path]]:
    """Yield the names in a part of an expression: offset, length and path."""
    match node:
        case untyped_ast.Name(text=text):
            if (path := _path(typed, text, reading, places, known)) is not None:
                yield node.start, len(text), path
        case untyped_ast.Field(name=name):
            path = _path(typed, name, reading, places, known)
            if isinstance(typed, t.CardCount | t.DeckCards) and isinstance(node.base, untyped_ast.Field):
                yield node.base.name_start, len(node.base.name), ("decks", typed.deck)
            elif path is not None:
                yield node.name_start, len(name), path
            # The left side of a dot may be something other than a value, such as a table or a deck.
            named = isinstance(typed, (t.Constant, t.CardCount, t.DeckCards))
            head = node.base.text if named and isinstance(node.base, untyped_ast.Name) else ""
            if path is not None and path[0] in ("tables", "decks") and head == path[1]:
                yield node.base.start, len(head), path[:2]
        case untyped_ast.Index(base=untyped_ast.Name(text=text) as base) if known.has("tables", text):
            if isinstance(typed.type, Row):
                yield base.start, len(text), ("tables", text)
        case untyped_ast.RowCall(column=column):
            if (path := _path(typed, column, reading, places, known)) is not None:
                yield node.name_start, len(column), path
        case untyped_ast.Call(function=function) | untyped_ast.Aggregate(function=function):
            if known.has("formulas", function):
                yield node.start, len(function), ("formulas", function)
            elif known.has("records", function):
                yield node.start, len(function), ("records", function)
            elif (path := _path(typed, function, reading, places, known)) and path[0] == "procedures":
                yield node.start, len(function), path


def _path(
    typed: t.Typed, text: str, reading: ScalarReading, places: Mapping[str, Path], known: NameResolver
) -> Path | None:
    """Return the path that a name in an expression refers to, or None. For an undeclared local, it begins with "@"."""
    match typed:
        case t.After(procedure=procedure) if procedure == text:
            return ("procedures", procedure)
        case t.Constant(type=Row(table=table), name=str(name)) if known.has("tables", table) and name != ROW_NAME:
            return ("tables", table, "rows", name)
        case t.Constant(name=str(name)) if known.has("numbers", name) and text == name:
            return ("numbers", name)
        case t.Constant(type=Listed(inner=Row(table=table))) if text == table:
            return ("tables", table)
        case t.Invoke(formula=formula):
            table, column = split_column(formula)
            if table:
                return ("tables", table, "columns", column)
            kind, dot, derived = formula.partition(".")
            return ("kinds", kind, "derived", derived) if dot else ("formulas", formula)
        case t.Cell(table=table, column=column) if column in known.list_words("tables", table):
            return ("tables", table, "columns", column)
        case t.Lookup(table=table):
            return ("tables", table)
        case t.Objects(kind=kind):
            return ("kinds", kind)
        case t.CardCount(deck=deck) | t.DeckCards(deck=deck):
            return ("decks", deck)
        case t.Stored(kind=owner, field=name) if owner == GAME_KIND:
            section, _, option = name.rpartition(".")
            return (section or "state", option)
        case t.Stored(kind=owner, field=name):
            return ("kinds", owner, "fields", name)
        case t.PartOf(base=base, part=part) if isinstance(base.type, RecordOf):
            return ("records", base.type.name, "parts", part)
        case t.Local(name=name):
            bound = reading.scope.locals.get(name.partition(".")[0])
            if bound is not None and "." not in name:
                own = ("@", "", "", str(bound.span), name)
                return places.get(own[3]) or places.get(f"{own[3]} {name}", own)
    return None
