"""Comic strips of examples, with a picture for each visible change."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from rulewright.book.parts.example_maps import (
    LegendView,
    build_board_legend,
    build_member_legend,
    draw_board_at,
    draw_lineup,
    find_attack,
    look,
    name_arguments,
    name_bound,
    show_owners,
)
from rulewright.book.parts.example_runs import EventView, run_book_example
from rulewright.book.parts.log_lines import LogLine, LogWriter
from rulewright.book.style.fill_placeholders import fill
from rulewright.book.style.text_style import HtmlStyle
from rulewright.engine.boards.board_contents import (
    Board,
    Lineup,
    Window,
    find_window,
    find_window_around,
    list_boards,
    list_lineups,
    select_contents,
    with_the_fallen,
)
from rulewright.engine.boards.board_svg import Attack, choose_mark_letters
from rulewright.engine.narration.plain_names import Names
from rulewright.engine.state.game_state import State
from rulewright.ruleset.sections.stories import Story
from rulewright.testing.story_trace import ExampleTrace, trace_example


@dataclass(frozen=True, slots=True)
class ComicPanel:
    """One picture of a strip, with the drawings of everything that changed, and the events that caused it."""

    drawings: tuple[str, ...]
    happened: tuple[EventView, ...]


@dataclass(frozen=True, slots=True)
class StoryView:
    """A comic strip, ready for a template. `owned` says whether a picture shows the seat of an owner."""

    title: str
    text: str
    example: str
    begins: tuple[str, ...]
    panels: tuple[ComicPanel, ...]
    legend: tuple[LegendView, ...]
    owned: bool


def build_story_view(story: Story, style: HtmlStyle) -> StoryView | None:
    """Return the comic strip of a story, with its example as the engine plays it.

    Return None if there is no such example, or if it cannot be traced.
    """
    example = style.ruleset.examples.get(story.example)
    filmed = (
        trace_example(style.ruleset, example, run_book_example(example, style.ruleset)) if example is not None else None
    )
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
    """The pictures of one story. Every picture of a board shows the same part, which contains all events."""

    def __init__(self, filmed: ExampleTrace, style: HtmlStyle) -> None:
        self.film = filmed
        self.style = style
        procedure = filmed.run.procedure
        assert procedure is not None
        self.lines = LogWriter(filmed.run.moments, procedure.id, style)
        self.called = name_arguments(filmed.run, style)
        self.legend: list[LegendView] = []
        self.owned = False
        self.windows = self._windows()
        seen = (filmed.run.start, *filmed.frames)
        self.letters = choose_mark_letters(board for state in seen for board in list_boards(state))
        self.is_seen = bool(self.windows) or any(
            not lineup.is_empty for state in (filmed.run.start, *filmed.frames) for lineup in list_lineups(state)
        )
        lines = self.lines.iterate(range(len(filmed.run.moments)))
        self.told = [self._name_roll(line) if self.is_seen else line for line in lines]

    def _windows(self) -> dict[str, Window]:
        """Return the visible part of each board.

        The part surrounds the spaces that change in the story by one space. A board without changes, or of a shape that
        cannot be cropped, shows the part with pieces on it.
        """
        seen = [self.film.run.start, *self.film.frames]
        results = {}
        for moments in zip(*(list_boards(state) for state in seen), strict=True):
            looks = [look(board) for board in moments]
            touched = {tile for each in looks for tile in each if any(other.get(tile) != each[tile] for other in looks)}
            part = (
                find_window_around(touched, moments[0])
                if touched and moments[0].shape.is_croppable
                else find_window(*moments)
            )
            if part is not None:
                results[moments[0].table] = part
        return results

    def begins(self) -> Iterator[str]:
        """Yield the drawings of the boards and sides before the first event, and add their pieces to the legend."""
        start = self.film.run.start
        for board in list_boards(start):
            if not board.is_empty and board.table in self.windows:
                yield self._board(board, (), (), start)
        yield from (self._lineup(lineup) for lineup in list_lineups(start) if not lineup.is_empty)

    def panels(self) -> list[ComicPanel]:
        """Return the pictures in order, one for each visible change, with the events that led to it.

        Without boards and sides to draw, a roll after other events begins a new picture. Adds the pieces in the
        drawings to the legend.
        """
        comic_panels, before, waiting = list[ComicPanel](), self.film.run.start, list[LogLine]()
        for line, right_after, at_last in self._with_what_follows():
            # Without a board or sides to draw, a roll begins a new picture.
            if not self.is_seen and line.happening.is_roll and any(not each.happening.is_roll for each in waiting):
                comic_panels.append(_panel((), waiting))
                waiting = []
            is_told = self._is_told(line)
            if is_told:
                waiting.append(line)
            for after in (right_after, at_last):
                drawings = tuple(self._draw_changed(before, after, line))
                if drawings:
                    # A choice is not in the log, unless it is the event that changes the picture.
                    comic_panels.append(_panel(drawings, waiting if is_told else [*waiting, line]))
                    before, waiting = after, []
                    break
        if waiting and comic_panels and self.is_seen:
            more = _panel((), waiting).happened
            comic_panels[-1] = replace(comic_panels[-1], happened=(*comic_panels[-1].happened, *more))
        elif waiting:
            comic_panels.append(_panel((), waiting))
        return comic_panels

    def _with_what_follows(self) -> Iterator[tuple[LogLine, State, State]]:
        """Yield each line with the state right after it, and the state before the next line.

        The two states differ if events between the lines have no line of their own.
        """
        ends = [line.places[0] - 1 for line in self.told[1:]] + [len(self.film.frames) - 1]
        for line, end in zip(self.told, ends, strict=True):
            yield line, self.film.frames[line.places[-1]], self.film.frames[max(end, line.places[-1])]

    def _name_roll(self, line: LogLine) -> LogLine:
        """Return a line of a roll with the noun of its result before it, if the rules have one."""
        procedure_id, _, name = line.happening.rule.rpartition(".")
        procedure = self.style.ruleset.procedures[procedure_id]
        if not line.happening.is_roll or name not in procedure.called:
            return line
        noun = self.style.escape(name_bound(procedure, name, self.style))
        return replace(line, happening=replace(line.happening, text=f"{noun}: {line.happening.text}"))

    def _is_told(self, line: LogLine) -> bool:
        """Return whether a line appears in the strip. Choices do not, and neither do notes that are on no board."""
        event = self.film.run.moments[line.places[-1]].event
        if event.kind == "asked":
            return False
        # A value that belongs to no object, such as a name or a note of the game, is on no board.
        return not self.is_seen or not (event.kind == "written" and not event.details[0])

    def _draw_changed(self, before: State, after: State, line: LogLine) -> Iterator[str]:
        """Yield the drawings of the boards and sides that look different after a line.

        Adds their pieces to the legend.
        """
        for earlier, board in zip(list_boards(before), list_boards(after), strict=True):
            was, is_ = look(earlier), look(board)
            rings = [tile for tile in dict.fromkeys((*was, *is_)) if was.get(tile) != is_.get(tile)]
            if rings:
                ways = self.lines.list_ways(line.places)
                # An arrow along the move already marks both spaces.
                yield self._board(board, () if ways else rings, ways, after)
        for stood, lineup in zip(list_lineups(before), list_lineups(after), strict=True):
            # A lineup whose sides were all removed is not drawn.
            if stood != lineup and not lineup.is_empty:
                yield self._lineup(with_the_fallen(stood, lineup), find_attack(after, lineup))

    def _board(self, board: Board, rings: Sequence[str], ways: Sequence[Sequence[str]], state: State) -> str:
        """Return the drawing of the visible part of a board, and add its pieces to the legend."""
        part, names = self.windows[board.table], Names.for_state(state)
        visible = select_contents(board, part)
        self.legend += build_board_legend([visible], self.letters, self.style)
        self.owned |= show_owners([visible])
        return draw_board_at("", board, part, names, self.style, ways=ways, rings=rings, letters=self.letters)

    def _lineup(self, lineup: Lineup, attack: Attack | None = None) -> str:
        members = [member for rank in lineup.ranks for member in rank.members]
        self.legend += [build_member_legend(member, self.style) for member in members]
        self.owned |= any(rank.seat and rank.members for rank in lineup.ranks)
        return draw_lineup("", lineup, self.style, self.called, attack)


def _panel(drawings: tuple[str, ...], lines: Sequence[LogLine]) -> ComicPanel:
    return ComicPanel(drawings, tuple(line.happening for line in lines))
