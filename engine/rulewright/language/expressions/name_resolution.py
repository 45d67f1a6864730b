"""Resolution of names and paths: bare words, fields of objects, columns of rows, and results of procedures."""

from __future__ import annotations

from typing import Protocol

from rulewright.language import language_diagnostics
from rulewright.language.declarations import GAME, GAME_KIND, PLAYER_KIND, ROW_NAME, Deck, Declarations, Scope, Table
from rulewright.language.expressions import untyped_ast
from rulewright.language.expressions.typed_ast import (
    BROKEN,
    ROW_RANK,
    Arithmetic,
    CardCount,
    Cell,
    Constant,
    DeckCards,
    Entry,
    Invoke,
    ListElement,
    Local,
    Lookup,
    Nth,
    Objects,
    PartOf,
    Stored,
    Typed,
    Variable,
)
from rulewright.language.expressions.untyped_ast import Syntax
from rulewright.language.expressions.word_notes import ScalarReading
from rulewright.language.types import (
    BOOLEAN,
    INTEGER,
    PLAYER,
    ByPlayer,
    Choice,
    Entity,
    Integer,
    ListOf,
    MapOf,
    Optional,
    Record,
    RecordOf,
    Row,
    Type,
    Unknown,
    is_assignable,
    make_optional,
    present,
)
from rulewright.source.diagnostics.diagnostic import Code
from rulewright.source.diagnostics.suggestions import TRUTHS, Suggestion, suggest_name


class ScalarChecker(Protocol):
    """The checker of one scalar, as the modules that each know one form of expression see it."""

    reading: ScalarReading | None

    def check_value(self, node: Syntax, scope: Scope, expected: Type | None = None) -> Typed: ...
    def record(self, node: Syntax, scope: Scope) -> Typed: ...
    def get_source_text(self, node: Syntax) -> str: ...
    def check_question(self, node: Syntax, scope: Scope) -> Typed: ...
    def fit(self, typed: Typed, expected: Type, node: Syntax) -> Typed: ...
    def check_condition(self, node: Syntax, scope: Scope) -> Typed: ...
    def as_condition(self, typed: Typed, node: Syntax) -> Typed: ...
    def report(self, code: Code, message: str, node: Syntax, suggestion: str | None = None) -> Typed: ...
    def report_at(self, code: Code, message: str, start: int, end: int, suggestion: str | None = None) -> Typed: ...


MOST_LISTED = 8
"""The maximum number of ids for which a suggestion lists all of them."""

FIRST_LISTED = 3
"""The number of ids that a suggestion lists if there are more than `MOST_LISTED`."""


def check_name(checker: ScalarChecker, node: untyped_ast.Name, scope: Scope, expected: Type | None) -> Typed:
    """Return the typed tree of a bare name. If a row or a choice is `expected`, its ids are names as well.

    Reports an unknown or ambiguous name, and then returns `BROKEN`.
    """
    result = _resolve(node.text, scope)
    symbol = _symbol(node.text, expected, scope.declarations)
    if symbol is None:
        return result or _report_unknown(checker, node, scope, expected)
    if result is not None and expected is not None and is_assignable(expected, result.type):
        ids = symbol.type.ids if isinstance(symbol.type, Choice) else ()
        meaning = f"one of the ids {', '.join(ids)}" if ids else f"the id of {symbol.type}"
        message = f"`{node.text}` is ambiguous: it is the name of a value here, and also {meaning}"
        return checker.report(language_diagnostics.AMBIGUOUS_NAME, message, node, _spell_out(symbol))
    return symbol


def can_resolve(node: Syntax, scope: Scope) -> bool:
    """Return whether `node` has a meaning of its own, without an expected type."""
    return not isinstance(node, untyped_ast.Name) or _resolve(node.text, scope) is not None


def _spell_out(symbol: Typed) -> str | None:
    if isinstance(symbol.type, Row) and isinstance(symbol, Constant):
        return f"write `{symbol.type.table}.{symbol.value}` if the row is meant"
    return None


def _symbol(text: str, expected: Type | None, declarations: Declarations) -> Typed | None:
    """Return a bare id as a value of the expected type, or None if that has no such id."""
    match present(expected) if expected else None:
        case Choice(ids=ids) as kind if text in ids:
            return Constant(kind, text, text)
        case Row(table=table) as kind if text in declarations.tables[table].rows:
            return Constant(kind, text, text)
    return None


def _resolve(text: str, scope: Scope) -> Typed | None:
    """Return the value with this name in a scope, from the innermost names to the formulas, or None."""
    declared = scope.declarations
    if text in scope.variables:
        return Variable(scope.variables[text], text)
    if text in scope.locals:
        bound = scope.locals[text]
        return Local(bound.type, bound.slot, text)
    if text == ROW_NAME and scope.row is not None:
        return scope.row
    if text in declared.numbers:
        number = declared.numbers[text]
        return Constant(number.type, number.value, text)
    state = declared.kinds.get(GAME_KIND)
    if state and text in state.fields:
        return Stored(state.fields[text].type, Constant(Entity(GAME_KIND), GAME), GAME_KIND, text)
    if text in declared.tables:
        table = declared.tables[text]
        return Constant(ListOf(table.type), tuple(table.rows), text)
    kind = declared.map_plurals().get(text)
    if kind:
        return Objects(ListOf(Entity(kind)), kind)
    if text in declared.formulas and not declared.formulas[text].parameters:
        return Invoke(declared.formulas[text].type, text, ())
    return None


def _report_unknown(checker: ScalarChecker, node: untyped_ast.Name, scope: Scope, expected: Type | None) -> Typed:
    """Report a name without a meaning, with the most likely correction, and return `BROKEN`.

    Nothing is reported where a row of a table without rows is expected, because the table itself is.
    """
    ids: list[str] = []
    match present(expected) if expected else None:
        case Choice(ids=choices) as kind:
            ids = list(choices)
            if not suggest_name(node.text, _list_values(scope)):
                message = f"`{node.text}` is not {kind}"
                return checker.report(language_diagnostics.UNKNOWN_NAME, message, node, suggest_name(node.text, ids))
        case Row(table=table):
            ids = list(scope.declarations.tables[table].rows)
            if not ids:  # reported at the declaration of the table
                return BROKEN
            if not suggest_name(node.text, _list_values(scope)):
                message = f"{table} has no row `{node.text}`"
                return checker.report(
                    language_diagnostics.UNKNOWN_ROW, message, node, suggest_name(node.text, ids) or list_ids(ids)
                )
    if node.text in scope.declarations.decks:
        if scope.declarations.decks[node.text].is_owned:
            message, owner = describe_missing_owner(scope.declarations.decks[node.text])
            return checker.report(language_diagnostics.UNKNOWN_NAME, message, node, owner)
        left = f"for the number of cards left in it, write `{node.text}.{CARDS_LEFT}`"
        return checker.report(language_diagnostics.UNKNOWN_NAME, f"`{node.text}` is a deck, not a value", node, left)
    if node.text in scope.declarations.records:
        given = ", ".join(name for name, _ in scope.declarations.records[node.text].type.parts)
        message = f"`{node.text}` is a type of record, not a value"
        return checker.report(
            language_diagnostics.UNKNOWN_NAME, message, node, f"make a record from its parts: `{node.text}({given})`"
        )
    formula = scope.declarations.formulas.get(node.text)
    if formula is not None:
        given = ", ".join(formula.parameters)
        message = f"`{node.text}` is a formula with parameters: {given}"
        return checker.report(language_diagnostics.UNKNOWN_NAME, message, node, f"give it values: `{node.text}(…)`")
    hint = _of_kind(node.text, scope) or _suggest_fields(node.text, scope) or _of_rows(node.text, scope)
    if hint is None and node.text in scope.unfinished:
        hint = f"`{node.text}` is this step or a step around it, so its result is not known yet"
    if hint is None and node.text in scope.later:
        hint = f"`{node.text}` is named by a `for` after this: move the condition to the end, after every `for`"
    if hint is None and node.text in scope.declarations.options:
        written = f"options.{node.text}"
        hint = Suggestion(f"`{node.text}` is a setting: write `{written}`", node.text, [written])
    hint = hint or suggest_name(node.text, ids + scope.list_names())
    truth = TRUTHS.get(node.text.casefold())
    if truth is not None and (hint is None or expected == BOOLEAN):
        hint = Suggestion(f"write `{truth}`", node.text, [truth])
    if node.text in ("delete", "remove") and hint is None:
        hint = Suggestion("to delete an entry, write `{delete: true}`", node.text, ["{delete: true}"])
    is_figure = not scope.locals and not scope.variables and expected is not None and present(expected) == INTEGER
    if hint is None and is_figure:
        hint = "write a number such as `30`, or a declared name"
    return checker.report(language_diagnostics.UNKNOWN_NAME, f"nothing here is called `{node.text}`", node, hint)


def _list_values(scope: Scope) -> list[str]:
    """Return the names in a scope except for formulas, most of which are no values without arguments."""
    return [name for name in scope.list_names() if name not in scope.declarations.formulas]


def _of_kind(text: str, scope: Scope) -> str | None:
    """Return a hint for the name of a kind that is used for one object, or None."""
    kind = scope.declarations.kinds.get(text)
    if kind is None or kind.id == GAME_KIND:
        return None
    one = " or ".join(f"`{name}`" for name in scope.list_names_of_kind(text)[:MOST_LISTED])
    of_all = f"`{kind.plural}` is the list of all its objects"
    return f"`{text}` is a kind: did you mean {one}? {of_all}" if one else f"`{text}` is a kind; {of_all}"


def _of_rows(name: str, scope: Scope) -> Suggestion | None:
    """Return a hint for the only row with this name, for a context that does not imply the table. None otherwise."""
    having = [table.id for table in scope.declarations.tables.values() if name in table.rows]
    if len(having) != 1:
        return None
    row = f"{having[0]}.{name}"
    return Suggestion(f"`{name}` is a row of `{having[0]}`: write `{row}`", name, [row])


def _suggest_fields(text: str, scope: Scope) -> str | None:
    """Return a hint for the name of a field of a visible object, or None."""
    declared = scope.declarations
    bound = {**{name: local.type for name, local in scope.locals.items()}, **scope.variables}
    results = []
    for name, kind in bound.items():
        owner = declared.kinds.get(kind.kind) if isinstance(kind, Entity) else None
        if owner is not None and (text in owner.fields or text in owner.derived):
            results.append(name)
    if any(not name.isidentifier() for name in results):
        return f"name the deciding player with `as: chooser`, and write `chooser.{text}`"
    names = [f"{name}.{text}" for name in results[:MOST_LISTED]]
    return Suggestion(f"did you mean {' or '.join(f'`{name}`' for name in names)}?", text, names) if names else None


def list_ids(ids: list[str]) -> str:
    """Return a hint that lists the rows of a table, or the first of them if there are many."""
    listed = ids if len(ids) <= MOST_LISTED else ids[:FIRST_LISTED]
    more = f" and {len(ids) - len(listed):,} more" if len(ids) > len(listed) else ""
    return "its rows are " + ", ".join(f"`{row}`" for row in listed) + more


def check_field(checker: ScalarChecker, node: untyped_ast.Field, scope: Scope) -> Typed:
    """Return the typed tree of `base.name`: an option, a row, a deck's cards, a field, a cell, or a part of a record.

    It may also be one of several results of a step. Reports errors, and then returns `BROKEN`.
    """
    declared = scope.declarations
    head = node.base.text if isinstance(node.base, untyped_ast.Name) else ""
    if head and head not in scope.variables and head not in scope.locals:
        if head == "options" and declared.options:
            return _option(checker, node, declared)
        if head in declared.tables and node.name in declared.tables[head].rows:
            return Constant(Row(head), node.name, node.name)
        if head in declared.decks and (head in declared.tables or _resolve(head, scope) is None):
            return _of_a_deck(checker, node, declared.decks[head], None)
        if head in declared.tables:
            rows = list(declared.tables[head].rows)
            if not rows:  # reported at the declaration of the table
                return BROKEN
            hint = suggest_name(node.name, rows) or list_ids(rows)
            return _fault(checker, language_diagnostics.UNKNOWN_ROW, f"{head} has no row `{node.name}`", node, hint)
    if isinstance(node.base, untyped_ast.Field) and node.base.name in declared.decks:
        deck = declared.decks[node.base.name]
        owner = checker.record(node.base.base, scope) if deck.is_owned else BROKEN
        if owner.type == Entity(deck.kind):
            return _of_a_deck(checker, node, deck, owner)
    base = checker.record(node.base, scope)
    instead: str | None = None
    match base.type:
        case Unknown():
            return BROKEN
        case Entity(kind=kind):
            return _check_entity_field(checker, node, base, kind, declared)
        case Row(table=table):
            return _cell(checker, node, base, declared, table)
        case RecordOf() as kind:
            return _part_of(checker, node, base, kind)
        case Record() if isinstance(base, Local):
            return _part(checker, node, base, scope)
        case Optional():
            message = f"this may be none, and none has no field `{node.name}`"
            return checker.report(language_diagnostics.MAY_BE_NONE, message, node.base)
        case MapOf(table=table):
            instead = _row_in_brackets(node.name, list(declared.tables[table].rows))
        case ListOf():
            instead = f"go through the list: `list(each.{node.name} for each in …)`, or with `sum`, `any` or `count`"
    return _fault(checker, language_diagnostics.UNKNOWN_FIELD, f"{base.type} has no fields", node, instead)


def _row_in_brackets(name: str, rows: list[str]) -> str:
    """Return a hint for looking up the value of a row in a map."""
    if name in rows:
        return f"write a row in brackets: `[{name}]`"
    return f"write a row in brackets, as in `[{rows[0]}]`" if rows else "write a row in brackets"


def check_index(checker: ScalarChecker, node: untyped_ast.Index, scope: Scope) -> Typed:
    """Return the typed tree of `table[key]`, `map[key]`, `answers[player]` or `list[number]`, which counts from 1.

    Reports errors, and then returns `BROKEN`.
    """
    declared = scope.declarations
    head = node.base.text if isinstance(node.base, untyped_ast.Name) else None
    if head in declared.tables and head not in scope.variables and head not in scope.locals:
        return _row(checker, node, declared.tables[head], scope)
    message = "only a table, a map or a list can be indexed with `[…]`"
    if head is not None and not can_resolve(node.base, scope):
        name = suggest_name(head, [*declared.tables, *scope.list_names()])
        return checker.report(language_diagnostics.WRONG_TYPE, message, node.base, name)
    base = checker.check_value(node.base, scope)
    if scope.outside and isinstance(base.type, ListOf) and not isinstance(base.type.inner, Unknown):
        place = node.key.value if isinstance(node.key, untyped_ast.Literal) else None
        if isinstance(place, int) and not isinstance(place, bool) and place > 0:
            return Nth(base.type.inner, base, place)
        message = "the index into a list must be a literal number, counted from 1: `players[2]`"
        return checker.report(language_diagnostics.WRONG_TYPE, message, node.key)
    match base.type:
        case Unknown():
            return BROKEN
        case ByPlayer(inner=inner):
            who = checker.check_value(node.key, scope, PLAYER)
            return Entry(inner, base, checker.fit(who, PLAYER, node.key), PLAYER_KIND)
        case MapOf(table=table, inner=inner):
            key = _row(checker, node, declared.tables[table], scope)
            if isinstance(key.type, Unknown):
                return BROKEN
            # A key that is already a row of the table needs no lookup.
            if isinstance(key, Lookup) and key.key.type == key.type:
                key = key.key
            return Entry(inner, base, key, table)
        case Optional(inner=MapOf()):
            return checker.report(
                language_diagnostics.MAY_BE_NONE, "this may be none, and none has no value for a row", node.base
            )
        case ListOf(inner=inner):
            return _check_element(checker, node, base, inner, scope)
    return checker.report(language_diagnostics.WRONG_TYPE, f"{message}, but this is {base.type}", node.base)


def _check_element(checker: ScalarChecker, node: untyped_ast.Index, base: Typed, inner: Type, scope: Scope) -> Typed:
    """Return an element of a list by its number, or of the answers of some players by the player.

    Reports any other index, and then returns `BROKEN`.
    """
    bound = next((each for each in scope.locals.values() if isinstance(base, Local) and each.slot == base.slot), None)
    players = bound.players if bound is not None else None
    key = checker.check_value(node.key, scope)
    if isinstance(key.type, Unknown):
        return BROKEN
    if players is not None and present(key.type) == PLAYER:
        return ListElement(make_optional(inner), base, checker.fit(key, PLAYER, node.key), players)
    if isinstance(key.type, Integer):
        return ListElement(make_optional(inner), base, key)
    if present(key.type) in (INTEGER, None if players is None else PLAYER):
        message = "this may be none, and a list has no element for none"
        return checker.report(language_diagnostics.MAY_BE_NONE, message, node.key)
    source = checker.get_source_text(node.base)
    accepted = "a number" if players is None else "a player or a number"
    message = f"the index into {base.type} must be {accepted}, not {key.type}"
    hint = f"write a number, counted from 1, or `first(each for each in {source} if …)` to choose an element"
    if present(key.type) == PLAYER:
        hint = f"only the name of a `choose` step whose `who` is a list has an answer for a player: `{source}` has none"
    return checker.report(language_diagnostics.WRONG_TYPE, message, node.key, hint)


def _row(checker: ScalarChecker, node: untyped_ast.Index, table: Table, scope: Scope) -> Typed:
    """Return the row that a key names, looked up in a table.

    Reports a key that is no id, may be none, or may have no row, and then returns `BROKEN`.
    """
    declared = scope.declarations
    key = checker.check_value(node.key, scope, table.type)
    match key.type:
        case Unknown():
            return BROKEN
        case Row(table=other):
            ids = tuple(declared.tables[other].rows)
        case Choice(ids=choices):
            ids = choices
        case Optional():
            message = f"this may be none, but {table.id} has no row for none"
            return checker.report(language_diagnostics.MAY_BE_NONE, message, node.key)
        case _:
            message = f"the index into {table.id} must be the id of a row, not {key.type}"
            return checker.report(language_diagnostics.WRONG_TYPE, message, node.key)
    if isinstance(key, Constant):
        ids = (key.value,)
    missing = [i for i in ids if i not in table.rows] if table.rows else []
    if missing:
        message = f"{table.id} has no row `{missing[0]}`, which this may look up"
        hint = suggest_name(missing[0], table.rows) or f"add a row `{missing[0]}` to {table.id}"
        return checker.report(language_diagnostics.UNKNOWN_ROW, message, node.key, hint)
    return Lookup(table.type, key, table.id)


def _fault(checker: ScalarChecker, code: Code, message: str, node: untyped_ast.Field, hint: str | None) -> Typed:
    return checker.report_at(code, message, node.name_start, node.end, hint)


CARDS_LEFT = "left"
"""The name of the number of cards left in a deck."""

DECK_CARDS = "cards"
"""The name of the cards left in a deck."""


def list_deck_cards(deck: Deck, owner: Typed | None = None) -> DeckCards:
    """Return the cards of a deck as an expression, wherever in it they are, without those of its discard pile.

    `owner` is the object that has the deck, or None for a deck that all share.
    """
    kind = ListOf(Row(deck.table))
    base = owner or Constant(Entity(GAME_KIND), GAME)
    stored: Typed | None = None
    for name in deck.fields:
        part = Stored(kind, base, deck.kind, name)
        stored = part if stored is None else Arithmetic(kind, "+", stored, part)
    assert stored is not None
    return DeckCards(kind, deck.id, stored, owner)


def describe_deck_parts(text: str) -> str:
    """Return a hint for the values of a deck, which the rules name with `text`."""
    left, cards = f"`{text}.{CARDS_LEFT}`", f"`{text}.{DECK_CARDS}`"
    return f"{left} is the number of cards left in it, and {cards} is the list of these cards"


def describe_missing_owner(deck: Deck) -> tuple[str, str]:
    """Return the message for a deck that is named without the object that has it, and a hint."""
    message = f"each {deck.kind} has a `{deck.id}`, so the {deck.kind} must be named"
    return message, f"write the {deck.kind} before it, as in `{deck.kind}.{deck.id}`"


def _of_a_deck(checker: ScalarChecker, node: untyped_ast.Field, deck: Deck, owner: Typed | None) -> Typed:
    """Return the number or the list of the cards left in a deck, which `owner` or the game has.

    Reports any other name, and a deck without its owner, and then returns `BROKEN`.
    """
    if owner is None and deck.is_owned:
        message, hint = describe_missing_owner(deck)
        return checker.report(language_diagnostics.UNKNOWN_NAME, message, node, hint)
    if node.name == CARDS_LEFT:
        return CardCount(INTEGER, deck.id, owner)
    if node.name == DECK_CARDS:
        return list_deck_cards(deck, owner)
    hint = describe_deck_parts(checker.get_source_text(node.base))
    return _fault(checker, language_diagnostics.UNKNOWN_FIELD, f"a deck has no `{node.name}`", node, hint)


def _option(checker: ScalarChecker, node: untyped_ast.Field, declared: Declarations) -> Typed:
    """Return the value of an option. Reports an unknown option, and then returns `BROKEN`."""
    if node.name not in declared.options:
        hint = suggest_name(node.name, declared.options)
        return _fault(checker, language_diagnostics.UNKNOWN_NAME, f"there is no option `{node.name}`", node, hint)
    kind = declared.options[node.name].type
    return Stored(kind, Constant(Entity(GAME_KIND), GAME), GAME_KIND, f"options.{node.name}")


def _check_entity_field(
    checker: ScalarChecker, node: untyped_ast.Field, base: Typed, kind: str, declared: Declarations
) -> Typed:
    """Return a field of an object, or the call of the formula of a derived field.

    Reports an unknown field, and then returns `BROKEN`. A derived field that is at fault is `BROKEN` without a report.
    """
    owner = declared.kinds[kind]
    deck = declared.decks.get(node.name)
    if deck is not None and deck.kind == kind:
        parts = describe_deck_parts(checker.get_source_text(node))
        return _fault(checker, language_diagnostics.UNKNOWN_FIELD, f"`{node.name}` is a deck, not a value", node, parts)
    if node.name in owner.fields:
        return Stored(owner.fields[node.name].type, base, kind, node.name)
    if node.name in owner.derived:
        formula = declared.formulas.get(owner.derived[node.name])
        if formula is None:  # reported at the declaration of the derived field
            return BROKEN
        return Invoke(formula.type, formula.id, (base,))
    decks = [deck.id for deck in declared.decks.values() if deck.kind == kind]
    hint = suggest_name(node.name, [*owner.fields, *owner.derived, *decks])
    return _fault(checker, language_diagnostics.UNKNOWN_FIELD, f"`{kind}` has no field `{node.name}`", node, hint)


def _cell(checker: ScalarChecker, node: untyped_ast.Field, base: Typed, declared: Declarations, table: str) -> Typed:
    """Return a column of a row, or its rank.

    Reports an unknown column and one that has no values (of steps or with arguments), and then returns `BROKEN`.
    """
    columns = declared.tables[table].columns
    if node.name in columns:
        return Cell(columns[node.name], base, table, node.name)
    if node.name in declared.tables[table].steps:
        message = f"`{node.name}` is a column of steps, which have no value"
        run = f"to run them, write `do: {checker.get_source_text(node)}`"
        return _fault(checker, language_diagnostics.UNKNOWN_FIELD, message, node, run)
    if node.name in declared.tables[table].formulas:
        given = ", ".join(declared.tables[table].formulas[node.name].parameters)
        message = f"the cells of `{node.name}` are computed from arguments"
        call = f"write `{checker.get_source_text(node)}({given})`"
        return _fault(checker, language_diagnostics.UNKNOWN_FIELD, message, node, call)
    if node.name == "rank":
        return Cell(INTEGER, base, table, ROW_RANK)
    hint = suggest_name(node.name, [*columns, *declared.tables[table].formulas, "rank"])
    return _fault(checker, language_diagnostics.UNKNOWN_FIELD, f"{table} has no column `{node.name}`", node, hint)


def _part_of(checker: ScalarChecker, node: untyped_ast.Field, base: Typed, kind: RecordOf) -> Typed:
    """Return a part of a record. Reports an unknown part, and then returns `BROKEN`."""
    parts = dict(kind.parts)
    if node.name in parts:
        return PartOf(parts[node.name], base, kind.name, node.name)
    hint = suggest_name(node.name, parts)
    return _fault(
        checker, language_diagnostics.UNKNOWN_FIELD, f"a record `{kind.name}` has no part `{node.name}`", node, hint
    )


def _part(checker: ScalarChecker, node: untyped_ast.Field, base: Local, scope: Scope) -> Typed:
    """Return one of several results of a step. Reports an unknown result, and then returns `BROKEN`."""
    parts = scope.locals[base.name].parts or {}
    if node.name in parts:
        return Local(parts[node.name].type, parts[node.name].slot, f"{base.name}.{node.name}")
    hint = suggest_name(node.name, parts)
    return _fault(checker, language_diagnostics.UNKNOWN_FIELD, f"`{base.name}` gives no `{node.name}`", node, hint)
