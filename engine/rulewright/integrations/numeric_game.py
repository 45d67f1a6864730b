"""A game with numbered actions and observations, the common base of the adapters for other libraries."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from os import fspath
from typing import Any

from rulewright.ai.solving.payoffs import compute_payoffs
from rulewright.base.errors import RulewrightError
from rulewright.dice.sampling.random_generator import Generator
from rulewright.engine.game.game import Game
from rulewright.engine.game.game_error import GameError
from rulewright.engine.game.script import draw_value
from rulewright.engine.narration.plain_names import build_option_id
from rulewright.engine.python_backend.compiler import PythonMachine, compile_ruleset
from rulewright.engine.state.game_state import CHANCE, DECISION, OVER, State
from rulewright.engine.state.savepoint import roll_back, set_savepoint
from rulewright.engine.state.state_json import from_json, to_json
from rulewright.integrations.action_numbering import Actions, list_set_up_objects
from rulewright.integrations.info_state_recorder import InfoStateRecorder, ToldEvents
from rulewright.integrations.observation import ObservationEncoder
from rulewright.integrations.option_features import OptionFeatures
from rulewright.language.declarations import FIRST_PLAYER
from rulewright.language.lowering import find_option_type
from rulewright.ruleset.editions.search_path import Folders, list_folders
from rulewright.ruleset.load_ruleset import load_ruleset
from rulewright.ruleset.ruleset import Ruleset
from rulewright.source.diagnostics.excerpt import quote_value

HORIZON = 10_000
"""The default number of choices and outcomes after which a game is aborted."""

MOST_BEFORE = 10_000
"""The number of outcomes before the first choice after which a game is aborted. The C runtime has the same limit."""

MOST_OPTIONS = 512
"""The default number of actions for options by index."""

MOST_OBJECTS = 16
"""The default number of objects of each kind in an observation."""


@dataclass(frozen=True, slots=True)
class GameSetting:
    """The common settings of games: rules, players, options and the encoding as numbers."""

    ruleset: Ruleset
    players: int
    options: Mapping[str, str]
    horizon: int
    rules: tuple[str, ...]
    machine: PythonMachine
    actions: Actions
    eyes: ObservationEncoder
    features: OptionFeatures | None

    @classmethod
    def for_ruleset(
        cls,
        ruleset: Ruleset | str,
        *,
        players: int | None = None,
        options: Mapping[str, str] | None = None,
        rules: Folders = (),
        horizon: int = HORIZON,
        most_options: int = MOST_OPTIONS,
        most_objects: int = MOST_OBJECTS,
        option_features: bool = False,
    ) -> GameSetting:
        """Return a setting for a ruleset or a reference, which is searched in the folders `rules` first.

        `players` is the number of players (default: the minimum), and `options` are choices by setting. A game is
        aborted after `horizon` choices and outcomes, counted from the first choice. `most_options` is the number of
        options that one decision has room for, and `most_objects` the number of objects of a kind in an observation.
        With `option_features`, observations describe options without action numbers of their own, if there can be any.

        Raises `DiagnosticError` for a missing or invalid ruleset, `GameError` for an invalid number of players,
        option or limit, `RulewrightError` if `rules` are not folders, and `RulesFault` if the rules fail before the
        first decision.
        """
        for name, number in (("horizon", horizon), ("most_options", most_options), ("most_objects", most_objects)):
            if type(number) is not int or number < 0:
                raise GameError(f"`{name}` must be a whole number of 0 or more, not {quote_value(number)}")
        loaded = load_ruleset(ruleset, rules=rules) if isinstance(ruleset, str) else ruleset
        game = Game(loaded, players=players, options=options)  # raises for invalid arguments
        eyes = ObservationEncoder(loaded, players=game.players, most_objects=most_objects)
        folders = tuple(fspath(folder) for folder in list_folders(rules))
        # With hidden information, events determine what each player knows.
        machine = compile_ruleset(loaded, recording=eyes.hides, undoable=True)
        first = machine.empty(game.players, options=game.options)
        first.events = [] if eyes.hides else None
        assert loaded.start is not None
        machine.begin(first, loaded.start, ())
        objects = list_set_up_objects(loaded, first)
        actions = Actions.for_ruleset(loaded, players=game.players, most_options=most_options, objects=objects)
        described = OptionFeatures(eyes, actions) if option_features and actions.count > actions.shared else None
        return cls(loaded, game.players, game.options, horizon, folders, machine, actions, eyes, described)

    def __reduce__(self) -> tuple[Any, ...]:
        # Other processes load the rules themselves.
        most_options = self.actions.count - self.actions.shared
        limits = (self.horizon, most_options or MOST_OPTIONS, self.eyes.most_objects, self.features is not None)
        key = (self.ruleset.reference, self.ruleset.digest, self.players)
        return _loaded, (*key, dict(self.options), self.rules, *limits)

    def start(self) -> NumericGame:
        """Return a new game at its first pause point. Raises `RulesFault` if the rules fail before it."""
        if not self.eyes.hides:
            return NumericGame(self, self.machine.new_game(self.players, options=self.options), 0)
        state = self.machine.empty(self.players, options=self.options)
        state.events = []
        witness = InfoStateRecorder(self.eyes.sight, ((),) * (self.players + 1), state)
        assert self.ruleset.start is not None
        self.machine.begin(state, self.ruleset.start, ())
        witness.read(state)
        return NumericGame(self, state, 0, witness)


class NumericGame:
    """A running game. Copies, deep or not, are independent.

    Its moves raise `RulesFault` if the rules fail, and the game is then unchanged.
    """

    __slots__ = ("moves", "setting", "state", "witness")

    def __init__(
        self, setting: GameSetting, state: State, moves: int, witness: InfoStateRecorder | None = None
    ) -> None:
        self.setting = setting
        self.state = state
        self.moves = moves
        """The number of choices and outcomes from the first choice on. Before it, minus the number of outcomes."""
        self.witness = witness
        """The record of each player's observations, if information is hidden."""

    def __reduce__(self) -> tuple[Any, ...]:
        histories = None if self.witness is None else self.witness.histories
        return _restored, (self.setting, to_json(self.state), self.moves, histories)

    def __copy__(self) -> NumericGame:
        witness = None if self.witness is None else self.witness.copy()
        return NumericGame(self.setting, self.state.clone(), self.moves, witness)

    def __deepcopy__(self, memo: dict[int, Any]) -> NumericGame:
        return self.__copy__()

    @property
    def over(self) -> bool:
        """Whether the game has ended or was aborted."""
        return self.state.mode == OVER or self.moves >= self.setting.horizon or self.moves <= -MOST_BEFORE

    @property
    def player(self) -> int | None:
        """The deciding player, from 0. None at a chance event and at the end."""
        return self.state.who - FIRST_PLAYER if self.state.mode == DECISION and not self.over else None

    def list_legal(self) -> list[int]:
        """Return the numbers of the legal options in ascending order. Empty without a pending decision."""
        return list(self.setting.actions.list_legal(self.state)) if self.player is not None else []

    def choose(self, number: int, *, dice: Generator | None = None) -> None:
        """Take the option with a number. With `dice`, also resolve all chance events up to the next decision.

        Raises `KeyError` for a number that is not offered, `GameError` as `Actions.list_legal` does, and `RulesFault`
        if the rules fail. The game is then unchanged.
        """
        place = self.setting.actions.list_legal(self.state)[number]
        with self._move(dice):
            self.state.apply(place)
            self.moves = max(self.moves, 0) + 1
            self._listen()
            self._roll_on(dice)

    def come_up(self, outcome: Any) -> None:
        """Resolve the pending chance event with an outcome."""
        with self._move(None):
            self._come_up(outcome)

    def roll_on(self, dice: Generator) -> None:
        """Resolve chance events with `dice` up to the next decision or the end."""
        with self._move(dice):
            self._roll_on(dice)

    @contextmanager
    def _move(self, dice: Generator | None) -> Iterator[None]:
        """Make a move atomic: restore the game, the dice and the record after any exception."""
        savepoint, moves = set_savepoint(self.state), self.moves
        histories = self.witness.histories if self.witness is not None else ()
        words = 0 if dice is None else dice.index
        try:
            yield
        except BaseException:
            roll_back(self.state, savepoint)
            self.moves = moves
            if dice is not None:
                dice.index = words
            if self.witness is not None:
                self.witness = InfoStateRecorder(self.witness.sight, histories, self.state)
            raise

    def _roll_on(self, dice: Generator | None) -> None:
        while dice is not None and self.state.mode == CHANCE and not self.over:
            self._come_up(draw_value(self.state.roll, dice))

    def _come_up(self, outcome: Any) -> None:
        self.state.apply_outcome(outcome)
        self.moves += 1 if self.moves > 0 else -1
        self._listen()

    def _listen(self) -> None:
        if self.witness is not None:
            self.witness.read(self.state)

    def describe_view(self, player: int | None) -> str:
        """Return everything that a player (from 0) or a spectator (None) has observed and sees now.

        Requires a game with hidden information.
        """
        assert self.witness is not None
        history = self.witness.histories[-1 if player is None else player]
        return "\n".join([*history, self.setting.eyes.format_view(self.state, player)])

    def label(self, number: int) -> str:
        """Return a label for the option with a number: the ids of its step and of the option."""
        place = self.setting.actions.list_legal(self.state)[number]
        step = self.state.machine.step(self.state)
        assert step is not None
        return f"{step.id}: {build_option_id(self.state.options[place], find_option_type(step))}"

    def compute_returns(self) -> list[float]:
        """Return the payoff of each player as `compute_payoffs` defines it, or 0 while the game is running."""
        return list(compute_payoffs(self.state)) if self.state.mode == OVER else [0.0] * self.setting.players


_SETTINGS: dict[tuple[Any, ...], GameSetting] = {}


def _loaded(reference: str, digest: str, players: int, options: dict[str, str], *rest: Any) -> GameSetting:
    """Return the setting with these values, which another process has sent. It is loaded once and then reused.

    Raises `RulewrightError` if the rules here have another digest, and the exceptions of `GameSetting.for_ruleset`.
    """
    key = (reference, digest, players, tuple(options.items()), *rest)
    if key not in _SETTINGS:
        rules, horizon, most_options, most_objects, option_features = rest
        setting = GameSetting.for_ruleset(
            reference,
            players=players,
            options=options,
            rules=rules,
            horizon=horizon,
            most_options=most_options,
            most_objects=most_objects,
            option_features=option_features,
        )
        if setting.ruleset.digest != digest:
            raise RulewrightError(
                f"{reference} has other rules here: its gameplay digest is {setting.ruleset.digest}, not {digest}"
            )
        _SETTINGS[key] = setting
    return _SETTINGS[key]


def _restored(setting: GameSetting, data: dict[str, Any], moves: int, histories: ToldEvents | None) -> NumericGame:
    """Return a game from its data. `histories` are the lines of each viewer, or None if the rules hide nothing.

    Raises the exceptions of `from_json`.
    """
    state = from_json(setting.machine, data)
    if histories is None:
        return NumericGame(setting, state, moves)
    state.events = []
    return NumericGame(setting, state, moves, InfoStateRecorder(setting.eyes.sight, histories, state))
