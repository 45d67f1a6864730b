"""Any ruleset as a game of OpenSpiel, for its algorithms.

>>> from rulewright.integrations import openspiel
>>> game = openspiel.load_game("pig/classic@1.0", players=2)
>>> game.new_initial_state().legal_actions()
[0, 1]

Importing this module registers the game `rulewright` for `pyspiel.load_game("rulewright", {"ruleset": …})`. Its
parameters:

- `ruleset`: a reference; `rules`: folders to search, as in $RULEWRIGHT_RULES.
- `players`: the number of players; 0 for the minimum.
- `options`: choices by setting, such as `length:short+dice:many`.
- `chance`: `explicit` lists every outcome of a roll with its probability; `sampled` offers one outcome, drawn before
  by a generator with `seed`, for rolls with too many outcomes. OpenSpiel cannot serialize states of such a game.
- `horizon`: the number of choices and outcomes, from the first choice on, after which a game is aborted, not won.
- `most_options`, `most_outcomes`, `most_objects`: limits of the encoding (see Actions and observations in the
  reference).
- `most_payoff`: the largest win or loss of a player, if the rules define `payoff`.
- `option_features`: whether observers of the current position also describe the options that have no action numbers of
  their own.

Actions and outcomes are numbered as the reference of actions and observations says. Without `payoff`, the returns add
up to 0.

If the rules hide information (`seen_by`), information states and observations contain what a player has observed.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Any

from rulewright.base.errors import MissingExtraError
from rulewright.dice.sampling.random_generator import Generator
from rulewright.engine.game.game_error import GameError
from rulewright.engine.state.game_state import CHANCE
from rulewright.integrations import chance_outcomes as chances
from rulewright.integrations.numeric_game import (
    HORIZON,
    MOST_BEFORE,
    MOST_OBJECTS,
    MOST_OPTIONS,
    GameSetting,
    NumericGame,
)
from rulewright.language.lowering import has_chance
from rulewright.ruleset.editions.search_path import Folders, list_folders
from rulewright.source.diagnostics.excerpt import quote_value

try:
    import numpy as np
    import pyspiel
except ModuleNotFoundError as error:
    raise MissingExtraError("OpenSpiel is not installed: pip install 'rulewright[openspiel]'") from error

MOST_OUTCOMES = 4096
"""The default maximum number of outcomes of a roll in explicit mode."""

MOST_PLAYERS = 100
"""The maximum number of players in the registration. Each ruleset has its own limits."""

MOST_PAYOFF = 1_000
"""The default largest win or loss of a player."""

_PARAMETERS: dict[str, Any] = {
    "ruleset": "",
    "rules": "",
    "players": 0,
    "options": "",
    "chance": "explicit",
    "seed": 0,
    "horizon": HORIZON,
    "most_options": MOST_OPTIONS,
    "most_outcomes": MOST_OUTCOMES,
    "most_objects": MOST_OBJECTS,
    "most_payoff": MOST_PAYOFF,
    "option_features": False,
}


def _game_type(setting: GameSetting | None, chance: str) -> pyspiel.GameType:
    """Return the type of a setting's game or, for None, the type under which all games are registered."""
    kind = pyspiel.GameType
    by_chance = setting is None or any(has_chance(step) for step in setting.ruleset.steps.values())
    hides = setting is not None and setting.eyes.hides
    pays = setting is not None and setting.ruleset.payoff is not None
    random = kind.ChanceMode.SAMPLED_STOCHASTIC if chance == "sampled" else kind.ChanceMode.EXPLICIT_STOCHASTIC
    return kind(
        short_name="rulewright",
        long_name="Rulewright" if setting is None else setting.ruleset.title,
        dynamics=kind.Dynamics.SEQUENTIAL,
        chance_mode=random if by_chance else kind.ChanceMode.DETERMINISTIC,
        information=kind.Information.IMPERFECT_INFORMATION if hides else kind.Information.PERFECT_INFORMATION,
        utility=kind.Utility.GENERAL_SUM if pays else kind.Utility.ZERO_SUM,
        reward_model=kind.RewardModel.TERMINAL,
        max_num_players=MOST_PLAYERS if setting is None else setting.ruleset.players[1],
        min_num_players=1 if setting is None else setting.ruleset.players[0],
        provides_information_state_string=True,
        provides_information_state_tensor=False,
        provides_observation_string=True,
        provides_observation_tensor=True,
        parameter_specification=_PARAMETERS,
        default_loadable=False,
    )


class RulewrightGame(pyspiel.Game):  # type: ignore[misc]
    """A ruleset with its settings, as a game of OpenSpiel.

    Raises the exceptions of `GameSetting.for_ruleset`, and `GameError` for an invalid parameter.
    """

    def __init__(self, params: Mapping[str, Any] | None = None) -> None:
        """Load the ruleset that the parameters name.

        Raises `GameError` for an invalid parameter, and otherwise the exceptions of `GameSetting.for_ruleset`.
        """
        given = {**_PARAMETERS, **(params or {})}
        if not given["ruleset"]:
            raise GameError("`ruleset` is missing: give a reference such as a/b@1.0")
        if given["chance"] not in ("explicit", "sampled"):
            raise GameError(f"`chance` must be explicit or sampled, not {given['chance']}")
        folders = [folder for folder in given["rules"].split(os.pathsep) if folder]
        self.setting = GameSetting.for_ruleset(
            given["ruleset"],
            rules=folders,
            players=given["players"] or None,
            options=_options(given["options"]),
            horizon=given["horizon"],
            most_options=given["most_options"],
            most_objects=given["most_objects"],
            option_features=given["option_features"],
        )
        self.sampling = given["chance"] == "sampled"
        self.most_outcomes: int = given["most_outcomes"]
        self.generator = Generator(given["seed"], "dice")
        players = self.setting.players
        pays = self.setting.ruleset.payoff is not None
        most: int = given["most_payoff"]
        info = pyspiel.GameInfo(
            num_distinct_actions=self.setting.actions.count,
            max_chance_outcomes=self.most_outcomes,
            num_players=players,
            min_utility=-most if pays else -1.0,
            max_utility=most if pays else max(1.0, players - 1.0),
            utility_sum=None if pays else 0.0,
            max_game_length=given["horizon"],
        )
        super().__init__(_game_type(self.setting, given["chance"]), info, given)

    def new_initial_state(self) -> RulewrightState:
        """Return a new game at its first pause point."""
        return RulewrightState(self)

    def max_chance_nodes_in_history(self) -> int:
        """Return the maximum number of chance outcomes in a game. 0 without chance."""
        rolls = self.get_type().chance_mode != pyspiel.GameType.ChanceMode.DETERMINISTIC
        return self.setting.horizon + MOST_BEFORE if rolls else 0

    def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> RulewrightObserver:
        """Return an observer of the current position or, with perfect recall, of the whole history.

        Raises `ValueError` if there are parameters.
        """
        if params:
            raise ValueError(f"observers take no parameters, but got {params}")
        kind = iig_obs_type or pyspiel.IIGObservationType(perfect_recall=False)
        private = kind.private_info
        return RulewrightObserver(self.setting, public=kind.public_info, recalls=kind.perfect_recall, private=private)


class RulewrightState(pyspiel.State):  # type: ignore[misc]
    """The state of a running game."""

    def __init__(self, game: RulewrightGame) -> None:
        super().__init__(game)
        self.match: NumericGame = game.setting.start()
        self._outcome: int | None = None

    def current_player(self) -> int:
        if self.match.over:
            return int(pyspiel.PlayerId.TERMINAL)
        player = self.match.player
        return int(pyspiel.PlayerId.CHANCE) if player is None else player

    def _legal_actions(self, player: int) -> list[int]:
        return self.match.list_legal() if player == self.match.player else []

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """Return the outcomes by number with their probabilities.

        If chance is sampled, the only outcome is a random one, which stays the same until it is applied. Otherwise,
        raises `GameError` if there are too many outcomes, and `DiceError` if they cannot be computed exactly.
        """
        game, source = self.get_game(), self.match.state.roll
        if not game.sampling:
            return chances.list_outcomes(source, most=game.most_outcomes)
        if self._outcome is None:
            self._outcome = chances.sample_outcome(source, game.generator)
        return [(self._outcome, 1.0)]

    def _apply_action(self, action: int) -> None:
        """Take an action at a decision, or let the outcome with this number happen at a chance event.

        Raises `GameError` if there is no such action or outcome.
        """
        if self.match.state.mode == CHANCE:
            self.match.come_up(chances.find_outcome(self.match.state.roll, action))
            self._outcome = None
        else:
            self.match.choose(action)

    def _action_to_string(self, player: int, action: int) -> str:
        if player == pyspiel.PlayerId.CHANCE:
            return str(chances.find_outcome(self.match.state.roll, action))
        return self.match.label(action)

    def is_terminal(self) -> bool:
        return self.match.over

    def returns(self) -> list[float]:
        return self.match.compute_returns()

    def __str__(self) -> str:
        return self.match.setting.eyes.format_state(self.match.state)


class RulewrightObserver:
    """An observer of a state for a player, in OpenSpiel's interface.

    If nothing is hidden, everything is public. Otherwise it shows a player's information. Without private information
    it shows a spectator's, and with that of all players everything.
    """

    def __init__(self, setting: GameSetting, *, public: bool, recalls: bool, private: Any) -> None:
        self.eyes = setting.eyes
        self.features = setting.features
        self.public = public
        self.recalls = recalls
        self.private = private
        described = 0 if self.features is None else self.features.rows * self.features.width
        self.tensor = np.zeros(self.eyes.size + described if public and not recalls else 0, np.float32)
        self.dict = {"observation": self.tensor[: self.eyes.size]} if self.tensor.size else {}
        if self.tensor.size and self.features is not None:
            shape = (self.features.rows, self.features.width)
            self.dict["option_features"] = self.tensor[self.eyes.size :].reshape(shape)

    def set_from(self, state: RulewrightState, player: int) -> None:
        """Write the observation of `player` to `tensor`, and thus to `dict`. An empty tensor stays empty."""
        if not self.tensor.size:
            return
        self.dict["observation"][:] = self.eyes.encode(state.match.state, player)
        if self.features is not None:
            rows = self.dict["option_features"]
            rows[:] = 0
            if player == state.match.player and (described := self.features.encode(state.match.state)):
                rows[: len(described)] = described

    def string_from(self, state: RulewrightState, player: int) -> str:
        """Return the observation of `player` as text, or "" if the observer shows no information.

        It is the whole state if the rules hide nothing or the observer has the private information of all players. With
        that of none, it is what a spectator sees.
        """
        if not self.public and (not self.eyes.hides or self.private == pyspiel.PrivateInfoType.NONE):
            return ""
        if not self.eyes.hides or self.private == pyspiel.PrivateInfoType.ALL_PLAYERS:
            return str(state.history_str()) if self.recalls else str(state)
        viewer = None if self.private == pyspiel.PrivateInfoType.NONE else player
        return state.match.describe_view(viewer) if self.recalls else self.eyes.format_view(state.match.state, viewer)


def load_game(
    ruleset: str,
    *,
    players: int | None = None,
    options: Mapping[str, str] | None = None,
    rules: Folders = (),
    **parameters: Any,
) -> RulewrightGame:
    """Return the game of a ruleset's reference. Other `parameters` are those in the description of the module.

    Raises `DiagnosticError` for a missing or invalid ruleset, `GameError` for an invalid argument, `RulewrightError` if
    `rules` are not folders, and `RulesFault` if the rules fail before the first decision.
    """
    unknown = sorted(parameters.keys() - _PARAMETERS.keys())
    if unknown:
        raise GameError(f"there is no parameter {', '.join(unknown)}; the parameters are {', '.join(_PARAMETERS)}")
    if not isinstance(options, Mapping | None):
        raise GameError(f"`options` must be a mapping from settings to choices, not {quote_value(options)}")
    written: dict[str, Any] = {
        "ruleset": ruleset,
        "players": players or 0,
        "options": "+".join(f"{name}:{choice}" for name, choice in (options or {}).items()),
        "rules": os.pathsep.join(map(str, list_folders(rules))),
        **parameters,
    }
    return RulewrightGame(written)


def _options(written: str) -> dict[str, str]:
    """Return the choices by setting. Raises `GameError` if the text does not have the form of the parameter."""
    results = {}
    for each in filter(None, written.split("+")):
        name, colon, choice = each.partition(":")
        if not colon:
            raise GameError(f"`options` must have the form setting:choice+setting:choice, not {written!r}")
        results[name] = choice
    return results


pyspiel.register_game(_game_type(None, "explicit"), RulewrightGame)
