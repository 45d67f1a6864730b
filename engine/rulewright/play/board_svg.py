"""A board as an SVG picture, for notebooks and pages. Colours follow CSS variables where a page sets them."""

from __future__ import annotations

from html import escape

from rulewright.play.board import Board, Piece

TILE = 40
MARGIN = 24

SEATS = ("#b3322e", "#2c5fa8", "#2e7d4f", "#a8741a", "#7b3fa0", "#1b7f8c", "#c2185b", "#5d4037", "#455a64", "#827717")
"""A colour for each seat; each has a contrast of at least 4.5 to 1 against white."""


def board_svg(board: Board, *, title: str = "") -> str:
    """The board with what stands on each tile; a `<title>` on every tile says it in words."""
    width = MARGIN + TILE * len(board.tiles[0]) + 2
    height = MARGIN + TILE * len(board.tiles) + 2
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}" '
        f'role="img" font-family="sans-serif"><title>{escape(title or board.table)}</title>'
    ]
    for column in range(len(board.tiles[0])):
        parts.append(_text(MARGIN + TILE * column + TILE / 2, MARGIN - 8, str(column + 1), 11))
    for row, tiles in enumerate(board.tiles):
        parts.append(_text(MARGIN / 2, MARGIN + TILE * row + TILE / 2 + 4, str(row + 1), 11))
        for column, tile in enumerate(tiles):
            x, y = MARGIN + TILE * column, MARGIN + TILE * row
            parts.append(_tile(x, y, f"[{column + 1}, {row + 1}]", board.pieces.get(tile, ())))
    return "".join([*parts, "</svg>"])


def _tile(x: float, y: float, place: str, pieces: tuple[Piece, ...]) -> str:
    said = ", ".join(piece.label for piece in pieces) or "empty"
    inside = [
        f"<g><title>{escape(f'{place}: {said}')}</title>"
        f'<rect x="{x}" y="{y}" width="{TILE}" height="{TILE}" fill="var(--board-tile, #fbf8f1)" '
        f'stroke="var(--board-line, #cbbf9f)"/>'
    ]
    if pieces:
        top = pieces[0]
        if top.seat is not None:
            colour = SEATS[(top.seat - 1) % len(SEATS)]
            inside.append(
                f'<rect x="{x + 2}" y="{y + 2}" width="{TILE - 4}" height="{TILE - 4}" rx="6" fill="none" '
                f'stroke="{colour}" stroke-width="3"/>'
            )
        inside.append(_text(x + TILE / 2, y + TILE / 2 + 7, top.icon or top.name[:1], 20))
        if len(pieces) > 1:
            inside.append(_text(x + TILE - 8, y + 13, f"+{len(pieces) - 1}", 10))
    return "".join([*inside, "</g>"])


def _text(x: float, y: float, text: str, size: int) -> str:
    return (
        f'<text x="{x:g}" y="{y:g}" font-size="{size}" text-anchor="middle" '
        f'fill="var(--board-ink, #3a2f1d)">{escape(text)}</text>'
    )
