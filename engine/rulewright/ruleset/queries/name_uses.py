"""List the expressions in a ruleset, and the rules that they read."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from rulewright.language.checked_steps import Procedure
from rulewright.language.declarations import GAME_KIND, split_column
from rulewright.language.expressions import typed_ast
from rulewright.language.expressions.typed_ast import (
    After,
    Aggregate,
    Apply,
    CardCount,
    Cell,
    Comparison,
    Constant,
    DeckCards,
    Invoke,
    Lookup,
    Objects,
    Stored,
    Typed,
)
from rulewright.language.types import ListOf, MapOf, Optional, RecordOf, Row, Type
from rulewright.ruleset.elaborate.procedure_summary import iterate_expressions
from rulewright.ruleset.ruleset import Ruleset
from rulewright.ruleset.section import load_sections


def list_procedure_expressions(procedure: Procedure) -> Iterator[Typed]:
    """Yield every expression of a procedure."""
    return (expression for _, expression in iterate_expressions(procedure))


def list_all_expressions(ruleset: Ruleset) -> Iterator[Typed]:
    """Yield the outermost node of every expression of a ruleset.

    These are the expressions of procedures, formulas, `seen_by` fields, sections and parameters. Nested expressions
    are not listed separately.
    """
    for procedure in ruleset.procedures.values():
        yield from list_procedure_expressions(procedure)
    for formula in ruleset.declarations.formulas.values():
        yield formula.body
    for kind in ruleset.declarations.kinds.values():
        yield from (field.seen_by for field in kind.fields.values() if field.seen_by is not None)
    for key in load_sections():
        yield from list_section_expressions(key, ruleset)
    yield from ruleset.declarations.parameters


def list_section_expressions(key: str, ruleset: Ruleset) -> Iterator[Typed]:
    """Yield the expressions in a section's own values, such as measures, or nothing for sections without any."""
    reads = load_sections()[key].reads
    if reads is not None:
        for entry in ruleset.sections[key].values():
            yield from reads(entry)


def iterate_nodes(result: Iterable[Typed]) -> Iterator[Typed]:
    """Yield every node of the expressions."""
    for expression in result:
        yield from expression.walk()


def find_ranked_tables(ruleset: Ruleset) -> frozenset[str]:
    """Return the tables whose rows the rules compare or sort, or whose `rank` they read.

    In other tables, no row is higher than another. `next` and `previous` do not count: they need an order, but not from
    low to high.
    """
    return frozenset(_list_ranked(list_all_expressions(ruleset)))


def _list_ranked(expressions: Iterable[Typed]) -> Iterator[str]:
    for node in iterate_nodes(expressions):
        match node:
            case Comparison(table=str(table)) | Cell(table=table, column=typed_ast.ROW_RANK):
                yield table
            case Apply(function="max" | "min", type=Row(table=table)):
                yield table
            case Aggregate(order=Typed(type=Row(table=table))):
                yield table
            case Aggregate(function="max" | "min", type=Row(table=table) | Optional(inner=Row(table=table))):
                yield table


_SECTIONS = {"options": "options", "deck": "decks"}
"""The sections of those fields of the game that have a dot in their name."""


def list_rule_names(result: Iterable[Typed], ruleset: Ruleset) -> Iterator[str]:
    """Yield the path of every number, formula, table, record, deck, setting and kind that the expressions name.

    An example is `numbers.goal`. Values of the game are included, such as `state.day`. Covers nested expressions and
    the tables of their types, but does not look into formulas. A path may occur more than once.
    """
    return list_names_of_nodes(iterate_nodes(result), ruleset)


def list_names_of_nodes(nodes: Iterable[Typed], ruleset: Ruleset) -> Iterator[str]:
    """Yield the path of everything that single nodes of expressions name, as `list_rule_names` does."""
    for node in nodes:
        match node:
            case Constant(name=str(name)) if name in ruleset.declarations.numbers:
                yield f"numbers.{name}"
            case Invoke(formula=formula):
                yield f"formulas.{formula}"
                if table := split_column(formula)[0]:
                    yield f"tables.{table}"
                elif "." in formula:
                    yield f"kinds.{formula.partition('.')[0]}"
            case After(procedure=procedure):
                yield f"procedures.{procedure}"
            case Cell(table=table) | Lookup(table=table):
                yield f"tables.{table}"
            case Objects(kind=kind):
                yield f"kinds.{kind}"
            case CardCount(deck=deck) | DeckCards(deck=deck):
                yield f"decks.{deck}"
            case Stored(kind=owner, field=stored) if owner == GAME_KIND:
                # Any other dot is that of a mark on a value, such as that it was shown.
                first, _, name = stored.partition(".")
                yield f"{_SECTIONS[first]}.{name.partition('.')[0]}" if first in _SECTIONS else f"state.{name or first}"
            case Stored(kind=owner):
                yield f"kinds.{owner}"
        yield from list_tables_of_type(node.type)


def list_tables_of_type(kind: Type) -> Iterator[str]:
    """Yield the paths of the tables and records that a type refers to, such as `tables.guests`.

    Types inside other types are included, and their tables may occur more than once. Yields nothing for other types.
    """
    match kind:
        case Row(table=table):
            yield f"tables.{table}"
        case MapOf(table=table, inner=inner):
            yield f"tables.{table}"
            yield from list_tables_of_type(inner)
        case RecordOf(name=name, parts=parts):
            yield f"records.{name}"
            for _, part in parts:
                yield from list_tables_of_type(part)
        case Optional(inner=inner) | ListOf(inner=inner):
            yield from list_tables_of_type(inner)
