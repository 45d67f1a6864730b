"""What a player can tell positions apart by: all that is before them, and nothing that they may not see."""

from __future__ import annotations

from rulewright.engine.narration.redaction import as_seen
from rulewright.engine.state.game_state import State
from rulewright.ir.analyses.information_flow import secrets_of
from rulewright.language.lowering import called

Seen = tuple[str, str, str]
"""The step that asks, and what else whoever is asked can see of the objects and of what is under way."""


def seen_by_whoever_is_asked(state: State) -> Seen:
    """Return what a player can see who is asked: the same for positions that look alike."""
    ruleset = state.machine.ruleset
    step = state.machine.step(state)
    procedure = state.root
    frames = []
    for frame in state.stack:
        secret = secrets_of(ruleset).hidden(procedure, frame)
        frames.append([value for slot, value in enumerate(frame) if slot not in secret])
        under_way = ruleset.steps.get(frame[0])
        procedure = called(under_way) if under_way is not None else ""
    return (step.rule if step is not None else "", repr(as_seen(state, state.who).objects), repr(frames))
