"""Hints for rewriting invalid rolls. Loaded only when they are needed, because most rolls are valid."""

from __future__ import annotations

from collections.abc import Callable

from rulewright.dice.ast import Constant, Either, Named, Pool, Roll, Several
from rulewright.dice.format_notation import format_roll
from rulewright.dice.static_bounds import reach

_MOST_NUMBERS = 6
"""The maximum number of cases that a hint spells out: more would be unreadable."""

_UNKNOWN = "the number of dice is not known before they are rolled"


def suggest_keeping(pool: Several, selection: str) -> str:
    """Return a hint with a roll for each number of dice in `pool`, if `selection` (`kh2`, `dl1`) is plain.

    Otherwise it says that the number of dice must be known.
    """
    letters, digits = selection[:2], selection[2:].strip()
    number = int(digits[:9]) if digits.isdigit() else 0

    def of(dice: int, die: str) -> str:
        if letters[0] == "k":
            return f"{dice}{die}{letters}{number}" if dice > number else f"{dice}{die}"
        return f"{dice}{die}{letters}{number}" if dice > number else "0"

    plain = letters in ("kh", "kl", "dh", "dl") and number > 0
    return _by_number(pool, of) if plain else f"{_UNKNOWN}: write the number of dice to choose from"


def suggest_matching(pool: Several, function: str, number: int | None = None) -> str:
    """Return how to look at the dice of `pool` side by side."""
    behind = f", {number}" if number else ""
    return _by_number(pool, lambda dice, die: f"{function}({dice}{die}{behind})")


def _by_number(pool: Several, of: Callable[[int, str], str]) -> str:
    """Return the hint that spells out a roll for each number of dice. `of` writes the roll for a number and a die.

    The hint only advises to do so if `pool` repeats anything but one die, or if there are too many numbers.
    """
    least, most = reach(pool.count)
    numbers = range(max(least, 0), most + 1)
    if not _is_one_die(pool.roll) or " as " in format_roll(pool.count) or not 1 < len(numbers) <= _MOST_NUMBERS:
        return f"{_UNKNOWN}: name it, and write a roll for each number"
    die = format_roll(pool.roll).removeprefix("1")
    cases = [of(number, die) if number else "0" for number in numbers]
    text = " else ".join(f"{case} if n == {number}" for case, number in zip(cases[:-1], numbers, strict=False))
    return f"{_UNKNOWN}; write a roll for each number: `{format_roll(pool.count)} as n: {text} else {cases[-1]}`"


def _is_one_die(roll: Roll) -> bool:
    return isinstance(roll, Pool) and roll.count == 1


def suggest_explosion(condition: str) -> tuple[str, str | None]:
    """Return the braces after `!` for a condition without them, and the other possible meaning or None.

    Roll20, which uses this form, includes the number itself.
    """
    inside = condition.replace(" ", "")
    if inside[0] not in "<>" or inside[1] == "=":
        return inside, None
    theirs = f"{inside[0]}={inside[1:]}"
    return theirs, f"in Roll20 this includes {inside[1:]}; to exclude {inside[1:]}, write !{{{inside}}}"


_MOST_FACTORS = 6
_LONGEST_NUMBER = 1_000_000_000


def suggest_power(left: Roll, right: Roll, name: str) -> str:
    """Return advice for raising a roll to a power, such as a named roll times itself or a die with powers as faces.

    For constants, this is the value. `name` is a free name for the roll.
    """
    match left, right:
        case Constant(base), Constant(exponent) if 0 <= exponent <= 40 and abs(base**exponent) <= _LONGEST_NUMBER:
            return f"it is {base**exponent}"
        case _, Constant(1):
            return f"it is {format_roll(left)}"
        case _, Constant(exponent) if 2 <= exponent <= _MOST_FACTORS:
            return _name_once(left, name, " * ".join([name] * exponent))
        case Constant(base), Pool(1, die) if min(die.faces) >= 0 and abs(base) ** max(die.faces) <= _LONGEST_NUMBER:
            return f"use a die with the powers of {base}: 1d{{{', '.join(str(base**face) for face in die.faces)}}}"
    return "name the roll, and multiply it by itself: 1d6 as x: x * x"


def suggest_remainder(left: Roll, right: Roll, name: str) -> str:
    """Return a way to compute the remainder of a division."""
    match right:
        case Constant(value) if value > 0:
            return _name_once(left, name, f"{name} - {value} * down({name} / {value})")
    return "name the roll, and subtract the multiple of the divisor: 2d6 as x: x - 2 * down(x / 2)"


def _name_once(roll: Roll, name: str, body: str) -> str:
    """Return the help that rolls once and uses the name."""
    written = f"({format_roll(roll)})" if isinstance(roll, Named | Either) else format_roll(roll)
    return f"roll once, and use the result by name: {written} as {name}: {body}"
