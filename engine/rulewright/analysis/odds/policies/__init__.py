"""Policies that make decisions in a computation of odds, one module each.

A policy module has `HELP`, a sentence, and `make(ruleset, setting) -> Choose`. For a state with a pending decision, the
resulting function returns the options to take with their probabilities, or a request to find the best option. It draws
no random numbers, because each possible option becomes a branch, and it treats equal positions alike. A policy that
looks ahead sets `SEEKS = True`. Its choices depend on everything that follows, so its odds cannot be sampled. A policy
that depends only on the available options sets `OFFERED = True`, and hosts without Python can use it too (`odds.js`).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from types import FunctionType
from typing import Any, cast

from rulewright.analysis.odds.state_graph import ONE, DecisionPolicy
from rulewright.base.errors import RulewrightError
from rulewright.base.plugins import BROKEN_HELP, Broken, PluginFolder
from rulewright.engine.state.game_state import State
from rulewright.ruleset.queries.decisions import DecisionSteps
from rulewright.ruleset.ruleset import Ruleset
from rulewright.source.diagnostics.suggestions import suggest_name
from rulewright.source.yaml.core_schema import parse_whole_number

Choose = Callable[[State], DecisionPolicy]

FOLDER = PluginFolder(__name__, "the policy", HELP=str, make=FunctionType)

STANDARD = "random"
"""The default policy."""


def list_names() -> list[str]:
    """Return the names of all policies."""
    return FOLDER.list_names()


def get_help(name: str) -> str:
    """Return the one-sentence description of a policy."""
    module = FOLDER.load(name)
    return BROKEN_HELP if isinstance(module, Broken) else cast(str, module.HELP)


def looks_ahead(name: str) -> bool:
    """Return whether a policy looks ahead. The name may include a setting.

    Raises `RulewrightError` for an unknown policy.
    """
    kind = name.partition(":")[0]
    return bool(getattr(FOLDER.require(kind), "SEEKS", False))


def by_what_is_offered(name: str) -> bool:
    """Return whether a policy depends only on the available options. The name may include a setting.

    False for an unknown policy.
    """
    kind = name.partition(":")[0]
    return kind in list_names() and bool(getattr(FOLDER.require(kind), "OFFERED", False))


def make(name: str, ruleset: Ruleset) -> Choose:
    """Return the policy `name`, which may include a setting, as in `take:fight`.

    Raises `RulewrightError` if there is no such policy, or if its setting or the ruleset does not fit it.
    """
    kind, _, setting = name.partition(":")
    if kind not in list_names():
        hint = suggest_name(kind, list_names())
        raise RulewrightError(f"there is no policy `{kind}`; {hint or 'there is ' + ', '.join(list_names())}")
    result: Choose = FOLDER.require(kind).make(ruleset, setting)
    return result


def refuse_setting(name: str, setting: str) -> None:
    """Raise `RulewrightError` if a policy without settings was given one."""
    if setting:
        raise RulewrightError(f"`{name}` takes no setting, so `{name}:{setting}` is not valid")


@dataclass(slots=True)
class Policies:
    """A default policy, with overrides for single players (by seat) and steps (by number).

    A policy for a step has precedence over a policy for a player.
    """

    ruleset: Ruleset
    everybody: Choose
    players: Mapping[int, Choose] = field(default_factory=dict)
    steps: Mapping[int, Choose] = field(default_factory=dict)

    def __call__(self, state: State) -> DecisionPolicy:
        """Return the policy's answer to the pending decision of a state."""
        choose = self.steps.get(state.frame[0]) or self.players.get(state.live[1].index(state.who) + 1)
        return (choose or self.everybody)(state)


def read_policies(written: Sequence[str], ruleset: Ruleset, *, players: int) -> Policies:
    """Return policies from their command-line form: `best`, `2=worst`, `attack.strike=most`.

    All others get the standard policy. `players` is the number of players. Raises `RulewrightError` for an unknown
    policy, player or step, for an invalid setting, and for two policies of the same one.
    """
    everybody = make(STANDARD, ruleset)
    seats: dict[int, Choose] = {}
    steps: dict[int, Choose] = {}
    covered: set[str] = set()
    for text in written:
        whose, equals, name = text.partition("=")
        whom = whose.strip() if equals else ""
        if whom in covered:
            of = f"of `{whom}`" if whom else "of everybody"
            raise RulewrightError(f"two policies {of}: remove one of them")
        covered.add(whom)
        if not equals:
            everybody = make(whose.strip(), ruleset)
        elif (seat := parse_whole_number(whose)) is not None:
            seats[_seat(seat, players)] = make(name.strip(), ruleset)
        else:
            for number in _steps(whose.strip(), ruleset):
                steps[number] = make(name.strip(), ruleset)
    return Policies(ruleset, everybody, seats, steps)


def _seat(seat: int, most: int) -> int:
    if not 1 <= seat <= most:
        raise RulewrightError(f"there is no player {seat}: seats are numbered from 1 to {most}")
    return seat


def _steps(name: str, ruleset: Ruleset) -> list[int]:
    """Return the numbers of the decision steps with this id, with or without the procedure.

    Raises `RulewrightError`, with the nearest name as a hint, if there is none.
    """
    numbers = ruleset.get_part(DecisionSteps, name).numbers
    if name not in numbers:
        known = ruleset.get_or_make(DecisionSteps).numbers
        hint = suggest_name(name, known)
        raise RulewrightError(f"no step `{name}` asks for a decision; {hint or 'name a step that asks a player'}")
    return numbers[name]


def choose_extreme(options: Sequence[Any], *, greatest: bool) -> DecisionPolicy:
    """Return a policy for the first option with the largest or the smallest size.

    The size is a number itself or the length of a list. If no option has a size, the policy takes the first option.
    """
    sizes = [_size(option) for option in options]
    known = [size for size in sizes if size is not None]
    if not known:
        return DecisionPolicy([(0, ONE)])
    return DecisionPolicy([(sizes.index(max(known) if greatest else min(known)), ONE)])


def _size(option: Any) -> int | None:
    if isinstance(option, tuple):
        return len(option)
    return option if type(option) is int else None
