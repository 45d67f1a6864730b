"""The errors of games and saves, each with a code that programs can test."""

from __future__ import annotations

from typing import Literal

from rulewright.base.errors import RulewrightError

GameErrorCode = Literal[
    "illegal-choice",
    "impossible-outcome",
    "not-pending",
    "invalid-setting",
    "invalid-argument",
    "missing-file",
    "unreadable-file",
    "not-a-save",
    "damaged",
    "other-format",
    "other-gameplay",
    "missing-rules",
]
"""The codes of errors about games, which the page on errors describes. JavaScript has the same ones."""


class GameError(RulewrightError):
    """A game that cannot be set up, opened or continued as requested.

    Attributes:
        code: What is wrong, for programs. The page on errors lists the codes, which are stable, unlike the message.
    """

    def __init__(self, *parts: object, code: GameErrorCode = "invalid-argument") -> None:
        super().__init__(*parts)
        self.code: GameErrorCode = code
