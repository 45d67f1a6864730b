"""The marks of spaces: what the rules and the state of the game say about a space itself, not about objects on it."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import chain
from string import ascii_uppercase
from typing import Any, TypeVar

from rulewright.engine.narration.plain_names import Names
from rulewright.engine.narration.redaction import HIDDEN
from rulewright.engine.state.game_state import State
from rulewright.language.declarations import FIRST_PLAYER, GAME, GAME_KIND, Table
from rulewright.language.types import BOOLEAN, PLAYER, Choice, MapOf, Row, Type, present

Key = TypeVar("Key", bound=Hashable)


@dataclass(frozen=True, slots=True)
class SpaceMark:
    """A mark with the text of what it means, or the seat of a player that a space belongs to.

    `label` describes it in a sentence, and `name` is that of the column or value that it comes from. `origin` is the id
    of this value if it is one of the game. A mark that is on the board before the game begins `is_printed`. A mark with
    a text and a `picture`, which is the id of a term, is drawn as a piece, which belongs to the player in `seat` if
    there is one.
    """

    text: str = ""
    seat: int | None = None
    label: str = ""
    name: str = ""
    is_printed: bool = False
    picture: str = ""
    origin: str = ""

    @property
    def is_sign(self) -> bool:
        """Whether a letter stands for the mark in pictures."""
        return bool(self.text) and not self.picture


def list_space_marks(state: State, table: str) -> Mapping[str, tuple[SpaceMark, ...]]:
    """Return the marks of each space of a board that has any, as the viewer of `state` sees them.

    They come from columns of the board and from values of the game that are maps of it. True is a mark with the name of
    the column or value. A row of another table, or one of several ids, is a mark with its own name. A player is a mark
    with a seat. A value of the game that is one space, such as that of the last move, marks this space with its name.
    A row for which the layout of its table has a picture is a piece of the player who is a mark of the same space.
    """
    declared, names = state.machine.ruleset.declarations, Names.for_state(state)
    board = declared.tables[table]
    layout, layouts = state.machine.layout, state.machine.ruleset.layouts
    marks = {space: list(each) for space, each in list_printed_marks(board, names).items()}
    for name, field in declared.kinds[GAME_KIND].fields.items():
        is_space = present(field.type) == Row(table)
        if not is_space and (not isinstance(field.type, MapOf) or field.type.table != table):
            continue
        values = state.objects[GAME][layout.places[GAME_KIND, name]]
        if values is HIDDEN or values is None:
            continue
        noun = names.name_field(GAME_KIND, name)
        if is_space:
            marks.setdefault(values, []).append(SpaceMark(noun, label=noun, name=noun))
            continue
        assert isinstance(field.type, MapOf)
        kind = present(field.type.inner)
        rows = layouts.get(kind.table) if isinstance(kind, Row) else None
        pictures = {} if rows is None else rows.pictures
        for space, value in zip(board.rows, values, strict=True):
            value_marks = _mark(value, kind, table, noun, names)
            marks.setdefault(space, []).extend(
                replace(mark, picture=pictures.get(value, ""), origin=name) for mark in value_marks
            )
    return {space: tuple(_join_owner(each, names)) for space, each in marks.items() if each}


def _join_owner(marks: list[SpaceMark], names: Names) -> list[SpaceMark]:
    """Return the marks of a space with its piece and the player to whom it belongs as one, if it has both."""
    piece = next((mark for mark in marks if mark.picture), None)
    owner = next((mark for mark in marks if mark.seat is not None), None)
    if piece is None or owner is None or owner.seat is None:
        return marks
    player = names.name_player(owner.seat + FIRST_PLAYER - 1)
    joined = replace(piece, seat=owner.seat, label=f"{piece.label}, {player}")
    return [joined if mark is piece else mark for mark in marks if mark is not owner]


def list_printed_marks(board: Table, names: Names) -> Mapping[str, tuple[SpaceMark, ...]]:
    """Return the marks that a board has before the game begins, which come from its columns, by space."""
    marks: dict[str, tuple[SpaceMark, ...]] = {}
    for column, kind in board.columns.items():
        noun = board.called.get(column) or column.replace("_", " ")
        for space, row in board.rows.items():
            printed = _mark(row.cells[column], kind, board.id, noun, names)
            marks[space] = (*marks.get(space, ()), *(replace(mark, is_printed=True) for mark in printed))
    return {space: each for space, each in marks.items() if each}


def _mark(value: Any, kind: Type, table: str, noun: str, names: Names) -> Iterator[SpaceMark]:
    """Yield the mark of a value, for a true one with the text `noun`.

    None for connections to other spaces of the board `table`, numbers, texts, and what is false, none or hidden.
    """
    kind = present(kind)
    if value is None or value is HIDDEN:
        return
    if kind == BOOLEAN and value:
        yield SpaceMark(noun, label=noun, name=noun)
    elif kind == PLAYER:
        yield SpaceMark(seat=value - FIRST_PLAYER + 1, label=f"{noun}, {names.name_player(value)}", name=noun)
    elif isinstance(kind, Choice) or (isinstance(kind, Row) and kind.table != table):
        text = names.format_value(value, kind)
        yield SpaceMark(text, label=text, name=noun)


def choose_letters(texts: Iterable[str], *, only: str = "*") -> dict[str, str]:
    """Return a lower-case letter for each mark, in alphabetical order of their texts, and `only` if there is one."""
    different = sorted(set(texts))
    if len(different) == 1:
        return {different[0]: only}
    return {text: letter.lower() for text, letter in take_letters({text: text for text in different}).items()}


def take_letters(names: Mapping[Key, str]) -> dict[Key, str]:
    """Return a letter for each key: the first free letter of its name, or else of the alphabet.

    If all of these are taken, it is the first free pair of letters, beginning with a letter of the name.
    """
    letter_of: dict[Key, str] = {}
    used: set[str] = set()
    for key, name in names.items():
        letters = dict.fromkeys(c for c in name.upper() + ascii_uppercase if c.isalpha())
        pairs = (one + other for one in letters for other in letters)
        letter_of[key] = next((each for each in chain(letters, pairs) if each not in used), "?")
        used.add(letter_of[key])
    return letter_of
