"""Explanations of invalid dice notation, with the roll that the author likely meant."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable
from typing import TYPE_CHECKING

from rulewright.dice.dice_error import DiceError
from rulewright.dice.parser.comparison_logic import CONDITIONS, rewrite_conditions
from rulewright.dice.parser.dialects import UnsayableError, rewrite_dialect

if TYPE_CHECKING:
    from lark.exceptions import UnexpectedInput


# The missing words by the kinds of tokens that may follow, in order of preference.
_MISSING = (
    ("FUNCTION", "a roll or a number"),
    ("FACES", "a die"),
    ("ELSE", "else, followed by a roll,"),
    ("NUMBER", "a number"),
    ("NAME", "a name"),
    ("COLON", "a colon, followed by a roll,"),
    ("AT_MOST", "a number"),
    ("RBRACE", "a closing brace"),
    ("RPAR", "a parenthesis"),
)

_LONGEST_FOREIGN = 500
_LONGEST_WORD = 30
_KEEPING = re.compile(r"\b(?:keep|drop|highest|lowest)\b", re.IGNORECASE)

# Common typing mistakes with their corrections, in order. A correction is offered only if it parses.
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
    (re.compile(r"(?<=[:\s(,])([A-Za-z_]\w*)\s+(?=[kd][hlm]\s*[0-9])"), r"{\1}"),
    (re.compile("[A-Z]+"), lambda match: match[0].lower()),
)


def advise(error: DiceError, text: str, parses: Callable[[str], bool]) -> None:
    """Add a suggestion or a help to the error, if there is a likely one. Changes `error`.

    A suggestion is a roll that `parses`. A help may replace that of the error.
    """
    if len(text) > _LONGEST_FOREIGN:
        error.suggestion = _repair(text, parses)
        return
    plain = unicodedata.normalize("NFKC", text)  # normalizes full-width digits and letters
    if plain != text and parses(plain):
        error.suggestion = plain
        return
    late = _LATE.search(plain)
    if late is not None:
        error.help = _late_explosion(late, parses)
        return
    conditions = rewrite_conditions(plain)
    if conditions is not None and parses(conditions[0]):
        error.suggestion, repeat = conditions
        if repeat is not None:
            error.help = f"if each is a separate roll: {repeat}"
        return
    try:
        error.suggestion = rewrite_dialect(plain, parses) or _repair(plain, parses)
    except UnsayableError as unsayable:
        error.help = str(unsayable)
    if error.suggestion is not None and error.code == "unknown-die":
        error.help = None  # that help took the foreign word for a misspelt name
    if error.suggestion is None and error.help is None and conditions is not None:
        error.help = CONDITIONS
    if error.suggestion is None and error.help is None and _KEEPING.search(plain):
        error.help = "write 4d6kh3 to keep the highest three dice, or 4d6dl1 to drop the lowest one"


_LATE = re.compile(r"(?P<pool>[0-9]*d(?P<sides>[0-9]+))\s*(?P<kept>[kd][hl]\s*[0-9]+)\s*(?:!|x(?=\s*(?:[<>=0-9]|$)))")


def _late_explosion(result: re.Match[str], parses: Callable[[str], bool]) -> str:
    """Return a hint for a `!` after a keep operator, which is ambiguous."""
    pool, sides, saved = result["pool"], result["sides"], result["kept"].replace(" ", "")
    help = f"! follows the die: {pool}!{saved}"
    after = f"{pool}{saved} as x: x + 1d{sides}! if x == {sides} else x"
    return f"{help}; if only the kept die explodes: {after}" if saved[2:] == "1" and parses(after) else help


def refuse_syntax(text: str) -> None:
    """Raise DiceError if `text` does not follow the grammar. Syntax errors take precedence over other errors."""
    from lark.exceptions import UnexpectedInput

    from rulewright.base.lalr_tables import DICE

    try:
        DICE.lark.parse(text)
    except UnexpectedInput as unexpected:
        raise _syntax_error(text, unexpected) from None


def _syntax_error(text: str, unexpected: UnexpectedInput) -> DiceError:
    """Return the parser's error, in words that do not depend on its tables."""
    start = unexpected.pos_in_stream
    accepted = getattr(unexpected, "accepts", None) or getattr(unexpected, "allowed", None) or set()
    missing = next(
        (description for kind, description in _MISSING if kind in accepted), "an operator or the end of the roll"
    )
    token = getattr(unexpected, "token", None)
    if not text.strip():
        return DiceError("dice-syntax", "there is no roll here", end=len(text), help="write a roll such as 2d6 +6")
    if start is None or start >= len(text) or (token is not None and token.type == "$END"):
        start = len(text.rstrip())
        return DiceError("dice-syntax", f"the roll ends too early: {missing} is missing", start=start, end=start + 1)
    # The word may begin before the error: in `drop`, the `d` was parsed as part of a die.
    letters = re.search(r"[A-Za-z_]+\Z", text[max(0, start - _LONGEST_WORD) : start])
    if letters is not None and text[start].isalpha():
        start -= len(letters[0])
    match = re.compile(r"[A-Za-z_]\w*|[0-9]+|.", re.DOTALL).match(text, start)
    word = match[0] if match else text[start]
    token_text = f"`{word[:30]}`" if word.isprintable() else f"the character U+{ord(word[0]):04X}"
    if "PLUS" in accepted and "FUNCTION" not in accepted:
        missing = "an operator or the end of the roll"
    elif "RBRACE" in accepted and "COLON" in accepted:
        missing = "a comma, `..`, a colon and a weight, or the closing brace"
    message = f"{token_text} is not understood: {missing} is expected here"
    return DiceError("dice-syntax", message, start=start, end=start + len(word))


def _repair(text: str, parses: Callable[[str], bool]) -> str | None:
    """Return a similar text that parses, after replacing common typing mistakes, or None."""
    for pattern, replacement in _REPAIRS:
        repaired = pattern.sub(replacement, text)
        if repaired != text:
            text = repaired
            if parses(text):
                return text
    return None
