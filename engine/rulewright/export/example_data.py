"""Examples and samples as data: the start, the choices and results, and the events to show."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from rulewright.base.errors import RulewrightError
from rulewright.engine.state.state_json import to_json
from rulewright.language.declarations import PLAYER_KIND
from rulewright.source.diagnostics.excerpt import quote_value
from rulewright.testing.play_samples import SampleRun
from rulewright.testing.procedure_run import RunResult


def build_example_data(finished: RunResult, told: Iterable[int]) -> dict[str, Any]:
    """Return the data of a single procedure run for `openExample`. `told` are the numbers of the events to show.

    Raises `RulewrightError` if `finished` is not a procedure run or `told` is not a list of numbers.
    """
    if not isinstance(finished, RunResult) or finished.procedure is None:
        raise RulewrightError(f"expected a finished procedure run, not {quote_value(finished)}")
    numbers = list(told) if isinstance(told, Iterable) else [told]
    if not all(isinstance(each, int) for each in numbers):
        raise RulewrightError(f"events are given by number, not {quote_value(told)}")
    procedure, state = finished.procedure, finished.start.clone()
    rest = procedure.size - len(finished.arguments)
    state.root, state.frame = procedure.id, [0, *finished.arguments, *([None] * rest)]
    state.stack = [state.frame]
    return {
        "state": to_json(state),
        "players": len(state.live[state.machine.layout.kinds[PLAYER_KIND]]),
        "record": [line.plain() for line in finished.record],
        "told": numbers,
        "events": len(finished.moments),
    }


def sample_data(played: SampleRun) -> dict[str, Any]:
    """Return the data of a sample game for `openExample`. It shows the same events as a story.

    Raises `RulewrightError` if `played` is not a played sample.
    """
    if not isinstance(played, SampleRun):
        raise RulewrightError(f"expected a sample that was played, not {quote_value(played)}")
    sample = played.sample
    return {
        "players": len(played.state.live[played.state.machine.layout.kinds[PLAYER_KIND]]),
        "seed": sample.seed,
        "options": sample.options,
        "record": [line.plain() for line in played.record],
        "events": len(played.moments),
    }
