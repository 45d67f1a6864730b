"""The narration of a log: each event in words, with every object as it was at that moment."""

from __future__ import annotations

from typing import Any

from rulewright.engine.narration.events import Event
from rulewright.engine.narration.narrate_events import Fact, Narration
from rulewright.engine.narration.plain_names import list_fields, to_plain
from rulewright.engine.narration.redaction import HIDDEN, Seat, analyze_sight
from rulewright.engine.narration.render_values import ValueRenderer
from rulewright.engine.narration.rich_text import to_text
from rulewright.engine.state.game_state import Only, State
from rulewright.ir.program import StateLayout
from rulewright.language.checked_steps import Step
from rulewright.language.expressions.evaluator import with_entry
from rulewright.language.types import MapOf
from rulewright.language.visibility import SHOWN
from rulewright.ruleset.ruleset import Ruleset


class NarrationLog:
    """The narration of events in order. It keeps a mirror of the objects, updated only from events.

    With a `viewer`, it narrates for that player, or for a spectator (0), and leaves out what is hidden from them.
    """

    def __init__(self, ruleset: Ruleset, layout: StateLayout, objects: list[Any], *, viewer: int | None = None) -> None:
        self.ruleset = ruleset
        self.layout = layout
        self.objects = {number: list(item) for number, item in enumerate(objects) if item is not None}
        self.events: list[Event] = []
        self.set_up = True
        self.viewer = viewer
        self.sight = analyze_sight(ruleset)
        self.sees_everything = viewer is None or self.sight.everything
        # The objects as the viewer knows them. This is the mirror itself if nothing is hidden.
        self._seen = self.objects if self.sees_everything else dict[int, list[Any]]()
        self.say = ValueRenderer(ruleset, layout, self._seen)
        self.narration = Narration(self.say)

    @classmethod
    def for_state(cls, state: State) -> NarrationLog:
        """Return a log that starts from `state`, before anything has happened."""
        return cls(state.machine.ruleset, state.machine.layout, state.objects)

    def copy(self) -> NarrationLog:
        """Return an independent copy."""
        other = NarrationLog(self.ruleset, self.layout, [], viewer=self.viewer)
        other.objects.update({number: list(item) for number, item in self.objects.items()})
        other.say.gone |= self.say.gone
        other.events = self.events[:]
        other.set_up = self.set_up
        return other

    def read(self, raw: list[tuple[Any, ...]]) -> list[Event]:
        """Return all events of `raw`. Only events after those of the last call are processed."""
        for line in raw[len(self.events) :]:
            self.events.append(self._event(line))
        return self.events

    def _data(self, facts: tuple[Fact, ...], kind: str, details: tuple[Any, ...]) -> dict[str, Any]:
        """Return the values of an event by name, without hidden ones. For a created object, `fields` has its fields."""
        declared = self.ruleset.declarations
        data = {name: to_plain(value, kind, declared) for name, value, kind in facts if value is not HIDDEN}
        if kind == "created":
            item, values = details
            kind = self.layout.names[values[0]]
            data["fields"] = list_fields(self.ruleset.declarations, self.layout, kind, self._seen[item])
        return data

    # -- the viewer ------------------------------------------------------------------------------

    @property
    def _viewer(self) -> Seat:
        return self.viewer or None

    @property
    def _there(self) -> dict[int, list[Any]]:
        """The objects that have not left the game."""
        return {number: item for number, item in self.objects.items() if number not in self.say.gone}

    def _as_seen(self) -> dict[int, list[Any]]:
        return {**self.objects, **self.sight.as_seen(self._there, self._viewer)}

    def _look(self) -> None:
        """Update the viewer's mirror to the current objects."""
        self._seen.clear()
        self._seen.update(self._as_seen())

    def _redact(self, step: Step, kind: str, details: tuple[Any, ...]) -> tuple[Any, ...]:
        """Return the details as the viewer sees them, with `HIDDEN` for hidden values.

        The list of viewers is left out. Unless the viewer sees everything, the viewer's mirror is updated to the
        objects before the event, and the change of a field is then applied to the objects.
        """
        if self.sees_everything:
            return details[:-1] if details and isinstance(details[-1], Only) else details
        self._look()
        match kind, details:
            case "written", (int() as entity, name, old, new, *row):
                kind = self.layout.names[self.objects[entity][0]]
                before = self.sight.may_see(self._there, self._viewer, entity, kind, name)
                # Keep a copy, because the text of the event uses the names from before the change.
                self._seen[entity] = list(self._seen[entity])
                self._change(entity, name, new, row)
                after = self.sight.may_see(self._there, self._viewer, entity, kind, name)
                if name.startswith(SHOWN):
                    self._look()
                if self.sight.hides_object(step.number, self._there, self._viewer, entity, name):
                    return HIDDEN, name, HIDDEN, HIDDEN, *[HIDDEN for _ in row]
                if row and not after:
                    # The row of the changed entry is secret, and so are both values.
                    return entity, name, HIDDEN, HIDDEN, HIDDEN
                return entity, name, old if before else HIDDEN, new if after else HIDDEN, *row
            case "written", (None, name, _, _, *row) if self._is_secret(step, name):
                return None, name, HIDDEN, HIDDEN, *[HIDDEN for _ in row]
            case "created", (entity, _):
                return entity, tuple(self._seen[entity])
            case "announced", _:
                secret = self.sight.find_secret_values(step)
                return tuple(HIDDEN if number in secret else value for number, value in enumerate(details))
        return self.sight.redact_details(step.number, details, self._viewer, self.objects)

    def _is_secret(self, step: Step, name: str) -> bool:
        """Return whether a name of a procedure may contain hidden information."""
        names = self.ruleset.procedures[step.procedure].names
        return any(names[slot] == name for slot in self.sight.secrets.find_slots(step.procedure))

    def _event(self, raw: tuple[Any, ...]) -> Event:
        """Return the event for recorded data, and apply it to the mirror of the objects."""
        number, kind, *rest = raw
        step: Step = self.ruleset.steps[number]
        happened = tuple(rest)
        if kind == "created":
            self.objects[happened[0]] = list(happened[1])
        details = self._redact(step, kind, happened)
        # The setup ends with the first decision, even if it had only one option.
        self.set_up = self.set_up and kind != "asked"
        facts, account = self.narration.tell(step, kind, details)
        event = Event(
            step.rule,
            step.verb.name,
            details,
            to_text(account.whole),
            self.narration.find_weight(step, kind, details),
            self.set_up,
            self._data(facts, kind, details),
            kind,
            account,
        )
        match kind, happened:
            case "removed", (int() as entity,):
                if not self.sees_everything:
                    # Later events name the object as the viewer knows it.
                    self.objects[entity] = self._seen[entity]
                self.say.gone.add(entity)
            case "written", (int() as entity, name, _, new, *row):
                self._change(entity, name, new, row)
        return event

    def _change(self, entity: int, name: str, new: Any, row: list[str]) -> None:
        """Update the mirror of an object's field, or of an entry of its map if `row` has one.

        No viewer has seen the new value yet, so the field's list of viewers becomes empty.
        """
        value = self.objects[entity]
        kind = self.layout.names[value[0]]
        place = self.layout.places[kind, name]
        if row:
            field = self.ruleset.declarations.kinds[kind].fields[name]
            assert isinstance(field.type, MapOf)
            at = list(self.ruleset.declarations.tables[field.type.table].rows).index(row[0])
            new = with_entry(value[place], at, new)
        value[place] = new
        # The new value has not been shown to anybody yet. A separate event reports who sees it.
        viewers_place = self.layout.places.get((kind, f"{SHOWN}{name}"))
        if viewers_place is not None:
            value[viewers_place] = ()
