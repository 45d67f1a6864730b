"""Features for the evaluation of positions, derived from a ruleset's kinds, fields and tables.

Every feature is an expression in the rules' own language about the player `who`. Numbers, possessions and counts each
give one. Played games show which features matter.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from rulewright.language.declarations import GAME_KIND, PLAYER_KIND, Declarations, Kind, Table
from rulewright.language.types import (
    BOOLEAN,
    INTEGER,
    PLAYER,
    Choice,
    Entity,
    ListOf,
    MapOf,
    Optional,
    Row,
    Type,
    is_assignable,
    present,
)
from rulewright.ruleset.ruleset import Ruleset
from rulewright.ruleset.sections.weights import WHO

MOST_ROWS = 8
"""The maximum number of rows or choices that get a feature each."""

FEW = (0, 1, 2, 3)
"""The amounts on a row that have features of their own."""

_ONE = "it"
"""The name of the object in generated expressions."""

_OTHER = "other"
"""The name of another object of the same kind in generated expressions."""

_ROW = "there"
"""The name of the table row in generated expressions."""


@dataclass(frozen=True, slots=True)
class Feature:
    """A feature, with its expression and its description."""

    id: str
    formula: str
    means: str


def list_features(ruleset: Ruleset) -> list[Feature]:
    """Return all features of a ruleset, in the order of its rules and without duplicates."""
    declared = ruleset.declarations
    results = [*_of_players(declared), *_of_the_game(declared), *_of_maps(declared)]
    for kind in declared.kinds.values():
        if kind.id in (GAME_KIND, PLAYER_KIND):
            continue
        for (side, owns), (_, beside) in zip(
            _list_owned(kind, _ONE, declared), _list_owned(kind, _OTHER, declared), strict=True
        ):
            results += [*_of_kind(kind, side, owns, declared), *_of_places(kind, side, owns, beside)]
    return [*{feature.id: feature for feature in reversed(results)}.values()][::-1]


def _of_players(declared: Declarations) -> Iterator[Feature]:
    """Yield each number of the player, and the sum of this number over the other players."""
    player = declared.kinds[PLAYER_KIND]
    for name, text, value in _numbers(player, WHO, declared):
        yield Feature(name, value, f"{_words(text)} of the player")
    for name, text, value in _numbers(player, _ONE, declared):
        others = f"sum({value} for {_ONE} in players if {_ONE} != {WHO})"
        yield Feature(f"others_{name}", others, f"{_words(text)} of the other players")


def _of_the_game(declared: Declarations) -> Iterator[Feature]:
    """Yield features of game values.

    These are each number, whether each player value (such as the active player) is `who`, and each number again as 0
    unless that is so.
    """
    fields = {name: field.type for name, field in declared.kinds[GAME_KIND].named_fields.items()}
    for name, saved in fields.items():
        if saved == INTEGER:
            yield Feature(f"game_{name}", name, _words(name))
        elif present(saved) == PLAYER:
            yield Feature(f"game_{name}_own", f"1 if {name} == {WHO} else 0", f"{_words(name)} is the player")
            for other, number in fields.items():
                if number == INTEGER:
                    value = f"{other} if {name} == {WHO} else 0"
                    yield Feature(f"game_{other}_{name}_own", value, f"{_words(other)} if {_words(name)} is the player")


def _of_maps(declared: Declarations) -> Iterator[Feature]:
    """Yield features of values on table rows.

    They cover amounts on rows, the number of rows with a certain amount, and both weighted by the rows' columns. If the
    game assigns rows to players, these rows have features, too.
    """
    for name, field in declared.kinds[PLAYER_KIND].named_fields.items():
        match present(field.type):
            case MapOf(table=table, inner=inner) if inner == INTEGER:
                rows = declared.tables[table]
                for way, text, value in _amounts(f"{WHO}.{name}", "", rows, _integers(rows)):
                    yield Feature(f"{name}_{way}", value, f"{_words(name)} {_whose('')}: {text}")
                for way, text, value in _amounts(f"{_ONE}.{name}", "", rows, _integers(rows)):
                    others = f"sum({value} for {_ONE} in players if {_ONE} != {WHO})"
                    yield Feature(f"others_{name}_{way}", others, f"{_words(name)} {_whose('others_')}: {text}")
    fields = {name: field.type for name, field in declared.kinds[GAME_KIND].named_fields.items()}
    for name, saved in fields.items():
        match present(saved):
            case MapOf(table=table, inner=inner) if inner == INTEGER:
                rows = declared.tables[table]
                for column in _columns_of_players(rows, declared):
                    # A total weighted by the column that assigns rows to players adds no information.
                    columns = [each for each in _integers(rows) if each != column]
                    for side, is_it in (("", "=="), ("others_", "!=")):
                        owns = f"{_ROW}.{column} {is_it} {WHO}.{column}"
                        for way, text, value in _amounts(name, owns, rows, columns):
                            yield Feature(f"{side}{name}_{way}", value, f"{_words(name)} {_whose(side)}: {text}")
            case MapOf(table=table, inner=inner) if present(inner) == PLAYER:
                marks = [other for other, further in fields.items() if further == MapOf(table, BOOLEAN)]
                yield from _of_holders(name, isinstance(inner, Optional), marks, declared.tables[table])


def _amounts(field: str, owns: str, rows: Table, columns: Sequence[str]) -> Iterator[tuple[str, str, str]]:
    """Yield the name, description and expression of amounts on table rows, or on those rows that meet `owns`.

    They are the total, the number of rows with each small amount, and totals weighted by columns.
    """
    those, amount = f"for {_ROW} in {rows.id}" + (f" if {owns}" if owns else ""), f"{field}[{_ROW}]"
    yield "in_all", "in all", f"sum({amount} {those})"
    for number in FEW:
        holding = f"{those} {'and' if owns else 'if'} {amount} == {number}"
        yield f"of_{number}", f"{_words(rows.id)} with {number}", f"count({_ROW} {holding})"
    for column in columns:
        yield f"by_{column}", f"by {_words(column)}", f"sum({amount} * {_ROW}.{column} {those})"


def _of_holders(name: str, may_be_none: bool, marks: list[str], rows: Table) -> Iterator[Feature]:
    """Yield features of the table rows that players hold, with their number, marks and column totals."""
    holder = f"{name}[{_ROW}]"
    there = f"{holder} and " if may_be_none else ""
    for side, owns in (("", f"{holder} == {WHO}"), ("others_", f"{there}{holder} != {WHO}")):
        those, words = f"for {_ROW} in {rows.id} if {owns}", f"{_words(name)} {_whose(side)}"
        yield Feature(f"{side}{name}", f"count({_ROW} {those})", words)
        for mark in marks:
            marked = f"count({_ROW} {those} and {mark}[{_ROW}])"
            yield Feature(f"{side}{name}_{mark}", marked, f"{words}: {_words(mark)}")
        for column in _integers(rows):
            yield Feature(f"{side}{name}_by_{column}", f"sum({_ROW}.{column} {those})", f"{words}: {_words(column)}")


def _of_places(kind: Kind, side: str, owns: str, beside: str) -> Iterator[Feature]:
    """Yield, for objects on table rows, the number of objects that are alone on their row.

    `beside` is the condition `owns` for another object.
    """
    for name, field in kind.named_fields.items():
        match present(field.type):
            case Row():
                here, there = f"{_ONE}.{name}", f"{_OTHER}.{name}"
                is_present = f" and {here}" if isinstance(field.type, Optional) else ""
                company = f"count({_OTHER} for {_OTHER} in {kind.plural} if {beside} and {there} == {here})"
                alone = f"count({_ONE} for {_ONE} in {kind.plural} if {owns}{is_present} and {company} == 1)"
                words = f"{_words(kind.plural)} {_whose(side)}: without others on the same {_words(name)}"
                yield Feature(f"{side}{kind.id}_{name}_alone", alone, words)


def _columns_of_players(table: Table, declared: Declarations) -> Iterator[str]:
    """Yield the number columns that assign rows to players, whose own number has the same name."""
    player = declared.kinds[PLAYER_KIND]
    for column in _integers(table):
        field, formula = player.fields.get(column), player.derived.get(column)
        saved = field.type if field is not None else declared.formulas[formula].type if formula is not None else None
        if saved == INTEGER:
            yield column


def _integers(table: Table) -> list[str]:
    """Return the number columns of a table."""
    return [column for column, cells in table.columns.items() if cells == INTEGER]


def _whose(side: str) -> str:
    """Return a description of the owner."""
    return "of the other players" if side else "of the player"


def _list_owned(kind: Kind, it: str, declared: Declarations) -> Iterator[tuple[str, str]]:
    """Yield an id prefix and a condition for each owner of an object `it`.

    The first condition is that the player owns it, the second that another player does. Yields nothing for objects
    without an owner.
    """
    own, other = [], []
    for name, field in kind.named_fields.items():
        path, inner = f"{it}.{name}", present(field.type)
        has = f"{path} and " if isinstance(field.type, Optional) else ""
        if inner == PLAYER:
            own.append(f"{path} == {WHO}")
            other.append(f"{has}{path} != {WHO}")
        elif isinstance(inner, Entity):
            for further, owner in declared.kinds[inner.kind].named_fields.items():
                if present(owner.type) == PLAYER:
                    behind = f"{path}.{further}"
                    there = f"{behind} and " if isinstance(owner.type, Optional) else ""
                    own.append(f"{has}{behind} == {WHO}")
                    other.append(f"{has}{there}{behind} != {WHO}")
    for side, ways in (("", own), ("others_", other)):
        if ways:
            yield side, f"({' or '.join(f'({way})' for way in ways)})" if len(ways) > 1 else ways[0]


def _of_kind(kind: Kind, side: str, owns: str, declared: Declarations) -> Iterator[Feature]:
    """Yield how many objects meet `owns`, the sum of each of their numbers, and how many have each property."""
    items, whose = f"for {_ONE} in {kind.plural} if {owns}", _whose(side)
    yield Feature(f"{side}{kind.plural}", f"count({_ONE} {items})", f"{_words(kind.plural)} {whose}")
    for name, text, value in _numbers(kind, _ONE, declared):
        description = f"{_words(text)} of {_words(kind.plural)} {whose}"
        yield Feature(f"{side}{kind.id}_{name}", f"sum({value} {items})", description)
    for name, text, holds in _truths(kind, declared):
        counted = f"count({_ONE} for {_ONE} in {kind.plural} if {owns} and {holds})"
        yield Feature(f"{side}{kind.id}_{name}", counted, f"{_words(kind.plural)} {whose}: {_words(text)}")


def _numbers(kind: Kind, it: str, declared: Declarations) -> Iterator[tuple[str, str, str]]:
    """Yield the name, description and expression of each number of one object.

    These are its number fields and derived numbers, the sizes of its lists, the number columns of its table rows, and
    the formulas whose only parameter is such an object.
    """
    fields: dict[str, Type] = {name: field.type for name, field in kind.named_fields.items()}
    fields |= {name: declared.formulas[formula].type for name, formula in kind.derived.items()}
    for name, saved in fields.items():
        path = f"{it}.{name}"
        match present(saved):
            case _ if saved == INTEGER:
                yield name, name, path
            case ListOf():
                yield f"{name}_count", name, f"count({path})"
            case Row(table=table):
                for column, cells in declared.tables[table].columns.items():
                    if cells == INTEGER and not declared.tables[table].has_places:
                        cell = f"{path}.{column}"
                        cell = f"({cell} if {path} else 0)" if isinstance(saved, Optional) else cell
                        yield f"{name}_{column}", f"{column} by {name}", cell
    for formula in declared.formulas.values():
        given = [*formula.parameters.values()]
        if formula.id.isidentifier() and is_assignable(INTEGER, formula.type) and given == [Entity(kind.id)]:
            yield formula.id, formula.id, f"{formula.id}({it})"


def _truths(kind: Kind, declared: Declarations) -> Iterator[tuple[str, str, str]]:
    """Yield the name, description and condition of each yes/no question about the fields of one object.

    These are true/false fields, a comparison with each value of a choice or table of at most `MOST_ROWS`, and the
    presence of any other optional field.
    """
    for name, field in kind.named_fields.items():
        path = f"{_ONE}.{name}"
        match present(field.type):
            case _ if field.type == BOOLEAN:
                yield name, name, path
            case Row(table=table) if len(declared.tables[table].rows) <= MOST_ROWS:
                for row in declared.tables[table].rows:
                    yield f"{name}_{row}", row, f"{path} == {row}"
            case Choice(ids=ids) if len(ids) <= MOST_ROWS:
                for each in ids:
                    yield f"{name}_{each}", each, f"{path} == {each}"
            case _ if isinstance(field.type, Optional):
                yield f"{name}_there", f"with {name}", path


def _words(name: str) -> str:
    return name.replace("_", " ")
