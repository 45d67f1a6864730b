"""The formulas whose results are cached, and the changes that invalidate them.

A formula has the same value until something that it reads changes. Formulas that iterate over lists are worth
caching. One without parameters has three words in the game: its value, its cost, and the crowd factor of that time,
which is 0 if the entry is stale. One with parameters is cached if it is evaluated inside an iteration. A table
outside all games has the latest results, each with its arguments and the number of its version. The version is a word
of the game, 0 if stale, and the next evaluation assigns a new number. Writes invalidate, and every cached read is
charged again. All versions become stale whenever a game resumes, because the host may have loaded another game or
moved blocks.

A formula of rows that reads nothing of the game has a table with a place for each combination of its arguments, whose
results are valid in all games.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from math import prod

from rulewright.base.lazy import lazy_property
from rulewright.engine.wasm_backend.codegen.memory_layout import is_scalar
from rulewright.ir.program import LoweredFormula, Program
from rulewright.ir.values import Value
from rulewright.language import operations as op
from rulewright.language.types import ListOf, Row
from rulewright.ruleset.ruleset import Ruleset

_WORDS_WITHOUT = 3
_MOST_PARAMETERS = 4
_MANY, _FEW = 256, 4
_MOST_COMBINATIONS = 1024

Read = tuple[str, str]
"""A kind and one of its fields. An empty field stands for the set of the kind's objects."""


@dataclass(frozen=True, slots=True)
class MemoTable:
    """The cached results of a formula with parameters, outside all games.

    `stand` is the index of the word with its version, after the words of formulas without parameters.
    """

    stand: int
    parameters: int
    blocks: bool

    @property
    def entries(self) -> int:
        """The number of results that the table can hold, a power of two."""
        return _FEW if self.blocks else _MANY

    @property
    def size(self) -> int:
        """The number of words of an entry: version, crowd factor, cost, value and arguments."""
        return 4 + self.parameters


class MemoPlan:
    """The formulas of one ruleset with cached results. `values` are all values of its program."""

    def __init__(self, program: Program, ruleset: Ruleset, values: Iterable[Value]) -> None:
        self._program = program
        self._ruleset = ruleset
        self._values_of_all = tuple(values)
        self._reads: dict[str, frozenset[Read]] = {}
        self._costly: dict[str, bool] = {}

    @lazy_property
    def places(self) -> dict[str, int]:
        """Return the cached formulas without parameters, numbered."""
        formulas = self._ruleset.declarations.formulas
        names = [name for name, each in formulas.items() if not each.parameters and self._is_costly(name)]
        return {name: place for place, name in enumerate(names)}

    @lazy_property
    def tables(self) -> dict[str, MemoTable]:
        """Return the tables of the formulas whose results are memoized for several arguments, by formula id."""
        result = map(self._program.get_formula, sorted(self._asked_in_lists))
        first = _WORDS_WITHOUT * len(self.places)
        return {
            formula.id: MemoTable(word, len(formula.parameters), blocks=not is_scalar(formula.value.type))
            for word, formula in enumerate(filter(self._has_table, result), start=first)
        }

    @lazy_property
    def constants(self) -> dict[str, tuple[int, ...]]:
        """Return the formulas that depend on rows alone, by id, each with the sizes of the tables of its parameters."""
        formulas = map(self._program.get_formula, sorted(self._asked_in_lists))
        return {each.id: self._count_rows(each) for each in formulas if self._depends_on_rows(each)}

    def _count_rows(self, formula: LoweredFormula) -> tuple[int, ...]:
        tables = self._ruleset.declarations.tables
        return tuple(len(tables[kind.table].rows) for _, kind in formula.parameters if isinstance(kind, Row))

    def _depends_on_rows(self, formula: LoweredFormula) -> bool:
        """Return whether a formula depends only on few rows, so that a table can have all its results for all games."""
        if not all(isinstance(kind, Row) for _, kind in formula.parameters) or not self._has_parameters(formula):
            return False
        kind = formula.value.type
        flat = is_scalar(kind) or (isinstance(kind, ListOf) and is_scalar(kind.inner))
        few = prod(self._count_rows(formula)) <= _MOST_COMBINATIONS
        return flat and few and not self.find_reads(formula.id) and self._is_same_in_all_games(formula.id)

    def _is_same_in_all_games(self, identity: str) -> bool:
        """Return whether a formula reads no dice, players and parameters, and looks ahead at no procedure.

        Fields that it reads do not count.
        """
        for part in self._parts(identity):
            if part.op.startswith(("after", "dice.", "figure", "players.")):
                return False
            if part.op == "cell" and part.data in self._program.parameters.columns:
                return False
            if part.op == "formula" and not self._is_same_in_all_games(part.data[0]):
                return False
        return True

    @property
    def words(self) -> int:
        """The words of a game that all of it takes."""
        return _WORDS_WITHOUT * len(self.places) + len(self.tables)

    def _has_table(self, formula: LoweredFormula) -> bool:
        return formula.id not in self.constants and self._has_parameters(formula)

    def _has_parameters(self, formula: LoweredFormula) -> bool:
        few = 0 < len(formula.parameters) <= _MOST_PARAMETERS
        return few and all(is_scalar(kind) for _, kind in formula.parameters) and self._goes_through_lists(formula.id)

    @lazy_property
    def _asked_in_lists(self) -> frozenset[str]:
        """Return the ids of the formulas that are evaluated for each element of a list, and of those that they call."""
        names: set[str] = set()
        ahead: list[Value] = []

        def note(value: Value, *, within: bool) -> None:
            """Note the formulas that a value evaluates inside a comprehension or a walk. They are searched later."""
            if value.op == "formula" and within and value.data[0] not in names:
                names.add(value.data[0])
                ahead.extend(self._values(value.data[0]))
            over = value.op == "gather" or value.op.startswith("walk.")
            for place, arg in enumerate(value.args):
                note(arg, within=within or (over and place > 0))

        for value in self._values_of_all:
            note(value, within=False)
        while ahead:
            note(ahead.pop(), within=True)
        return frozenset(names)

    @lazy_property
    def _stale(self) -> dict[Read, list[int]]:
        """Return the words to set to 0 when a field changes, by kind and field.

        An empty field stands for the creation and removal of objects of the kind.
        """
        results: dict[Read, list[int]] = {}
        for name, word in self._words():
            for read in self.find_reads(name):
                results.setdefault(read, []).append(word)
        return results

    def _words(self) -> Iterator[tuple[str, int]]:
        for name, place in self.places.items():
            yield name, _WORDS_WITHOUT * place + _WORDS_WITHOUT - 1
        for name, table in self.tables.items():
            yield name, table.stand

    def list_words_after_write(self, kind: str, field: str) -> Iterable[int]:
        """Return the words to set to 0 after a field was written."""
        return self._stale.get((kind, field), ())

    def list_words_after_creation(self, kind: str) -> Iterable[int]:
        """Return the words to set to 0 after an object of a kind was created."""
        return self._stale.get((kind, ""), ())

    def list_words_after_removal(self, kind: str) -> Iterable[int]:
        """Return the words to set to 0 after an object of a kind has left the game."""
        return sorted({word for read, words in self._stale.items() if read[0] == kind for word in words})

    def find_reads(self, identity: str) -> frozenset[Read]:
        """Return the fields that a formula reads, as kind and name, including those of formulas it calls. Cached.

        An empty name means that it reads which objects of the kind there are.
        """
        if identity not in self._reads:
            self._reads[identity] = self._list_reads(self._values(identity))
        return self._reads[identity]

    def _list_reads(self, values: Iterable[Value]) -> frozenset[Read]:
        """Return the fields that values and the formulas and procedures in them read, by kind and field."""
        reads: set[Read] = set()
        for part in (part for value in values for part in value.walk()):
            match part.op:
                case "field":
                    reads.add((part.data[0], part.data[1]))
                case "objects":
                    reads.add((part.data[0], ""))
                case "deck.left" | "deck.count":
                    deck = self._ruleset.declarations.decks[part.data[0]]
                    reads |= {(deck.kind, field) for field in deck.fields}
                case "formula":
                    reads |= self.find_reads(part.data[0])
                case "after":
                    reads |= self._list_procedure_reads(part.data[0])
        return frozenset(reads)

    def _list_procedure_reads(self, procedure: str) -> frozenset[Read]:
        """Return the fields that a procedure reads, and the map fields whose single entries it changes."""
        routine = self._program.routines[procedure]
        reads: set[Read] = set(self._list_reads(value for _, value in routine.gives))
        for each in routine.walk():
            reads |= self._list_reads(each.values)
            match each:
                case op.Write(kind=kind, field=field):
                    reads.add((kind, field))
                case op.Create(kind=kind):
                    reads.add((kind, ""))
                case op.Each() if each.of_entities:
                    reads |= {(kind, "") for kind in self._program.layout.kinds}
                case op.Call(procedure=called):
                    reads |= self._list_procedure_reads(called)
        return frozenset(reads)

    def _values(self, identity: str) -> list[Value]:
        formula = self._program.get_formula(identity)
        return [*(value for _, value in formula.memoized_values), formula.value]

    def _is_costly(self, identity: str) -> bool:
        """Return whether a formula, or one that it calls, iterates over lists.

        Others are cheaper to evaluate than to cache.
        """
        if identity not in self._costly:
            formulas = (part.data[0] for part in self._parts(identity) if part.op == "formula")
            self._costly[identity] = self._goes_through_lists(identity) or any(map(self._is_costly, formulas))
        return self._costly[identity]

    def _goes_through_lists(self, identity: str) -> bool:
        return any(
            part.op.startswith(("after", "gather", "walk.", "list.join", "list.minus", "list.flat", "list.distinct"))
            for part in self._parts(identity)
        )

    def _parts(self, identity: str) -> Iterator[Value]:
        for value in self._values(identity):
            yield from value.walk()
