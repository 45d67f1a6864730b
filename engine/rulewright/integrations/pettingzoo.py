"""Any ruleset as an environment of PettingZoo, with action masks.

>>> from rulewright.integrations import pettingzoo
>>> env = pettingzoo.env("pig/classic@1.0", players=2)
>>> env.reset(seed=7)
>>> env.last()[4]["action_mask"]
array([1, 1], dtype=int8)

An agent is a seat, `player_0` and so on. Its observation is a mapping of `observation` and
`action_mask`, as in PettingZoo's own board games. With `observations="array"` it is the plain array that `api_test`
expects. The mask is also in `info`. With `option_features=True`, the mapping has `option_features`, with a row for each
action that is an index of an option, if a ruleset has such actions. The numbers are those of the reference of actions
and observations, and `GameEncoder` has them for a `Game`. The environment rolls dice with the seed given to `reset`. At
the end, each loser gets -1, and the winners share what the others lose. A game aborted at the `horizon` is truncated.
"""

from __future__ import annotations

from collections.abc import Mapping
from operator import index
from typing import Any

from rulewright.base.errors import MissingExtraError
from rulewright.dice.sampling.random_generator import Generator
from rulewright.engine.game.game_error import GameError
from rulewright.engine.state.game_state import OVER
from rulewright.integrations.numeric_game import GameSetting, NumericGame
from rulewright.ruleset.ruleset import Ruleset
from rulewright.source.diagnostics.excerpt import quote_value

try:
    import numpy as np
    from gymnasium import spaces
    from pettingzoo import AECEnv

    from rulewright.integrations.spaces import action_space, observation_space
except ModuleNotFoundError as error:
    raise MissingExtraError("PettingZoo is not installed: pip install 'rulewright[pettingzoo]'") from error


class RulewrightEnv(AECEnv):  # type: ignore[misc]
    """An environment for games with one setting, one after the other. `reset` starts the next game."""

    def __init__(self, setting: GameSetting, *, render_mode: str | None = None, observations: str = "dict") -> None:
        """Create the environment with a game at its first pause point. Call `reset` before the first step.

        Raises `GameError` for an invalid argument, and `RulesFault` if the rules fail before the first decision.
        """
        super().__init__()
        self.metadata = {
            "name": setting.ruleset.reference,
            "render_modes": ["ansi"],
            "is_parallelizable": False,
            "render_fps": 1,
        }
        if render_mode not in (None, "ansi"):
            raise GameError(f"`render_mode` must be 'ansi', not {render_mode!r}")
        if observations not in ("dict", "array"):
            raise GameError(f"`observations` must be dict or array, not {quote_value(observations)}")
        self.render_mode = render_mode
        self._plain = observations == "array"
        self.setting = setting
        self.possible_agents = [f"player_{seat}" for seat in range(setting.players)]
        self.agents: list[str] = []
        self._actions = {agent: action_space(setting) for agent in self.possible_agents}
        self._seen = {agent: observation_space(setting) for agent in self.possible_agents}
        self._next_seed = 0
        self.match: NumericGame = setting.start()

    def observation_space(self, agent: str) -> spaces.Space[Any]:
        return self._seen[agent]["observation"] if self._plain else self._seen[agent]

    def action_space(self, agent: str) -> spaces.Discrete:
        return self._actions[agent]

    def reset(self, seed: int | None = None, options: Mapping[str, Any] | None = None) -> None:
        """Start a game. The default seed is the last one plus 1. `options` is ignored.

        Raises `GameError` if the seed is not a whole number, and `RulesFault` if the rules fail before the first
        decision. The previous game is then unchanged.
        """
        number = self._next_seed if seed is None else _whole(seed)
        if number is None:
            raise GameError(f"a seed must be a whole number, to which each game adds 1, not {quote_value(seed)}")
        match, dice = self.setting.start(), Generator(number, "dice")
        match.roll_on(dice)
        self._next_seed = number + 1
        self._generator = dice
        self.match = match
        self.agents = list(self.possible_agents)
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self.agent_selection = self.agents[0]
        self._tell()

    def step(self, action: int | None) -> None:
        """Take an action. An agent whose game has ended must take None, which removes the agent.

        Raises `GameError` for an illegal action, and `RulesFault` if the rules fail. The game is then unchanged. Raises
        `ValueError` for any action but None of an agent whose game has ended.
        """
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        legal = self.setting.actions.list_legal(self.match.state)
        number = _whole(action)
        if number is None or number not in legal:
            raise GameError(
                f"{agent} cannot take action {quote_value(action)}; legal actions are {', '.join(map(str, legal))}"
            )
        self.match.choose(number, dice=self._generator)
        self._cumulative_rewards[agent] = 0.0
        self._clear_rewards()
        self._tell()
        self._accumulate_rewards()

    def observe(self, agent: str) -> dict[str, Any] | np.ndarray[Any, np.dtype[np.float32]]:
        """Return an agent's observation as an array, or as a dictionary with the mask of legal actions.

        The mask and the features of options are 0 if another agent decides.
        """
        player = self.possible_agents.index(agent)
        seen = np.array(self.setting.eyes.encode(self.match.state, player), np.float32)
        if self._plain:
            return seen
        results = {"observation": seen, "action_mask": self._mask(player)}
        features = self.setting.features
        if features is not None:
            rows = np.zeros((features.rows, features.width), np.float32)
            if player == self.match.player and (described := features.encode(self.match.state)):
                rows[: len(described)] = described
            results["option_features"] = rows
        return results

    def render(self) -> str | None:
        """Return the whole game as text, including what is hidden from players."""
        return self.setting.eyes.format_state(self.match.state) if self.render_mode == "ansi" else None

    def close(self) -> None:
        """Do nothing, because there are no resources to release."""

    def _tell(self) -> None:
        """Update the environment's attributes for the next decision or the end of the game."""
        match = self.match
        if match.player is not None:
            self.agent_selection = self.possible_agents[match.player]
        else:
            ended = match.state.mode == OVER
            self.terminations = dict.fromkeys(self.agents, ended)
            self.truncations = dict.fromkeys(self.agents, not ended)
            self.rewards = dict(zip(self.agents, match.compute_returns(), strict=True))
            self.agent_selection = self.agents[0]
        for player, agent in enumerate(self.possible_agents):
            self.infos[agent] = {"action_mask": self._mask(player)}

    def _mask(self, player: int) -> np.ndarray[Any, np.dtype[np.int8]]:
        mask = np.zeros(self.setting.actions.count, np.int8)
        if player == self.match.player:
            mask[self.match.list_legal()] = 1
        return mask


def _whole(action: Any) -> int | None:
    """Return an integer of any type, such as numpy's, as an int. None for booleans and other values."""
    try:
        return None if isinstance(action, bool) else index(action)
    except TypeError:
        return None


def env(
    ruleset: Ruleset | str, *, render_mode: str | None = None, observations: str = "dict", **settings: Any
) -> RulewrightEnv:
    """Return an environment. `observations` is `dict` or `array`.

    `settings` are those of `GameSetting.for_ruleset`. Raises `GameError` for an invalid `observations` or
    `render_mode`, and the exceptions of `GameSetting.for_ruleset`: `DiagnosticError`, `GameError`, `RulewrightError`
    or `RulesFault`.
    """
    return RulewrightEnv(
        GameSetting.for_ruleset(ruleset, **settings), render_mode=render_mode, observations=observations
    )
