"""From the notation of a roll to its tree: the door through which all text enters the dice floor."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache, lru_cache
from typing import TYPE_CHECKING

from rulewright.dice.errors import DiceError, limit_error
from rulewright.dice.limits import DEFAULT, Limits
from rulewright.dice.reach import dice_count, is_rolled
from rulewright.dice.tree import Die, Roll
from rulewright.dice.words import NO_DICE, NO_FUNCTIONS, Function, Words

if TYPE_CHECKING:
    from lark.exceptions import UnexpectedInput

    from rulewright.dice.reading.reader import Reader


# What is missing where one of these may come; the first of them that may says it.
_MISSING = (
    ("FUNCTION", "a roll or a number"),
    ("FACES", "a die"),
    ("ELSE", "else, and what is rolled then,"),
    ("NUMBER", "a number"),
    ("NAME", "a name"),
    ("COLON", "a colon, and a roll behind it,"),
    ("AT_MOST", "a number"),
    ("RBRACE", "a closing brace"),
    ("RPAR", "a parenthesis"),
)

_MISWRITTEN = ("dice-syntax", "unknown-die", "dice-ambiguous")
_LONGEST_FOREIGN = 500
_LONGEST_WORD = 30
_KEEPING = re.compile(r"\b(?:keep|drop|highest|lowest)\b", re.IGNORECASE)

# What people type for what the notation means. Tried in this order, and offered only if the outcome parses.
_REPAIRS = (
    (re.compile("[×·✕✖]"), "*"),
    (re.compile("[−–—]"), "-"),
    (re.compile("≥"), ">="),
    (re.compile("≤"), "<="),
    (re.compile("≠"), "!="),
    (re.compile("(?<![<>=!])=(?!=)"), "=="),
    (re.compile("=>"), ">="),
    (re.compile("=<"), "<="),
    (re.compile("<>"), "!="),
    (re.compile(r"(?<=[0-9)])\s*x\s*(?=[0-9(d])"), " * "),
    (re.compile(r"([0-9])\s*[dD]\s+([0-9])"), r"\1d\2"),
    # The letter of dice in German, Polish and Czech, Swedish, and Finnish.
    (re.compile(r"(?<![A-Za-z_0-9.])(?:([0-9]+)\s*)?[wWkKtTnN]\s*([0-9])"), r"\1d\2"),
    (re.compile(r"([0-9)])\s*\("), r"\1 * ("),
    (re.compile(r"(d[0-9]+)\s+(?=[0-9]*d[0-9])"), r"\1 + "),
    (re.compile(r"\(([^(){}]*)\)(?=\s*[kd][hlm]\s*[0-9])"), r"{\1}"),
    (re.compile("[A-Z]+"), lambda found: found[0].lower()),
)


def parse(
    text: str,
    *,
    dice: Mapping[str, Die] = NO_DICE,
    functions: Mapping[str, Function] = NO_FUNCTIONS,
    rounding: str = "down",
    names: tuple[str, ...] = (),
    limits: Limits = DEFAULT,
) -> Roll:
    """The roll that `text` says; `dice`, `functions`, `rounding` and `names` are the ruleset's: see `Words`.

    Results are cached by the exact text, blanks included, together with all of these. Raises DiceError for text that
    is no roll, is ambiguous, names an unknown die, or is larger than `limits` allow.

    >>> parse("2d6 +6")
    Sum(terms=(Pool(count=2, die=Die(faces=range(1, 7), name='d6', weights=None)), Constant(value=6)))
    """
    return _parse(text, tuple(dice.items()), tuple(functions.items()), rounding, names, limits)


@lru_cache(maxsize=4096)
def _parse(
    text: str,
    dice: tuple[tuple[str, Die], ...],
    functions: tuple[tuple[str, Function], ...],
    rounding: str,
    names: tuple[str, ...],
    limits: Limits,
) -> Roll:
    named = Words(dict(dice), dict(functions), rounding, names)
    try:
        return _read(text, named, limits)
    except DiceError as error:
        error.expression = text
        if error.suggestion is not None and not _parses(error.suggestion, named, limits):
            error.suggestion = None
        if error.suggestion is None and error.code in _MISWRITTEN:
            error.suggestion = _respelled(text, named, limits) or _repair(text, named, limits)
            if error.suggestion is None and error.help is None and _KEEPING.search(text):
                error.help = "dice are kept as in 4d6kh3, the highest three, and dropped as in 4d6dl1, the lowest one"
        raise


def _read(text: str, words: Words, limits: Limits) -> Roll:
    """Parse without cache and without suggestions that must themselves be parsed."""
    from rulewright.dice.reading.notation import Notation
    from rulewright.dice.reading.reader import UnreadableError

    _check_text(text, limits)
    try:
        roll: Roll = _reader().read(text, Notation(text, words, limits))
    except (DiceError, UnreadableError):
        _refuse_syntax(text)
        raise
    count = dice_count(roll)
    most = limits.dice
    if count > most and is_rolled(roll):
        most = limits.rolled_dice
    if count > most:
        error = limit_error(count, "dice", most)
        error.end = len(text)
        raise error
    return roll


@cache
def _reader() -> Reader:
    from rulewright.dice.reading.notation import Notation
    from rulewright.dice.reading.reader import Reader
    from rulewright.dice.reading.tables import tables

    return Reader(tables(), Notation)


def _check_text(text: str, limits: Limits) -> None:
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


def _refuse_syntax(text: str) -> None:
    """Raise DiceError where `text` does not follow the grammar: that comes before what is wrong with its dice."""
    from lark.exceptions import UnexpectedInput

    from rulewright.dice.reading.tables import build_parser

    try:
        build_parser().parse(text)
    except UnexpectedInput as unexpected:
        raise _syntax_error(text, unexpected) from None


def _syntax_error(text: str, unexpected: UnexpectedInput) -> DiceError:
    """What the parser stumbled over, in words that do not depend on its tables."""
    start = unexpected.pos_in_stream
    wanted = getattr(unexpected, "accepts", None) or getattr(unexpected, "allowed", None) or set()
    missing = next((said for kind, said in _MISSING if kind in wanted), "an operator or the end of the roll")
    token = getattr(unexpected, "token", None)
    if not text.strip():
        return DiceError("dice-syntax", "there is no roll here", end=len(text), help="a roll reads like 2d6 +6")
    if start is None or start >= len(text) or (token is not None and token.type == "$END"):
        start = len(text.rstrip())
        return DiceError("dice-syntax", f"the roll ends too early: {missing} is missing", start=start, end=start + 1)
    # Letters before it may have been read as something else: of `drop`, the `d`.
    letters = re.search(r"[A-Za-z_]+\Z", text[max(0, start - _LONGEST_WORD) : start])
    if letters is not None and text[start].isalpha():
        start -= len(letters[0])
    found = re.compile(r"[A-Za-z_]\w*|[0-9]+|.", re.DOTALL).match(text, start)
    word = found[0] if found else text[start]
    shown = f"`{word[:30]}`" if word.isprintable() else f"the character U+{ord(word[0]):04X}"
    if "PLUS" in wanted and "FUNCTION" not in wanted:
        missing = "an operator or the end of the roll"
    elif "RBRACE" in wanted and "COLON" in wanted:
        missing = "a comma, `..`, a colon and how often the face is there, or the closing brace"
    message = f"{shown} is not understood: {missing} is expected here"
    return DiceError("dice-syntax", message, start=start, end=start + len(word))


def _parses(text: str, words: Words, limits: Limits) -> bool:
    try:
        _read(text, words, limits)
    except DiceError:
        return False
    return True


def _respelled(text: str, words: Words, limits: Limits) -> str | None:
    """What parses, if `text` is as another dice program spells it."""
    if len(text) > _LONGEST_FOREIGN:
        return None
    from rulewright.dice.reading.foreign import respelled

    return respelled(text, lambda written: _parses(written, words, limits))


def _repair(text: str, words: Words, limits: Limits) -> str | None:
    """A near text that parses, if replacing what is commonly mistyped gives one."""
    for pattern, replacement in _REPAIRS:
        repaired = pattern.sub(replacement, text)
        if repaired != text:
            text = repaired
            if _parses(text, words, limits):
                return text
    return None
