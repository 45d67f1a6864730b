"""SVG pictures of boards and of opposing sides. Pages can change the colours with CSS variables."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from html import escape

from rulewright.engine.boards.board_contents import Board, Lineup, Member, Piece, Rank, Window, make_whole_window
from rulewright.engine.boards.piece_sides import draw_sides
from rulewright.engine.boards.space_marks import SpaceMark, choose_letters
from rulewright.ruleset.boards.board_shape import BoardShape
from rulewright.ruleset.boards.geometry import MARGIN, SQUARE, TILE

CHECKER = "rw-checker-"
"""The id of the pattern of tiles in two colours, followed by 0 or 1 for the colour of the first tile."""

COUPLE = 2
"""The number of pieces on a tile that overlap."""

ROOM = 4
"""The maximum number of pieces drawn on a tile. If there are more, a number replaces the last ones."""

INK = "var(--board-ink, #3a2f1d)"

SEATS = ("#b3322e", "#2c5fa8", "#2e7d4f", "#8f6210", "#7b3fa0", "#146b77", "#c2185b", "#5d4037", "#455a64", "#6b6313")
"""The colour of each seat, with a contrast of at least 4.5 to 1 against white."""


def draw_disc(piece: Piece, x: float, y: float, size: float) -> str:
    """Return SVG of a player's mark: a disc in the colour of the seat, with the seat's number for colour-blind readers.

    `x` and `y` are the upper left corner, and `size` is the diameter.
    """
    seat = piece.seat or 0
    middle, down = x + size / 2, y + size / 2
    return (
        f'<circle cx="{middle:g}" cy="{down:g}" r="{size / 2:g}" fill="{SEATS[(seat - 1) % len(SEATS)]}"/>'
        f'<text x="{middle:g}" y="{down + size * 0.2:g}" font-size="{size * 0.6:g}" font-weight="bold" '
        f'text-anchor="middle" fill="#fff">{seat}</text>'
    )


Point = tuple[float, float]

LABEL_SIZE = 11
"""The font size of the labels of spaces, for a drawing on a screen."""

FEW_TILES = 3
"""The maximum number of tiles whose contents only the title of the picture lists, which the pointer then shows."""

Picture = Callable[[Piece, float, float, float], str]
"""A function that draws a piece, given the left, the top and the size of the square for it."""


def draw_emoji(piece: Piece, x: float, y: float, size: float) -> str:
    """Return the piece's emoji, or the letter its name begins with, or a disc for a mark."""
    if piece.is_mark:
        return draw_disc(piece, x, y, size)
    return draw_text(x + size / 2, y + size * 0.82, piece.icon or piece.name[:1], size * 0.8)


def draw_board(
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
    """Return SVG of a grid, or the `window` of it, with the objects and marks on each tile and a `<title>`.

    `notes` are texts by tile, shown in place of the objects. `ways` are paths, each a sequence of tiles. `rings` are
    tiles to highlight, and `flags` are tiles by the text that is shown next to their objects. `letters` are the signs
    of marks by their texts (default: letters for the marks of this board). `label_size` is the font size of the labels.
    """
    view = window or make_whole_window(board)
    width = MARGIN + TILE * len(view.columns) + 2
    height = MARGIN + TILE * len(view.rows) + 2
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}" '
        f'role="img" font-family="sans-serif"><title>{escape(title or board.table)}</title>'
    ]
    signs = choose_mark_letters([board]) if letters is None else letters
    # Attributes common to all tiles are on the group, to save space on pages with many maps.
    parts.append(f'<g font-size="{label_size}" text-anchor="middle" fill="{INK}">')
    shape, rows = board.shape, len(board.tiles)
    for at, column in enumerate(view.columns):
        parts.append(_label(MARGIN + TILE * (at + 0.5), MARGIN - 8, shape.name_column(column + 1)))
    for at, row in enumerate(view.rows):
        parts.append(_label(MARGIN / 2, MARGIN + TILE * (at + 0.5) + 4, shape.name_row(row + 1, rows)))
    # Where the page has the pattern, every second tile is darker, the same ones in every part of a board.
    start = (view.columns[0] + view.rows[0]) % 2
    ground = f"url(#{CHECKER}{start}) var(--board-tile, #fbf8f1)"
    parts.append(f'</g><g fill="{ground}" stroke="var(--board-line, #cbbf9f)">')
    parts.append(_grid(len(view.columns), len(view.rows)))
    stand: list[str] = []
    places = {
        board.tiles[row][column]: (MARGIN + TILE * across + TILE / 2, MARGIN + TILE * down + TILE / 2)
        for down, row in enumerate(view.rows)
        for across, column in enumerate(view.columns)
    }
    drawn = find_drawn_tiles(board, places)
    texts = {tile: (notes or {}).get(tile, "") or ", ".join(board.list_labels(tile)) for tile in places}
    are_titled = sum(map(bool, texts.values())) > FEW_TILES or not title
    for tile, (middle, centre) in places.items():
        if text := texts[tile]:
            x, y = middle - TILE / 2, centre - TILE / 2
            if are_titled:
                words = escape(f"{board.titles[tile]}: {text}")
                parts.append(f'<rect x="{x:g}" y="{y:g}" width="{TILE}" height="{TILE}"><title>{words}</title></rect>')
            pieces = tuple(piece for piece in board.list_shown(tile) if drawn.get(piece, tile) == tile)
            stand += draw_tile(x, y, pieces, picture, (notes or {}).get(tile, ""))
            stand += draw_marks(x, y, board.marks.get(tile, ()), signs)
    # The pointer ignores the objects on a tile, so that it shows the tile's title.
    extents = [] if notes else draw_extents(board, places, SQUARE)
    parts += ['</g><g pointer-events="none">', *extents, *stand, "</g>"]
    parts += [draw_path([places[each] for each in passed if each in places]) for passed in ways]
    parts += draw_pointers(places, rings, flags or {})
    return "".join([*parts, "</svg>"])


def draw_path(places: Sequence[tuple[float, float]]) -> str:
    """Return SVG of a dotted line through points, with a ring at its start. Empty for fewer than two points."""
    if len(places) < 2:
        return ""
    colour = "var(--board-way, #b3322e)"
    points = " ".join(f"{x:g},{y:g}" for x, y in places)
    x, y = places[0]
    return (
        f'<polyline points="{points}" fill="none" stroke="{colour}" stroke-width="3" stroke-dasharray="1 6" '
        f'stroke-linecap="round" stroke-linejoin="round"/>'
        f'<circle cx="{x:g}" cy="{y:g}" r="5" fill="none" stroke="{colour}" stroke-width="2"/>'
    )


def draw_pointers(
    places: Mapping[str, tuple[float, float]], rings: Collection[str], flags: Mapping[str, str]
) -> Iterator[str]:
    """Yield SVG of a ring around each of some tiles, and of flags at the upper left corners of tiles.

    `places` are the centers of all tiles. Unknown tiles are ignored. `flags` are tiles by text.
    """
    for x, y in (places[each] for each in rings if each in places):
        yield f'<circle cx="{x:g}" cy="{y:g}" r="{TILE / 2 - 1:g}" fill="none" stroke="{INK}" stroke-width="2"/>'
    for text, (x, y) in ((text, places[each]) for each, text in flags.items() if each in places):
        left, top = x - TILE / 2 - 4, y - TILE / 2 - 4
        yield (
            f'<rect x="{left:g}" y="{top:g}" width="20" height="20" rx="4" fill="{INK}"/>'
            f'<text x="{left + 10:g}" y="{top + 15:g}" font-size="14" font-weight="bold" text-anchor="middle" '
            f'fill="var(--board-tile, #fbf8f1)">{escape(text)}</text>'
        )


def _grid(columns: int, rows: int) -> str:
    """Return empty tiles, as one shape."""
    width, height = columns * TILE, rows * TILE
    down = "".join(f"M{MARGIN + TILE * at} {MARGIN}v{height}" for at in range(1, columns))
    across = "".join(f"M{MARGIN} {MARGIN + TILE * at}h{width}" for at in range(1, rows))
    return f'<path d="M{MARGIN} {MARGIN}h{width}v{height}h-{width}z{down}{across}"/>'


def _label(x: float, y: float, name: str) -> str:
    return f'<text x="{x:g}" y="{y:g}">{name}</text>'


def draw_tile(
    x: float, y: float, pieces: tuple[Piece, ...], picture: Picture, note: str = "", *, below: float = 0
) -> list[str]:
    """Return SVG of the objects on a tile, or of its note. `x` and `y` are its upper left corner.

    Several objects are drawn `below` the label at the upper edge, and a number replaces those for which there is no
    room.
    """
    inside: list[str] = []
    if not note:
        inside += [draw_sides(piece.sides, x, y, TILE) for piece in pieces if piece.sides]
        # A tile without a picture of its own needs no letter in its middle.
        pieces = tuple(piece for piece in pieces if not piece.sides)
    if note:
        inside.append(draw_text(x + TILE / 2, y + TILE / 2 + 6, note, 17))
    elif len(pieces) == 1:
        inside.append(_piece(pieces[0], x + 10, y + 10, TILE - 20, picture))
    elif len(pieces) == COUPLE:
        # Two overlap along a diagonal, one with an owner above, so that each has more than half of the tile.
        size = (TILE - below) * 0.57
        first, second = sorted(pieces, key=lambda piece: piece.seat is not None)
        inside.append(_piece(first, x + 2, y + below + 2, size, picture))
        inside.append(_piece(second, x + TILE - size - 4, y + TILE - size - 4, size, picture))
    else:
        half, deep = TILE / 2, (TILE - below) / 2
        size = min(half - 6, deep - 3)
        left, top = x + (half - size) / 2, y + below + (deep - size) / 2
        drawn = pieces if len(pieces) <= ROOM else pieces[: ROOM - 1]
        for number, piece in enumerate(drawn):
            inside.append(_piece(piece, left + half * (number % 2), top + deep * (number // 2), size, picture))
        if len(pieces) > len(drawn):
            inside.append(draw_text(x + half * 1.5, y + below + deep * 1.5 + 4, f"+{len(pieces) - len(drawn)}", 11))
    return inside


def find_drawn_tiles(board: Board, visible: Collection[str]) -> dict[Piece, str]:
    """Return the first of the `visible` tiles of each piece of several tiles, on which its picture is drawn."""
    extents = board.list_extents().items()
    return {piece: next((tile for tile in tiles if tile in visible), "") for piece, tiles in extents}


def draw_extents(board: Board, places: Mapping[str, Point], corners: Sequence[Point]) -> Iterator[str]:
    """Yield SVG of the outline of each piece of several tiles, around all of them.

    `places` are the centers of the tiles that are shown, and `corners` those of each of them, relative to its center.
    Without corners, tiles are circles, and lines connect neighbours.
    """
    for piece, tiles in board.list_extents().items():
        drawn = [places[tile] for tile in tiles if tile in places]
        colour = INK if piece.seat is None else SEATS[(piece.seat - 1) % len(SEATS)]
        if corners:
            yield draw_outline(drawn, corners, colour)
            continue
        ways = [(places[a], places[b]) for a, b in board.links if {a, b} <= {*tiles} & places.keys()]
        lines = "".join(f"M{a[0]:g} {a[1]:g}L{b[0]:g} {b[1]:g}" for a, b in ways)
        yield f'<path d="{lines}" stroke="{colour}" stroke-opacity=".4" stroke-width="{TILE / 2:g}"/>'
        yield from (f'<circle cx="{x:g}" cy="{y:g}" r="{TILE / 3:g}" fill="{colour}"/>' for x, y in drawn)


def draw_outline(places: Sequence[Point], corners: Sequence[Point], colour: str) -> str:
    """Return SVG of a piece on the tiles with these centers and `corners`: its ground, and the sides around it."""
    around = [[(round(x + a, 1), round(y + b, 1)) for a, b in corners] for x, y in places]
    sides = [side for tile in around for side in zip(tile, [*tile[1:], tile[0]], strict=True)]
    # A side between two tiles of the piece occurs in both directions.
    edge = "".join(f"M{a[0]:g} {a[1]:g}L{b[0]:g} {b[1]:g}" for a, b in sides if (b, a) not in sides)
    ground = "".join(f"M{'L'.join(f'{x:g} {y:g}' for x, y in tile)}z" for tile in around)
    return (
        f'<path d="{ground}" fill="{colour}" fill-opacity=".2"/>'
        f'<path d="{edge}" fill="none" stroke="{colour}" stroke-width="3" stroke-linecap="round"/>'
    )


def draw_form(lines: Sequence[str], shape: BoardShape, *, scale: float = 0.25, unit: str = "") -> str:
    """Return SVG of the form of a piece on boards of a shape, as rows of text with `.` for gaps.

    It is `scale` times as large as on a board, in a `unit` such as `mm` (default: pixels).
    """
    cells = [(x, y, letter) for y, line in enumerate(lines) for x, letter in enumerate(line) if letter != "."]
    # Each row of a form on hexagons is indented by half a hexagon more than the one above.
    places = [shape.locate(x, y, y) for x, y, _ in cells]
    left, top = min(x for x, _ in places) - TILE * 0.62, min(y for _, y in places) - TILE * 0.62
    width, height = max(x for x, _ in places) + TILE * 0.62 - left, max(y for _, y in places) + TILE * 0.62 - top
    centers = [(x - left, y - top) for x, y in places]
    letters = {letter for _, _, letter in cells}
    texts = [
        draw_text(x, y + TILE * 0.2, letter, TILE * 0.55)
        for (x, y), (_, _, letter) in zip(centers, cells, strict=True)
        if len(letters) > 1
    ]
    size = f'width="{width * scale:.4g}{unit}" height="{height * scale:.4g}{unit}"'
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:.4g} {height:.4g}" {size} role="img">'
        f"<title>{escape(' / '.join(lines))}</title>{draw_outline(centers, shape.corners, INK)}{''.join(texts)}</svg>"
    )


def choose_mark_letters(boards: Iterable[Board]) -> dict[str, str]:
    """Return the sign of each mark on some boards in pictures, by its text."""
    marks = (mark for board in boards for standing in board.marks.values() for mark in standing)
    return choose_letters((mark.text for mark in marks if mark.is_sign), only="★")


def draw_marks(x: float, y: float, marks: Sequence[SpaceMark], letters: Mapping[str, str]) -> list[str]:
    """Return SVG of the signs of up to `ROOM` marks, from the upper right corner of a tile to the left.

    `x` and `y` are its upper left corner. Marks that are drawn as pieces, or have no text, are left out.
    """
    signs = [letters[mark.text] for mark in marks if mark.is_sign][:ROOM]
    return [
        f'<text x="{x + TILE * 0.88 - 9 * at:g}" y="{y + TILE * 0.22:g}" font-size="11" font-weight="bold" '
        f'text-anchor="middle" fill="{INK}">{escape(sign)}</text>'
        for at, sign in enumerate(reversed(signs))
    ]


def _piece(piece: Piece, x: float, y: float, size: float, picture: Picture) -> str:
    """Return SVG of an object. One with an owner has a ring and the number of the seat, unless it is a mark."""
    if piece.seat is None or piece.is_mark:
        return picture(piece, x, y, size)
    colour = SEATS[(piece.seat - 1) % len(SEATS)]
    edge, inner = size / 2 + 2, size * 0.76
    at = (size - inner) / 2
    drawn = (
        f'<circle cx="{x + size / 2:g}" cy="{y + size / 2:g}" r="{edge:g}" stroke="{colour}" '
        f'fill="var(--board-tile, #fbf8f1)" stroke-width="2"/>{picture(piece, x + at, y + at, inner)}'
    )
    # The seat's number identifies the owner for readers who cannot see colours.
    radius = 6.5 if size > TILE / 2 else 5
    right, bottom = x + size - 2, y + size - 2
    return (
        f'{drawn}<circle cx="{right:g}" cy="{bottom:g}" r="{radius:g}" fill="{colour}"/>'
        f'<text x="{right:g}" y="{bottom + radius / 2:g}" font-size="{radius * 1.4:g}" '
        f'font-weight="bold" text-anchor="middle" fill="#fff">'
        f"{piece.seat}</text>"
    )


def draw_text(x: float, y: float, words: str, size: float) -> str:
    """Return words in a picture, centred."""
    return f'<text x="{x:g}" y="{y:g}" font-size="{size:g}" text-anchor="middle" fill="{INK}">{escape(words)}</text>'


BOX = 56
GAP = 8
HEAD = 20
"""The height above a rank for its name."""

Attack = tuple[Collection[int], Collection[int]]
"""The members of a lineup that attack, and those that they attack."""

MemberPicture = Callable[[Member, float, float, float], str]
"""A function that draws a member, given the left, the top and the size of the square for it."""


def draw_ranks(
    lineup: Lineup,
    *,
    title: str,
    names: tuple[str, ...],
    picture: MemberPicture,
    describe: Callable[[Member], str],
    attack: Attack | None = None,
) -> str:
    """Return SVG of the ranks below each other. `names` has the heading of each rank.

    A `<title>` on every member describes it. The heading of the second of two ranks is below it, so that the arrows of
    an `attack` have room between them.
    """
    most = max((len(rank.members) for rank in lineup.ranks), default=1)
    width = max(most, 3) * (BOX + GAP) + GAP
    deep = HEAD + BOX + GAP
    height = deep * len(lineup.ranks) + GAP + (GAP if len(lineup.ranks) == RIVALS else 0)
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}" '
        f'role="img" font-family="sans-serif"><title>{escape(title)}</title>'
    ]
    centers: dict[int, tuple[float, float]] = {}
    for down, (rank, name) in enumerate(zip(lineup.ranks, names, strict=True)):
        top = down * deep + GAP / 2
        is_last = down == 1 and len(lineup.ranks) == RIVALS
        if down and not attack:
            line = top + (HEAD / 2 if is_last else 0)
            parts.append(
                f'<path d="M{GAP} {line:g}H{width - GAP}" stroke="var(--board-line, #cbbf9f)" stroke-dasharray="3 4"/>'
            )
        head = top + HEAD
        parts.append(_text(GAP, head + BOX + 15 if is_last else head - 7, name, 12, anchor="start"))
        if not rank.members:
            parts.append(_nobody(GAP, head))
        for across, member in enumerate(rank.members):
            left = GAP + across * (BOX + GAP)
            centers[member.entity] = left + BOX / 2, head + BOX / 2
            parts.append(_member(left, head, member, rank, picture, describe(member)))
    parts += draw_arrows(centers, attack) if attack else ()
    return "".join([*parts, "</svg>"])


RIVALS = 2
"""The number of ranks that face each other."""


def draw_arrows(centers: Mapping[int, tuple[float, float]], attack: Attack) -> Iterator[str]:
    """Yield SVG of arrows from the attacking members to those that they attack, by the `centers` of all members."""
    colour = "var(--board-way, #b3322e)"
    attackers, attacked = ([centers[each] for each in sorted(part) if each in centers] for part in attack)
    for x, y in attackers:
        yield (
            f'<rect x="{x - BOX / 2 - 2:g}" y="{y - BOX / 2 - 2:g}" width="{BOX + 4}" height="{BOX + 4}" rx="7" '
            f'fill="none" stroke="{colour}" stroke-width="2"/>'
        )
        for to_x, to_y in attacked:
            down = 1 if to_y > y else -1
            start, end = y + down * (BOX / 2 + 2), to_y - down * (BOX / 2 + 2)
            # Each arrow ends a little towards the side that it comes from.
            tip = to_x + max(-16, min(16, (x - to_x) / 4))
            yield (
                f'<path d="M{x:g} {start:g}L{tip:g} {end - down * 5:g}" stroke="{colour}" stroke-width="2"/>'
                f'<path d="M{tip:g} {end:g}l-5 {-8 * down:g}h10z" fill="{colour}"/>'
            )


def _nobody(x: float, y: float) -> str:
    """Return the empty first position of a rank."""
    return (
        f'<rect x="{x:g}" y="{y:g}" width="{BOX}" height="{BOX}" rx="5" fill="none" '
        f'stroke="var(--board-line, #cbbf9f)" stroke-dasharray="3 4"/>'
    )


def _member(x: float, y: float, member: Member, rank: Rank, picture: MemberPicture, title: str) -> str:
    """Return SVG of a member of a rank, with its title, its number, the seat, and a cross if it has fallen."""
    size = BOX * 0.46
    top = y + (7 if member.many is not None else (BOX - size) / 2)
    colour = SEATS[(rank.seat - 1) % len(SEATS)] if rank.seat is not None else "var(--board-line, #cbbf9f)"
    inside = [
        f"<g><title>{escape(title)}</title>"
        f'<rect x="{x:g}" y="{y:g}" width="{BOX}" height="{BOX}" rx="5" fill="var(--board-tile, #fbf8f1)" '
        f'stroke="{colour}" stroke-width="1.5"/>',
    ]
    if member.fell:
        # Below the picture and the number, which stay legible.
        right, bottom = x + BOX - 4, y + BOX - 4
        inside.append(
            f'<path d="M{x + 4:g} {y + 4:g}L{right:g} {bottom:g}M{right:g} {y + 4:g}L{x + 4:g} {bottom:g}" '
            f'stroke="var(--board-way, #b3322e)" stroke-opacity=".45" stroke-width="4" stroke-linecap="round"/>'
        )
    inside.append(picture(member, x + (BOX - size) / 2, top, size))
    if member.many is not None:
        inside.append(_text(x + BOX / 2, y + BOX - 8, f"× {member.many}", 14))
    if rank.seat is not None:
        right = x + BOX - 9
        inside.append(
            f'<circle cx="{right:g}" cy="{y + 9:g}" r="6.5" fill="{colour}"/>'
            f'<text x="{right:g}" y="{y + 12.2:g}" font-size="9" font-weight="bold" text-anchor="middle" fill="#fff">'
            f"{rank.seat}</text>"
        )
    return "".join([*inside, "</g>"])


def _text(x: float, y: float, text: str, size: float, anchor: str = "middle") -> str:
    return (
        f'<text x="{x:g}" y="{y:g}" font-size="{size:g}" text-anchor="{anchor}" '
        f'fill="var(--board-ink, #3a2f1d)">{escape(text)}</text>'
    )


def draw_checker(start: int) -> str:
    """Return the SVG pattern for the tiles of a grid. Its first tile is plain if `start` is 0."""
    first, second = (TILE, 0) if start == 0 else (0, TILE)
    side, tile = 2 * TILE, f"0h{TILE}v{TILE}h-{TILE}z"
    return (
        f'<pattern id="{CHECKER}{start}" x="{MARGIN}" y="{MARGIN}" width="{side}" height="{side}" '
        f'patternUnits="userSpaceOnUse"><path d="M0 0h{side}v{side}h-{side}z" fill="var(--board-tile, #fbf8f1)"/>'
        f'<path d="M{first} {tile}M{second} {TILE}{tile[1:]}" fill="var(--board-other, #f3e9d2)"/></pattern>'
    )
