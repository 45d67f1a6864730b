"""Information sets: the key of everything that a player sees of a position."""

from __future__ import annotations

from rulewright.engine.narration.redaction import redact_value
from rulewright.engine.state.game_state import State
from rulewright.ir.analyses.information_flow import find_secrets

PlayerView = tuple[str, str, str]
"""The deciding step, and the objects and frames that the player sees, as texts."""


def view_of_player(state: State) -> PlayerView:
    """Return the information set of the deciding player. It is equal for positions the player cannot tell apart."""
    ruleset = state.machine.ruleset
    step = state.machine.step(state)
    frames = []
    for procedure, frame, _ in state.machine.iterate_frames(state):
        secret = find_secrets(ruleset).find_hidden_slots(procedure, frame)
        frames.append([value for slot, value in enumerate(frame) if slot not in secret])
    return (step.rule if step is not None else "", repr(redact_value(state, state.who).objects), repr(frames))
