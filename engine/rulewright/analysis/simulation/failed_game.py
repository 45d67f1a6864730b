"""Faults of the rules in simulated games, with the command that plays the failed game again."""

from __future__ import annotations

import shlex
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from os import fspath
from pathlib import Path

from rulewright.base.errors import RulewrightError
from rulewright.engine.state.faults import RulesFault
from rulewright.source.diagnostics.collector import DiagnosticError


class GameNumbers:
    """The numbers of the games of a shard. `current` is the one that the last loop over them has reached."""

    def __init__(self, first: int, last: int) -> None:
        self._range = range(first, last)
        self.current = first

    def __iter__(self) -> Iterator[int]:
        for number in self._range:
            self.current = number
            yield number


@contextmanager
def transport_faults(
    numbers: GameNumbers | None = None, build_command: Callable[[int], str] | None = None
) -> Iterator[None]:
    """Turn a `RulesFault` in the block into a `RulewrightError` without the step, which can be pickled.

    If the fault has a diagnostic, the error is a `DiagnosticError`. With `build_command`, its help has the command that
    plays the failed game again, by its number: that of the fault, or else the current one of `numbers`.
    """
    try:
        yield
    except RulesFault as fault:
        diagnostic = fault.diagnostic
        if diagnostic is None:
            raise RulewrightError(str(fault)) from None
        number = fault.game if fault.game is not None or numbers is None else numbers.current
        if build_command is not None and number is not None:
            hint = f"{diagnostic.code.fix}\nTo reproduce it:\n{build_command(number)}"
            diagnostic = replace(diagnostic, suggestion=hint)
        raise DiagnosticError((diagnostic,)) from None


def build_play_command(
    reference: str,
    seats: Sequence[str],
    seed: str,
    settings: Mapping[str, str],
    rules: Sequence[str | Path] = (),
) -> str:
    """Return the shell command that plays a game, with a bot for each seat."""
    words = ["rulewright", "play", reference, "--players", ",".join(seats), "--seed", seed]
    for name, choice in settings.items():
        words += ["--option", f"{name}={choice}"]
    for folder in rules:
        words += ["--rules", fspath(folder)]
    return shlex.join(words)
