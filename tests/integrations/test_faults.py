"""Where the rules are at fault, agents of other libraries have the game as it was before, or none."""

from __future__ import annotations

import json
from copy import deepcopy
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from rulewright import GameError, Ruleset, RulesFault
from rulewright.dice.sampling.random_generator import Generator
from rulewright.integrations.numeric_game import GameSetting
from tests.engine.machines import whole
from tests.language.inline import MANIFEST, sound

SAFE, BAD = 0, 1


PLAYED = MANIFEST.replace("1..4}", "2, start: game}")


@cache
def rules(*, hidden: bool) -> Ruleset:
    return sound(source(hidden=hidden), manifest=PLAYED)


def source(*, hidden: bool) -> str:
    """Return a game in which the second option leads through rolls to an amount below zero."""
    steps = [
        {"id": "way", "choose": {"who": "one", "from": ["safe", "bad"]}},
        {"id": "gold", "set": {"one.gold": "one.gold + 1"}},
        {"id": "luck", "roll": "1d6", "when": "way == bad"},
        {"id": "more", "roll": "1d6", "when": "way == bad"},
        {"id": "fee", "pay": {"who": "one", "coin": "luck + more"}, "when": "luck and more"},
        {"id": "last", "choose": {"who": "one", "from": ["a", "b"]}},
    ]
    gold = {"type": "int", "seen_by": "self"} if hidden else "int"
    written = {
        "kinds": {"player": {"fields": {"coin": "count", "gold": gold}}},
        "state": {"one": "player"},
        "procedures": {"game": {"steps": steps}},
    }
    return json.dumps(written)


def standing(match: Any) -> Any:
    return whole(match.state), match.moves, match.witness and deepcopy((match.witness.histories, match.witness.objects))


@pytest.mark.parametrize("hidden", [False, True], ids=["open", "hidden"])
def test_a_match_is_as_it_was(hidden: bool) -> None:
    match, dice = GameSetting.for_ruleset(rules(hidden=hidden)).start(), Generator(3, "dice")
    bad, safe = match.list_legal()[BAD], match.list_legal()[SAFE]
    before = standing(match)
    with pytest.raises(RulesFault):
        match.choose(bad, dice=dice)
    assert (standing(match), dice) == (before, Generator(3, "dice"))
    match.choose(bad)
    match.come_up(2)
    before = standing(match)
    for fails in (lambda: match.come_up(2), lambda: match.roll_on(dice)):
        with pytest.raises(RulesFault):
            fails()
        assert (standing(match), dice) == (before, Generator(3, "dice"))
    other = GameSetting.for_ruleset(rules(hidden=hidden)).start()
    other.choose(safe)
    assert other.player == 0


@pytest.mark.parametrize("hidden", [False, True], ids=["open", "hidden"])
def test_an_environment_is_as_it_was(hidden: bool) -> None:
    pytest.importorskip("pettingzoo")
    from rulewright.integrations import pettingzoo

    env = pettingzoo.env(rules(hidden=hidden))
    env.reset(seed=3)
    env.step(SAFE)
    other = pettingzoo.env(rules(hidden=hidden))
    other.reset(seed=3)
    before = standing(other.unwrapped.match), other.rewards, other.infos["player_1"]["action_mask"].tolist()
    with pytest.raises(RulesFault):
        other.step(BAD)
    assert (standing(other.unwrapped.match), other.rewards, other.infos["player_1"]["action_mask"].tolist()) == before
    other.step(SAFE)
    assert other.last()[0]["observation"].tolist() == env.last()[0]["observation"].tolist()


def test_a_state_of_openspiel_is_as_it_was(tmp_path: Path) -> None:
    pytest.importorskip("pyspiel")
    from rulewright.integrations import openspiel

    (tmp_path / "ruleset.yaml").write_text(PLAYED, encoding="utf-8")
    (tmp_path / "rules.yaml").write_text(source(hidden=False), encoding="utf-8")
    game = openspiel.load_game("test/inline@1.0", rules=tmp_path)
    state = game.new_initial_state()
    state.apply_action(BAD)
    state.apply_action(0)
    before = standing(state.match), state.history()
    with pytest.raises(RulesFault):
        state.apply_action(0)
    assert (standing(state.match), state.history()) == before


def test_games_in_arrays_are_to_be_begun_anew() -> None:
    """Some have gone on and others have not: none of them is played on, until all begin again."""
    np = pytest.importorskip("numpy")
    pytest.importorskip("gymnasium")
    from rulewright.integrations import gymnasium

    envs = gymnasium.make_vec(rules(hidden=False), games=3)
    first, _ = envs.reset(seed=3)
    with pytest.raises(RulesFault):
        envs.step([SAFE, BAD, SAFE])
    with pytest.raises(GameError, match="call `reset` first"):
        envs.step([SAFE, SAFE, SAFE])
    with pytest.raises(GameError, match="`reset` all games first"):
        envs.reset(seed=3, options={"reset_mask": np.array([True, False, True])})
    again, _ = envs.reset(seed=3)
    assert (again["observation"] == first["observation"]).all()
    envs.step([SAFE, SAFE, SAFE])
