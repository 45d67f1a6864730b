"""What other dice programs write has the same odds here: by their own libraries, or by what their manuals say.

Every row of the reference's tables and more has a definition in icepool or by hand. `other_tools/` drives the library
of Avrae (`avrae.json`, which `avrae.py` writes) and `rpg-dice-roller` through every way in which dice can fall. Rolls
that may go on for ever are cut off there: a chance is at least what was followed, and at most that and the rest.
"""

from __future__ import annotations

import json
import subprocess
from collections.abc import Callable, Mapping
from fractions import Fraction
from pathlib import Path
from typing import Any

import icepool  # type: ignore[import-untyped]
import pytest
from reference.dice import COMING_FROM

from rulewright.dice.dice_error import DiceError
from rulewright.dice.exact.compute_distribution import compute_distribution
from rulewright.dice.parser.notation import parse

TOOLS = Path(__file__).with_name("other_tools")
Odds = Mapping[int, Fraction]
Bounds = tuple[Odds, Fraction]
"""The chances of what was followed, and of the rest."""

D = icepool.d


def said_here(written: str) -> Odds:
    """Return the odds of what is read, or else of what is to be written instead.

    The suggestion, or the roll in the help.
    """
    try:
        return odds(written)
    except DiceError as error:
        return odds(error.suggestion or (error.help or "").partition(": ")[2])


def odds(written: str) -> Odds:
    return dict(compute_distribution(parse(written)).iterate_items())


def defined(die: Any) -> Odds:
    chances: dict[int, Fraction] = {}
    for outcome, ways in die.items():
        chances[int(outcome)] = chances.get(int(outcome), Fraction(0)) + Fraction(ways, die.denominator())
    return chances


def high(count: int, sides: int, number: int) -> Any:
    return D(sides).pool(count).highest(number).sum()


def low(count: int, sides: int, number: int) -> Any:
    return D(sides).pool(count).lowest(number).sum()


def hits(count: int, sides: int, hit: Callable[[int], bool]) -> Any:
    return count @ D(sides).map(lambda face: int(hit(face)))


def each(count: int, sides: int, worth: Callable[[int], int]) -> Any:
    return count @ D(sides).map(worth)


def explode(count: int, sides: int, on: list[int] | None = None, depth: int = 10) -> Any:
    return count @ D(sides).explode(on or [sides], depth=depth)


def rerolled(count: int, sides: int, again: set[int], *, once: bool) -> Any:
    """Rerolled once, or until another face stays."""
    stays = icepool.Die([face for face in range(1, sides + 1) if face not in again])
    return count @ D(sides).map(lambda face: (D(sides) if once else stays) if face in again else face)


def one_more(count: int, sides: int, shown: Callable[[int], bool]) -> Odds:
    """Return one die more, for all together, if any shows a face."""
    chances: dict[int, Fraction] = {}
    for faces, ways in (D(sides).pool(count)).expand().items():
        more = range(1, sides + 1) if any(map(shown, faces)) else [0]
        for face in more:
            total = sum(faces) + face
            chances[total] = chances.get(total, Fraction(0)) + Fraction(ways, sides**count * len(more))
    return chances


def singles(count: int, sides: int, judge: Callable[[tuple[int, ...]], int], depth: int = 6) -> Bounds:
    """Return what `judge` makes of all dice where each that shows its highest face brings another one.

    A die of its own.
    """
    pools: dict[tuple[int, ...], Fraction] = {(): Fraction(1)}
    for _ in range(count):
        grown: dict[tuple[int, ...], Fraction] = {}
        for faces, chance in pools.items():
            for exploded in range(depth + 1):
                for last in range(1, sides):
                    key = tuple(sorted((*faces, *[sides] * exploded, last)))
                    grown[key] = grown.get(key, Fraction(0)) + chance / sides ** (exploded + 1)
        pools = grown
    chances: dict[int, Fraction] = {}
    for faces, chance in pools.items():
        total = judge(faces)
        chances[total] = chances.get(total, Fraction(0)) + chance
    return chances, 1 - sum(pools.values())


def agree(ours: Odds, theirs: Bounds) -> None:
    followed, rest = theirs
    assert rest < Fraction(1, 100)
    for outcome in {*ours, *followed}:
        least = followed.get(outcome, Fraction(0))
        assert least <= ours.get(outcome, Fraction(0)) <= least + rest, outcome


def high_three(faces: tuple[int, ...]) -> int:
    return sum(faces[-3:])


PAGE: dict[str, dict[str, Any]] = {
    "AnyDice": {
        "output 3d6": 3 @ D(6),
        'output 4d6 named "four"': 4 @ D(6),
        "[highest 3 of 4d6]": high(4, 6, 3),
        "[lowest 1 of 2d20]": low(2, 20, 1),
        "[middle 1 of 3d20]": D(20).pool(3)[1:2].sum(),
        "[highest of 1d6 and 1d8]": icepool.highest(D(6), D(8)),
        "[count 6 in 5d6]": hits(5, 6, lambda face: face == 6),
        "[count {7..10} in 6d10]": hits(6, 10, lambda face: face >= 7),
        "[count {1, 3} in 4d6]": hits(4, 6, lambda face: face in (1, 3)),
        "3[explode d6]": explode(3, 6, depth=2),
        "[absolute 1d6-1d6]": abs(D(6) - D(6)),
        "1@3d6": high(3, 6, 1),
        "{1, 2}@3d6": high(3, 6, 2),
        "2d{0, 0, 1}": 2 @ icepool.Die([0, 0, 1]),
        "d{1:3, 2}": icepool.Die([1, 1, 1, 2]),
        "(1d4)d6": D(4) @ D(6),
        "7d6/2": (7 @ D(6)) // 2,
    },
    "Troll": {
        "sum 3d6": 3 @ D(6),
        "sum largest 3 4d6": high(4, 6, 3),
        "least 1 2d20": low(2, 20, 1),
        "max 2d20": high(2, 20, 1),
        "min 2d20": low(2, 20, 1),
        "median 3d20": D(20).pool(3)[1:2].sum(),
        "count 7 <= 6d10": hits(6, 10, lambda face: face >= 7),
        "count different 5d6": D(6).pool(5).unique().size(),
        "6 # sum largest 3 4d6": 6 @ high(4, 6, 3),
        "sum accumulate x := d6 while x=6": explode(1, 6),
    },
    "Roll20": {
        "/roll 2d6+3": 2 @ D(6) + 3,
        "[[4d6kh3]]": high(4, 6, 3),
        "4d6k3": high(4, 6, 3),
        "4d6d1": high(4, 6, 3),
        "5d6!": explode(5, 6),
        "5d6!>4": explode(5, 6, [4, 5, 6]),
        "5d6!6": explode(5, 6),
        "5d6!6kh3": singles(5, 6, high_three),
        "2d6ro1": rerolled(2, 6, {1}, once=True),
        "6d10>7f1": each(6, 10, lambda face: (face >= 7) - (face == 1)),
        "{4d6 + 2d8}kh3": icepool.Pool([D(6)] * 4 + [D(8)] * 2).highest(3).sum(),
        "{2d6+3, 1d20}kh1": icepool.highest(2 @ D(6) + 3, D(20)),
        "4dF": 4 @ icepool.Die([-1, 0, 1]),
        "d%": D(100),
        "4d6sd": 4 @ D(6),
        "floor(7d6/2)": (7 @ D(6)) // 2,
    },
    "Foundry": {
        "4d6kh": high(4, 6, 1),
        "4d6dl1": high(4, 6, 3),
        "6d10cs>=7": hits(6, 10, lambda face: face >= 7),
        "5d6x": explode(5, 6),
        "5d6x6": explode(5, 6),
        "5d6x>=5": explode(5, 6, [5, 6]),
        "5d6xo6": explode(5, 6, depth=1),
        "5d10x10cs>=8": singles(5, 10, lambda faces: sum(face >= 8 for face in faces), 3),
        "2d6r1": rerolled(2, 6, {1}, once=True),
        "2d6r=1": rerolled(2, 6, {1}, once=True),
        "2d6rr1": rerolled(2, 6, {1}, once=False),
        "6d10cf<=2": hits(6, 10, lambda face: face <= 2),
        "4d6even": hits(4, 6, lambda face: face % 2 == 0),
        "2d6min2": each(2, 6, lambda face: max(face, 2)),
        "2d20kh1min10": high(2, 20, 1).map(lambda face: max(face, 10)),
        "2d6max5": each(2, 6, lambda face: min(face, 5)),
        "2d4[cold]": 2 @ D(4),
        "ceil(3d6/2)": (3 @ D(6) + 1) // 2,
    },
    "Avrae": {
        "!roll 1d20+5": D(20) + 5,
        "1d20 adv": high(2, 20, 1),
        "1d20 dis": low(2, 20, 1),
        "4d6rr<3": rerolled(4, 6, {1, 2}, once=False),
        "4d6ro<3": rerolled(4, 6, {1, 2}, once=True),
        "4d6ra1": one_more(4, 6, lambda face: face == 1),
        "4d6e6": explode(4, 6),
        "4d6e6kh3": singles(4, 6, high_three),
        "4d6e6pl1": singles(4, 6, lambda faces: sum(faces[1:])),
        "4d6mi2": each(4, 6, lambda face: max(face, 2)),
        "4d6ph1": low(4, 6, 3),
        "4d6k>4": each(4, 6, lambda face: face * (face > 4)),
        "4d6p<3": each(4, 6, lambda face: face * (face >= 3)),
        "rr 6 4d6kh3": 6 @ high(4, 6, 3),
    },
}
"""Every row of the reference's tables, by its program and its spelling there."""

MORE: dict[str, Any] = {
    "2d6 == 7 or 2d6 == 11": (2 @ D(6)).map(lambda total: int(total in (7, 11))),
    "2d6 = 2 or 2d6 = 3 or 2d6=12": (2 @ D(6)).map(lambda total: int(total in (2, 3, 12))),
    "3d6 >= 8 and 3d6 <= 12": (3 @ D(6)).map(lambda total: int(8 <= total <= 12)),
    "1d20 >= 10 and 1d6 > 3": icepool.map(lambda a, b: int(a >= 10 and b > 3), D(20), D(6)),
    "1d4 == 1 or 1d20 >= 10 and 1d6 > 3": icepool.map(
        lambda a, b, c: int(a == 1 or (b >= 10 and c > 3)), D(4), D(20), D(6)
    ),
    "not 2d6 == 7": (2 @ D(6)).map(lambda total: int(total != 7)),
    "2d6 if 1d20 >= 10 and 1d6 > 3 else 0": icepool.map(
        lambda a, b, c: c if a >= 10 and b > 3 else 0, D(20), D(6), 2 @ D(6)
    ),
    "1d6^2": D(6).map(lambda face: face**2),
    "2^1d6": D(6).map(lambda face: 2**face),
    "2d6 % 3": (2 @ D(6)) % 3,
    "2d20kl1mi10": low(2, 20, 1).map(lambda face: max(face, 10)),
    "3d6kh2max5": D(6).map(lambda face: min(face, 5)).pool(3).highest(2).sum(),
    "3d10xcs=10": singles(3, 10, lambda faces: faces.count(10), 4),
    "d00": D(100),
    "２ｄ６": 2 @ D(6),
    "2d6 # attack": 2 @ D(6),
    "4d6-L": high(4, 6, 3),
    "4d6-H": low(4, 6, 3),
    "5d6-L-H": D(6).pool(5)[1:4].sum(),
    "4d6ra<3": one_more(4, 6, lambda face: face < 3),
    "4d6ra6": one_more(4, 6, lambda face: face == 6),
    "4d6e6ph1": singles(4, 6, lambda faces: sum(faces[:-1])),
    "4d6e6kl2": singles(4, 6, lambda faces: sum(faces[:2])),
    "5d6xkh2": singles(5, 6, lambda faces: sum(faces[-2:])),
    "1d(1d6)": D(6).map(lambda sides: D(sides)),
    "3d(1d6)kh2": D(6).map(lambda sides: high(3, sides, 2)),
    "(1d4)d(1d6)": D(6).map(lambda sides: D(4) @ D(sides)),
}
"""Other spellings, and those that are told of in the help."""


@pytest.mark.parametrize(("program", "theirs"), [(program, row) for program, rows in PAGE.items() for row in rows])
def test_a_row_of_the_page_has_the_odds_of_its_definition(program: str, theirs: str) -> None:
    check(said_here(theirs), PAGE[program][theirs])


@pytest.mark.parametrize("theirs", MORE)
def test_another_spelling_has_the_odds_of_its_definition(theirs: str) -> None:
    check(said_here(theirs), MORE[theirs])


def check(ours: Odds, definition: Any) -> None:
    match definition:
        case (followed, rest):
            agree(ours, (followed, rest))
        case dict():
            assert ours == definition
        case die:
            assert ours == defined(die)


def test_every_row_of_the_page_has_a_definition() -> None:
    assert {name: [theirs for theirs, _ in rows] for name, rows in COMING_FROM.items()} == {
        name: [*rows] for name, rows in PAGE.items()
    }


@pytest.mark.parametrize(
    ("theirs", "definition"),
    [
        ("2d6r<3", rerolled(2, 6, {1, 2, 3}, once=False)),
        ("2d10r>9", rerolled(2, 10, {9, 10}, once=False)),
        ("2d6r1", rerolled(2, 6, {1}, once=False)),
    ],
)
def test_what_roll20_rerolls_until_another_face_stays_takes_the_number_in(theirs: str, definition: Any) -> None:
    with pytest.raises(DiceError) as raised:
        parse(theirs)
    assert odds((raised.value.help or "").rpartition(": ")[2]) == defined(definition)


def test_the_die_that_is_kept_explodes_where_that_is_meant() -> None:
    with pytest.raises(DiceError) as raised:
        parse("2d6kh1!")
    before, _, after = (raised.value.help or "").partition("; ")
    assert odds(before.rpartition(": ")[2]) == odds("2d6!kh1")
    kept = high(2, 6, 1).map(lambda face: 6 + explode(1, 6) if face == 6 else face)
    assert odds(after.partition(": ")[2]) == defined(kept)


AVRAE = json.loads((TOOLS / "avrae.json").read_text(encoding="utf-8"))["rolls"]


@pytest.mark.parametrize("theirs", AVRAE)
def test_it_has_the_odds_of_the_library_of_avrae(theirs: str) -> None:
    followed = {int(total): Fraction(chance) for total, chance in AVRAE[theirs]["odds"].items()}
    agree(said_here(theirs), (followed, Fraction(AVRAE[theirs]["rest"])))


RPG_DICE_ROLLER = {
    # Ours, or as Roll20 and Foundry write it → as rpg-dice-roller does, and the dice that are followed.
    "4d6kh3": ("4d6kh3", 99),
    "4d6k3": ("4d6k3", 99),
    "4d6d1": ("4d6d1", 99),
    "4d6dl1": ("4d6dl1", 99),
    "3d6dh1": ("3d6dh1", 99),
    "4d6kl2": ("4d6kl2", 99),
    "3d6! + 1d4": ("3d6!!+1d4", 8),
    "3d6!6": ("3d6!!=6", 8),
    "1d6!>4": ("1d6!!>=4", 8),
    "3d6!!": ("3d6!!", 8),
    "3d6!6kh2": ("3d6!kh2", 7),
    "3d6xkh2": ("3d6!kh2", 7),
    "3d6x6kl2": ("3d6!kl2", 7),
    "3d6xdl1": ("3d6!dl1", 7),
    "3d6x6dh1": ("3d6!dh1", 7),
    "2d10x10cs>=8": ("2d10!=10>=8", 5),
    "3d6ro1": ("3d6ro=1", 99),
    "3d6ro<3": ("3d6ro<3", 99),
    "2d6rr1": ("2d6r=1", 8),
    "2d6rr<3": ("2d6r<3", 10),
    "2d10>7f1": ("2d10>=7f=1", 99),
    "2d10cs>=7": ("2d10>=7", 99),
    "3d10cf<=2": ("3d10<=2", 99),
    "{2d6 + 2d8}kh3": ("{2d6 + 2d8}kh3", 99),
    "{2d6+3, 1d20}kh1": ("{2d6+3, 1d20}kh1", 99),
    "4dF": ("4dF", 99),
    "1d%": ("1d%", 99),
    "3d6sd": ("3d6sd", 99),
    "floor(3d6/2)": ("floor(3d6/2)", 99),
    "ceil(3d6/2)": ("ceil(3d6/2)", 99),
    "2d6min2": ("2d6min2", 99),
    "2d6max5": ("2d6max5", 99),
    "2d20kh1min10": ("2d20min10kh1", 99),
}


@pytest.fixture(scope="module")
def rpg_dice_roller() -> dict[str, Bounds]:
    payload = json.dumps(list(RPG_DICE_ROLLER.values()))
    command = ["node", str(TOOLS / "rpg-dice-roller.mjs")]
    data = json.loads(subprocess.run(command, input=payload, capture_output=True, text=True, check=True).stdout)
    return {
        ours: (
            {total: Fraction(int(over), int(under)) for total, over, under in each["odds"]},
            Fraction(*map(int, each["rest"])),
        )
        for ours, each in zip(RPG_DICE_ROLLER, data, strict=True)
    }


@pytest.mark.parametrize("theirs", RPG_DICE_ROLLER)
def test_it_has_the_odds_of_rpg_dice_roller(theirs: str, rpg_dice_roller: dict[str, Bounds]) -> None:
    agree(said_here(theirs), rpg_dice_roller[theirs])
