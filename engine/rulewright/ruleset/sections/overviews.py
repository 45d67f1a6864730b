"""The section `overviews:`, tables for the book that are computed from the rows of other tables."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from rulewright.base.errors import RulewrightError
from rulewright.language import language_diagnostics as language_codes
from rulewright.language.declarations import Binding, Declarations, Scope, TableRow
from rulewright.language.expressions.evaluator import Evaluate
from rulewright.language.expressions.type_checker import check_expression, read_type
from rulewright.language.expressions.typed_ast import Typed
from rulewright.language.schema_shapes import (
    Leaf,
    MapOf,
    Record,
    expression,
    optional,
    required,
    words,
)
from rulewright.language.types import BOOLEAN, Optional, Row, Type, Unknown, present
from rulewright.ruleset import ruleset_diagnostics
from rulewright.ruleset.elaborate.node_readers import iterate_entries, make_title, read_text, walk_all
from rulewright.ruleset.section import RulesSection
from rulewright.source.diagnostics.collector import Diagnostics
from rulewright.source.nodes import Mapping, Node, Scalar
from rulewright.source.span import Span

if TYPE_CHECKING:
    from rulewright.ruleset.elaborate.elaboration import Elaboration

_OVER = Leaf("A table, or `optional` with a table to add a case without a row.", format="type")

OVERVIEW = Record(
    "Values computed for every row of a table: several named `values`, or one `cell` for each row of another table.",
    members={
        "title": required(words("The title for readers.")),
        "about": optional(words("A summary in one sentence.")),
        "rows": required(MapOf("A name for the row at the left, with its table.", inner=_OVER, binds=True)),
        "columns": optional(MapOf("A name for the row at the top, with its table.", inner=_OVER, binds=True)),
        "cell": optional(expression("The value of a cell: dice or a number.")),
        "values": optional(
            MapOf(
                "The values to compute for every row, column by column.",
                inner=Record(
                    "A column.",
                    members={
                        "title": optional(words("Its heading.")),
                        "is": required(expression("The expression for the value.")),
                    },
                    short="is",
                ),
                ordered=True,
            )
        ),
        "when": optional(expression("The condition under which a cell has a value.")),
        "without": optional(words("The heading of the case without a row.")),
    },
)


@dataclass(frozen=True, slots=True, eq=False)
class Axis:
    """One side of an overview: a table and its rows. None among them is the case without a row."""

    table: str
    rows: tuple[TableRow | None, ...]


@dataclass(frozen=True, slots=True, eq=False)
class OverviewColumn:
    """A column: a value for each row of the overview, None where nothing is shown.

    `row` is the table row at its head. If it is None, `heading` has the heading.
    """

    heading: str
    row: TableRow | None
    type: Type
    values: tuple[Any, ...]


@dataclass(frozen=True, slots=True, eq=False)
class Overview:
    """An overview with its computed values. `across` is the table along the top, or None if there is none."""

    id: str
    title: str
    about: str
    without: str
    down: Axis
    across: Axis | None
    columns: tuple[OverviewColumn, ...]
    span: Span


def read_overviews(rules: Mapping, declarations: Declarations, diagnostics: Diagnostics) -> dict[str, Overview]:
    """Return every overview by id, with computed values. Invalid ones are reported and left out."""
    overviews = {}
    for identity, entry in iterate_entries(rules.get("overviews")):
        assert isinstance(entry.value, Mapping)
        overview = _Reader(identity, entry.value, entry.key.span, declarations, diagnostics).overview()
        if overview is not None:
            overviews[identity] = overview
    return overviews


class _Reader:
    """An overview while it is read."""

    def __init__(
        self, identity: str, node: Mapping, span: Span, declarations: Declarations, diagnostics: Diagnostics
    ) -> None:
        self.identity = identity
        self.node = node
        self.span = span
        self.declarations = declarations
        self.diagnostics = diagnostics
        self.scope = Scope(declarations)

    def overview(self) -> Overview | None:
        """Return the overview with its values, or None if it is invalid, which is reported."""
        known = len(self.diagnostics.errors)
        if ("values" in self.node) == ("cell" in self.node) or ("columns" in self.node) != ("cell" in self.node):
            self._report("an overview needs either `values`, or both `columns` and a `cell`", self.span)
            return None
        down = self._axis("rows", 1)
        across = self._axis("columns", 2) if "columns" in self.node else None
        if len(self.diagnostics.errors) > known or down is None or ("columns" in self.node and across is None):
            return None
        condition = self._check(self.node.get("when"), BOOLEAN)
        if across is not None:
            cell = self._check(self.node.get("cell"))
            if cell is None or len(self.diagnostics.errors) > known:
                return None
            columns = tuple(
                OverviewColumn("", row, cell.type, self._column(cell, condition, down, row)) for row in across.rows
            )
        else:
            columns = tuple(self._values(condition, down))
        if len(self.diagnostics.errors) > known:
            return None
        words = {key: read_text(self.node.get(key)) for key in ("title", "about", "without")}
        return Overview(
            self.identity, words["title"], words["about"], words["without"] or "None", down, across, columns, self.span
        )

    def _axis(self, key: str, slot: int) -> Axis | None:
        """Return one side of the overview, or None if it is invalid, which is reported.

        Adds the name of its row to the scope of expressions, in `slot`. The rows of an optional row begin with None.
        """
        named = list(iterate_entries(self.node.get(key)))
        if len(named) != 1:
            self._report(f"`{key}` must name one row with its table, as in `{key}: {{size: sizes}}`", self.span)
            return None
        name, entry = named[0]
        kind = read_type(entry.value, self.declarations, self.diagnostics)
        inner = present(kind)
        if not isinstance(inner, Row):
            if not isinstance(inner, Unknown):
                self._report(f"`{name}` must be a row of a table, not {kind}", entry.value.span)
            return None
        self.scope = self.scope.with_binding(name, Binding(slot, kind, False, entry.key.span))
        rows = tuple(self.declarations.tables[inner.table].rows.values())
        return Axis(inner.table, (None, *rows) if isinstance(kind, Optional) else rows)

    def _values(self, condition: Typed | None, down: Axis) -> Iterator[OverviewColumn]:
        """Yield a column for each of `values`. Those with an invalid expression are reported and left out."""
        for name, entry in iterate_entries(self.node.get("values")):
            assert isinstance(entry.value, Mapping)
            value = self._check(entry.value.get("is"))
            if value is not None:
                heading = read_text(entry.value.get("title")) or make_title(name)
                yield OverviewColumn(heading, None, value.type, self._column(value, condition, down, None))

    def _check(self, written: Node | None, expected: Type | None = None) -> Typed | None:
        """Return a typed expression that does not read the state of a game.

        None if it is missing or invalid. An invalid one is reported, a missing one is not.
        """
        if not isinstance(written, Scalar):
            return None
        typed = check_expression(written, self.scope, self.diagnostics, expected=expected)
        if isinstance(typed.type, Unknown):
            return None
        if any(part.READS_GAME for part in walk_all(typed, self.declarations)):
            message = "this depends on the state of a game, but an overview is computed without a game"
            self.diagnostics.add(ruleset_diagnostics.NOT_CONSTANT, message, written.span)
            return None
        return typed

    def _column(self, cell: Typed, condition: Typed | None, down: Axis, across: TableRow | None) -> tuple[Any, ...]:
        """Return the values of one column, or empty if one of them cannot be computed, which is reported.

        A value is None in rows that do not meet the condition `condition`. `across` is the row of the column, if it has
        one.
        """
        work = Evaluate(self.declarations)
        results: list[Any] = []
        try:
            for row in down.rows:
                frame = [None, row.id if row else None, across.id if across else None]
                results.append(work.value(cell, frame) if condition is None or work.value(condition, frame) else None)
        except (RulewrightError, OverflowError) as error:
            self.diagnostics.add(language_codes.EXPRESSION_TOO_LARGE, str(error), self.span)
            return ()
        return tuple(results)

    def _report(self, message: str, span: Span) -> None:
        hint = "write `rows: {size: sizes}` with `values:`, or with `columns: {colour: colours}` and `cell:`"
        self.diagnostics.add(ruleset_diagnostics.BAD_OVERVIEW, message, span, suggestion=hint)


def _read(work: Elaboration) -> dict[str, Overview]:
    # The values of overviews cannot be computed from invalid rules.
    if work.diagnostics.errors or not work.whole:
        return {}
    return read_overviews(work.rules, work.declarations, work.diagnostics)


OVERVIEWS = RulesSection(
    key="overviews",
    place=150,
    doc="Tables for the rulebook whose cells the rules compute.",
    entry=OVERVIEW,
    one="overview",
    gameplay=False,
    read=_read,
    figureless=("title", "about"),
    title="Overviews",
    heading="title",
    labels={"title": "The title", "about": "What it says", "without": "The heading of the case without a row"},
    anchor="overview-",
    illustrates=True,
    wordy=False,
    report=130,
    gist="about",
    # Computed values change only if other rules change, and those changes are reported.
    bookkeeping=("rows", "columns", "cell", "values", "when"),
)
