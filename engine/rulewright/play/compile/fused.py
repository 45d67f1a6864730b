"""A checked ruleset → a machine that plays a whole game in one go, with bots that pick any option."""

from __future__ import annotations

from collections.abc import Callable

from rulewright.play.compile.assembly import clock_name, measure_name
from rulewright.play.compile.compiler import Compiled, Ended
from rulewright.play.machine.state import State
from rulewright.ruleset.ruleset import Ruleset


class Fused(Compiled):
    """Runs generated code that never stops: rolls and decisions are made on the spot, and loops are Python's own.

    Before it begins, a state is given its `generator` and its `bots` (`Picks.draws`). A state that was played so is at
    its end, or out of decisions; it is never anywhere else.
    """

    fused = True

    def __init__(self, ruleset: Ruleset, *, recording: bool = False) -> None:
        super().__init__(ruleset, recording=recording, sampling=True)
        self.measures: dict[str, Callable[[State], int]] = {
            name: self._namespace[measure_name(name)] for name in ruleset.measures
        }
        self._clocks = {
            name: self._namespace[clock_name(name)]
            for name, measure in ruleset.measures.items()
            if measure.over is not None
        }

    def start(self, state: State, procedure: str) -> None:
        try:
            given = self._namespace[f"do_{procedure}"](state)
        except (Ended, StopIteration):  # the latter is how a bot says that no decision is left
            return
        self.close(state, given)

    def measure(self, state: State, name: str) -> int:
        """A measure."""
        value: int = self.measures[name](state)
        return value

    def clock(self, state: State, name: str) -> int:
        """What a measure is reported over."""
        value: int = self._clocks[name](state)
        return value
