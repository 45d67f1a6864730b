"""Declare and check procedures with their steps, exceptions and triggers."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from rulewright.language import language_diagnostics as language_codes
from rulewright.language.check_steps import CheckSteps
from rulewright.language.checked_steps import CellSteps, Procedure
from rulewright.language.control_flow import list_written_fields, may_finish
from rulewright.language.declarations import GAME_KIND, ROW_NAME, Declarations, Signature, Trigger
from rulewright.language.expressions.expression_cost import MOST_IN_A_MOVE, summarize_cost
from rulewright.language.expressions.type_checker import read_type
from rulewright.language.statement import list_calls
from rulewright.language.step_cost import StepCosts
from rulewright.language.trigger_expansion import TriggerPlan
from rulewright.language.types import Entity, Row, Type, present
from rulewright.ruleset import ruleset_diagnostics
from rulewright.ruleset.cache.known_procedures import KnownProcedures
from rulewright.ruleset.elaborate.node_readers import iterate_entries, read_text
from rulewright.ruleset.elaborate.procedure_summary import ProcedureSummary, summarize_procedure
from rulewright.ruleset.elaborate.row_procedures import (
    build_dispatch,
    iterate_row_procedures,
    list_procedure_nodes,
    report_missing_results,
)
from rulewright.ruleset.elaborate.trials import check_trials
from rulewright.ruleset.elaborate.trigger_declarations import check_conditions, read_triggers, weave_triggers
from rulewright.ruleset.layers.step_tree import list_ids, walk
from rulewright.source.diagnostics.collector import Diagnostics
from rulewright.source.diagnostics.diagnostic import RelatedSpan
from rulewright.source.diagnostics.suggestions import suggest_name
from rulewright.source.nodes import Entry, Mapping, Scalar, Sequence
from rulewright.source.span import Span

DEEPEST = 50
"""The maximum depth of procedure calls."""

Exceptions = dict[str, list[tuple[str, Mapping]]]
"""The exceptions to each step in order, by `procedure.step`."""

Places = dict[str, dict[str, list[Trigger]]]
"""The triggers that apply in each procedure, by step id; the empty id is for its beginning and its end."""


def check_procedures(
    rules: Mapping, declarations: Declarations, diagnostics: Diagnostics, known: KnownProcedures
) -> dict[str, Procedure]:
    """Return every checked procedure in source order, with triggers expanded at the steps where they apply.

    Also declares the signatures and triggers, and numbers all steps from 1. Procedures that call each other in a
    cycle or too deep are reported, and no procedures are returned. Procedures with other errors are returned.
    """
    written = {cell.id: cell for cell, _ in iterate_row_procedures(rules)}
    # Rows and columns that could not be declared were reported.
    cells = {identity: cell for identity, cell in written.items() if _is_declared(cell, declarations)}
    nodes = {key: node for key, node in list_procedure_nodes(rules).items() if key in cells or key not in written}
    declarations.procedure_names = tuple(nodes)
    exceptions = _exceptions(rules, diagnostics)
    read_triggers(rules, declarations, diagnostics)
    summaries: dict[str, ProcedureSummary] = {}
    places: Places = {}
    if declarations.triggers:
        # Where triggers apply depends on the checked steps, so all procedures are first checked without triggers.
        result = Diagnostics()
        summaries = _check_procedures(nodes, cells, exceptions, {}, declarations, result, known)
        check_conditions(declarations, result)
        places = weave_triggers(_list_procedures(summaries), declarations, result) if not result.errors else {}
        if result.errors:
            diagnostics.extend(result)
        else:
            summaries = {}
    if not summaries:
        summaries = _check_procedures(nodes, cells, exceptions, places, declarations, diagnostics, known)
    check_trials(summaries, declarations, diagnostics)
    _refuse_effort(nodes, summaries, diagnostics)
    checked = _list_procedures(summaries)
    number = 0
    ordered = [
        *(identity for identity in nodes if identity in checked),
        *(each for each in checked if each not in nodes),
    ]
    for identity in ordered:
        checked[identity] = known.assign_numbers(checked[identity], number)
        number += sum(1 for _ in checked[identity].iterate_steps())
    return {identity: checked[identity] for identity in ordered}


def _check_procedures(
    nodes: dict[str, Entry],
    cells: dict[str, CellSteps],
    exceptions: Exceptions,
    places: Places,
    declarations: Declarations,
    diagnostics: Diagnostics,
    known: KnownProcedures,
) -> dict[str, ProcedureSummary]:
    """Return every checked procedure, in an order in which callees precede callers.

    Also declares their signatures. Empty if calls form a cycle or nest too deep, which is reported. `cells` has the
    cell of each procedure with the steps of a row, and `exceptions` and `places` have the exceptions and the triggers
    of each step. `known` has procedures of earlier rulesets.
    """
    summaries: dict[str, ProcedureSummary] = {}
    checked: dict[str, Procedure] = {}
    asking: set[str] = set()
    # If procedures call each other in a cycle, their result types are unknown; further errors would be noise.
    calls = _Calls(nodes, cells, exceptions, places, declarations)
    for identity in _order(calls, diagnostics) or ():
        if identity not in nodes:
            procedure = calls.build_dispatch(identity)
            declarations.procedures[identity] = _sign(procedure, procedure.span, declarations)
            checked[identity] = procedure
            summaries[identity] = summarize_procedure(
                procedure, frozenset(asking), StepCosts(declarations, checked), valid=True
            )
            continue
        node = nodes[identity].value
        assert isinstance(node, Mapping)
        weave = TriggerPlan(places.get(identity, {}))
        cell = cells.get(identity)
        check = partial(_check_procedure, identity, node, exceptions, frozenset(asking), weave, cell, checked)
        results = Diagnostics()
        if places.get(identity):
            summary = check(declarations, results)
        else:
            others = [special for target, special in exceptions.items() if target.rpartition(".")[0] == identity]
            called = {call.text for call in calls.list_calls(identity)} & asking
            summary = known.fetch(identity, (node, others, sorted(called)), declarations, results, check)
        # Rows may share the default steps of their column, whose mistakes are reported once.
        reported = {(each.code, each.span) for each in diagnostics} if identity in cells and len(results) else set()
        diagnostics.extend(each for each in results if (each.code, each.span) not in reported)
        declarations.procedures[identity] = _sign(summary.procedure, nodes[identity].key.span, declarations)
        if summary.asks:
            asking.add(identity)
        checked[identity] = summary.procedure
        summaries[identity] = summary
    return summaries


def _list_procedures(summaries: dict[str, ProcedureSummary]) -> dict[str, Procedure]:
    return {identity: summary.procedure for identity, summary in summaries.items()}


def _is_declared(cell: CellSteps, declarations: Declarations) -> bool:
    table = declarations.tables.get(cell.table)
    return table is not None and cell.row in table.rows and cell.column in table.steps


def _sign(procedure: Procedure, span: Span, declarations: Declarations) -> Signature:
    gives = {name: value.type for name, value in procedure.gives.items()}
    writes, finishes = list_written_fields(procedure, declarations), may_finish(procedure, declarations)
    return Signature(procedure.id, procedure.parameters, gives, span, writes, finishes)


def _check_procedure(
    identity: str,
    node: Mapping,
    exceptions: Exceptions,
    asking: frozenset[str],
    weave: TriggerPlan,
    cell: CellSteps | None,
    callees: dict[str, Procedure],
    declarations: Declarations,
    diagnostics: Diagnostics,
) -> ProcedureSummary:
    """Return a checked procedure, after reading the types of its parameters. Errors are reported."""
    if cell is not None:
        # The types of the column were read before, once for all rows.
        column = declarations.tables[cell.table].steps[cell.column]
        parameters = dict(column.parameters)
        report_missing_results(cell, node, column, diagnostics)
    else:
        given = iterate_entries(node.get("given"))
        parameters = {name: read_type(entry.value, declarations, diagnostics) for name, entry in given}
    check = CheckSteps(identity, declarations, diagnostics, exceptions, asking, weave, cell, callees)
    procedure = check.check_procedure(node, parameters)
    return summarize_procedure(procedure, asking, StepCosts(declarations, callees), valid=not diagnostics.errors)


def _refuse_effort(nodes: dict[str, Entry], summaries: dict[str, ProcedureSummary], diagnostics: Diagnostics) -> None:
    """Report the first procedure that costs too much even if each of its steps runs only once.

    Does nothing if there are errors already.
    """
    if diagnostics.errors:
        return  # the cost of invalid steps is unknown
    costs: dict[str, int] = {}
    for identity, summary in summaries.items():  # callees precede callers
        cost = costs[identity] = summary.own_cost + sum(costs[name] for name in summary.called)
        if cost > MOST_IN_A_MOVE:
            text = f"`{identity}` takes {summarize_cost(cost)} operations if each of its steps runs once"
            message = f"{text}; the limit between two decisions is {MOST_IN_A_MOVE:,}"
            span = nodes[identity].key.span if identity in nodes else summary.procedure.span
            diagnostics.add(language_codes.TOO_MUCH_WORK, message, span)
            return


def _exceptions(rules: Mapping, diagnostics: Diagnostics) -> Exceptions:
    """Return the exceptions by the step that they apply to. Those to an unknown step are reported and left out."""
    exceptions: Exceptions = {}
    steps: list[str] = []
    for identity, entry in list_procedure_nodes(rules).items():
        body = entry.value.get("steps") if isinstance(entry.value, Mapping) else None
        if isinstance(body, Sequence):
            steps += [f"{identity}.{step}" for step in list_ids(body)]
    for identity, entry in iterate_entries(rules.get("exceptions")):
        node = entry.value
        assert isinstance(node, Mapping)
        to = node.get("to")
        target = read_text(to)
        if target not in steps:
            hint = suggest_name(target, steps)
            message = f"there is no step `{target}`"
            diagnostics.add(
                ruleset_diagnostics.UNKNOWN_REFERENCE, message, to.span if to else node.span, suggestion=hint
            )
            continue
        exceptions.setdefault(target, []).append((identity, node))
    return exceptions


class _Calls:
    """The calls of every procedure, before any of them is checked."""

    def __init__(
        self,
        nodes: dict[str, Entry],
        cells: dict[str, CellSteps],
        exceptions: Exceptions,
        places: Places,
        declarations: Declarations,
    ) -> None:
        self.nodes = nodes
        self.cells = cells
        self.exceptions = exceptions
        self.places = places
        self.declarations = declarations
        self.dispatched = {
            f"{table.id}.{column.id}": (table.id, column)
            for table in declarations.tables.values()
            for column in table.steps.values()
        }
        """The procedures that run the steps of any row, each with its table and its column."""

    def list_calls(self, identity: str) -> list[Scalar]:
        """Return the calls of other procedures, and of the triggers that apply in this one.

        Calls in steps that exceptions substitute are included. The same procedure may be called more than once. Calls
        of unknown procedures are left out.
        """
        if identity in self.dispatched:
            table, column = self.dispatched[identity]
            rows = self._list_rows(table, column.id)
            return [Scalar(each, each, self.nodes[each].key.span) for each in rows.values()]
        node = self.nodes[identity].value
        bodies = [node.get("steps")] if isinstance(node, Mapping) else []
        bodies += [
            special.get("instead")
            for target, specials in self.exceptions.items()
            if target.rpartition(".")[0] == identity
            for _, special in specials
        ]
        scalars = [trigger.named for triggers in self.places.get(identity, {}).values() for trigger in triggers]
        for body in bodies:
            for step in walk(body) if isinstance(body, Sequence) else ():
                scalars += (each for call in list_calls(step) for each in self._resolve(call, identity))
        return [scalar for scalar in scalars if scalar.text in self.nodes or scalar.text in self.dispatched]

    def _resolve(self, call: Scalar, caller: str) -> Iterator[Scalar]:
        """Yield the procedures that a call may mean.

        Names of steps have no types yet, so a call of `row.column` may mean every table with such a column, unless the
        row is found from a parameter, a value of the game or a row of a table.
        """
        if call.text in self.nodes:
            yield call
            return
        head, dot, column = call.text.rpartition(".")
        names = [each for each in self.dispatched if each.endswith(f".{column}")] if dot else []
        kind = self._find_type(head.split("."), caller) if len(names) > 1 else None
        known = f"{kind.table}.{column}" if isinstance(kind, Row) else ""
        yield from (Scalar(name, name, call.span) for name in ([known] if known in names else names))

    def _find_type(self, path: list[str], caller: str) -> Type | None:
        """Return the type of a path such as `self.tool` in a procedure.

        None if the path is unknown, or if the steps must be checked first.
        """
        tables, kinds = self.declarations.tables, self.declarations.kinds
        node = self.nodes[caller].value
        given = node.get("given") if isinstance(node, Mapping) else None
        named = read_text(given.get(path[0])) if isinstance(given, Mapping) else ""
        kind: Type | None = Row(named) if named in tables else Entity(named) if named in kinds else None
        rest = path[1:]
        if path[0] == ROW_NAME and caller in self.cells:
            kind = Row(self.cells[caller].table)
        elif path[0] in tables and rest and rest[0] in tables[path[0]].rows:
            kind, rest = Row(path[0]), rest[1:]
        elif kind is None and GAME_KIND in kinds and path[0] in kinds[GAME_KIND].fields:
            kind = present(kinds[GAME_KIND].fields[path[0]].type)
        for name in rest:
            of: Type | None = None
            if isinstance(kind, Row):
                of = tables[kind.table].columns.get(name)
            elif isinstance(kind, Entity) and name in kinds[kind.kind].fields:
                of = kinds[kind.kind].fields[name].type
            kind = present(of) if of is not None else None
        return kind

    def _list_rows(self, table: str, column: str) -> dict[str, str]:
        """Return the procedures with the steps of the rows of a table, by row."""
        return {
            cell.row: identity for identity, cell in self.cells.items() if (cell.table, cell.column) == (table, column)
        }

    def build_dispatch(self, identity: str) -> Procedure:
        """Return the procedure that runs the steps of any row of a table. Those of all rows must be declared."""
        table, column = self.dispatched[identity]
        return build_dispatch(table, column, self._list_rows(table, column.id), self.declarations)

    def find_span(self, identity: str) -> Span:
        """Return where a procedure is declared."""
        return self.nodes[identity].key.span if identity in self.nodes else self.dispatched[identity][1].span


def _order(calls: _Calls, diagnostics: Diagnostics) -> list[str] | None:
    """Return the procedures with callees before callers.

    None if calls form a cycle or nest too deep. Both are reported. Calls of unknown procedures are ignored.
    """
    called = {identity: calls.list_calls(identity) for identity in (*calls.nodes, *calls.dispatched)}
    depths: dict[str, int] = {}
    sound = True
    for start in called:
        # The current call stack: each procedure with its remaining calls and the current one.
        trail: list[tuple[str, Iterator[Scalar], list[Scalar]]] = []
        if start not in depths:
            trail.append((start, iter(called[start]), []))
        while trail:
            identity, rest, following = trail[-1]
            call = next(rest, None)
            if call is None:
                depths[identity] = 1 + max((depths.get(inner.text, 0) for inner in called[identity]), default=0)
                sound = _refuse_depth(identity, depths[identity], calls.find_span(identity), diagnostics) and sound
                trail.pop()
                continue
            following[:] = [call]
            names = [name for name, _, _ in trail]
            if call.text in names:
                circle = [(name, f[0]) for name, _, f in trail[names.index(call.text) :]]
                _report_circle(circle, calls.places, diagnostics)
                sound = False
            elif call.text not in depths:
                trail.append((call.text, iter(called[call.text]), []))
    return list(depths) if sound else None


def _report_circle(circle: list[tuple[str, Scalar]], places: Places, diagnostics: Diagnostics) -> None:
    """Report procedures that call each other in a cycle, at the last of the calls."""
    text = " → ".join([*(name for name, _ in circle), circle[0][0]])
    *others, (_, last) = circle
    related = tuple(RelatedSpan(call.span, f"`{name}` carries out `{call.text}`") for name, call in others)
    applying = {id(each.named) for at in places.values() for triggers in at.values() for each in triggers}
    called_up = any(id(call) in applying for _, call in circle)
    if called_up:
        diagnostics.add(language_codes.TRIGGER_CIRCLE, f"{text} never ends", last.span, related=related)
        return
    hint = (
        "add what is still to do to a list of the game, and let one procedure carry it out in a loop: "
        "`repeat: {while: any(queue), …}`"
    )
    diagnostics.add(language_codes.RECURSION, f"{text} never ends", last.span, related=related, suggestion=hint)


def _refuse_depth(identity: str, depth: int, span: Span, diagnostics: Diagnostics) -> bool:
    if depth == DEEPEST + 1:
        message = f"calls from `{identity}` are nested {depth} procedures deep; the limit is {DEEPEST}"
        diagnostics.add(language_codes.STEPS_TOO_DEEP, message, span)
    return depth <= DEEPEST
