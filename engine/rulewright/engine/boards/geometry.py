"""Where the tiles of a board lie in a picture, and what each looks like: worked out once, for whoever draws."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from math import cos, pi, sin, sqrt

from rulewright.engine.boards.board_contents import Board

TILE = 48
MARGIN = 24

NUMBER = 13
"""Room for the number of a track's place, at its upper edge."""

APART = 2.2
"""Tiles from the middle of an area to that of one in the next column."""

ROUND = TILE * 0.6
"""The radius of an area."""

Spot = tuple[float, float]


@dataclass(frozen=True, slots=True)
class BoardGeometry:
    """A board laid out: how large it is, and where the middle of each tile lies.

    A tile is `round`, with the radius `ROUND`, or has `corners`, seen from its middle. `words` stand beside tiles, each
    centred at its place; `links` are lines between tiles.
    """

    width: float
    height: float
    places: Mapping[str, Spot]
    corners: tuple[Spot, ...]
    words: tuple[tuple[float, float, str], ...]
    links: tuple[tuple[str, str], ...]

    @property
    def round(self) -> bool:
        """Whether its tiles are circles."""
        return not self.corners

    def rotate(self) -> BoardGeometry:
        """Return the same, turned clockwise by a quarter. Words stay upright."""
        return replace(
            self,
            width=self.height,
            height=self.width,
            places={tile: (self.height - y, x) for tile, (x, y) in self.places.items()},
            corners=tuple((-y, x) for x, y in self.corners),
            words=tuple((self.height - y + 4, x + 4, said) for x, y, said in self.words),
        )


def lay_out_board(board: Board) -> BoardGeometry:
    """Return a board of any shape."""
    return _grid(board) if board.is_grid else _apart(board)


def arrange_in_rows(rows: Sequence[Sequence[str | None]], *, rounded: bool = False) -> BoardGeometry:
    """Return tiles in rows below each other, without numbers beside them; None is a gap."""
    places = {
        tile: (TILE * (across + 0.5) + 4, TILE * (down + 0.5) + 4)
        for down, row in enumerate(rows)
        for across, tile in enumerate(row)
        if tile is not None
    }
    wide = max(map(len, rows), default=0)
    if rounded:
        apart = 2 * ROUND / TILE + 0.12
        places = {tile: ((x - 4) * apart + 4, (y - 4) * apart + 4) for tile, (x, y) in places.items()}
        return BoardGeometry(TILE * apart * wide + 8, TILE * apart * len(rows) + 8, places, (), (), ())
    return BoardGeometry(TILE * wide + 8, TILE * len(rows) + 8, places, SQUARE, (), ())


def _grid(board: Board) -> BoardGeometry:
    columns, rows = len(board.tiles[0]), len(board.tiles)
    places = {
        tile: (MARGIN + TILE * (across + 0.5), MARGIN + TILE * (down + 0.5))
        for down, row in enumerate(board.tiles)
        for across, tile in enumerate(row)
    }
    above = [(MARGIN + TILE * (at + 0.5), MARGIN - 8.0, str(at + 1)) for at in range(columns)]
    beside = [(MARGIN / 2, MARGIN + TILE * (at + 0.5) + 4, str(at + 1)) for at in range(rows)]
    return BoardGeometry(MARGIN + TILE * columns + 2, MARGIN + TILE * rows + 2, places, SQUARE, (*above, *beside), ())


def _apart(board: Board) -> BoardGeometry:
    spread, corners = _LAYOUTS[board.shape]
    spots = {place: spread(*spot) for place, spot in board.spots.items()}
    left, top = min(x for x, _ in spots.values()), min(y for _, y in spots.values())
    edge = MARGIN + TILE * 0.6
    places = {place: (x - left + edge, y - top + edge) for place, (x, y) in spots.items()}
    width = max(x for x, _ in places.values()) + TILE * 0.6 + 8
    height = max(y for _, y in places.values()) + TILE * (1 if board.shape in ("areas", "slanted") else 0.6) + 8
    return BoardGeometry(width, height, places, corners, tuple(_words(board, places)), board.links)


def _hexagon(column: int, row: int, halves: int) -> Spot:
    return (column + halves / 2) * TILE, row * (TILE * sqrt(3) / 2)


def _square(column: int, row: int, _: int) -> Spot:
    return column * TILE, row * TILE


def _area(column: int, row: int, _: int) -> Spot:
    return column * TILE * APART, row * TILE * APART


HEXAGON: tuple[Spot, ...] = tuple(
    (TILE / sqrt(3) * cos(pi * (corner / 3 + 1 / 6)), TILE / sqrt(3) * sin(pi * (corner / 3 + 1 / 6)))
    for corner in range(6)
)
SQUARE: tuple[Spot, ...] = ((-TILE / 2, -TILE / 2), (TILE / 2, -TILE / 2), (TILE / 2, TILE / 2), (-TILE / 2, TILE / 2))

_LAYOUTS: Mapping[str, tuple[Callable[[int, int, int], Spot], tuple[Spot, ...]]] = {
    "hexagons": (_hexagon, HEXAGON),
    "slanted": (_hexagon, HEXAGON),
    "track": (_square, SQUARE),
    "areas": (_area, ()),
}


def _words(board: Board, places: Mapping[str, Spot]) -> list[tuple[float, float, str]]:
    """Return what is written beside places.

    The numbers of columns and rows, of a track each place's own, of areas names.
    """
    if board.shape == "track":
        return [(x - TILE / 2 + 9, y - TILE / 2 + NUMBER - 1, board.titles[place]) for place, (x, y) in places.items()]
    if board.shape == "areas":
        return [(x, y + TILE * 0.6 + 13, board.titles[place]) for place, (x, y) in places.items()]
    found = []
    across = {column: place for place, (column, _, _) in reversed(list(board.spots.items()))}
    right, down = (TILE * 0.36 if board.shape == "slanted" else 0), -TILE * 0.62
    if across[min(across)] != board.tiles[0][0]:
        # Around a hexagon in the middle, the upper left is where rows begin: columns have their numbers at their ends.
        across = {column: place for place, (column, _, _) in board.spots.items()}
        right, down = -right, TILE * 0.62 + 8
    for column, place in across.items():
        x, y = places[place]
        found.append((x - right, y + down, str(column)))
    for row in board.tiles:
        x, y = places[row[0]]
        found.append((x - TILE * 0.68, y + 4, str(board.spots[row[0]][1])))
    return found
