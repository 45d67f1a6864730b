"""The events of a run as log lines. A journey over a board, or the creation of many objects, is a single line."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from rulewright.book.english.naming import Naming
from rulewright.book.parts.example_runs import EventView, build_happening, format_narration, is_notable
from rulewright.book.style.text_style import HtmlStyle, Style
from rulewright.engine.narration.events import Event
from rulewright.engine.narration.rich_text import ends_with, join_phrase
from rulewright.ir.program import StateLayout
from rulewright.language.lowering import list_operations
from rulewright.language.operations import Write
from rulewright.language.types import Row, Type, present
from rulewright.testing.procedure_run import Moment

MANY = 4
"""Minimum number of objects created in a row that are counted instead of named."""


@dataclass(frozen=True, slots=True)
class LogLine:
    """One line of the log, with the indexes of the events that it covers, in order."""

    happening: EventView
    places: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class _Move:
    """The move of an object from one space of a board to another."""

    entity: int
    board: str
    before: str
    after: str


class LogWriter:
    """Writer of the log for the `moments` of one run, whose outermost procedure is `root`."""

    def __init__(self, moments: Sequence[Moment], root: str, style: HtmlStyle) -> None:
        self.moments = moments
        self.root = root
        self.style = style
        self.ruleset = style.ruleset
        self.boards = {table.id for table in self.ruleset.declarations.tables.values() if table.is_board}
        self.kinds = StateLayout(style.ruleset.declarations).names

    def iterate(self, places: Iterable[int]) -> Iterator[LogLine]:
        """Yield the log lines for the events at some indexes, in order.

        Events that are not notable have no line. All moves of one journey, and many objects created in a row, share a
        line.
        """
        places = [place for place in places if self.moments[place].event.kind != "called"]
        moments = [self.moments[place] for place in places]
        at = 0
        while at < len(moments):
            happening, length = self._journey(moments[at:]) or self._crowd(moments[at:]) or (None, 1)
            if happening is None and is_notable(moments[at], self.root, self.style):
                happening = build_happening(moments[at], self.style)
            if happening is not None:
                yield LogLine(happening, tuple(places[at : at + length]))
            at += length

    def list_ways(self, places: Iterable[int]) -> tuple[tuple[str, ...], ...]:
        """Return the spaces that each object passed in the events at some indexes, one sequence for each object."""
        ways: dict[int, list[str]] = {}
        for place in places:
            move = self._move(self.moments[place])
            if move is not None:
                ways.setdefault(move.entity, [move.before]).append(move.after)
        return tuple(map(tuple, ways.values()))

    def _journey(self, moments: Sequence[Moment]) -> tuple[EventView, int] | None:
        """Return the line for an object that moves from space to space, and the number of events that it covers.

        The choices and costs of the moves are part of the journey. Return None if no move comes first.
        """
        way: list[tuple[Moment, _Move]] = []
        length = 0
        for at, moment in enumerate(moments):
            move = self._move(moment)
            if move is not None and (not way or way[0][1].entity == move.entity):
                way.append((moment, move))
                length = at + 1
            elif move is not None or not (self._leads_on(moments[at:]) or self._is_dull(moment)):
                break
        if not way:
            return None
        first, last = way[0], way[-1]
        start = first[0].event.account
        # If the name of the object already contains its space, the line does not repeat the space.
        names_space = ends_with(start.who, ("tables", first[1].board, first[1].before))
        whence = () if names_space else join_phrase(": ", start.before)
        steps = (piece for moment, _ in way for piece in (" → ", moment.event.account.after))
        text = format_narration(join_phrase(start.who, whence, *steps), self.style)
        return replace(build_happening(last[0], self.style), text=text), length

    def _leads_on(self, moments: Sequence[Moment]) -> bool:
        """Return whether the first event only prepares a move in the same procedure, as its choice or its cost."""
        here = moments[0].event
        for moment in moments:
            if moment.event.rule.rpartition(".")[0] != here.rule.rpartition(".")[0]:
                return False
            if self._move(moment) is not None:
                return True
            if not _is_price(moment) and not self._is_dull(moment):
                return False
        return False

    def _is_dull(self, moment: Moment) -> bool:
        return not is_notable(moment, self.root, self.style)

    def _move(self, moment: Moment) -> _Move | None:
        """Return the move of an event, or None if it does not move an object from one space to another."""
        event = moment.event
        if event.kind != "written":
            return None
        item, _, before, after, *row = event.details
        if row:
            return None
        kind = self.find_written_type(event)
        if isinstance(kind, Row) and kind.table in self.boards and None not in (item, before, after):
            return _Move(item, kind.table, before, after)
        return None

    def find_written_type(self, event: Event) -> Type | None:
        """Return the type of the field that an event has changed, or None if it has changed no field."""
        if event.kind != "written":
            return None
        # An event in a special case carries the rule of the step that the special case modifies.
        steps = [s for s in self.ruleset.steps.values() if s.rule == event.rule]
        writes = (each for step in steps for each in list_operations(step) if isinstance(each, Write))
        return next((present(write.type) for write in writes if write.field == event.details[1]), None)

    def _crowd(self, moments: Sequence[Moment]) -> tuple[EventView, int] | None:
        """Return the line for many objects created in a row, and the number of events that it covers.

        Return None if there are fewer than `MANY`.
        """
        counted: Counter[str] = Counter()
        last, length = moments[0], 0
        for at, moment in enumerate(moments):
            if moment.event.kind == "created":
                counted[self.kinds[moment.event.details[1][0]]] += 1
                last, length = moment, at + 1
            elif moment.event.kind != "drawn" and not self._is_dull(moment):
                break
        if sum(counted.values()) < MANY:
            return None
        naming, language = Naming(Style(self.ruleset)), self.style.language
        several = [f"{number} {_noun(kind, naming, many=number > 1)}" for kind, number in counted.items()]
        return replace(
            build_happening(last, self.style),
            text=language.translate("%(what)s come into play.", what=self.style.escape(language.join_list(several))),
        ), length


def _is_price(moment: Moment) -> bool:
    """Return whether an event is a choice, or reduces a number."""
    match moment.event.kind, moment.event.details:
        case "asked", _:
            return True
        case "written", (_, _, int() as before, int() as after, *_):
            return after < before
    return False


def _noun(kind: str, naming: Naming, *, many: bool) -> str:
    """Return the noun for counting objects of a kind, which is its term or else its name."""
    term = naming.kind_term(kind)
    return naming.style.term(term, plural=many) if term is not None else naming.kind(kind, several=many)
