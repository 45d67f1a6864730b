"""Examples and samples as data: where each begins, what was chosen and came up, and which events it tells."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from rulewright.language.declarations import PLAYER_KIND
from rulewright.play.examples.run import Finished
from rulewright.play.examples.sample import Played
from rulewright.play.machine.state_json import to_json


def example_data(finished: Finished, told: Iterable[int]) -> dict[str, Any]:
    """One procedure alone, as `openExample` takes it. `told` are the events worth telling, by number."""
    procedure, state = finished.procedure, finished.start.clone()
    assert procedure is not None
    rest = procedure.size - len(finished.arguments)
    state.root, state.frame = procedure.id, [0, *finished.arguments, *([None] * rest)]
    state.stack = [state.frame]
    return {
        "state": to_json(state),
        "players": len(state.live[state.machine.layout.kinds[PLAYER_KIND]]),
        "record": [line.plain() for line in finished.record],
        "told": list(told),
        "events": len(finished.moments),
    }


def sample_data(played: Played) -> dict[str, Any]:
    """A game from its beginning, as `openExample` takes it. It tells what a story does."""
    sample = played.sample
    return {
        "players": len(played.state.live[played.state.machine.layout.kinds[PLAYER_KIND]]),
        "seed": sample.seed,
        "options": sample.options,
        "record": [line.plain() for line in played.record],
        "events": len(played.moments),
    }
