"""From the parse of a notation to the tree of a roll: what each form of `grammar/dice.lark` means.

Only `rulewright.dice.parse` imports this, on the first parse, because it brings lark along.
"""

from __future__ import annotations

import difflib
from collections.abc import Mapping
from functools import cache
from typing import Any, NoReturn

from lark import Lark

from rulewright.dice.errors import LIMIT_HELP, DiceError
from rulewright.dice.limits import Limits
from rulewright.dice.reader import Word, place, said
from rulewright.dice.tree import (
    Comparison,
    Constant,
    Die,
    Keep,
    Maximum,
    Minimum,
    Negation,
    Pool,
    Product,
    Roll,
    Sum,
    die,
    negate,
    scale,
    sum_of,
)
from rulewright.resources import resource

COMMON_DICE = ("d4", "d6", "d8", "d10", "d12", "d20", "d100")
"""Offered where an unknown die is named and the ruleset has none like it."""

_LIKE_FIGURES = str.maketrans("lIOoSB", "110058")
_FATE_DICE = ("dF", "df")
_NO_NAMED_DICE = "a die with a name belongs to a ruleset, which is named first: `rulewright odds GAME/EDITION ROLL`"


@cache
def build_parser() -> Lark:
    """The parser of the notation, from the grammar's file."""
    grammar = (resource("grammar") / "dice.lark").read_text(encoding="utf-8")
    return Lark(grammar, parser="lalr", lexer="contextual")


def _fail(code: str, message: str, at: Word, *, suggestion: str | None = None, help: str | None = None) -> NoReturn:
    start, end = place(at)
    raise DiceError(code, message, start=start, end=end, suggestion=suggestion, help=help)


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

    __slots__ = ("_dice", "_limits", "_text")

    def __init__(self, text: str, dice: Mapping[str, Die], limits: Limits) -> None:
        self._text = text
        self._dice = dice
        self._limits = limits

    def start(self, roll: Roll) -> Roll:
        return roll

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

    def single(self, die_token: Word) -> Pool:
        return Pool(1, self._die(die_token))

    def pool(self, number: Word, die_token: Word) -> Pool:
        count = self._integer(number, said(number), self._limits.dice, "dice")
        if count == 0:
            _fail("dice-count", "a roll needs at least one die", number)
        name = said(die_token)
        if name in _FATE_DICE and name not in self._dice:
            self._fate(number, die_token, count)
        return Pool(count, self._die(die_token))

    def _die(self, token: Word) -> Die:
        name = said(token)
        if name in self._dice:
            return self._dice[name]
        if name in _FATE_DICE:
            self._fate(token, token, 1)
        if name[1:].isdigit():
            sides = self._integer(token, name[1:], self._limits.faces, "faces")
            if sides == 0:
                _fail("dice-count", "a die needs at least one face", token)
            return die(sides)
        if name == "d%":
            message = "d% is read as 1 to 100, as 0 to 99 or as tens by different games"
            own = [each for each, its in self._dice.items() if max(its.faces) == 100]
            _fail("dice-ambiguous", message, token, suggestion=self._replaced(token, own[0] if own else "d100"))
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

    def _fate(self, first: Word, die_token: Word, count: int) -> NoReturn:
        """Refuse Fate dice, whose faces are -1, 0 and 1, with the dice that give the same."""
        dice = f"{'' if first is die_token else count}d3 -{2 * count}"
        before, after = self._text[: place(first)[0]], self._text[place(die_token)[1] :]
        written = f"{before}({dice}){after}" if before.strip() or after.strip() else dice
        message = f"there is no die {said(die_token)}; a Fate die shows -1, 0 or 1, which a d3 less 2 does too"
        _fail("unknown-die", message, die_token, suggestion=written)

    def _replaced(self, token: Word, text: str) -> str:
        start, end = place(token)
        return self._text[:start] + text + self._text[end:]

    # Keep and drop

    def keep(self, number: Word, die_token: Word, selection: Word) -> Roll:
        return self._keep(self.pool(number, die_token), selection)

    def keep_single(self, die_token: Word, selection: Word) -> Roll:
        return self._keep(self.single(die_token), selection)

    def _keep(self, pool: Pool, selection: Word) -> Roll:
        chosen = said(selection)
        letters = chosen.rstrip("0123456789").rstrip()
        digits = chosen[len(letters) :].lstrip()
        verb = "keep" if letters[0] == "k" else "drop"
        if len(letters) == 1 or not digits:
            if letters == "d" and digits and int(digits[:9]) >= pool.count:
                message = f"{chosen} after a roll drops dice of it, and there are not so many"
                both = self._replaced(selection, f" + {chosen}")
                _fail("dice-ambiguous", message, selection, suggestion=both)
            side = letters if len(letters) == 2 else letters + ("h" if verb == "keep" else "l")
            doubt = f"whether to {verb} the highest or the lowest" if len(letters) == 1 else f"how many dice to {verb}"
            repaired = self._replaced(selection, side + (digits or "1"))
            _fail("dice-ambiguous", f"{chosen} does not say {doubt}", selection, suggestion=repaired)
        number = self._integer(selection, digits, self._limits.dice, "dice")
        kept = number if verb == "keep" else pool.count - number
        if number < 1 or not 1 <= kept <= pool.count:
            most = pool.count if verb == "keep" else pool.count - 1
            allowed = f"1 to {most} can be" if most > 1 else "only 1 can be" if most == 1 else "none can be"
            _fail("dice-count", f"cannot {verb} {number} of {pool.count} dice: {allowed}", selection)
        # Dropping the lowest keeps the highest.
        return Keep(pool, kept, (letters[1] == "h") == (verb == "keep"))

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
            help = "only a roll times a number is a roll: it is rolled once and multiplied"
            _fail("dice-unsupported", "two rolls cannot be multiplied", sign, help=help)
        result = scale(factor, roll)
        size = _magnitude(result)
        if size > self._limits.constant:
            _fail("dice-limit", f"a factor of {size} is more than the {self._limits.constant} allowed", sign)
        return result

    def unsupported(self, left: Roll, sign: Word, right: Roll) -> Roll:
        if sign.lastgroup == "DIVIDE":
            help = "rulesets divide in their expressions, where they say how to round"
            _fail("dice-unsupported", "a roll cannot be divided: the notation has no rounding", sign, help=help)
        _fail("dice-unsupported", "a roll cannot be raised to a power", sign)

    # Functions and comparisons

    def function(self, name: Word, rolls: list[Roll]) -> Roll:
        if len(rolls) < 2:
            _fail("dice-count", f"{said(name)} needs at least two rolls", name)
        return Maximum(tuple(rolls)) if said(name) == "max" else Minimum(tuple(rolls))

    def rolls(self, *parts: Any) -> list[Roll]:
        if len(parts) == 1:
            return [parts[0]]
        parts[0].append(parts[1])
        listed: list[Roll] = parts[0]
        return listed

    def compare(self, left: Roll, operator: Word, right: Roll) -> Roll:
        return Comparison(said(operator), left, right)

    def chain(self, left: Roll, operator: Word, right: Roll) -> Roll:
        help = "compare two rolls; put parentheses round a comparison to use its 1 or 0 as a number"
        _fail("dice-ambiguous", "comparisons do not chain", operator, help=help)
