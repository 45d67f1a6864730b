"""Rows that combine parts, one for each combination: the cards of a deck by suit and rank, dominoes by two numbers."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from collections.abc import Mapping as ReadOnlyMapping
from dataclasses import dataclass
from itertools import combinations_with_replacement, product
from math import comb, prod

from rulewright.language import language_diagnostics as language_codes
from rulewright.language.declarations import Declarations
from rulewright.language.expressions.name_resolution import list_ids
from rulewright.ruleset import ruleset_diagnostics
from rulewright.ruleset.elaborate.node_readers import iterate_entries
from rulewright.source.diagnostics.collector import Diagnostics
from rulewright.source.diagnostics.suggestions import suggest_name
from rulewright.source.nodes import Entry, Mapping, Node, Scalar
from rulewright.source.span import Span

MOST_ROWS = 2_500
"""The maximum number of combinations in a table."""

_PLACEHOLDER = re.compile(r"\{(\w+)\}")


@dataclass(frozen=True, slots=True)
class _Value:
    """One value of a part: the value of a cell, and its text in the id and in the title of a row."""

    cell: str | int
    id: str
    title: str


@dataclass(frozen=True, slots=True)
class _Part:
    """A column with the values to combine. `type` is the column's type, and `source` what the values are from."""

    name: Scalar
    type: str
    source: tuple[str, ...]
    values: tuple[_Value, ...]


def list_combined_tables(node: Node) -> Iterator[str]:
    """Yield the ids of the tables whose rows a table combines, as written."""
    parts = node.get("every") if isinstance(node, Mapping) else None
    for _, entry in iterate_entries(parts):
        if isinstance(entry.value, Scalar):
            yield entry.value.text


def combine_rows(
    identity: str, node: Mapping, names: Iterable[str], declarations: Declarations, diagnostics: Diagnostics
) -> Mapping:
    """Return a table with a column for each part of its `every`, and a row for each combination of their values.

    A written row adds cells or a title to the row with its id. Every table that the parts name must be declared before,
    with its rows; `names` are the ids of all tables. Parts that cannot be read are reported, and the table then has no
    rows. A table without `every` is returned as it is.
    """
    written = node.get("every")
    if not isinstance(written, Mapping):
        return node
    others = [each for each in names if each != identity]
    read = [_read_part(entry, identity, others, declarations, diagnostics) for _, entry in iterate_entries(written)]
    parts = [part for part in read if part is not None]
    check_row_title(node.get("row_title"), [part.name.text for part in parts], declarations, diagnostics)
    combinations = _combine(identity, node, parts, diagnostics) if len(parts) == len(read) else None
    rows = dict(_iterate_rows(parts, combinations or (), node.get("row_title"), written.span))
    if combinations is not None and len(rows) < len(combinations):
        message = f"two combinations of {identity} have the same id, because ids of its parts contain `_`"
        diagnostics.add(ruleset_diagnostics.BAD_COMBINATION, message, written.span, suggestion="rename a row of a part")
    add_written_rows(identity, rows, node.get("rows"), diagnostics, known=combinations is not None)
    columns = {part.name.text: Entry(part.name, Scalar(part.type, part.type, part.name.span)) for part in parts}
    return make_table(node, join_columns(columns, node.get("columns"), diagnostics), rows, written.span)


def make_table(node: Mapping, columns: dict[str, Entry], rows: dict[str, Entry], span: Span) -> Mapping:
    """Return a table with computed columns and rows in place of the written ones. `span` is where they come from."""
    generated = {"columns": columns, "rows": rows}
    entries = {key: entry for key, entry in node.entries.items() if key not in generated}
    for key, content in generated.items():
        there = node.entries.get(key)
        name = there.key if there is not None else Scalar(key, key, span)
        entries[key] = Entry(name, Mapping(content, there.value.span if there is not None else span))
    return Mapping(entries, node.span)


def _combine(
    identity: str, node: Mapping, parts: Sequence[_Part], diagnostics: Diagnostics
) -> list[tuple[_Value, ...]] | None:
    """Return the combinations of the values of the parts, in order, or None after a report of what prevents them."""
    written, any_order = node.entries["every"].value, node.get("any_order")
    problem, place, hint = "", written.span, ""
    number = prod(len(part.values) for part in parts)
    if not parts:
        problem, hint = f"{identity} has no parts to combine", "write at least one: `suit: suits`"
    elif any_order is not None and len({part.source for part in parts}) > 1:
        problem = f"the parts of {identity} combine in any order, but they have different values"
        place, hint = any_order.span, "leave `any_order` out, or give all parts the same values"
    elif any_order is not None:
        number = comb(len(parts[0].values) + len(parts) - 1, len(parts))
    if not problem and number > MOST_ROWS:
        problem = f"{identity} would have {number:,} rows; the limit is {MOST_ROWS:,}"
        hint = "combine fewer values"
    if problem:
        diagnostics.add(ruleset_diagnostics.BAD_COMBINATION, problem, place, suggestion=hint)
        return None
    sizes = [range(len(part.values)) for part in parts]
    places = product(*sizes) if any_order is None else combinations_with_replacement(sizes[0], len(parts))
    return [tuple(part.values[at] for part, at in zip(parts, each, strict=True)) for each in places]


def join_columns(computed: dict[str, Entry], written: Node | None, diagnostics: Diagnostics) -> dict[str, Entry]:
    """Return computed columns and the written ones. A written one with the name of a computed one is reported."""
    columns = dict(computed)
    for name, entry in iterate_entries(written):
        if name in columns:
            message = f"`{name}` is a part of every row already, so no column can have that name"
            diagnostics.add(ruleset_diagnostics.NAME_CLASH, message, entry.key.span)
        else:
            columns[name] = entry
    return columns


def _read_part(
    entry: Entry, identity: str, others: Sequence[str], declarations: Declarations, diagnostics: Diagnostics
) -> _Part | None:
    """Return a part with the values that it combines, or None after a report of what is wrong with it."""
    name, value = entry.key, entry.value
    if isinstance(value, Mapping):
        ends = [end.value if isinstance(end := value.get(key), Scalar) else None for key in ("from", "to")]
        low, high = (end if type(end) is int else 0 for end in ends)
        if high - low >= MOST_ROWS or high < low:
            message = f"`{name.text}` of {identity} has no whole numbers from {low:,} to {high:,}"
            message = message if high < low else f"`{name.text}` of {identity} has more than {MOST_ROWS:,} numbers"
            diagnostics.add(ruleset_diagnostics.BAD_COMBINATION, message, value.span)
            return None
        numbers = tuple(
            _Value(each, f"{name.text}{each}".replace("-", "minus"), str(each)) for each in range(low, high + 1)
        )
        return _Part(name, "int", (str(low), str(high)), numbers)
    assert isinstance(value, Scalar)
    table = declarations.tables.get(value.text)
    if table is None or value.text == identity:
        message = f"there is no table called `{value.text}` to combine"
        if value.text == identity:
            message = f"{identity} cannot combine its own rows"
        hint = suggest_name(value.text, others) or "name a table, or write `{from: 1, to: 6}` for numbers"
        diagnostics.add(ruleset_diagnostics.UNKNOWN_REFERENCE, message, value.span, suggestion=hint)
        return None
    return _Part(name, table.id, (table.id,), tuple(_Value(row.id, row.id, row.title) for row in table.rows.values()))


def check_row_title(
    title: Node | None, names: Sequence[str], declarations: Declarations, diagnostics: Diagnostics
) -> None:
    """Report names in the title of rows that are neither those of parts, in `names`, nor terms."""
    if not isinstance(title, Scalar):
        return
    for each in _PLACEHOLDER.finditer(title.text):
        if each[1] not in names and each[1] not in declarations.terms:
            message = f"`{each[0]}` is not a part of every row"
            hint = suggest_name(each[1], names) or f"the parts are {list_ids(list(names))}"
            at = title.position(each.start(), len(each[0]))
            diagnostics.add(ruleset_diagnostics.UNKNOWN_REFERENCE, message, at, suggestion=hint)


def _iterate_rows(
    parts: Sequence[_Part], combinations: Iterable[tuple[_Value, ...]], title: Node | None, span: Span
) -> Iterator[tuple[str, Entry]]:
    """Yield the rows, each with its id: the values joined by `_`."""
    for each in combinations:
        row = "_".join(value.id for value in each)
        values_by_part = {part.name.text: value for part, value in zip(parts, each, strict=True)}
        cells = {name: value.cell for name, value in values_by_part.items()} | {
            "title": fill_row_title(title, {name: value.title for name, value in values_by_part.items()})
        }
        entries = {name: Entry(Scalar(name, name, span), Scalar(str(cell), cell, span)) for name, cell in cells.items()}
        yield row, Entry(Scalar(row, row, span), Mapping(entries, span))


def fill_row_title(title: Node | None, titles: ReadOnlyMapping[str, str]) -> str:
    """Return the title of a row with these titles by part: `title` with them filled in, or only these."""
    if not isinstance(title, Scalar):
        return " ".join(titles.values())
    return _PLACEHOLDER.sub(lambda match: titles.get(match[1], match[0]), title.text)


def add_written_rows(
    identity: str, rows: dict[str, Entry], written: Node | None, diagnostics: Diagnostics, *, known: bool
) -> None:
    """Add the cells of written rows to computed rows, in `rows`.

    Reports rows that are no combination if the combinations are `known`, and leaves them out either way. Cells that the
    combination determines are reported and stay as they are.
    """
    for row, entry in iterate_entries(written):
        there = rows.get(row)
        if there is None:
            if known:
                message = f"the rows of {identity} combine its parts, and `{row}` is not one of them"
                hint = suggest_name(row, list(rows)) or list_ids(list(rows))
                diagnostics.add(language_codes.UNKNOWN_ROW, message, entry.key.span, suggestion=hint)
            continue
        assert isinstance(there.value, Mapping)
        if isinstance(entry.value, Mapping):
            changed = there.value.entries.keys() & entry.value.entries.keys() - {"title"}
            for name in sorted(changed):
                message = f"`{name}` of `{row}` is determined by the combination"
                span = entry.value.find_key_span(name)
                diagnostics.add(ruleset_diagnostics.BAD_COMBINATION, message, span, suggestion="leave it out")
            cells = {**entry.value.entries, **{name: there.value.entries[name] for name in changed}}
            rows[row] = Entry(entry.key, Mapping({**there.value.entries, **cells}, entry.value.span))
