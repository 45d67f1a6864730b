"""Boards that are no grids of squares, as SVG pictures: hexagons, tracks, and areas with the ways between them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from html import escape
from math import cos, pi, sin, sqrt

from rulewright.play.boards.board import Board, Window
from rulewright.play.boards.svg import INK, MARGIN, TILE, Picture, board_svg, emoji, tile, way

Spot = tuple[float, float]

_NUMBER = 13
"""Room for the number of a track's place, at its upper edge."""

APART = 2.2
"""Tiles from the middle of an area to that of one in the next column."""


def drawn(
    board: Board,
    *,
    title: str = "",
    window: Window | None = None,
    picture: Picture = emoji,
    notes: Mapping[str, str] | None = None,
    ways: Sequence[Sequence[str]] = (),
) -> str:
    """A board of any shape, as `board_svg` draws a grid. A `window` is a part of a grid; others are drawn whole."""
    if board.is_grid:
        return board_svg(board, title=title, window=window, picture=picture, notes=notes, ways=ways)
    places, (width, height) = laid_out(board)
    outline = _OUTLINES[board.shape]
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:g} {height:g}" width="{width:g}" '
        f'height="{height:g}" role="img" font-family="sans-serif"><title>{escape(title or board.table)}</title>',
        '<g fill="none" stroke="var(--board-line, #cbbf9f)" stroke-width="3">',
        *(_line(places[one], places[other]) for one, other in board.links),
        '</g><g fill="var(--board-tile, #fbf8f1)" stroke="var(--board-line, #cbbf9f)">',
    ]
    stand: list[str] = []
    for place, (x, y) in places.items():
        pieces = board.pieces.get(place, ())
        note = (notes or {}).get(place, "")
        said = note or ", ".join(piece.label for piece in pieces)
        words = f"<title>{escape(f'{board.titles[place]}: {said}')}</title>" if said else ""
        parts.append(outline(x, y, words))
        if said:
            below = _NUMBER if board.shape == "track" else 0
            stand += tile(x - TILE / 2, y - TILE / 2, pieces, picture, note, below=below)
    parts.append(f'</g><g font-size="11" text-anchor="middle" fill="{INK}" pointer-events="none">')
    parts += [f'<text x="{x:g}" y="{y:g}">{escape(words)}</text>' for x, y, words in _labels(board, places)]
    parts += ['</g><g pointer-events="none">', *stand, "</g>"]
    parts += [way([places[place] for place in passed if place in places]) for passed in ways]
    return "".join([*parts, "</svg>"])


def laid_out(board: Board) -> tuple[dict[str, Spot], Spot]:
    """Where the middle of each place lies on the whole drawing of a board, and how wide and high that is."""
    if board.is_grid:
        middles = {
            tile: (MARGIN + TILE * (across + 0.5), MARGIN + TILE * (down + 0.5))
            for down, row in enumerate(board.tiles)
            for across, tile in enumerate(row)
        }
        return middles, (MARGIN + TILE * max(map(len, board.tiles)) + 2, MARGIN + TILE * len(board.tiles) + 2)
    spots = _LAYOUTS[board.shape](board)
    left, top = min(x for x, _ in spots.values()), min(y for _, y in spots.values())
    edge = MARGIN + TILE * 0.6
    places = {place: (x - left + edge, y - top + edge) for place, (x, y) in spots.items()}
    width = max(x for x, _ in places.values()) + TILE * 0.6 + 8
    height = max(y for _, y in places.values()) + TILE * (1 if board.shape in ("areas", "slanted") else 0.6) + 8
    return places, (width, height)


def _hexagons(board: Board) -> dict[str, Spot]:
    deep = TILE * sqrt(3) / 2
    return {place: ((x + indent / 2) * TILE, y * deep) for place, (x, y, indent) in board.spots.items()}


def _hexagon(x: float, y: float, words: str) -> str:
    size = TILE / sqrt(3)
    corners = ((x + size * cos(pi * (k / 3 + 1 / 6)), y + size * sin(pi * (k / 3 + 1 / 6))) for k in range(6))
    return f'<polygon points="{" ".join(f"{a:.1f},{b:.1f}" for a, b in corners)}">{words}</polygon>'


def _track(board: Board) -> dict[str, Spot]:
    return {place: (x * TILE, y * TILE) for place, (x, y, _) in board.spots.items()}


def _square(x: float, y: float, words: str) -> str:
    return f'<rect x="{x - TILE / 2:g}" y="{y - TILE / 2:g}" width="{TILE}" height="{TILE}">{words}</rect>'


def _areas(board: Board) -> dict[str, Spot]:
    return {place: (x * TILE * APART, y * TILE * APART) for place, (x, y, _) in board.spots.items()}


def _circle(x: float, y: float, words: str) -> str:
    return f'<circle cx="{x:g}" cy="{y:g}" r="{TILE * 0.6:g}">{words}</circle>'


_LAYOUTS: Mapping[str, Callable[[Board], dict[str, Spot]]] = {
    "hexagons": _hexagons,
    "slanted": _hexagons,
    "track": _track,
    "areas": _areas,
}

_OUTLINES: Mapping[str, Callable[[float, float, str], str]] = {
    "hexagons": _hexagon,
    "slanted": _hexagon,
    "track": _square,
    "areas": _circle,
}


def _labels(board: Board, places: Mapping[str, Spot]) -> list[tuple[float, float, str]]:
    """What is written beside places: the numbers of columns and rows, of a track each place's own, of areas names."""
    if board.shape == "track":
        return [(x - TILE / 2 + 9, y - TILE / 2 + _NUMBER - 1, board.titles[place]) for place, (x, y) in places.items()]
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


def _line(one: Spot, other: Spot) -> str:
    return f'<path d="M{one[0]:g} {one[1]:g}L{other[0]:g} {other[1]:g}"/>'
