"""Many games in one memory: step by step what our environment of PettingZoo tells of each of them."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest
import yaml

from rulewright import GameError, Ruleset
from rulewright.ai import bots
from rulewright.engine.state.game_state import State
from rulewright.engine.wasm_backend.game_batch import lay_out_means
from rulewright.language.declarations import FIRST_PLAYER
from tests.breadth import some, times
from tests.engine.random_rules import GARDEN
from tests.engine.test_hidden import rules as hiding
from tests.integrations.games import GAMES
from tests.integrations.positions import position
from tests.language.inline import MANIFEST, sound

pytest.importorskip("pettingzoo")
import numpy as np

from rulewright.integrations import pettingzoo, vector_games
from tests.integrations.side_by_side import compare, play

_DAYS = {"options": {"max_days": "hundred"}}
_PLAYED: dict[str, dict[str, Any]] = {**GAMES, "classics/connect-four@1.0": {}, "fuzzy-knights/normal@1.0": _DAYS}


@pytest.mark.parametrize("reference", _PLAYED)
def test_every_row_is_what_the_environment_says(reference: str) -> None:
    play(reference, games=4, steps=80, seed=3, **_PLAYED[reference])


def test_a_game_is_followed_to_its_end_and_into_the_next() -> None:
    assert play("classics/tic-tac-toe@1.0", games=5, steps=60, seed=9) > 20
    assert play("classics/kuhn-poker@1.0", games=5, steps=60, seed=-40) > 50


@pytest.mark.parametrize("players", some([2, 3, 4], [3]))
def test_as_many_play_as_may(players: int) -> None:
    play("fuzzy-knights/normal@1.0", games=2, steps=40, seed=1, players=players, horizon=30, **_DAYS)


def test_games_that_are_broken_off_are_truncated() -> None:
    assert play("pig/classic@1.0", games=4, steps=60, seed=5, horizon=11) > 10


def test_what_is_hidden_is_nothing_in_the_row_of_whoever_may_not_see_it() -> None:
    assert play(hiding(), games=4, steps=60, seed=2) > 10


# Fields of every type, and seers that lead through objects.
_MORE = """
kinds:
  player: {fields: {friends: list of player, plan: optional note, worth: {type: dice, default: 2d4}, odd: list of tree}}
  nest: {fields: {tree: {type: tree, seen_by: nobody}, eggs: {type: int, seen_by: self.tree.owner or player}}}
records: {note: {parts: {size: optional sizes, first: optional tree, of: optional player}}}
state: {who: list of player, rolled: list of dice, notes: list of note}
"""


@pytest.mark.parametrize("most_objects", [2, 16])
def test_any_position_is_told_as_the_environment_tells_it(most_objects: int) -> None:
    """Positions at random, put where the games lie, and looked at by everybody."""
    rules = garden()
    rows = vector_games.make(rules, games=1, players=3, most_objects=most_objects)
    rows.reset(1)
    random = Random(7)
    seen = 0
    for _ in range(times(60, 600)):
        state = position(rows.setting.machine, 3, random)
        lay(rows, state)
        for seat in range(3):
            expected = np.array(rows.setting.eyes.encode(state, seat), np.float32)
            np.testing.assert_array_equal(rows.look(seat)[0], expected)
            seen += np.count_nonzero(expected)
    assert seen > 1000


def garden() -> Ruleset:
    """Return a garden with more in it."""
    more = yaml.safe_load(_MORE)
    rules = {
        **GARDEN,
        "procedures": {"game": {"steps": [{"id": "one", "choose": {"who": "player", "from": ["a", "b"]}}]}},
    }
    kinds = {name: dict(kind) for name, kind in GARDEN["kinds"].items()}
    kinds["player"]["fields"] = {**kinds["player"]["fields"], **more["kinds"]["player"]["fields"]}
    kinds["nest"] = more["kinds"]["nest"]
    rules["kinds"] = kinds
    rules["records"] = {**GARDEN["records"], **more["records"]}
    rules["state"] = {**GARDEN["state"], "player": "player", **more["state"]}
    return sound(yaml.safe_dump(rules), manifest=MANIFEST.replace("1..4}", "3, start: game}"))


def lay(rows: vector_games.Batch, state: State) -> None:
    """Put a state where the first game lies."""
    games = rows._games
    games.machine.write(state)
    lay_out_means(games.machine)
    size = games.host.call("size_of_game")
    at = games.space(size)
    games.host.call("save_game", at, size)
    games.host.write(games.at["copies"], [at | size << 32, size])


def test_one_seat_is_asked_and_bots_have_the_others() -> None:
    for seat in (0, 1):
        rows = vector_games.make("pig/classic@1.0", games=6, players=2, bots=[1 - seat], viewer=seat)
        envs = [pettingzoo.env("pig/classic@1.0", players=2) for _ in range(6)]
        rows.reset(20)
        others = {}

        def begin(game: int, seed: int, seat: int = seat, envs: Any = envs, others: Any = others) -> None:
            envs[game].reset(seed=seed)
            others[game] = bots.make("random", envs[game].setting.ruleset, seed=seed, seat=FIRST_PLAYER + 1 - seat)
            answer(game)

        def answer(game: int, seat: int = seat, envs: Any = envs, others: Any = others) -> None:
            match = envs[game].match
            while match.player == 1 - seat:
                place = others[game](match.state)
                envs[game].step(next(number for number, at in legal(envs[game]).items() if at == place))

        for game in range(6):
            begin(game, 20 + game)
        for _ in range(120):
            for game, env in enumerate(envs):
                assert rows.players[game] == (seat if env.match.player is not None else -1)
                seen = env.observe(f"player_{seat}")
                np.testing.assert_array_equal(rows.observations[game], seen["observation"])
                np.testing.assert_array_equal(rows.masks[game], seen["action_mask"])
                assert rows.rewards[game].tolist() == env.match.compute_returns()
            actions = rows.any_actions()
            for game, env in enumerate(envs):
                if rows.players[game] < 0:
                    begin(game, int(rows.seeds[game]) + 6)
                else:
                    env.step(actions[game])
                    answer(game)
            rows.step(actions)


def legal(env: pettingzoo.RulewrightEnv) -> dict[int, int]:
    return env.setting.actions.list_legal(env.match.state)


def test_the_next_game_may_begin_at_once() -> None:
    late = vector_games.make("classics/tic-tac-toe@1.0", games=3)
    soon = vector_games.make("classics/tic-tac-toe@1.0", games=3, renewal="same_step")
    late.reset(4)
    soon.reset(4)
    ended = 0
    for _ in range(60):
        np.testing.assert_array_equal(late.observations, soon.observations)
        np.testing.assert_array_equal(late.masks, soon.masks)
        actions = late.any_actions()
        late.step(actions)
        soon.step(actions)
        np.testing.assert_array_equal(late.rewards, soon.rewards)
        np.testing.assert_array_equal(late.terminations, soon.terminations)
        over = late.players < 0
        if over.any():
            ended += 1
            np.testing.assert_array_equal(late.observations[over], soon.last_observations[over])
            late.reset(which=over)
    assert ended > 5


def test_a_game_that_is_over_waits_to_be_begun_where_it_is_asked_to() -> None:
    rows = vector_games.make("classics/tic-tac-toe@1.0", games=2, renewal="never")
    rows.reset([7, 7])
    for place in (0, 3, 1, 4, 2):
        rows.step([place, place])
    assert rows.terminations.tolist() == [True, True]
    assert rows.rewards.tolist() == [[1.0, -1.0]] * 2
    rows.step([0, 0])
    assert rows.players.tolist() == [-1, -1]
    assert rows.rewards.tolist() == [[0.0, 0.0]] * 2
    rows.reset(which=np.array([False, True]))
    assert rows.players.tolist() == [-1, 0]
    assert rows.seeds.tolist() == [7, 9]
    rows.step([0, 4])
    assert rows.masks[1].tolist() == [1, 1, 1, 1, 0, 1, 1, 1, 1]


def test_the_same_seed_is_the_same_game_wherever_it_stands() -> None:
    one = vector_games.make("pig/classic@1.0", games=1, players=2)
    many = vector_games.make("pig/classic@1.0", games=9, players=2)
    one.reset(12)
    many.reset([5, 5, 5, 12, 5, 5, 5, 12, 4])
    for _ in range(60):
        for row in (3, 7):
            np.testing.assert_array_equal(one.observations[0], many.observations[row])
        if one.players[0] < 0:
            break
        one.step([0])
        many.step([0] * 9)
    with pytest.raises(GameError, match="there are 9 games but 2 seeds"):
        many.reset([1, 2])


def test_an_action_that_is_not_offered_is_refused_and_nothing_is_done() -> None:
    rows = vector_games.make("classics/tic-tac-toe@1.0", games=3)
    rows.reset(1)
    rows.step([4, 4, 4])
    before = rows.observations.copy()
    with pytest.raises(GameError, match="game 1 cannot take action 4; legal actions are 0, 1, 2, 3, 5"):
        rows.step([0, 4, 0])
    np.testing.assert_array_equal(before, rows.observations)
    for wrong in ([0, 0], [0.0, 1.0, 2.0], [0, -1, 0], [0, 9, 0], [True, True, True], "abc", [[0, 0, 0]]):
        with pytest.raises(GameError):
            rows.step(wrong)
    rows.step(np.array([0, 1, 2]))
    assert rows.players.tolist() == [0, 0, 0]


@pytest.mark.parametrize("seed", ["x", 2.5, True, [1, 2, "3"], 1 << 70])
def test_a_seed_is_a_whole_number(seed: Any) -> None:
    rows = vector_games.make("classics/tic-tac-toe@1.0", games=3)
    with pytest.raises(GameError, match="a seed must be a whole number"):
        rows.reset(seed)


def test_what_cannot_be_is_told() -> None:
    for games in (0, -1, 2.5, "3"):
        with pytest.raises(GameError, match="`games` must be a whole number"):
            vector_games.make("pig/classic@1.0", games=games)  # type: ignore[arg-type]
    with pytest.raises(GameError, match="`renewal` must be one of never, next_step, same_step, not 'soon'"):
        vector_games.make("pig/classic@1.0", games=1, renewal="soon")
    with pytest.raises(GameError, match="a seat must be a number from 0 to 1, not 2"):
        vector_games.make("pig/classic@1.0", games=1, players=2, bots=[2])
    with pytest.raises(GameError, match="do not fit into memory"):
        vector_games.make("fuzzy-knights/normal@1.0", games=10_000_000)
    rows = vector_games.make("pig/classic@1.0", games=2, players=2)
    with pytest.raises(GameError, match="call `reset` first"):
        rows.step([0, 0])
    with pytest.raises(GameError, match="`which` must be 2 booleans, one for each game"):
        rows.reset(which=np.array([1, 0]))


def test_too_many_options_are_told_of() -> None:
    rows = vector_games.make("fuzzy-knights/normal@1.0", games=1, most_options=1, players=2, **_DAYS)
    rows.reset(1)

    def play_on() -> None:
        for _ in range(500):
            rows.step(rows.any_actions())

    with pytest.raises(GameError, match="but there is room for 1: raise `most_options`"):
        play_on()


def test_arrays_are_the_memory_and_outlive_the_games() -> None:
    rows = vector_games.make("pig/classic@1.0", games=3, players=2)
    seen = rows.observations
    rows.reset(1)
    assert seen[0, 0] == 1
    rows.step([0, 0, 0])
    assert seen is rows.observations
    del rows
    assert seen.shape == (3, 6)


def test_any_action_is_as_likely_as_another() -> None:
    rows = vector_games.make("classics/tic-tac-toe@1.0", games=9000)
    rows.reset(1)
    rows.step([4] * 9000)
    counts = np.bincount(rows.any_actions(np.random.default_rng(5)), minlength=9)
    assert counts[4] == 0
    assert all(abs(count - 1125) < 150 for place, count in enumerate(counts) if place != 4)


def test_compare_sees_a_difference() -> None:
    rows = vector_games.make("pig/classic@1.0", games=1, players=2)
    env = pettingzoo.env("pig/classic@1.0", players=2)
    rows.reset(1)
    env.reset(seed=1)
    compare(rows, 0, env)
    rows.step([0])
    with pytest.raises(AssertionError):
        compare(rows, 0, env)
