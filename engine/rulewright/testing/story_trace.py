"""Examples with a copy of the state after each event, for picture stories."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from rulewright.engine import engine_diagnostics
from rulewright.engine.state.faults import Allowance
from rulewright.engine.state.game_state import State
from rulewright.engine.state.tree_interpreter import Interpreter, Walk
from rulewright.language.checked_steps import Step
from rulewright.language.expressions.typed_ast import Typed
from rulewright.ruleset.ruleset import Ruleset
from rulewright.ruleset.sections.examples import Example
from rulewright.source.diagnostics.collector import Diagnostics
from rulewright.testing.example_verdict import ExampleVerdict
from rulewright.testing.procedure_run import RunResult, run_procedure_of
from rulewright.testing.run_examples import ExampleRun

MOST_EVENTS = 300
"""The maximum number of events of an example for a story. Longer stories would not be read."""


@dataclass(frozen=True, slots=True)
class ExampleTrace:
    """A run of an example, and a copy of the state after each of its events."""

    run: RunResult
    frames: tuple[State, ...]


def trace_example(ruleset: Ruleset, example: Example, ran: ExampleRun) -> ExampleTrace | None:
    """Run an example again and record the state after each event.

    Return None if the example has no procedure, fails or has too many events.
    """
    if ran.finished is None or not ran.holds or ran.finished.event_count > MOST_EVENTS:
        return None
    finished = run_procedure_of(ruleset, example, walker=_Recorder)
    machine = finished.state.machine
    assert isinstance(machine, _Recorder)
    return ExampleTrace(finished, tuple(machine.frames))


def check_stories(ruleset: Ruleset, verdicts: Mapping[str, ExampleVerdict], diagnostics: Diagnostics) -> None:
    """Report every story whose example runs no procedure or has too many events. Ignores failing examples."""
    for story in ruleset.stories.values():
        verdict = verdicts.get(story.example)
        if verdict is None or not verdict.holds:
            continue
        if verdict.events is None:
            message = f"`{story.example}` runs no procedure, so `{story.id}` has nothing to show"
        elif verdict.events > MOST_EVENTS:
            message = f"`{story.example}` is too long for a story: {verdict.events} events, of {MOST_EVENTS} at most"
        else:
            continue
        span = story.node.entries["example"].value.span
        carried = [each.example.id for each in verdicts.values() if each.events is not None]
        hint = f"name an example of a procedure, such as `{carried[0]}`" if carried else None
        diagnostics.add(engine_diagnostics.NOTHING_TO_SEE, message, span, suggestion=hint)


class _Recorder(Interpreter):
    """An interpreter for a single procedure that copies the state at each event."""

    def __init__(self, ruleset: Ruleset, *, until: int | None, allowance: Allowance | None) -> None:
        super().__init__(ruleset, until=until, allowance=allowance)
        self.frames: list[State] = []

    def walk(self, state: State) -> Walk:
        return _RecordingWalk(self, state)

    def look_ahead(self, state: State, procedure: str, arguments: Sequence[Any]) -> State:
        # What only would happen is no part of the story.
        frames, self.frames = self.frames, []
        try:
            return super().look_ahead(state, procedure, arguments)
        finally:
            self.frames = frames


class _RecordingWalk(Walk):
    """A walk that records states."""

    machine: _Recorder

    def record_event(self, step: Step, event_kind: str, *details: Any, viewers: Typed | None = None) -> None:
        super().record_event(step, event_kind, *details, viewers=viewers)
        # The effects of a step precede its event.
        if self.state.events is not None:
            self.machine.frames.append(self.state.clone())
