"""Turn the steps of a table's rows into procedures, one for each row and one that runs those of any row."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from types import MappingProxyType

from rulewright.language import language_diagnostics as language_codes
from rulewright.language.checked_steps import Block, CellSteps, Procedure, Step
from rulewright.language.control_flow import number_places
from rulewright.language.declarations import ROW_NAME, Declarations, StepsColumn
from rulewright.language.expressions.typed_ast import Comparison, Constant, Local, Typed
from rulewright.language.statement import by_role
from rulewright.language.types import BOOLEAN, Record, Type, make_optional
from rulewright.ruleset.elaborate.node_readers import iterate_entries, make_title, read_text
from rulewright.source.diagnostics.collector import Diagnostics
from rulewright.source.diagnostics.diagnostic import RelatedSpan
from rulewright.source.nodes import Entry, Node, Scalar, Sequence, follow_keys
from rulewright.source.nodes import Mapping as MappingNode


def list_procedure_nodes(rules: MappingNode) -> dict[str, Entry]:
    """Return the nodes of all procedures by id: those of the section, and one for each row that has steps."""
    return dict(iterate_entries(rules.get("procedures"))) | {
        cell.id: entry for cell, entry in iterate_row_procedures(rules)
    }


def iterate_row_procedures(rules: MappingNode) -> Iterator[tuple[CellSteps, Entry]]:
    """Yield each cell with steps, and an entry with these steps as the node of a procedure."""
    for table, entry in iterate_entries(rules.get("tables")):
        columns = dict(iterate_steps_columns(entry.value))
        worded = {name: follow_keys(entry.value, "columns", name, "wording") for name in columns}
        for row, row_entry in iterate_entries(
            entry.value.get("rows") if isinstance(entry.value, MappingNode) else None
        ):
            for column, form in columns.items():
                steps = find_steps(row_entry.value, column, form)
                if steps is None:
                    continue
                title = read_text(_get(row_entry.value, "title")) or make_title(row)
                if len(columns) > 1:
                    title = f"{title} ({make_title(column).casefold()})"
                key = steps.key if steps.value is not _get(form, "default") else row_entry.key
                yield CellSteps(table, row, column), Entry(key, _make_procedure(title, form, steps, worded[column]))


def iterate_steps_columns(table: Node) -> Iterator[tuple[str, MappingNode]]:
    """Yield the columns of steps of a table at its node, each with the form of its steps."""
    for column, entry in iterate_entries(_get(table, "columns")):
        form = _get(entry.value, "steps")
        if isinstance(form, MappingNode):
            yield column, form


def find_steps(row: Node, column: str, form: MappingNode) -> Entry | None:
    """Return the entry with the steps of a row, or the default of their column, or None if the row has no steps.

    An empty list in the row means no steps, in spite of a default.
    """
    for node in (row, form):
        entry = node.entries.get(column if node is row else "default") if isinstance(node, MappingNode) else None
        if entry is not None:
            return entry if isinstance(entry.value, Sequence) and entry.value.items else None
    return None


def _make_procedure(title: str, form: MappingNode, steps: Entry, wording: Node | None) -> MappingNode:
    """Return the node of a procedure that runs the steps of a row. `wording` is that of the column.

    A result that no step binds is none if it is optional, and otherwise left out.
    """
    entries = {key: form.entries[key] for key in ("given", "names") if key in form}
    entries["title"] = Entry(steps.key, Scalar(title, title, steps.key.span))
    if wording is not None:
        entries["wording"] = Entry(steps.key, wording)
    assert isinstance(steps.value, Sequence)
    bound = {own.text: own for step in steps.value.items if isinstance(own := _get(step, "id"), Scalar)}
    gives = {}
    for name, entry in iterate_entries(form.get("gives")):
        if name in bound:
            gives[name] = Entry(entry.key, bound[name])
        elif read_text(entry.value).startswith("optional "):
            gives[name] = Entry(entry.key, Scalar("none", "none", entry.value.span))
    if gives:
        entries["gives"] = Entry(steps.key, MappingNode(gives, steps.value.span))
    return MappingNode({**entries, "steps": Entry(steps.key, steps.value)}, steps.value.span)


def report_missing_results(cell: CellSteps, node: MappingNode, column: StepsColumn, diagnostics: Diagnostics) -> None:
    """Report results of a column that a row's steps never bind, unless they are optional."""
    for name, kind in column.gives.items():
        if name not in dict(iterate_entries(node.get("gives"))):
            message = f"`{cell.id}` needs a step `{name}` whose result is {kind}"
            related = (RelatedSpan(column.span, f"the column `{cell.column}` gives it"),)
            hint = f"add a step `{{id: {name}, let: …}}`"
            diagnostics.add(language_codes.ARGUMENTS, message, node.span, related=related, suggestion=hint)


def build_dispatch(table: str, column: StepsColumn, cells: Mapping[str, str], declarations: Declarations) -> Procedure:
    """Return the procedure that runs the steps of the row that it is given, or none if the row has no steps.

    `cells` maps each row with steps to their procedure. Its steps are ordinary calls, so back ends and analyses need
    not know columns of steps.
    """
    cell = CellSteps(table, "", column.id)
    parameters = {ROW_NAME: declarations.tables[table].type, **column.parameters}
    names = dict(enumerate((*parameters, *column.gives), start=1))
    types: dict[int, Type] = dict(enumerate(parameters.values(), start=1))
    first = len(parameters) + 1
    types |= dict(enumerate(map(make_optional, column.gives.values()), start=first))
    row, *arguments = (Local(kind, slot, name) for slot, (name, kind) in enumerate(parameters.items(), start=1))
    call, group = by_role("call"), by_role("group")
    steps = []
    for each, procedure in cells.items():
        when = Comparison(BOOLEAN, "==", row, Constant(row.type, each, each))
        action, rule = call.action(procedure, tuple(arguments), tuple(column.gives)), f"{cell.id}.{each}"
        step = Step(each, rule, call, action, when, column.span, procedure=cell.id, woven=True)
        if column.gives:
            # All calls use the same slots. A step that is skipped empties its own, so the condition is outside it.
            step = replace(step, when=None, slot=first, binds=Record(MappingProxyType(dict(column.gives))))
            inside = (Block((step,)),)
            step = Step(f"{each}.row", rule, group, group.action(), when, column.span, blocks=inside, procedure=cell.id)
            step.woven = True
        steps.append(step)
    body = Block(tuple(steps))
    number_places(body)
    gives: dict[str, Typed] = {
        name: Local(kind, slot, name) for slot, (name, kind) in enumerate(column.gives.items(), start=first)
    }
    words = {"title": make_title(column.id)} | ({"wording": column.wording} if column.wording else {})
    return Procedure(
        cell.id,
        parameters,
        body,
        gives,
        len(names),
        names,
        column.span,
        words,
        types,
        column.called,
        column.clauses,
        cell=cell,
    )


def _get(node: Node | None, key: str) -> Node | None:
    return node.get(key) if isinstance(node, MappingNode) else None
