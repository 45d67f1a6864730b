"""SVG pictures of boards other than square grids: hexagons, tracks, and areas with the connections between them."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from html import escape

from rulewright.engine.boards.board_contents import Board, Window
from rulewright.engine.boards.board_svg import (
    INK,
    LABEL_SIZE,
    Picture,
    choose_mark_letters,
    draw_board,
    draw_emoji,
    draw_extents,
    draw_marks,
    draw_path,
    draw_pointers,
    draw_tile,
    find_drawn_tiles,
)
from rulewright.ruleset.boards.geometry import CIRCLE, SQUARE, TILE, BoardGeometry, Spot


def draw_nongrid_board(
    board: Board,
    *,
    title: str = "",
    window: Window | None = None,
    picture: Picture = draw_emoji,
    notes: Mapping[str, str] | None = None,
    ways: Sequence[Sequence[str]] = (),
    rings: Collection[str] = (),
    flags: Mapping[str, str] | None = None,
    letters: Mapping[str, str] | None = None,
    label_size: int = LABEL_SIZE,
) -> str:
    """Return SVG of a board of any shape, with the parameters of `board_svg.draw_board`.

    A grid is drawn by that function. A `window` is a part of a grid, and other boards are drawn whole.
    """
    if board.shape.is_croppable:
        return draw_board(
            board,
            title=title,
            window=window,
            picture=picture,
            notes=notes,
            ways=ways,
            rings=rings,
            flags=flags,
            letters=letters,
            label_size=label_size,
        )
    signs = choose_mark_letters([board]) if letters is None else letters
    geometry = board.geometry
    places = geometry.places
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {geometry.width:g} {geometry.height:g}" '
        f'width="{geometry.width:g}" height="{geometry.height:g}" role="img" font-family="sans-serif">'
        f"<title>{escape(title or board.table)}</title>",
        '<g fill="none" stroke="var(--board-line, #cbbf9f)" stroke-width="3">',
        *(_line(places[one], places[other]) for one, other in geometry.links),
        '</g><g fill="var(--board-tile, #fbf8f1)" stroke="var(--board-line, #cbbf9f)">',
    ]
    stand: list[str] = []
    drawn = find_drawn_tiles(board, places)
    for place, (x, y) in places.items():
        note = (notes or {}).get(place, "")
        text = note or ", ".join(board.list_labels(place))
        words = f"<title>{escape(f'{board.titles[place]}: {text}')}</title>" if text else ""
        parts.append(_outline(geometry, x, y, words))
        if text:
            left, top = x - TILE / 2, y - TILE / 2
            pieces = tuple(piece for piece in board.list_shown(place) if drawn.get(piece, place) == place)
            stand += draw_tile(left, top, pieces, picture, note, below=board.shape.head)
            stand += draw_marks(left, top, board.marks.get(place, ()), signs)
    parts.append(f'</g><g font-size="{label_size}" text-anchor="middle" fill="{INK}" pointer-events="none">')
    parts += [f'<text x="{x:g}" y="{y:g}">{escape(words)}</text>' for x, y, words in geometry.words]
    extents = [] if notes else draw_extents(board, places, geometry.corners)
    parts += ['</g><g pointer-events="none">', *extents, *stand, "</g>"]
    parts += [draw_path([places[place] for place in passed if place in places]) for passed in ways]
    parts += draw_pointers(places, rings, flags or {})
    return "".join([*parts, "</svg>"])


def _outline(geometry: BoardGeometry, x: float, y: float, words: str) -> str:
    """Return SVG of the outline of a space around a point. `words` is the SVG inside it."""
    if geometry.round:
        return f'<circle cx="{x:g}" cy="{y:g}" r="{CIRCLE:g}">{words}</circle>'
    if geometry.corners == SQUARE:
        return f'<rect x="{x - TILE / 2:g}" y="{y - TILE / 2:g}" width="{TILE}" height="{TILE}">{words}</rect>'
    return f'<polygon points="{" ".join(f"{x + a:.1f},{y + b:.1f}" for a, b in geometry.corners)}">{words}</polygon>'


def _line(one: Spot, other: Spot) -> str:
    return f'<path d="M{one[0]:g} {one[1]:g}L{other[0]:g} {other[1]:g}"/>'
