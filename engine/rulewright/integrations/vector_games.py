"""Many games of a ruleset at once, in arrays: the interface of `pettingzoo` for thousands of games per call.

>>> from rulewright.integrations import vector_games
>>> games = vector_games.make("pig/classic@1.0", games=1000, players=2)
>>> games.reset(seed=7)
>>> games.masks[:2]
array([[1, 1],
       [1, 1]], dtype=int8)
>>> games.step(games.any_actions())

All games are in one WebAssembly memory, and the arrays are views of it: reading copies nothing, and the next call
overwrites them. Row i belongs to game i. Observations, actions, masks and rewards are those of `pettingzoo`. Dice
depend only on the seed of each game, so the same seed and actions give the same game in both.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import partial
from operator import index
from typing import Any

from rulewright.base.errors import MissingExtraError, RulewrightError
from rulewright.engine.game.game_error import GameError
from rulewright.integrations.action_numbering import describe_outside, describe_too_many
from rulewright.integrations.numeric_game import GameSetting
from rulewright.integrations.wasm_observation import build_tables
from rulewright.ruleset.ruleset import Ruleset
from rulewright.source.diagnostics.excerpt import quote_value

try:
    import numpy as np
except ModuleNotFoundError as error:
    raise MissingExtraError("vectorized games need NumPy: pip install 'rulewright[pettingzoo]'") from error
try:
    from rulewright.engine.wasm_backend import game_batch as memory
except ModuleNotFoundError as error:
    raise RulewrightError("vectorized games need wasmtime, which has no wheel for this platform") from error

Array = np.ndarray[Any, np.dtype[Any]]

RENEWALS = {"never": memory.NEVER, "next_step": memory.NEXT_STEP, "same_step": memory.SAME_STEP}
"""When the next game starts after an ended one, by the names that `make` accepts."""

_LARGEST_SEED = 1 << 62
_LARGEST_MEMORY = 1 << 30


class Batch:
    """Many games with one setting. Every `reset` and `step` overwrites the arrays, so copy those you keep.

    `observations` (games × numbers, float32) are those of the deciding player, or of the fixed viewer. `masks` (games
    × actions, int8) marks the legal actions. `option_features` (games × options × numbers, float32) describes options
    without numbers of their own; it is None without `option_features` in the setting. `players` (games, int32) is the
    deciding seat, from 0, or -1 at the end. `rewards` (games × seats, float64) are those of the step. `terminations`
    and `truncations` (games, bool) mark games that ended with the step. `moves` counts choices and outcomes, and
    `seeds` are those of the games.
    """

    def __init__(
        self,
        setting: GameSetting,
        games: int,
        *,
        renewal: str = "next_step",
        bots: Iterable[int] = (),
        viewer: int | None = None,
    ) -> None:
        """Create the games, which `reset` starts.

        Raises `GameError` for an invalid argument, or if the games need too much memory.
        """
        if type(games) is not int or games < 1:
            raise GameError(f"`games` must be a whole number of 1 or more, not {quote_value(games)}")
        if renewal not in RENEWALS:
            raise GameError(f"`renewal` must be one of {', '.join(RENEWALS)}, not {quote_value(renewal)}")
        seats = [*bots, *([] if viewer is None else [viewer])]
        for seat in seats:
            if type(seat) is not int or not 0 <= seat < setting.players:
                raise GameError(f"a seat must be a number from 0 to {setting.players - 1}, not {quote_value(seat)}")
        described = 0 if setting.features is None else setting.features.rows * setting.features.width
        rows = 4 * setting.eyes.size * (3 if renewal == "same_step" else 2)
        size = games * (rows + 4 * described + setting.actions.count + 2048)
        if size > _LARGEST_MEMORY:
            fits = games * _LARGEST_MEMORY // size
            raise GameError(
                f"{games:,} games of {setting.ruleset.reference} do not fit into memory, but about {fits:,} do. "
                "Lower `games`, `most_objects` or `most_options`"
            )
        self.setting = setting
        self.games = games
        self.renewal = renewal
        self._games = memory.GameBatch(
            setting.ruleset,
            games,
            players=setting.players,
            options=setting.options,
            numbers=partial(build_tables, setting=setting),
            horizon=setting.horizon,
            renewal=RENEWALS[renewal],
            bots=tuple(seats[: len(seats) - (viewer is not None)]),
            viewer=viewer,
        )
        self._looked: int | None = None
        self._begun = False
        # False before the first reset and after an error, until all games are reset.
        self._stand = False
        self._random = np.random.default_rng(0)
        self._base = -1
        self._views()

    def _views(self) -> None:
        """Create the arrays again, as views of the memory, if the memory has moved."""
        base = self._games.host.place(0)
        if base == self._base:
            return
        self._base = base
        games, seats, width, actions = (
            self.games,
            self.setting.players,
            self.setting.eyes.size,
            self.setting.actions.count,
        )
        self.actions = self._array("chosen", np.int64, games)
        self.observations = self._array("seen", np.float32, games, width)
        self.last_observations = self._array(
            "last_seen", np.float32, games if self.renewal == "same_step" else 0, width
        )
        self.masks = self._array("masks", np.int8, games, actions)
        features = self.setting.features
        self.option_features = None
        if features is not None:
            shape = (features.rows, features.width)
            self.option_features = self._array("features", np.float32, games, *shape)
        self.players = self._array("players", np.int32, games)
        self.rewards = self._array("rewards", np.float64, games, seats)
        self.terminations = self._array("terminated", np.bool_, games)
        self.truncations = self._array("truncated", np.bool_, games)
        self.seeds = self._array("seeds", np.int64, games)
        self._any = self._array("any", np.float64, games)
        self.moves = self._array("moves", np.int64, games)

    def _array(self, name: str, kind: Any, *shape: int) -> Array:
        return self._at(self._games.at[name], kind, *shape)

    def _at(self, address: int, kind: Any, *shape: int) -> Array:
        size = int(np.prod(shape)) * np.dtype(kind).itemsize
        return np.frombuffer(self._games.buffer(address, size), kind).reshape(shape)

    def reset(self, seed: int | Sequence[int] | None = None, *, which: Array | None = None) -> None:
        """Start all games, or those that `which` marks.

        With one `seed`, game i has that seed plus i. With several, each game has its own. Without one, each game has
        the seed after its last. A game that starts automatically has the seed of the one before it plus `games`, so no
        two games are equal. Raises `GameError` for an invalid argument, if only some games are started at first, or for
        too many options for the masks, and `RulesFault` if the rules fail. After the latter two, some games have
        advanced and others have not, so all must be reset.
        """
        if which is None:
            marked = np.ones(self.games, np.bool_)
        else:
            marked = _array(which)
            if marked.shape != (self.games,) or marked.dtype != np.bool_:
                raise GameError(f"`which` must be {self.games} booleans, one for each game")
        if not self._stand and not marked.all():
            raise GameError("no game has started: `reset` all games first")
        if seed is not None:
            self.seeds[marked] = self._seeds(seed)[marked]
        elif self._begun:
            self.seeds[marked] += self.games
        else:
            self.seeds[:] = self._seeds(0)
        self._begun = self._stand = True
        self.actions[:] = marked
        self._do(self._games.begin)

    def _seeds(self, seed: Any) -> Array:
        """Return the seeds of all games: those of a sequence, or consecutive ones from a single seed.

        Raises `GameError` for an invalid seed, or if a sequence does not have one for each game.
        """
        several = isinstance(seed, Sequence | np.ndarray) and not isinstance(seed, str)
        results = [_seed(each) for each in (seed if several else (seed,))]
        if not several:
            return np.arange(results[0], results[0] + self.games, dtype=np.int64)
        if len(results) != self.games:
            raise GameError(f"there are {self.games} games but {len(results)} seeds")
        return np.array(results, np.int64)

    def step(self, actions: Any) -> None:
        """Take an action in each game and advance to the next decision or the end.

        If a game has ended (`players` is -1), its action is ignored. With `renewal` "next_step" the next game then
        starts with reward 0, and with "never" nothing happens. With "same_step" the next game has already started:
        `terminations`, `truncations` and `rewards` are those of the ended game, and `last_observations` has its final
        observation. Raises `GameError` for an illegal action, in which case no game changes, and otherwise the
        exceptions of `reset`.
        """
        if not self._stand:
            raise GameError("no game has started: call `reset` first")
        given = _array(actions)
        if given.shape != (self.games,) or given.dtype.kind not in "iu":
            raise GameError(f"`actions` must be {self.games} whole numbers, one for each game")
        self.actions[:] = given
        self._do(self._games.step)

    def look(self, seat: int) -> Array:
        """Return the observation of a seat (from 0) in every game. The next `look` overwrites it.

        Raises `GameError` for an invalid seat, and before the first `reset`.
        """
        if type(seat) is not int or not 0 <= seat < self.setting.players:
            raise GameError(f"a seat must be a number from 0 to {self.setting.players - 1}, not {quote_value(seat)}")
        if not self._stand:
            raise GameError("no game has started: call `reset` first")
        if self._looked is None:
            self._looked = self._games.space(4 * self.games * self.setting.eyes.size)
        self._games.look(seat, self._looked)
        self._views()
        return self._at(self._looked, np.float32, self.games, self.setting.eyes.size)

    def any_actions(self, random: np.random.Generator | None = None) -> Array:
        """Return a random legal action for each game, or 0 for a game without a decision.

        The default generator has a fixed seed.
        """
        (self._random if random is None else random).random(out=self._any)
        self._games.choose_any()
        return self.actions.copy()

    def _do(self, what: Callable[[], None]) -> None:
        """Advance games with `what`, and update the arrays.

        Raises `GameError` for an illegal action or too many options. After any error but an illegal action, all games
        must be reset.
        """
        try:
            what()
        except memory.NotOffered as refused:
            game = refused.game
            offered = ", ".join(map(str, np.flatnonzero(self.masks[game])))
            raise GameError(
                f"game {game} cannot take action {self.actions[game]}; legal actions are {offered}"
            ) from None
        except memory.TooManyOptions as many:
            self._stand = False
            room = self.setting.actions.count - self.setting.actions.shared
            step = self.setting.ruleset.steps[many.step]
            if many.count <= 0:
                raise describe_outside(step, -many.count) from None
            raise describe_too_many(step, many.count, room) from None
        except BaseException:
            self._stand = False
            raise
        finally:
            self._views()


def _array(given: Any) -> Array:
    """Return an argument as an array. Invalid values become an empty array, which fails the shape check."""
    try:
        return np.asarray(given)
    except (TypeError, ValueError, OverflowError):
        return np.empty(0)


def _seed(given: Any) -> int:
    """Return a seed as an int. Raises `GameError` if it is not an integer or too large."""
    try:
        result = None if isinstance(given, bool) else index(given)
    except TypeError:
        result = None
    if result is None or abs(result) >= _LARGEST_SEED:
        raise GameError(f"a seed must be a whole number of less than 62 bits, not {quote_value(given)}")
    return result


def make(
    ruleset: Ruleset | str,
    *,
    games: int,
    renewal: str = "next_step",
    bots: Iterable[int] = (),
    viewer: int | None = None,
    **settings: Any,
) -> Batch:
    """Return a batch of games. `settings` are those of `GameSetting.for_ruleset`, as are the exceptions.

    `renewal` is when the next game starts after an end: at the "next_step", at once in the "same_step", or "never"
    except by `reset`. `bots` are seats that the bot `random` plays with the seed of the game. `viewer` is the seat
    whose observations are returned (default: the deciding player).
    """
    return Batch(GameSetting.for_ruleset(ruleset, **settings), games, renewal=renewal, bots=bots, viewer=viewer)
