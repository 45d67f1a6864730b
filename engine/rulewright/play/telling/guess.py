"""What might be: a state in which all that a player may not see is made up anew, from what that player knows."""

from __future__ import annotations

from collections import Counter
from typing import Any

from rulewright.dice.generator import Generator
from rulewright.dice.roll import roll
from rulewright.language.declarations import GAME_KIND, Deck
from rulewright.language.types import Boolean, Choice, ListOf, RecordOf, Row, Thing, Type, present
from rulewright.play.machine.state import DECISION, State
from rulewright.play.telling.sight import HIDDEN, as_seen, sight_of
from rulewright.program.rolled import Rolls, rolled


def guessed(state: State, player: int, generator: Generator) -> State:
    """A copy of a state that may well be what `player` has before them; itself, where nothing is hidden.

    No hidden value has a say in it, but for whether it is there and how many a list holds. A row that a deck deals is
    one of the cards that the player sees nowhere, each dealt once; another row, an id, a truth or an object is any
    there is; a number that was rolled is rolled anew, and any other is one that the player sees in the same place
    elsewhere, or what it starts as. What others have chosen while the player is still to choose is any of what the
    player may choose.
    """
    if sight_of(state.machine.ruleset).everything:
        return state
    return _Guess(state, player, generator).state


class _Guess:
    def __init__(self, state: State, player: int, generator: Generator) -> None:
        self.generator = generator
        self.layout = state.machine.layout
        self.declared = state.machine.ruleset.declarations
        self.known = as_seen(state, player)
        self.state = state.clone()
        self.rolled = rolled(state.machine.ruleset)
        self.packs = {deck.table: self._unseen(deck) for deck in self.declared.decks.values()}
        for number, thing in enumerate(self.known.objects):
            if thing is not None and HIDDEN in thing:
                self._object(number, thing)
        self._decks()
        self._names(player)

    def _any(self, values: Any) -> Any:
        return values[self.generator.below(len(values))]

    def _object(self, number: int, seen: list[Any]) -> None:
        kind = self.layout.names[seen[0]]
        for place, name in enumerate(self.layout.fields[kind], start=1):
            if seen[place] is not HIDDEN or name.startswith("deck."):
                continue
            field = self.declared.kinds[kind].fields[name]
            alike = [
                other[place]
                for other in self.known.objects
                if other is not None and other[0] == seen[0] and other[place] is not HIDDEN
            ]
            values = self.state.objects[number]
            rolls = self.rolled.fields.get((kind, name))
            if rolls and values[place] is not None:
                values[place] = self._roll(rolls)
                continue
            values[place] = self._anew(field.type, values[place], alike or [field.default])

    def _roll(self, rolls: Rolls) -> int:
        """What one of these rolls may come to."""
        return roll(self._any(rolls), self.generator).total

    def _anew(self, kind: Type, held: Any, alike: list[Any]) -> Any:
        """A value of a type. `held` says no more than that there is one, or how many there are."""
        if held is None:
            return None
        match present(kind):
            case ListOf(inner=inner):
                return tuple(self._anew(inner, item, alike) for item in held)
            case Row(table=table):
                pack = self.packs.get(table)
                if pack:
                    return pack.pop(self.generator.below(len(pack)))
                return self._any(list(self.declared.tables[table].rows))
            case RecordOf(parts=parts):
                return tuple(self._anew(part, item, []) for (_, part), item in zip(parts, held, strict=True))
            case Choice(ids=ids):
                return self._any(ids)
            case Boolean():
                return bool(self.generator.below(2))
            case Thing(kind=name):
                return self._any(self.state.live[self.layout.kinds[name]] or (held,))
        # Numbers, rolls and texts: what there is of them has no bounds.
        likely = [value for value in alike if value is not None and not isinstance(value, tuple)]
        return self._any(likely) if likely else 0 if isinstance(held, int) else held

    def _unseen(self, deck: Deck) -> list[str]:
        """The cards of a deck that the player sees nowhere."""
        seen: Counter[str] = Counter()
        for thing in self.known.objects:
            for place, name in enumerate(self.layout.fields[self.layout.names[thing[0]]] if thing else (), start=1):
                kind = present(self.declared.kinds[self.layout.names[thing[0]]].fields[name].type)
                inner = kind.inner if isinstance(kind, ListOf) else kind
                if inner != Row(deck.table) or thing[place] in (None, HIDDEN) or name.startswith("deck."):
                    continue
                seen.update(thing[place] if isinstance(kind, ListOf) else (thing[place],))
        left = []
        for card in deck.cards:
            if seen[card]:
                seen[card] -= 1
            else:
                left.append(card)
        return left

    def _decks(self) -> None:
        """Put into each deck that is a secret as many of the cards left over as there are in it."""
        game = self.state.objects[0]
        for deck in self.declared.decks.values():
            for name in deck.fields:
                place = self.layout.places[GAME_KIND, name]
                if self.known.objects[0][place] is HIDDEN:
                    pack = self.packs[deck.table]
                    drawn = [pack.pop(self.generator.below(len(pack))) for _ in game[place][: len(pack)]]
                    # Cards of which nobody knows the place stand in the order of the table.
                    game[place] = tuple(sorted(drawn, key=deck.cards.index) if name == deck.fields[0] else drawn)

    def _names(self, player: int) -> None:
        """What procedures under way keep under names of their own, where it comes from a secret."""
        from rulewright.language.lowering import called

        ruleset = self.state.machine.ruleset
        secrets = sight_of(ruleset).secrets
        procedure = self.state.root
        for frame in self.state.stack:
            types = ruleset.procedures[procedure].types
            always = secrets.slots(procedure)
            for slot in sorted(secrets.hidden(procedure, frame)):
                kind, held = types[slot], frame[slot]
                if slot not in always and self.state.mode == DECISION:
                    frame[slot] = tuple(self._any(self.state.options) for _ in held or ())
                elif (rolls := self.rolled.slots.get((procedure, slot))) and held is not None:
                    frame[slot] = self._roll(rolls)
                else:
                    frame[slot] = self._anew(kind, held, [])
            step = ruleset.steps.get(frame[0])
            procedure = called(step) if step is not None else ""
