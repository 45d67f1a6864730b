"""The error of the dice package: what is wrong with a roll, its position, and a suggestion."""

from __future__ import annotations

import unicodedata

from rulewright.base.errors import RulewrightError

LIMIT_HELP = "the limits keep every answer fast; a program that embeds the dice can set its own"
"""The advice that accompanies every `dice-limit` error."""


class DiceError(RulewrightError):
    """A roll that cannot be read, is ambiguous, or is larger than the limits allow.

    `code` names the kind of fault for good (`dice-syntax`, `dice-limit`, `dice-ambiguous`, `dice-count`,
    `dice-unsupported`, `dice-scripted`, `unknown-die`). `start` and `end` are character offsets into `expression`,
    which is empty when the roll was not written as text. `suggestion` is either an expression that parses, or None.
    `help` is advice in words.
    """

    def __init__(
        self,
        code: str,
        message: str,
        *,
        expression: str = "",
        start: int = 0,
        end: int = 0,
        suggestion: str | None = None,
        help: str | None = None,
    ) -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        self.expression = expression
        self.start = start
        self.end = end
        self.suggestion = suggestion
        self.help = help

    def __reduce__(self) -> tuple[object, ...]:
        """Return what `pickle` needs to keep all keyword arguments, which its default would lose."""
        return _rebuild, (
            self.code,
            self.message,
            self.expression,
            self.start,
            self.end,
            self.suggestion,
            self.help,
        )


def _rebuild(
    code: str, message: str, expression: str, start: int, end: int, suggestion: str | None, help: str | None
) -> DiceError:
    return DiceError(code, message, expression=expression, start=start, end=end, suggestion=suggestion, help=help)


LIMIT_SAID = "{count} {what} are more than the {allowed} allowed"
"""The template of the message for a roll that exceeds a limit."""


def limit_error(count: int, what: str, allowed: int) -> DiceError:
    """Return the error for a roll that needs `count` of something of which `allowed` is the most."""
    return DiceError("dice-limit", LIMIT_SAID.format(count=count, what=what, allowed=allowed), help=LIMIT_HELP)


def format_error(error: DiceError, *, width: int = 100) -> str:
    """Return the diagnostic as text: code and message, the expression with carets under the span, and the help.

    A long expression is cut to `width` characters around the span.
    """
    lines = [f"error[{error.code}]: {error.message}"]
    if error.expression:
        excerpt, start, end = _choose_window(error, width)
        carets = "^" * max(1, _count_columns(excerpt[start:end]))
        lines += [f"  | {excerpt}".rstrip(), "  | " + " " * _count_columns(excerpt[:start]) + carets]
    if error.suggestion is not None:
        lines.append(f"  = help: write `{error.suggestion}`")
    if error.help is not None:
        lines.append(f"  = help: {error.help}")
    return "\n".join(lines)


def _count_columns(text: str) -> int:
    """Return how many columns of a terminal `text` takes: a 🎲 takes two."""
    return sum(2 if unicodedata.east_asian_width(character) in "WF" else 1 for character in text)


def _choose_window(error: DiceError, width: int) -> tuple[str, int, int]:
    """Return the part of the expression to show, and the span within it. Control characters become blanks."""
    text = "".join(character if character.isprintable() else " " for character in error.expression)
    start, end = error.start, max(error.end, error.start)
    if len(text) <= width:
        return text, start, end
    first = max(0, min(start - width // 3, len(text) - width))
    last = min(len(text), first + width)
    head, tail = "…" if first else "", "…" if last < len(text) else ""
    return head + text[first:last] + tail, start - first + len(head), min(end, last) - first + len(head)
