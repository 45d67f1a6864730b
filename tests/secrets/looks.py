"""Every way in which somebody in a seat can look at a game, each as a text."""

from __future__ import annotations

import json
from typing import Any

from rulewright import Game, GameError, Ruleset
from rulewright.ai import bots
from rulewright.dice.sampling.random_generator import Generator
from rulewright.engine.narration.determinize import determinize
from rulewright.engine.python_backend.compiler import compile_ruleset
from rulewright.engine.state.game_state import DECISION
from rulewright.engine.state.state_json import to_json
from rulewright.integrations.action_numbering import Actions
from rulewright.integrations.numeric_game import GameSetting
from rulewright.integrations.observation import ObservationEncoder
from rulewright.integrations.option_features import OptionFeatures

SEED = 5


class LeakError(AssertionError):
    """Somebody can tell two games apart that differ only in what that seat may not see."""


def looks(game: Game, seat: int, *, guesses: bool) -> dict[str, str]:
    """All that a player in a seat, from 1, or whoever looks on, in seat 0, is given of a game, by the way to look."""
    told = game.log_for(seat)
    by_text = {
        "told": repr(told),
        "log": json.dumps([event.to_json() for event in told]),
        "story": json.dumps(game.story(seat=seat)),
        "latest": json.dumps(game.story(seat=seat, since=max(0, len(told) - 5))),
        "snapshot": json.dumps(game.snapshot(seat)),
        "view": json.dumps(game.view(seat)),
        "record": json.dumps(game.record_for(seat)),
        "refused seat": refusal(lambda: game.log_for(game.players + 1)),
    }
    state = game.state
    if seat and state.mode == DECISION and state.who == seat:
        decision = game.decision
        assert decision is not None
        by_text["decision"] = json.dumps(decision.to_json()) + repr(decision)
        by_text["refused option"] = refusal(lambda: game.clone().choose("no such option"))
        by_text["refused number"] = refusal(lambda: game.clone().choose(10**6))
        if guesses:
            by_text |= guessing(game, seat)
    return by_text


def guessing(game: Game, seat: int) -> dict[str, str]:
    """Return what bots make of a decision in a seat."""
    guess = determinize(game.state, seat, Generator(SEED, "guess"))
    chosen = [bots.make(name, game.ruleset, seed=SEED, seat=seat)(game.state) for name in thinkers(game.ruleset)]
    return {"guess": json.dumps(to_json(guess)), "bots": json.dumps(chosen)}


def thinkers(ruleset: Ruleset) -> list[str]:
    """Bots that look ahead."""
    return ["mcts:3", *(["greedy"] if ruleset.evaluate is not None else [])]


def setting_of(ruleset: Ruleset) -> GameSetting:
    """Return how agents observe games, made without a game: with its own dice, that may end in a fault."""
    players = ruleset.players[0]
    actions = Actions.for_ruleset(ruleset, players=players, most_options=512)
    eyes = ObservationEncoder(ruleset, players=players, most_objects=8)
    machine, features = compile_ruleset(ruleset, recording=True), OptionFeatures(eyes, actions)
    return GameSetting(ruleset, players, {}, 10_000, (), machine, actions, eyes, features)


def observed(setting: GameSetting, game: Game, seat: int) -> dict[str, str]:
    """Return what an agent in a seat observes of a game that is played again as those of other libraries are."""
    match = setting.start()
    for what, data, *_ in (line.to_data() for line in game.record):
        if what == "choose":
            ids = [
                option.split(": ", 1)[1] for option in map(match.label, match.setting.actions.list_legal(match.state))
            ]
            numbers = list(match.setting.actions.list_legal(match.state))
            match.choose(numbers[ids.index(data)])
        else:
            match.come_up(data)
    by_text = {"recall": match.describe_view(seat - 1 if seat else None)}
    if seat:
        by_text["tensor"] = repr(setting.eyes.encode(match.state, seat - 1))
        by_text["mask"] = repr(match.list_legal() if match.player == seat - 1 else [])
        assert setting.features is not None
        by_text["options"] = repr(setting.features.encode(match.state) if match.player == seat - 1 else [])
    return by_text


def refusal(action: Any) -> str:
    """Return what an action is refused with."""
    try:
        action()
    except GameError as error:
        return str(error)
    raise AssertionError("this is not refused")


def compare(one: dict[str, str], other: dict[str, str], where: str) -> None:
    """Raise `LeakError` for the first way to look by which two games can be told apart."""
    for way in one:
        if one[way] != other[way]:
            place = next((at for at, (a, b) in enumerate(zip(one[way], other[way], strict=False)) if a != b), -1)
            near = slice(max(0, place - 60), place + 60)
            raise LeakError(f"{where}: {way}: …{one[way][near]}… is not …{other[way][near]}…")
