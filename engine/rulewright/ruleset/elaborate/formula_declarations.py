"""Declare numbers, formulas and derived fields."""

from __future__ import annotations

import re
from functools import partial

from rulewright.language import language_diagnostics as language_codes
from rulewright.language.declarations import CASES, ROW_NAME, Declarations, Formula, FormulaColumn, Number, Scope, Table
from rulewright.language.expressions.type_checker import BROKEN, check_expression, read_type
from rulewright.language.expressions.typed_ast import Invoke, Typed
from rulewright.language.types import UNKNOWN, Entity, Type
from rulewright.ruleset import ruleset_diagnostics
from rulewright.ruleset.elaborate.column_formulas import (
    check_cells,
    choose_cell,
    declare_column,
    iterate_formula_columns,
)
from rulewright.ruleset.elaborate.elaboration import LazyMapping, Trail
from rulewright.ruleset.elaborate.node_readers import iterate_entries, read_constant, read_names, read_text
from rulewright.source.diagnostics.collector import Diagnostics
from rulewright.source.nodes import Entry, Mapping, Node, Scalar
from rulewright.source.span import Span

DEEPEST = 100
"""The maximum nesting of a formula with all formulas it uses inlined; traversals recurse that deep."""

LARGEST = 100_000
"""The maximum number of operations in a formula with all formulas it uses inlined.

Formulas that each use another one twice double that number with every step.
"""

_RANGE = re.compile(r"\d+-\d+")


def declare_numbers(rules: Mapping, declarations: Declarations, diagnostics: Diagnostics, trail: Trail) -> None:
    """Declare every number in `declarations.numbers`. Values are computed on demand, so the order does not matter.

    Errors in a value are reported to `diagnostics` when it is first read. A value that cannot be computed is None.
    """
    nodes = dict(iterate_entries(rules.get("numbers")))

    def number(identity: str) -> Number:
        node = nodes[identity].value
        assert isinstance(node, Mapping)
        kind, value = read_constant(node.get("is"), declarations, diagnostics)
        written = read_text(node.get("is"))
        if _RANGE.fullmatch(written):
            message = f"`{written}` is not a range: it is a subtraction with the result {value}"
            diagnostics.add(ruleset_diagnostics.RANGE_AS_FIGURE, message, _read(nodes[identity]).span)
        return Number(identity, value, kind, read_text(node.get("means")), nodes[identity].span)

    def broken(identity: str) -> Number:
        return Number(identity, None, UNKNOWN, "", nodes[identity].span)

    numbers = LazyMapping(trail, broken)
    declarations.numbers = numbers
    for identity, entry in nodes.items():
        numbers.promise(identity, partial(number, identity), identity, _read(entry).span)


def declare_formulas(rules: Mapping, declarations: Declarations, diagnostics: Diagnostics, trail: Trail) -> None:
    """Declare every formula and derived field. Each is checked when it is first read."""
    _Formulas(declarations, diagnostics, trail).declare(rules)


def _read(entry: Entry) -> Node:
    """Return the expression of an entry, which diagnostics point to. It may be in a higher layer than the key."""
    written = entry.value.get("is") if isinstance(entry.value, Mapping) else None
    return written or entry.key


class _Formulas:
    """Formulas while they are checked. `sizes` has the depth and operation count of each with all that it uses."""

    def __init__(self, declarations: Declarations, diagnostics: Diagnostics, trail: Trail) -> None:
        self.declarations = declarations
        self.diagnostics = diagnostics
        self.sizes: dict[str, tuple[int, int]] = {}
        self.places: dict[str, Span] = {}
        self.formulas = LazyMapping(trail, lambda key: Formula(key, {}, UNKNOWN, BROKEN, "", self.places[key]))
        declarations.formulas = self.formulas

    def declare(self, rules: Mapping) -> None:
        """Declare every formula, and every derived field and computed column as a formula `<kind>.<name>` of `self`.

        Each is checked when it is first read. Types of parameters are read now, those of procedures too, because
        formulas may look ahead. Errors in the latter are reported with the procedure.
        """
        for identity, entry in iterate_entries(rules.get("procedures")):
            given = entry.value.get("given") if isinstance(entry.value, Mapping) else None
            self.declarations.procedure_parameters[identity] = {
                name: read_type(kind.value, self.declarations, Diagnostics()) for name, kind in iterate_entries(given)
            }
        for identity, entry in iterate_entries(rules.get("formulas")):
            node = entry.value
            assert isinstance(node, Mapping)
            parameters = {
                name: read_type(given.value, self.declarations, self.diagnostics)
                for name, given in iterate_entries(node.get("given"))
            }
            self._promise(identity, parameters, entry)
        for kind, entry in iterate_entries(rules.get("kinds")):
            for name, derived in iterate_entries(
                entry.value.get("derived") if isinstance(entry.value, Mapping) else None
            ):
                assert isinstance(derived.value, Mapping)
                self._promise(f"{kind}.{name}", {"self": Entity(kind)}, derived)
        for table, node, entry in iterate_formula_columns(rules):
            if table in self.declarations.tables:
                declared = self.declarations.tables[table]
                column = declare_column(declared, entry, self.declarations, self.diagnostics)
                self.places[column.formula] = column.span
                check = partial(self._check_column, declared, node, entry, column)
                self.formulas.promise(column.formula, check, column.formula, column.span)

    def _promise(self, identity: str, parameters: dict[str, Type], entry: Entry) -> None:
        """Register a formula, which is checked when it is first read."""
        node, span = entry.value, entry.key.span
        assert isinstance(node, Mapping)
        self.places[identity] = span
        check = partial(self._check, identity, parameters, node, span)
        self.formulas.promise(identity, check, identity, _read(entry).span)

    def _check(self, identity: str, parameters: dict[str, Type], node: Mapping, span: Span) -> Formula:
        """Return a checked formula.

        Errors are reported, and its body is then broken, as it is if the formula is too large.
        """
        written = node.get("is")
        type_ = read_type(node.get("type"), self.declarations, self.diagnostics) if "type" in node else None
        body: Typed = BROKEN
        if isinstance(written, Scalar):
            scope = Scope(self.declarations, variables=parameters, looks_ahead=True)
            body = check_expression(written, scope, self.diagnostics, expected=type_)
        elif written is not None:
            message = f"an expression is needed here, not {written.kind}"
            hint = "put quotes around it, so that it is read as one expression"
            self.diagnostics.add(language_codes.WRONG_TYPE, message, written.span, suggestion=hint)
        return self._finish(identity, parameters, type_ or body.type, body, node, span)

    def _check_column(self, table: Table, node: Mapping, entry: Entry, column: FormulaColumn) -> Formula:
        """Return the checked formula of a column, which computes the cell of the row `self`."""
        parameters = {ROW_NAME: table.type, **column.parameters}
        scope = Scope(self.declarations, variables=parameters, looks_ahead=True)
        cells = check_cells(table, node, entry, column, scope, self.diagnostics)
        assert isinstance(entry.value, Mapping)
        body = choose_cell(table, cells)
        return self._finish(column.formula, parameters, column.type, body, entry.value, column.span, cells)

    def _finish(
        self,
        identity: str,
        parameters: dict[str, Type],
        kind: Type,
        body: Typed,
        node: Mapping,
        span: Span,
        cells: dict[str, Typed] | None = None,
    ) -> Formula:
        """Return a formula with the words in `node`. A body that is too large is reported, and then broken."""
        levels, operations = self.sizes[identity] = self._size(body)
        if levels > DEEPEST or operations > LARGEST:
            what = f"{levels} levels deep" if levels > DEEPEST else f"{operations:,} operations long"
            limit = f"{DEEPEST}" if levels > DEEPEST else f"{LARGEST:,}"
            message = f"`{identity}`, together with the formulas it uses, is {what}; the limit is {limit}"
            self.diagnostics.add(language_codes.EXPRESSION_TOO_LARGE, message, span)
            self.sizes[identity] = (1, 1)
            body = BROKEN
        wording = node.get("wording")
        phrases = {CASES[form]: read_text(words.value) for form, words in iterate_entries(wording)} or (
            {"": read_text(wording)} if wording else {}
        )
        means = read_text(node.get("means")) or identity
        names = read_names(node.get("names"))
        text = read_text(node.get("text"))
        return Formula(identity, parameters, kind, body, means, span, phrases, names, text, cells or {})

    def _size(self, node: Typed) -> tuple[int, int]:
        sizes = [self._size(child) for child in node.children]
        if isinstance(node, Invoke):
            sizes.append(self.sizes.get(node.formula, (1, 1)))
        return 1 + max((levels for levels, _ in sizes), default=0), 1 + sum(operations for _, operations in sizes)
