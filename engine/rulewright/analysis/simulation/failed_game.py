"""Faults of the rules in simulated games, with the command that plays the failed game again."""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from os import fspath
from pathlib import Path
from typing import TYPE_CHECKING

from rulewright.base.errors import RulewrightError
from rulewright.engine.state.faults import RulesFault
from rulewright.source.diagnostics.collector import DiagnosticError

if TYPE_CHECKING:
    from rulewright.analysis.simulation.shard import Shard


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
def transport_faults(shard: Shard | None = None, numbers: GameNumbers | None = None) -> Iterator[None]:
    """Turn a `RulesFault` in the block into a `RulewrightError` without the step, which can be pickled.

    If the fault has a diagnostic, the error is a `DiagnosticError`. With a `shard`, its help has the command that plays
    the failed game again: the game of the fault, or else the current one of `numbers`.
    """
    try:
        yield
    except RulesFault as fault:
        diagnostic = fault.diagnostic
        if diagnostic is None:
            raise RulewrightError(str(fault)) from None
        number = fault.game if fault.game is not None or numbers is None else numbers.current
        # `play` cannot replace values or answers.
        if shard is not None and number is not None and not shard.values and shard.careless is None:
            command = _build_command_for(shard, number)
            hint = f"{diagnostic.code.fix}\nTo reproduce it:\n{command}"
            diagnostic = replace(diagnostic, suggestion=hint)
        raise DiagnosticError((diagnostic,)) from None


def _build_command_for(shard: Shard, number: int) -> str:
    """Return the shell command that plays a game of a shard again."""
    from rulewright.analysis.simulation.shard import seat_policies

    seats = seat_policies(shard.policies, number)
    return build_play_command(shard.reference, seats, f"{shard.seed}/{number}", dict(shard.options), shard.rules)


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
