"""Pictures of examples, with the boards and the opposing sides before and after the run."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from rulewright.book.english.grammar import capitalize
from rulewright.book.english.naming import Naming, humanize
from rulewright.book.parts.fixture_text import ORDINALS
from rulewright.book.style.fill_placeholders import fill
from rulewright.book.style.text_style import HtmlStyle, Style, format_integer
from rulewright.engine.boards.board_contents import (
    Board,
    Lineup,
    Member,
    Piece,
    Rank,
    Window,
    find_noted_window,
    find_window,
    list_boards,
    list_lineups,
    make_empty_board,
    make_whole_window,
)
from rulewright.engine.boards.board_svg import LABEL_SIZE, Attack, choose_mark_letters, draw_emoji, draw_ranks
from rulewright.engine.boards.board_svg import draw_text as text_svg
from rulewright.engine.boards.nongrid_svg import draw_nongrid_board
from rulewright.engine.narration.plain_names import Names
from rulewright.engine.narration.rich_text import to_text
from rulewright.engine.state.game_state import State
from rulewright.language.checked_steps import Procedure
from rulewright.language.declarations import PLAYER_KIND, Table, Term
from rulewright.language.types import Entity, ListOf, present
from rulewright.ruleset.prose.book_language import ENGLISH, Language, find_language
from rulewright.testing.procedure_run import RunResult

ROLLS = 3
"""The maximum number of rolls in the caption of a picture."""

HUES = 6
"""The number of colours for kinds without owners: the classes `rw-hue-0` to `rw-hue-5`."""


@dataclass(frozen=True, slots=True)
class MapView:
    """The drawing of a board at one moment. `when` names the moment, and is empty if nothing moved."""

    when: str
    drawing: str


@dataclass(frozen=True, slots=True)
class LegendView:
    """The picture and the name of one type of piece. Pieces with one name and one `sign` share an entry.

    They may differ in colour, as a piece without an owner does from one with an owner.
    """

    picture: str = field(compare=False)
    name: str
    sign: str = ""


@dataclass(frozen=True, slots=True)
class MapsView:
    """The drawings of one run, with their legend. `owned` says whether a piece shows the seat of its owner."""

    maps: tuple[MapView, ...]
    legend: tuple[LegendView, ...]
    owned: bool


@dataclass(frozen=True, slots=True)
class Notes:
    """A value for each space of a board, with a description of these values as HTML (`what`) and as plain text."""

    what: str
    plain: str
    of_tiles: Mapping[str, str]


def build_maps_view(ran: RunResult, style: HtmlStyle, notes: Sequence[Notes] = ()) -> MapsView | None:
    """Return the boards of a run that have pieces, before and after it, each with a drawing for each of `notes`.

    An unchanged board is drawn once. Return None if there is nothing to draw.
    """
    maps: list[MapView] = []
    drawn: list[Board] = []
    names = Names.for_state(ran.state)
    pairs = list(zip(list_boards(ran.start), list_boards(ran.state), strict=True))
    letters = choose_mark_letters(board for pair in pairs for board in pair)
    for before, after in pairs:
        part = find_window(before, after)
        if part is None:
            continue
        for when, board in _moments(before, after, style):
            drawing = draw_board_at(when, board, part, names, style, letters=letters)
            maps.append(MapView(_add_rolls(when, ran, style) if board is after else when, drawing))
            drawn.append(board)
        for note in notes:
            window = find_noted_window(after, note.of_tiles)
            if window is not None:
                drawing = draw_board_at(note.plain, after, window, names, style, note.of_tiles, letters=letters)
                maps.append(MapView(note.what, drawing))
    if not maps:
        return None
    return MapsView(tuple(maps), build_board_legend(drawn, letters, style), show_owners(drawn))


def build_board_legend(boards: Sequence[Board], letters: Mapping[str, str], style: HtmlStyle) -> tuple[LegendView, ...]:
    """Return the legend of some drawn boards: their pieces, and then the marks with their `letters` by text."""
    visible = [piece for board in boards for tile in board.titles for piece in board.list_shown(tile)]
    texts = count_marks(boards)
    pieces = dict.fromkeys(build_piece_legend(piece, style) for piece in visible if not piece.sides)
    sides = {side.place: side for piece in visible for side in piece.sides}
    pieces |= dict.fromkeys(
        build_mark_legend(side.name, side.letter, style)
        for _, side in sorted(sides.items())
        if side.letter != side.name
    )
    marks = (build_mark_legend(text, letter, style) for text, letter in letters.items() if text in texts)
    return *pieces, *marks


def build_printed_legend(table: Table, style: Style) -> tuple[LegendView, ...]:
    """Return the legend of the marks that a board has before the game begins."""
    letters = choose_mark_letters([make_empty_board(table, Names(style.ruleset))])
    return tuple(build_mark_legend(text, letter, style) for text, letter in letters.items())


def build_mark_legend(text: str, letter: str, style: Style) -> LegendView:
    """Return the legend entry of a mark, which a letter stands for in the picture."""
    return LegendView(_draw_letter(letter, style), style.escape(text), letter)


def _draw_letter(letter: str, style: Style) -> str:
    """Return a letter for a legend, apart from the word that follows."""
    return f"<b>{style.escape(letter)}</b> "


def count_marks(boards: Sequence[Board]) -> Counter[str]:
    """Return the number of spaces with each mark on some boards, by its text."""
    return Counter(mark.text for board in boards for marks in board.marks.values() for mark in marks if mark.is_sign)


def show_owners(boards: Sequence[Board]) -> bool:
    """Return whether a piece or mark on some boards shows a seat."""
    return any(piece.seat for board in boards for tile in board.titles for piece in board.list_shown(tile))


def build_change_maps(start: State, end: State, style: HtmlStyle, ways: Sequence[Sequence[str]]) -> MapsView:
    """Return the complete boards that differ between two states, as they are in `end`, with arrows along `ways`.

    The result has no maps if no board differs.
    """
    names = Names.for_state(end)
    pairs = zip(list_boards(start), list_boards(end), strict=True)
    drawn = [after for before, after in pairs if look(before) != look(after)]
    letters = choose_mark_letters(drawn)
    maps = tuple(
        MapView("", draw_board_at("", board, make_whole_window(board), names, style, ways=ways, letters=letters))
        for board in drawn
    )
    return MapsView(maps, build_board_legend(drawn, letters, style), show_owners(drawn))


def _moments(before: Board, after: Board, style: Style) -> list[tuple[str, Board]]:
    """Return the moments to draw, without empty boards. An unchanged board is drawn once, as it is in the end."""
    if look(before) == look(after):
        return [("", after)]
    moments = ((style.language.translate("Before"), before), (style.language.translate("After"), after))
    return [(when, board) for when, board in moments if not board.is_empty]


def draw_empty_board(table: Table, plain: Style, *, label_size: int = LABEL_SIZE) -> str:
    """Return the drawing of a board without pieces, with its title and its size as the title of the picture."""
    board = make_empty_board(table, Names(plain.ruleset))
    language = find_language(plain.ruleset)
    size = board.describe_size(language.tag)
    columns, rows = len(board.tiles[0]), len(board.tiles)
    if board.shape.is_croppable and columns > 1 and rows > 1:
        size = language.translate("%(columns)s columns, %(rows)s rows", columns=columns, rows=rows)
    return draw_nongrid_board(board, title=f"{fill(table.title, plain)}: {size}", label_size=label_size)


def look(board: Board) -> dict[str, list[tuple[str, int | None]]]:
    """Return the visible contents of a board: the kinds and seats of pieces and the marks on each space that is used.

    Marks that are on the board before the game begins are left out.
    """
    return {
        tile: [
            *((piece.kind, piece.seat) for piece in board.pieces.get(tile, ())),
            *((mark.text, mark.seat) for mark in board.marks.get(tile, ()) if not mark.is_printed),
        ]
        for tile in board.spots
        if board.is_used(tile)
    }


def draw_board_at(
    when: str,
    board: Board,
    part: Window,
    names: Names,
    style: HtmlStyle,
    notes: Mapping[str, str] | None = None,
    ways: Sequence[Sequence[str]] = (),
    rings: Collection[str] = (),
    flags: Mapping[str, str] | None = None,
    letters: Mapping[str, str] | None = None,
) -> str:
    """Return the drawing of a board or a part of it, with a title that describes it in words.

    Args:
        when: The name of the moment, which begins the title. May be empty.
        board: The board with its pieces.
        part: The part of the board to draw.
        names: The names of rows for the title.
        style: The style of the pictures.
        notes: Values to write on spaces. The title then lists them instead of the pieces.
        ways: Sequences of spaces, each drawn as an arrow.
        rings: Spaces to mark with a ring.
        flags: Labels to attach to spaces.
        letters: The signs of marks by their texts (default: letters for the marks of this board).
    """
    text = "; ".join(f"{names.name_row(board.table, tile)} {note}" for tile, note in (notes or {}).items())
    text = text or "; ".join(
        f"{names.name_row(board.table, tile)} {', '.join(board.list_labels(tile))}"
        for tiles in board.tiles
        for tile in tiles
        if board.is_used(tile)
    )

    def picture(piece: Piece, x: float, y: float, size: float) -> str:
        term = _find_piece_term(piece, style)
        hue = f"rw-hue-{_choose_hue(piece.kind, style)}" if piece.seat is None else ""
        own = style.drawing(term, x, y, size, hue) if term is not None and not piece.is_mark else ""
        return own or draw_emoji(piece, x, y, size)

    title = f"{when + ': ' if when else ''}{text}"
    return draw_nongrid_board(
        board,
        title=title,
        window=part,
        picture=picture,
        notes=notes,
        ways=ways,
        rings=rings,
        flags=flags,
        letters=letters,
    )


def _choose_hue(kind: str, style: Style) -> int:
    """Return the colour of a kind without owners, one of a few, as the Play page chooses it."""
    return list(style.ruleset.declarations.kinds).index(kind) % HUES


def _find_piece_term(piece: Piece, style: Style) -> Term | None:
    """Return the term whose picture a piece has: its own, or that of its kind."""
    return style.ruleset.declarations.terms.get(piece.picture) or Naming(style).kind_term(piece.kind)


def build_piece_legend(piece: Piece, style: HtmlStyle) -> LegendView:
    """Return the legend entry of a piece. Marks of ownership, which show the seats of players, share a dot."""
    term = _find_piece_term(piece, style)
    if piece.is_mark:
        return LegendView(_draw_letter("●", style), style.escape(piece.name), "●")
    if term is None:
        letter = piece.icon or piece.name[:1]
        return LegendView(_draw_letter(letter, style), style.escape(piece.name), letter)
    picture = style.picture(term)
    if piece.seat is None:
        picture = f'<span class="rw-hue-{_choose_hue(piece.kind, style)}">{picture}</span>'
    return LegendView(picture, style.escape(term.title), term.id)


def build_lineup_views(ran: RunResult, style: HtmlStyle) -> MapsView | None:
    """Return the sides of a run that have members, before and after it, or None if there are none."""
    maps: list[MapView] = []
    members: list[Member] = []
    owned = False
    called = name_arguments(ran, style)
    for before, after in zip(list_lineups(ran.start), list_lineups(ran.state), strict=True):
        for when, lineup in _lineup_moments(before, after, style):
            caption = _add_rolls(when, ran, style) if lineup is after else when
            maps.append(MapView(caption, draw_lineup(when, lineup, style, called)))
            members += [member for rank in lineup.ranks for member in rank.members]
            owned = owned or any(rank.seat and rank.members for rank in lineup.ranks)
    if not maps:
        return None
    return MapsView(tuple(maps), tuple(dict.fromkeys(build_member_legend(member, style) for member in members)), owned)


def _lineup_moments(before: Lineup, after: Lineup, style: Style) -> Iterator[tuple[str, Lineup]]:
    """Yield the moments to draw, without empty sides. Unchanged sides are drawn once."""
    if before == after and not before.is_empty:
        yield "", before
    elif before != after:
        # A side without members is defeated, and is drawn empty in the second picture.
        moments = ((style.language.translate("Before"), before), (style.language.translate("After"), after))
        yield from ((when, lineup) for when, lineup in moments if not lineup.is_empty)


def name_arguments(ran: RunResult, style: Style) -> dict[int, str]:
    """Return the nouns of the parameters of a run that hold objects, by object, such as `Attacker`."""
    if ran.procedure is None:
        return {}
    named = zip(ran.procedure.parameters.items(), ran.arguments, strict=False)
    return {
        value: noun
        for (name, kind), value in named
        if isinstance(present(kind), Entity) and value is not None and (noun := name_bound(ran.procedure, name, style))
    }


def name_bound(procedure: Procedure, name: str, style: Style) -> str:
    """Return the noun for a name in a procedure, as a heading. Empty if the rules have none in another language."""
    words = fill(procedure.called.get(name, ""), Style(style.ruleset), inside=True)
    if style.language is ENGLISH:
        return capitalize(words or humanize(name))
    # Other languages give each noun with its article.
    return capitalize(words.partition(" ")[2])


def _add_rolls(when: str, ran: RunResult, style: Style) -> str:
    """Return the caption of the last picture of a run: its moment, and the rolls that led to it."""
    return ". ".join(filter(None, (when, style.escape(describe_rolls(ran, style)))))


def describe_rolls(ran: RunResult, style: Style) -> str:
    """Return the rolls of a run that the rules have a noun for, with their results, as plain text.

    If there are more than `ROLLS`, only those of the outermost procedure are listed. Empty if these are too many as
    well, so that only the log can show them.
    """
    results: list[str] = []
    own: list[str] = []
    for moment in ran.moments:
        procedure, _, name = moment.event.rule.rpartition(".")
        if moment.event.kind == "rolled" and name in style.ruleset.procedures[procedure].called:
            noun = name_bound(style.ruleset.procedures[procedure], name, style)
            result, total = to_text(moment.event.account.after), format_integer(moment.event.details[-1])
            results.append(f"{noun}: {result}" if result == total else f"{noun}: {result} ({total})")
            if ran.procedure is not None and procedure == ran.procedure.id:
                own.append(results[-1])
    return ". ".join(next((rolls for rolls in (results, own) if len(rolls) <= ROLLS), ()))


def find_attack(state: State, lineup: Lineup) -> Attack | None:
    """Return the members of a side that act on those of another in the current procedure, with these, or None.

    They are the first two parameters of the procedure that hold members of the lineup.
    """
    if not state.stack:
        return None
    frame, ruleset = state.stack[-1], state.machine.ruleset
    step = ruleset.steps.get(frame[0])
    if step is None:
        return None
    procedure = ruleset.procedures[step.procedure]
    held = []
    for (slot, name), kind in zip(sorted(procedure.names.items()), procedure.parameters.values(), strict=False):
        assert name in procedure.parameters
        inner = present(kind.inner if isinstance(kind, ListOf) else kind)
        if inner == Entity(lineup.kind):
            value = frame[slot]
            held.append(frozenset(value if isinstance(value, tuple) else (value,)))
    return (held[0], held[1]) if len(held) > 1 else None


def draw_lineup(
    when: str, lineup: Lineup, style: HtmlStyle, called: Mapping[int, str], attack: Attack | None = None
) -> str:
    """Return the drawing of opposing sides. Its title describes them in words, after `when` unless that is empty.

    `called` are the headings of sides by object. An `attack` has arrows from its first members to the others.
    """
    names = tuple(_names(lineup, style, called))
    language, player = style.language, Naming(Style(style.ruleset)).kind(PLAYER_KIND)

    def whose(rank: Rank) -> str:
        return f", {player} {rank.seat}" if rank.seat is not None else ""

    ranks = (
        f"{name}{whose(rank)}: "
        + language.join_list([_describe(member, language) for member in rank.members] or [language.translate("nobody")])
        for name, rank in zip(names, lineup.ranks, strict=True)
    )
    title = f"{when + ': ' if when else ''}{'; '.join(ranks)}"

    def picture(member: Member, x: float, y: float, size: float) -> str:
        term = _term(member, style)
        drawn = style.drawing(term, x, y, size) if term is not None else ""
        sign = (term.icon or term.name[:1]) if term is not None else member.label[:1]
        return drawn or text_svg(x + size / 2, y + size * 0.82, sign, size * 0.8)

    def describe(member: Member) -> str:
        return language.translate("%(name)s, out", name=member.label) if member.fell else member.label

    return draw_ranks(lineup, title=title, names=names, picture=picture, describe=describe, attack=attack)


def _describe(member: Member, language: Language) -> str:
    return language.translate("%(name)s (out)", name=member.label) if member.fell else member.label


def _names(lineup: Lineup, style: HtmlStyle, called: Mapping[int, str]) -> Iterator[str]:
    """Yield the heading of each side, such as `Attacker: Player 1`, or `The first side` if it is not `called` so."""
    naming = Naming(Style(style.ruleset))
    for place, rank in enumerate(lineup.ranks):
        many = len(lineup.ranks) > 1 and place < len(ORDINALS)
        noun = naming.kind(rank.kind)
        if rank.entity in called:
            yield f"{called[rank.entity]}: {rank.label}"
        elif many and style.language is not ENGLISH:
            yield f"{noun} {place + 1}"
        else:
            yield capitalize(f"the {ORDINALS[place]} {noun}" if many else noun)


def _term(member: Member, style: HtmlStyle) -> Term | None:
    return Naming(style).kind_term(member.kind)


def build_member_legend(member: Member, style: HtmlStyle) -> LegendView:
    """Return the legend entry of a member of a side."""
    term = _term(member, style)
    if term is None:
        return LegendView("", style.escape(member.label))
    return LegendView(style.picture(term), style.escape(term.title), term.id)


def merge_maps(*views: MapsView | None) -> MapsView | None:
    """Return several groups of drawings as one, or None if all are None."""
    maps_view: MapsView | None = None
    for view in views:
        if maps_view is None or view is None:
            maps_view = maps_view or view
            continue
        legend = tuple(dict.fromkeys((*maps_view.legend, *view.legend)))
        maps_view = replace(
            maps_view, maps=maps_view.maps + view.maps, legend=legend, owned=maps_view.owned or view.owned
        )
    return maps_view
