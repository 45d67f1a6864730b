"""Dice notation: every form the grammar has, with what it rolls between and its mean, worked out by the engine."""

from __future__ import annotations

from reference._markdown import code, fenced, joined, table
from rulewright.base.resources import find_resource
from rulewright.dice.bounds import compute_maximum, compute_mean, compute_minimum
from rulewright.dice.dice_error import DiceError
from rulewright.dice.parser.notation import parse

INTRODUCTION = """\
# Dice

This reference is for designers. It lists every form of dice notation. [Roll dice](../design/dice.md) explains the forms
by example. Rules files, `rulewright roll` and `rulewright odds` use the same notation. Spaces do not matter, and a roll
may begin with the symbol 🎲.
"""

FORMS: tuple[tuple[str, str, str], ...] = (
    ("constant", "7", "A number: a roll that always has the same result."),
    ("single", "d6", "One die with six faces, 1 to 6."),
    (
        "kind",
        "d%",
        "`d%` is 1 to 100, `dF` is -1, 0 or 1. A ruleset's own dice are written in the same way, as in `dP`.",
    ),
    ("pool", "2d6", "Several dice, added up."),
    ("rolled", "(1d4)d6", "As many dice as another roll shows; if its result is below one, there are none."),
    ("sided", "1d(1d6)", "A die with as many sides as another roll shows, rolled once for all dice: `3d(1d6)kh2`."),
    ("keep", "4d6kh3", "The highest three of four; `kl` keeps the lowest, `km` the middle ones, `dh` and `dl` drop."),
    ("keep", "5d6dl1dh1", "Several modifiers apply in order: first without the lowest, then without the highest."),
    ("group", "{4d6 + 2d8}kh3", "All these dice together, of which three are kept."),
    ("group", "{2d6 +3, 1d20}kh1", "With a comma, each roll is one result."),
    ("repeated", "6 times 4d6kh3", "Six separate results; where a number is needed, their sum."),
    ("custom", "2d{0, 0, 1, 1, 2}", "A die with these faces; `d{1..5, 10}` has 1 to 5 and 10."),
    ("weighted", "d{0: 3, 1: 2, 5}", "0 on three faces, 1 on two, 5 on one."),
    ("explode", "4d6!", "A die that shows its highest face is rolled again and added, ten times at most."),
    (
        "explode",
        "4d6!{>=5}x3",
        "On 5 or more, three times at most. In braces, write faces (`{1, 5..6}`) or `>=5`.",
    ),
    ("reroll", "2d6ro1", "Rolled again once if it shows 1, and the new face counts; `ro<3`, `ro{1, 3}`."),
    ("reroll", "2d6rr<3", "Rolled again until it shows no such face; `rr<3x2` twice at most."),
    ("added", "2d6 +6", "Rolls and numbers added; a number is added only once."),
    ("taken", "2d6 - 1d4", "A roll subtracted from another."),
    ("plus", "+ 2d6", "A plus before a roll changes nothing."),
    ("minus", "10 - d4", "A minus before a roll subtracts it."),
    ("times", "(3 * 1d6) +2", "A roll times a number: rolled once, then multiplied. `2 * 3d6` is not `6d6`."),
    ("times", "1d6 * 1d8", "Two rolls multiplied."),
    ("divided", "7d6 / 2", "Divided, and rounded as the ruleset says; without a ruleset, rounded down."),
    (
        "function",
        "up(7d6 / 2)",
        "Rounded: `down`, `up`, `nearest` (halves away from 0) or `truncate`.",
    ),
    ("function", "max(1d6, 1d8)", "All are rolled; the highest counts, or with `min`, the lowest."),
    ("function", "abs(1d6 - 1d6)", "Without its sign."),
    ("function", "count(6d10 >= 7)", "How many dice show 7 or more; you can use any comparison with a number."),
    ("function", "alike(5d6)", "The largest set: how many dice show the same."),
    ("function", "sets(5d6, 2)", "How many faces are shown by two dice or more."),
    ("function", "different(5d6)", "How many different faces are shown."),
    ("function", "run(5d6)", "The longest run of consecutive faces, such as 3, 4, 5."),
    (
        "compare",
        "5d6 +15 > 7d6 +21",
        "1 if it is true and 0 if not, so its mean is the chance. Also `>=`, `<`, `<=`, `==`, `!=`.",
    ),
    ("either", "2d6 if 1d20 >= 11 else 1d6", "One of two rolls, by a condition; the other is not rolled."),
    (
        "named",
        "1d20 as x: 2 * 1d8 if x == 20 else 1d8",
        "Rolled once; after the colon, the name is the result.",
    ),
    ("variable", "3d6 as a, b, c: a + c", "Several names stand for single dice, the first name for the highest die."),
    (
        "variable",
        "6d6 as x: count(x >= 5) - count(x == 1)",
        "A name for several dice is their sum. In braces, or in functions such as `count`, it is the dice: `{x}kh2`.",
    ),
    ("symbol", "🎲2d6", "The die symbol, for decoration."),
)
"""Every form that is rolled: its name in the grammar, an example, and what it means."""

REFUSED: tuple[tuple[str, str], ...] = (
    ("chain", "1 < 2d6 < 5"),
    ("unsupported", "2d6 ^ 2"),
    ("explode_bare", "4d6!5"),
    ("keep", "4d6d1"),
    ("pool", "0d6"),
    ("reroll", "2d6r1"),
    ("call", "total(2d6)"),
)
"""Forms that are read only to be refused, with the reason."""


COMING_FROM: dict[str, tuple[tuple[str, str], ...]] = {
    "AnyDice": (
        ("output 3d6", "3d6"),
        ('output 4d6 named "four"', "4d6"),
        ("[highest 3 of 4d6]", "4d6kh3"),
        ("[lowest 1 of 2d20]", "2d20kl1"),
        ("[middle 1 of 3d20]", "3d20km1"),
        ("[highest of 1d6 and 1d8]", "max(1d6, 1d8)"),
        ("[count 6 in 5d6]", "count(5d6 == 6)"),
        ("[count {7..10} in 6d10]", "count(6d10 >= 7)"),
        ("[count {1, 3} in 4d6]", "4d{0: 4, 1: 2}"),
        ("3[explode d6]", "3d6!x2"),
        ("[absolute 1d6-1d6]", "abs(1d6-1d6)"),
        ("1@3d6", "3d6kh1"),
        ("{1, 2}@3d6", "3d6kh2"),
        ("2d{0, 0, 1}", "2d{0, 0, 1}"),
        ("d{1:3, 2}", "d{1: 3, 2}"),
        ("(1d4)d6", "(1d4)d6"),
        ("7d6/2", "down(7d6 / 2)"),
    ),
    "Troll": (
        ("sum 3d6", "3d6"),
        ("sum largest 3 4d6", "4d6kh3"),
        ("least 1 2d20", "2d20kl1"),
        ("max 2d20", "2d20kh1"),
        ("min 2d20", "2d20kl1"),
        ("median 3d20", "3d20km1"),
        ("count 7 <= 6d10", "count(6d10 >= 7)"),
        ("count different 5d6", "different(5d6)"),
        ("6 # sum largest 3 4d6", "6 times 4d6kh3"),
        ("sum accumulate x := d6 while x=6", "d6!"),
    ),
    "Roll20": (
        ("/roll 2d6+3", "2d6+3"),
        ("[[4d6kh3]]", "4d6kh3"),
        ("4d6k3", "4d6kh3"),
        ("4d6d1", "4d6dl1"),
        ("5d6!", "5d6!"),
        ("5d6!>4", "5d6!{>=4}"),
        ("5d6!6", "5d6!{6}"),
        (
            "5d6!6kh3",
            "5d{0: 5, 1: 1}! as n: 18 if n >= 3 else 12 + 5d5kh1 if n == 2 else 6 + 5d5kh2 if n == 1 else 5d5kh3",
        ),
        ("2d6ro1", "2d6ro1"),
        ("6d10>7f1", "6d{-1, 0: 5, 1: 4}"),
        ("{4d6 + 2d8}kh3", "{4d6 + 2d8}kh3"),
        ("{2d6+3, 1d20}kh1", "{2d6+3, 1d20}kh1"),
        ("4dF", "4dF"),
        ("d%", "d100"),
        ("4d6sd", "4d6"),
        ("floor(7d6/2)", "down(7d6/2)"),
    ),
    "Foundry": (
        ("4d6kh", "4d6kh1"),
        ("4d6dl1", "4d6dl1"),
        ("6d10cs>=7", "count(6d10 >= 7)"),
        ("5d6x", "5d6!"),
        ("5d6x6", "5d6!"),
        ("5d6x>=5", "5d6!{>=5}"),
        ("5d6xo6", "5d6!{6}x1"),
        ("5d10x10cs>=8", "5 times up(1d{0: 7, 2: 2, 3: 1}! / 3)"),
        ("2d6r1", "2d6ro1"),
        ("2d6r=1", "2d6ro1"),
        ("2d6rr1", "2d6rr1"),
        ("6d10cf<=2", "count(6d10 <= 2)"),
        ("4d6even", "4d{0: 3, 1: 3}"),
        ("2d6min2", "2d{2: 2, 3..6}"),
        ("2d20kh1min10", "2d{10: 10, 11..20}kh1"),
        ("2d6max5", "2d{1..4, 5: 2}"),
        ("2d4[cold]", "2d4"),
        ("ceil(3d6/2)", "up(3d6/2)"),
    ),
    "Avrae": (
        ("!roll 1d20+5", "1d20+5"),
        ("1d20 adv", "2d20kh1"),
        ("1d20 dis", "2d20kl1"),
        ("4d6rr<3", "4d6rr<3"),
        ("4d6ro<3", "4d6ro<3"),
        ("4d6ra1", "4d6 as x: x + (1d6 if count(x == 1) else 0)"),
        ("4d6e6", "4d6!"),
        (
            "4d6e6kh3",
            "4d{0: 5, 1: 1}! as n: 18 if n >= 3 else 12 + 4d5kh1 if n == 2 else 6 + 4d5kh2 if n == 1 else 4d5kh3",
        ),
        ("4d6e6pl1", "4d{0: 5, 1: 1}! as n: 6 * n + 4d5kh3"),
        ("4d6mi2", "4d{2: 2, 3..6}"),
        ("4d6ph1", "4d6dh1"),
        ("4d6k>4", "4d{0: 4, 5, 6}"),
        ("4d6p<3", "4d{0: 2, 3..6}"),
        ("rr 6 4d6kh3", "6 times 4d6kh3"),
    ),
}
"""By program: a roll as it is written there, and how it is written here."""


RECIPES: tuple[tuple[str, str], ...] = (
    ("Advantage, and disadvantage: the better or the worse of two dice.", "2d20kh1 +5 >= 15"),
    ("An attribute: four dice without the lowest; here, six attributes side by side.", "6 times 4d6kh3"),
    (
        "A critical hit doubles the rolled damage.",
        "1d20 as hit: 2 * 1d8 if hit == 20 else 1d8 if hit >= 12 else 0",
    ),
    ("Hits in a pool: dice that show 7 or more.", "count(6d10 >= 7) >= 3"),
    ("The same, if a 10 counts twice: a die that shows hits.", "6d{0: 6, 1: 3, 2}"),
    ("Each 1 cancels a hit.", "6d{-1, 0: 5, 1: 4}"),
    (
        "Hits that do not count if half of the dice or more show a 1.",
        "6d6 as x: count(x >= 5) if count(x == 1) < 3 else 0",
    ),
    (
        "Two results of one roll, hits and ones, in one number: hundreds and units.",
        "6d6 as x: 100 * count(x >= 5) + count(x == 1)",
    ),
    (
        "Opposed pools: how many dice of the better pool beat all of the other; below 0 if the second pool is better.",
        "3d10 as a: 2d10 as b: {a}kh1 as x: {b}kh1 as y: count(a > y) if x > y else 0 - count(b > x)",
    ),
    (
        "Opposed pools, compared pair by pair from the highest: how many pairs the first wins.",
        "3d6 as a, b, c: 2d6 as x, y: (a > x) + (b > y)",
    ),
    (
        "The two highest dice for a total, in hundreds, and the third for an effect.",
        "4d8 as a, b, c, d: 100 * (a + b) + c",
    ),
    ("Either of two totals in one throw.", "2d6 as x: max(x == 7, x == 11)"),
    ("Fudge dice on a skill of 3, against a difficulty.", "4dF +3 >= 4"),
    ("A step die and a wild die, either of which may explode.", "max(1d8!, 1d6!) >= 4"),
    ("The middle die of three.", "3d20km1"),
    ("Three different dice, of which the best two are kept.", "{1d6 + 1d8 + 1d10}kh2"),
    ("Half the damage, rounded up.", "up(8d6 / 2)"),
    ("As many dice as another die shows.", "(1d4)d6"),
    ("A pair, or better, among five dice; `run` is for straights.", "alike(5d6) >= 2"),
    ("The difference between two dice.", "abs(1d12 - 1d12)"),
    ("The highest and the lowest of three dice.", "3d6 as high, middle, low: high + low"),
    ("Damage above armour only.", "max(3d6 - 8, 0)"),
)
"""What players often want, and the roll that it is."""


def page() -> str:
    """Return the page."""
    refused = [(code(example), _refusal(example)) for _, example in REFUSED]
    return joined(
        INTRODUCTION,
        table(
            ("written", "means", "range", "mean"),
            [(code(example), means, *_measure(example)) for _, example, means in FORMS],
        ),
        "Dice explode at most ten times, unless `x` and a number set another limit. `odds` mentions the limit. If "
        "exact odds would take too much work, `odds` says how much, and rolls many times instead. Each chance then has "
        "a confidence interval.",
        "## Recipes",
        "A comparison is 1 or 0. Therefore, `max` of several comparisons means *or*, `min` means *and*, and the mean "
        "is the chance.",
        table(
            ("you want", "roll", "range", "mean"),
            [(means, code(example), *_measure(example)) for means, example in RECIPES],
        ),
        "## In rules",
        "In rules, write a pool and its modifiers as here, such as `roll: 4d6kh3 + bonus` or `roll: 2d6ro<3`. All "
        "other rolls need braces, even inside expressions, such as `roll: '{count(6d10 >= 7)} + bonus'`. Under "
        "`dice:`, give names to rolls and functions of rolls, for use in other rolls:",
        fenced(NAMES, "yaml"),
        "`{critical(1d20)}` is then the damage of a hit, `{spread(3d6)}` the range of three dice, and `{burning}` a "
        "roll. A single name in `given` is the result of a roll. Several names are separate dice, the highest first.",
        "To get two results from one roll, combine them in one number, and separate them in later steps. For a step "
        "`both` with `roll: '{6d6 as x: 100 * count(x >= 5) + count(x == 1)}'`, the hits are `let: both / 100`, and "
        "the ones are `let: both - 100 * hits`, in a ruleset that rounds down.",
        "## Ambiguous notation",
        "A notation that could mean two things is an error, with a suggestion.",
        table(("written", "error"), refused),
        "## Coming from another program",
        "If you write a roll as in another program, the error shows how to write it here. The same spelling has the "
        "same meaning, with four exceptions:",
        "- Roll20 always includes the number itself. There, `2d6ro<3` also rerolls a 3, and `2d6r1` rerolls until "
        "there is no 1. Write `2d6ro<=3` and `2d6rr1`.\n- In Roll20 and Foundry, `6d10>7` counts dice. Here, it "
        "compares their sum, like `4d6kh3 > 7`, and `odds` mentions that. Write `count(6d10 >= 7)`.\n- In other "
        "programs, each die of an explosion counts separately. Here, an exploding die is one die, and `count(5d10! >= "
        "8)` compares its sum. To count each die, give its faces values, as in `5 times up(1d{0: 7, 2: 2, 3: 1}! / "
        "3)`. Seven faces miss, two hit, and one hits and explodes.\n- In other programs, each die of an explosion is "
        "kept or dropped separately. Here, `5d6!kh3` keeps three whole dice with their explosions. To keep single "
        "dice, state how often the dice exploded, then the results of the others: "
        "`5d{0: 5, 1: 1}! as n: 18 if n >= 3 else 12 + 5d5kh1 if n == 2 else 6 + 5d5kh2 if n == 1 else 5d5kh3`.",
        "For the last two exceptions, `odds` prints the other roll if only the highest face explodes. One kind of roll "
        "has no notation: dice packed into as many sets as possible, such as the raises of *7th Sea* with sets of 10 "
        "or more. Their number is between `count(10d10 == 10)` and `10d10 / 10`.",
        *(
            part
            for program, rows in COMING_FROM.items()
            for part in (
                f"### {program}",
                table(("there", "here"), [(code(theirs), code(ours)) for theirs, ours in rows]),
            )
        ),
        "## The grammar",
        fenced((find_resource("grammar") / "dice.lark").read_text(encoding="utf-8")),
    )


NAMES = """\
dice:
  dP: 10..100 step 10
  critical: {given: hit, is: 2 * 1d8 if hit == 20 else 1d8}
  spread: {given: [a, b, c], is: a - c}
  burning: {is: 4d6! + 2, means: What fire does.}
"""


def _measure(notation: str) -> tuple[str, str]:
    """Return the range of a roll and its mean, as the tables show them."""
    roll = parse(notation)
    mean = compute_mean(roll)
    return (
        f"{compute_minimum(roll)} to {compute_maximum(roll)}",
        str(mean) if mean.denominator < 1_000 else f"about {float(mean):.4f}",
    )


def _refusal(notation: str) -> str:
    try:
        parse(notation)
    except DiceError as error:
        hint = f" Write {code(error.suggestion)}." if error.suggestion else ""
        return f"{error.message}.{hint}"
    raise ValueError(f"{notation} is not refused")
