"""The numbers of agents for a `Game`: what a seat observes, and which action is which option.

An agent that has learned in an environment of this package can so play in a game with people, bots and saves.
"""

from __future__ import annotations

from typing import Any

from rulewright.engine.game.decision import Option, place_of
from rulewright.engine.game.game import Game, refuse_game
from rulewright.engine.game.game_error import GameError
from rulewright.engine.narration.plain_names import Names
from rulewright.engine.state.game_state import DECISION
from rulewright.integrations.action_numbering import describe_outside
from rulewright.integrations.numeric_game import GameSetting
from rulewright.source.diagnostics.excerpt import quote_value


class GameEncoder:
    """The observations and actions of games with one setting, with the same numbers as in every environment with it.

    >>> from rulewright import Game, load_ruleset
    >>> rules = load_ruleset("classics/tic-tac-toe@1.0")
    >>> game, encoder = Game(rules), GameEncoder(GameSetting.for_ruleset(rules))
    >>> len(encoder.observe(game, seat=1)), list(encoder.list_options(game))
    (30, [0, 1, 2, 3, 4, 5, 6, 7, 8])

    Args:
        setting: The setting of the environment in which the agent has learned, from `GameSetting.for_ruleset`.

    Raises:
        GameError: `setting` is anything else.
    """

    def __init__(self, setting: GameSetting) -> None:
        if not isinstance(setting, GameSetting):
            raise GameError(f"`setting` must come from `GameSetting.for_ruleset`, not {quote_value(setting)}")
        self.setting = setting

    def observe(self, game: Game, seat: int) -> list[float]:
        """Return what the player in a seat, from 1, observes of a game.

        Raises `GameError` for a game with other rules, players or settings, and for a seat that is not in the game.
        """
        self._refuse(game)
        if type(seat) is not int or not 1 <= seat <= game.players:
            raise GameError(f"`seat` must be from 1 to {game.players}, not {quote_value(seat)}")
        return self.setting.eyes.encode(game.state, seat - 1)

    def describe_options(self, game: Game) -> list[list[float]]:
        """Return the `option_features` of the pending decision, a row for each described option.

        Environments add rows of zeros. Empty without a pending decision, or without `option_features` in the setting.
        Raises `GameError` as `observe` does.
        """
        self._refuse(game)
        features = self.setting.features
        return [] if features is None or game.decision is None else features.encode(game.state)

    def list_options(self, game: Game) -> dict[int, Option]:
        """Return the legal actions in ascending order, each with its option. Empty without a pending decision.

        Raises `GameError` as `observe` does, and for more options than `most_options`.
        """
        self._refuse(game)
        decision = game.decision
        if decision is None:
            return {}
        legal = self.setting.actions.list_legal(game.state)
        return {number: decision.options[place] for number, place in legal.items()}

    def find_action(self, game: Game, option: Option | str | int) -> int:
        """Return the action of an option, which is given as for `Game.choose`.

        Raises `GameError` as `list_options` does, for an option that is not offered, and without a pending decision.
        """
        self._refuse(game)
        state, decision = game.state, game.decision
        step = state.machine.step(state)
        if decision is None or step is None or state.mode != DECISION:
            raise GameError("no decision is pending", code="not-pending")
        who = Names(game.ruleset).name_player(state.who)
        place = place_of(option, [each.id for each in decision.options], step, who)
        actions = self.setting.actions
        known = actions.fixed.get(state.frame[0])
        if known is None:
            return next(number for number, at in actions.list_legal(state).items() if at == place)
        number = known.find(state.options[place])
        if number is None:
            raise describe_outside(step, place)
        return number

    def _refuse(self, game: Any) -> None:
        """Raise `GameError` for anything but a game with this setting."""
        refuse_game(game)
        setting = self.setting
        expected = (setting.ruleset.digest, setting.players, dict(setting.options))
        if (game.ruleset.digest, game.players, game.options) != expected:
            raise GameError(
                f"the game has other rules, players or settings than {setting.ruleset.reference} with "
                f"{setting.players} players, for which this encoder is"
            )
