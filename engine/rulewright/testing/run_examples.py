"""Execution of a ruleset's examples and comparison with their expected results."""

from __future__ import annotations

from collections.abc import Mapping as ReadOnlyMapping
from dataclasses import dataclass, field, replace
from typing import Any

from rulewright.base.errors import RulewrightError
from rulewright.dice.ast import Roll
from rulewright.dice.simplify import condense
from rulewright.engine import engine_diagnostics
from rulewright.engine.game.record import ChanceEntry
from rulewright.engine.game.script import Script, ScriptError, ScriptSource
from rulewright.engine.narration.plain_names import Names
from rulewright.engine.narration.rich_text import Phrase, to_text
from rulewright.engine.state.faults import Allowance, RemovedError, RulesFault, estimate_scripting
from rulewright.engine.state.game_state import State, View
from rulewright.engine.state.tree_interpreter import Interpreter, Walk
from rulewright.language.declarations import Scope
from rulewright.language.expressions.evaluator import Evaluate, NoSuchPlaceError
from rulewright.language.expressions.expression_cost import ExpressionCosts
from rulewright.language.expressions.type_checker import check_expression
from rulewright.language.expressions.typed_ast import Aggregate, Typed, Variable
from rulewright.language.lowering import find_called_procedure
from rulewright.language.types import DICE, INTEGER, PLAYER, Dice, ListOf, Row, Type, Unknown, present
from rulewright.ruleset.elaborate.node_readers import list_items, read_constant
from rulewright.ruleset.ruleset import Ruleset
from rulewright.ruleset.sections.examples import FORMS, Example
from rulewright.source.diagnostics.collector import DiagnosticError, Diagnostics
from rulewright.source.diagnostics.suggestions import suggest_name
from rulewright.source.nodes import Mapping, Node, Scalar
from rulewright.testing.expected_values import read_expected, write_expected
from rulewright.testing.procedure_run import Moment, RunResult, run_procedure_of
from rulewright.testing.starting_position import PositionBuilder, bind

_WORKED_OUT = 1_000
"""The number of operations charged for reading an expression, rolling it if it is a roll, and comparing the result."""

DROPPED = "{delete: true}"
"""What house rules write in place of an expectation that can no longer be evaluated."""

WINNERS = "winners"
"""The name of the winners of a finished game in examples."""


@dataclass(frozen=True, slots=True)
class ExampleResult:
    """The result of one expectation, with the expected and actual values as text.

    `value` is the actual value and `phrase` its text as a phrase. For a list built from table rows, `of_rows` has the
    text of each value by row id. `comparison` has both values in the format of messages, with brackets around lists.
    `restated` is the YAML that would be true in place of an expectation that fails, or empty if there is none.
    """

    expression: str
    expected: str
    actual: str
    holds: bool
    value: Any = None
    phrase: Phrase = ()
    of_rows: ReadOnlyMapping[str, str] = field(default_factory=dict)
    comparison: tuple[str, str] = ("", "")
    restated: str = ""


@dataclass(frozen=True, slots=True)
class ExampleRun:
    """The run of an example, and the results of its expectations.

    For an example with a value or roll, `value` is the actual result and `outcome` has the faces. `problems` has the
    diagnostics of the run.
    """

    example: Example
    expectations: tuple[ExampleResult, ...]
    value: Any
    outcome: ChanceEntry | None
    problems: Diagnostics
    finished: RunResult | None = None

    @property
    def steps(self) -> tuple[Moment, ...]:
        """The events of the run of a procedure."""
        return self.finished.moments if self.finished is not None else ()

    @property
    def holds(self) -> bool:
        """Whether the example ran and met every expectation."""
        return not self.problems.errors


def run_example(
    ruleset: Ruleset, example: Example, allowance: Allowance | None = None, *, with_log: bool = True
) -> ExampleRun:
    """Run one example and return the run. The steps consume the `allowance`.

    An unmet expectation comes with the log of the run, unless only the verdict is needed (`with_log=False`).
    Errors in the rules or the example are in its `problems`. A `RulesFault` without a diagnostic is raised. An example
    that expects odds does not run.
    """
    problems = Diagnostics()
    kinds = [name for name in ("of", "value", "roll") if getattr(example, name)]
    if len(kinds) != 1:
        message = f"`{example.id}` has {' and '.join(f'`{kind}`' for kind in kinds) or 'none of `of`, `value`, `roll`'}"
        problems.add(
            engine_diagnostics.BAD_EXAMPLE,
            message,
            example.span,
            suggestion="an example has exactly one of the three",
            examples=(example.id,),
        )
        return ExampleRun(example, (), None, None, problems)
    if "expect_odds" in example.node or example.policy:
        _refuse_mixed(example, problems)
        if example.of in ruleset.procedures or not example.of:
            return ExampleRun(example, (), None, None, problems)
    try:
        if example.of:
            return _procedure(ruleset, example, problems, allowance or Allowance(), with_log=with_log)
        if allowance is not None:
            allowance.spend_at(example.id, example.span, _compute_cost(ruleset, example.value or example.roll))
        if example.roll:
            return _roll(ruleset, example, problems, allowance)
        return _value(ruleset, example, problems)
    except DiagnosticError as error:
        problems.extend(
            replace(each, message=f"`{example.id}`: {each.message}", examples=(example.id,))
            if each.code is engine_diagnostics.LONG_EXAMPLES and not each.examples
            else each
            for each in error.diagnostics
        )
        return ExampleRun(example, (), None, None, problems)


def run_examples(ruleset: Ruleset) -> list[ExampleRun]:
    """Run every example of a ruleset, in order, with a common allowance."""
    allowance = Allowance()
    return [run_example(ruleset, example, allowance) for example in ruleset.examples.values()]


def _refuse_mixed(example: Example, problems: Diagnostics) -> None:
    """Report the faults in the format of an example that expects odds or has a policy. Does not compute the odds."""
    for claim in example.bad_claims:
        message = f"`{example.id}` expects invalid odds: `{claim.text}`"
        problems.add(engine_diagnostics.BAD_EXAMPLE, message, claim.span, suggestion=FORMS, examples=(example.id,))
    one_run = [key for key in ("dice", "expect", "until", "value", "roll") if key in example.node]
    if one_run and "expect_odds" in example.node:
        one = one_run[0]
        message = f"`{example.id}` has `expect_odds`, which is about every run, but also `{one}`, which is about one"
        hint = "split it into two examples"
        problems.add(
            engine_diagnostics.BAD_EXAMPLE,
            message,
            example.node.find_key_span(one_run[0]),
            suggestion=hint,
            examples=(example.id,),
        )
    elif "expect_odds" not in example.node:
        message = f"`{example.id}` has `policy`, which is only for odds, but expects none"
        hint = "add `expect_odds:`, or script the decisions with `choose:`"
        problems.add(
            engine_diagnostics.BAD_EXAMPLE,
            message,
            example.node.find_key_span("policy"),
            suggestion=hint,
            examples=(example.id,),
        )


def _procedure(
    ruleset: Ruleset, example: Example, problems: Diagnostics, allowance: Allowance, *, with_log: bool
) -> ExampleRun:
    """Run the example of a procedure or formula, and report an unknown name and unmet expectations in `problems`.

    The result is empty if the name is unknown. Raises `DiagnosticError` if the example cannot be set up or run, and
    `RulesFault` for a fault without a diagnostic.
    """
    if example.of in ruleset.declarations.formulas and example.of not in ruleset.procedures:
        return _formula(ruleset, example, problems, allowance)
    if example.of not in ruleset.procedures:
        hint = suggest_name(example.of, [*ruleset.procedures, *ruleset.declarations.formulas])
        span = example.node.entries["of"].value.span
        message = f"there is no procedure or formula `{example.of}`"
        problems.add(engine_diagnostics.BAD_EXAMPLE, message, span, suggestion=hint)
        return ExampleRun(example, (), None, None, problems)
    finished = run_procedure_of(ruleset, example, allowance=allowance, written=_describe_written(example))
    expectations, log_expression = [], ""
    if isinstance(example.expect, Mapping):
        for entry in example.expect.entries.values():
            result = _expect(finished, entry.key, entry.value, problems)
            if result is not None:
                expectations.append(result)
                if result.restated is not DROPPED and not result.holds:
                    message = "`{}` should be {} but is {}".format(result.expression, *result.comparison)
                    log = trace(finished) if with_log and not log_expression else ""
                    hint = f"see the log of `{log_expression}` above" if log_expression else log
                    problems.add(engine_diagnostics.EXAMPLE_FAILED, message, entry.span, suggestion=hint)
                    log_expression = log_expression or result.expression
    elif example.expect is not None:
        message = "the `expect:` of a procedure must be a mapping from each expression to its value"
        problems.add(engine_diagnostics.BAD_EXAMPLE, message, example.expect.span)
    return ExampleRun(example, tuple(expectations), None, None, problems, finished)


_OF_A_RUN = ("dice", "choose", "until", "policy", "expect_odds")
"""The keys of an example that only apply to runs of a procedure."""


def _formula(ruleset: Ruleset, example: Example, problems: Diagnostics, allowance: Allowance) -> ExampleRun:
    """Evaluate a formula with the arguments of an example, and compare the result.

    Errors go to `problems`. Raises `DiagnosticError` if the `allowance` is used up.
    """
    for key in _OF_A_RUN:
        if key in example.node:
            message = f"`{example.of}` is a formula, without rolls or decisions, so `{key}` does not apply"
            problems.add(engine_diagnostics.BAD_EXAMPLE, message, example.node.find_key_span(key))
    if example.expect is None:
        hint = "add `expect:` with the value of the formula"
        problems.add(
            engine_diagnostics.BAD_EXAMPLE,
            f"`{example.id}` does not say which value to expect",
            example.span,
            suggestion=hint,
            examples=(example.id,),
        )
    formula = ruleset.declarations.formulas[example.of]
    allowance.spend_at(
        example.id,
        example.span,
        _WORKED_OUT + ExpressionCosts.for_declarations(ruleset.declarations).estimate_formula(formula.id),
    )
    machine = Interpreter(ruleset)
    place = PositionBuilder(machine, example.given, problems)
    state, arguments = place.set_up(example.of, example.players, example.options, example.span)
    if problems.errors:
        return ExampleRun(example, (), None, None, problems)
    try:
        given = dict(zip(formula.parameters, arguments, strict=True))
        value = Evaluate(ruleset.declarations, View(state)).value(formula.body, (), given)
    except (RulewrightError, OverflowError) as error:
        problems.add(engine_diagnostics.EXAMPLE_FAILED, f"`{example.of}` cannot be evaluated: {error}", example.span)
        return ExampleRun(example, (), None, None, problems)
    expectations: list[ExampleResult] = []
    _expect_value(ruleset, example, formula.type, value, problems, expectations, Names.for_state(state))
    return ExampleRun(example, tuple(expectations), value, None, problems)


def _describe_written(example: Example) -> ScriptSource:
    """Return the YAML nodes of an example's script."""
    node = example.node
    return ScriptSource(node.get("dice"), node.get("choose"), node.get("until"), example.span)


def _expect(finished: RunResult, key: Scalar, expected: Node, problems: Diagnostics) -> ExampleResult | None:
    """Evaluate the expression of one expectation in the final state, and compare the result.

    The caller must report a difference. Return None, after reporting, if the expression or the expected value is
    invalid. The result fails, after reporting, if the expression reads something that no longer exists.
    """
    scope, frame = _end_scope(finished)
    known = len(problems.errors)
    # Expectations may read every bound name and all hidden information.
    typed = check_expression(key, scope, problems)
    if len(problems.errors) > known or isinstance(typed.type, Unknown):
        return None
    try:
        actual = Evaluate(finished.ruleset.declarations, _world(finished)).value(typed, frame)
    except NoSuchPlaceError as error:
        problems.add(engine_diagnostics.EXAMPLE_FAILED, f"`{key.text}`: {error}", key.span)
        return _build_missing_result(key)
    except (RulesFault, RemovedError):
        message = f"`{key.text}` reads an object that has left the game by the end of the run"
        problems.add(
            engine_diagnostics.EXAMPLE_FAILED,
            message,
            key.span,
            suggestion="expect `count(…)` of the remaining objects instead",
        )
        return _build_missing_result(key)
    example_result = _compare(finished.names, key.text, typed.type, actual, expected, problems)
    members = _members(typed)
    if example_result is None or members is None:
        return example_result
    walk = Evaluate(finished.ruleset.declarations, _world(finished))
    kind = typed.type.inner if isinstance(typed.type, ListOf) else typed.type
    text = (finished.names.format_value(value, kind) for value in actual)
    return replace(example_result, of_rows=dict(zip(walk.value(members, frame), text, strict=True)))


def _build_missing_result(key: Scalar) -> ExampleResult:
    """Return the result of an expectation about an object that does not exist. The caller has reported it."""
    return ExampleResult(key.text, "", "", holds=False, restated=DROPPED)


def _members(typed: Typed) -> Aggregate | None:
    """Return the expression for the rows of a list built from table rows, or None for other expressions."""
    if not isinstance(typed, Aggregate) or typed.function != "list" or not isinstance(typed.source.type, ListOf):
        return None
    row = typed.source.type.inner
    if not isinstance(row, Row) or isinstance(typed.element, Variable):
        return None
    return replace(typed, element=Variable(row, typed.variable))


def _compare(
    names: Names, expression: str, kind: Type, actual: Any, expected: Node, problems: Diagnostics
) -> ExampleResult | None:
    """Compare a value with the expected one. The caller must report a difference.

    Return None, after reporting, if the expected value is invalid. A failed result has the text that would expect the
    actual value.
    """
    known = len(problems.errors)
    declarations = names.ruleset.declarations
    expected_value = read_expected(expected, kind, declarations, problems)
    if len(problems.errors) > known:
        return None
    if isinstance(kind, Dice):
        actual = _condense(actual)
    words = names.say.render_value(actual, kind)
    texts = _describe(names, expected_value, kind), _describe(names, actual, kind)
    text = names.format_value(expected_value, kind)
    result = ExampleResult(expression, text, to_text(words), actual == expected_value, actual, words, comparison=texts)
    if result.holds:
        return result
    restated = write_expected(actual, kind, declarations, instead_of=expected, expected=expected_value)
    return replace(result, restated=restated)


def _describe(names: Names, value: Any, kind: Type) -> str:
    """Return a value as text for messages, with brackets around lists."""
    inner = present(kind)
    if isinstance(inner, ListOf) and isinstance(value, tuple):
        return f"[{', '.join(_describe(names, item, inner.inner) for item in value)}]"
    return names.format_value(value, kind)


def _condense(value: Any) -> Any:
    return condense(value) if isinstance(value, Roll) else value


def _world(finished: RunResult) -> Walk:
    machine = finished.state.machine
    assert isinstance(machine, Interpreter)
    return Walk(machine, finished.state)


def _end_scope(finished: RunResult) -> tuple[Scope, list[Any]]:
    """Return the scope at the end of a run, and the values of its slots.

    The scope has the names of the procedure and, if the run stopped inside other procedures, also theirs. After the end
    of the game, it also has `winners`.
    """
    ruleset, state = finished.ruleset, finished.state
    scope = Scope(ruleset.declarations, outside=True)
    values: list[Any] = [None]
    for procedure, frame in reversed(_frames(finished)):
        for slot, name in procedure.names.items():
            if "(" in name:
                continue
            kind = procedure.types[slot]
            value = frame[slot]
            scope = bind(scope, name, kind, len(values), procedure.span)
            values.append(value)
    if finished.procedure is not None:
        for (name, given), value in zip(finished.procedure.gives.items(), state.given, strict=False):
            scope = bind(scope, name, given.type, len(values), finished.procedure.span)
            values.append(value)
    if state.winners is not None and finished.procedure is not None:
        scope = bind(scope, WINNERS, ListOf(PLAYER), len(values), finished.procedure.span)
        values.append(state.winners)
    known = frozenset(f"#{slot}" for slot, value in enumerate(values) if value is not None)
    return scope.with_facts(known), values


def _frames(finished: RunResult) -> list[tuple[Any, list[Any]]]:
    """Return every active procedure with its frame, the outermost first."""
    results = []
    procedure = finished.procedure
    for frame in finished.state.stack:
        assert procedure is not None
        results.append((procedure, frame))
        step = finished.ruleset.steps.get(frame[0])
        other = find_called_procedure(step) if step is not None else ""
        procedure = finished.ruleset.procedures.get(other)
        if procedure is None:
            break
    return results


def _compute_cost(ruleset: Ruleset, node: Node | None) -> int:
    """Return the cost, in operations, of evaluating an example's expressions. Ignores errors in them."""
    scope, costs = Scope(ruleset.declarations), ExpressionCosts.for_declarations(ruleset.declarations)
    scalars = (each for each in list_items(node) if isinstance(each, Scalar))
    return sum(_WORKED_OUT + costs.estimate(check_expression(each, scope, Diagnostics())) for each in scalars)


def _value(ruleset: Ruleset, example: Example, problems: Diagnostics) -> ExampleRun:
    """Evaluate the constant of an example, and report errors and an unmet expectation in `problems`."""
    kind, value = read_constant(example.value, ruleset.declarations, problems)
    expectations: list[ExampleResult] = []
    if not problems.errors:
        _expect_value(ruleset, example, kind, value, problems, expectations)
    return ExampleRun(example, tuple(expectations), value, None, problems)


def _roll(ruleset: Ruleset, example: Example, problems: Diagnostics, allowance: Allowance | None) -> ExampleRun:
    """Roll the dice of an example by its script, and report an invalid roll and an unmet expectation in `problems`.

    Raises `DiagnosticError` for a script that does not fit, and if the `allowance` is used up.
    """
    _, roll = read_constant(example.roll, ruleset.declarations, problems, expected=DICE)
    if problems.errors:
        return ExampleRun(example, (), None, None, problems)
    if allowance is not None:
        allowance.spend_at(example.id, example.span, estimate_scripting(roll))
    state = State.__new__(State)
    state.roll = roll
    script = Script(example.dice, written=_describe_written(example))
    try:
        outcome = script.choose_outcome(state, _AsStep(example))  # type: ignore[arg-type]
        script.refuse_rest(example.span)
    except ScriptError as error:
        raise DiagnosticError((error.diagnostic,)) from None
    expectations: list[ExampleResult] = []
    _expect_value(ruleset, example, INTEGER, outcome.value, problems, expectations)
    return ExampleRun(example, tuple(expectations), roll, outcome, problems)


class _AsStep:
    """An example in place of a step, for the errors of its roll."""

    def __init__(self, example: Example) -> None:
        self.rule = example.id
        self.span = example.span


def _expect_value(
    ruleset: Ruleset,
    example: Example,
    kind: Type,
    value: Any,
    problems: Diagnostics,
    expectations: list[ExampleResult],
    names: Names | None = None,
) -> None:
    """Compare a value with the example's `expect`, if there is one, and append the result to `expectations`.

    Reports an invalid or unmet expectation in `problems`. An invalid one has no result.
    """
    if example.expect is None:
        return
    written = example.value if isinstance(example.value, Scalar) else example.roll
    text = written.text if isinstance(written, Scalar) else example.of or example.id
    result = _compare(names or Names(ruleset), text, kind, value, example.expect, problems)
    if result is not None:
        expectations.append(result)
        if not result.holds:
            message = "the result should be {} but is {}".format(*result.comparison)
            problems.add(engine_diagnostics.EXAMPLE_FAILED, message, example.expect.span)


def trace(finished: RunResult) -> str:
    """Return the events of a run as text, one per line."""
    lines = [f"{moment.event.rule}: {moment.event.text}" for moment in finished.moments if moment.event.text]
    return "what happened:\n" + "\n".join(lines) if lines else "nothing happened"
