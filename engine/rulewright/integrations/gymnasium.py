"""Many games of a ruleset as a vector environment of Gymnasium: for one learning seat, or for all seats in turn.

>>> from rulewright.integrations import gymnasium
>>> envs = gymnasium.make_vec("classics/tic-tac-toe@1.0", games=1000, seat=0)
>>> observations, infos = envs.reset(seed=7)
>>> observations["action_mask"].shape
(1000, 9)

With a `seat`, that player decides and the bot `random` plays the other seats. Rewards are those of the seat. Without
one, the environment asks the deciding player: `infos["player"]` is the current seat, rewards belong to the seat that
acted, and `infos["rewards"]` has those of all seats. Observations, actions and rewards are those of `pettingzoo`, as
in `vector_games`.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rulewright.base.errors import MissingExtraError
from rulewright.engine.game.game_error import GameError
from rulewright.integrations.numeric_game import GameSetting
from rulewright.integrations.vector_games import Array, Batch
from rulewright.ruleset.ruleset import Ruleset
from rulewright.source.diagnostics.excerpt import quote_value

try:
    import numpy as np
    from gymnasium.vector import AutoresetMode, VectorEnv
    from gymnasium.vector.utils import batch_space

    from rulewright.integrations.spaces import action_space, observation_space
except ModuleNotFoundError as error:
    raise MissingExtraError("Gymnasium is not installed: pip install 'rulewright[pettingzoo]'") from error

_RENEWALS = {
    AutoresetMode.NEXT_STEP: "next_step",
    AutoresetMode.SAME_STEP: "same_step",
    AutoresetMode.DISABLED: "never",
}


class RulewrightVectorEnv(VectorEnv[Any, Any, Any]):
    """Many games with one setting, in the arrays of `batch`. With `copy=False`, it returns these arrays themselves."""

    def __init__(
        self,
        setting: GameSetting,
        games: int,
        *,
        seat: int | None = None,
        autoreset_mode: AutoresetMode | str = AutoresetMode.NEXT_STEP,
        copy: bool = True,
    ) -> None:
        """Create the games, which `reset` starts. Raises `GameError` for an invalid argument."""
        try:
            mode = AutoresetMode(autoreset_mode)
        except ValueError:
            modes = ", ".join(str(each.value) for each in AutoresetMode)
            raise GameError(f"`autoreset_mode` must be one of {modes}, not {autoreset_mode!r}") from None
        others = () if seat is None else tuple(each for each in range(setting.players) if each != seat)
        self.batch = Batch(setting, games, renewal=_RENEWALS[mode], bots=others, viewer=seat)
        self.seat = seat
        self.copy = copy
        self.num_envs = games
        self.metadata = {"name": setting.ruleset.reference, "autoreset_mode": mode}
        self.render_mode = None
        self.single_observation_space = observation_space(setting)
        self.single_action_space = action_space(setting)
        self.observation_space = batch_space(self.single_observation_space, games)
        self.action_space = batch_space(self.single_action_space, games)
        self._numbers = np.arange(games)

    def reset(
        self, *, seed: int | list[int] | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[str, Array], dict[str, Any]]:
        """Start all games with seeds as in `Batch.reset`. `reset_mask` in `options` selects the games to start.

        Raises `GameError` for an invalid seed or mask and for too many options, and `RulesFault` if the rules fail.
        After the latter two, all games must be reset.
        """
        if not isinstance(options, Mapping | None):
            raise GameError(f"`options` must be a mapping with a `reset_mask`, not {quote_value(options)}")
        self.batch.reset(seed, which=(options or {}).get("reset_mask"))
        return self._seen(), self._infos()

    def step(self, actions: Any) -> tuple[dict[str, Array], Array, Array, Array, dict[str, Any]]:
        """Take an action in every game.

        Rewards are those of the learning seat or, without one, of the player who has decided. With the autoreset mode
        `same_step`, the last observations of ended games are in `final_obs` of the infos. Raises `GameError` for an
        illegal action, in which case no game changes, and `GameError` or `RulesFault` as `reset` does.
        """
        games = self.batch
        took = games.players.clip(0) if self.seat is None else self.seat
        games.step(actions)
        infos = self._infos()
        done = games.terminations | games.truncations
        if games.renewal == "same_step" and done.any():
            last = np.full(self.num_envs, None, object)
            masks = np.zeros(games.masks.shape[1], np.int8)
            for game in np.flatnonzero(done):
                last[game] = {"observation": games.last_observations[game].copy(), "action_mask": masks.copy()}
                if games.option_features is not None:
                    last[game]["option_features"] = np.zeros_like(games.option_features[game])
            infos |= {"final_obs": last, "_final_obs": done, "final_info": {}, "_final_info": done}
        rewards = games.rewards[self._numbers, took]
        return self._seen(), rewards, games.terminations.copy(), games.truncations.copy(), infos

    def _seen(self) -> dict[str, Array]:
        results = {"observation": self.batch.observations, "action_mask": self.batch.masks}
        if self.batch.option_features is not None:
            results["option_features"] = self.batch.option_features
        return {name: each.copy() for name, each in results.items()} if self.copy else results

    def _infos(self) -> dict[str, Any]:
        """Return the player and the rewards of each game or, with a learning seat, nothing."""
        if self.seat is not None:
            return {}
        every = np.ones(self.num_envs, np.bool_)
        results = {"player": self.batch.players.copy(), "rewards": self.batch.rewards.copy()}
        return {**results, **{f"_{name}": every for name in results}}

    def close_extras(self, **_: Any) -> None:
        """Do nothing, because there are no resources to release."""


def make_vec(
    ruleset: Ruleset | str,
    *,
    games: int,
    seat: int | None = None,
    autoreset_mode: AutoresetMode | str = AutoresetMode.NEXT_STEP,
    copy: bool = True,
    **settings: Any,
) -> RulewrightVectorEnv:
    """Return a vector environment. `settings` are those of `GameSetting.for_ruleset`.

    Raises `GameError` for an invalid number of games, seat or mode, and the exceptions of `GameSetting.for_ruleset`:
    `DiagnosticError`, `GameError`, `RulewrightError` or `RulesFault`.
    """
    setting = GameSetting.for_ruleset(ruleset, **settings)
    return RulewrightVectorEnv(setting, games, seat=seat, autoreset_mode=autoreset_mode, copy=copy)
