"""Whatever the notation of dice can say, rules can roll: alike on every machine, with the odds of the notation."""

from __future__ import annotations

import pytest

from rulewright import Ruleset
from rulewright.dice.exact.compute_distribution import compute_distribution
from rulewright.dice.parser.notation import parse
from rulewright.engine.state.game_state import CHANCE, State, list_outcomes
from rulewright.engine.state.tree_interpreter import Interpreter
from tests.engine.machines import Table
from tests.engine.test_both_machines import garden
from tests.language.garden import procedure
from tests.language.inline import checked, sound

NAMED = """
  critical: {given: x, is: 2 * 1d8 if x == 20 else 1d8}
  spread: {given: [a, b, c], is: a - c}
  burning: {is: 4d6! + late(1d4)}
  late: {given: x, is: x if x > 2 else 0}
"""

# As rules write it, and the same in the notation alone.
FORMS = {
    "4d6!": "4d6!",
    "3d6!{>=5}x2 + 1": "3d6!{5, 6}x2 +1",
    "2d6ro<3": "2d6ro{1, 2}",
    "2d6rr{1, 6}": "2d6rr{1, 6}",
    "2d{0, 0, 1} * 2": "2 * 2d{0, 0, 1}",
    "4dF + 8": "4dF +8",
    "5d6dl1dh1": "5d6dl1dh1",
    "{4d6 + 2d8}kh3": "{4d6 + 2d8}kh3",
    "{count(6d10 >= 7)} + 2": "count(6d10 >= 7) +2",
    "{alike(5d6)}": "alike(5d6)",
    "{(1d4)d6}": "(1d4)d6",
    "{7d6 / 2}": "truncate(7d6 / 2)",
    "{1d6 * 1d8} - 1d4": "(1d6 * 1d8) - 1d4",
    "{abs(1d6 - 1d6)}": "abs(1d6 - 1d6)",
    "{3 times 2d6kh1}": "3 times 2d6kh1",
    "{1d20 as x: x + 1d8 if x > 10 else x}": "1d20 as x: x + 1d8 if x > 10 else x",
    "{2d(1d4)}": "1d4 as n: 2d1 if n == 1 else 2d2 if n == 2 else 2d3 if n == 3 else 2d4",
    "{count(3d(1d3) >= 2)} + 1": "(1d3 as n: 0 if n == 1 else 3d{0, 1} if n == 2 else 3d{0, 1, 1}) +1",
    "{4d6 as pool: count(pool >= 5) - count(pool == 1)} + 4": "4d{-1, 0: 3, 1: 2} +4",
    "{3d6 as x: x + ({x}kh1 if alike(x) > 1 else 0)}": (
        "3d6 as a, b, c: a + b + c + (a if max(a == b, b == c) else 0)"
    ),
    "{critical(1d20)}": "1d20 as x: 2 * 1d8 if x == 20 else 1d8",
    "{spread(3d6)} + 1": "(3d6 as a, b, c: a - c) +1",
    "max({burning}, 1d20)": "max(4d6! + (1d4 as x: x if x > 2 else 0), 1d20)",
}


def rules(steps: str, named: str = NAMED) -> str:
    """Return the rules of the garden with these steps, and with rolls that have names."""
    source = procedure(steps)
    assert OWN_DICE in source
    return source.replace(OWN_DICE, f"dice:\n  dP: 10..100 step 10\n{named.strip(chr(10))}")


OWN_DICE = "dice: {dP: 10..100 step 10}"


def rolling(written: str) -> str:
    return rules(f'- {{id: got, roll: "{written}"}}\n- {{id: more, gain: {{who: p, score: got}}}}')


def begun(ruleset: Ruleset) -> State:
    state, name, arguments = garden(Interpreter(ruleset))
    state.machine.begin(state, name, arguments)
    return state


@pytest.mark.parametrize("written", [*FORMS, "3", "p.score"])
def test_every_machine_rolls_it_alike(written: str) -> None:
    table = Table(sound(rolling(written)))
    for seed in range(3):
        assert table.play(garden, seed) == "over"
        assert table.sample(garden, seed) == "over"


@pytest.mark.parametrize(("written", "plain"), FORMS.items())
def test_it_is_the_roll_of_the_notation(written: str, plain: str) -> None:
    state = begun(sound(rolling(written)))
    assert state.mode == CHANCE
    assert compute_distribution(state.roll) == compute_distribution(parse(plain))
    assert dict(list_outcomes(state.roll)) == dict(compute_distribution(parse(plain)).iterate_items())


@pytest.mark.parametrize(
    ("written", "message"),
    [
        ("count(6d10 >= 7)", "is not a sum: `{count(6d10 >= 7)}`"),
        ("(1d4)d6", "is not a sum: `{(1d4)d6}`"),
        ("1d6 * 1d8", "is not a sum: `{1d6 * 1d8}`"),
        ("7d6 / 2", "is not a sum: `{7d6 / 2}`"),
        ("{cuont(6d10 >= 7)}", "write `{count(6d10 >= 7)}`"),
        ("{critical(3d6, 1)}", "critical takes one roll"),
        ("{spread(2d6)}", "3 names for 2 dice"),
        ("{critical}", "critical needs a roll: critical(1d20)"),
        ("4d6!5", "write `4d6!{5}`"),
        ("2d6r1", "write `2d6ro1`"),
    ],
)
def test_what_cannot_be_rolled_is_told_how_to_be(written: str, message: str) -> None:
    _, diagnostics = checked(rolling(written))
    assert any(message in f"{each.message} {each.suggestion}" for each in diagnostics.errors), diagnostics.errors


@pytest.mark.parametrize(
    ("named", "message"),
    [
        ("  critical: {given: x, is: 2 * y}", "there is no roll called `y`"),
        ("  one: {is: two + 1}\n  two: {is: one + 1}", "there is no roll called"),
        ("  loud: {means: What}", "neither `faces` nor `is`"),
        ("  max: {is: 1d6}", "is not a valid name for a roll"),
        ("  loud: {given: [a, a], is: a}", "is not a valid parameter name"),
        ("  dQ: {faces: 1..6, is: 1d6}", "has `faces` as well as `is` or `given`"),
        ("  loud: {is: 4d6k3}", "k3 does not say"),
    ],
)
def test_a_name_that_cannot_be_given_is_told_why(named: str, message: str) -> None:
    _, diagnostics = checked(rules("- {id: got, roll: 1d6}", named))
    assert any(message in each.message for each in diagnostics.errors), diagnostics.errors
