"""The names in the scope of an expression with their types, and the signature of the call being typed."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Literal

from rulewright.language.builtin import Builtin, list_functions, list_functions_of_values, list_walks
from rulewright.language.checked_steps import CellSteps
from rulewright.language.declarations import GAME_KIND, ROW_NAME, Declarations, Scope
from rulewright.language.expressions.name_resolution import CARDS_LEFT, DECK_CARDS
from rulewright.language.expressions.typed_ast import Constant
from rulewright.language.types import (
    INTEGER,
    Dice,
    Entity,
    ListOf,
    Optional,
    Record,
    RecordOf,
    Row,
    Type,
    is_assignable,
    present,
)
from rulewright.lsp.features.edition_states import Good
from rulewright.lsp.features.expected_type import call_at, find_expected_type, type_of
from rulewright.lsp.features.symbol_at import map_lines
from rulewright.lsp.features.typing_context import ITEM, Context, find_context
from rulewright.lsp.features.visible_names import find_visible_slots
from rulewright.lsp.features.workspace import Workspace
from rulewright.ruleset.sections.measures import build_result_scope
from rulewright.source.files.unsaved_texts import build_file_key

_BEFORE_DOT = re.compile(r"((?:[^\W\d]\w*)(?:\.[^\W\d]\w*|\[[^\[\]]*\])*)\.(?:[^\W\d]\w*)?$")
_FOR = re.compile(r"\bfor\s+([^\W\d]\w*)\s+in\s+([^()]*?)(?=\s+(?:if|until|by|within|to)\b|\)|$)")


@dataclass(frozen=True, slots=True)
class Name:
    """A name that an expression may use, with its description. Names of the expected type have a lower rank."""

    name: str
    text: str
    sort: Literal["name", "field", "function", "id"]
    type: str
    means: str
    rank: int


@dataclass(frozen=True, slots=True)
class CallSignature:
    """The signature of a call that is being typed, and the index of the active argument."""

    signature: str
    means: str
    parameters: tuple[str, ...]
    active: int


def list_names_at(workspace: Workspace, good: Good, path: Path, line: int, at: Context) -> Iterator[Name]:
    """Yield the names that may come next in an expression on a line, after the text that is typed so far."""
    lines = (workspace.texts.get_text(path) or "").split("\n")
    after = lines[line - 1].rpartition(at.typed)[2] if line <= len(lines) and at.typed else ""
    scope, there = _scope(workspace, good, path, line, at, at.typed + after)
    key = next((each for each in reversed(at.way) if each != ITEM), "")
    expected = find_expected_type(at.typed, scope, good.keys.get((at.way[0] if at.way else "", key), there))
    dotted = _BEFORE_DOT.search(at.typed)
    result = _of(dotted[1], scope) if dotted is not None else _all(scope, expected)
    yield from result


def find_signature(workspace: Workspace, path: Path, line: int, column: int) -> CallSignature | None:
    """Return the signature of the call that is being typed, or None if there is no known function.

    Lines and columns are counted from 1.
    """
    context = find_context(workspace.texts.get_text(path) or "", line, column)
    good = next(iter(workspace.list_good(path)), None)
    call = call_at(context.typed) if context is not None else None
    called = _find_signature(*call, good) if call is not None else None
    return replace(called, means=good.as_read(called.means)) if called is not None and good is not None else called


def _find_signature(name: str, active: int, good: Good | None) -> CallSignature | None:
    """Return the signature of a formula, a record or a builtin function, or None if the name is none of these.

    `active` is the number of the current argument.
    """
    declared = good.ruleset.declarations if good is not None else None
    if declared is not None and name in declared.formulas:
        formula = declared.formulas[name]
        given = tuple(f"{each}: {kind}" for each, kind in formula.parameters.items())
        return CallSignature(f"{name}({', '.join(given)})", formula.means, given, active)
    if declared is not None and name in declared.records:
        record = declared.records[name]
        given = tuple(f"{part}: {kind}" for part, kind in record.type.parts)
        return CallSignature(f"{name}({', '.join(given)})", record.means, given, active)
    function = list_functions_of_values().get(name) or list_functions().get(name) or list_walks().get(name)
    if function is None:
        return None
    inner = function.signature.partition("(")[2].rpartition(")")[0]
    return CallSignature(function.signature, function.means, tuple(inner.split(", ")), active)


# -- the names ---------------------------------------------------------------------------


def _scope(
    workspace: Workspace, good: Good, path: Path, line: int, at: Context, whole: str
) -> tuple[Scope, Type | None]:
    """Return the scope at a line and the expected type there, from the expression on it or the nearest one above.

    The type is None if no expression on the line has one. The scope also has the names of the procedure at `at`, and
    the variables of each `for` in `whole`, the text of the line's expression.
    """
    key = build_file_key(path)
    named, moved = good.files.get(key), map_lines(workspace, good, key)
    scope, expected = Scope(good.ruleset.declarations), None
    best: tuple[int, int] | None = None
    for reading in good.mentions.readings.get(named or "", ()):
        now = moved.map_forward(reading.scalar.span)
        # For a changed line, use its old position.
        there = (now or reading.scalar.span).line, (now or reading.scalar.span).column
        if there[0] <= line and (best is None or there > best):
            best, scope = there, reading.scope
            expected = reading.expected if there[0] == line else None
    if at.way[:1] == ("measures",) and at.way[-1] != "per":
        scope = build_result_scope(good.ruleset.declarations, good.ruleset.payoff)
    identity = at.way[1] if at.way[:1] == ("procedures",) and len(at.way) > 1 else ""
    if at.way[:1] == ("tables",) and at.way[2:3] == ("rows",) and len(at.way) > 4:
        identity = CellSteps(at.way[1], at.way[3], at.way[4]).id
    procedure = good.ruleset.procedures.get(identity)
    if procedure is not None:
        if procedure.cell is not None and scope.row is None:
            scope = replace(scope, row=Constant(Row(procedure.cell.table), procedure.cell.row, ROW_NAME))
        visible = find_visible_slots(procedure, at.way, key, line, moved)
        is_read = best is not None and best[0] == line
        usable = {procedure.names[slot].partition(".")[0] for slot in visible.slots}
        scope = replace(scope, locals={name: bound for name, bound in scope.locals.items() if name in usable})
        # What was read on this line says whether its key can use the names that the step itself declares.
        own = {procedure.names[slot] for slot in visible.own} if is_read else set()
        # The step may not have been checked yet, so offer all names that it can use.
        for slot in sorted(visible.slots):
            name = procedure.names[slot]
            if name.isidentifier() and name not in {*scope.locals, *own} and slot in procedure.types:
                scope = scope.with_variable(name, procedure.types[slot])
    for variable, source in _FOR.findall(whole):
        kind = type_of(source, scope)
        if isinstance(kind, ListOf):
            scope = scope.with_variable(variable, kind.inner)
    return scope, expected


def _all(scope: Scope, expected: Type | None) -> Iterator[Name]:
    """Yield the names that an expression can begin with. Those of the `expected` type have a lower rank."""
    declared = scope.declarations

    def rank(kind: Type, usual: int) -> int:
        if expected is None or not is_assignable(expected, kind):
            return usual
        return usual - 3 if kind == expected else usual - 2

    for name, kind in scope.variables.items():
        yield Name(name, name, "name", str(kind), "of this expression", rank(kind, 4))
    for name, bound in scope.locals.items():
        if name.isidentifier():
            yield Name(name, name, "name", str(bound.type), "of this procedure", rank(bound.type, 4))
    if scope.row is not None:
        yield Name(ROW_NAME, ROW_NAME, "name", str(scope.row.type), "the row itself", rank(scope.row.type, 4))
    type_ = present(expected) if expected is not None else None
    if isinstance(type_, Row) and type_.table in declared.tables:
        for row in declared.tables[type_.table].rows.values():
            yield Name(row.id, row.id, "id", f"a row of {type_.table}", row.title, 0)
    for choice in getattr(type_, "ids", ()):
        yield Name(choice, choice, "id", "a choice", "", 0)
    state = declared.kinds.get(GAME_KIND)
    for field in state.fields.values() if state is not None else ():
        if field.name.isidentifier():
            yield Name(field.name, field.name, "name", str(field.type), field.means, rank(field.type, 5))
    for number in declared.numbers.values():
        yield Name(number.id, number.id, "name", str(number.type), number.means, rank(number.type, 6))
    for plural, of in declared.map_plurals().items():
        description = declared.kinds[of].means
        yield Name(
            plural, plural, "name", f"list of {of}", f"All existing ones. {description}", rank(ListOf(Entity(of)), 6)
        )
    for formula in declared.formulas.values():
        if formula.id.isidentifier():
            given = ", ".join(f"{each}: {kind}" for each, kind in formula.parameters.items())
            text = f"{formula.id}(" if given else formula.id
            description = f"({given}) → {formula.type}" if given else str(formula.type)
            yield Name(formula.id, text, "function", description, formula.means, rank(formula.type, 6))
    for function in scope.player_functions:
        yield Name(function, f"{function}(", "function", f"(player) → {INTEGER}", "of this expression", 4)
    for record in declared.records.values():
        yield Name(record.id, f"{record.id}(", "function", "makes a record", record.means, rank(record.type, 7))
    for table in declared.tables.values():
        rolled = isinstance(type_, Dice) and table.roll is not None
        yield Name(table.id, table.id, "name", "a table", table.title, 3 if rolled else 7)
    if declared.options:
        yield Name("options", "options.", "name", "the settings", "", 7)
    every: dict[str, Builtin] = {**list_walks(), **list_functions(), **list_functions_of_values()}
    for built_in in every.values():
        yield Name(built_in.name, f"{built_in.name}(", "function", built_in.signature, built_in.means, 8)


def _of(base: str, scope: Scope) -> Iterator[Name]:
    """Yield the names that may follow `base` and a dot."""
    declared = scope.declarations
    hidden = base not in scope.variables and base not in scope.locals
    if hidden and base == "options":
        for option in declared.options.values():
            yield Name(option.id, option.id, "field", str(option.type), option.means or option.title, 1)
        return
    if hidden and base in declared.tables:
        for row in declared.tables[base].rows.values():
            yield Name(row.id, row.id, "id", f"a row of {base}", row.title, 1)
    owner, _, name = base.rpartition(".")
    deck = declared.decks.get(name)
    named = deck is not None and (type_of(owner, scope) == Entity(deck.kind) if deck.is_owned else hidden and not owner)
    if deck is not None and named:
        yield Name(CARDS_LEFT, CARDS_LEFT, "field", str(INTEGER), "The number of cards left in the deck.", 1)
        cards = ListOf(Row(deck.table))
        yield Name(DECK_CARDS, DECK_CARDS, "field", str(cards), "The cards left in the deck.", 1)
    bound = scope.locals.get(base)
    if bound is not None and isinstance(bound.type, Record):
        for name, part in (bound.parts or {}).items():
            yield Name(name, name, "field", str(part.type), f"given back by `{base}`", 1)
        return
    yield from _inside(type_of(base, scope), declared)


def _inside(kind: Type, declared: Declarations) -> Iterator[Name]:
    """Yield the names of the parts of a value of a type: fields, derived values, columns or parts of a record.

    Other types have none.
    """
    match kind:
        case Optional(inner=inner):
            yield from _inside(inner, declared)
        case Entity(kind=name) if name in declared.kinds:
            owner = declared.kinds[name]
            for field in owner.named_fields.values():
                yield Name(field.name, field.name, "field", str(field.type), field.means, 1)
            for derived, formula in owner.derived.items():
                if formula in declared.formulas:
                    result = declared.formulas[formula]
                    yield Name(derived, derived, "field", str(result.type), result.means, 2)
            for deck in declared.decks.values():
                if deck.kind == name:
                    yield Name(deck.id, deck.id, "field", "a deck", deck.title, 2)
        case Row(table=table) if table in declared.tables:
            for column, of in declared.tables[table].columns.items():
                yield Name(column, column, "field", str(of), f"of {table}", 1)
            for computed in declared.tables[table].formulas.values():
                given = ", ".join(f"{each}: {of}" for each, of in computed.parameters.items())
                yield Name(computed.id, f"{computed.id}(", "function", f"({given}) → {computed.type}", f"of {table}", 1)
            if "rank" not in declared.tables[table].columns:
                yield Name("rank", "rank", "field", str(INTEGER), "The position of the row in the table.", 3)
        case RecordOf(parts=parts):
            for part, of in parts:
                yield Name(part, part, "field", str(of), "", 1)
