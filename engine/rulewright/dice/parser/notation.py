"""The entry point for dice notation: text to the tree of a roll."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache

from rulewright.base.lalr_parser import LalrParser, UnreadableError
from rulewright.base.lazy import compute_once
from rulewright.dice.ast import Die, Roll
from rulewright.dice.dice_context import NO_DICE, NO_FUNCTIONS, DiceContext, RollFunction
from rulewright.dice.dice_error import DiceError, limit_error
from rulewright.dice.limits import DEFAULT, DiceLimits
from rulewright.dice.static_bounds import count_dice, is_rolled

_MISWRITTEN = ("dice-syntax", "unknown-die", "dice-ambiguous")


def parse(
    text: str,
    *,
    dice: Mapping[str, Die] = NO_DICE,
    functions: Mapping[str, RollFunction] = NO_FUNCTIONS,
    rounding: str = "down",
    names: tuple[str, ...] = (),
    limits: DiceLimits = DEFAULT,
) -> Roll:
    """Return the roll in `text`. See `DiceContext` for `dice`, `functions`, `rounding` and `names`.

    Results are cached by the exact text, including spaces, together with all other arguments. Raises DiceError for text
    that is not a roll, is ambiguous, names an unknown die, or exceeds `limits`.

    >>> parse("2d6 +6")
    Sum(terms=(Pool(count=2, die=Die(faces=range(1, 7), name='d6', weights=None)), Constant(value=6)))
    """
    return _parse(text, tuple(dice.items()), tuple(functions.items()), rounding, names, limits)


def is_roll(
    text: str,
    *,
    dice: Mapping[str, Die] = NO_DICE,
    functions: Mapping[str, RollFunction] = NO_FUNCTIONS,
    rounding: str = "down",
    names: tuple[str, ...] = (),
) -> bool:
    """Return whether `parse` would return a roll, except for the limit of its dice. It explains nothing."""
    try:
        _build(text, DiceContext(dict(dice), dict(functions), rounding, names), DEFAULT)
    except (DiceError, UnreadableError):
        return False
    return True


@lru_cache(maxsize=4096)
def _parse(
    text: str,
    dice: tuple[tuple[str, Die], ...],
    functions: tuple[tuple[str, RollFunction], ...],
    rounding: str,
    names: tuple[str, ...],
    limits: DiceLimits,
) -> Roll:
    """Return the roll in `text`. Cached.

    Raises `DiceError` with the text, and with a suggestion only if that can be read itself.
    """
    named = DiceContext(dict(dice), dict(functions), rounding, names)
    try:
        return _read(text, named, limits)
    except DiceError as error:
        error.expression = text
        if error.suggestion is not None and not _parses(error.suggestion, named, limits):
            error.suggestion = None
        if error.suggestion is None and error.code in _MISWRITTEN:
            from rulewright.dice.parser.syntax_errors import advise

            advise(error, text, lambda written: _parses(written, named, limits))
        raise


def _read(text: str, words: DiceContext, limits: DiceLimits) -> Roll:
    """Parse `text` without a cache. Raises `DiceError`, also for too many dice, without looking for a suggestion."""
    _check_text(text, limits)
    try:
        roll = _build(text, words, limits)
    except (DiceError, UnreadableError):
        from rulewright.dice.parser.syntax_errors import refuse_syntax

        refuse_syntax(text)
        raise
    count = count_dice(roll)
    most = limits.dice
    if count > most and is_rolled(roll):
        most = limits.rolled_dice
    if count > most:
        error = limit_error(count, "dice", most)
        error.end = len(text)
        raise error
    return roll


def _build(text: str, words: DiceContext, limits: DiceLimits) -> Roll:
    """Return the roll in `text`. Raises `UnreadableError`, or `DiceError` without regard to syntax errors after it."""
    from rulewright.dice.parser.semantics import Notation

    roll: Roll = _reader().read(text, Notation(text, words, limits))
    return roll


@compute_once
def _reader() -> LalrParser:
    from rulewright.base.lalr_tables import DICE
    from rulewright.dice.parser.semantics import Notation

    return LalrParser(DICE.load_tables(), Notation)


def _check_text(text: str, limits: DiceLimits) -> None:
    """Raise DiceError for text that is too long or too deep, before the parser sees it."""
    if len(text) > limits.length:
        error = limit_error(len(text), "characters", limits.length)
        error.start, error.end = limits.length, len(text)
        raise error
    if text.count("(") <= limits.nesting:
        return
    depth = 0
    for position, character in enumerate(text):
        if character == "(":
            depth += 1
            if depth > limits.nesting:
                error = limit_error(text.count("("), "open parentheses", limits.nesting)
                error.start, error.end = position, position + 1
                raise error
        elif character == ")":
            depth -= 1


def _parses(text: str, words: DiceContext, limits: DiceLimits) -> bool:
    """Return whether `text` is a roll within `limits`."""
    try:
        _read(text, words, limits)
    except DiceError:
        return False
    return True
