"""What the book says of a rule for whatever happens, read back, is that rule: what it watches, when, and if what."""

from __future__ import annotations

import json
import re
from random import Random
from typing import Any

import pytest

from rulewright.book.parts.trigger_sentences import describe_trigger
from rulewright.language.declarations import Scope
from rulewright.language.expressions.evaluator import Evaluate
from rulewright.language.expressions.type_checker import check_expression
from rulewright.language.expressions.typed_ast import Typed
from rulewright.language.types import INTEGER, Entity, Type
from rulewright.ruleset.load_ruleset import load_ruleset
from rulewright.ruleset.ruleset import Ruleset
from rulewright.source.diagnostics.collector import Diagnostics
from rulewright.source.nodes import Scalar
from rulewright.source.span import Span
from tests.book.reading.draw import Draw
from tests.book.reading.happenings import understood
from tests.book.reading.meaning import value
from tests.book.reading.orchard import NAMES, State, orchard
from tests.book.test_read_back import Marked
from tests.breadth import times

RULES, STATES = times(60, 400), 10

STEPS = """
      - {id: earned, gain: {who: rival, coin: n + 1}}
      - {id: drunk, pay: {who: rival, water: n}}
      - {id: grown, gain: {who: oak, fruit: m}}
      - {id: picked, pay: {who: oak, fruit: m}}
      - {id: ripens, set: {oak.ripe: "not oak.ripe", oak.gardener: rival}}
      - {id: later, set: {season: season + n}}
      - {id: earlier, set: {season: season - n}}
      - {id: hatched, create: bird, with: {owner: rival}}
      - {id: flown, remove: birds}
      - {id: idle, let: season}
      - {id: idler, set: {season: idle}}"""

OF_PLAYER: dict[str, Type] = {"player": Entity("player"), "amount": INTEGER}
OF_TREE: dict[str, Type] = {"tree": Entity("tree"), "amount": INTEGER}
WALK = {name: kind for name, kind in NAMES.items() if name not in ("pledges",)}

EVENTS: dict[tuple[str, str], tuple[dict[str, Type], str]] = {
    ("gains", "player.coin"): (OF_PLAYER, "first instead then"),
    ("loses", "player.water"): (OF_PLAYER, "first instead then"),
    ("gains", "tree.fruit"): (OF_TREE, "first instead then"),
    ("loses", "tree.fruit"): (OF_TREE, "first instead then"),
    ("changes", "tree.ripe"): ({"tree": Entity("tree")}, "first instead then"),
    ("changes", "tree.gardener"): ({"tree": Entity("tree")}, "first then"),
    ("gains", "season"): ({"amount": INTEGER}, "first instead then"),
    ("loses", "season"): ({"amount": INTEGER}, "first then"),
    ("changes", "season"): ({"before": INTEGER, "after": INTEGER}, "first then"),
    ("creates", "bird"): ({}, "first then"),
    ("removes", "bird"): ({"bird": Entity("bird")}, "first instead"),
    ("begins", "walk"): (WALK, "then"),
    ("ends", "walk"): (WALK, "then"),
    ("does", "walk.idle"): (WALK, "first then"),
}
"""What may be watched, with the names that the condition may use, and when the steps may be carried out."""


def scope(ruleset: Ruleset, names: dict[str, Type]) -> Scope:
    scope = Scope(ruleset.declarations)
    for name, kind in names.items():
        scope = scope.with_variable(name, kind)
    return scope


def typed(expression: str, scope: Scope) -> Typed | None:
    diagnostics = Diagnostics()
    node = check_expression(Scalar(expression, expression, Span.for_file("test")), scope, diagnostics, condition=True)
    return None if diagnostics.errors else node


def condition(draw: Draw, random: Random, names: dict[str, Type]) -> str:
    """Return a condition in the names that a rule is told."""
    answer = draw.bool(random.randint(1, 3), {})
    if "rival" in names:
        return answer
    renamed = {"rival": "player", "oak": "tree", "n": random.choice(("amount", "before", "after")), "m": "amount"}
    for name, other in renamed.items():
        if other in names:
            answer = re.sub(rf"(?<![.\w]){name}\b", other, answer)
    return answer


@pytest.fixture(scope="module")
def rules(tmp_path_factory: pytest.TempPathFactory) -> tuple[Ruleset, dict[str, dict[str, Any]]]:
    """Return the orchard with many such rules, and the rules as they were written."""
    folder, random = tmp_path_factory.mktemp("happenings"), Random(11)
    bare, draw = orchard(folder, STEPS), Draw(random)
    written: dict[str, dict[str, Any]] = {}
    while len(written) < RULES:
        (event, watches), (names, timings) = random.choice(list(EVENTS.items()))
        timing = random.choice(timings.split())
        rule: dict[str, Any] = {event: watches, timing: [{"id": "noted", "set": {"raining": "not raining"}}]}
        when = condition(draw, random, {} if (event, timing) == ("creates", "first") else names)
        if random.random() < 0.85:
            typed_condition = typed(when, scope(bare, names))
            if typed_condition is None or len(when) > 200:
                continue
            rule["when"] = when
        written[f"rule{len(written)}"] = rule
    file = folder / "orchard" / "small" / "orchard.yaml"
    file.write_text(file.read_text(encoding="utf-8") + f"whenever: {json.dumps(written)}\n", encoding="utf-8")
    return load_ruleset("orchard/small", rules=[folder]), written


def test_a_rule_for_whatever_happens_says_what_it_is(rules: tuple[Ruleset, dict[str, dict[str, Any]]]) -> None:
    ruleset, written = rules
    random = Random(5)
    compared = 0
    for identity, rule in written.items():
        event, watches = next((key, rule[key]) for key in rule if (key, rule[key]) in EVENTS)
        timing = next(key for key in ("first", "instead", "then") if key in rule)
        trigger = describe_trigger(ruleset.declarations.triggers[identity], Marked(ruleset))
        readings = understood(trigger)
        assert [(read.event, read.watches, read.timing) for read in readings] == [(event, watches, timing)], trigger
        [read] = readings
        assert (read.conditions is None) == ("when" not in rule), trigger
        if read.conditions is None:
            continue
        assert read.conditions, f"nobody can read {trigger!r}, whose condition is {rule['when']}"
        names = EVENTS[event, watches][0]
        node = typed(rule["when"], scope(ruleset, names))
        assert node is not None
        for _ in range(STATES):
            state = State(random)
            state.names |= {"player": state.names["rival"], "tree": state.names["oak"]}
            state.names |= {"bird": None, "amount": random.randrange(5), "before": random.randrange(5)}
            state.names["after"] = random.randrange(5)
            right = Evaluate(ruleset.declarations, state).value(node, (), state.names)
            for condition in read.conditions:
                assert value(condition, state) == right, (
                    f"{trigger!r} can be read as {condition}, where {rule['when']} is {right}"
                )
            compared += 1
    assert compared > RULES
