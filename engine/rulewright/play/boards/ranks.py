"""Who faces whom: the objects that stand on sides, rank by rank."""

from __future__ import annotations

from dataclasses import dataclass

from rulewright.language.declarations import FIRST_PLAYER, Kind
from rulewright.language.types import INTEGER, PLAYER, Thing, present
from rulewright.play.machine.state import State
from rulewright.play.telling.names import Names


@dataclass(frozen=True, slots=True)
class Member:
    """One object in a rank: what it is called, the kind that a picture shows it by, and how many it counts, if any."""

    label: str
    kind: str
    many: int | None


@dataclass(frozen=True, slots=True)
class Rank:
    """One side: its kind, what it is called, the seat it belongs to (None: nobody's), and who stands on it."""

    kind: str
    label: str
    seat: int | None
    members: tuple[Member, ...]


@dataclass(frozen=True, slots=True)
class Lineup:
    """All sides that objects of one `kind` stand on, in the order in which the sides came into play."""

    kind: str
    ranks: tuple[Rank, ...]

    @property
    def is_empty(self) -> bool:
        """Whether nobody stands on any side."""
        return not any(rank.members for rank in self.ranks)


def lineups(state: State) -> list[Lineup]:
    """The sides of every kind that says by `ranks:` where its objects stand."""
    kinds = state.machine.ruleset.declarations.kinds.values()
    return [Lineup(kind.id, tuple(_ranks(state, kind))) for kind in kinds if kind.ranks]


def _ranks(state: State, kind: Kind) -> list[Rank]:
    layout, names = state.machine.layout, Names.at(state)
    side = present(kind.fields[kind.ranks].type)
    assert isinstance(side, Thing)
    members: dict[int, list[Member]] = {}
    for thing in state.live[layout.names.index(kind.id)]:
        values = state.objects[thing]
        members.setdefault(values[layout.places[kind.id, kind.ranks]], []).append(_member(state, kind, thing, names))
    return [
        Rank(side.kind, names.thing(side.kind, place), _seat(state, side.kind, place), tuple(members.get(place, ())))
        for place in state.live[layout.names.index(side.kind)]
    ]


def _member(state: State, kind: Kind, thing: int, names: Names) -> Member:
    """A member is shown by the thing it is made of, if it holds one, and by how many it counts."""
    values, places = state.objects[thing], state.machine.layout.places
    shown, many = kind.id, None
    for name, field in kind.fields.items():
        value, type_ = values[places[kind.id, name]], present(field.type)
        if name == kind.ranks or value in (None, 0):
            continue
        if isinstance(type_, Thing) and shown == kind.id:
            shown = type_.kind
        elif type_ == INTEGER and many is None:
            many = value
    return Member(names.thing(kind.id, thing), shown, many)


def _seat(state: State, side: str, thing: int) -> int | None:
    for name, field in state.machine.ruleset.declarations.kinds[side].fields.items():
        if present(field.type) == PLAYER:
            whose = state.objects[thing][state.machine.layout.places[side, name]]
            return None if whose is None else whose - FIRST_PLAYER + 1
    return None
