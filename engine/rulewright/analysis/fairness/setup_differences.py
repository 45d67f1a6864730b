"""What set-up gives to one player and not to the others: who decides first, who has most of something, who is named.

Nothing of this is declared. It is found in the positions in which games begin, after the rolls and draws of set-up.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, partial
from itertools import islice
from typing import Any

from rulewright.ai import bots
from rulewright.analysis.simulation.shard import ANY
from rulewright.dice.sampling.random_generator import Generator
from rulewright.engine.narration.plain_names import Names
from rulewright.engine.python_backend.compiler import compile_ruleset
from rulewright.engine.state.game_state import DECISION, State
from rulewright.language.declarations import FIRST_PLAYER, GAME_KIND, PLAYER_KIND
from rulewright.language.types import INTEGER, PLAYER, Integer, Row, Type, present
from rulewright.ruleset.ruleset import Ruleset

MOST_DECISIONS = 500
"""The maximum number of decisions until every player has made one."""

MOST_VALUES = 8
"""The maximum number of different values of a field that are examined one by one."""

_PLACES = ("first", "second", "third", "fourth", "fifth", "sixth")

FIRST = "order.1"
"""The id of the difference of deciding first."""

CHECKED = 100
"""The number of games in which random choices show whether the order of decisions depends on them."""

FEWEST = 20
"""The minimum number of games in which one player has what the others do not."""


@dataclass(frozen=True, slots=True)
class SetupDifference:
    """Something that one player has and the others do not: the seat of this player in each game, or None.

    `does` describes the player, as in `decides first`.
    """

    id: str
    does: str
    holders: tuple[int | None, ...]

    @property
    def seat(self) -> int | None:
        """The seat that has it in every game, or None if it changes."""
        return self.holders[0] if len(set(self.holders)) == 1 else None


def find_differences(
    ruleset: Ruleset, players: int, *, seed: int | str, games: int, options: Mapping[str, str], bot: str = ANY
) -> list[SetupDifference]:
    """Return what set-up gives to one player only, in the games with this seed and number of players.

    Leaves out what always goes to the same seat, which is then a matter of seats, except who decides first. Of things
    that always go together, only the first is returned. If the order of decisions depends on the choices, it is that of
    games in which `bot` plays in every seat. Raises `RulesFault` if the rules fail in set-up or in the first decisions.
    """
    begin = partial(begin_games, ruleset, players, seed=seed, options=options)
    chooses = players > 2 and any(_depends_on_choices(*game) for game in begin(games=min(games, CHECKED)))

    def seat_bots(number: int, policies: list[Any]) -> list[Any]:
        if not chooses:
            return policies
        return [bots.make(bot, ruleset, seed=f"{seed}/{number}", seat=seat) for seat in range(1, players + 1)]

    begun = (
        (state, _list_deciders(state, seat_bots(number, policies)))
        for number, (state, policies) in enumerate(begin(games=games))
    )
    return collect_differences(begun, players, games)


def _depends_on_choices(state: State, policies: Sequence[Any]) -> bool:
    """Return whether two lines of play with random choices have different orders of the players' first decisions."""
    lines = (islice(_list_deciders(state.clone(), policies), MOST_DECISIONS) for _ in range(2))
    one, other = ([*dict.fromkeys(line)] for line in lines)
    return one != other


def collect_differences(
    begun: Iterable[tuple[State, Iterable[int]]], players: int, games: int
) -> list[SetupDifference]:
    """Return what set-up gives to one player only, as `find_differences` does, in `games` games that have begun.

    Each game is its position at the first decision, with the seats of its decisions in order, from 0.
    """
    found: dict[str, list[int | None]] = {}
    words: dict[str, str] = {}
    for number, (state, deciders) in enumerate(begun):
        if state.mode != DECISION:
            # Without a decision, all differences are results.
            continue
        seats = range(players)
        holders = {f"values.{name}": (does, seat) for name, does, seat in _list_holders(state, seats)}
        order = islice(dict.fromkeys(islice(deciders, MOST_DECISIONS)), players)
        holders |= {
            f"order.{place}": (f"decides {_name_place(place, players)}", seat) for place, seat in enumerate(order, 1)
        }
        for name, (does, seat) in holders.items():
            words[name] = does
            found.setdefault(name, [None] * games)[number] = seat
    return [*_choose_distinct(found, words, players)]


def begin_games(
    ruleset: Ruleset, players: int, *, seed: int | str, games: int, options: Mapping[str, str]
) -> Iterator[tuple[State, list[Any]]]:
    """Yield the positions at the first decisions of the games with this seed, each with the same bots for its seats.

    The settings are those of a simulation. Raises `RulesFault` if the rules fail before the first decision.
    """
    assert ruleset.start is not None
    machine = compile_ruleset(ruleset, sampling=True)
    settings = {**ruleset.simulations, **options}
    # Who decides next hardly ever depends on the choices, so any bot will do.
    policies = [bots.make(ANY, ruleset, seed=seed, seat=seat + 1) for seat in range(players)]
    for number in range(games):
        state = machine.empty(players, options=settings)
        state.generator = Generator(f"{seed}/{number}", "dice")
        machine.begin(state, ruleset.start, ())
        yield state, policies


def _choose_distinct(
    found: Mapping[str, Sequence[int | None]], words: Mapping[str, str], players: int
) -> Iterator[SetupDifference]:
    """Yield the differences that go to changing seats in at least `FEWEST` games, first the order of decisions.

    Who decides first may always be the same seat. Of differences with the same seats in all games, only the first is
    included; with two players, also of differences with exactly opposite seats. A value with more than `MOST_VALUES`
    variants is left out. `found` has the seats by id, and `words` the description by id.
    """
    seen: list[tuple[int | None, ...]] = []
    values = Counter(name.rpartition(".")[0] for name in found)
    for name in sorted(found, key=lambda name: not name.startswith("order.")):
        holders = tuple(found[name])
        given = [each for each in holders if each is not None]
        several = not name.startswith("order.") and values[name.rpartition(".")[0]] > MOST_VALUES
        # If the same seat always decides first, that is described together with the seat.
        moves = len(set(given)) > 1 or (name == FIRST and len(given) == len(holders))
        if several or len(given) < FEWEST or not moves:
            continue
        # With two players, the other player's value carries the same information.
        others = tuple(None if each is None else 1 - each for each in holders) if players == 2 else holders
        if holders in seen or others in seen:
            continue
        seen.append(holders)
        yield SetupDifference(name, words[name], holders)


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


def _list_holders(state: State, seats: Sequence[int]) -> Iterator[tuple[str, str, int]]:
    """Yield each value that sets one player apart, as an id, words and the seat."""
    names = state.machine.ruleset.get_or_make(_SetupNames)
    for identity, what, kind, values in _list_values(state, seats, names):
        amounts = [value for value in values if isinstance(value, int) and not isinstance(value, bool)]
        if len(amounts) == len(values):
            most = max(amounts)
            if amounts.count(most) == 1:
                yield f"{identity}.most", f"begins with the most {what}", amounts.index(most)
            continue
        for value, times in Counter(values).items():
            if times == 1 and value is not None:
                said = names.format_value(value, kind)
                yield f"{identity}.{value}", f"begins with {said} ({what})", values.index(value)
    layout, objects = state.machine.layout, state.objects
    for name, field in state.machine.ruleset.declarations.kinds[GAME_KIND].fields.items():
        player = objects[0][layout.places[GAME_KIND, name]] if present(field.type) == PLAYER else None
        if player is not None:
            yield f"{GAME_KIND}.{name}", f"is named by “{names.name_field(GAME_KIND, name)}”", player - FIRST_PLAYER


def _list_values(state: State, seats: Sequence[int], names: _SetupNames) -> Iterator[tuple[str, str, Type, list[Any]]]:
    """Yield what can differ between players: their own fields, and how many objects of each kind they have.

    Each comes with an id, a noun, a type and the value of each seat.
    """
    layout, objects = state.machine.layout, state.objects
    kinds = state.machine.ruleset.declarations.kinds
    for name, field in kinds[PLAYER_KIND].fields.items():
        if isinstance(present(field.type), Integer | Row):
            place = layout.places[PLAYER_KIND, name]
            what = names.name_field(PLAYER_KIND, name)
            yield (
                f"{PLAYER_KIND}.{name}",
                what,
                present(field.type),
                [objects[FIRST_PLAYER + seat][place] for seat in seats],
            )
    for number, kind in enumerate(layout.names):
        if kind in (GAME_KIND, PLAYER_KIND):
            continue
        owner = next((name for name, field in kinds[kind].fields.items() if present(field.type) == PLAYER), None)
        if owner is not None:
            place = layout.places[kind, owner]
            owned = Counter(objects[each][place] for each in state.live[number])
            values = [owned[FIRST_PLAYER + seat] for seat in seats]
            yield f"{kind}.{owner}", names.name_kind(kind), INTEGER, values
