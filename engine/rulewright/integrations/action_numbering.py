"""The numbering of actions, equal in every game, run and platform.

Every decision in the rules is a step. If the rules fix which options it can ever offer (`option_ranges`), each option
has its own number with a fixed meaning. These numbers follow the order of the steps and of their options. Other options
share the numbers after them, and such a number is the index of the option. `option_features` describes these options.

Objects have numbers of their own if the set-up creates all objects of their kind before the first roll or decision.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from itertools import combinations, combinations_with_replacement, product
from math import comb, prod
from typing import Any

from rulewright.engine.game.game_error import GameError
from rulewright.engine.state.game_state import State
from rulewright.ir.analyses import option_ranges as r
from rulewright.ir.program import build_program
from rulewright.language.checked_steps import Step
from rulewright.language.declarations import FIRST_PLAYER, PLAYER_KIND, Declarations
from rulewright.language.lowering import asks_player, find_called_procedure
from rulewright.ruleset.ruleset import Ruleset

MOST_FIXED = 8192
"""The maximum number of options with numbers of their own in one decision, if they are numbers or combinations.

Ids, rows, players and objects always have their own numbers.
"""

MOST_ELEMENTS = 16
"""The maximum size of the subsets that have numbers of their own. The C runtime has the same limit."""


class OutsideRangeError(GameError):
    """An option is not among those that the analysis of the rules expects."""


@dataclass(frozen=True, slots=True)
class OptionSet:
    """The options of a decision, in the order of their numbers.

    The parts repeat the structure of the range for other implementations of the numbering.

    Attributes:
        range: The range of the options.
        values: All options. A subset is a tuple in the order of the elements.
        inner: The sets of which a record, a subset or an optional value consists.
    """

    range: r.OptionRange
    values: tuple[Any, ...]
    inner: tuple[OptionSet, ...] = ()


@dataclass(frozen=True, slots=True)
class FixedNumbers:
    """The numbers of one decision's options: `first`, and then in the order of the options.

    `order` has the position of each element if the options are subsets. Lists of the same elements in another order
    have the same number.
    """

    options: OptionSet
    first: int
    numbers: Mapping[Any, int]
    order: Mapping[Any, int] | None = None

    def find(self, value: Any) -> int | None:
        """Return the number of an option, or None if it is outside of the range."""
        if self.order is not None and value is not None:
            if any(each not in self.order for each in value):
                return None
            value = tuple(sorted(value, key=self.order.__getitem__))
        return self.numbers.get(value)


@dataclass(frozen=True, slots=True)
class Actions:
    """The action numbers of a ruleset's options: `count` in total. Those from `shared` on are indices of options."""

    fixed: Mapping[int, FixedNumbers]
    shared: int
    count: int

    @classmethod
    def for_ruleset(
        cls, ruleset: Ruleset, *, players: int, most_options: int, objects: Mapping[str, tuple[int, ...]] | None = None
    ) -> Actions:
        """Return the numbering for a number of players.

        `objects` has the numbers of all objects that a game can have, for the kinds of which that is known. If any
        decision has options that the rules do not fix, `most_options` numbers are added, shared by these decisions, by
        the index of the option.
        """
        known = {**(objects or {}), PLAYER_KIND: tuple(range(FIRST_PLAYER, FIRST_PLAYER + players))}
        ranges = r.find_option_ranges(ruleset)
        fixed: dict[int, FixedNumbers] = {}
        number, has_shared = 0, False
        for step in list_questions(ruleset):
            option_range = ranges[step.number]
            options = None if option_range is None else _list_options(option_range, ruleset.declarations, known)
            if options is None:
                has_shared = True
                continue
            fixed[step.number] = _number(options, number)
            number += len(options.values)
        return cls(fixed, number, number + (most_options if has_shared else 0))

    def list_legal(self, state: State) -> dict[int, int]:
        """Return the legal actions at a decision, in ascending order, each with the index of its option.

        Raises `GameError` if a decision has more options than shared numbers, and `OutsideRangeError` for an option
        without a number, which is a fault of the analysis.
        """
        known = self.fixed.get(state.frame[0])
        if known is None:
            if len(state.options) > self.count - self.shared:
                raise describe_too_many(state.machine.step(state), len(state.options), self.count - self.shared)
            return {self.shared + place: place for place in range(len(state.options))}
        places: dict[int, int] = {}
        for place, value in enumerate(state.options):
            number = known.find(value)
            if number is None:
                raise describe_outside(state.machine.step(state), place)
            places.setdefault(number, place)
        return dict(sorted(places.items()))


def describe_too_many(step: Step | None, count: int, room: int) -> GameError:
    """Return the error for a decision with more options than shared numbers."""
    rule = step.rule if step is not None else "a step"
    return GameError(f"{rule} offers {count} options, but there is room for {room}: raise `most_options`")


def describe_outside(step: Step | None, place: int) -> OutsideRangeError:
    """Return the error for an option, by its index, that is not among those that a decision should be able to offer."""
    rule = step.rule if step is not None else "a step"
    return OutsideRangeError(
        f"option {place + 1} of {rule} is not among the options that the rules allow there, so it has no number. "
        "This is a fault of Rulewright: please report it"
    )


def list_questions(ruleset: Ruleset) -> list[Step]:
    """Return every step that asks a player, in the order of the rules."""
    return [step for step in ruleset.steps.values() if asks_player(step)]


def list_set_up_objects(ruleset: Ruleset, state: State) -> dict[str, tuple[int, ...]]:
    """Return the numbers of all objects that any game has, for each kind to which none can be added.

    `state` is a new game at its first pause point. Up to there, all games with the same number of players and the same
    settings are the same.
    """
    procedure, stack = state.root, []
    for frame in state.stack:
        stack.append((procedure, frame[0]))
        step = ruleset.steps.get(frame[0])
        procedure = find_called_procedure(step) if step is not None else ""
    later = r.find_later_creations(build_program(ruleset), stack)
    names = state.machine.layout.names
    return {name: state.live[number] for number, name in enumerate(names) if number and name not in later}


def _list_options(
    option_range: r.OptionRange, declarations: Declarations, objects: Mapping[str, tuple[int, ...]]
) -> OptionSet | None:
    """Return all options of a range, or None if there are too many or the game determines them.

    The option None is the last one of an optional range.
    """
    values: Iterable[Any]
    inner: tuple[OptionSet, ...] = ()
    match option_range:
        case r.OptionalRange(inner=each):
            options = _list_options(each, declarations, objects)
            if options is None:
                return None
            return OptionSet(option_range, (*options.values, None), (options,))
        case r.IdRange(ids=ids):
            values = ids
        case r.RowRange(table=table):
            values = declarations.tables[table].rows
        case r.ObjectRange(kind=kind):
            if kind not in objects:
                return None
            values = objects[kind]
        case r.TruthRange():
            values = (False, True)
        case r.NumberRange(low=low, high=high):
            if high - low >= MOST_FIXED:
                return None
            values = range(low, high + 1)
        case r.RecordRange(parts=parts):
            sets = [_list_options(part, declarations, objects) for part in parts]
            inner = tuple(each for each in sets if each is not None)
            if len(inner) < len(sets) or prod(len(each.values) for each in inner) > MOST_FIXED:
                return None
            values = product(*(each.values for each in inner))
        case r.SubsetRange():
            return _list_subsets(option_range, declarations, objects)
        case _:
            raise AssertionError(option_range)
    return OptionSet(option_range, tuple(values), inner)


def _list_subsets(
    option_range: r.SubsetRange, declarations: Declarations, objects: Mapping[str, tuple[int, ...]]
) -> OptionSet | None:
    """Return all subsets of a range, by size, and those of the same size by their last elements.

    This order has a closed form for the position of a subset (the combinatorial number system). None if there are too
    many, or if the game determines the elements or their number.
    """
    elements = _list_options(option_range.inner, declarations, objects)
    if elements is None:
        return None
    count = len(elements.values)
    high = option_range.high if option_range.high is not None or option_range.repeats else count
    if high is None:
        return None
    if not option_range.repeats:
        high = min(high, count)
    sizes = range(option_range.low, high + 1)
    if (
        high > MOST_ELEMENTS
        or sum(count_subsets(count, size, repeats=option_range.repeats) for size in sizes) > MOST_FIXED
    ):
        return None
    choose = combinations_with_replacement if option_range.repeats else combinations
    places = [each for size in sizes for each in sorted(choose(range(count), size), key=lambda own: own[::-1])]
    values = tuple(tuple(elements.values[place] for place in each) for each in places)
    return OptionSet(
        r.SubsetRange(option_range.inner, option_range.low, high, option_range.repeats), values, (elements,)
    )


def count_subsets(count: int, size: int, *, repeats: bool) -> int:
    """Return the number of subsets of a size, of `count` elements."""
    return comb(count + size - 1, size) if repeats and size else comb(count, size)


def _number(options: OptionSet, first: int) -> FixedNumbers:
    """Return the numbers of options, from `first` on."""
    subsets = options.inner[0] if isinstance(options.range, r.OptionalRange) else options
    order = None
    if isinstance(subsets.range, r.SubsetRange):
        order = {value: place for place, value in enumerate(subsets.inner[0].values)}
    return FixedNumbers(options, first, {value: first + at for at, value in enumerate(options.values)}, order)
