"""Bots, one module each: policies that play any game without knowing it.

A bot is a module with `HELP`, a sentence, and `make(ruleset, generator, setting) -> Policy`. A bot draws from a stream
of random numbers of its own and never sees the game's. One that judges positions says so by `JUDGES`, and `make` is
given `judge` besides: a way to judge that was learned (`weights:`), or nothing for the ruleset's own formula. One whose
setting is a number says by `MOST` how large it may be. One that is written a second time, in the runtime of modules
(`engine/runtime`: `bots.c`, `search.c`), says so by `inside(setting)`: its number there and its setting as a number, or
None. Where something is hidden, a bot that looks ahead looks at what might be (`telling.guess`), and never at what its
player may not see.
"""

from __future__ import annotations

from types import FunctionType
from typing import Protocol, cast

from rulewright.base.errors import RulewrightError
from rulewright.base.plugins import BROKEN_HELP, Broken, PluginFolder
from rulewright.engine.game.game_settings import refuse_ruleset, refuse_seed
from rulewright.engine.narration.redaction import analyze_sight
from rulewright.engine.state.game_state import State
from rulewright.engine.state.machine import stream
from rulewright.engine.wasm_backend.native_bots import ANYTHING, Bot
from rulewright.ruleset.ruleset import Ruleset
from rulewright.source.diagnostics.excerpt import quote_value
from rulewright.source.diagnostics.suggestions import suggest_name

FOLDER = PluginFolder(__name__, "the bot", HELP=str, make=FunctionType)

LEARNED = "trained"
"""The bot that always judges by what was learned."""


class Policy(Protocol):
    """Chooses: given a state at a decision of its player's, the number of an option. It leaves the state alone."""

    def __call__(self, state: State, /) -> int: ...


def list_names() -> list[str]:
    """Return the bots there are."""
    return FOLDER.list_names()


def get_help(name: str) -> str:
    """Return what a bot does, in a sentence."""
    module = FOLDER.load(name)
    return BROKEN_HELP if isinstance(module, Broken) else cast(str, module.HELP)


def judges_positions(name: str) -> bool:
    """Return whether a bot judges positions."""
    return bool(getattr(FOLDER.require(name), "JUDGES", False))


def find_limit(name: str) -> int:
    """Return the largest number that may follow the name of a bot; 0 where none may."""
    most: int = getattr(FOLDER.require(name), "MOST", 0)
    return most


def inside(name: str, ruleset: Ruleset, *, guessing: bool = False) -> Bot | None:
    """Return the number of a bot in the module of a ruleset and its setting; None where it plays outside alone.

    There, bots look at the game as it is, unless their host is `guessing` for them what is hidden, as that of an export
    does: else, who thinks about a game in which something is hidden plays outside.
    """
    kind, setting, judge = split_name(name, ruleset)
    known = getattr(FOLDER.require(kind), "inside", None)
    found: tuple[int, int] | None = None if known is None else known(setting)
    if found is None or (found[0] != ANYTHING and not guessing and not analyze_sight(ruleset).everything):
        return None
    if not judge:
        return Bot(*found)
    worths = tuple(term.worth for term in ruleset.weights[judge].terms.values())
    return Bot(*found, [*ruleset.weights].index(judge), worths)


def split_name(name: str, ruleset: Ruleset) -> tuple[str, str, str]:
    """Return what the name of a bot says.

    Its kind, its setting, and the way to judge, if it names one that was learned.

    `mcts:200:trained` has all three. One who judges, of rules that have no formula for it, judges by what was learned
    first. Raises `RulewrightError` for a bot that needs something learned where there is nothing.
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


def make(name: str, ruleset: Ruleset, *, seed: int | str, seat: int) -> Policy:
    """Return the bot `name` in a seat. `name` may carry a setting of the bot's, as in `mcts:200`.

    Raises `RulewrightError` if there is no such bot or seat, or if the ruleset lacks what the bot needs.
    """
    if not isinstance(name, str):
        raise RulewrightError(f"a bot name must be a string such as {list_names()[0]!r}, not {quote_value(name)}")
    refuse_ruleset(ruleset, "what a bot plays is given")
    refuse_seed(seed)
    most = ruleset.players[1]
    if type(seat) is not int or not 1 <= seat <= most:
        raise RulewrightError(
            f"the seats of {ruleset.title} are numbered from 1 to {most}, so {quote_value(seat)} is not a seat"
        )
    kind = name.partition(":")[0]
    if kind not in list_names():
        hint = suggest_name(kind, list_names())
        raise RulewrightError(f"there is no bot `{kind}`; {hint or 'there is ' + ', '.join(list_names())}")
    kind, setting, judge = split_name(name, ruleset)
    module = FOLDER.require(kind)
    given = (judge,) if judges_positions(kind) else ()
    policy: Policy = module.make(ruleset, stream(seed, seat), setting, *given)
    return policy
