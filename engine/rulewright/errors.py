"""The one exception family: every error a user can cause derives from `RulewrightError`."""

from __future__ import annotations


class RulewrightError(Exception):
    """Something the rules, the game or the caller's input got wrong; never a fault of the program."""


class RulesetWarning(UserWarning):
    """Rules that are played, and may not be those that are meant: shadowed ones, or a release that was changed."""
