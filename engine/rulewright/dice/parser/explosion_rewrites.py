"""Exploding dice with separate dice for each explosion, expressed in this notation.

Here an exploding die is a single die with the sum as its face. In other programs each extra die is a separate die
that is kept, dropped or counted. If only the highest face explodes, names can express that exactly: every die shows
its number of explosions, `1d{0: 5, 1: 1}!` for a d6, and ends with another face, `1d5`. After the maximum number of
explosions, the highest face may appear once more. With a limit of ten or more this is too rare to matter. With a
lower limit, only translations that do not depend on it are offered.
"""

from __future__ import annotations

from collections.abc import Callable

from rulewright.dice.ast import Count, Die, Keep, Pool, Roll, Trim
from rulewright.dice.format_notation import format_roll
from rulewright.dice.parser.exploding_and_rerolled_dice import EXPLOSIONS, build_custom_die
from rulewright.dice.substitute import OPERATORS

_MOST_CASES = 6
"""The maximum number of cases in a readable suggestion."""


def rewrite_single_dice(roll: Roll) -> str | None:
    """Return `roll` with separate dice for each explosion, or None if it has no such dice or no translation.

    `roll` keeps, drops or counts exploding dice.
    """
    match roll:
        case Keep(Pool(count, die), number, highest):
            return rewrite_keep(count, die, number, highest=highest)
        case Count(Pool(count, die), operator, threshold):
            value = getattr(threshold, "value", None)
            return rewrite_counted(count, die, operator, value) if value is not None else None
    return None


def explodes(roll: Roll) -> bool:
    """Return whether `roll` looks at single dice that explode."""
    pool = roll.pool if isinstance(roll, Keep | Trim | Count) else None
    pool = pool.pool if isinstance(pool, Keep | Trim) else pool
    die = pool.die if isinstance(pool, Pool) else None
    return die is not None and die.made_of is not None and die.name.startswith(f"{die.made_of.name}!")


def _parts(count: int, die: Die) -> tuple[str, str, int, int] | None:
    """Return the parts of `count` exploding dice, or None if they do not explode on their highest face alone.

    The parts are the roll for the number of explosions, the die without its highest face, that face, and the limit of
    explosions.
    """
    base = die.made_of
    if base is None or not die.name.startswith(f"{base.name}!"):
        return None
    depth = die.name[len(base.name) + 1 :]
    if depth and not (depth[0] == "x" and depth[1:].isdigit()):
        return None
    ways = base.count_ways()
    top = max(ways)
    exploding = ways.pop(top)
    if not ways:
        return None
    often = f"{count}d{{0: {sum(ways.values())}, 1: {exploding}}}!{depth}"
    return often, build_custom_die(ways).name, top, int(depth[1:]) if depth else EXPLOSIONS


def rewrite_keep(count: int, die: Die, number: int, *, highest: bool) -> str | None:
    """Return the notation for the sum of the `number` highest, or lowest, of all dice of `count` exploding dice.

    None if the dice do not explode on their highest face alone, explode too few times, or need too many cases.
    """
    result = _parts(count, die)
    if result is None or number > _MOST_CASES:
        return None
    often, rest, top, most = result
    if not highest:
        if most < EXPLOSIONS:
            return None
        return f"{count}{rest}kl{number}" if number < count else f"{count}{rest}"
    if number > most + 1:
        return None

    def case(exploded: int) -> str:
        left = number - exploded
        others = f"{count}{rest}kh{left}" if left < count else f"{count}{rest}"
        return others if not exploded else f"{top * exploded} + {others}" if left else str(top * exploded)

    return _by_case(often, number, case)


def rewrite_dropped(count: int, die: Die, number: int, *, highest: bool) -> str | None:
    """Return the sum of all dice rolled for `count` dice that explode, without the `number` highest, or lowest.

    None if the dice do not explode on their highest face alone, explode too few times, are all dropped, or need too
    many cases.
    """
    result = _parts(count, die)
    if result is None or number >= count or number > _MOST_CASES or result[3] < EXPLOSIONS:
        return None
    often, rest, top, _ = result
    if not highest:
        return f"{often} as n: {top} * n + {count}{rest}kh{count - number}"

    def case(exploded: int) -> str:
        if exploded == number:
            return f"{top} * (n - {number}) + {count}{rest}" if number else f"{top} * n + {count}{rest}"
        return f"{count}{rest}kl{count - number + exploded}"

    return _by_case(often, number, case)


def _by_case(often: str, number: int, case: Callable[[int], str]) -> str:
    """Return a roll by cases of the number of explosions: `number` or more, or fewer."""
    text = f"{case(number)} if n >= {number}"
    for exploded in range(number - 1, 0, -1):
        text += f" else {case(exploded)} if n == {exploded}"
    return f"{often} as n: {text} else {case(0)}"


def rewrite_counted(count: int, die: Die, operator: str, value: int) -> str | None:
    """Return how many of all dice rolled for `count` dice that explode compare with `value` as `operator` says.

    None unless the die explodes, its highest face compares so, and some other face does not.
    """
    base = die.made_of
    if base is None or die.name != f"{base.name}!":
        return None
    ways = base.count_ways()
    hits = {face: times for face, times in ways.items() if OPERATORS[operator](face, value)}
    last = hits.pop(max(ways), 0)
    misses = base.ways - sum(hits.values()) - last
    if not last or not misses:
        return None
    # Rounded up, both 2/3 and 3/3 count as one hit, but only the highest face, 3, explodes.
    faces = f"{{0: {misses}, 2: {sum(hits.values())}, 3: {last}}}!"
    return f"{count} times up(1d{faces} / 3)" if hits else f"{count}d{{0: {misses}, 1: {last}}}!"


def describe_single_dice(roll: Roll) -> str:
    """Return a note about how `roll` treats exploding dice, with a roll for the other meaning if there is one."""
    does = "counts once, by its sum" if isinstance(roll, Count) else "is kept or dropped whole, by its sum"
    each = "counts separately" if isinstance(roll, Count) else "is a separate die"
    instead = rewrite_single_dice(roll)
    note = f"in {format_roll(roll)} an exploding die {does}"
    return note if instead is None else f"{note}; if each die of the explosion {each}: {instead}"
