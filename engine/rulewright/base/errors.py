"""The one exception family: every error a user can cause derives from `RulewrightError`."""

from __future__ import annotations


def replace_surrogates(text: str) -> str:
    r"""Return `text` with lone surrogates written as escapes. JSON input may contain them, but they cannot be encoded.

    >>> replace_surrogates("\ud800!")
    '\\ud800!'
    """
    try:
        text.encode()
    except UnicodeEncodeError:
        return text.encode(errors="backslashreplace").decode()
    return text


class RulewrightError(Exception):
    """An error in the rules, the game or the caller's input, and never a bug of the program.

    Its message is safe to print, log and send, even if it quotes bad input.
    """

    def __init__(self, *arguments: object) -> None:
        super().__init__(*(replace_surrogates(each) if isinstance(each, str) else each for each in arguments))


class MissingExtraError(RulewrightError, ImportError):
    """A library that an extra of the package brings is not installed. The message says which extra."""


class RulesetWarning(UserWarning):
    """The rules that are loaded may not be the intended ones: others shadow them, or a release was changed."""
