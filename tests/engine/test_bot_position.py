"""Bots that continue where another one stopped: after a save, and as copies and pickles."""

import copy
import pickle
from collections.abc import Callable
from itertools import islice

import pytest

from rulewright import Game, RulewrightError, load_ruleset
from rulewright.ai import bots
from rulewright.ai.bots import SeatedBot
from rulewright.dice.sampling.fast_rng import ByteStream, draw_bytes

KUHN = "classics/kuhn-poker@1.0"
OWARE = "classics/oware@1.0"
SEED = 3


def play(game: Game, seated: list[SeatedBot], most: int) -> list[int]:
    """Play on with these bots, and return the indexes of the options that they chose."""
    chosen: list[int] = []
    while game.decision is not None and len(chosen) < most:
        chosen.append(seated[game.decision.player - 1](game))
        game.choose(chosen[-1])
    return chosen


def seat_bots(game: Game, name: str) -> list[SeatedBot]:
    """Return new bots for a game of two."""
    return [bots.make(name, game.ruleset, seed=SEED, seat=seat) for seat in (1, 2)]


def restore(bot: SeatedBot) -> SeatedBot:
    """Return a new bot at the position of this one."""
    name, ruleset, seed, seat = bot._made_from
    again = bots.make(name, ruleset, seed=seed, seat=seat)
    again.position = bot.position
    return again


WAYS: dict[str, Callable[[SeatedBot], SeatedBot]] = {
    "position": restore,
    "copy": copy.copy,
    "deepcopy": copy.deepcopy,
    "pickle": lambda bot: pickle.loads(pickle.dumps(bot)),
}


@pytest.mark.parametrize("way", WAYS.values(), ids=WAYS.keys())
@pytest.mark.parametrize("name", ["random", "mcts:4", "planner:8"])
def test_a_bot_continues_after_a_save(name: str, way: Callable[[SeatedBot], SeatedBot]) -> None:
    game = Game(load_ruleset(OWARE), players=2, seed=SEED)
    seated = seat_bots(game, name)
    play(game, seated, 9)
    loaded = Game.load_text(game.save_text(), game.ruleset)
    again = [way(bot) for bot in seated]
    fresh, other = seat_bots(game, name), loaded.clone()
    chosen = play(game, seated, 12)
    assert play(loaded, again, 12) == chosen
    assert [bot.position for bot in again] == [bot.position for bot in seated]
    assert play(other, fresh, 12) != chosen  # otherwise the position would make no difference


def test_a_perfect_player_remembers_its_choices() -> None:
    game = Game(load_ruleset(KUHN), players=2, seed=SEED)
    seated = seat_bots(game, "solved")
    play(game, seated, 2)
    positions = [bot.position for bot in seated]
    assert all(type(position) is str and ":" in position for position in positions)
    again = [restore(bot) for bot in seated]
    assert [bot.position for bot in again] == positions
    new = bots.make("solved", game.ruleset, seed=SEED, seat=1)
    assert new.position == 0
    new.position = positions[0]
    new.position = 0
    assert new.position == 0


@pytest.mark.parametrize("name", ["random", "mcts:4", "solved"])
@pytest.mark.parametrize("position", [-1, 1.5, None, True, "x", "1:zz"])
def test_only_a_position_of_a_bot_is_taken(name: str, position: object) -> None:
    bot = bots.make(name, load_ruleset(KUHN), seed=SEED, seat=1)
    with pytest.raises(RulewrightError, match=rf"^a position must be one that the bot `{name}` returned, not "):
        bot.position = position  # type: ignore[assignment]
    assert bot.position == 0


@pytest.mark.parametrize("used", [0, 1, 63, 64, 65, 200])
def test_a_stream_of_bytes_continues_at_its_index(used: int) -> None:
    stream = ByteStream(SEED, "bot 1")
    drawn = bytes(islice(stream.drawn, used))
    assert stream.index == used
    other = ByteStream(SEED, "bot 1")
    other.index = used
    assert other.index == used
    assert drawn + bytes(islice(other.drawn, 100)) == bytes(islice(draw_bytes(SEED, "bot 1"), used + 100))
