"""Values of the rules as words in memory, and back."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

from rulewright.dice import ast
from rulewright.dice.ast import Die, Roll
from rulewright.engine.wasm_backend.codegen.debug_info import Whole
from rulewright.engine.wasm_backend.codegen.memory_layout import (
    BLOCK,
    KINDS_OF_ROLL,
    NONE,
    MemoryLayout,
    encode_die,
    roll_parts,
)
from rulewright.language.types import (
    Boolean,
    Choice,
    Dice,
    Entity,
    Integer,
    ListOf,
    MapOf,
    Nothing,
    Optional,
    Ratio,
    RecordOf,
    Row,
    Text,
    Type,
    present,
)

_ROLLS = {number: kind for kind, number in KINDS_OF_ROLL.items()}
_ADDRESS = (1 << 32) - 1


class ValueReader:
    """A decoder of values. `block` returns the words of a block at an address."""

    def __init__(self, layout: MemoryLayout, block: Callable[[int], Sequence[int]]) -> None:
        self.layout = layout
        self.block = block
        self.texts = list(layout.words)
        self.dice: dict[int, Die] = {}
        self.sites: dict[int, tuple[Any, tuple[Callable[[int], Any], ...]]] = {}

    def reads(self, kind: Type | None) -> Callable[[int], Any]:
        """Return a function that decodes words, for many values of one type. It returns None for the word `NONE`."""
        match kind:
            case None | Integer() | Entity():
                return lambda word: None if word == NONE else word
            case Choice():
                texts = self.texts
                return lambda word: None if word == NONE else texts[word]
            case Row(table=table):
                rows = self.layout.row_ids[table]
                return lambda word: None if word == NONE else rows[word]
        return lambda word: self.value(word, kind)

    def value(self, word: int, kind: Type | None) -> Any:
        """Return the value of a word for its type, or None for `NONE`. Without a type, it is a number."""
        if word == NONE:
            return None
        match kind:
            case None:
                return word
            case Optional(inner=inner):
                return self.value(word, inner)
            case Boolean():
                return bool(word)
            case Choice() | Text():
                return self.texts[word]
            case Row(table=table):
                return self.layout.row_ids[table][word]
            case ListOf(inner=inner) | MapOf(inner=inner):
                return tuple([self.value(each, inner) for each in self.block(word & _ADDRESS)])
            case RecordOf(parts=parts):
                return tuple(
                    [self.value(each, part) for each, (_, part) in zip(self.block(word & _ADDRESS), parts, strict=True)]
                )
            case Dice():
                return self.roll(word) if word & BLOCK and word > 0 else word
            case Ratio():
                from fractions import Fraction

                over, under = self.block(word & _ADDRESS)
                return Fraction(over, under)
            case Whole(kind=name):
                number, *fields = self.block(word & _ADDRESS)
                declared = self.layout.ruleset.declarations.kinds[name].fields.values()
                return (number, *(self.value(each, f.type) for each, f in zip(fields, declared, strict=True)))
        return word

    def roll(self, word: int) -> Roll:
        """Return the roll that a word points to."""
        address = word & _ADDRESS
        known = self.layout.rolls.get(address)
        if known is not None:
            return known
        number, _, _, *parts = self.block(address)
        return self._make_roll(_ROLLS[number], parts)

    def _make_roll(self, kind: type[Roll], parts: Sequence[int]) -> Roll:
        """Return the roll of a kind with these parts, the inverse of `roll_parts`."""
        each: Callable[[int], Any] = self.roll
        first, *rest = parts
        if kind is ast.Constant:
            return ast.Constant(first)
        if kind is ast.Pool:
            return ast.Pool(first, self.layout.dice.get(rest[0]) or self.dice[rest[0]])
        if kind is ast.Keep:
            return ast.Keep(each(first), rest[0], bool(rest[1]))
        if kind is ast.Product:
            return ast.Product(first, each(rest[0]))
        if kind is ast.Comparison:
            return ast.Comparison(ast.COMPARISONS[first], each(rest[0]), each(rest[1]))
        if kind is ast.Quotient:
            return ast.Quotient(each(first), each(rest[0]), ast.ROUNDINGS[rest[1]])
        if kind is ast.Variable:
            return ast.Variable(self.texts[first])
        if kind is ast.Named:
            return ast.Named(tuple(self.texts[name] for name in rest[1:]), each(first), each(rest[0]))
        if kind is ast.Group:
            return ast.Group(tuple((times, each(inner)) for times, inner in zip(parts[::2], parts[1::2], strict=True)))
        if kind is ast.Trim:
            return ast.Trim(each(first), *rest)
        if kind is ast.Count:
            return ast.Count(each(rest[0]), ast.COMPARISONS[first], each(rest[1]))
        if kind is ast.Matching:
            return ast.Matching(ast.MATCHES[first], each(rest[0]), rest[1])
        result: Any = kind
        if kind in (ast.Sum, ast.Maximum, ast.Minimum, ast.Multiplied):
            roll: Roll = result(tuple(map(each, parts)))
        else:
            roll = result(*map(each, parts))
        return roll


class ValueWriter:
    """An encoder of values. `new_block` creates a block and returns its word, and `put` stores numbers permanently.

    A state may contain dice that are not in its rules. They are stored on first use.
    """

    def __init__(
        self,
        layout: MemoryLayout,
        new_block: Callable[[Sequence[int]], int],
        put: Callable[[Iterable[int]], int],
        reader: ValueReader,
    ) -> None:
        self.layout = layout
        self.new_block = new_block
        self._put = put
        self._reader = reader
        self._dice: dict[Die, int] = {}

    def word(self, value: Any, kind: Type | None) -> int:
        """Return the word for a value of a type. Compound values are put on the heap.

        Numbers, booleans and rolls are not checked against the type. Raises `TypeError` for any other value of another
        type, and `KeyError` for an unknown row or text.
        """
        if value is None:
            return NONE
        match present(kind) if kind is not None else None, value:
            case _, Roll():
                return self.roll(value)
            case _, bool():
                return int(value)
            case _, int():
                return value
            case Row(table=table), str():
                return self.layout.rows[table][value]
            case _, str():
                return self.layout.words[value]
            case ((ListOf(inner=inner) | MapOf(inner=inner)), tuple()):
                return self.new_block([self.word(each, inner) for each in value])
            case RecordOf(parts=parts), tuple():
                return self.new_block([self.word(each, part) for each, (_, part) in zip(value, parts, strict=True)])
            case Nothing() | None, tuple():
                return self.new_block([self.word(each, None) for each in value])
        raise TypeError(f"{value!r} is not a value of {kind}")

    def roll(self, roll: Roll) -> int:
        """Return the word of a roll. Rolls of the rules have a permanent block."""
        known = self.layout.find_known_roll(roll)
        if known is not None:
            return known
        return self.new_block([KINDS_OF_ROLL[type(roll)], NONE, NONE, *self._parts(roll)])

    def _parts(self, roll: Roll) -> list[int]:
        return roll_parts(roll, self.roll, self.die, self.layout.words.__getitem__)

    def die(self, die: Die) -> int:
        """Return the address of a die, which is put into memory on first use."""
        at = self.layout.known_die(die) or self._dice.get(die)
        if at is None:
            at = self._dice[die] = self._put(encode_die(die, self._put, NONE))
            self._reader.dice[at] = die
        return at
