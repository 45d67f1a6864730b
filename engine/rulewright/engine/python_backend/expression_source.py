"""Translation of a program's values to Python source. Tables become dictionaries of constants."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping
from typing import Any

from rulewright.dice.ast import Roll
from rulewright.dice.sampling.roll_dice import build_sampler
from rulewright.engine.state.machine import get_effort
from rulewright.ir.program import LoweredFormula, StateLayout
from rulewright.ir.values import Value, to_python
from rulewright.language.declarations import FIRST_PLAYER, GAME, GAME_KIND, PLAYER_KIND
from rulewright.ruleset.ruleset import Ruleset


class Constants:
    """The constants of one generated module, by name. They are added while code is generated."""

    def __init__(self, ruleset: Ruleset, layout: StateLayout) -> None:
        self.ruleset = ruleset
        self.layout = layout
        self.values: dict[str, Any] = {}
        self._names: dict[Hashable, str] = {}
        self.formula: Callable[[str], str] = lambda identity: identity

    def literal(self, value: Any) -> str:
        """Return the source of a value: a Python literal if possible, or the name of a constant."""
        if value is None or isinstance(value, (bool, int, str)):
            return repr(value)
        return self._add_constant(("value", _make_typed_key(value)), f"K{len(self._names)}", value)

    def sampler(self, roll: Roll) -> str:
        """Return the name of a function that makes a roll from a generator."""
        return self._add_constant(("sampler", roll), f"D{len(self._names)}", build_sampler(roll))

    def column(self, table: str, column: str) -> str:
        """Return the name of a constant: a dictionary from the rows of a table to the values of one column.

        Added on first use.
        """
        rows = self.ruleset.declarations.tables[table].rows
        return self._add_constant(
            ("column", table, column), f"C_{table}_{column}", {row.id: row.cells[column] for row in rows.values()}
        )

    def places(self, table: str) -> str:
        """Return the name of a dictionary from rows to their positions, from 1."""
        rows = self.ruleset.declarations.tables[table].rows
        return self._add_constant(("places", table), f"P_{table}", {row: place + 1 for place, row in enumerate(rows)})

    def ranks(self, table: str) -> str:
        """Return the name of a dictionary from rows to their positions, from 0."""
        rows = self.ruleset.declarations.tables[table].rows
        return self._add_constant(("ranks", table), f"R_{table}", {row: place for place, row in enumerate(rows)})

    def following(self, table: str) -> str:
        """Return the name of a dictionary from each row to the next, or to None for the last."""
        rows = list(self.ruleset.declarations.tables[table].rows)
        return self._add_constant(("following", table), f"N_{table}", dict(zip(rows, [*rows[1:], None], strict=True)))

    def preceding(self, table: str) -> str:
        """Return the name of a dictionary from each row to the previous, or to None for the first."""
        rows = list(self.ruleset.declarations.tables[table].rows)
        return self._add_constant(("preceding", table), f"P_{table}", dict(zip(rows, [None, *rows[:-1]], strict=True)))

    def faces(self, table: str) -> str:
        """Return the name of a dictionary from the results of a table's roll to its rows."""
        return self._add_constant(("faces", table), f"T_{table}", dict(self.ruleset.declarations.tables[table].by_face))

    def _add_constant(self, key: Hashable, name: str, value: Any) -> str:
        """Return the name of a constant, added on first use. It is `name`, with underscores if that is taken."""
        if key not in self._names:
            while name in self.values:
                name += "_"
            self._names[key] = name
            self.values[name] = value
        return self._names[key]


def _make_typed_key(value: Any) -> Hashable:
    """Return a key of a value that includes types, because `True` and `1` are equal but must not share a name."""
    return tuple(_make_typed_key(item) for item in value) if isinstance(value, tuple) else (type(value), value)


HEADS = {
    "f": "f = s.frame",
    "o": "o = s.objects",
    "g": "g = s.objects[0]",
    "seats": "seats = len(s.live[1])",
    "bots": "bots = s.bots",
    "dice": "dice = s.generator; words = dice._words; fill = dice._fill",
}
"""The local names that generated functions can define, each with its definition."""

_OPERATORS = {
    "int.add": "+",
    "int.sub": "-",
    "int.mul": "*",
    "int.mod": "%",
    "same": "==",
    "differ": "!=",
    "less": "<",
    "at-most": "<=",
    "more": ">",
    "at-least": ">=",
    "list.has": "in",
    "list.lacks": "not in",
}
_JOINED = {"and": " and ", "or": " or ", "all": " & ", "any": " | "}
_CALLED = {
    "int.mul.checked": "multiply",
    "int.max": "max",
    "int.min": "min",
    "dice.of": "as_roll",
    "dice.each": "roll_each",
    "dice.mean": "compute_roll_mean",
    "list.after": "find_next",
    "list.before": "find_previous",
    "list.count": "len",
    "list.first": "get_first",
    "list.last": "get_last",
    "list.nth": "find_element",
    "list.index": "find_index",
    "list.of": "tuple",
    "list.head": "take_first",
    "list.tail": "take_last",
    "list.rotate": "rotate_list",
    "list.set": "frozenset",
    "list.sum": "sum",
    "list.sum.dice": "add_up",
    "options.range": "list_numbers",
}
_WALKS = {
    "walk.reach": "find_reached",
    "walk.ray": "find_ray",
    "walk.groups": "find_groups",
    "walk.distance": "find_distance",
    "walk.path": "find_path",
}
_FORMED = {
    "not": "(not {})",
    "some": "({} is not None)",
    "list.some": "(len({}) > 0)",
    "list.empty": "(len({}) == 0)",
    "list.any": "(True in {})",
    "list.none": "(True not in {})",
    "list.all": "(False not in {})",
    "list.max": "max({}, default=0)",
    "list.min": "min({}, default=0)",
    "list.distinct": "tuple(dict.fromkeys({}))",
    "list.minus": "remove_elements({}, {})",
    "list.join": "join_values(s, {}, {})",
    "list.flat": "flatten_values(s, {})",
    "dice.add": "compute_dice_arithmetic('+', {}, {})",
    "dice.sub": "compute_dice_arithmetic('-', {}, {})",
    "dice.mul": "compute_dice_arithmetic('*', {}, {})",
    "dice.max": "find_extreme_roll('max', {})",
    "dice.min": "find_extreme_roll('min', {})",
    "options.none": "(*{}, None)",
}


def build_direct_name(identity: str) -> str:
    """Return the name of the function that runs a whole procedure. It is unique: ids have no capital letters."""
    return f"do_{identity.replace('.', '_OF_')}"


class ExpressionSource:
    """A generator of Python source for values.

    `uses` collects the names of `HEADS` in the code. `shared` is true if the code passes the game to other functions.
    `held`, unless it is None, collects the values of the game that are kept in Python variables. `ahead` is true within
    the code for another state.
    """

    def __init__(self, constants: Constants, *, inline: bool = False) -> None:
        self.constants = constants
        self.inline = inline
        self.held: set[int] | None = None
        self.temporaries: dict[int, str] = {}
        self.names: dict[str, str] = {}
        self.uses: set[str] = set()
        self.shared = False
        self.counted = False
        self.ahead = False

    def slot(self, slot: int) -> str:
        """Return a local: a Python variable in a procedure that never stops, else a place of the frame `f`."""
        if self.inline:
            return f"l{slot}"
        self.uses.add("f")
        return f"f[{slot}]"

    def of_game(self, place: int) -> str:
        """Return the source of a field of the game.

        It may be a Python variable, and the field is then recorded in `self.held`.
        """
        if self.ahead:
            return f"s.objects[0][{place}]"
        if self.held is None:
            self.uses.add("g")
            return f"g[{place}]"
        self.held.add(place)
        return f"g{place}"

    def of_object(self, entity: str) -> str:
        """Return an object."""
        if self.ahead:
            return f"s.objects[{entity}]"
        self.uses.add("o")
        return f"o[{entity}]"

    def code(self, value: Value) -> str:
        """Return the source of a value.

        It may read `s` (the state), `o` (its objects), `g` (the game, the first of them), `f` (the frame) and `seats`
        (the number of players). Records in `self.uses` which it reads.
        """
        name = value.op
        if name in _OPERATORS:
            left, right = map(self.code, value.args)
            return f"({left} {_OPERATORS[name]} {right})"
        if name in _JOINED:
            return f"({_JOINED[name].join(map(self.code, value.args))})"
        if name in _CALLED:
            return f"{_CALLED[name]}({', '.join(map(self.code, value.args))})"
        if name in _FORMED:
            codes = [self.code(arg) for arg in value.args]
            return _FORMED[name].format(*(codes if _FORMED[name].count("{}") > 1 else [", ".join(codes)]))
        if value.fixed:
            return self.constants.literal(to_python(value))
        return _METHODS[name](self, value)

    def formula(self, formula: LoweredFormula) -> list[str]:
        """Return the lines of the body of a function that computes a formula."""
        lines = []
        for name, value in formula.memoized_values:
            lines.append(f"{name} = {self.code(value)}")
            self.names[name] = name
        lines.append(f"return {self.code(formula.value)}")
        return [*self.heads(), *lines]

    def heads(self) -> list[str]:
        """Return the lines that define the names of `HEADS` in use."""
        return [line for name, line in HEADS.items() if name in self.uses]

    # -- reading -----------------------------------------------------------------------------

    def _figure(self, value: Value) -> str:
        return self.constants.literal(value.data[1])

    def _slot(self, value: Value) -> str:
        return self.slot(value.data[0])

    def _temp(self, value: Value) -> str:
        return self.temporaries[value.data[0]]

    def _var(self, value: Value) -> str:
        return self.names.get(value.data[0], f"v_{value.data[0]}")

    def _objects(self, value: Value) -> str:
        return f"s.live[{self.constants.layout.kinds[value.data[0]]}]"

    def _field(self, value: Value) -> str:
        """Return the source of a field of an object or of the game."""
        place = self.constants.layout.places[value.data]
        base = value.args[0]
        if base.op == "ref" and base.data[0] == GAME:
            return self.of_game(place)
        return f"{self.of_object(self.code(base))}[{place}]"

    def _cell(self, value: Value) -> str:
        return f"{self.constants.column(*value.data)}[{self.code(value.args[0])}]"

    def _map_at(self, value: Value) -> str:
        held, row = value.args
        if value.data[0] == PLAYER_KIND:
            return f"{self.code(held)}[{self.code(row)} - {FIRST_PLAYER}]"
        return f"{self.code(held)}[{self.place_of(row, value.data[0])}]"

    def place_of(self, row: Value, table: str) -> str:
        """Return the place of a row in its table, from 0."""
        if row.op == "row":
            return str(list(self.constants.ruleset.declarations.tables[table].rows).index(row.data[0]))
        return f"{self.constants.ranks(table)}[{self.code(row)}]"

    def _record_part(self, value: Value) -> str:
        return f"{self.code(value.args[0])}[{value.data[2]}]"

    def _row_rank(self, value: Value) -> str:
        return f"{self.constants.places(value.data[0])}[{self.code(value.args[0])}]"

    def _row_beside(self, value: Value) -> str:
        rows = self.constants.following if value.op == "row.next" else self.constants.preceding
        return f"{rows(value.data[0])}[{self.code(value.args[0])}]"

    def _row_for(self, value: Value) -> str:
        return f"{self.constants.faces(value.data[0])}[{self.code(value.args[0])}]"

    def _deck_left(self, value: Value) -> str:
        """Return the source of the cards that the next draw is from, which are all cards again if the deck is empty."""
        place = self.constants.layout.places[GAME_KIND, f"deck.{value.data[0]}"]
        deck = self.constants.ruleset.declarations.decks[value.data[0]]
        whole = self.constants.literal(deck.cards)
        if value.args:
            whole = f"remove_elements({whole}, {self.code(value.args[0])})"
        left = [self.of_game(place)]
        if deck.ordered:
            left = [f"{self.of_game(place + 1)}[:1]", *left, f"{self.of_game(place + 2)}[:1]"]
        return f"({' or '.join([*left, *([] if deck.discard else [whole])])})"

    def _deck_count(self, value: Value) -> str:
        deck = self.constants.ruleset.declarations.decks[value.data[0]]
        places = [self.constants.layout.places[deck.kind, name] for name in deck.fields]
        if value.args:
            return f"sum(map(len, {self.of_object(self.code(value.args[0]))}[{places[0]}:{places[-1] + 1}]))"
        return f"({' + '.join(f'len({self.of_game(place)})' for place in places)})"

    # -- construction -------------------------------------------------------------------------

    def _list(self, value: Value) -> str:
        return "(" + "".join(f"{self.code(item)}, " for item in value.args) + ")"

    def _int_div(self, value: Value) -> str:
        left, right = map(self.code, value.args)
        rounding = value.data[0]
        return f"({left} // {right})" if rounding == "down" else f"divide({left}, {right}, {rounding!r})"

    def _if(self, value: Value) -> str:
        condition, then, otherwise = map(self.code, value.args)
        return f"({then} if {condition} else {otherwise})"

    def _else(self, value: Value) -> str:
        """Return the source of a value, or of another one in place of None, which is not evaluated if it may fail."""
        first, otherwise = map(self.code, value.args)
        again, careful = value.data
        if again:
            return f"({first} if {first} is not None else {otherwise})"
        if not careful:
            return f"choose_present({first}, {otherwise})"
        # Evaluate the alternative only if the first value is missing, because it may fail.
        return f"[x if x is not None else {otherwise} for x in ({first},)][0]"

    def _gather(self, value: Value) -> str:
        """Return the source of a comprehension, which charges for its elements and sorts them if it has an order."""
        variable, has_where, has_order, each, kept_cost = value.data
        parts = [self.code(part) for part in value.args]
        source, element, *rest = parts
        if each:
            self.counted = True
            source = f"spend(s, {source}, {each})"
        name = f"v_{variable}"
        where = f" if {rest[0]}" if has_where else ""
        if kept_cost:
            self.counted = True
            where = f" if ({rest[0]}) and not s.spend({kept_cost})"
        if has_order:
            return f"sort_pairs([({rest[-1]}, {element}) for {name} in {source}{where}])"
        return source if element == name and not where else f"[{element} for {name} in {source}{where}]"

    def _walk(self, value: Value) -> str:
        """Return the source of a search over spaces, which charges for each of its steps."""
        variable, has_where, has_cost, has_limit, has_goal, has_until, each = value.data
        self.counted = True
        source, onward, *rest = map(self.code, value.args)
        name, parts = f"v_{variable}", iter(rest)
        where = next(parts) if has_where else ""
        cost = next(parts) if has_cost else "1"
        entering = f"({cost}) if {where} else None" if where else cost
        limit = next(parts) if has_limit else "None"
        goal = f", {next(parts)}" if has_goal else ""
        ends = f", lambda {name}: {next(parts)}" if has_until else ""
        apart = ", apart=True" if value.op == "walk.groups" else ""
        ways = f"lambda {name}: {onward}, lambda {name}: {entering}"
        steps = f"iterate_walk({source}, {ways}, s.spend, {each}, {limit}{ends}{apart})"
        return f"{_WALKS[value.op]}({steps}{goal})"

    def _extreme_of_rows(self, value: Value) -> str:
        """Return the source of the first or last of some rows in table order, or of the table's first row for none."""
        table = value.data[0]
        name = value.op.split(".")[1]
        ranks = self.constants.ranks(table)
        default = next(iter(self.constants.ruleset.declarations.tables[table].rows))
        return f"{name}({self.code(value.args[0])}, key={ranks}.__getitem__, default={default!r})"

    def _extreme_row(self, value: Value) -> str:
        codes = ", ".join(map(self.code, value.args))
        return f"{value.op.split('.')[1]}({codes}, key={self.constants.ranks(value.data[0])}.__getitem__)"

    def _player_beside(self, value: Value) -> str:
        """Return the source of the player after or before another one in the order of seats."""
        player, players = map(self.code, value.args)
        seats = f"len({players})"
        if self.inline:
            self.uses.add("seats")
            seats = "seats"
        after = player if value.op == "players.after" else f"({player} - 2)"
        return f"({after} % {seats} + {FIRST_PLAYER})"

    def _formula(self, value: Value) -> str:
        self.shared = True
        name = self.constants.formula(value.data[0])
        return f"{name}({', '.join(['s', *map(self.code, value.args)])})"

    def _after(self, value: Value) -> str:
        """Return the source of a condition in the state that a procedure would leave."""
        self.shared = self.counted = True
        *arguments, condition = value.args
        given = "".join(f"{self.code(argument)}, " for argument in arguments)
        # Inside, `s` is another state, and no variable named in `HEADS` holds a part of it.
        outer, self.ahead = self.ahead, True
        judge = self.code(condition)
        self.ahead = outer
        cost = get_effort(self.constants.ruleset).estimate_procedure(value.data[0])
        return f"judge_after(s, {build_direct_name(value.data[0])}, ({given}), lambda s: {judge}, {cost})"

    def _options(self, value: Value) -> str:
        """Return the source of a tuple of options, some of them conditional."""
        parts, args = [], iter(value.args)
        for conditional in value.data:
            option = self.code(next(args))
            parts.append(f"*(({option},) if {self.code(next(args))} else ())," if conditional else f"{option},")
        return f"({' '.join(parts)})"

    def _subsets(self, value: Value) -> str:
        codes = [self.code(arg) for arg in value.args]
        has_low, has_high = value.data
        low = codes[1] if has_low else "0"
        high = codes[-1] if has_high else f"len({codes[0]})"
        return f"list_subsets({codes[0]}, {low}, {high}{', in_order=True' if value.op == 'options.sequences' else ''})"


_METHODS: Mapping[str, Callable[[ExpressionSource, Value], str]] = {
    "figure": ExpressionSource._figure,
    "slot": ExpressionSource._slot,
    "temp": ExpressionSource._temp,
    "var": ExpressionSource._var,
    "objects": ExpressionSource._objects,
    "field": ExpressionSource._field,
    "cell": ExpressionSource._cell,
    "map.at": ExpressionSource._map_at,
    "row.rank": ExpressionSource._row_rank,
    "row.next": ExpressionSource._row_beside,
    "row.previous": ExpressionSource._row_beside,
    "row.for": ExpressionSource._row_for,
    "row.max": ExpressionSource._extreme_row,
    "row.min": ExpressionSource._extreme_row,
    "deck.left": ExpressionSource._deck_left,
    "deck.count": ExpressionSource._deck_count,
    "list": ExpressionSource._list,
    "record": ExpressionSource._list,
    "record.part": ExpressionSource._record_part,
    "list.max.row": ExpressionSource._extreme_of_rows,
    "list.min.row": ExpressionSource._extreme_of_rows,
    "players.after": ExpressionSource._player_beside,
    "players.before": ExpressionSource._player_beside,
    "gather": ExpressionSource._gather,
    **dict.fromkeys(_WALKS, ExpressionSource._walk),
    "int.div": ExpressionSource._int_div,
    "if": ExpressionSource._if,
    "else": ExpressionSource._else,
    "formula": ExpressionSource._formula,
    "after": ExpressionSource._after,
    "options": ExpressionSource._options,
    "options.subsets": ExpressionSource._subsets,
    "options.sequences": ExpressionSource._subsets,
}


def list_unwritten() -> Iterable[str]:
    """Return the operations on values that this back end does not support. Tests expect none."""
    from rulewright.ir.values import CONSTANTS, OPERATIONS

    return sorted(set(OPERATIONS) - {*CONSTANTS, *_OPERATORS, *_JOINED, *_CALLED, *_FORMED, *_METHODS})
