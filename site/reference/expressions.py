"""The expression language: its types, operators and functions, each with what it takes and gives.

The signatures are not written down anywhere: each operator and function is asked about values of every type, as a
checker of rules would ask, and what it accepts is listed.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from itertools import product
from pathlib import Path

from reference._markdown import code, fenced, joined, table
from rulewright.base.resources import find_resource
from rulewright.language.builtin import Builtin, list_functions, list_functions_of_values, list_walks
from rulewright.language.declarations import Binding, Declarations, Scope
from rulewright.language.expressions.type_checker import check_expression
from rulewright.language.types import (
    BOOLEAN,
    DICE,
    INTEGER,
    RATIO,
    Choice,
    Entity,
    ListOf,
    Optional,
    Row,
    Type,
    Unknown,
    make_optional,
)
from rulewright.ruleset.layers.layer import Layer
from rulewright.ruleset.pipeline import build_ruleset_from_layers
from rulewright.source.diagnostics.collector import Diagnostics
from rulewright.source.nodes import Mapping, Scalar
from rulewright.source.span import Span
from rulewright.source.yaml.yaml_reader import read_text

ROW, THING, CHOICE = Row("table"), Entity("kind"), Choice(("this", "that"))

WORDS: dict[Type, str] = {
    INTEGER: "number",
    DICE: "dice",
    BOOLEAN: "yes or no",
    ROW: "row",
    THING: "object",
    CHOICE: "choice",
    RATIO: "mean",
}

TYPES = (
    ("`int`", "A whole number of any size."),
    (
        "`count`",
        "A whole number that never falls below zero; a game stops with an error if a player pays more than they have.",
    ),
    ("`bool`", "`true` or `false`."),
    ("`text`", "Text for readers. Rules do not compute with it."),
    ("`dice`", "A roll that has not been made yet, such as `2d6 + 3`."),
    ("a table's id", "A row of that table. Rows are compared by their order."),
    ("a kind's id", "An object of that kind; `player` is one of the kinds."),
    ("`one of [a, b]`", "One of a few ids."),
    ("`optional T`", "A T, or none. The rules must say what happens without it."),
    ("`list of T`", "Any number of T, in order."),
    (
        "`map of TABLE to T`",
        "A T for each row of a table or space of a board, as in `map of goods to count`. T is a number, `bool`, an id, "
        "a row or an object, or `optional` with one of these. For a list, a record or dice, map the rows to objects.",
    ),
)

OPERATORS: tuple[tuple[str, str, str], ...] = (
    ("a if c else b", "{0} if 1 == 1 else {1}", "`a` if the condition `c` is true, otherwise `b`."),
    ("a or b", "{0} or {1}", "True if at least one of them is true. If `a` is optional: `a`, or `b` if `a` is none."),
    ("a and b", "{0} and {1}", "True if both are true. `b` may rely on `a` being true."),
    ("not a", "not {0}", "True if `a` is false, or if an optional `a` is none."),
    ("a == b, a != b", "{0} == {1}", "Whether the two are the same, or different."),
    ("a < b, <=, >, >=", "{0} < {1}", "Which is larger. Rows are compared by their order in the table."),
    ("a in list", "{0} in {1}", "Whether `a` is in the list; `not in` is the opposite."),
    ("a + b", "{0} + {1}", "The sum. Dice are rolled together; lists are joined."),
    ("a - b", "{0} - {1}", "The difference."),
    ("a * b", "{0} * {1}", "The product. Dice times a number: the dice are rolled once, and the result is multiplied."),
    (
        "a / b",
        "{0} / max(1, {1})",
        "The quotient, rounded as the manifest says. `b` must never be zero. If it could be, test it first: "
        "`a / b if b != 0 else 0`.",
    ),
    ("a % b", "{0} % max(1, {1})", "The remainder of a division."),
    ("-a", "-{0}", "The negative of a number."),
)
"""Each operator as a reader knows it, as it is asked about, and what it does. A test holds them against the grammar."""

MANY = 5
"""Types an operator takes two of, from which on it is said to take two of any type."""

INTRODUCTION = """\
# Expressions

This reference is for designers. It lists all types, operators and functions. [Expressions by example](values.md) shows
how to use them.

An expression has a type, changes nothing and always has a value. `rulewright check` finds possible errors before
anybody plays.

| name | means |
|---|---|
| `amount` | a parameter, the id of an earlier step, a number, a table, a formula, or a value of the game |
| `trees` | all objects of a kind, by its plural |
| `tree.owner` | a field of an object, or a column of a row |
| `table.row` | a row |
| `table[row].column` | a value of a row |
| `row.column(player)` | a value that is computed from arguments |
| `map[row]` | the value of a map for a row |
| `weather == rain` | the bare id of a row or a choice, if its type is clear |
| `players[2].score` | an element of a list by its position; only in `expect` of an example |
"""

AGGREGATES = """\
These functions take a list, or `f(element for x in list if condition by order)`. The second form goes through
every `x` in the list for which the condition is true, in order, and takes the element for each. `if` and `by` are
optional.
"""

WALKS = """\
These functions go from space to space. `onward` gives the next spaces, such as `p.neighbours` of a board, `p.ahead`,
or a list of objects. `if`, `by` and `within` are optional. Without `by`, each step costs 1. A cost below 0 counts as
0. The condition and the cost apply to spaces that are entered, not to the start.
"""


def page() -> str:
    """Return the page."""
    return joined(
        INTRODUCTION,
        "## Types",
        table(("you write", "meaning"), TYPES),
        "## Operators",
        "Operators with the lowest precedence come first.",
        table(
            ("operator", "takes → gives", "meaning"),
            [(code(name), _lines(_operator(form)), means) for name, form, means in OPERATORS],
        ),
        "## Functions of a list",
        AGGREGATES,
        table(
            ("function", "takes → gives", "meaning"),
            [_list_function(function) for function in list_functions().values()],
        ),
        "## Walks",
        WALKS,
        table(
            ("function", "gives", "meaning"),
            [(code(each.signature), _walked(each), each.means) for each in list_walks().values()],
        ),
        "## Other functions",
        table(
            ("function", "takes → gives", "meaning"),
            [_function(function) for function in list_functions_of_values().values()],
        ),
        "## The grammar",
        fenced((find_resource("grammar") / "expression.lark").read_text(encoding="utf-8")),
    )


def _lines(signatures: Sequence[str]) -> str:
    return "<br>".join(signatures)


def _signature(taken: Sequence[Type], given: Type) -> str:
    return f"{', '.join(map(_said, taken))} → {_said(given)}"


def _said(kind: Type) -> str:
    match kind:
        case Optional(inner=inner):
            return f"optional {_said(inner)}"
        case ListOf(inner=inner):
            return f"list of {_said(inner)}"
    return WORDS.get(kind, str(kind))


def _walked(function: Builtin) -> str:
    return "optional number" if function.result((INTEGER,)) == make_optional(INTEGER) else "list of places"


def _list_function(function: Builtin) -> tuple[str, str, str]:
    signatures = list(
        dict.fromkeys(
            _signature((ListOf(inner),), given)
            for inner in WORDS
            if inner is not RATIO and isinstance(given := function.result((inner,)), Type)
        )
    )
    everything = len(signatures) == len(WORDS) - 1
    if everything:
        given = function.result((INTEGER,))
        assert isinstance(given, Type)
        signatures = [
            f"list of anything → {_said(given).replace('number', 'one of them') if given != INTEGER else 'number'}"
        ]
    return code(function.signature), _lines(signatures), function.means


def _function(function: Builtin) -> tuple[str, str, str]:
    kinds = (*WORDS, ListOf(THING))
    asked = (*((one,) for one in kinds), *product(kinds, kinds))
    found = []
    for taken in asked:
        given = function.result(taken)
        if isinstance(given, Type) and not isinstance(given, Unknown):
            found.append(_signature(taken, given))
    if len(found) == len(asked):  # the types do not matter, so the signature says more than a list of all types
        found = []
    return code(function.signature), _lines(found), function.means


def _operator(form: str) -> list[str]:
    """Return what the operator takes and gives, by asking the checker about every type."""
    kinds: tuple[Type, ...] = (INTEGER, DICE, BOOLEAN, ROW, THING, CHOICE, Optional(THING), ListOf(THING))
    if "{1}" not in form:
        pairs = [((kind,), given) for kind in kinds if (given := _checked(form, (kind,))) is not None]
        return [_signature(taken, given) for taken, given in pairs]
    found = [(taken, given) for taken in product(kinds, repeat=2) if (given := _checked(form, taken)) is not None]
    same = {taken[0]: given for taken, given in found if taken[0] == taken[1]}
    if len(same) < MANY:
        return list(dict.fromkeys(_signature(taken, given) for taken, given in found))
    lacking = [_said(kind) for kind in kinds if kind not in same]
    what = "two of one type" + (f" (but not {' or '.join(lacking)})" if lacking else "")
    gives = "that type" if all(kind == given for kind, given in same.items()) else _said(next(iter(same.values())))
    return [f"{what} → {gives}"]


@cache
def _declarations() -> Declarations:
    """Return what a ruleset with one table and one kind declares."""
    manifest = read_text("{ruleset: reference/reference, version: 1.0.0, title: R, rounding: truncate}", "ruleset.yaml")
    rules = read_text("{tables: {table: {columns: {}, rows: {one: {}}}}, kinds: {kind: {fields: {}}}}", "rules.yaml")
    assert isinstance(manifest, Mapping)
    assert isinstance(rules, Mapping)
    ruleset = build_ruleset_from_layers([Layer("reference", Path(), manifest, (rules,))]).value
    assert ruleset is not None
    return ruleset.declarations


def _checked(form: str, taken: Sequence[Type]) -> Type | None:
    """Return the type of the operation on values of those types, or None where it is refused."""
    scope = Scope(_declarations())
    span = Span.for_file("reference")
    for slot, kind in enumerate(taken, start=1):
        scope = scope.with_binding(f"x{slot}", Binding(slot, kind, False, span))
    node = read_text(f'"{form.format("x1", "x2")}"', "reference")
    found = Diagnostics()
    assert isinstance(node, Scalar)
    typed = check_expression(node, scope, found)
    return None if found.errors else typed.type
