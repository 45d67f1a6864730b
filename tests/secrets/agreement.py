"""Whether a guess agrees with all that its player has seen: what every guess in the tests has to pass."""

from __future__ import annotations

from functools import lru_cache

from rulewright import Ruleset
from rulewright.engine.state.game_state import Only, State
from rulewright.language.checked_steps import Step
from rulewright.language.expressions.typed_ast import Constant, If, Items, Local, Objects, Present, Stored, Typed
from tests.secrets.pairs import Mirror, Rules

TOLD = {"draw": "drawn", "roll": "rolled", "choose": "asked"}


@lru_cache(maxsize=16)
def rules_of(ruleset: Ruleset) -> Rules:
    """Return who may see what of a ruleset."""
    return Rules(ruleset)


def agree(state: State, guess: State, player: int) -> None:
    """Raise `AssertionError` where a guess is not what a player may have before them."""
    assert (guess.mode, guess.who, guess.options) == (state.mode, state.who, state.options), "another decision"
    assert guess.live == state.live, "other objects"
    assert [frame[0] for frame in guess.stack] == [frame[0] for frame in state.stack], "other steps"
    mirror = Mirror(rules_of(state.machine.ruleset), state)
    for number, entity in mirror.things.items():
        kind = mirror.layout.names[entity[0]]
        for name in mirror.layout.fields[kind]:
            place = mirror.layout.places[kind, name]
            if guess.objects[number][place] != entity[place]:
                assert not mirror.sees(player, number, name), f"{kind}.{name} is known"
    _names_agree(state, guess, player, mirror)


def _names_agree(state: State, guess: State, player: int, mirror: Mirror) -> None:
    """Check that what was drawn, rolled or chosen before a player's eyes keeps its name and value."""
    latest = {event[0]: event for event in state.events or () if event[1] in TOLD.values()}
    ruleset = state.machine.ruleset
    frames = state.machine.iterate_frames(state)
    for (procedure, frame, _), guessed in zip(frames, guess.stack, strict=True):
        for step in ruleset.procedures[procedure].iterate_steps():
            if step.verb.name not in TOLD or step.slot is None or step.number not in latest:
                continue
            _, told, *details = latest[step.number]
            only = details.pop() if isinstance(details[-1], Only) else None
            seen = only is None or (mirror.all_of(player, only) and _follows(step, details, player))
            if seen and told == TOLD[step.verb.name] and frame[step.slot] == details[-1]:
                assert guessed[step.slot] == frame[step.slot], f"{step.rule} is known"


def _follows(step: Step, details: list[object], player: int) -> bool:
    """Return whether the rules name the viewers of a result, among whom a player was, instead of computing them.

    A frame does not hold its viewers, so a guess keeps only what it can attribute to players that the rules name.
    """
    own = step.verb.name == "choose" and details[0] == player and _is_named(step.action.who)
    return own or _is_named(step.action.viewers)


def _is_named(seers: Typed) -> bool:
    return all(isinstance(part, Constant | Local | Stored | Objects | Items | If | Present) for part in seers.walk())
