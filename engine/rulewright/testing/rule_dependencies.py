"""The rules that an example reads when it runs, such as numbers, cells, formulas and steps."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from collections.abc import Mapping as ReadOnlyMapping
from contextlib import suppress
from typing import Any

from rulewright.base.errors import RulewrightError
from rulewright.engine.state.faults import Allowance
from rulewright.engine.state.game_state import State
from rulewright.engine.state.tree_interpreter import Interpreter, Walk
from rulewright.language.checked_steps import Step
from rulewright.language.declarations import GAME_KIND, Scope, split_column
from rulewright.language.expressions import typed_ast as t
from rulewright.language.expressions.evaluator import Evaluate
from rulewright.language.expressions.type_checker import check_expression
from rulewright.language.expressions.typed_ast import Typed
from rulewright.language.lowering import list_operations
from rulewright.language.operations import Call, Create, Draw, Write
from rulewright.language.types import ListOf, Row
from rulewright.ruleset.elaborate.node_readers import list_items
from rulewright.ruleset.layers.value_origins import Path
from rulewright.ruleset.queries.name_uses import list_procedure_expressions, list_tables_of_type
from rulewright.ruleset.recovery.override_blame import Reads
from rulewright.ruleset.ruleset import Ruleset
from rulewright.ruleset.sections.examples import Example
from rulewright.source.diagnostics.collector import Diagnostics
from rulewright.source.nodes import Mapping, Scalar
from rulewright.source.span import Span
from rulewright.testing.procedure_run import run_procedure_of
from rulewright.testing.starting_position import end_scope


def find_reads(ruleset: Ruleset, example: Example, allowance: Allowance) -> Reads:
    """Return the rules that an example reads, by running it again within the remaining `allowance`, which is charged.

    If the run fails or the allowance is spent, only the rules read until then are returned. Examples of formulas are
    not run: all rules that they may read are returned. The same goes for the procedure of an example that expects odds.
    """
    read_log = _ReadLog(ruleset)
    procedure = ruleset.procedures.get(example.of)
    if procedure is None:
        formula = ruleset.declarations.formulas.get(example.of)
        if formula is not None:
            read_log.note(("formulas", formula.id))
            read_log.record_expressions([formula.body])
        read_log.record_expressions(_read_expressions(ruleset, example))
    elif example.claims:
        read_log.record_procedure(example.of)
    else:
        # An earlier run has already reported the error. Here, only the reads up to it matter.
        with suppress(RulewrightError):
            run_procedure_of(
                ruleset,
                example,
                walker=lambda ruleset, *, until, allowance: _ReadInterpreter(ruleset, read_log, until, allowance),
                allowance=_StepAllowance(read_log, allowance),
            )
        read_log.record_expressions(procedure.gives.values())
    read_log.reads.nearest |= read_log.here
    return read_log.reads


def find_expectation_reads(ruleset: Ruleset, example: Example, reading: Reads, place: Span) -> Reads:
    """Return `reading` with the rules that the expectation at `place` reads as its nearest reads.

    Return `reading` itself if there is no such expectation.
    """
    expect = example.expect
    entries = expect.entries.values() if isinstance(expect, Mapping) else ()
    entry = next((each for each in entries if each.span == place), None)
    procedure = ruleset.procedures.get(example.of)
    if entry is None or procedure is None:
        return reading
    read_log = _ReadLog(ruleset, Reads(dict(reading.last), set(), reading.time))
    scope = end_scope(procedure, ruleset.declarations)
    scalars = [entry.key, *(each for each in list_items(entry.value) if isinstance(each, Scalar))]
    read_log.record_expressions(check_expression(each, scope, Diagnostics()) for each in scalars)
    read_log.reads.nearest |= read_log.here
    return read_log.reads


class _ReadLog:
    """The reads of one run. `here` has those since the current step began."""

    def __init__(self, ruleset: Ruleset, reads: Reads | None = None) -> None:
        self.ruleset = ruleset
        self.reads = reads or Reads()
        self.here: set[Path] = set()
        self.at: Step | None = None

    def note(self, *paths: Path) -> None:
        for path in paths:
            self.reads.note(path)
            self.here.add(path)

    def step(self, step: Step) -> None:
        """Record that a step was reached, and that it ran if it has no condition."""
        self.here = set()
        self.at = step
        own = self._list_names(step)
        self.note(own[:-1], (*own, "when"))
        self.note(*(("whenever", each) for each in (step.procedure, *step.touched)))
        if step.when is None:
            self.record_step()

    def record_step(self) -> None:
        """Record that the current step ran."""
        step = self.at
        assert step is not None
        own = self._list_names(step)
        self.note(own, own[:-1], ("exceptions", step.id))
        for each in list_operations(step):
            match each:
                case Write(kind=kind, field=name):
                    self.note(("kinds", kind, name))
                case Create(kind=kind):
                    self.note(("kinds", kind))
                case Draw(deck=deck) if deck:
                    self.note(("decks", deck), ("tables", self.ruleset.declarations.decks[deck].table))
        if step.binds is not None:
            self.note(*(tuple(path.split(".")) for path in list_tables_of_type(step.binds)))

    def _list_names(self, step: Step) -> Path:
        """Return the path of a step."""
        return (*self.ruleset.procedures[step.procedure].path, step.rule.rpartition(".")[2])

    def record_procedure(self, procedure: str) -> None:
        """Record all rules that a procedure and the procedures it calls may read."""
        waiting, seen = [procedure], {procedure}
        while waiting:
            result = self.ruleset.procedures[waiting.pop()]
            for step in result.iterate_steps():
                self.step(step)
                self.record_step()
                called = [each.procedure for each in list_operations(step) if isinstance(each, Call)]
                waiting += [each for each in called if each not in seen]
                seen.update(called)
            self.record_expressions(list_procedure_expressions(result))

    def record_expressions(self, expressions: Iterable[Typed]) -> None:
        """Record all rules that expressions and the formulas in them may read."""
        waiting, seen = list(expressions), set[str]()
        while waiting:
            for node in waiting.pop().walk():
                self.note(*_paths(node, self.ruleset))
                if isinstance(node, t.Invoke) and node.formula not in seen:
                    seen.add(node.formula)
                    waiting.append(self.ruleset.declarations.formulas[node.formula].body)
                if isinstance(node, t.After) and f"procedures.{node.procedure}" not in seen:
                    seen.add(f"procedures.{node.procedure}")
                    self.record_procedure(node.procedure)


def _paths(node: Typed, ruleset: Ruleset, row: str | None = None) -> Iterator[Path]:
    """Yield the paths that an expression node itself reads.

    For a cell, this is the cell of `row`, or the cells of all rows if the row is unknown.
    """
    declared = ruleset.declarations
    match node:
        case t.Constant(name=str(name)) if name in declared.numbers:
            yield ("numbers", name)
        case t.Constant(type=ListOf(inner=Row(table=table))) | t.Comparison(table=str(table)):
            yield ("tables", table)
        case t.Cell(table=table, column=t.ROW_RANK):
            yield ("tables", table)
        case t.Cell(table=table, column=column, base=base):
            known = row or (base.value if isinstance(base, t.Constant) else None)
            for each in declared.tables[table].rows if known is None else (known,):
                yield ("tables", table, each, column)
        case t.Invoke(formula=formula) if table := split_column(formula)[0]:
            yield ("tables", table)
        case t.Invoke(formula=formula):
            yield ("kinds", *formula.split(".", 1)) if "." in formula else ("formulas", formula)
        case t.Apply(arguments=arguments):
            for argument in arguments:
                yield from (("tables", path.partition(".")[2]) for path in list_tables_of_type(argument.type))
        case t.CardCount(deck=deck) | t.DeckCards(deck=deck):
            yield ("decks", deck)
        case t.Stored(kind=owner, field=name) if owner == GAME_KIND:
            part, _, key = name.partition(".")
            section = {"options": "options", "deck": "decks"}.get(part)
            yield (section, key.partition(".")[0]) if section is not None and key else ("state", name)
        case t.Stored(kind=owner, field=name):
            yield ("kinds", owner, name)


def _read_expressions(ruleset: Ruleset, example: Example) -> Iterator[Typed]:
    """Yield the typed expressions of an example's value, roll and expected result."""
    for node in (example.value, example.roll, example.expect):
        for each in list_items(node):
            if isinstance(each, Scalar):
                yield check_expression(each, Scope(ruleset.declarations), Diagnostics())


class _StepAllowance(Allowance):
    """An allowance that records each step that spends from it, and so each step that a run reaches."""

    def __init__(self, read_log: _ReadLog, allowance: Allowance) -> None:
        super().__init__()
        self.noted = read_log
        self.allowance = allowance

    def spend(self, step: Step, operations: int) -> None:
        if step is not self.noted.at:
            self.noted.step(step)
        self.allowance.spend(step, operations)


class _ReadInterpreter(Interpreter):
    """An interpreter that records the reads of its expressions."""

    def __init__(self, ruleset: Ruleset, read_log: _ReadLog, until: int | None, allowance: Allowance) -> None:
        super().__init__(ruleset, until=until, allowance=allowance)
        self.noted = read_log

    def walk(self, state: State) -> Walk:
        walk = super().walk(state)
        walk.evaluate = _Evaluate(self.noted, walk)
        return walk


class _Evaluate(Evaluate):
    """An evaluator that records its reads."""

    def __init__(self, read_log: _ReadLog, walk: Walk) -> None:
        super().__init__(read_log.ruleset.declarations, walk)
        self.noted = read_log
        self.values: dict[int, Any] = {}

    def value(self, node: Typed, frame: Sequence[Any] = (), variables: ReadOnlyMapping[str, Any] | None = None) -> Any:
        """Return the value of an expression, and record what it reads. A true condition also records its step."""
        result = super().value(node, frame, variables)
        self.values[id(node)] = result
        row = self.values[id(node.base)] if isinstance(node, t.Cell) else None
        self.noted.note(*_paths(node, self.noted.ruleset, row))
        step = self.noted.at
        if result is True and step is not None and node is step.when:
            self.noted.record_step()
        return result
