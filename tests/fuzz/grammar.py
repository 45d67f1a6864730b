"""Everything the grammar of the rules may be asked to read: an error with a place, or a value that all agree on.

The rules are read once, and an expression or a type is all that differs, so that thousands of them can be tried. What
reading one takes is counted in calls, which are the same on every machine.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from functools import cache
from random import Random
from typing import Any

from rulewright.engine.state.game_state import State, View
from rulewright.engine.state.tree_interpreter import Interpreter
from rulewright.ir.lower_expressions import Translate
from rulewright.ir.values import OPERATIONS
from rulewright.language.declarations import FIRST_PLAYER, Scope
from rulewright.language.expressions.evaluator import Evaluate
from rulewright.language.expressions.expression_cost import MOST_IN_AN_EXPRESSION, EffortError, ExpressionCosts
from rulewright.language.expressions.type_checker import check_expression, read_type
from rulewright.language.expressions.typed_ast import Typed
from rulewright.language.types import PLAYER, Entity, ListOf, RecordOf, Row, Type
from rulewright.ruleset.ruleset import Ruleset
from rulewright.source.diagnostics.collector import Diagnostics
from rulewright.source.nodes import Scalar
from rulewright.source.span import Span
from tests.fuzz.expressions import SOUND
from tests.fuzz.mutate import harmed, main
from tests.language.garden import GARDEN
from tests.language.inline import sound

RULES = (
    GARDEN.replace("nest: {fields: {tree: tree}}", "nest: {fields: {tree: tree, eggs: map of sizes to count}}")
    .replace("turn: int, storm: bool", "turn: int, storm: bool, days: map of weather to int, log: list of deed")
    .replace("{seeds: sizes}", "{seeds: sizes, pack: {of: sizes, ordered: true}}")
) + (
    "records: {deed: {parts: {who: player, size: sizes, many: int, on: optional tree}}}\n"
    "formulas:\n"
    "  twice: {given: {n: int}, is: n * 2}\n"
    "  beside: {given: {t: tree}, is: 'list(o for o in trees if o != t and o.height < t.height + 2)'}\n"
    "  best: {given: {of: list of deed}, is: 'last(d for d in of by d.many)'}\n"
)

VALUES = (
    *SOUND,
    "deed(p, t.size, twice(turn), maybe) in log or best(log) == d",
    "(d.on or t).height + d.many - days[sun] * pack.left",
    "list(deed(o.owner, o.size, o.height, o) for o in trees if o.owner)",
    "sum(n.eggs[small] for n in nests if n.tree == t) / max(1, seeds.left)",
    "count(reach(beside(o) for o in [t] if o.height > 0 by o.height within 3))",
    "ray(beside(o) for o in [t] if o.height > 0 until o.owner) == first(groups(beside(o) for o in trees))",
    "path(beside(o) for o in [t] to t)",
    "distance(beside(o) for o in [t] to t) or goal",
    "next(p, players).friend == p and {count(6d10 >= 7)} == {1d6}",
    "mean(2d6 + 1) > mean(each(turn, 1d4))",
)
TYPES = (
    "map of sizes to optional tree",
    "list of list of deed",
    "optional one of [calm, wild]",
    "map of weather to count",
    "deed",
    "list of optional player",
)
VOCABULARY = """
turn storm days log trees players nests sizes weather goal bonus seeds pack deed twice beside best p t d maybe
small large sun rain calm height size owner worth eggs who many on left price rank options mode none true
if else and or not in for by within to sum count list any all first last next max min each mean
reach ray groups until path distance
optional of map one int bool count text dice 0 1 7 999999999999999999 2d6 {1d6} 1d6! d%
+ - * / % == != <= >= < > ( ) [ ] . , ( ) [ ] . ,
"""
WORDS = tuple(VOCABULARY.split())
WALKS = ("reach", "ray", "groups", "path", "distance")
LEAVES = ("turn", "p", "t", "d", "log", "trees", "storm", "3", "small", "none", "2d6", "days", "goal")
NAMES: dict[str, Type] = {"p": PLAYER, "t": Entity("tree"), "some": ListOf(Entity("tree")), "size": Row("sizes")}

MOST_CALLS = 60_000
"""Calls that reading, checking and working out one of them takes at most: they hold some hundred characters at most."""


@cache
def table() -> tuple[Ruleset, Scope, State, list[Any]]:
    """Return the rules, the names in reach, a state, and what the names are there."""
    ruleset = sound(RULES + "procedures: {main: {steps: [{id: s, stop: true}]}}\n")
    machine = Interpreter(ruleset)
    state = machine.empty(2)
    for height in range(3):
        tree = list(machine.layout.defaults["tree"])
        tree[machine.layout.places["tree", "height"]] = height
        state.create(machine.layout.kinds["tree"], tree)
    kind: RecordOf = ruleset.declarations.records["deed"].type
    scope = Scope(ruleset.declarations)
    for name, type_ in {**NAMES, "d": kind}.items():
        scope = scope.with_variable(name, type_)
    tree_number = FIRST_PLAYER + 2
    held = {"p": FIRST_PLAYER, "t": tree_number, "some": (tree_number,), "size": "small"}
    values = {**held, "d": (FIRST_PLAYER, "large", 3, None)}
    return ruleset, scope, state, [values]


@cache
def warm() -> None:
    """Make what is made once, such as the parser, so that it counts for no trial."""
    for each in VALUES:
        tried_out(each, TYPES[0])
        tried_out(f"{each} +", "list of")


def strung(random: Random) -> str:
    """Return words of the language in any order, some of them where they may well stand."""
    words = [random.choice(WORDS) for _ in range(random.randint(1, 24))]
    return "".join(f"{word}{random.choice(('', ' ', ' ', '.'))}" for word in words)


def drawn(random: Random, deep: int = 4) -> str:
    """Return what the grammar calls a value, of whatever types."""

    def again() -> str:
        return drawn(random, deep - 1)

    if deep <= 0:
        return random.choice(
            ("turn", "p", "t", "d", "log", "trees", "storm", "3", "small", "none", "2d6", "days", "goal")
        )
    forms: tuple[Callable[[], str], ...] = (
        lambda: f"{again()} if {again()} else {again()}",
        lambda: f"({again()} {random.choice(('and', 'or', 'in', 'not in'))} {again()})",
        lambda: f"({again()} {random.choice(('+', '-', '*', '/', '%', '==', '!=', '<', '>='))} {again()})",
        lambda: f"not {again()}",
        lambda: f"-{again()}",
        lambda: f"{again()}.{random.choice(('height', 'owner', 'many', 'who', 'left', 'size', 'price', 'friend'))}",
        lambda: f"{again()}[{again()}]",
        lambda: f"[{again()}, {again()}]",
        lambda: f"{random.choice(('twice', 'best', 'deed', 'next', 'max', 'count', 'sum', 'mean'))}({again()})",
        lambda: f"deed({again()}, {again()}, {again()}, {again()})",
        lambda: f"{random.choice(('list', 'sum', 'any', 'first', 'max'))}({again()} for x in {again()} if {again()})",
        lambda: f"list(x for x in {again()} by {again()})",
        lambda: f"{random.choice(WALKS)}({again()} for x in {again()} within {again()})",
        lambda: drawn(random, 0),
    )
    return random.choice(forms)()


def joined(random: Random) -> str:
    """Sound ones, put together so that most are sound as well."""
    one, other = random.choice(VALUES), random.choice(VALUES)
    form = random.choice(("{0}", "({0}) == ({0})", "[{0}, {0}]", "({0}) if storm else ({0})", "count([{0}, {0}])"))
    form = random.choice((form, "any(({0}) == ({0}) for x in trees)", "storm and ({1}) == ({1}) or ({0}) != ({0})"))
    return form.format(one, other)


def trial(random: Random) -> None:
    """One expression and one type."""
    warm()
    written = random.choice(
        (
            lambda: joined(random),
            lambda: harmed(random.choice(VALUES), random),
            lambda: strung(random),
            lambda: drawn(random),
        )
    )()
    spelled = harmed(random.choice(TYPES), random) if random.random() < 0.5 else strung(random)
    calls = counted(lambda: tried_out(written, spelled))
    assert calls <= MOST_CALLS, f"{calls:,} calls for {written!r} and {spelled!r}"


def tried_out(written: str, spelled: str) -> None:
    """Read both; what is sound is worked out, and comes to an operation that programs have."""
    ruleset, scope, state, (held,) = table()
    diagnostics = Diagnostics()
    read_type(Scalar(spelled, spelled, Span.for_file("type")), ruleset.declarations, diagnostics)
    assert all(fault.message for fault in diagnostics)
    for condition in (False, True):
        diagnostics = Diagnostics()
        node = check_expression(
            Scalar(written, written, Span.for_file("expression")), scope, diagnostics, condition=condition
        )
        assert sum(len(fault.message) for fault in diagnostics) < 20_000
        if not diagnostics.errors:
            assert ExpressionCosts.for_declarations(ruleset.declarations).estimate(node) <= MOST_IN_AN_EXPRESSION
            worked_out(ruleset, state, node, held)


def worked_out(ruleset: Ruleset, state: State, node: Typed, held: dict[str, Any]) -> None:
    """Work out a sound expression, twice alike, and lower it."""
    ends = []
    for _ in range(2):
        try:
            ends.append(repr(Evaluate(ruleset.declarations, View(state)).value(node, (), held)))
        except (OverflowError, ZeroDivisionError, EffortError) as fault:
            ends.append(str(fault))
    assert ends[0] == ends[1]
    assert all(value.op in OPERATIONS for value in Translate(ruleset.declarations).lower_value(node).walk())


def counted(work: Callable[[], None]) -> int:
    """Return how many Python functions are called by `work`."""
    calls = 0

    def count(frame: object, event: str, argument: object) -> None:
        nonlocal calls
        calls += event == "call"

    before = sys.getprofile()
    sys.setprofile(count)
    try:
        work()
    finally:
        sys.setprofile(before)
    return calls


if __name__ == "__main__":
    main("grammar", trial)
