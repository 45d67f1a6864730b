"""What set-up gives to one player and not to the others: who decides first, who has most of something, who is named.

Nothing of this is declared. It is found in the positions in which games begin, after the rolls and draws of set-up.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, partial
from itertools import islice
from statistics import median_low
from typing import Any

from rulewright.ai import bots
from rulewright.analysis.simulation.shard import ANY, set_up_state
from rulewright.engine.narration.plain_names import Names
from rulewright.engine.python_backend.compiler import compile_ruleset
from rulewright.engine.state.game_state import DECISION, State
from rulewright.language.declarations import FIRST_PLAYER, GAME_KIND, PLAYER_KIND
from rulewright.language.lowering import asks_at_once
from rulewright.language.types import PLAYER, Boolean, Choice, Integer, ListOf, MapOf, Row, Type, present
from rulewright.ruleset.ruleset import Ruleset

MOST_DECISIONS = 500
"""The maximum number of decisions until every player has made one."""

MOST_VALUES = 16
"""The maximum number of different values of a field that are examined one by one, enough for the ranks of cards."""

_PLACES = ("first", "second", "third", "fourth", "fifth", "sixth")

FIRST = "order.1"
"""The id of the difference of deciding first."""

NAMED = f"values.{GAME_KIND}."
"""The beginning of the ids of players whom a field of the game names."""

CHECKED = 100
"""The number of games in which random choices show whether the order of decisions depends on them."""

FEWEST = 20
"""The minimum number of games in which one player has what the others do not."""


@dataclass(frozen=True, slots=True)
class SetupDifference:
    """Something that one player has and the others do not, or of which players have different amounts.

    Attributes:
        id: The id of its metric.
        does: The player in words, as in `decides first`, or `begins with 3 more gold than the other player`.
        holders: The seat of this player in each game, or None. Empty for an amount.
        amounts: What each seat has in each game, or None for a game without a decision. Empty unless it is an amount.
        lead: By how much a player typically exceeds the mean of the others, which is the amount that `does` names.
    """

    id: str
    does: str
    holders: tuple[int | None, ...]
    amounts: tuple[tuple[int, ...] | None, ...] = ()
    lead: float = 1

    @property
    def seat(self) -> int | None:
        """The seat that has it in every game, or None if it changes."""
        return self.holders[0] if len(set(self.holders)) == 1 and not self.amounts else None


def find_differences(
    ruleset: Ruleset, players: int, *, seed: int | str, games: int, options: Mapping[str, str], bot: str = ANY
) -> list[SetupDifference]:
    """Return what set-up gives to one player only, in the games with this seed and number of players.

    Leaves out what always goes to the same seat, which is then a matter of seats, except who decides first. Of things
    that always go together, only the first is returned. If the order of decisions depends on the choices, it is that of
    games in which `bot` plays in every seat. Raises `RulesFault` if the rules fail in set-up or in the first decisions.
    """
    begin = partial(begin_games, ruleset, players, seed=seed, options=options)
    # Who decides next hardly ever depends on the choices, so any bot will do.
    anybody: list[bots.Policy] = [bots.make(ANY, ruleset, seed=seed, seat=seat + 1) for seat in range(players)]
    chooses = players > 2 and any(_depends_on_choices(state, anybody) for state in begin(games=min(games, CHECKED)))

    def seat_bots(number: int) -> list[bots.Policy]:
        if not chooses:
            return anybody
        return [bots.make(bot, ruleset, seed=f"{seed}/{number}", seat=seat + 1) for seat in range(players)]

    begun = ((state, _list_deciders(state, seat_bots(number))) for number, state in enumerate(begin(games=games)))
    return collect_differences(begun, players, games)


def _depends_on_choices(state: State, policies: Sequence[bots.Policy]) -> bool:
    """Return whether two lines of play with random choices have different orders of the players' first decisions."""
    lines = (islice(_list_deciders(state.clone(), policies), MOST_DECISIONS) for _ in range(2))
    one, other = ([*dict.fromkeys(line)] for line in lines)
    return one != other


def collect_differences(
    begun: Iterable[tuple[State, Iterable[int]]], players: int, games: int
) -> list[SetupDifference]:
    """Return what set-up gives to one player only, as `find_differences` does, in `games` games that have begun.

    Each game is its position at the first decision, with the seats of its decisions in order, from 0. If players make
    the first decision at the same time, nobody decides first.
    """
    seats_by_name: dict[str, list[int | None]] = {}
    amounts: dict[str, list[tuple[int, ...] | None]] = {}
    words: dict[str, str] = {}
    for number, (state, deciders) in enumerate(begun):
        if state.mode != DECISION:
            # Without a decision, all differences are results.
            continue
        names = state.machine.ruleset.get_or_make(_SetupNames)
        for name, what, values in _list_amounts(state, range(players), names):
            words[name] = what
            amounts.setdefault(name, [None] * games)[number] = values
        holders = {f"values.{name}": (does, seat) for name, does, seat in _list_holders(state, range(players), names)}
        order = islice(dict.fromkeys(islice(deciders, 0 if begins_at_once(state) else MOST_DECISIONS)), players)
        holders |= {
            f"order.{place}": (f"decides {_name_place(place, players)}", seat) for place, seat in enumerate(order, 1)
        }
        for name, (does, seat) in holders.items():
            words[name] = does
            seats_by_name.setdefault(name, [None] * games)[number] = seat
    several = {}
    for name, each in amounts.items():
        # Several players may often have none of a certain card, so that nobody has the least.
        for which, find in (("most", max), ("least", min))[: 1 if name.count(".") > 1 else 2]:
            seats_by_name[f"values.{name}.{which}"] = [_find_only(values, find) for values in each]
            words[f"values.{name}.{which}"] = f"begins with the {which} {words[name]}"
        several[f"values.{name}.more"] = words[name], each
    distinct = [*_choose_distinct(seats_by_name, words, players)]
    return [*distinct, *_choose_amounts(several, players)]


def begins_at_once(state: State) -> bool:
    """Return whether players make the pending decision at the same time."""
    return asks_at_once(state.machine.ruleset.steps[state.frame[0]])


def _find_only(values: Sequence[int] | None, find: Callable[[Sequence[int]], int]) -> int | None:
    """Return the seat with the most or the least, as `find` does, if there is only one."""
    return None if values is None or values.count(find(values)) > 1 else values.index(find(values))


def _choose_amounts(
    amounts: Mapping[str, tuple[str, Sequence[tuple[int, ...] | None]]], players: int
) -> Iterator[SetupDifference]:
    """Yield the amounts that differ in at least `FEWEST` games, and by more than one player having something.

    Leaves out those that are the same in all games, which are a matter of seats. Of amounts with the same differences,
    or the opposite ones, only the first is included. `amounts` has a noun and what each seat has in each game, by id.
    """
    seen: set[tuple[tuple[int, ...], ...]] = set()
    others = "the other player" if players == 2 else "the others on average"
    for name, (what, games) in amounts.items():
        centred = tuple(
            (0,) * players if values is None else tuple(players * each - sum(values) for each in values)
            for values in games
        )
        differing = [game for game in centred if any(game)]
        shapes = {tuple(sorted(game)) for game in differing}
        single = len(shapes) == 1 and all(len(set(shape[:-1])) == 1 for shape in shapes)
        opposite = tuple(tuple(-each for each in game) for game in centred)
        if len(differing) < FEWEST or len(set(centred)) == 1 or single or {centred, opposite} & seen:
            continue
        seen.add(centred)
        # A difference from the mean of all, as a difference from the mean of the others.
        lead = round(median_low([abs(each) for game in differing for each in game if each]) / (players - 1), 1)
        does = f"begins with {lead:,g} more {what} than {others}"
        yield SetupDifference(name, does, (), tuple(games), lead)


def begin_games(
    ruleset: Ruleset, players: int, *, seed: int | str, games: int, options: Mapping[str, str]
) -> Iterator[State]:
    """Yield the positions at the first decisions of the games with this seed.

    The settings are those of a simulation. Raises `RulesFault` if the rules fail before the first decision.
    """
    assert ruleset.start is not None
    machine = compile_ruleset(ruleset, sampling=True)
    settings = {**ruleset.simulations, **options}
    for number in range(games):
        state = set_up_state(machine, players, seed=f"{seed}/{number}", options=settings)
        machine.begin(state, ruleset.start, ())
        yield state


def _choose_distinct(
    seats_by_name: Mapping[str, Sequence[int | None]], words: Mapping[str, str], players: int
) -> Iterator[SetupDifference]:
    """Yield the differences that go to changing seats in at least `FEWEST` games, first the order of decisions.

    Who decides first may always be the same seat. Of differences with the same seats in all games, only the first is
    included; with two players, also of differences with exactly opposite seats. The games cannot tell which of them
    matters, so the first one also names the second, if that is of another field. A value with more than `MOST_VALUES`
    variants is left out. `seats_by_name` has the seats by id, and `words` the description by id.
    """
    distinct: dict[tuple[int | None, ...], list[str]] = {}
    values = Counter(name.rpartition(".")[0] for name in seats_by_name)
    for name in sorted(seats_by_name, key=lambda name: (not name.startswith("order."), name.startswith(NAMED))):
        holders = tuple(seats_by_name[name])
        given = [each for each in holders if each is not None]
        several = not name.startswith("order.") and values[name.rpartition(".")[0]] > MOST_VALUES
        # If the same seat always decides first, that is described together with the seat.
        moves = len(set(given)) > 1 or (name == FIRST and len(given) == len(holders))
        if several or len(given) < FEWEST or not moves:
            continue
        # With two players, the other player's value carries the same information.
        others = tuple(None if each is None else 1 - each for each in holders) if players == 2 else holders
        if holders in distinct:
            distinct[holders].append(name)
        elif others not in distinct:
            distinct[holders] = [name]
    for holders, (name, *same) in distinct.items():
        other = next((each for each in same if not each.startswith(NAMED) and not _is_same_field(each, name)), "")
        does = f"{words[name]} and {words[other]}" if other else words[name]
        yield SetupDifference(name, does, holders)


def _is_same_field(one: str, other: str) -> bool:
    """Return whether two ids of differences are of the same field, or both of the order of decisions."""
    fields = [each.split(".")[: 1 if each.startswith("order.") else 3] for each in (one, other)]
    return fields[0] == fields[1]


def _list_deciders(state: State, policies: Sequence[Any]) -> Iterator[int]:
    """Yield the seat of each decision until all players have made one. Uses up the state."""
    undecided = set(range(len(policies)))
    while state.mode == DECISION and undecided:
        seat = state.who - FIRST_PLAYER
        undecided.discard(seat)
        yield seat
        state.apply(policies[seat](state))


def _name_place(place: int, players: int) -> str:
    """Return the place in an order in words, from 1."""
    if place == players:
        return "last"
    return _PLACES[place - 1] if place <= len(_PLACES) else f"as number {place}"


class _SetupNames:
    """The names in the descriptions of differences, which are the same in all games."""

    def __init__(self, ruleset: Ruleset) -> None:
        names = Names(ruleset)
        self.name_field = cache(names.name_field)
        self.name_kind = cache(names.name_kind)
        self.format_value = cache(names.format_value)


def _list_holders(state: State, seats: Sequence[int], names: _SetupNames) -> Iterator[tuple[str, str, int]]:
    """Yield each value that sets one player apart, as an id, words and the seat."""
    layout, objects = state.machine.layout, state.objects
    kinds = state.machine.ruleset.declarations.kinds
    for name, field in kinds[PLAYER_KIND].fields.items():
        kind = present(field.type)
        if isinstance(kind, Row | Choice | Boolean):
            values = [objects[FIRST_PLAYER + seat][layout.places[PLAYER_KIND, name]] for seat in seats]
            for value, times in Counter(values).items():
                if times == 1 and value is not None:
                    what = names.name_field(PLAYER_KIND, name)
                    does = f"begins with {names.format_value(value, kind)} ({what})"
                    if isinstance(kind, Boolean):
                        does = f"begins {'with' if value else 'without'} “{what}”"
                    yield f"{PLAYER_KIND}.{name}.{value}", does, values.index(value)
    for name, field in kinds[GAME_KIND].fields.items():
        player = objects[0][layout.places[GAME_KIND, name]] if present(field.type) == PLAYER else None
        if player is not None:
            yield f"{GAME_KIND}.{name}", f"is named by “{names.name_field(GAME_KIND, name)}”", player - FIRST_PLAYER


def _list_amounts(state: State, seats: Sequence[int], names: _SetupNames) -> Iterator[tuple[str, str, tuple[int, ...]]]:
    """Yield how much each player has: the numbers of a player, and how many objects of each kind, in all and by value.

    Each comes with an id, a noun and the amount of each seat.
    """
    layout, objects = state.machine.layout, state.objects
    kinds = state.machine.ruleset.declarations.kinds
    for name, field in kinds[PLAYER_KIND].fields.items():
        values = [objects[FIRST_PLAYER + seat][layout.places[PLAYER_KIND, name]] for seat in seats]
        if None in values:
            continue
        what = names.name_field(PLAYER_KIND, name)
        for key, label, parts in _split_amounts(values, present(field.type), state.machine.ruleset, names):
            yield f"{PLAYER_KIND}.{name}{key}", f"{label} ({what})" if label else what, parts
    for number, each in enumerate(layout.names):
        if each in (GAME_KIND, PLAYER_KIND):
            continue
        owner = next((name for name, field in kinds[each].fields.items() if present(field.type) == PLAYER), None)
        if owner is None:
            continue
        place = layout.places[each, owner]
        owned = [[entity for entity in state.live[number] if objects[entity][place] == FIRST_PLAYER + s] for s in seats]
        yield f"{each}.{owner}", names.name_kind(each), tuple(map(len, owned))
        for name, field in kinds[each].fields.items():
            kind = present(field.type)
            at, what = layout.places[each, name], names.name_field(each, name)
            if isinstance(kind, Integer):
                totals = tuple(sum(objects[entity][at] or 0 for entity in own) for own in owned)
                yield f"{each}.{name}", f"{what} ({names.name_kind(each)}, in total)", totals
            elif isinstance(kind, Row | Choice | Boolean):
                lists = [tuple(objects[entity][at] for entity in own) for own in owned]
                for key, label, parts in _split_amounts(lists, ListOf(kind), state.machine.ruleset, names):
                    if label:
                        yield f"{each}.{name}{key}", f"{label} ({names.name_kind(each)})", parts


def _split_amounts(
    values: Sequence[Any], kind: Type, ruleset: Ruleset, names: _SetupNames
) -> Iterator[tuple[str, str, tuple[int, ...]]]:
    """Yield the numbers in the values of a field: itself, those of a map, or how often a list contains each value.

    Of a list of rows, these are also the values in their columns, such as the suits of cards, and the sums of numbers.
    Each comes with the end of an id and a noun, which are empty for the number itself and for the length of a list.
    Values with more than `MOST_VALUES` variants are left out, and so are the spaces of boards.
    """
    tables = ruleset.declarations.tables
    match kind:
        case Integer():
            yield "", "", tuple(values)
        case MapOf(table=table, inner=Integer()) if len(tables[table].rows) <= MOST_VALUES:
            for row, parts in zip(tables[table].rows, zip(*values, strict=True), strict=True):
                yield f".{row}", names.format_value(row, Row(table)), parts
        case ListOf(inner=inner):
            yield "", "", tuple(map(len, values))
            for one in _list_variants(inner, ruleset):
                yield f".{one}", names.format_value(one, inner), tuple(each.count(one) for each in values)
            if not isinstance(inner, Row) or tables[inner.table].has_places:
                return
            rows = tables[inner.table].rows
            for column, of in tables[inner.table].columns.items():
                cells = [[rows[row].cells[column] for row in each if row is not None] for each in values]
                if isinstance(of, Integer):
                    totals = tuple(sum(cell or 0 for cell in each) for each in cells)
                    yield f".{column}", f"{column.replace('_', ' ')} in total", totals
                for one in _list_variants(present(of), ruleset):
                    counts = tuple(each.count(one) for each in cells)
                    yield f".{column}.{one}", names.format_value(one, present(of)), counts


def _list_variants(kind: Type, ruleset: Ruleset) -> Iterable[Any]:
    """Return the values of a type that are examined one by one. Empty if there are more than `MOST_VALUES`."""
    match kind:
        case Row(table=table):
            variants: Sequence[Any] = [*ruleset.declarations.tables[table].rows]
        case Choice(ids=ids):
            variants = ids
        case Boolean():
            variants = (True,)
        case _:
            return ()
    return variants if len(variants) <= MOST_VALUES else ()
