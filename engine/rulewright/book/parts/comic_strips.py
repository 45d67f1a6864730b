"""Picture stories: an example as a strip of pictures, one for every step at which there is something new to see."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from rulewright.book.parts.example_maps import (
    LegendView,
    board_drawing,
    lineup_drawing,
    look,
    member_legend,
    piece_legend,
)
from rulewright.book.parts.example_runs import Happening, ran_example
from rulewright.book.parts.log_lines import Line, Lines
from rulewright.book.style.fill_placeholders import fill
from rulewright.book.style.text_style import Html
from rulewright.engine.boards.board_contents import (
    Board,
    Lineup,
    Window,
    around,
    boards,
    lineups,
    window,
    with_the_fallen,
)
from rulewright.engine.narration.plain_names import Names
from rulewright.engine.state.game_state import State
from rulewright.ruleset.sections.stories import Story
from rulewright.testing.trace import Film, film


@dataclass(frozen=True, slots=True)
class Panel:
    """One picture: the drawings of what has changed, and what led to that, the dice as they fell among it."""

    drawings: tuple[str, ...]
    happened: tuple[Happening, ...]


@dataclass(frozen=True, slots=True)
class StoryView:
    """A picture story, ready for a template. `owned` says whether anything in it bears its player's seat."""

    title: str
    text: str
    example: str
    begins: tuple[str, ...]
    panels: tuple[Panel, ...]
    legend: tuple[LegendView, ...]
    owned: bool


def story_view(story: Story, style: Html) -> StoryView | None:
    """Return the story, as the engine played its example; None where there is none to tell."""
    example = style.ruleset.examples.get(story.example)
    filmed = film(style.ruleset, example, ran_example(example, style.ruleset)) if example is not None else None
    if filmed is None:
        return None
    strip = _Strip(filmed, style)
    panels = tuple(strip.panels())
    begins = tuple(strip.begins()) if any(panel.drawings for panel in panels) else ()
    legend = tuple(dict.fromkeys(strip.legend))
    return StoryView(
        fill(story.title, style), fill(story.text, style), story.example, begins, panels, legend, strip.owned
    )


class _Strip:
    """The pictures of one story. Every picture of a board shows the part of it on which anything happens at all."""

    def __init__(self, filmed: Film, style: Html) -> None:
        self.film = filmed
        self.style = style
        procedure = filmed.run.procedure
        assert procedure is not None
        self.lines = Lines(filmed.run.moments, procedure.id, style)
        self.told = list(self.lines.of(range(len(filmed.run.moments))))
        self.legend: list[LegendView] = []
        self.owned = False
        self.windows = self._windows()
        self.is_seen = bool(self.windows) or any(
            not lineup.is_empty for state in (filmed.run.start, *filmed.frames) for lineup in lineups(state)
        )

    def _windows(self) -> dict[str, Window]:
        """By board, the part that is shown: where it changes in the course of the story, and one tile around that."""
        seen = [self.film.run.start, *self.film.frames]
        found = {}
        for moments in zip(*(boards(state) for state in seen), strict=True):
            looks = [look(board) for board in moments]
            touched = {tile for each in looks for tile in each if any(other.get(tile) != each[tile] for other in looks)}
            part = around(touched, moments[0]) if touched and moments[0].is_grid else window(*moments)
            if part is not None:
                found[moments[0].table] = part
        return found

    def begins(self) -> Iterator[str]:
        """How everything stands before anything has happened."""
        start = self.film.run.start
        for board in boards(start):
            if board.pieces and board.table in self.windows:
                yield self._board(board, (), (), start)
        yield from (self._lineup(lineup) for lineup in lineups(start) if not lineup.is_empty)

    def panels(self) -> list[Panel]:
        """One picture after another: whatever changes what can be seen, and the dice that led to it."""
        found, before, waiting = list[Panel](), self.film.run.start, list[Line]()
        for line, right_after, at_last in self._with_what_follows():
            # Where there is no board to look at, the dice are what is to be seen.
            if not self.is_seen and line.happening.is_roll and any(not each.happening.is_roll for each in waiting):
                found.append(_panel((), waiting))
                waiting = []
            is_told = self._is_told(line)
            if is_told:
                waiting.append(line)
            for after in (right_after, at_last):
                drawings = tuple(self._changed(before, after, line))
                if drawings:
                    # What was chosen is told where it is what changes the picture.
                    found.append(_panel(drawings, waiting if is_told else [*waiting, line]))
                    before, waiting = after, []
                    break
        if waiting and found and self.is_seen:
            more = _panel((), waiting).happened
            found[-1] = replace(found[-1], happened=(*found[-1].happened, *more))
        elif waiting:
            found.append(_panel((), waiting))
        return found

    def _with_what_follows(self) -> Iterator[tuple[Line, State, State]]:
        """Each line with the state right after it, and that before the next line: not all that is done is told."""
        ends = [line.places[0] - 1 for line in self.told[1:]] + [len(self.film.frames) - 1]
        for line, end in zip(self.told, ends, strict=True):
            yield line, self.film.frames[line.places[-1]], self.film.frames[max(end, line.places[-1])]

    def _is_told(self, line: Line) -> bool:
        """Whether a line is told: pictures show what was chosen, and steps note things for themselves."""
        event = self.film.run.moments[line.places[-1]].event
        if event.told == "asked":
            return False
        # What no object holds, a name or a note of the game itself, is on no board.
        return not self.is_seen or not (event.told == "written" and not event.details[0])

    def _changed(self, before: State, after: State, line: Line) -> Iterator[str]:
        """Yield the drawings of what looks otherwise after a line than it did before."""
        for earlier, board in zip(boards(before), boards(after), strict=True):
            was, is_ = look(earlier), look(board)
            rings = [tile for tile in dict.fromkeys((*was, *is_)) if was.get(tile) != is_.get(tile)]
            if rings:
                ways = self.lines.ways(line.places)
                # A way shows by itself from where to where somebody went.
                yield self._board(board, () if ways else rings, ways, after)
        for stood, lineup in zip(lineups(before), lineups(after), strict=True):
            # Sides that are dissolved when all is over are no news.
            if stood != lineup and not lineup.is_empty:
                yield self._lineup(with_the_fallen(stood, lineup))

    def _board(self, board: Board, rings: Sequence[str], ways: Sequence[Sequence[str]], state: State) -> str:
        pieces = [piece for standing in board.pieces.values() for piece in standing]
        self.legend += [piece_legend(piece, self.style) for piece in pieces]
        self.owned |= any(piece.seat and not piece.is_mark for piece in pieces)
        part = self.windows[board.table]
        return board_drawing("", board, part, Names.at(state), self.style, ways=ways, rings=rings)

    def _lineup(self, lineup: Lineup) -> str:
        members = [member for rank in lineup.ranks for member in rank.members]
        self.legend += [member_legend(member, self.style) for member in members]
        self.owned |= any(rank.seat and rank.members for rank in lineup.ranks)
        return lineup_drawing("", lineup, self.style)


def _panel(drawings: tuple[str, ...], lines: Sequence[Line]) -> Panel:
    return Panel(drawings, tuple(line.happening for line in lines))
