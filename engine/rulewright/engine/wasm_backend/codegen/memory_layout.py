"""The memory layout of a ruleset with its constants and the values of a game.

A value has 64 bits: a number as it is, a boolean as 0 or 1, a row as its index in its table, a choice or a text as
its index among the strings of the ruleset, an object as its number. A missing value is `NONE`. A value with parts
(list, map, record, roll, fraction) is a block: its length, then its parts. The value is then the address of the block
with bit 62 set. Numbers of a game are never that large, so the bits identify blocks.
"""

from __future__ import annotations

import struct
from collections.abc import Callable, Iterable, Sequence
from fractions import Fraction
from itertools import accumulate
from typing import Any

from rulewright.dice import ast
from rulewright.dice.ast import Die, Roll
from rulewright.dice.bounds import compute_mean
from rulewright.dice.dice_error import DiceError
from rulewright.dice.sampling.pools import group_size
from rulewright.dice.static_bounds import count_dice
from rulewright.ir.parameters import NONE as NO_FIGURES
from rulewright.ir.program import Program
from rulewright.language.types import (
    Choice,
    Dice,
    ListOf,
    MapOf,
    Optional,
    Ratio,
    RecordOf,
    Row,
    Text,
    Type,
    present,
)
from rulewright.ruleset.ruleset import Ruleset

NONE = -(1 << 63)
"""The word for a missing value."""

BLOCK = 1 << 62
"""The bit added to the address of a block."""

STATE = 0x200000
"""The address of the game."""

_FIELDS = """
mode who options roll answer frame made objects winners given work crowd root seats events told top limit flags
decisions most_decisions fault fault_value fault_text fault_row rule ended_by frames_end clean drawing results first
""".split()  # noqa: SIM905 (names are easier to read as words)
AT = {name: STATE + 8 * place for place, name in enumerate(_FIELDS)}
"""The addresses of global words of a game, as in the runtime's `struct state`."""

_LIVE = STATE + 512

WORDS = struct.Struct("<q")

KINDS_OF_ROLL = {
    kind: number
    for number, kind in enumerate(
        (
            *(ast.Constant, ast.Pool, ast.Keep, ast.Sum, ast.Negation, ast.Product, ast.Maximum, ast.Minimum),
            *(ast.Comparison, ast.Absolute, ast.Multiplied, ast.Quotient, ast.Either, ast.Variable, ast.Named),
            *(ast.Several, ast.Group, ast.Trim, ast.Count, ast.Matching),
        )
    )
}
"""The numbers of the node types of rolls, as in the runtime."""

_LARGEST_IN_A_MEAN = 10**18


def encode_rounding(rounding: str) -> int:
    """Return the number by which the runtime knows a way to round."""
    return ast.ROUNDINGS.index(rounding)


class MemoryLayout:
    """The addresses of one ruleset. `data` is everything that the rules fix, by address."""

    def __init__(
        self, program: Program, ruleset: Ruleset, *, first: int, room: int, means: bool, memo_words: int
    ) -> None:
        self.program = program
        self.room = room
        self._means = means
        self.ruleset = ruleset
        self.kinds = program.layout.names
        self.words: dict[str, int] = {}
        self.data: list[tuple[int, bytes]] = []
        self._next = first
        self._blocks: dict[tuple[int, ...], int] = {}
        self._columns: dict[tuple[str, str], int] = {}
        self._figures: dict[str, int] = {}
        self._later: list[tuple[int, Roll]] = []
        self.fixed: int | None = None
        self._dice: dict[Die, int] = {}
        self._rolls: dict[Roll, int] = {}
        self.rolls: dict[int, Roll] = {}
        self.dice: dict[int, Die] = {}
        self.rows = {name: {row: place for place, row in enumerate(table.rows)} for name, table in self._tables()}
        self.row_ids = {name: tuple(rows) for name, rows in self.rows.items()}
        self.live = _LIVE
        self.kept = self.live + 8 * len(self.kinds)
        self.kept_words = memo_words
        self.game = self.kept + 8 * self.kept_words
        self.game_size = 1 + len(program.layout.fields["game"])
        self.players = self.game + 8 * self.game_size
        self.player_size = 1 + len(program.layout.fields["player"])
        self.frames = self.players + 8 * self.player_size * ruleset.players[1]
        self.heap = self.frames
        self.event_counters = 0
        self.results = 0
        """The address of the results of the last procedure. They have at most `result_words` words."""
        self.result_words = 0
        self.run_signature = 0
        """The index of the signature of the function that runs a procedure by its number."""

        for kind in ruleset.declarations.kinds.values():
            for each in kind.fields.values():
                self.register_type(each.type)

    def register_type(self, kind: Type) -> None:
        """Assign numbers to all words that a value of a type may be."""
        match kind:
            case Choice(ids=ids):
                for each in ids:
                    self.encode_word(each)
            case Optional(inner=inner) | ListOf(inner=inner) | MapOf(inner=inner):
                self.register_type(inner)
            case RecordOf(parts=parts):
                for _, part in parts:
                    self.register_type(part)

    def _tables(self) -> Any:
        return self.ruleset.declarations.tables.items()

    # -- constants -----------------------------------------------------------------------------

    def put(self, content: bytes) -> int:
        """Append bytes to the constants and return their address."""
        at = self._next
        self._next += (len(content) + 7) & ~7
        self.data.append((at, content))
        return at

    def reserve(self, size: int) -> int:
        """Reserve zeroed memory outside all games, and return its address."""
        at = self._next
        self._next += (size + 7) & ~7
        return at

    @property
    def end(self) -> int:
        """Return the address after the constants."""
        return self._next

    def encode_word(self, text: str) -> int:
        """Return the number of a choice or text."""
        return self.words.setdefault(text, len(self.words))

    def block(self, values: Sequence[int]) -> int:
        """Return a block of these values, the same for the same ones."""
        key = tuple(values)
        if key not in self._blocks:
            self._blocks[key] = BLOCK | self.put(b"".join(map(WORDS.pack, (len(key), *key))))
        return self._blocks[key]

    def find_column(self, table: str, column: str) -> int:
        """Return the address of a column of a table, row by row.

        On first use, the column is added to the constants. A column of parameters only gets its space, which
        `put_figures` fills.
        """
        key = (table, column)
        if key not in self._columns:
            is_read = key in self.program.parameters.columns
            rows = len(self.rows[table])
            self._columns[key] = self.reserve(8 * rows) if is_read else self.put(self._encode_words(table, column))
        return self._columns[key]

    def _encode_words(self, table: str, column: str) -> bytes:
        result = self.ruleset.declarations.tables[table]
        kind = result.columns[column]
        return b"".join(WORDS.pack(self.encode_constant(row.cells[column], kind)) for row in result.rows.values())

    def find_figure(self, number: str) -> int:
        """Return the address of a named number that is read rather than written out."""
        if number not in self._figures:
            self._figures[number] = self.reserve(8)
        return self._figures[number]

    def find_roll(self, roll: Roll) -> int:
        """Return the address of the word for a roll.

        If the roll is the value of a named number that the code reads, it is the address of that number, because the
        number can vary. In a module with parameters, `put_figures` fills every other such word.
        """
        parameters, numbers = self.program.parameters, self.ruleset.declarations.numbers
        for name in sorted(parameters.numbers):
            if numbers[name].value == roll:
                return self.find_figure(name)
        if parameters == NO_FIGURES:
            return self.put(WORDS.pack(self.roll(roll)))
        at = self.reserve(8)
        self._later.append((at, roll))
        return at

    def map_figure_addresses(self) -> dict[tuple[str, ...], int]:
        """Return the addresses of the parameters that the code reads.

        Keys are the names of numbers, or the table, row and column of a cell.
        """
        figure_addresses: dict[tuple[str, ...], int] = {(name,): at for name, at in self._figures.items()}
        for (table, column), at in self._columns.items():
            if (table, column) in self.program.parameters.columns:
                figure_addresses |= {(table, row, column): at + 8 * place for row, place in self.rows[table].items()}
        return figure_addresses

    def put_figures(self) -> list[tuple[int, bytes]]:
        """Append the initial values of the parameters, and return them with their addresses.

        The rolls among them are after all other constants, which never move.
        """
        self.fixed, before = self._next, len(self.data)
        numbers = self.ruleset.declarations.numbers
        for name, at in self._figures.items():
            self.data.append((at, WORDS.pack(self.encode_constant(numbers[name].value, numbers[name].type))))
        for (table, column), at in self._columns.items():
            if (table, column) in self.program.parameters.columns:
                self.data.append((at, self._encode_words(table, column)))
        self.data += [(at, WORDS.pack(self.roll(roll))) for at, roll in self._later]
        return self.data[before:]

    def find_faces(self, table: str) -> tuple[int, int]:
        """Return the address of a table's rows by the result of its roll, and the smallest result."""
        result = self.ruleset.declarations.tables[table].by_face
        low, high = min(result), max(result)
        rows = [self.rows[table][result[face]] if face in result else NONE for face in range(low, high + 1)]
        return self.put(b"".join(map(WORDS.pack, rows))), low

    def encode_constant(self, value: Any, kind: Type) -> int:
        """Return the word for a constant of the rules. Compound constants are added to the data of the module."""
        if value is None:
            return NONE
        inner = present(kind)
        match inner, value:
            case _, Roll():
                return self.roll(value)
            case _, Fraction():
                return self.block([value.numerator, value.denominator])
            case ((ListOf(inner=each) | MapOf(inner=each)), tuple()):
                return self.block([self.encode_constant(item, each) for item in value])
            case RecordOf(parts=parts), tuple():
                return self.block(
                    [self.encode_constant(item, part) for item, (_, part) in zip(value, parts, strict=True)]
                )
            case Row(table=table), str():
                return self.rows[table][value]
            case _, str():
                return self.encode_word(value)
            case _, tuple():
                return self.block([self.encode_constant(item, inner) for item in value])
        return int(value)

    # -- rolls -----------------------------------------------------------------------------------

    def find_die(self, die: Die) -> int:
        """Return the address of a die, which is added to the data on first use."""
        if die not in self._dice:
            words = encode_die(die, self._numbers, self._mean(ast.Pool(1, die)))
            at = self._dice[die] = self._numbers(words)
            self.dice[at] = die
        return self._dice[die]

    def _numbers(self, numbers: Iterable[int]) -> int:
        return self.put(b"".join(map(WORDS.pack, numbers)))

    def roll(self, roll: Roll) -> int:
        """Return the word for a roll, whose block is added to the data on first use."""
        if roll not in self._rolls:
            try:
                dice = count_dice(roll)
            except DiceError:
                dice = NONE
            values = [
                KINDS_OF_ROLL[type(roll)],
                self._mean(roll),
                dice,
                *roll_parts(roll, self.roll, self.find_die, self.encode_word),
            ]
            # Each roll needs its own block, because rolls of different dice may consist of the same words.
            at = self.put(b"".join(map(WORDS.pack, (len(values), *values))))
            self._rolls[roll] = BLOCK | at
            self.rolls[at] = roll
        return self._rolls[roll]

    def find_known_roll(self, roll: Roll) -> int | None:
        """Return the block of a roll of the rules, or None. Only complete after the layout is final."""
        return self._rolls.get(roll)

    def known_die(self, die: Die) -> int | None:
        """Return the address of a die of the rules, or None. Only complete after the layout is final."""
        return self._dice.get(die)

    def _mean(self, roll: Roll) -> int:
        """Return the word for the mean of a roll as a fraction, or `NONE` if it is too large to compute.

        Without `means`, which the constructor sets, it is always `NONE`.
        """
        if not self._means:
            return NONE
        try:
            mean = compute_mean(roll)
        except DiceError:
            return NONE
        if max(abs(mean.numerator), mean.denominator) > _LARGEST_IN_A_MEAN:
            return NONE
        return self.block([mean.numerator, mean.denominator])


def encode_die(die: Die, put: Callable[[Iterable[int]], int], middle: int) -> list[int]:
    """Return the words of a die as the runtime reads them. `put` puts numbers into memory and returns their address.

    `middle` is the word for its mean.
    """
    faces = die.faces
    listed = 0 if isinstance(faces, range) else put(faces)
    ladder = 0 if die.weights is None else put(accumulate(die.weights))
    first, step = (faces.start, faces.step) if isinstance(faces, range) else (0, 0)
    together = 1 if die.weights is not None else group_size(len(faces))
    return [len(faces), first, step, listed, ladder, together, middle]


def roll_parts(
    roll: Roll, each: Callable[[Roll], int], die: Callable[[Die], int], word: Callable[[str], int]
) -> list[int]:
    """Return the words of a roll's block after its kind, its mean and its number of dice.

    `each`, `die` and `word` return the words for a roll inside, a die and a text.
    """
    match roll:
        case ast.Constant(value):
            return [value]
        case ast.Pool(count, kind):
            return [count, die(kind)]
        case ast.Keep(pool, number, highest):
            return [each(pool), number, int(highest)]
        case ast.Product(factor, inner):
            return [factor, each(inner)]
        case ast.Comparison(operator, left, right):
            return [ast.COMPARISONS.index(operator), each(left), each(right)]
        case ast.Quotient(left, right, rounding):
            return [each(left), each(right), ast.ROUNDINGS.index(rounding)]
        case ast.Variable(name):
            return [word(name)]
        case ast.Named(names, source, body):
            return [each(source), each(body), *map(word, names)]
        case ast.Group(members):
            return [part for times, inner in members for part in (times, each(inner))]
        case ast.Trim(pool, low, high):
            return [each(pool), low, high]
        case ast.Count(pool, operator, threshold):
            return [ast.COMPARISONS.index(operator), each(pool), each(threshold)]
        case ast.Matching(what, pool, number):
            return [ast.MATCHES.index(what), each(pool), number]
    return [each(inner) for inner in ast.list_parts(roll)]


def is_scalar(kind: Type) -> bool:
    """Return whether values of a type are never blocks."""
    return not isinstance(present(kind), (ListOf, MapOf, RecordOf, Dice, Ratio))


def holds_words(kind: Type) -> bool:
    """Return whether values of a type are numbers of words."""
    return isinstance(present(kind), (Choice, Text))
