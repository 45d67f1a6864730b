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


def build_example_data(run: RunResult, events: Iterable[int]) -> dict[str, Any]:
    """Return the data of a single procedure run for `openExample`. `events` are the numbers of the events to show.

    Raises `RulewrightError` if `run` is not a procedure run or `events` is not a list of numbers.
    """
    if not isinstance(run, RunResult) or run.procedure is None:
        raise RulewrightError(f"expected a finished run of a procedure, not {quote_value(run)}")
    numbers = list(events) if isinstance(events, Iterable) else [events]
    if not all(isinstance(each, int) for each in numbers):
        raise RulewrightError(f"`events` must be a list of event numbers, not {quote_value(events)}")
    procedure, state = run.procedure, run.start.clone()
    rest = procedure.size - len(run.arguments)
    state.root, state.frame = procedure.id, [0, *run.arguments, *([None] * rest)]
    state.stack = [state.frame]
    return {
        "state": to_json(state),
        "players": len(state.live[state.machine.layout.kinds[PLAYER_KIND]]),
        "record": [line.to_data() for line in run.record],
        "shown": numbers,
        "events": len(run.moments),
    }


def build_sample_data(played: SampleRun) -> dict[str, Any]:
    """Return the data of a sample game for `openExample`. It shows the same events as a story.

    Raises `RulewrightError` if `played` is not a played sample.
    """
    if not isinstance(played, SampleRun):
        raise RulewrightError(f"expected a played sample, not {quote_value(played)}")
    sample = played.sample
    return {
        "players": len(played.state.live[played.state.machine.layout.kinds[PLAYER_KIND]]),
        "seed": sample.seed,
        "options": sample.options,
        "record": [line.to_data() for line in played.record],
        "events": len(played.moments),
    }
