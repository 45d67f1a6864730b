"""A log in words: events told one after another, with every object as it was at that moment."""

from __future__ import annotations

from typing import Any

from rulewright.language.expression.evaluate import with_entry
from rulewright.language.step import Step
from rulewright.language.types import MapOf
from rulewright.play.machine.state import State
from rulewright.play.telling.account import text
from rulewright.play.telling.events import Event
from rulewright.play.telling.names import fields_of, plain
from rulewright.play.telling.narration import Fact, Narration
from rulewright.play.telling.saying import Saying
from rulewright.program.program import Layout
from rulewright.ruleset.ruleset import Ruleset


class Chronicle:
    """Tells events as they are read. It keeps a mirror of the objects, which events alone keep up to date."""

    def __init__(self, ruleset: Ruleset, layout: Layout, objects: list[Any]) -> None:
        self.ruleset = ruleset
        self.layout = layout
        self.objects = {number: list(thing) for number, thing in enumerate(objects) if thing is not None}
        self.events: list[Event] = []
        self.set_up = True
        self.say = Saying(ruleset, layout, self.objects)
        self.narration = Narration(self.say)

    @classmethod
    def of(cls, state: State) -> Chronicle:
        """A chronicle that starts from `state`, before anything has happened."""
        return cls(state.machine.ruleset, state.machine.layout, state.objects)

    def copy(self) -> Chronicle:
        """A chronicle that goes its own way."""
        other = Chronicle(self.ruleset, self.layout, [])
        other.objects.update({number: list(thing) for number, thing in self.objects.items()})
        other.say.gone |= self.say.gone
        other.events = self.events[:]
        other.set_up = self.set_up
        return other

    def read(self, raw: list[tuple[Any, ...]]) -> list[Event]:
        """Every event of `raw`, of which those read before are not read again."""
        for line in raw[len(self.events) :]:
            self.events.append(self._event(line))
        return self.events

    def _data(self, facts: tuple[Fact, ...], told: str, details: tuple[Any, ...]) -> dict[str, Any]:
        """The values of an event by name; of what comes into play, its fields too."""
        data = {name: plain(value, kind, self.ruleset.declarations) for name, value, kind in facts}
        if told == "created":
            thing, values = details
            kind = self.layout.names[values[0]]
            data["fields"] = fields_of(self.ruleset.declarations, self.layout, kind, self.objects[thing])
        return data

    def _event(self, raw: tuple[Any, ...]) -> Event:
        number, told, *rest = raw
        step: Step = self.ruleset.steps[number]
        details = tuple(rest)
        if told == "created":
            self.objects[details[0]] = list(details[1])
        # Whoever chose has begun to play, be it that there was no other choice.
        self.set_up = self.set_up and told != "asked"
        facts, account = self.narration.tell(step, told, details)
        event = Event(
            step.rule,
            step.verb.name,
            details,
            text(account.sentence),
            self.narration.weight(step, told, details),
            self.set_up,
            self._data(facts, told, details),
            told,
            account,
        )
        match told, details:
            case "removed", (int() as thing,):
                self.say.gone.add(thing)
            case "written", (int() as thing, name, _, new):
                kind = self.layout.names[self.objects[thing][0]]
                self.objects[thing][self.layout.places[kind, name]] = new
            case "written", (int() as thing, name, _, new, row):
                kind = self.layout.names[self.objects[thing][0]]
                place, field = self.layout.places[kind, name], self.ruleset.declarations.kinds[kind].fields[name]
                assert isinstance(field.type, MapOf)
                at = list(self.ruleset.declarations.tables[field.type.table].rows).index(row)
                self.objects[thing][place] = with_entry(self.objects[thing][place], at, new)
        return event
