"""Errors in the text of an expression, with the likely mistake of the author."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Set
from typing import Any

from rulewright.base.errors import RulewrightError
from rulewright.source.diagnostics.suggestions import describe_invisible, replace_lookalikes


class ExpressionError(RulewrightError):
    """An expression with a syntax error.

    Attributes: `code` (id of the diagnostic), `message`, the character offsets `start` and `end`, and `suggestion`,
    if there is one.
    """

    def __init__(self, code: str, message: str, start: int, end: int, suggestion: str | None = None) -> None:
        """Create an error between two offsets. An empty range is extended to one character."""
        super().__init__(message)
        self.code = code
        self.message = message
        self.start = start
        self.end = max(end, start + 1)
        self.suggestion = suggestion


_OTHER_SPELLINGS = {
    "&&": "write `and`",
    "||": "write `or`",
    "=>": "write `>=`",
    "=<": "write `<=`",
    "<>": "write `!=`",
    "//": "write `/`",
    "**": "powers are not supported: multiply instead",
    "&": "write `and`",
    "|": "write `or`",
    "!": "write `not`, or `!=` for `is not`",
    "=": "write `==`",
    '"': "write ids without quotes",
    "'": "write ids without quotes",
    "“": "write numbers and ids without quotes",
    "”": "write numbers and ids without quotes",
    "„": "write numbers and ids without quotes",
    "‘": "write numbers and ids without quotes",
    "’": "write numbers and ids without quotes",
    "×": "write `*`",
    "·": "write `*`",
    "÷": "write `/`",
    "−": "write `-`",
    "–": "write `-`",
    "≥": "write `>=`",
    "≤": "write `<=`",
    "≠": "write `!=`",
}

_WORDS_FOR_SIGNS = {
    "mod": "write `%` for the remainder of a division: `7 % 2` is 1",
    "modulo": "write `%` for the remainder of a division: `7 % 2` is 1",
    "div": "write `/` for a division; the ruleset says how fractions are rounded",
    "equals": "write `==` to compare two values",
    "is": "write `==` to compare two values",
    "times": "write `*` for a product",
    "plus": "write `+` for a sum",
    "minus": "write `-` for a difference",
}
"""The hints for operators of other languages."""

_NUMBER_AND_LETTERS = re.compile(r"[0-9]+[A-Za-z]\w*")
_GROUPS = re.compile(r"[0-9]+(?:_[0-9]+)+(?!\w)")
_DICE = re.compile(r"([0-9]+)[dDwW]([0-9]*)")
_UNIT = re.compile(r"\s*([0-9]+)\s+([A-Za-z]\w*)\s*")
_IN_PLACE = re.compile(r"\s*([-+*/])=")
_WHOLE_VALUE = "write the whole new value, such as `player.score + 1`"
_PERCENT = re.compile(r"\s*[0-9]+\s*%\s*")
_WORD = re.compile(r"\w+")
_WIDE = re.compile(r"[^\x00-\x7f\s]\w*")

_VALUES = ("NAME", "INTEGER", "DICE")
_CLOSING = {"RPAR": "`)`", "RSQB": "`]`"}


def explain_unexpected_character(text: str, at: int) -> ExpressionError:
    """Return the error for the character at `at`, which the language does not have, with the likely correction."""
    if text[at] != replace_lookalikes(text[at]):
        return _look_alike(text, at)
    if (unseen := describe_invisible(text[at])) is not None:
        return ExpressionError("expression-syntax", unseen[0], at, at + 1, unseen[1])
    groups = _GROUPS.match(text, at)
    if groups is not None:
        advice = f"write `{groups[0].replace('_', '')}`"
        return ExpressionError("expression-syntax", f"`{groups[0]}` has no meaning here", at, groups.end(), advice)
    glued = _NUMBER_AND_LETTERS.match(text, at)
    if glued is not None:
        dice = _DICE.fullmatch(glued[0])
        advice = "write an operator between a number and a name"
        if dice is not None:
            advice = f"write dice with a lower-case d and the number of sides: `{dice[1]}d{dice[2] or 6}`"
        return ExpressionError("expression-syntax", f"`{glued[0]}` has no meaning here", at, glued.end(), advice)
    word = text[at : at + 2] if text[at : at + 2] in _OTHER_SPELLINGS else text[at : at + 1]
    hint = _OTHER_SPELLINGS.get(word)
    if hint is None and (wide := _WIDE.match(text, at)) is not None and (plain := _plain(wide[0])).isascii():
        word, hint = wide[0], f"write `{plain}`"
    return ExpressionError("expression-syntax", f"`{word}` has no meaning here", at, at + len(word), hint)


def _plain(text: str) -> str:
    """Return the text with the digits of ASCII for those of other scripts, and narrow signs for wide ones."""
    narrow = (
        unicodedata.normalize("NFKC", char) if unicodedata.east_asian_width(char) == "F" else char for char in text
    )
    return "".join(str(unicodedata.decimal(char, char)) for char in narrow)


def _look_alike(text: str, at: int) -> ExpressionError:
    """Return the error for the lookalike of a Latin letter at `at`, with the span of the whole word."""
    result = next(word for word in _WORD.finditer(text) if word.start() <= at < word.end())
    message = (
        f"the `{text[at]}` of `{result[0]}` is not a Latin letter (U+{ord(text[at]):04X}), though it looks like one"
    )
    return ExpressionError(
        "expression-syntax", message, result.start(), result.end(), f"write `{replace_lookalikes(result[0])}`"
    )


def explain_unexpected_token(text: str, error: Any) -> ExpressionError:
    """Return the error for an unexpected token, with the likely correction. `error` is the parser's."""
    token, accepts = error.token, error.accepts or error.expected
    missing = _find_missing(accepts)
    if token.type == "$END":
        end = len(text.rstrip())
        tail = f"; {missing} is missing" if missing else ""
        if _PERCENT.fullmatch(text):
            message = "`%` means the remainder of a division, not a percentage"
            advice = "write a share as a number, such as `90` of 100"
            return ExpressionError("expression-syntax", message, end - 1, end, advice)
        return ExpressionError("expression-syntax", "this expression is incomplete" + tail, end - 1, end)
    start, end = token.start_pos, token.start_pos + len(token)
    if (change := _IN_PLACE.match(text)) is not None:
        message = f"`{change[1]}=` has no meaning here"
        return ExpressionError("expression-syntax", message, change.start(1), change.end(), _WHOLE_VALUE)
    pair = text[start - 1 : end]
    if start and pair in _OTHER_SPELLINGS:
        return ExpressionError(
            "expression-syntax", f"`{pair}` has no meaning here", start - 1, end, _OTHER_SPELLINGS[pair]
        )
    if token.type == "INTEGER" and text[:start].endswith("."):
        return ExpressionError("expression-syntax", "only whole numbers are supported, not fractions", start - 1, end)
    hint = None
    message = f"`{token}` does not fit here"
    if token.type == "FOR" and not _is_in_call(text[:start]):
        message = "only a call such as `list(…)` goes through the elements of a list"
        hint = "write `list(… for … in …)`; `sum`, `count`, `any`, `all`, `first` and others take the same"
    elif token.type == "FOR" and re.search(r"\bif\b", text[:start]):
        message = "every `for` comes before `if`, and reads the names of those before it"
        hint = "write `list(… for a in … for b in … if …)`; the condition may use all names"
    elif missing and (token.type not in _VALUES or missing.startswith("`")):
        message = f"{missing} is missing before `{token}`"
    elif token.type in _CLOSING:
        message = f"this `{token}` has no opening bracket"
    elif token.type == "COMPARE":
        hint = "join comparisons with `and`: `1 <= x and x <= 6`"
    elif token.type in _VALUES:
        unit = _UNIT.fullmatch(text)
        hint = _WORDS_FOR_SIGNS.get(str(token).casefold(), "an operator or a comma is missing before it")
        if unit is not None:
            hint = f"write the number without its unit: `{unit[1]}`; otherwise an operator is missing before it"
    return ExpressionError("expression-syntax", message, start, end, hint)


def _is_in_call(text: str) -> bool:
    """Return whether the last bracket in `text` that is still open is that of a call."""
    depth = 0
    for at in reversed(range(len(text))):
        depth += (text[at] in ")]") - (text[at] in "([")
        if depth < 0:
            return re.search(r"\w\s*\($", text[: at + 1]) is not None
    return False


def _find_missing(accepts: Set[str]) -> str | None:
    """Return what is probably missing at a place, in words, or None if nothing stands out.

    A value is preferred, then a closing bracket. A name or a keyword counts only if nothing else can follow.
    """
    if "INTEGER" in accepts:
        return "a value"
    if accepts == {"NAME"}:
        return "a name"
    for closing, text in _CLOSING.items():
        if closing in accepts:
            return text
    words = [word for word in accepts if word.isalpha()]
    return f"`{words[0].lower()}`" if len(words) == len(accepts) == 1 else None
