"""The grammar rules for dice: custom faces, explosions, rerolls, and numbers."""

from __future__ import annotations

import operator
import re
from collections.abc import Callable
from typing import Any, NoReturn

from rulewright.base.lalr_parser import SemanticActions, Word, place, strip_word
from rulewright.dice.ast import Die
from rulewright.dice.dice_error import LIMIT_HELP, DiceError
from rulewright.dice.limits import DiceLimits
from rulewright.dice.parser.exploding_and_rerolled_dice import (
    EXPLOSIONS,
    build_custom_die,
    build_exploding_die,
    build_rerolled_die,
    format_faces,
)

_KEPT = re.compile(r"\s*[kd][hl]?\s*[0-9]")
_HOLDS: dict[str, Callable[[int, int], bool]] = {
    ">": operator.gt,
    ">=": operator.ge,
    "<": operator.lt,
    "<=": operator.le,
    "==": operator.eq,
    "!=": operator.ne,
}


def build_refusal(
    code: str, message: str, at: Word, *, suggestion: str | None = None, help: str | None = None
) -> DiceError:
    """Return the error for a word."""
    start, end = place(at)
    return DiceError(code, message, start=start, end=end, suggestion=suggestion, help=help)


def fail(code: str, message: str, at: Word, *, suggestion: str | None = None, help: str | None = None) -> NoReturn:
    """Raise DiceError for a word."""
    raise build_refusal(code, message, at, suggestion=suggestion, help=help)


_Test = tuple[str, int, Word]


class DieForms(SemanticActions):
    """The semantic actions of the grammar rules for dice."""

    __slots__ = ("_limits", "_text")

    def __init__(self, text: str, limits: DiceLimits) -> None:
        self._text = text
        self._limits = limits

    def _integer(self, token: Word, digits: str, limit: int, what: str) -> int:
        """Return the value of `digits`. Refuses, with `DiceError`, a number above `limit`.

        The length is checked first, because Python cannot read a very long number. `what` is the unit in the message.
        """
        if len(digits.lstrip("0")) > len(str(limit)) or int(digits) > limit:
            number = digits if len(digits) <= 30 else f"{digits[:12]}… ({len(digits)} digits)"
            verb = f"{what} are" if what else "is"
            fail("dice-limit", f"{number} {verb} more than the {limit} allowed", token, help=LIMIT_HELP)
        return int(digits)

    def _replace_text(self, token: Word, text: str) -> str:
        start, end = place(token)
        return self._text[:start] + text + self._text[end:]

    # Dice derived from other dice

    def integer(self, first: Word, digits: Word | None = None) -> tuple[int, Word]:
        """Return a whole number and the word that contains it."""
        if digits is None:
            return self._integer(first, strip_word(first), self._limits.constant, ""), first
        return -self._integer(digits, strip_word(digits), self._limits.constant, ""), digits

    def face(self, first: tuple[int, Word], last: tuple[int, Word] | None = None) -> dict[int, int]:
        """Return a face, or all from `first` to `last`, with a weight of 1 each.

        Raises `DiceError` if they run backwards or exceed the limit.
        """
        least, greatest = first[0], (last or first)[0]
        if greatest < least:
            fail("dice-count", f"{least}..{greatest} runs backwards", first[1])
        if greatest - least >= self._limits.faces:
            message = f"{greatest - least + 1} faces are more than the {self._limits.faces} allowed"
            fail("dice-limit", message, first[1], help=LIMIT_HELP)
        return dict.fromkeys(range(least, greatest + 1), 1)

    def weighted(self, face: tuple[int, Word], weight: Word) -> dict[int, int]:
        times = self._integer(weight, strip_word(weight), self._limits.constant, "")
        if times == 0:
            fail("dice-count", "a face of weight 0 never comes up", weight)
        return {face[0]: times}

    def faces(self, *parts: dict[int, int]) -> dict[int, int]:
        """Add the weights of all parts to the first of them, and return it."""
        result = parts[0]
        for more in parts[1:]:
            for face, weight in more.items():
                result[face] = result.get(face, 0) + weight
        return result

    def custom(self, opening: Word, faces: dict[int, int]) -> Die:
        if len(faces) > self._limits.faces:
            message = f"{len(faces)} faces are more than the {self._limits.faces} allowed"
            fail("dice-limit", message, opening, help=LIMIT_HELP)
        return build_custom_die(faces)

    def test(self, *parts: Any) -> _Test:
        if len(parts) == 1:
            return "==", *parts[0]
        return strip_word(parts[0]), *parts[1]

    def tests(self, *parts: Any) -> list[_Test]:
        """Return a list of tests: the list before, if there is one, extended by the next test.

        Two tests are a range.
        """
        results: list[_Test] = []
        for part in parts:
            if isinstance(part, list):
                results = part
        several = [part for part in parts if isinstance(part, tuple)]
        if len(several) == 2:  # a range of faces
            (least, word), (greatest, _) = several
            results += [("..", least, word), ("..", greatest, word)]
        else:
            results += several
        return results

    def _faces(self, die: Die, tests: list[_Test]) -> frozenset[int]:
        """Return the faces of `die` that pass one of `tests`. Raises `DiceError` if none does."""
        numbers: set[int] = set()
        least: int | None = None
        for symbol, value, _ in tests:
            if symbol != "..":
                holds = _HOLDS[symbol]
                numbers.update(face for face in die.faces if holds(face, value))
            elif least is None:
                least = value
            else:
                numbers.update(face for face in die.faces if least <= face <= value)
                least = None
        if not numbers:
            fail("dice-count", f"{die.name} has no such face, only {format_faces(die.faces)[:60]}", tests[-1][2])
        return frozenset(numbers)

    def _most(self, word: Word | None) -> int | None:
        """Return the number in a word such as `x3`, or None without a word.

        Raises `DiceError` for 0 or above the limit.
        """
        if word is None:
            return None
        most = self._integer(word, strip_word(word)[1:].lstrip(), self._limits.dice, "times")
        if most == 0:
            fail("dice-count", "at most 0 times means never", word)
        return most

    def explode(self, die: Die, sign: Word, *further: Any) -> Die:
        """Return an exploding die, which explodes on its highest face if there are no tests.

        Raises `DiceError` for faces that it does not have, or above the limits.
        """
        tests = next((part for part in further if isinstance(part, list)), None)
        most = self._most(next((part for part in further if not isinstance(part, list)), None))
        on = self._faces(die, tests) if tests is not None else frozenset((max(die.faces),))
        which = "" if on == {max(die.faces)} else f"{{{format_faces(on)}}}"
        name = f"{die.name}!{which}" + ("" if most in (None, EXPLOSIONS) else f"x{most}")
        try:
            return build_exploding_die(die, on, most or EXPLOSIONS, name, self._limits)
        except DiceError as error:
            raise self._at(error, sign) from None

    def explode_bare(self, die: Die, sign: Word) -> NoReturn:
        """Refuse an explosion whose condition is unclear or unknown: raise `DiceError`, with similar rolls."""
        condition = strip_word(sign)[1:].strip()
        if condition == "!":
            message = "!! means one die that grows, which is written ! here"
            fail("dice-unsupported", message, sign, suggestion=self._replace_text(sign, "!"))
        if condition == "p":
            help = f"the closest roll here explodes without the subtraction: {die.name}!"
            fail("dice-unsupported", "!p, which subtracts 1 from each extra die, is not supported", sign, help=help)
        from rulewright.dice.parser.rewrite_hints import suggest_explosion

        inside, otherwise = suggest_explosion(condition)
        written = strip_word(sign)
        message = f"{written} could mean when dice explode, how often they do, or a comparison with their sum"
        if _KEPT.match(self._text, place(sign)[1]):
            # No suggestion here, because other programs keep each die of an explosion separately.
            fail("dice-ambiguous", message, sign)
        fail("dice-ambiguous", message, sign, suggestion=self._replace_text(sign, f"!{{{inside}}}"), help=otherwise)

    def reroll(self, die: Die, verb: Word, *further: Any) -> Die:
        """Return a die that is rerolled once (`ro`) or until another face stays (`rr`).

        Raises `DiceError` for a bare `r`, a limit on `ro`, faces that the die does not have, or above the limits.
        """
        first = further[0]
        tests = first if isinstance(first, list) else [first]
        on = self._faces(die, tests)
        most = self._most(further[1] if len(further) > 1 else None)
        written = strip_word(verb)
        which = str(*on) if len(on) == 1 and min(on) >= 0 else f"{{{format_faces(on)}}}"
        if written == "r":
            message = "r does not say whether to reroll once (ro) or until another face stays (rr)"
            theirs = self._replace_text(verb, "rr")
            if isinstance(first, tuple) and first[0] in ("<", ">"):
                # Roll20 rerolls the number itself, too.
                before, behind = self._text[: place(verb)[0]], self._text[place(first[2])[0] :]
                theirs = f"{before}rr{first[0]}={behind}"
            help = f"to reroll until another face stays, as Roll20 does: {theirs}"
            fail("dice-ambiguous", message, verb, suggestion=self._replace_text(verb, "ro"), help=help)
        if written == "ro":
            if most is not None:
                until = self._replace_text(verb, "rr")
                fail("dice-ambiguous", "ro rerolls only once, so it takes no limit", further[1], suggestion=until)
            most = 1
        name = f"{die.name}ro{which}" if most == 1 else f"{die.name}rr{which}" + (f"x{most}" if most else "")
        try:
            return build_rerolled_die(die, on, most, name, self._limits)
        except DiceError as error:
            raise self._at(error, verb) from None

    def _at(self, error: DiceError, word: Word) -> DiceError:
        start, end = place(word)
        return DiceError(error.code, error.message, start=start, end=end, help=error.help)
