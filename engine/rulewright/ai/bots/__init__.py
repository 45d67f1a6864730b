"""Bots, one module each, which play any game without knowledge specific to it.

A bot module defines `HELP`, a sentence, and `make(ruleset, generator, setting) -> Policy`. A bot draws random numbers
from a stream of its own and cannot see those of the game. With hidden information, a bot that looks ahead searches
possible states (`engine/narration/determinize.py`), never the actual one.

A policy whose memory is more than the index of the generator has a property `position`, an integer or a string of it,
which can be set.

These definitions are optional. A module that evaluates positions sets `JUDGES`. Its `make` then also takes `judge`, the
id of a learned evaluation (`weights:`), or "" for the ruleset's own formula. A module with a numeric setting defines
its maximum as `MOST`. A module whose bot may be chosen for a game names settings of it to try as `CANDIDATES`, and
estimates their cost with `estimate_cost(setting, length, judged)`. A module with a second implementation in the
WebAssembly runtime (`engine/runtime`, in `bots.c` and `mcts.c`) defines `inside(setting)`, which returns the bot's
number there and its setting as a number, or None.
"""

from __future__ import annotations

from types import FunctionType
from typing import Any, Protocol, cast

from rulewright.base.errors import RulewrightError
from rulewright.base.plugins import BROKEN_HELP, Broken, PluginFolder
from rulewright.engine.game.game import Game
from rulewright.engine.game.game_settings import refuse_ruleset, refuse_seed
from rulewright.engine.state.game_state import DECISION, State
from rulewright.engine.state.machine import stream
from rulewright.engine.wasm_backend.native_bots import Bot
from rulewright.ruleset.ruleset import Ruleset
from rulewright.source.diagnostics.excerpt import quote_value
from rulewright.source.diagnostics.suggestions import suggest_name

FOLDER = PluginFolder(__name__, "the bot", HELP=str, make=FunctionType)

LEARNED = "trained"
"""The name of the bot that uses a learned evaluation."""


class Policy(Protocol):
    """A function that chooses an option, given a state at a decision of its player. It does not change the state."""

    def __call__(self, state: State, /) -> int: ...


class SeatedBot:
    """A bot in a seat: a policy that also takes a `Game`. `name` is its name and setting, as in `mcts:200`.

    Copies and pickles continue on their own from the position of the original. A pickle contains the ruleset.
    """

    __slots__ = ("_generator", "_made_from", "_policy", "name")

    def __init__(self, name: str, ruleset: Ruleset, *, seed: int | str, seat: int) -> None:
        """Create the policy. Raises `RulewrightError` as `make` does."""
        if not isinstance(name, str):
            raise RulewrightError(f"a bot name must be a string such as {list_names()[0]!r}, not {quote_value(name)}")
        refuse_ruleset(ruleset, "a bot is created")
        refuse_seed(seed)
        most = ruleset.players[1]
        if type(seat) is not int or not 1 <= seat <= most:
            raise RulewrightError(
                f"the seats of {ruleset.title} are numbered from 1 to {most}, so {quote_value(seat)} is not a seat"
            )
        kind = name.partition(":")[0]
        if not FOLDER.has(kind):
            hint = suggest_name(kind, list_names())
            raise RulewrightError(f"there is no bot `{kind}`; {hint or 'there is ' + ', '.join(list_names())}")
        self.name = name
        self._made_from = (name, ruleset, seed, seat)
        kind, setting, judge = split_name(name, ruleset)
        given = (judge,) if judges_positions(kind) else ()
        self._generator = stream(seed, seat)
        self._policy: Policy = FOLDER.require(kind).make(ruleset, self._generator, setting, *given)

    def __call__(self, state: State | Game, /) -> int:
        """Return the index of an option.

        Raises `RulewrightError` if no decision is pending, or if a `Game` has other rules than those of the bot.
        """
        if isinstance(state, Game):
            self._refuse_other_rules(state.ruleset)
            state = state.state
        if state.mode != DECISION:
            raise RulewrightError("no decision is pending, so the bot has nothing to choose")
        return self._policy(state)

    def _refuse_other_rules(self, ruleset: Ruleset) -> None:
        own = self._made_from[1]
        if ruleset is not own and ruleset.digest != own.digest:
            raise RulewrightError(
                f"the game has other rules than {own.reference}, for which the bot `{self.name}` was created; "
                "create a bot with the rules of the game"
            )

    @property
    def position(self) -> int | str:
        """What the bot remembers: how much of its random stream it has used. Store it next to a save.

        A new bot with the same name, seed and seat continues there if you set it. It is an integer, or a string for
        `solved` in a game with hidden information, which also remembers its choices. Setting anything else raises
        `RulewrightError`.
        """
        position: int | str = getattr(self._policy, "position", self._generator.index)
        return position

    @position.setter
    def position(self, position: int | str) -> None:
        holder, place = (self._policy, "position") if hasattr(self._policy, "position") else (self._generator, "index")
        try:
            if type(position) not in (int, str):
                raise ValueError
            setattr(holder, place, position)
        except (TypeError, ValueError):
            raise RulewrightError(
                f"a position must be one that the bot `{self.name}` returned, not {quote_value(position)}"
            ) from None

    def __copy__(self) -> SeatedBot:
        return _restore_bot(*self._made_from, self.position)

    def __deepcopy__(self, memo: dict[int, Any]) -> SeatedBot:
        return self.__copy__()

    def __reduce__(self) -> tuple[object, ...]:
        return _restore_bot, (*self._made_from, self.position)


def _restore_bot(name: str, ruleset: Ruleset, seed: int | str, seat: int, position: int | str) -> SeatedBot:
    bot = SeatedBot(name, ruleset, seed=seed, seat=seat)
    bot.position = position
    return bot


def list_names() -> list[str]:
    """Return the names of all bots."""
    return FOLDER.list_names()


def get_help(name: str) -> str:
    """Return a one-sentence description of a bot."""
    module = FOLDER.load(name)
    return BROKEN_HELP if isinstance(module, Broken) else cast(str, module.HELP)


def judges_positions(name: str) -> bool:
    """Return whether a bot evaluates positions."""
    return bool(getattr(FOLDER.require(name), "JUDGES", False))


def find_limit(name: str) -> int:
    """Return the largest number that may follow the name of a bot, or 0 if the bot takes no number."""
    most: int = getattr(FOLDER.require(name), "MOST", 0)
    return most


def list_candidates(kind: str) -> tuple[str, ...]:
    """Return the names of a kind of bot, with settings, that a search for a strong player tries."""
    candidates: tuple[str, ...] = getattr(FOLDER.require(kind), "CANDIDATES", ())
    return candidates


def estimate_cost(name: str, ruleset: Ruleset, length: float) -> float:
    """Return about how much work a bot does for a decision, in decisions of `greedy`.

    `length` is the number of decisions in a game. Raises `RulewrightError` for an unknown bot and for one without an
    estimate, and `ValueError` if the estimate depends on a budget that is missing or not a number.
    """
    kind, _, setting = name.partition(":")
    module = FOLDER.require(kind)
    if not hasattr(module, "estimate_cost"):
        raise RulewrightError(f"the cost of the bot `{kind}` is not known")
    has_evaluation = ruleset.evaluate is not None or bool(ruleset.weights)
    return float(module.estimate_cost(setting, length, judged=has_evaluation))


def inside(name: str, ruleset: Ruleset) -> Bot | None:
    """Return a bot's number, setting and evaluation in the WebAssembly module, or None if it runs only in Python.

    Raises `RulewrightError` for an unknown bot, an invalid setting, or `trained` without a learned evaluation.
    """
    kind, setting, judge = split_name(name, ruleset)
    known = getattr(FOLDER.require(kind), "inside", None)
    numbers: tuple[int, int] | None = None if known is None else known(setting)
    if numbers is None:
        return None
    if not judge:
        return Bot(*numbers)
    weights = tuple(term.worth for term in ruleset.weights[judge].terms.values())
    return Bot(*numbers, [*ruleset.weights].index(judge), weights)


def split_name(name: str, ruleset: Ruleset) -> tuple[str, str, str]:
    """Return the three parts of a bot name, which are its kind, its setting and the id of a learned evaluation.

    `mcts:200:trained` has all three. A last part that is no learned evaluation of the ruleset stays in the setting. If
    the name has no evaluation, the first learned one applies to the bot `trained`, and to others if the ruleset has no
    `evaluate` formula. The last part is "" if none applies, or if the bot does not evaluate positions.

    Raises `RulewrightError` for an unknown or broken bot, and for `trained` if the ruleset has no learned evaluation.
    """
    kind, _, setting = name.partition(":")
    if not judges_positions(kind):
        return kind, setting, ""
    rest, _, judge = setting.rpartition(":")
    if judge in ruleset.weights:
        return kind, rest, judge
    if not ruleset.weights:
        if kind == LEARNED:
            raise RulewrightError(
                f"no bot has been trained for {ruleset.reference} yet: run `rulewright train {ruleset.name}`"
            )
        return kind, setting, ""
    return kind, setting, next(iter(ruleset.weights)) if kind == LEARNED or ruleset.evaluate is None else ""


def make(name: str, ruleset: Ruleset, *, seed: int | str, seat: int) -> SeatedBot:
    """Return the bot `name` in a seat, a function of a game at a decision that returns the index of an option.

    The name may include a setting, as in `mcts:200`. The bot also takes a `Game.state`. It does not change the game.
    The seed determines the bot's random numbers. A save does not contain `position`, so store it next to the save if
    the bot must continue there.

    Raises `RulewrightError` if there is no such bot or seat, for an invalid setting or seed, or if the ruleset lacks
    something that the bot requires. The bot itself raises it if no decision is pending.
    """
    return SeatedBot(name, ruleset, seed=seed, seat=seat)
