"""The text of a roll, in the notation of the games: `2d6 +6`, `(5 * 1d6) +3`."""

from __future__ import annotations

from rulewright.dice.ast import (
    Absolute,
    Comparison,
    Constant,
    Count,
    Either,
    Group,
    Keep,
    Matching,
    Maximum,
    Minimum,
    Multiplied,
    Named,
    Negation,
    Pool,
    Product,
    Quotient,
    Roll,
    Several,
    Sum,
    Trim,
    Variable,
    list_parts,
)

SYMBOL = "🎲"
"""The optional symbol before a roll."""


def format_roll(roll: Roll, *, symbol: bool = False) -> str:
    """Return `roll` in dice notation, after a 🎲 if `symbol` is true.

    >>> from rulewright.dice.ast import Constant, Pool, Sum, build_die
    >>> format_roll(Sum((Pool(2, build_die(6)), Constant(6))), symbol=True)
    '🎲 2d6 +6'

    Parsing the text gives the same roll, if it was built by the parser or the functions of `rulewright.dice.ast`.
    """
    return f"{SYMBOL} {_text(roll)}" if symbol else _text(roll)


def _text(roll: Roll) -> str:
    """Return a roll in dice notation. Raises `TypeError` for anything else."""
    match roll:
        case Constant(value):
            return str(value)
        case Pool(count, die):
            return f"{count}{die.name}"
        case Keep(pool, number, highest):
            return f"{_text(pool)}{'kh' if highest else 'kl'}{number}"
        case Sum(terms):
            return _term(terms[0]) + "".join(map(_format_signed, terms[1:]))
        case Negation(term):
            return "-" + _operand(term)
        case Product(factor, inner):
            return f"{factor} * {_operand(inner)}"
        case Maximum(rolls):
            return f"max({', '.join(map(_text, rolls))})"
        case Minimum(rolls):
            return f"min({', '.join(map(_text, rolls))})"
        case Comparison(operator, left, right):
            return f"{_side(left)} {operator} {_side(right)}"
        case Absolute(inner):
            return f"abs({_text(inner)})"
        case Multiplied(rolls):
            return " * ".join(map(_operand, rolls))
        case Quotient(left, right, rounding):
            return f"{rounding}({_operand(left)} / {_operand(right)})"
        case Either(condition, then, otherwise):
            return f"{_plain(then)} if {_plain(condition)} else {_text(otherwise)}"
        case Variable(name):
            return name
        case Named(names, source, body):
            sided = _format_sided(names, source, body)
            if sided is not None:
                return sided
            one = _one_name(names, body)
            if one is not None:
                return f"{_plain(source)} as {one}: {_by_one_name(names, one, body)}"
            return f"{_plain(source)} as {', '.join(names)}: {_text(body)}"
        case Several(count, Pool(1, die)):
            return f"({_text(count)}){die.name}"
        case Several(count, inner):
            return f"{_operand(count)} times {_operand(inner)}"
        case Group(members):
            return _group(members)
        case Trim(pool, low, high):
            chosen = f"{_text(pool)}" if isinstance(pool, Pool) or _needs_braces(pool) else f"{{{_text(pool)}}}"
            if low and high:
                return f"{chosen}dl{low}dh{high}"
            return f"{chosen}{'kh' if low else 'kl'}{pool.count - low - high}"
        case Count(pool, operator, threshold):
            return f"count({_text(pool)} {operator} {_text(threshold)})"
        case Matching(what, pool, number):
            return f"{what}({_text(pool)}{f', {number}' if number else ''})"
    raise TypeError(f"{type(roll).__name__} is not a roll")


def _format_sided(names: tuple[str, ...], source: Roll, body: Roll) -> str | None:
    """Return the text of dice whose number of sides is a roll, such as `3d(1d6)kh2`. None if `body` is not one.

    The parser makes a case of each number of sides, and the cases are equal except for that number.
    """
    if names != ("sides",) or not isinstance(source, Pool) or source.count != 1:
        return None
    text: set[str | None] = set()
    faces = sorted(set(source.die.faces))
    for face in faces[:-1]:
        match body:
            case Either(Comparison("==", Variable("sides"), Constant(value)), then, otherwise) if value == face:
                text.add(_with_sides(then, face, source))
                body = otherwise
            case _:
                return None
    text.add(_with_sides(body, faces[-1], source))
    return text.pop() if len(text) == 1 and len(faces) > 1 else None


def _with_sides(roll: Roll, sides: int, source: Roll) -> str | None:
    """Return the text of `roll` with the roll `source` in place of its number of sides.

    None if `roll` is not made of ordinary dice with that number of `sides`.
    """
    pool = roll.pool if isinstance(roll, Count | Matching) else roll
    pool = pool.pool if isinstance(pool, Keep | Trim) else pool
    if not isinstance(pool, Pool) or pool.die.name != f"d{sides}":
        return None
    return _text(roll).replace(f"d{sides}", f"d({_text(source)})", 1)


def _one_name(names: tuple[str, ...], body: Roll) -> str | None:
    """Return the common name of dice with these `names`, if `body` only uses all of them together. None otherwise.

    The parser names the dice of `pool` as `pool_1`, `pool_2` and so on if it uses them one by one.
    """
    one = names[0].removesuffix("_1")
    if len(names) < 2 or names != tuple(f"{one}_{place}" for place in range(1, len(names) + 1)):
        return None
    summed = _find_summed_body(names, one, body)
    inner = body if summed is None else summed
    together = Group(tuple((1, Variable(name)) for name in names))
    used = {*names} if summed is not None else {*names, one}
    return one if _looks(inner, together, used, {*names, one}) else None


def _find_summed_body(names: tuple[str, ...], one: str, body: Roll) -> Roll | None:
    """Return the body that uses the sum of all `names` as `one`, or None."""
    match body:
        case Named(given, Sum(terms), inner) if given == (one,) and terms == tuple(map(Variable, names)):
            return inner
    return None


def _looks(roll: Roll, together: Group, used: set[str], named: set[str]) -> int | None:
    """Return how often `roll` uses the dice `together`.

    None if it uses one of the names `used` elsewhere, or binds one of `named`.
    """
    match roll:
        case Variable(name):
            return None if name in used else 0
        case Named(names) if named & set(names):
            return None
        case Count() | Trim() | Matching() if roll.pool == together:
            rest = _looks(roll.threshold, together, used, named) if isinstance(roll, Count) else 0
            return None if rest is None else 1 + rest
    result = 0
    for part in list_parts(roll):
        looks = _looks(part, together, used, named)
        if looks is None:
            return None
        result += looks
    return result


def _by_one_name(names: tuple[str, ...], one: str, body: Roll) -> str:
    """Return the text of `body` with the single name `one` for all of `names` together."""
    summed = _find_summed_body(names, one, body)
    listed = f"{{{', '.join(names)}}}"
    written = _text(body if summed is None else summed)
    for letter in "kd":
        written = written.replace(f"{listed}{letter}", f"{{{one}}}{letter}")
    return written.replace(listed, one)


def _needs_braces(group: Group) -> bool:
    """Return whether the text of a group has braces. A repeated roll has none."""
    return len(group.members) > 1 or group.members[0][0] == 1


def _group(members: tuple[tuple[int, Roll], ...]) -> str:
    if len(members) > 1 and all(isinstance(roll, Pool) and roll.count == 1 for _, roll in members):
        return f"{{{' + '.join(f'{times}{roll.die.name}' for times, roll in members if isinstance(roll, Pool))}}}"
    several = [_text(roll) if times == 1 else f"{times} times {_operand(roll)}" for times, roll in members]
    return several[0] if members[0][0] > 1 and len(members) == 1 else f"{{{', '.join(several)}}}"


def _format_signed(roll: Roll) -> str:
    """Return a later term of a sum with its sign: ` +6` for a constant, ` + 1d6` for a roll."""
    if isinstance(roll, Constant):
        return f" +{roll.value}" if roll.value >= 0 else f" -{-roll.value}"
    if isinstance(roll, Negation):
        return f" - {_operand(roll.term)}"
    return f" + {_term(roll)}"


def _loose(roll: Roll) -> bool:
    """Return whether the text of `roll` needs parentheses next to an operator."""
    if isinstance(roll, Group):
        return not _needs_braces(roll)
    if isinstance(roll, Several):
        return not (isinstance(roll.roll, Pool) and roll.roll.count == 1)
    return isinstance(roll, Sum | Product | Multiplied | Comparison | Either | Named)


def _term(roll: Roll) -> str:
    """Return a term of a sum. A product has parentheses, so that nobody multiplies the bonus behind it."""
    return f"({_text(roll)})" if _loose(roll) else _text(roll)


def _operand(roll: Roll) -> str:
    """Return the text of an operand of a sign or a factor."""
    negative = isinstance(roll, Negation) or (isinstance(roll, Constant) and roll.value < 0)
    return f"({_text(roll)})" if negative or _loose(roll) else _text(roll)


def _side(roll: Roll) -> str:
    return f"({_text(roll)})" if isinstance(roll, Comparison | Either | Named) else _text(roll)


def _plain(roll: Roll) -> str:
    """Return the text of a roll inside a condition or a named roll."""
    return f"({_text(roll)})" if isinstance(roll, Either | Named) else _text(roll)
