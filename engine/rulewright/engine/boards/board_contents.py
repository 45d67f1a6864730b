"""The objects on boards, tile by tile, and the sides that face each other, rank by rank."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace
from typing import Any

from rulewright.engine.boards.piece_sides import PieceSide, list_sides
from rulewright.engine.boards.space_marks import SpaceMark, list_printed_marks, list_space_marks
from rulewright.engine.narration.plain_names import Names
from rulewright.engine.narration.redaction import HIDDEN
from rulewright.engine.state.game_state import State
from rulewright.language.declarations import FIRST_PLAYER, PLAYER_KIND, Declarations, Field, Kind, Table
from rulewright.language.types import INTEGER, PLAYER, UNKNOWN, Choice, Entity, ListOf, Row, Type, present
from rulewright.ruleset.boards.board_shape import BoardPlan, make_plan
from rulewright.ruleset.elaborate.table_heads import list_table_heads
from rulewright.ruleset.ruleset import Ruleset


@dataclass(frozen=True, slots=True)
class Piece:
    """An object on a tile with its kind, name and icon, and the seat of its owner (None: no owner).

    A mark is not an object but a tile that the player in that seat has noted in a list. Objects of one kind may differ
    by a field with a row or an id: `variety` is its name, and `variety_icon` the icon of the term with that id.
    `picture` is the id of the term whose picture a piece has, if that is not the term of its kind. A mark comes from
    the value of the game with the id `origin`, unless it is empty. A piece with `sides` lies below the others.
    """

    kind: str
    entity: int
    label: str
    icon: str
    name: str
    seat: int | None
    is_mark: bool = False
    variety: str = ""
    variety_icon: str = ""
    picture: str = ""
    origin: str = ""
    sides: tuple[PieceSide, ...] = ()


@dataclass(frozen=True, slots=True)
class Board(BoardPlan):
    """A board with its `pieces` and the `marks` of its spaces, by tile."""

    pieces: Mapping[str, tuple[Piece, ...]]
    marks: Mapping[str, tuple[SpaceMark, ...]]

    def is_used(self, tile: str) -> bool:
        """Return whether a tile has pieces, or marks that the game has put there."""
        return bool(self.pieces.get(tile)) or not all(mark.is_printed for mark in self.marks.get(tile, ()))

    @property
    def is_empty(self) -> bool:
        """Whether no tile is used."""
        return not any(map(self.is_used, self.spots))

    def list_labels(self, tile: str) -> list[str]:
        """Return what the pieces and marks on a tile are called."""
        pieces, marks = self.pieces.get(tile, ()), self.marks.get(tile, ())
        return [*(piece.label for piece in pieces), *(mark.label for mark in marks)]

    def list_extents(self) -> dict[Piece, tuple[str, ...]]:
        """Return the spaces of every piece of several spaces, in the order of the board."""
        extents: dict[Piece, list[str]] = {}
        for tile in self.spots:
            for piece in self.pieces.get(tile, ()):
                if not piece.is_mark:
                    extents.setdefault(piece, []).append(tile)
        return {piece: tuple(tiles) for piece, tiles in extents.items() if len(tiles) > 1}

    def list_shown(self, tile: str) -> tuple[Piece, ...]:
        """Return the pieces on a tile, and the marks that are drawn as pieces.

        These are marks with a picture, and the seats of players to whom the tile belongs.
        """
        drawn = [mark for mark in self.marks.get(tile, ()) if mark.picture or mark.seat is not None]
        marks = (
            Piece(
                PLAYER_KIND,
                0,
                mark.label,
                "",
                mark.text or mark.name,
                mark.seat,
                not mark.picture,
                picture=mark.picture,
                origin=mark.origin,
            )
            for mark in drawn
        )
        return (*self.pieces.get(tile, ()), *marks)


@dataclass(frozen=True, slots=True)
class Window:
    """A part of a board: the columns and rows that are shown, counted from 0."""

    columns: range
    rows: range


def make_empty_board(table: Table, names: Names | None = None) -> Board:
    """Return a board with nothing on it. With `names`, it has titles for readers, and the marks from its columns."""
    return _board(table, {}, {} if names is None else list_printed_marks(table, names), names)


def _board(
    table: Table,
    pieces: Mapping[str, tuple[Piece, ...]],
    marks: Mapping[str, tuple[SpaceMark, ...]],
    names: Names | None,
) -> Board:
    plan = make_plan(table, None if names is None else {row: names.name_row(table.id, row) for row in table.rows})
    return Board(plan.table, plan.shape, plan.tiles, plan.titles, plan.spots, plan.links, pieces, marks)


def make_whole_window(board: Board) -> Window:
    """Return the whole board."""
    return Window(range(max(map(len, board.tiles))), range(len(board.tiles)))


def find_window(*moments: Board) -> Window | None:
    """Return the part of a board that is used at any of several moments, of at least `LEAST` columns and rows.

    A board that is not a grid is shown whole. The result is None if nothing is ever on it.
    """
    columns, rows = set(), set()
    if not moments[0].shape.is_croppable:
        return None if all(board.is_empty for board in moments) else make_whole_window(moments[0])
    for board in moments:
        for row, tiles in enumerate(board.tiles):
            for column, tile in enumerate(tiles):
                if board.is_used(tile):
                    columns.add(column)
                    rows.add(row)
    if not columns:
        return None
    whole = make_whole_window(moments[0])
    return Window(_around(columns, whole.columns), _around(rows, whole.rows))


def select_contents(board: Board, part: Window) -> Board:
    """Return a board with only the pieces and marks in a part of it."""
    seen = {board.tiles[row][column] for row in part.rows for column in part.columns if column < len(board.tiles[row])}
    return replace(
        board,
        pieces={tile: pieces for tile, pieces in board.pieces.items() if tile in seen},
        marks={tile: marks for tile, marks in board.marks.items() if tile in seen},
    )


def find_noted_window(board: Board, tiles: Collection[str]) -> Window | None:
    """Return the smallest part of a board that contains all of `tiles`.

    None if one of them is not on it, or there are none. A board that is not a grid is shown whole.
    """
    if not board.shape.is_croppable:
        return make_whole_window(board) if tiles and all(tile in board.spots for tile in tiles) else None
    places = {tile: (column, row) for row, line in enumerate(board.tiles) for column, tile in enumerate(line)}
    if not tiles or not all(tile in places for tile in tiles):
        return None
    columns, rows = zip(*(places[tile] for tile in tiles), strict=True)
    return Window(range(min(columns), max(columns) + 1), range(min(rows), max(rows) + 1))


LEAST = 3
"""The number of columns and rows that a part of a board has at least, if the board has so many."""


def _around(places: set[int], limit: range) -> range:
    """Return the range from the lowest to the highest place, widened evenly to `LEAST` places within `limit`."""
    first, last = min(places), max(places) + 1
    while last - first < min(LEAST, len(limit)):
        first, last = max(first - 1, limit.start), min(last + 1, limit.stop)
    return range(first, last)


class _BoardIds:
    """The ids of the tables that are boards."""

    def __init__(self, ruleset: Ruleset) -> None:
        self._ids = [head.id for head in list_table_heads(ruleset) if head.is_board]

    @property
    def content(self) -> list[str]:
        """The ids, in the order of the rules."""
        return self._ids


def list_boards(state: State) -> list[Board]:
    """Return every board of the game in its current state, in the order of the rules.

    Pieces have the order in which the rules declare their kinds.
    """
    declared = state.machine.ruleset.declarations
    tables = [declared.tables[identity] for identity in state.machine.ruleset.get_or_make(_BoardIds).content]
    names = Names.for_state(state)
    return [_board(table, list_pieces(state, table), list_space_marks(state, table.id), names) for table in tables]


def list_visible_boards(state: State) -> list[Board]:
    """Return every board as players see it: of one that grows, the part with objects, and one space around it.

    Lines to spaces outside this part are left out. A board that grows and has no objects yet is complete.
    """
    layouts = state.machine.ruleset.layouts
    return [
        _crop(board) if board.table in layouts and layouts[board.table].grows else board for board in list_boards(state)
    ]


def _crop(board: Board) -> Board:
    """Return the part of a board around its objects, with a margin of one space, or the board itself if it has none."""
    occupied = [board.spots[space] for space, pieces in board.pieces.items() if pieces]
    if not occupied:
        return board
    columns, rows = (range(min(each) - 1, max(each) + 2) for each in list(zip(*occupied, strict=True))[:2])
    spaces = {space for space, (column, row, _) in board.spots.items() if column in columns and row in rows}
    lines = (tuple(space for space in row if space in spaces) for row in board.tiles)
    return replace(
        board,
        tiles=tuple(line for line in lines if line),
        titles={space: title for space, title in board.titles.items() if space in spaces},
        spots={space: spot for space, spot in board.spots.items() if space in spaces},
        links=tuple(link for link in board.links if spaces.issuperset(link)),
    )


def has_places(table: Table) -> bool:
    """Return whether the rows of a table are places, each with its neighbours. Not every such table is a grid."""
    return table.has_places


def list_pieces(state: State, table: Table) -> dict[str, tuple[Piece, ...]]:
    """Return the objects on each space of a board, and the marks of players. Objects in a hidden place are left out.

    An object of several spaces is on each of them.
    """
    layout = state.machine.layout
    names = Names.for_state(state)
    declared = state.machine.ruleset.declarations
    results: dict[str, list[Piece]] = {}
    layouts = state.machine.ruleset.layouts
    for number, kind in enumerate(layout.names):
        drawn = layouts.get(kind)
        place, kind_of_place = _find_place(declared, kind, table, layout.places)
        owner = _field(declared.kinds[kind].fields, PLAYER, layout.places, kind)
        if place is None and kind == PLAYER_KIND:
            _add_marks(state, table, results, names)
        if place is None:
            continue
        for item in state.live[number]:
            values = state.objects[item]
            tiles = _list_tiles(declared, values[place], kind_of_place)
            if tiles:
                whose = item if kind == PLAYER_KIND else values[owner] if owner is not None else None
                seat = None if whose is None or whose is HIDDEN else whose - FIRST_PLAYER + 1
                term = declared.terms.get(declared.kinds[kind].term)
                icon = term.icon if term else ""
                variety, own_icon = _variety(state, declared.kinds[kind], item, names)
                name = names.name_kind(kind)
                label = names.name_entity(kind, item)
                fields = {each: values[layout.places[kind, each]] for each in declared.kinds[kind].fields}
                sides = list_sides(declared, drawn, kind, fields, names) if drawn is not None and drawn.sides else ()
                piece = Piece(kind, item, label, icon, name, seat, False, variety, own_icon, sides=sides)
                for tile in dict.fromkeys(tiles):
                    results.setdefault(tile, []).append(piece)
    return {tile: tuple(pieces) for tile, pieces in results.items()}


def _find_place(
    declared: Declarations, kind: str, table: Table, places: Mapping[tuple[str, str], int]
) -> tuple[int | None, Type]:
    """Return the position and the type of the field that says where objects of a kind are on a board, or None.

    It holds a space, a placement of a piece on the board, or a list of spaces. The lists of players are marks.
    """
    fields = declared.kinds[kind].fields
    rows = [present(field.type) for field in fields.values()]
    placed = [type_ for type_ in rows if isinstance(type_, Row) and _is_placed_on(declared.tables[type_.table], table)]
    lists = [] if kind == PLAYER_KIND else [ListOf(table.type)]
    for expected in (table.type, *placed, *lists):
        place = _field(fields, expected, places, kind)
        if place is not None:
            return place, expected
    return None, UNKNOWN


def _is_placed_on(rows: Table, table: Table) -> bool:
    """Return whether the rows of a table are placements of pieces on a board."""
    return rows.placements is not None and rows.placements.on == table.id


def _list_tiles(declared: Declarations, value: Any, type_: Type) -> tuple[str, ...]:
    """Return the spaces of an object by the value of its field for them: none if that is hidden or none."""
    if value is None or value is HIDDEN:
        return ()
    if isinstance(type_, ListOf):
        return tuple(value)
    assert isinstance(type_, Row)
    table = declared.tables[type_.table]
    return table.rows[value].cells["covers"] if table.placements else (value,)


def _variety(state: State, kind: Kind, item: int, names: Names) -> tuple[str, str]:
    """Return the name and the icon of the first row or id that an object holds, other than its space. Empty if none."""
    declared = state.machine.ruleset.declarations
    for name, field in kind.fields.items():
        type_ = present(field.type)
        if not isinstance(type_, Choice | Row) or (isinstance(type_, Row) and declared.tables[type_.table].has_places):
            continue
        value = state.objects[item][state.machine.layout.places[kind.id, name]]
        if value is None or value is HIDDEN:
            continue
        if isinstance(type_, Row) and (placed := declared.tables[type_.table]).placements:
            value, type_ = placed.rows[value].cells["piece"], Row(placed.placements.of)
        term = declared.terms.get(value)
        return names.format_value(value, type_), term.icon if term is not None else ""
    return "", ""


def _add_marks(state: State, table: Table, results: dict[str, list[Piece]], names: Names) -> None:
    """Add the marks of players, from their lists of tiles, to `results`."""
    layout = state.machine.layout
    for name, field in state.machine.ruleset.declarations.kinds[PLAYER_KIND].fields.items():
        if field.type != ListOf(Row(table.id)):
            continue
        noun = names.name_field(PLAYER_KIND, name)
        for player in state.live[layout.kinds[PLAYER_KIND]]:
            seat = player - FIRST_PLAYER + 1
            for tile in state.objects[player][layout.places[PLAYER_KIND, name]]:
                mark = Piece(PLAYER_KIND, player, names.name_player(player), "", noun, seat, is_mark=True)
                results.setdefault(tile, []).append(mark)


def _field(fields: Mapping[str, Field], expected: Type, places: Mapping[tuple[str, str], int], kind: str) -> int | None:
    """Return the position of the first field of a type, or optional of that type. None if there is none."""
    for name, field in fields.items():
        if present(field.type) == expected:
            return places[kind, name]
    return None


@dataclass(frozen=True, slots=True)
class Member:
    """One object in a rank with its label, the kind for its picture, and its count if it has one.

    `fell` is true for an object that has just left and is crossed out.
    """

    label: str
    kind: str
    many: int | None
    entity: int = 0
    fell: bool = False


@dataclass(frozen=True, slots=True)
class Rank:
    """One side with its kind, label, the seat of its owner (None: no owner), its objects, and its own number."""

    kind: str
    label: str
    seat: int | None
    members: tuple[Member, ...]
    entity: int = 0


@dataclass(frozen=True, slots=True)
class Lineup:
    """All sides of the objects of one `kind`, in the order in which the sides entered the game."""

    kind: str
    ranks: tuple[Rank, ...]

    @property
    def is_empty(self) -> bool:
        """Whether all sides are empty."""
        return not any(rank.members for rank in self.ranks)


def list_lineups(state: State) -> list[Lineup]:
    """Return the sides of every kind that declares `side:`."""
    kinds = state.machine.ruleset.declarations.kinds.values()
    return [Lineup(kind.id, tuple(_ranks(state, kind))) for kind in kinds if kind.side]


def with_the_fallen(before: Lineup, after: Lineup) -> Lineup:
    """Return the sides in `after`, with the objects that were only in `before` marked as fallen.

    Returns `after` if the number of sides differs.
    """
    if len(before.ranks) != len(after.ranks):
        return after
    ranks = []
    for earlier, rank in zip(before.ranks, after.ranks, strict=True):
        standing = {member.entity: member for member in rank.members}
        known = {member.entity for member in earlier.members}
        stood = [standing.get(member.entity, replace(member, fell=True)) for member in earlier.members]
        newcomers = [member for member in rank.members if member.entity not in known]
        ranks.append(replace(rank, members=(*stood, *newcomers)))
    return Lineup(after.kind, tuple(ranks))


def find_window_around(tiles: Collection[str], board: Board) -> Window:
    """Return the part of a grid that holds some tiles, of at least `LEAST` columns and rows.

    The whole board if it is not a grid, or has none of the tiles.
    """
    whole = make_whole_window(board)
    results = [(c, r) for r, row in enumerate(board.tiles) for c, tile in enumerate(row) if tile in tiles]
    if not board.shape.is_croppable or not results:
        return whole
    return Window(_around({c for c, _ in results}, whole.columns), _around({r for _, r in results}, whole.rows))


def _ranks(state: State, kind: Kind) -> list[Rank]:
    """Return the sides of objects of a kind, in the order in which the sides were created, with or without objects."""
    layout, names = state.machine.layout, Names.for_state(state)
    side = present(kind.fields[kind.side].type)
    assert isinstance(side, Entity)
    members: dict[int, list[Member]] = {}
    for item in state.live[layout.names.index(kind.id)]:
        values = state.objects[item]
        members.setdefault(values[layout.places[kind.id, kind.side]], []).append(_member(state, kind, item, names))
    return [
        Rank(
            side.kind,
            names.name_entity(side.kind, place),
            _seat(state, side.kind, place),
            tuple(members.get(place, ())),
            place,
        )
        for place in state.live[layout.names.index(side.kind)]
    ]


def _member(state: State, kind: Kind, entity: int, names: Names) -> Member:
    """Return an object as a member of a side.

    If it holds another object, the picture is of that kind. Its first number other than 0 is its count.
    """
    values, places = state.objects[entity], state.machine.layout.places
    label, many = kind.id, None
    for name, field in kind.fields.items():
        value, type_ = values[places[kind.id, name]], present(field.type)
        if name == kind.side or value in (None, 0):
            continue
        if isinstance(type_, Entity) and label == kind.id:
            label = type_.kind
        elif type_ == INTEGER and many is None:
            many = value
    return Member(names.name_entity(kind.id, entity), label, many, entity)


def _seat(state: State, side: str, entity: int) -> int | None:
    """Return the seat of the player that an object holds, or None. Only the first field for a player counts."""
    for name, field in state.machine.ruleset.declarations.kinds[side].fields.items():
        if present(field.type) == PLAYER:
            whose = state.objects[entity][state.machine.layout.places[side, name]]
            return None if whose is None else whose - FIRST_PLAYER + 1
    return None
