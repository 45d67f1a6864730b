"""Starting positions, from the `given:` of an example or `run` to a state and a procedure's arguments.

A position names parameters of the procedure, values of the game, decks, and collections (`players`, or all objects of a
kind).
An object is a mapping of its fields, or a reference to an existing object. A reference is a player's seat (`2`), the
name of another given object (`cart`), or an element of a collection (`towns.2`). A missing object parameter becomes a
new object with default fields, and a missing required player field becomes the first player.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping as ReadOnlyMapping
from typing import Any

from rulewright.engine import engine_diagnostics
from rulewright.engine.state.game_state import State
from rulewright.engine.state.machine import Machine
from rulewright.language.checked_steps import Procedure
from rulewright.language.declarations import (
    FIRST_PLAYER,
    GAME,
    GAME_KIND,
    PLAYER_KIND,
    Binding,
    Deck,
    Declarations,
    Scope,
)
from rulewright.language.types import (
    INTEGER,
    PLAYER,
    Entity,
    ListOf,
    MapOf,
    Optional,
    Record,
    RecordOf,
    Row,
    Type,
    find_default,
    present,
)
from rulewright.ruleset.elaborate.node_readers import read_constant
from rulewright.source.diagnostics.collector import Diagnostics
from rulewright.source.diagnostics.suggestions import suggest_name
from rulewright.source.nodes import Entry, Mapping, Node, Scalar, Sequence
from rulewright.source.span import Span
from rulewright.source.yaml.core_schema import parse_whole_number


class PositionBuilder:
    """A builder for one starting position."""

    def __init__(self, machine: Machine, given: Mapping | None, diagnostics: Diagnostics) -> None:
        self.machine = machine
        self.declared = machine.ruleset.declarations
        self.given: ReadOnlyMapping[str, Entry] = given.entries if given is not None else {}
        self.diagnostics = diagnostics
        self.named: dict[str, Any] = {}
        self.waiting: list[tuple[int, str, Mapping]] = []
        self.count = self.seated = 0

    def set_up(
        self, procedure: str, players: int | None, options: ReadOnlyMapping[str, str], span: Span
    ) -> tuple[State, tuple[Any, ...]]:
        """Return the state and the arguments of a procedure or formula, which must not be used if there are errors.

        Adds errors to the diagnostics. Without `players`, the number of players is the minimum, or the number of given
        players if that is larger.
        """
        listed = self.given.get("players")
        seats = len(listed.value.items) if listed is not None and isinstance(listed.value, Sequence) else 0
        ruleset = self.machine.ruleset
        fewest, most = ruleset.players
        count = max(seats, fewest) if players is None else players
        if not (fewest <= count <= most and seats <= count):
            number = max(count, seats) if seats else count
            self._report(f"{ruleset.title} is for {ruleset.format_players()}, not {number}", span)
            count = max(fewest, min(count, most))
        self.count = count
        self._check_options(options, span)
        state = self.machine.empty(count, options={k: v for k, v in options.items() if k in self.declared.options})
        parameters = self._parameters(procedure)
        self._refuse_unknown(parameters)
        plurals = self.declared.map_plurals()
        for name, entry in self.given.items():
            if name in plurals and name not in parameters:
                self.named[name] = self._collection(state, plurals[name], name, entry.value)
        for name, kind in parameters.items():
            if name in self.given:
                self._allocate(state, name, kind, self.given[name].value)
            elif isinstance(kind, Entity) and kind != PLAYER:
                self.named[name] = self._new(state, kind.kind)
        for item, kind_name, fields in self.waiting:
            self._fill(state, item, kind_name, fields)
        self._state_fields(state, parameters)
        arguments = tuple(self._argument(state, name, kind, span) for name, kind in parameters.items())
        if not self.diagnostics.errors:  # an invalid value would cause a second error
            self._fill_missing(state, span)
        return state, arguments

    def _parameters(self, rule: str) -> ReadOnlyMapping[str, Type]:
        """Return the parameters of a procedure or formula. None of them if `rule` is empty."""
        ruleset = self.machine.ruleset
        if rule in ruleset.procedures:
            return ruleset.procedures[rule].parameters
        return ruleset.declarations.formulas[rule].parameters if rule else {}

    # -- objects ---------------------------------------------------------------------------

    def _allocate(self, state: State, name: str, kind: Type, node: Node) -> None:
        """Create the objects written for a parameter, and remember them by its name. Their fields are set later.

        A player is the next seat instead of a new object. A list may also refer to existing objects. Reports a player
        too many and invalid references. Ignores all other values.
        """
        match kind, node:
            case _, Mapping() if present(kind) == PLAYER:
                self.named[name] = self._seat_player(node)
            case ((Entity(kind=kind_id) | Optional(inner=Entity(kind=kind_id))), Mapping()):
                self.named[name] = self._new(state, kind_id, node)
            case ListOf(inner=Entity(kind=kind_id)), Sequence():
                self.named[name] = self._collection(state, kind_id, name, node)

    def _seat_player(self, fields: Mapping) -> int:
        """Return the next player, who receives these fields.

        Reports a player too many, and then returns the first player.
        """
        player = FIRST_PLAYER + self.seated
        self.seated += 1
        if player - FIRST_PLAYER < self.count:
            self.waiting.append((player, PLAYER_KIND, fields))
            return player
        self._report(f"there are {self.count} players", fields.span)
        return FIRST_PLAYER

    def _new(self, state: State, kind: str, fields: Mapping | None = None) -> int:
        """Create an object and return its number. Its `fields` are set later."""
        layout = self.machine.layout
        item = state.create(layout.kinds[kind], list(layout.defaults[kind]))
        if fields is not None:
            self.waiting.append((item, kind, fields))
        return item

    def _collection(self, state: State, kind: str, name: str, node: Node) -> tuple[int, ...]:
        """Return the objects in a list, and create those that it writes as mappings.

        Reports a value that is no list, and invalid references, which are left out.
        """
        if not isinstance(node, Sequence):
            self._report(f"`{name}` is a list", node.span)
            return ()
        results = []
        for place, item in enumerate(node.items):
            if not isinstance(item, Mapping):
                results.append(self._reference(state, kind, item))
            elif kind == PLAYER_KIND:
                results.append(FIRST_PLAYER + place)
                self.waiting.append((FIRST_PLAYER + place, kind, item))
            else:
                results.append(self._new(state, kind, item))
        return tuple(entity for entity in results if entity is not None)

    def _reference(self, state: State, kind: str, node: Node) -> int | None:
        """Return the object that `node` refers to, or None after reporting an error."""
        text = node.text.strip() if isinstance(node, Scalar) else ""
        name, _, place = text.partition(".")
        # The ids of options, such as `player-2` or `#2`, are also valid.
        prefix = f"{PLAYER_KIND}-" if kind == PLAYER_KIND else "#"
        seat = parse_whole_number(text.removeprefix(prefix).removeprefix("#"))
        if kind == PLAYER_KIND and seat is not None:
            if seat <= len(state.live[1]):
                if seat:
                    return FIRST_PLAYER + seat - 1
                self._report("seats are counted from 1", node.span)
            else:
                self._report(f"there are {len(state.live[1])} players", node.span)
            return None
        result = self.named.get(name)
        nth = parse_whole_number(place) or 0
        if seat is not None and result is None:
            # A number refers to the object at that position among all objects of its kind.
            result, nth = tuple(state.live[self.machine.layout.kinds[kind]]), seat
            if not 1 <= nth <= len(result):
                are = "is 1" if len(result) == 1 else f"are {len(result) or 'none'}"
                self._report(f"there {are} of the kind `{kind}`, counted from 1", node.span)
                return None
        if isinstance(result, tuple) and 1 <= nth <= len(result):
            result = result[nth - 1]
        if isinstance(result, int):
            item = state.objects[result]
            if self.machine.layout.names[item[0]] == kind:
                return result
            self._report(f"`{text}` is not a {kind}", node.span)
            return None
        seats = " (a seat, such as 1)" if kind == PLAYER_KIND else ""
        hint = suggest_name(text, [n for n, value in self.named.items() if isinstance(value, int)])
        if kind == PLAYER_KIND and hint is None:
            hint = "write a seat, or set fields of all players with `players: [{FIELD: VALUE}, {}]`"
        self.diagnostics.add(
            engine_diagnostics.BAD_GIVEN, f"a {kind} is needed here{seats}", node.span, suggestion=hint
        )
        return None

    # -- values ----------------------------------------------------------------------------

    def _fill(self, state: State, entity: int, kind: str, fields: Mapping) -> None:
        """Set the fields of an object. Reports unknown fields and invalid values."""
        declared = self.declared.kinds[kind]
        for name, entry in fields.entries.items():
            if name not in declared.fields:
                deck = find_deck(self.declared, kind, name)
                if deck is not None:
                    self._fill_deck(state, entity, deck, entry.value)
                    continue
                hint = suggest_name(name, [*declared.fields, *self._list_decks(kind)])
                message = f"`{kind}` has no field `{name}`"
                self.diagnostics.add(engine_diagnostics.BAD_GIVEN, message, entry.key.span, suggestion=hint)
                continue
            field = declared.fields[name]
            value = self._value(state, entry.value, field.type)
            least = value
            if isinstance(field.type, MapOf) and isinstance(value, tuple):
                least = min((each for each in value if isinstance(each, int)), default=0)
            if field.minimum is not None and isinstance(least, int) and least < field.minimum:
                self._report(f"`{name}` is never below {field.minimum}", entry.value.span)
            state.objects[entity][self.machine.layout.places[kind, name]] = value

    def _list_decks(self, kind: str) -> list[str]:
        return [deck.id for deck in self.declared.decks.values() if deck.kind == kind]

    def _fill_deck(self, state: State, entity: int, deck: Deck, node: Node) -> None:
        """Put the written cards into a deck. In an ordered one, they lie in this order, the first on top."""
        cards = self._value(state, node, ListOf(Row(deck.table)))
        if not isinstance(cards, tuple):
            return
        counter = Counter(cards)
        shuffled = tuple(row for row in self.declared.tables[deck.table].rows for _ in range(counter[row]))
        parts = ((), cards, ()) if deck.ordered else (shuffled,)
        for name, part in zip(deck.fields, parts, strict=True):
            state.objects[entity][self.machine.layout.places[deck.kind, name]] = part
        if deck.is_owned:
            seen = Counter(deck.start)
            seen |= counter
            state.objects[entity][self.machine.layout.places[deck.kind, deck.seen]] = tuple(seen.elements())

    def _fill_missing(self, state: State, span: Span) -> None:
        """Set required fields that were not given to the first player or a new object.

        A new object may need further objects, but none of a kind in its own chain, which would never end. Reports the
        fields that remain without a value.
        """
        layout = self.machine.layout
        made_for: dict[int, frozenset[str]] = {}
        for item, values in enumerate(state.objects):
            kind = layout.names[values[0]]
            needing = made_for.get(item, frozenset()) | {kind}
            for field in self.declared.kinds[kind].fields.values():
                place = layout.places[kind, field.name]
                if values[place] is None and not isinstance(field.type, Optional):
                    if field.type == PLAYER and state.live[1]:
                        values[place] = FIRST_PLAYER
                    elif isinstance(field.type, Entity) and item and field.type.kind not in needing:
                        values[place] = self._new(state, field.type.kind)
                        made_for[values[place]] = needing
                    else:
                        self._report(f"a `{kind}` needs a value for `{field.name}`", span)

    def _state_fields(self, state: State, parameters: ReadOnlyMapping[str, Type]) -> None:
        """Set the values of the game, and the cards of its decks, that are given."""
        game = self.declared.kinds[GAME_KIND]
        for name, entry in self.given.items():
            deck = find_deck(self.declared, GAME_KIND, name)
            if deck is not None and name not in parameters:
                self._fill_deck(state, GAME, deck, entry.value)
            if name in game.fields and name not in self.named:
                place = self.machine.layout.places[GAME_KIND, name]
                state.objects[0][place] = self._value(state, entry.value, game.fields[name].type)

    def _argument(self, state: State, name: str, kind: Type, span: Span) -> Any:
        """Return the argument for a parameter: its object, its given value or the default of its type.

        If there is none of these, report that and return None.
        """
        if name in self.named:
            return self.named[name]
        if name in self.given:
            return self._value(state, self.given[name].value, kind)
        match kind:
            case Optional():
                return None
            case ListOf():
                return ()
            case MapOf(table=table, inner=inner) if find_default(inner)[1]:
                return (find_default(inner)[0],) * len(self.declared.tables[table].rows)
            case _ if kind == PLAYER:
                return FIRST_PLAYER
            case _ if kind == INTEGER:
                return 0
        self._report(f"`{name}` must be given: {kind}", span)
        return None

    def _value(self, state: State, node: Node, kind: Type) -> Any:
        """Return the value of a node for a type. Creates the objects that it writes as mappings.

        Reports an invalid value. The result then has no meaning.
        """
        inner = kind.inner if isinstance(kind, Optional) else kind
        if isinstance(inner, Entity):
            nothing = isinstance(node, Scalar) and (node.value is None or node.text == "none")
            if nothing and isinstance(kind, Optional):
                return None
            if isinstance(node, Mapping) and inner != PLAYER:
                entity = self._new(state, inner.kind)
                self._fill(state, entity, inner.kind, node)
                return entity
            return self._reference(state, inner.kind, node)
        if isinstance(inner, ListOf) and isinstance(inner.inner, Entity | RecordOf) and isinstance(node, Sequence):
            return tuple(self._value(state, item, inner.inner) for item in node.items)
        if isinstance(inner, MapOf) and isinstance(node, Mapping):
            return self._by_row(state, node, inner)
        if isinstance(inner, RecordOf) and isinstance(node, Mapping):
            return self._by_part(state, node, inner)
        if isinstance(node, Mapping):
            self._report(f"{kind} is needed here, not {node.kind}", node.span)
            return None
        return read_constant(node, self.declared, self.diagnostics, expected=kind)[1]

    def _by_row(self, state: State, node: Mapping, kind: MapOf) -> tuple[Any, ...]:
        """Return a map's values in row order. Missing rows have the default value of the type. Reports unknown rows."""
        value = dict.fromkeys(self.declared.tables[kind.table].rows, find_default(kind.inner)[0])
        for name, entry in node.entries.items():
            if name in value:
                value[name] = self._value(state, entry.value, kind.inner)
            else:
                hint = suggest_name(name, value)
                message = f"{kind.table} has no row `{name}`"
                self.diagnostics.add(engine_diagnostics.BAD_GIVEN, message, entry.key.span, suggestion=hint)
        return tuple(value.values())

    def _by_part(self, state: State, node: Mapping, kind: RecordOf) -> tuple[Any, ...]:
        """Return a record's values in order. Missing parts have the default value of their type.

        Reports unknown parts, and missing parts whose type has no default.
        """
        parts = dict(kind.parts)
        value = {}
        for name, entry in node.entries.items():
            if name in parts:
                value[name] = self._value(state, entry.value, parts[name])
            else:
                hint = suggest_name(name, parts)
                message = f"a record `{kind.name}` has no part `{name}`"
                self.diagnostics.add(engine_diagnostics.BAD_GIVEN, message, entry.key.span, suggestion=hint)
        for name, part in kind.parts:
            start, known = find_default(part)
            if name not in value and not known:
                self._report(f"`{name}` is missing; it must be {part}", node.span)
            value.setdefault(name, start)
        return tuple(value[name] for name in parts)

    # -- faults ----------------------------------------------------------------------------

    def _check_options(self, options: ReadOnlyMapping[str, str], span: Span) -> None:
        """Report unknown settings and choices to the diagnostics."""
        for name, choice in options.items():
            if name not in self.declared.options:
                hint = suggest_name(name, self.declared.options)
                self.diagnostics.add(
                    engine_diagnostics.BAD_GIVEN, f"there is no setting `{name}`", span, suggestion=hint
                )
            elif choice not in self.declared.options[name].choices:
                hint = suggest_name(choice, self.declared.options[name].choices)
                message = f"`{name}` has no choice `{choice}`"
                self.diagnostics.add(engine_diagnostics.BAD_GIVEN, message, span, suggestion=hint)

    def _refuse_unknown(self, parameters: ReadOnlyMapping[str, Type]) -> None:
        """Report given names that belong to neither the parameters nor the game to the diagnostics."""
        known = [
            *parameters,
            *self.declared.map_plurals(),
            *self.declared.kinds[GAME_KIND].fields,
            *self._list_decks(GAME_KIND),
        ]
        for name, entry in self.given.items():
            if name not in known:
                hint = suggest_name(name, known)
                message = f"the start sets `{name}`, but neither the procedure nor the game has anything of that name"
                self.diagnostics.add(engine_diagnostics.BAD_GIVEN, message, entry.key.span, suggestion=hint)

    def _report(self, message: str, span: Span) -> None:
        self.diagnostics.add(engine_diagnostics.BAD_GIVEN, message, span)


def find_deck(declared: Declarations, kind: str, name: str) -> Deck | None:
    """Return the deck that `name` fills at the start, of an object of a kind or of the game, or None.

    A field of the same name comes first.
    """
    deck = declared.decks.get(name)
    return deck if deck is not None and deck.kind == kind and name not in declared.kinds[kind].fields else None


def bind(scope: Scope, name: str, kind: Type, slot: int, span: Span) -> Scope:
    """Return `scope` with one more name. A name such as `haul.weight` becomes a part of the record `haul`."""
    head, _, part = name.partition(".")
    bound = Binding(slot, kind, False, span)
    if not part:
        return scope.with_binding(name, bound)
    there = scope.locals.get(head)
    parts = {**(there.parts or {}), part: bound} if there is not None else {part: bound}
    record = Record({each: binding.type for each, binding in parts.items()})
    return scope.with_binding(head, Binding(slot, record, False, span, parts))


def end_scope(procedure: Procedure, declarations: Declarations) -> Scope:
    """Return a scope with every name of a procedure, each treated as bound.

    The caller must check at the end of a run whether a name has a value.
    """
    scope = Scope(declarations, outside=True)
    for slot, name in procedure.names.items():
        if "(" not in name:
            scope = bind(scope, name, present(procedure.types[slot]), slot, procedure.span)
    return scope


def build_result_scope(procedure: Procedure, declarations: Declarations) -> Scope:
    """Return the scope of `end_scope` with the results of the procedure, whose slots follow those of its names."""
    scope = end_scope(procedure, declarations)
    for place, (name, value) in enumerate(procedure.gives.items(), start=1):
        scope = bind(scope, name, value.type, procedure.size + place, procedure.span)
    return scope
