"""Features of options that have no action numbers of their own: each option as a list of numbers.

The numbers are those of `observation`. An object is its index among those of its kind, followed by its fields, as the
deciding player sees them. Shorter lists are filled up with zeros, so that all options of a game are equally long.
"""

from __future__ import annotations

from typing import Any

from rulewright.engine.narration.redaction import HIDDEN, redact_value
from rulewright.engine.state.game_state import State
from rulewright.integrations.action_numbering import Actions, list_questions
from rulewright.integrations.observation import FieldReader, ObservationEncoder
from rulewright.language.declarations import FIRST_PLAYER, PLAYER_KIND
from rulewright.language.lowering import find_option_type
from rulewright.language.types import Entity, Type, present


class OptionFeatures:
    """The encoder of the options of one ruleset. It is only needed if some actions are indices of options.

    `width` is the number of features of an option, and `rows` the number of options of one decision.
    """

    def __init__(self, eyes: ObservationEncoder, actions: Actions) -> None:
        self.eyes = eyes
        self.rows = actions.count - actions.shared
        self.types = {
            step.number: present(find_option_type(step))
            for step in list_questions(eyes.ruleset)
            if step.number not in actions.fixed
        }
        self._readers = {number: self._reader(kind) for number, kind in self.types.items()}
        self.width = max((width for width, _ in self._readers.values()), default=0)

    def encode(self, state: State) -> list[list[float]]:
        """Return the features of each option of a decision, in order. Empty if its options have their own numbers."""
        number = state.frame[0]
        if number not in self._readers:
            return []
        player = state.who - FIRST_PLAYER
        seen = redact_value(state, state.who)
        width, read = self._readers[number]
        rest = [0.0] * (self.width - width)
        nothing = [0.0] * self.width
        return [nothing if each is None else [*read(seen, each, player), *rest] for each in state.options]

    def _reader(self, kind: Type) -> tuple[int, FieldReader]:
        """Return the length of the encoding of an option, and the encoder."""
        width, read = self.eyes.make_reader(kind)
        entity_kind = find_described_kind(kind)
        if entity_kind is None:
            return width, read
        fields = self.eyes.readers[entity_kind]

        def read_object(state: State, value: Any, player: int) -> list[float]:
            """Return the encoding of an option and of the fields of its object.

            Hidden fields are zeros, and so are all fields of an object that has left the game.
            """
            results = read(state, value, player)
            values = state.objects[value]
            if values is None:
                return [*results, *([0.0] * sum(wide for _, wide, _ in fields))]
            for place, wide, read_field in fields:
                hidden = values[place] is HIDDEN
                results += [0.0] * wide if hidden else read_field(state, values[place], player)
            return results

        return width + sum(wide for _, wide, _ in fields), read_object


def find_described_kind(kind: Type) -> str | None:
    """Return the kind of the objects that are options of a type, or None if the options are players or no objects."""
    return kind.kind if isinstance(kind, Entity) and kind.kind != PLAYER_KIND else None
