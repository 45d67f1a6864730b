"""From the parse of a notation to the tree of a roll: what each form of `grammar/dice.lark` means.

The door is `rulewright.dice.parse`.
"""

from __future__ import annotations

import difflib
import operator
from collections.abc import Callable
from typing import Any, NoReturn

from rulewright.dice.errors import LIMIT_HELP, DiceError
from rulewright.dice.limits import Limits
from rulewright.dice.reading.lists import COUNT, counting, listed, refused
from rulewright.dice.reading.made import EXPLOSIONS, custom, exploding, rerolled, shown
from rulewright.dice.reading.reader import Word, place, said
from rulewright.dice.text import text
from rulewright.dice.tree import (
    DICE_TOGETHER,
    MATCHES,
    ROUNDINGS,
    Absolute,
    Comparison,
    Constant,
    Count,
    Die,
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
    die,
    negate,
    result_count,
    scale,
    sum_of,
    trimmed,
)
from rulewright.dice.words import Function, Words

COMMON_DICE = ("d4", "d6", "d8", "d10", "d12", "d20", "d100")
"""Offered where an unknown die is named and the ruleset has none like it."""

FUNCTIONS = ("max", "min", "abs", *ROUNDINGS, "count", *MATCHES)
"""The functions of the notation."""

_LIKE_FIGURES = str.maketrans("lIOoSB", "110058")
_FATE = Die((-1, 0, 1), "dF")
_HUNDRED = 100
_HOLDS: dict[str, Callable[[int, int], bool]] = {
    ">": operator.gt,
    ">=": operator.ge,
    "<": operator.lt,
    "<=": operator.le,
    "==": operator.eq,
    "!=": operator.ne,
}
_NO_NAMED_DICE = "a die with a name belongs to a ruleset, which is named first: `GAME/EDITION ROLL`"


def _fail(code: str, message: str, at: Word, *, suggestion: str | None = None, help: str | None = None) -> NoReturn:
    start, end = place(at)
    raise DiceError(code, message, start=start, end=end, suggestion=suggestion, help=help)


_Test = tuple[str, int, Word]


def _members(roll: Roll) -> tuple[tuple[int, Roll], ...]:
    """What a roll in braces puts there: results that are kept apart already stay so."""
    return roll.members if isinstance(roll, Group) else ((1, roll),)


def _given(function: Function) -> str:
    return "1d20" if len(function.names) == 1 else f"{len(function.names)}d6"


def _factors(roll: Roll) -> tuple[Roll, ...]:
    return roll.rolls if isinstance(roll, Multiplied) else (roll,)


def _number(roll: Roll) -> int | None:
    """The value of a roll without dice, as far as a factor may be written; None for a roll with dice."""
    if isinstance(roll, Constant):
        return roll.value
    if isinstance(roll, Sum) and all(isinstance(term, Constant) for term in roll.terms):
        return sum(term.value for term in roll.terms if isinstance(term, Constant))
    return None


def _magnitude(roll: Roll) -> int:
    """The greatest factor that anything in `roll` is multiplied by, factors inside factors included."""
    if isinstance(roll, Constant):
        return abs(roll.value)
    if isinstance(roll, Product):
        return abs(roll.factor) * _magnitude(roll.roll)
    if isinstance(roll, Negation):
        return _magnitude(roll.term)
    inner = roll.terms if isinstance(roll, Sum) else roll.rolls if isinstance(roll, Maximum | Minimum) else ()
    return max(map(_magnitude, inner), default=1)


class Notation:
    """What each rule of the grammar means: a method for each, called bottom up while a text is read.

    Errors carry offsets; the caller adds the text.
    """

    __slots__ = ("_dice", "_functions", "_limits", "_listing", "_names", "_rounded", "_rounding", "_text")

    def __init__(self, text: str, words: Words, limits: Limits) -> None:
        self._text = text
        self._dice = words.dice
        self._functions = words.functions
        self._rounding = words.rounding
        self._limits = limits
        # Names that may be used here, the innermost last; and divisions whose rounding was written.
        self._names: list[tuple[str, ...]] = [words.names] if words.names else []
        self._rounded: list[Quotient] = []
        # The first comparison with a list of numbers, and where it stands: refused once nothing that holds it did so.
        self._listing: tuple[Comparison, Word] | None = None

    def start(self, roll: Roll) -> Roll:
        if self._listing is not None:
            comparison, sign = self._listing
            message, instead = refused(comparison, {name for names in self._names for name in names})
            if instead is None:
                _fail("dice-ambiguous", message, sign, help="compare with one number")
            if roll is comparison:
                _fail("dice-ambiguous", message, sign, suggestion=instead)
            _fail("dice-ambiguous", message, sign, help=f"compare with each number by itself: {instead}")
        return roll

    # What is rolled once, and conditions

    def either(self, then: Roll, sign: Word, condition: Roll, other: Word, otherwise: Roll) -> Roll:
        return Either(condition, then, otherwise)

    def names(self, *parts: Any) -> list[Word]:
        return [parts[0]] if len(parts) == 1 else [*parts[0], parts[1]]

    def bound(self, source: Roll, sign: Word, words: list[Word]) -> tuple[tuple[str, ...], Roll]:
        names = tuple(map(said, words))
        for at, word in enumerate(words):
            if names.index(said(word)) < at:
                _fail("dice-ambiguous", f"{said(word)} is the name of two dice", word)
        self._check_names(names, source, words[-1])
        self._names.append(names)
        return names, source

    def _check_names(self, names: tuple[str, ...], source: Roll, at: Word) -> None:
        """Refuse names of which there are more or fewer than dice."""
        if len(names) == 1:
            return
        there = result_count(source)
        if there is None:
            help = "several names are for dice side by side, the first name for the highest: 3d6 as a, b, c: …"
            _fail("dice-unsupported", "this is one result, which has one name", at, help=help)
        if there != len(names):
            message = f"{len(names)} names for {there} {'die' if there == 1 else 'dice'}"
            _fail("dice-count", message, at, help="each die has a name, the highest the first")

    def named(self, bound: tuple[tuple[str, ...], Roll], body: Roll) -> Roll:
        self._names.pop()
        return Named(*bound, body)

    def variable(self, word: Word) -> Roll:
        name = said(word)
        if any(name in names for names in self._names):
            return Variable(name)
        function = self._functions.get(name)
        if function is not None and not function.names:
            return function.body
        if function is not None:
            _fail("dice-count", f"{name} is of a roll: {name}({_given(function)})", word)
        like = name.translate(_LIKE_FIGURES)
        if like in COMMON_DICE:
            _fail("unknown-die", f"there is no die {name}", word, suggestion=self._replaced(word, like))
        known = [name for names in self._names for name in names] + list(self._functions)
        near = difflib.get_close_matches(name, known, n=1, cutoff=0.4)
        help = "a roll is named before it is used: 1d20 as x: x + 2" if not known else None
        suggestion = self._replaced(word, near[0]) if near else None
        _fail("unknown-die", f"there is no roll called `{name[:30]}`", word, suggestion=suggestion, help=help)

    def call(self, word: Word, rolls: list[Roll]) -> Roll:
        name = said(word)
        function = self._functions.get(name)
        if function is not None:
            if not function.names:
                _fail("dice-count", f"{name} is a roll by itself, and is given nothing", word)
            if len(rolls) != 1:
                _fail("dice-count", f"{name} is of one roll, and here are {len(rolls)}", word)
            self._check_names(function.names, rolls[0], word)
            return Named(function.names, rolls[0], function.body)
        near = difflib.get_close_matches(name.lower(), [*FUNCTIONS, *self._functions], n=1, cutoff=0.5)
        suggestion = self._replaced(word, near[0]) if near else None
        help = None if near else f"there is {', '.join([*FUNCTIONS, *self._functions])}"
        _fail("unknown-die", f"there is no function `{name[:30]}`", word, suggestion=suggestion, help=help)

    # Numbers and dice

    def _integer(self, token: Word, digits: str, limit: int, what: str) -> int:
        """The value of `digits`, checked by length first: Python refuses to read a very long number at all."""
        if len(digits.lstrip("0")) > len(str(limit)) or int(digits) > limit:
            shown = digits if len(digits) <= 30 else f"{digits[:12]}… ({len(digits)} digits)"
            verb = f"{what} are" if what else "is"
            _fail("dice-limit", f"{shown} {verb} more than the {limit} allowed", token, help=LIMIT_HELP)
        return int(digits)

    def constant(self, number: Word) -> Roll:
        return Constant(self._integer(number, said(number), self._limits.constant, ""))

    def single(self, die: Die) -> Pool:
        return Pool(1, die)

    def pool(self, number: Word, die: Die) -> Pool:
        count = self._integer(number, said(number), self._limits.dice, "dice")
        if count == 0:
            _fail("dice-count", "a roll needs at least one die", number)
        return Pool(count, die)

    def rolled(self, count: Roll, die: Die) -> Roll:
        return self._several(count, Pool(1, die))

    def _several(self, count: Roll, roll: Roll) -> Roll:
        number = _number(count)
        if number is None:
            return Several(count, roll)
        return Group(((number, roll),)) if number > 1 else roll if number == 1 else Constant(0)

    def kind(self, token: Word) -> Die:
        name = said(token)
        if name in self._dice:
            return self._dice[name]
        if name[1:].isdigit():
            sides = self._integer(token, name[1:], self._limits.faces, "faces")
            if sides == 0:
                _fail("dice-count", "a die needs at least one face", token)
            return die(sides)
        if name in ("dF", "df"):
            return _FATE
        if name == "d%":
            own = [each for each, its in self._dice.items() if max(its.faces) == _HUNDRED]
            if own:
                message = f"d% is 1 to 100, and there is {own[0]} here, which goes to 100 too"
                _fail("dice-ambiguous", message, token, suggestion=self._replaced(token, own[0]))
            return die(_HUNDRED)
        # Names resemble names; of the common dice only one with a letter typed for a figure is meant.
        near = difflib.get_close_matches(name, self._dice, n=1, cutoff=0.4)
        near = near or [common for common in COMMON_DICE if name.translate(_LIKE_FIGURES) == common]
        known = ", ".join(sorted(self._dice))
        _fail(
            "unknown-die",
            f"there is no die {name}",
            token,
            suggestion=self._replaced(token, near[0]) if near else None,
            help=f"the named dice here: {known}" if known else None if near else _NO_NAMED_DICE,
        )

    def _replaced(self, token: Word, text: str) -> str:
        start, end = place(token)
        return self._text[:start] + text + self._text[end:]

    # Dice made of dice

    def integer(self, first: Word, digits: Word | None = None) -> tuple[int, Word]:
        """A whole number and where it stands."""
        if digits is None:
            return self._integer(first, said(first), self._limits.constant, ""), first
        return -self._integer(digits, said(digits), self._limits.constant, ""), digits

    def face(self, first: tuple[int, Word], last: tuple[int, Word] | None = None) -> dict[int, int]:
        least, greatest = first[0], (last or first)[0]
        if greatest < least:
            _fail("dice-count", f"{least}..{greatest} runs backwards", first[1])
        if greatest - least >= self._limits.faces:
            message = f"{greatest - least + 1} faces are more than the {self._limits.faces} allowed"
            _fail("dice-limit", message, first[1], help=LIMIT_HELP)
        return dict.fromkeys(range(least, greatest + 1), 1)

    def weighted(self, face: tuple[int, Word], weight: Word) -> dict[int, int]:
        times = self._integer(weight, said(weight), self._limits.constant, "")
        if times == 0:
            _fail("dice-count", "a face of weight 0 never comes up", weight)
        return {face[0]: times}

    def faces(self, *parts: dict[int, int]) -> dict[int, int]:
        found = parts[0]
        for more in parts[1:]:
            for face, weight in more.items():
                found[face] = found.get(face, 0) + weight
        return found

    def custom(self, opening: Word, faces: dict[int, int]) -> Die:
        if len(faces) > self._limits.faces:
            message = f"{len(faces)} faces are more than the {self._limits.faces} allowed"
            _fail("dice-limit", message, opening, help=LIMIT_HELP)
        return custom(faces)

    def test(self, *parts: Any) -> _Test:
        if len(parts) == 1:
            return "==", *parts[0]
        return said(parts[0]), *parts[1]

    def tests(self, *parts: Any) -> list[_Test]:
        found: list[_Test] = []
        for part in parts:
            if isinstance(part, list):
                found = part
        several = [part for part in parts if isinstance(part, tuple)]
        if len(several) == 2:  # from one face to another
            (least, word), (greatest, _) = several
            found += [("..", least, word), ("..", greatest, word)]
        else:
            found += several
        return found

    def _faces(self, die: Die, tests: list[_Test]) -> frozenset[int]:
        """The faces of `die` that pass one of `tests`. There must be one."""
        found: set[int] = set()
        least: int | None = None
        for symbol, value, _ in tests:
            if symbol != "..":
                holds = _HOLDS[symbol]
                found.update(face for face in die.faces if holds(face, value))
            elif least is None:
                least = value
            else:
                found.update(face for face in die.faces if least <= face <= value)
                least = None
        if not found:
            _fail("dice-count", f"{die.name} has no such face: it shows {shown(die.faces)[:60]}", tests[-1][2])
        return frozenset(found)

    def _most(self, word: Word | None) -> int | None:
        if word is None:
            return None
        most = self._integer(word, said(word)[1:].lstrip(), self._limits.dice, "times")
        if most == 0:
            _fail("dice-count", "at most 0 times is never", word)
        return most

    def explode(self, die: Die, sign: Word, *further: Any) -> Die:
        tests = next((part for part in further if isinstance(part, list)), None)
        most = self._most(next((part for part in further if not isinstance(part, list)), None))
        on = self._faces(die, tests) if tests is not None else frozenset((max(die.faces),))
        which = "" if on == {max(die.faces)} else f"{{{shown(on)}}}"
        name = f"{die.name}!{which}" + ("" if most in (None, EXPLOSIONS) else f"x{most}")
        try:
            return exploding(die, on, most or EXPLOSIONS, name, self._limits)
        except DiceError as error:
            raise self._at(error, sign) from None

    def explode_bare(self, die: Die, sign: Word) -> NoReturn:
        condition = said(sign)[1:].strip()
        if condition == "!":
            message = "!! is one die that grows, as ! is here"
            _fail("dice-unsupported", message, sign, suggestion=self._replaced(sign, "!"))
        if condition == "p":
            help = f"there are no such dice here; the nearest is another roll, where nothing is taken off: {die.name}!"
            _fail("dice-unsupported", "!p is one that takes 1 off each further die", sign, help=help)
        from rulewright.dice.reading.refusals import bare_explosion

        inside, otherwise = bare_explosion(condition)
        message = f"{said(sign)} does not say whether dice explode then, or so often, or the sum is compared"
        _fail("dice-ambiguous", message, sign, suggestion=self._replaced(sign, f"!{{{inside}}}"), help=otherwise)

    def reroll(self, die: Die, verb: Word, *further: Any) -> Die:
        first = further[0]
        tests = first if isinstance(first, list) else [first]
        on = self._faces(die, tests)
        most = self._most(further[1] if len(further) > 1 else None)
        written = said(verb)
        which = str(*on) if len(on) == 1 and min(on) >= 0 else f"{{{shown(on)}}}"
        if written == "r":
            message = "r does not say whether to reroll once (ro) or until another face stays (rr)"
            help = f"until another stays, as Roll20 does it: {self._replaced(verb, 'rr')}"
            _fail("dice-ambiguous", message, verb, suggestion=self._replaced(verb, "ro"), help=help)
        if written == "ro":
            if most is not None:
                until = self._replaced(verb, "rr")
                _fail("dice-ambiguous", "ro is once, and not so often", further[1], suggestion=until)
            most = 1
        name = f"{die.name}ro{which}" if most == 1 else f"{die.name}rr{which}" + (f"x{most}" if most else "")
        try:
            return rerolled(die, on, most, name, self._limits)
        except DiceError as error:
            raise self._at(error, verb) from None

    def _at(self, error: DiceError, word: Word) -> DiceError:
        start, end = place(word)
        return DiceError(error.code, error.message, start=start, end=end, help=error.help)

    # Dice together, keep and drop

    def group(self, rolls: list[Roll]) -> Roll:
        if len(rolls) > 1:
            return Group(tuple(member for roll in rolls for member in _members(roll)))
        [roll] = rolls
        terms = roll.terms if isinstance(roll, Sum) else ()
        pools = [term for term in terms if isinstance(term, Pool)]
        if not terms or len(pools) < len(terms):
            return roll  # as in parentheses
        return Group(tuple((pool.count, Pool(1, pool.die)) for pool in pools))

    def repeated(self, count: Roll, sign: Word, roll: Roll) -> Roll:
        number = _number(count)
        if number is not None and not 0 <= number <= self._limits.dice:
            _fail("dice-limit", f"{number} times is not between 0 and {self._limits.dice}", sign, help=LIMIT_HELP)
        return self._several(count, roll)

    def keep(self, pool: Roll, selection: Word) -> Roll:
        if isinstance(pool, Several):
            from rulewright.dice.reading.refusals import keeping

            message = "dice whose number is rolled cannot be dropped"
            _fail("dice-unsupported", message, selection, help=keeping(pool, said(selection)))
        if not isinstance(pool, DICE_TOGETHER):
            help = "one roll in braces is all of its dice together, so only dice can be in it: {4d6 + 2d8}kh3"
            _fail("dice-unsupported", "this is one result, and no dice to choose from", selection, help=help)
        chosen, low, high = trimmed(pool)
        number, letters = self._selection(pool, chosen.count - low - high, selection)
        left = chosen.count - low - high
        kept = number if letters[0] == "k" else left - number
        if number < 1 or not 1 <= kept <= left:
            most = left if letters[0] == "k" else left - 1
            verb = "keep" if letters[0] == "k" else "drop"
            allowed = f"1 to {most} can be" if most > 1 else "only 1 can be" if most == 1 else "none can be"
            what = "dice" if isinstance(chosen, Pool) else "results"
            advice = "a roll in braces beside others is one result: {4d6 + 2d8} is dice"
            message = f"cannot {verb} {number} of {left} {what}: {allowed}"
            _fail("dice-count", message, selection, help=None if isinstance(chosen, Pool) else advice)
        if letters == "km":
            if (left - kept) % 2:
                _fail("dice-count", f"{left} dice have no middle {kept}", selection)
            low, high = low + (left - kept) // 2, high + (left - kept) // 2
        # Dropping the lowest keeps the highest.
        highest = (letters[1] == "h") == (letters[0] == "k")
        if letters != "km":
            low, high = (low + left - kept, high) if highest else (low, high + left - kept)
        if isinstance(chosen, Pool) and not (low and high):
            return Keep(chosen, chosen.count - low - high, highest if low == high else not high)
        return Trim(chosen, low, high) if low or high else chosen

    def _selection(self, pool: Roll, count: int, selection: Word) -> tuple[int, str]:
        """How many dice, and which letters; both must be there."""
        chosen = said(selection)
        letters = chosen.rstrip("0123456789").rstrip()
        digits = chosen[len(letters) :].lstrip()
        verb = "keep" if letters[0] == "k" else "drop"
        if letters == "dm":
            _fail("dice-unsupported", "the middle can be kept, not dropped", selection)
        if len(letters) == 1 or not digits:
            if letters == "d" and digits and int(digits[:9]) >= count:
                message = f"{chosen} after a roll drops dice of it, and there are not so many"
                start, end = place(selection)
                both = f"{self._text[:start].rstrip()} + {chosen}{self._text[end:]}"
                _fail("dice-ambiguous", message, selection, suggestion=both)
            if not digits and self._text[place(selection)[1] :].lstrip().startswith(("<", ">", "=")):
                _fail(
                    "dice-ambiguous", f"{chosen} does not say how many dice to {verb}", selection
                )  # by what they show
            side = letters if len(letters) == 2 else letters + ("h" if verb == "keep" else "l")
            doubt = f"whether to {verb} the highest or the lowest" if len(letters) == 1 else f"how many dice to {verb}"
            repaired = self._replaced(selection, side + (digits or "1"))
            _fail("dice-ambiguous", f"{chosen} does not say {doubt}", selection, suggestion=repaired)
        return self._integer(selection, digits, self._limits.dice, "dice"), letters

    # Signs, sums, products

    def symbol(self, symbol: Word, roll: Roll) -> Roll:
        return roll

    def plus(self, sign: Word, roll: Roll) -> Roll:
        return roll

    def minus(self, sign: Word, roll: Roll) -> Roll:
        return negate(roll)

    def added(self, left: Roll | list[Roll], sign: Word, right: Roll) -> list[Roll]:
        terms = left if isinstance(left, list) else [left]
        terms.append(right)
        return terms

    def taken(self, left: Roll | list[Roll], sign: Word, right: Roll) -> list[Roll]:
        return self.added(left, sign, negate(right))

    def total(self, terms: list[Roll]) -> Roll:
        return sum_of(terms)

    def times(self, left: Roll, sign: Word, right: Roll) -> Roll:
        factor, roll = _number(left), right
        if factor is None:
            factor, roll = _number(right), left
        if factor is None:
            return Multiplied(tuple(each for side in (left, right) for each in _factors(side)))
        result = scale(factor, roll)
        size = _magnitude(result)
        if size > self._limits.constant:
            _fail("dice-limit", f"a factor of {size} is more than the {self._limits.constant} allowed", sign)
        return result

    def divided(self, left: Roll, sign: Word, right: Roll) -> Roll:
        if _number(right) == 0:
            _fail("dice-count", "nothing can be divided by 0", sign)
        return Quotient(left, right, self._rounding)

    def unsupported(self, left: Roll, sign: Word, right: Roll) -> Roll:
        if said(sign) == "%":
            _fail("dice-unsupported", "rolls have no remainder", sign)
        _fail("dice-unsupported", "a roll cannot be raised to a power", sign)

    # Functions and comparisons

    def function(self, name: Word, rolls: list[Roll]) -> Roll:
        called = said(name)
        if called in ("max", "min"):
            if len(rolls) < 2:
                several = isinstance(rolls[0], Pool) and rolls[0].count > 1
                which = ("highest", "kh1") if called == "max" else ("lowest", "kl1")
                help = f"the {which[0]} of these dice is {text(rolls[0])}{which[1]}" if several else None
                _fail("dice-count", f"{called} needs at least two rolls", name, help=help)
            return Maximum(tuple(rolls)) if called == "max" else Minimum(tuple(rolls))
        if called == "sets":
            number = _number(rolls[1]) if len(rolls) == 2 else None
            if number is None or not 1 <= number <= self._limits.dice:
                _fail("dice-count", "sets needs dice, and how many make a set: sets(5d6, 2)", name)
            return Matching("sets", self._together(name, rolls[0], number), number)
        if len(rolls) != 1:
            _fail("dice-count", f"{called} is of one roll, and here are {len(rolls)}", name)
        [roll] = rolls
        if called == "abs":
            return Absolute(roll)
        if called == "count":
            return self._count(name, roll)
        if called in ROUNDINGS:
            if not isinstance(roll, Quotient):
                _fail("dice-unsupported", f"{called} rounds one division: {called}(7d6 / 2)", name)
            if any(roll is each for each in self._rounded):
                return roll  # a whole number stays what it is
            result = Quotient(roll.left, roll.right, called)
            self._rounded.append(result)
            return result
        return Matching(called, self._together(name, roll))

    def _together(self, name: Word, roll: Roll, number: int | None = None) -> Pool | Group:
        if isinstance(roll, Pool | Group):
            return roll
        help = f"dice side by side are a pool, or in braces: {said(name)}(5d6), {said(name)}({{4d6 + 2d8}})"
        if isinstance(roll, Several):
            from rulewright.dice.reading.refusals import matching

            help = matching(roll, said(name), number)
        _fail("dice-unsupported", f"{said(name)} looks at dice side by side, and this is one result", name, help=help)

    def _count(self, name: Word, roll: Roll) -> Roll:
        if isinstance(roll, Comparison):
            threshold = roll.right
            numbers = listed(threshold)
            if numbers and roll.operator == "==" and isinstance(roll.left, DICE_TOGETHER):
                message = "each die is compared with one number, and here is a list of them"
                _fail("dice-unsupported", message, name, help=counting(roll.left, numbers))
            if isinstance(threshold, Constant | Variable):
                if isinstance(roll.left, DICE_TOGETHER):
                    if self._listing is not None and self._listing[0] is roll:
                        self._listing = None  # each of a list in braces is looked at: that is what it is for
                    return Count(roll.left, roll.operator, threshold)
                if isinstance(roll.left, Several):
                    return Several(roll.left.count, Comparison(roll.operator, roll.left.roll, threshold))
        _fail("dice-unsupported", "this does not say which dice count", name, help=COUNT)

    def rolls(self, *parts: Any) -> list[Roll]:
        if len(parts) == 1:
            return [parts[0]]
        parts[0].append(parts[1])
        listed: list[Roll] = parts[0]
        return listed

    def compare(self, left: Roll, operator: Word, right: Roll) -> Roll:
        found = Comparison(said(operator), left, right)
        if self._listing is None and (listed(left) or listed(right)):
            self._listing = found, operator
        return found

    def chain(self, left: Roll, operator: Word, right: Roll) -> Roll:
        help = "compare two rolls; put parentheses round a comparison to use its 1 or 0 as a number"
        _fail("dice-ambiguous", "comparisons do not chain", operator, help=help)
