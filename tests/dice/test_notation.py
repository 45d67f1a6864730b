"""The notation: what it means, that text and tree agree, and what is said when it is wrong."""

from __future__ import annotations

import json
import pickle
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from lark.exceptions import UnexpectedInput

from rulewright.base.lalr_tables import DICE, EXPRESSIONS, Grammar
from rulewright.dice.ast import (
    Comparison,
    Constant,
    Count,
    Die,
    Group,
    Keep,
    Maximum,
    Minimum,
    Negation,
    Pool,
    Product,
    Roll,
    Sum,
    Trim,
    add,
    build_die,
    multiply_roll,
    repeat,
)
from rulewright.dice.dice_error import DiceError, format_error
from rulewright.dice.format_notation import format_roll
from rulewright.dice.limits import DiceLimits
from rulewright.dice.parser.notation import parse
from rulewright.dice.simplify import condense
from tests.dice.strategies import NAMED, rolls

D6, D8 = build_die(6), build_die(8)
TWO = Pool(2, D6)


@pytest.mark.parametrize(
    ("written", "tree"),
    [
        ("2d6", TWO),
        ("d6", Pool(1, D6)),
        ("2D6", TWO),
        ("1dP", Pool(1, NAMED["dP"])),
        ("dP", Pool(1, NAMED["dP"])),
        ("3dPdl1dh1", Trim(Pool(3, NAMED["dP"]), 1, 1)),
        ("2dPkh1", Keep(Pool(2, NAMED["dP"]), 1, True)),
        ("2d6 +6", Sum((TWO, Constant(6)))),
        ("2d6-6", Sum((TWO, Constant(-6)))),
        ("🎲 2d6 +6", Sum((TWO, Constant(6)))),
        ("🎲\ufe0f2d6 + 🎲1d8", Sum((TWO, Pool(1, D8)))),
        ("2d6 - 1d8", Sum((TWO, Negation(Pool(1, D8))))),
        ("2d6 - (1d8 +1)", Sum((TWO, Negation(Sum((Pool(1, D8), Constant(1))))))),
        ("4d6kh3", Keep(Pool(4, D6), 3, True)),
        ("4d6kl1", Keep(Pool(4, D6), 1, False)),
        ("4d6dl1", Keep(Pool(4, D6), 3, True)),
        ("4d6dh1", Keep(Pool(4, D6), 3, False)),
        ("4 d6 kh 3", Keep(Pool(4, D6), 3, True)),
        ("max(2d6, 1d8)", Maximum((TWO, Pool(1, D8)))),
        ("min ( 2d6 , 1d8, 3 )", Minimum((TWO, Pool(1, D8), Constant(3)))),
        ("2d6 >= 1d8", Comparison(">=", TWO, Pool(1, D8))),
        ("(2d6 != 7) + 1", Sum((Comparison("!=", TWO, Constant(7)), Constant(1)))),
        ("5 * 2d6", Product(5, TWO)),
        ("(2d6+3)*2", Product(2, Sum((TWO, Constant(3))))),
        ("(5 * 2d6) +3", Sum((Product(5, TWO), Constant(3)))),
        ("2 * 3 * 2d6", Product(6, TWO)),
        ("-2d6", Negation(TWO)),
        ("- 5 * 2d6", Product(-5, TWO)),
        ("\t2d6\n+ 6 ", Sum((TWO, Constant(6)))),
        ("7", Constant(7)),
        ("((((2d6))))", TWO),
    ],
)
def test_what_is_written_is_what_is_meant(written: str, tree: Roll) -> None:
    assert parse(written, dice=NAMED) == tree


@pytest.mark.parametrize(
    ("written", "plain"),
    [
        ("2d6+6", "2d6 +6"),
        ("d6-1", "1d6 -1"),
        ("5*1d6+3", "(5 * 1d6) +3"),
        ("2d6+6+1d6+3", "2d6 +6 + 1d6 +3"),
        ("1d6-2d8", "1d6 - 2d8"),
        ("(1d6>2)+1d8", "(1d6 > 2) + 1d8"),
        ("4d6dl1", "4d6kh3"),
    ],
)
def test_text_is_the_games_notation(written: str, plain: str) -> None:
    assert format_roll(parse(written)) == plain
    assert format_roll(parse(written), symbol=True) == f"🎲 {plain}"


def test_numbers_in_braces_can_be_counted() -> None:
    two = Group(((1, Constant(0)), (1, Constant(3))))
    assert parse("count({0, 3} > 0)") == Count(two, ">", Constant(0))
    with pytest.raises(DiceError, match="not a list"):
        parse("count({0, 3} > 0) + ({0, 3} > 0)")


@given(rolls(depth=4))
def test_parsing_the_text_of_a_roll_gives_the_roll(roll: Roll) -> None:
    assert parse(format_roll(roll), dice=NAMED) == roll
    assert parse(format_roll(roll, symbol=True), dice=NAMED) == roll


@pytest.mark.parametrize(
    "written",
    [
        "6d6 as pool: count(pool >= 5) - count(pool == 1)",
        "4d6 as x: x + (1d6 if count(x == 1) else 0)",
        "2d4 as a: 2d6 as b: {a}kh1 as x: {b}kh1 as y: count(a > y) if x > y else alike(b)",
        "1d(1d6)",
        "3d(1d{4, 6, 8})kh2",
        "(count(3d(1d4) >= 2)) +1",
        "1d20 as x: 2 * 1d8 if x == 20 else 1d8",
        "1d4 as sides: 2d6 + sides",
        "1d6 as sides: 1d8 if sides == 1 else 1d4",
        "2d6 as x_1, x_2: x_1 - x_2",
        "3d6 as a, b, c: count({a, b, c} > 2) + a",
        "2d6 as x_1, x_2: count({x_1, x_2} > 2) + x_1",
        "2d6 as x_1, x_2: 1d4 as x: count({x_1, x_2} > 2) + x",
    ],
)
def test_a_text_is_as_short_as_what_was_written(written: str) -> None:
    assert format_roll(parse(written)) == written
    assert parse(format_roll(parse(written))) == parse(written)


@pytest.mark.parametrize(
    ("written", "condensed"),
    [
        ("2d6 +6 + 1d6 +3 + 1d6 + 1d6", "5d6 +9"),
        ("3 + 2d6 - 3", "2d6"),
        ("1d8 + 1d6 + 1d8", "2d8 + 1d6"),
        ("2d6 - 1d6 - (1d6 +2)", "2d6 - 2d6 -2"),
        ("2 * (2d6 +3)", "(2 * 2d6) +6"),
        ("max(1d6 + 1d6, 1 +1)", "max(2d6, 2)"),
        ("1d6 + 4d6kh3 + 1d6", "2d6 + 4d6kh3"),
        ("1 -1", "0"),
    ],
)
def test_condensed_form(written: str, condensed: str) -> None:
    assert format_roll(condense(parse(written))) == condensed


def test_adding_and_repeating_condense() -> None:
    settlement, ramparts = parse("4d6 +12"), parse("1d6 +3")
    assert add(settlement, ramparts) == settlement + ramparts == parse("5d6 +15")
    assert repeat(3, parse("2d6 +1")) == parse("6d6 +3")
    assert repeat(3, parse("4d6kh3")) == parse("4d6kh3 + 4d6kh3 + 4d6kh3")
    assert repeat(2, parse("-1d6")) == parse("-2d6")
    assert repeat(0, TWO) == Constant(0)
    assert multiply_roll(5, parse("2d6 +1")) == 5 * parse("2d6 +1") == parse("5 * (2d6 +1)")
    assert parse("-2d6 +3") == 3 - TWO
    assert 3 + TWO - 3 == TWO
    with pytest.raises(DiceError, match="-1 times"):
        repeat(-1, TWO)
    with pytest.raises(DiceError, match="more than the 10000"):
        repeat(6_000, TWO)


def test_trees_are_values() -> None:
    roll = parse("max(4d6kh3 +1, 2 * 1d8)")
    assert hash(roll) == hash(pickle.loads(pickle.dumps(roll)))
    assert pickle.loads(pickle.dumps(roll)) == roll
    assert Die((10, 20, 30), "dT") == Die(range(10, 31, 10), "dT")
    assert Die((3, 1), "dT") != Die((1, 3), "dT")
    assert eval(repr(roll)) == roll


def test_the_cache_knows_the_dice_and_the_very_text() -> None:
    first, second = {"dX": Die((1, 2), "dX")}, {"dX": Die((5, 9), "dX")}
    assert parse("1dX", dice=first) != parse("1dX", dice=second)
    assert parse("10") == Constant(10)
    with pytest.raises(DiceError):
        parse("1 0")
    assert parse("d%", dice={"d%": build_die(100)}) == Pool(1, build_die(100))


WRONG = {
    "ambiguous drop": "4d6d1",
    "ambiguous keep": "4d6k3",
    "keep without a number": "4d6kh",
    "percent die": "3d%+1",
    "two dice in a row": "d6d6",
    "blank in a number": "1 0",
    "blank in a number of dice": "1 0d6",
    "far too many dice": "999999999d6",
    "far too many faces": "d99999999999",
    "a number of 5000 digits": "9" * 5000,
    "5000 open parentheses": "(" * 5000,
    "too many dice in all": "9000d6 + 9000d6",
    "too large a factor": "2*(1+1000000000000*1d6)",
    "division by nothing": "7d6/0",
    "remainder": "7d6 % 2",
    "power": "2d6^2",
    "unknown die": "🎲 2dQ +1",
    "max of one": "max(1d6)",
    "chained comparisons": "1 < 1d6 < 3",
    "nothing": "",
    "only blanks": "   ",
    "ends after a sign": "2d6 +",
    "ends in a parenthesis": "(2d6",
    "one parenthesis too many": "2d6)",
    "times sign": "2×1d6",
    "letter x": "2x1d6",
    "capitals": "4D6KH3",
    "one equals sign": "1d6 = 4",
    "at least sign": "1d6 ≥ 4",
    "blanks inside": "2 d 6",
    "no times": "2(1d6)",
    "keep too many": "4d6kh5",
    "drop all": "4d6dl4",
    "no dice": "0d6",
    "no faces": "1d0",
    "a word": "sword",
    "two dice symbols": "🎲🎲 1d6",
    "control character": "2d6\x00",
    "decimal": "1.5",
    "exploding on a number": "4d6!5",
    "exploding from a number on": "4d6!>=5 + 2",
    "exploding within one die": "4d6!!",
    "exploding and less": "4d6!p",
    "no face to explode on": "4d6!{>=7}",
    "exploding on all, for long": "3d100!x900",
    "at most no times": "d6!x0",
    "reroll, once or until": "4d6r1",
    "reroll for ever": "4d6rr<7",
    "reroll once and twice": "d6ro1x2",
    "reroll nothing": "4d6ro",
    "faces backwards": "d{5..1}",
    "no faces in braces": "d{}",
    "a face that never comes up": "d{1: 0, 2}",
    "a number in braces with dice": "{4d6 + 3}kh2",
    "more results than there are": "{4d6, 2d8}kh3",
    "keep from one result": "(2d6+3)kh1",
    "keep from dice in parentheses": "(2d6+3d8)kh1",
    "keep from a rolled number": "(1d4)d6kh2",
    "no middle": "4d6km1",
    "drop the middle": "5d6dm1",
    "count what": "count(6d10)",
    "count a sum": "count(2d6 + 1 >= 4)",
    "drop in words": "4d6 drop lowest",
    "keep in words": "4d6 keep highest 3 + 2",
    "keep of nothing": "keep highest 3",
    "best in words": "4d6 best 3",
    "if and then": "if 1d20 >= 12 then 2d6 + 3 else 0",
    "plus in words": "2d6 plus 3",
    "against a difficulty": "1d20 + 5 vs 15",
    "sum as a function": "sum(1d6 + 2) * 3",
    "sum of dice as a function": "sum(3d6) + 1",
    "faces with a dash": "2d{1-6}",
    "target as in chats": "6d6t5",
    "two dice apart": "d6 d8",
    "three dice apart": "d6 d8 d10",
    "a fraction for a face": "d{1/2}",
    "max of dice": "max(3d20)",
    "median of dice": "median(3d20) + 1",
    "a list of numbers": "2d6 == {7, 11}",
    "none of a list": "{1, 20} != 1d20",
    "a list above": "1d20 > {1, 20}",
    "a list inside": "(1d20 == {1, 20}) + 2",
    "count a list": "count(4d6 == {5,6})",
    "count a list of others": "count(4d6 == {1, 6})",
    "sets of what": "sets(5d6)",
    "alike of one result": "alike(2d6 + 1)",
    "rounding no division": "up(2d6)",
    "two of abs": "abs(1d6, 1d8)",
    "a function there is none": "cuont(6d10 >= 7)",
    "a name without a roll": "x + 2",
    "a name like another": "1d20 as hit: hti + 2",
    "too many names": "2d6 as a, b, c: a + b",
    "two names for one result": "1d20 + 1 as a, b: a",
    "a name twice": "2d6 as a, a: a",
    "a condition without else": "1d6 if 1d2 > 1",
    "a name without a body": "1d20 as x",
    "times and times": "2 times 3 times 1d6",
    "far too many times": "999999 times 1d6",
    "far too many dice by a roll": "(9000d6)d6",
    "German dice": "2w6 + W8",
    "Polish dice": "3k10kh2",
    "Swedish dice": "T20 + 2",
    "no dice of any tongue": "4d6k",
    "keeping by what dice show": "4d6k>4",
    "keeping of a rolled number": "(1d3)d6kh2",
    "dropping of a rolled number": "(1d4 - 1)d6dl1",
    "keeping of many a number": "(1d20)d6kh2",
    "a rolled number of dice alike": "alike((1d3)d6)",
    "a rolled number of dice in sets": "sets((1d3 + 1)d6, 2)",
    "or of one roll": "2d6 == 7 or 2d6 == 11",
    "or of numbers": "2d6 == 2 or 3 or 12",
    "or of a number that nothing is compared with": "1d6 == 1 and 2d6 == 7 or 11",
    "not of brackets": "not (1d6 > 3)",
    "or as a function": "or(2d6 == 7, 1d6 == 1)",
    "and of two rolls": "1d20 >= 10 and 1d6 > 3",
    "and in a condition": "2d6 if 1d20 >= 10 and 1d6 > 3 else 0",
    "not": "not 2d6 == 7",
    "not of several": "not (2d6 == 7 and 1d4 == 1)",
    "a power of a number": "2^1d6",
    "kept and at least": "2d20kh1min10",
    "exploding and counted": "10d10x10cs>=8",
    "kept and exploding": "2d6kh1!",
    "kept and exploding in letters": "2d6kh1x6",
    "exploding and kept": "4d6e6kh3",
    "exploding and kept beside a number": "4d6e6kh3 + 2",
    "exploding and dropped": "4d6e6ph1",
    "exploding on a number and kept": "5d6!6kh3",
    "exploding on many faces and kept": "5d6!>4kh3",
    "two zeros": "3d00",
    "full width": "２ｄ６＋１",
    "a comment": "2d6 # attack",
    "less the lowest": "4d6-L",
    "one more die for all": "4d6ra1 + 1",
    "reroll below": "2d6r<3",
    "reroll above": "2d10r>9",
    "dice of a name": "4d6 as x: x kh1",
    "more dice than can be named": "200d6 as x: count(x == 1)",
    "the name of a die of a name": "2d6 as x: count(x > 3) + (1d6 as x_1: x_1)",
    "no sides": "1d(1d6 - 1)",
    "too many numbers of sides": "1d(1d200)",
    "too many sides": "1d(100000 + 1d2)",
    "keep of rolled sides": "4d(1d6)kh5",
    "too long": "1d6+" * 6000 + "1d6",
}


def test_messages_are_as_agreed() -> None:
    """The messages are what designers read: a change must be seen and meant. See messages.txt beside this test."""
    lines = []
    for title, written in WRONG.items():
        with pytest.raises(DiceError) as raised:
            parse(written, dice={"dP": NAMED["dP"]})
        lines.append(f"# {title}\n{format_error(raised.value, width=60)}\n")
    golden = Path(__file__).with_name("messages.txt")
    assert "\n".join(lines) == golden.read_text(encoding="utf-8")


@pytest.mark.parametrize("written", WRONG.values(), ids=WRONG.keys())
def test_a_suggestion_parses(written: str) -> None:
    with pytest.raises(DiceError) as raised:
        parse(written, dice=NAMED)
    error = raised.value
    assert error.expression == written
    assert 0 <= error.start <= error.end <= len(written) + 1
    if error.suggestion is not None:
        parse(error.suggestion, dice=NAMED)


ALPHABET = "0123456789dDkKhlmroP%+-*/()<>=!,.:;{}x as if else times count\n×🎲F"
WORDS = ["1", "2", "3", "6", "d6", "d{", "}", "{", "!", "x3", "ro", "rr", "<", ">=", "5", "kh1", "dl1", "km1", "(", ")"]
WORDS += [
    ",",
    ":",
    "as",
    "if",
    "else",
    "times",
    "x",
    "y",
    "count(",
    "alike(",
    "max(",
    "/",
    "*",
    "+",
    "-",
    "4d6",
    "dP",
    "..",
]
written_somehow = st.one_of(
    st.text(alphabet="0123456789dDkKhlP%+-*/()<>=!, 🎲maxin\n×", max_size=30),
    st.text(alphabet=ALPHABET, max_size=20),
    st.lists(
        st.sampled_from(WORDS),
        max_size=12,
    ).map(" ".join),
)


@given(written_somehow)
def test_any_text_is_a_roll_or_a_dice_error(written: str) -> None:
    outcome = parsed_or_refused(written)
    if isinstance(outcome, Roll):
        assert parse(format_roll(outcome), dice=NAMED) == outcome
    else:
        assert format_error(outcome).startswith(f"error[{outcome.code}]: ")
        assert outcome.suggestion is None or parse(outcome.suggestion, dice=NAMED)


@given(written_somehow)
def test_what_is_read_follows_the_grammar(written: str) -> None:
    """By lark's own loop over the same grammar, which knows nothing of what its rules mean."""
    try:
        DICE.lark.parse(written)
        follows = True
    except UnexpectedInput:
        follows = False
    outcome = parsed_or_refused(written)
    assert follows == (isinstance(outcome, Roll) or outcome.code != "dice-syntax")


@pytest.mark.parametrize("grammar", [DICE, EXPRESSIONS], ids=lambda grammar: grammar.name)
def test_the_tables_that_are_kept_are_those_of_the_grammar(grammar: Grammar) -> None:
    """`python -m rulewright.base.lalr_tables` writes them."""
    assert json.loads(json.dumps(grammar.build_tables())) == grammar.load_tables()
    data = json.loads(grammar.file.read_text(encoding="utf-8"))
    assert data == grammar.load_tables()


def parsed_or_refused(written: str) -> Roll | DiceError:
    try:
        return parse(written, dice=NAMED)
    except DiceError as error:
        return error


@pytest.mark.parametrize(
    ("written", "limits"),
    [
        ("11d6", DiceLimits(dice=10)),
        ("6d6 + 5d6", DiceLimits(dice=10)),
        ("1d11", DiceLimits(faces=10)),
        ("1d6 +11", DiceLimits(constant=10)),
        ("((1))", DiceLimits(nesting=1)),
        ("1d6 +1", DiceLimits(length=5)),
    ],
)
def test_limits_are_settings(written: str, limits: DiceLimits) -> None:
    parse(written)
    with pytest.raises(DiceError) as raised:
        parse(written, limits=limits)
    assert raised.value.code == "dice-limit"


def test_no_tree_is_too_deep_for_the_stack() -> None:
    def nested(depth: int) -> Roll:
        roll: Roll = TWO
        for _ in range(depth):
            roll = Maximum((roll, TWO))
        return roll

    with pytest.raises(DiceError, match="levels of nesting"):
        nested(5_000)
    assert format_roll(parse("-" * 10_001 + "2d6")) == "-2d6"


def test_an_error_keeps_what_it_knows_across_processes() -> None:
    with pytest.raises(DiceError) as raised:
        parse("4d6d1")
    assert format_error(pickle.loads(pickle.dumps(raised.value))) == format_error(raised.value)


@pytest.mark.parametrize(
    "build", [lambda: build_die(0), lambda: Die((), "dN"), lambda: Pool(0, D6), lambda: Keep(TWO, 3, True)]
)
def test_impossible_dice_are_refused(build: Callable[[], object]) -> None:
    with pytest.raises(DiceError) as raised:
        build()
    assert raised.value.code == "dice-count"
