"""Redaction: values that are hidden from a viewer are removed from the viewer's copy."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

from rulewright.base.errors import RulewrightError
from rulewright.engine.state.game_state import Only, State
from rulewright.ir.analyses.information_flow import Secrets, find_secrets
from rulewright.ir.program import StateLayout
from rulewright.language.checked_steps import Step
from rulewright.language.declarations import GAME_KIND, PLAYER_KIND
from rulewright.language.expressions.evaluator import Evaluate
from rulewright.language.expressions.expression_cost import Budget
from rulewright.language.lowering import list_operations
from rulewright.language.operations import Announce
from rulewright.language.visibility import SHOWN
from rulewright.ruleset.ruleset import Ruleset


class Hidden:
    """The placeholder for a value that the viewer may not see."""

    def __repr__(self) -> str:
        return "hidden"


HIDDEN: Final = Hidden()

Objects = Mapping[int, list[Any]]
"""All objects of a game by number, each as `[kind, field, …]`."""

Seat = int | None
"""A viewer: the number of a player, or None for a spectator, who sees only what all players see."""


class VisibilityRules:
    """The visibility of values in the games of one ruleset."""

    def __init__(self, ruleset: Ruleset) -> None:
        self.ruleset = ruleset
        self.layout = StateLayout(ruleset.declarations)
        self.secrets: Secrets = find_secrets(ruleset)
        self._hidden = {
            self.layout.kinds[kind]: [(self.layout.places[kind, name], kind, name) for name in sorted(names)]
            for kind, names in self.secrets.fields.items()
            if names
        }

    @property
    def everything(self) -> bool:
        """Whether nothing is hidden from anyone in this ruleset."""
        return not self.secrets.any

    def may_see(self, objects: Objects, viewer: Seat, entity: int, kind: str, name: str) -> bool:
        """Return whether a viewer sees a field of an object, by the rules or because it was shown.

        False if the rule cannot be evaluated, and for the cards in a deck.
        """
        if name not in self.secrets.fields[kind]:
            return True
        seen = self.ruleset.declarations.kinds[kind].fields[name].seen_by
        if seen is None:
            return False  # a deck, whose remaining cards are hidden from everybody
        viewers = objects[entity][self.layout.places[kind, f"{SHOWN}{name}"]]
        if self.includes(viewers, viewer, objects):
            return True
        variables = {} if kind == GAME_KIND else {"self": entity}
        try:
            result = Evaluate(self.ruleset.declarations, _Mirror(self.layout, objects)).value(seen, (), variables)
        except (RulewrightError, OverflowError, KeyError):
            return False  # the path leads through an object that has left the game
        return self.includes(result, viewer, objects)

    def hides_object(self, step: int, objects: Objects, viewer: Seat, entity: int, name: str) -> bool:
        """Return whether a viewer may not know which object a step has just changed.

        That is the case if a secret decided the object and the viewer does not see its field. `name` is the field, or
        that of the field's list of viewers.
        """
        kind = self.layout.names[objects[entity][0]]
        secret = self.secrets.has_secret_object(step, kind, name)
        return secret and not self.may_see(objects, viewer, entity, kind, name.removeprefix(SHOWN))

    def includes(self, seers: Sequence[int], viewer: Seat, objects: Objects) -> bool:
        """Return whether a viewer is in the list of players who see a value.

        A spectator (None) sees only values that every player sees.
        """
        if viewer is not None:
            return viewer in seers
        player = self.layout.kinds[PLAYER_KIND]
        return all(number in seers for number, item in objects.items() if item[0] == player)

    def find_hidden(self, objects: Objects, viewer: Seat) -> dict[int, dict[int, str]]:
        """Return the fields that a viewer may not see: for each object number, the field positions with their names.

        Objects without hidden fields are left out.
        """
        results: dict[int, dict[int, str]] = {}
        for number, item in objects.items():
            hidden = {
                place: name
                for place, kind, name in self._hidden.get(item[0], ())
                if not self.may_see(objects, viewer, number, kind, name)
            }
            if hidden:
                results[number] = hidden
        return results

    def as_seen(self, objects: Objects, viewer: Seat) -> dict[int, list[Any]]:
        """Return the objects with `HIDDEN` in place of values that the viewer may not see.

        Other objects are not copied.
        """
        result = dict(objects)
        for number, places in self.find_hidden(objects, viewer).items():
            result[number] = [HIDDEN if place in places else value for place, value in enumerate(objects[number])]
        return result

    def find_secret_values(self, step: Step) -> frozenset[int]:
        """Return the positions of the values in an announcement that depend on a secret."""
        given = next(each.given for each in list_operations(step) if isinstance(each, Announce))
        return frozenset(place for place, value in enumerate(given) if self.secrets.reads_secret(value, step.procedure))

    def redact_details(self, step: int, details: tuple[Any, ...], viewer: Seat, objects: Objects) -> tuple[Any, ...]:
        """Return the details of an event for a viewer, with `HIDDEN` for results that the viewer may not see.

        Only events that end with a list of viewers (`Only`) are redacted. That list is left out.
        """
        if not details or not isinstance(details[-1], Only):
            return details
        *known, result = details[:-1]
        if self.includes(details[-1], viewer, objects):
            return (*known, result)
        return (*(HIDDEN if self.secrets.has_secret_rolls(step) else each for each in known), HIDDEN)


def redact_value(state: State, viewer: Seat) -> State:
    """Return a copy of a state with `HIDDEN` in place of fields that the viewer may not see. Use it only to read.

    Names in the frames of procedures are not redacted. The result is `state` itself if nothing in the ruleset is
    hidden.
    """
    sight = analyze_sight(state.machine.ruleset)
    if sight.everything:
        return state
    objects = {number: item for number, item in enumerate(state.objects) if item is not None}
    seen = state.clone()
    for number, item in sight.as_seen(objects, viewer).items():
        seen.objects[number] = item
    return seen


def analyze_sight(ruleset: Ruleset) -> VisibilityRules:
    """Return the visibility rules of a ruleset. Cached in the ruleset."""
    return ruleset.get_or_make(VisibilityRules)


class _Mirror:
    """A view of objects for the evaluator of expressions."""

    def __init__(self, layout: StateLayout, objects: Objects) -> None:
        self.layout = layout
        self._objects = objects
        self.spend = Budget().spend

    def objects(self, kind: str) -> tuple[int, ...]:
        number = self.layout.kinds[kind]
        return tuple(sorted(each for each, item in self._objects.items() if item[0] == number and each))

    def read_field(self, entity: int, kind: str, name: str) -> Any:
        return self._objects[entity][self.layout.places[kind, name]]

    def look_ahead(self, procedure: str, arguments: tuple[Any, ...], judge: Callable[[Evaluate], Any]) -> Any:
        """Raise `RulewrightError`: the rules allow no viewers that depend on what a procedure would do."""
        raise RulewrightError(f"viewers cannot look ahead at `{procedure}`")

    def hold(self, elements: int) -> None:
        """Do nothing, because looking at a game adds no cost to a move."""
