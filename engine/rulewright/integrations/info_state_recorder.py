"""The record of each player's observations in a game: perfect recall for agents, if information is hidden."""

from __future__ import annotations

from typing import Any

from rulewright.engine.narration.redaction import HIDDEN, Seat, VisibilityRules
from rulewright.engine.state.game_state import Only, State
from rulewright.language.declarations import FIRST_PLAYER
from rulewright.language.visibility import SHOWN

ToldEvents = tuple[tuple[str, ...], ...]
"""The lines of each player by seat, followed by those of a spectator."""

_UNTOLD = ("called", "ended")


def list_viewers(players: int) -> list[Seat]:
    """Return all viewers: every player by seat, followed by None for a spectator."""
    return [*range(FIRST_PLAYER, FIRST_PLAYER + players), None]


class InfoStateRecorder:
    """A recorder of the events of one game. It keeps a copy of the objects as they were at each event."""

    __slots__ = ("histories", "objects", "sight")

    def __init__(self, sight: VisibilityRules, histories: ToldEvents, state: State) -> None:
        self.sight = sight
        self.histories = histories
        self.objects = _there(state)

    def copy(self) -> InfoStateRecorder:
        """Return an independent copy of the recorder."""
        other = InfoStateRecorder.__new__(InfoStateRecorder)
        other.sight, other.histories = self.sight, self.histories
        other.objects = {number: item[:] for number, item in self.objects.items()}
        return other

    def read(self, state: State) -> None:
        """Record the new events of a state, clear them, and copy the state's objects.

        Without new events, nothing changes, not even the copy.
        """
        events, state.events = state.events or [], []
        if not events:
            return
        histories = [list(lines) for lines in self.histories]
        for event in events:
            if event[1] not in _UNTOLD:
                for lines, line in zip(histories, self._hide_objects(event, self._lines(event)), strict=True):
                    lines.append(line)
        self.histories = tuple(tuple(lines) for lines in histories)
        # Cards leaving a deck cause no events, so refresh the copy at each pause point.
        self.objects = _there(state)

    def _hide_objects(self, event: tuple[Any, ...], lines: list[str]) -> list[str]:
        """Return the lines of an event that has happened, without a changed object that a viewer may not know."""
        match event:
            case number, "written" as event_kind, int() as entity, str() as name, *_:
                hides = [
                    self.sight.hides_object(number, self.objects, seat, entity, name)
                    for seat in list_viewers(len(lines) - 1)
                ]
                return [
                    _line(number, event_kind, (name,)) if hidden else line
                    for hidden, line in zip(hides, lines, strict=True)
                ]
        return lines

    def _lines(self, event: tuple[Any, ...]) -> list[str]:
        """Return the line of an event for each viewer, and apply the event to the recorder's copy of the objects."""
        number, event_kind, *rest = event
        details = tuple(rest)
        seats = list_viewers(len(self.histories) - 1)
        objects = self.objects
        match event_kind, details:
            case "written", (int() as entity, name, old, new) if not name.startswith(SHOWN):
                layout = self.sight.layout
                kind = layout.names[objects[entity][0]]
                before = [self.sight.may_see(objects, seat, entity, kind, name) for seat in seats]
                objects[entity][layout.places[kind, name]] = new
                self._show_nobody(entity, kind, name)
                after = [self.sight.may_see(objects, seat, entity, kind, name) for seat in seats]
                return [
                    _line(number, event_kind, (entity, name, old if saw else HIDDEN, new if sees else HIDDEN))
                    for saw, sees in zip(before, after, strict=True)
                ]
            case "written", (int() as entity, name, _, new):
                kind = self.sight.layout.names[objects[entity][0]]
                objects[entity][self.sight.layout.places[kind, name]] = new
            case "written", (int() as entity, name, old, new, row):
                kind = self.sight.layout.names[objects[entity][0]]
                before = [self.sight.may_see(objects, seat, entity, kind, name) for seat in seats]
                self._show_nobody(entity, kind, name)
                after = [self.sight.may_see(objects, seat, entity, kind, name) for seat in seats]
                return [
                    _line(
                        number, event_kind, (entity, name, old if saw else HIDDEN, new, row) if sees else (entity, name)
                    )
                    for saw, sees in zip(before, after, strict=True)
                ]
            case "written", (None, name, *_):
                # The values of names in procedures are internal to the rules, so no viewer sees them.
                return [_line(number, event_kind, (name,))] * len(seats)
            case "created", (entity, values):
                objects[entity] = list(values)
                result = [self.sight.as_seen(objects, seat)[entity] for seat in seats]
                return [_line(number, event_kind, (entity, *each)) for each in result]
            case "removed", (int() as entity,):
                objects.pop(entity, None)
        if details and isinstance(details[-1], Only):
            return [
                _line(number, event_kind, self.sight.redact_details(number, details, seat, objects)) for seat in seats
            ]
        return [_line(number, event_kind, details)] * len(seats)

    def _show_nobody(self, entity: int, kind: str, name: str) -> None:
        """Reset the viewers of a shown field, because its value has changed."""
        viewers_place = self.sight.layout.places.get((kind, f"{SHOWN}{name}"))
        if viewers_place is not None:
            self.objects[entity][viewers_place] = ()


def _line(number: int, event_kind: str, details: tuple[Any, ...]) -> str:
    return f"{number} {event_kind} {' '.join(map(str, details))}"


def _there(state: State) -> dict[int, list[Any]]:
    return {number: item[:] for number, item in enumerate(state.objects) if item is not None}
