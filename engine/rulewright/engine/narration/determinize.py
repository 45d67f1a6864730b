"""Determinization: a random state that is consistent with the information of one player."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from typing import Any

from rulewright.dice.ast import Roll
from rulewright.dice.sampling.random_generator import Generator
from rulewright.dice.sampling.roll_dice import roll
from rulewright.engine.narration.redaction import HIDDEN, analyze_sight, redact_value
from rulewright.engine.state.game_state import DECISION, State
from rulewright.ir.analyses.answer_choices import Choices, holds_subsets, list_choices
from rulewright.ir.analyses.knowledge import Path, Source, analyze_knowledge
from rulewright.ir.analyses.owned_cards import ITSELF, list_owned_cards
from rulewright.ir.analyses.roll_provenance import Rolls, analyze_origins, find_any_roll
from rulewright.language.declarations import GAME, GAME_KIND, PLAYER_KIND, Deck
from rulewright.language.types import Boolean, Choice, Entity, ListOf, MapOf, Ratio, RecordOf, Row, Type, present


def determinize(state: State, player: int, generator: Generator, *, known: State | None = None) -> State:
    """Return a random state that is consistent with the information set of `player`.

    The result is `state` itself if nothing is hidden. Hidden values do not influence it, except for being present and
    for the lengths of lists. A hidden card is one that the player sees nowhere, and each card is dealt once. Another
    hidden row, id or boolean is any possible one. A rolled number is rolled again, and a chosen one is any that the
    decision can offer. Any other value is copied from the same field of a visible object, or reset to its default.
    Simultaneous choices of others become any of the player's options. Names in procedures keep their values if the
    player has seen all inputs, and if that follows from viewers that the rules name: a result with computed viewers,
    such as `list(p for p in players if …)`, is guessed.

    The result is at the same decision with the same options. Pass a state of the back end that is to continue. `known`
    is `redact_value(state, player)`, which takes most of the time: pass it to draw several states.
    """
    if analyze_sight(state.machine.ruleset).everything:
        return state
    if known is None:
        known = redact_value(state, player)
    result = _Guess(state, player, generator, known).state
    for check in CHECKS:
        check(state, result, player)
    return result


CHECKS: list[Callable[[State, State, int], None]] = []
"""Checks that tests add. Each gets the state, the determinized state and the player, and raises if they are wrong."""


@dataclass(slots=True, eq=False)
class _Pack:
    """The cards of a deck that the player sees nowhere, and the object that has it, or the game.

    `absent` is how many of its cards lie elsewhere and are not yet known or guessed.
    """

    deck: Deck
    owner: int
    cards: list[str]
    absent: int

    @property
    def is_owned(self) -> bool:
        return self.deck.is_owned


def _find_source(packs: Iterable[_Pack], owner: int | None) -> _Pack | None:
    """Return the pack that a card outside of the decks comes from, and count the card, or None without any pack.

    It is a pack of the owner of the card, if there is one, and else the one with the most absent cards. A pack of
    another owner is none.
    """
    fitting = [pack for pack in packs if owner is None or not pack.is_owned or pack.owner == owner]
    pack = max(fitting, key=lambda pack: (pack.owner == owner, pack.absent), default=None)
    if pack is not None:
        pack.absent -= 1
    return pack


class _Guess:
    def __init__(self, state: State, player: int, generator: Generator, known: State) -> None:
        """Copy the state, and replace everything in the copy that is hidden from the player."""
        self.owner: int | None = None
        self.generator = generator
        self.layout = state.machine.layout
        self.declared = state.machine.ruleset.declarations
        self.there = state
        self.known = known
        self.state = state.clone()
        self.secrets = analyze_sight(state.machine.ruleset).secrets
        self.knowledge = analyze_knowledge(state.machine.ruleset)
        self.origins = analyze_origins(state.machine.ruleset)
        self.packs: dict[str, list[_Pack]] = {}
        for deck in self.declared.decks.values():
            owners = state.live[self.layout.kinds[deck.kind]] if deck.is_owned else (GAME,)
            self.packs.setdefault(deck.table, []).extend(self._make_pack(deck, owner) for owner in owners)
        self.owned = list_owned_cards(state.machine.ruleset)
        for table, packs in self.packs.items():
            for card, owner in self._list_seen(table):
                source = _find_source((pack for pack in packs if card in pack.cards), owner)
                if source is not None:
                    source.cards.remove(card)
        for number, item in enumerate(self.known.objects):
            if item is not None and HIDDEN in item:
                self._object(number, item)
        self._decks()
        self._names(player)

    def _any(self, values: Any) -> Any:
        return values[self.generator.draw_below(len(values))]

    def _object(self, number: int, seen: list[Any]) -> None:
        """Replace the hidden fields of an object by random values. The contents of decks are left for later."""
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
            rolls = self.origins.rolls.get((kind, name))
            if rolls and values[place] is not None:
                values[place] = self._roll(rolls)
                continue
            if choices := list_choices(self.state.machine.ruleset, (kind, name), field.type):
                values[place] = self._choose(choices, values[place], [])
                continue
            distinct = holds_subsets(self.state.machine.ruleset, (kind, name))
            self.owner = self._find_owner(number, seen, kind, name)
            values[place] = self._anew(field.type, values[place], alike or [field.default], distinct=distinct)
            self.owner = None

    def _roll(self, rolls: Rolls) -> int:
        """Return a random total of one of these rolls."""
        return roll(self._any(rolls), self.generator).total

    def _choose(self, choices: list[Choices], held: Any, frame: list[Any]) -> Any:
        """Return a random answer, or a list of as many as `held` has. None stays None."""
        if held is None:
            return None
        if isinstance(held, tuple):
            return tuple(self._choose(choices, item, frame) for item in held)
        match self._any(choices):
            case ["values", _, values]:
                return self._any(values)
            case [_, low, high]:
                ends = [None if end is None else self._reach(end, frame) for end in (low, high)]
                known = [end for end in ends if end is not None] or [0]
                return known[0] + self.generator.draw_below(max(known[-1] - known[0], 0) + 1)

    def _anew(self, kind: Type, held: Any, alike: list[Any], *, distinct: bool = False) -> Any:
        """Return a random value of a type.

        Of `held`, only what the player knows is used: its presence, its length, and the deck of a card. None stays
        None. `alike` are visible values of the same field. The elements of a list may have to be `distinct`. A card
        leaves the pack of unseen cards.
        """
        if held is None:
            return None
        match present(kind):
            case ListOf(inner=inner):
                candidates = self._list_candidates(inner) if distinct else ()
                if candidates and len(held) <= len(candidates):
                    return self._select(candidates, len(held))
                return tuple(self._anew(inner, item, alike, distinct=distinct) for item in held)
            case Row(table=table):
                # Players know which deck a card was drawn from, so the guess comes from there.
                packs = self.packs.get(table, [])
                alone = len({pack.deck.id for pack in packs}) == 1
                fitting = (pack for pack in packs if pack.cards and (alone or pack.is_owned or held in pack.deck.cards))
                return self._draw(_find_source(fitting, self.owner), table)
            case MapOf(inner=inner):
                rows = [[each[place] for each in alike if isinstance(each, tuple)] for place in range(len(held))]
                return tuple(self._anew(inner, item, seen) for item, seen in zip(held, rows, strict=True))
            case RecordOf(parts=parts):
                return tuple(self._anew(part, item, []) for (_, part), item in zip(parts, held, strict=True))
            case Choice(ids=ids):
                return self._any(ids)
            case Boolean():
                return bool(self.generator.draw_below(2))
            case Entity(kind=name):
                return self._any(self.state.live[self.layout.kinds[name]] or (held,))
            case Ratio():
                return Fraction(0)
        # Numbers, rolls and texts have too many possible values, so copy a visible one.
        likely = [value for value in alike if value is not None and not isinstance(value, tuple)]
        if likely:
            return self._any(likely)
        if isinstance(held, Roll):
            return find_any_roll(self.state.machine.ruleset) or held
        return 0 if isinstance(held, int) else ""

    def _list_candidates(self, kind: Type) -> Sequence[Any]:
        """Return all values of a type, without cards. Empty if they are too many or unknown."""
        match kind:
            case Row(table=table) if table not in self.packs:
                return list(self.declared.tables[table].rows)
            case Choice(ids=ids):
                return ids
            case Entity(kind=name):
                return self.state.live[self.layout.kinds[name]]
        return ()

    def _select(self, candidates: Sequence[Any], count: int) -> tuple[Any, ...]:
        """Return so many random candidates in their order."""
        result: list[Any] = []
        for place, each in enumerate(candidates):
            if self.generator.draw_below(len(candidates) - place) < count - len(result):
                result.append(each)
        return tuple(result)

    def _draw(self, pack: _Pack | None, table: str) -> str:
        """Take a random card of a pack, or return any row of the table if the pack is None or has no more cards."""
        if pack is None or not pack.cards:
            rows = list(self.declared.tables[table].rows)
            return rows[self.generator.draw_below(len(rows))]
        return pack.cards.pop(self.generator.draw_below(len(pack.cards)))

    def _make_pack(self, deck: Deck, owner: int) -> _Pack:
        """Return the cards of a deck if no card outside of it is known or guessed yet."""
        item = self.known.objects[owner]
        cards = list(item[self.layout.places[deck.kind, deck.seen]] if deck.is_owned else deck.cards)
        piles = sum(len(self.there.objects[owner][self.layout.places[deck.kind, name]]) for name in deck.fields)
        return _Pack(deck, owner, cards, len(cards) - piles)

    def _find_owner(self, number: int, seen: list[Any], kind: str, field: str) -> int | None:
        """Return the object whose deck the cards in a field come from, or None if this is unknown."""
        owner = self.owned.get((kind, field))
        if owner is None:
            return None
        result: int | None = number if owner == ITSELF else seen[self.layout.places[kind, owner]]
        return result

    def _list_seen(self, table: str) -> list[tuple[str, int | None]]:
        """Return the cards of a table that the player sees outside the decks, with the objects that own them."""
        seen: list[tuple[str, int | None]] = []
        for number, item in enumerate(self.known.objects):
            if not item:
                continue
            owning = self.layout.names[item[0]]
            for place, name in enumerate(self.layout.fields[owning], start=1):
                kind = present(self.declared.kinds[owning].fields[name].type)
                inner = kind.inner if isinstance(kind, ListOf) else kind
                if inner != Row(table) or item[place] in (None, HIDDEN) or "." in name:
                    continue
                owner = self._find_owner(number, item, owning, name)
                seen.extend((card, owner) for card in (item[place] if isinstance(kind, ListOf) else (item[place],)))
        return seen

    def _decks(self) -> None:
        """Fill each hidden deck with random unseen cards, as many as it has. They leave their packs."""
        for deck in self.declared.decks.values():
            order = list(self.declared.tables[deck.table].rows)
            for pack in (pack for pack in self.packs[deck.table] if pack.deck is deck):
                item = self.state.objects[pack.owner]
                for name in deck.fields:
                    place = self.layout.places[deck.kind, name]
                    if self.known.objects[pack.owner][place] is not HIDDEN:
                        continue
                    # Cards of a deck that all share are never more than those of its pack.
                    held = item[place] if deck.is_owned else item[place][: len(pack.cards)]
                    drawn = [self._draw(pack, deck.table) for _ in held]
                    # The part of a deck with unknown positions is stored in the order of the table.
                    item[place] = tuple(sorted(drawn, key=order.index) if name == deck.fields[0] else drawn)

    def _names(self, player: int) -> None:
        """Replace, in the frames of running procedures, values that come from a secret unknown to the player."""
        secrets, knowledge = self.secrets, self.knowledge
        under_way = []
        for procedure, frame, _ in self.state.machine.iterate_frames(self.state):
            hidden = secrets.find_hidden_slots(procedure, frame)
            known = {slot for slot in hidden if self._is_known(procedure, slot, frame, player)}
            under_way.append((procedure, frame, hidden, known, knowledge.list_passed_slots(procedure, frame[0])))
        # A value passed to a procedure is known in both frames or in neither, and is equal in both.
        for (*_, known, passed), (_, _, secret, theirs, _) in reversed(list(pairwise(under_way))):
            known.update(slot for slot, place in passed if place in theirs or place not in secret)
        handed: dict[int, Any] = {}
        numbers: set[int] = set()
        for procedure, frame, hidden, known, passed in under_way:
            known |= numbers
            for slot in sorted(hidden - known):
                frame[slot] = handed[slot] if slot in handed else self._name(procedure, slot, frame, player)
            handed = {place: frame[slot] for slot, place in passed}
            numbers = {place for slot, place in passed if slot in known}

    def _name(self, procedure: str, slot: int, frame: list[Any], player: int) -> Any:
        """Return a random value for a local that the player does not know.

        A result of known rolls is rolled again. A simultaneous choice becomes an option of the decision while others
        still have to choose, and afterwards the player's own one stays.
        """
        value = frame[slot]
        if slot not in self.secrets.find_slots(procedure) and self.state.mode == DECISION:
            return tuple(self._any(self.state.options) for _ in value or ())
        if (rolls := self.origins.rolls.get((procedure, slot))) and value is not None:
            return self._roll(rolls)
        kind = self.knowledge.find_type(procedure, slot)
        if choices := list_choices(self.state.machine.ruleset, (procedure, slot), kind):
            result = self._choose(choices, value, frame)
        else:
            distinct = holds_subsets(self.state.machine.ruleset, (procedure, slot))
            result = self._anew(kind, value, [], distinct=distinct)
        if value and slot in self.knowledge.list_shared_answers(procedure):
            own = self.state.live[self.layout.kinds[PLAYER_KIND]].index(player)
            return (*result[:own], *value[own : own + 1], *result[own + 1 :])  # the player's own choice is not hidden
        return result

    def _is_known(self, procedure: str, slot: int, frame: list[Any], player: int) -> bool:
        """Return whether the player has seen all that a name comes from."""
        sources = self.knowledge.find_sources(procedure, slot, frame[0])
        return sources is not None and all(self._has_seen(source, frame, player) for source in sources)

    def _has_seen(self, source: Source, frame: list[Any], player: int) -> bool:
        """Return whether a player has seen a source of a value: a list of viewers, or a field of one or all objects."""
        match source:
            case ["told", paths]:
                return any(player in self._players(self._reach(path, frame)) for path in paths)
            case ["field", kind, name, path]:
                item = 0 if path is None else self._reach(path, frame)
                return item is not None and self._sees(item, kind, name)
            case ["every", kind, name]:
                items = (0,) if kind == GAME_KIND else self.there.live[self.layout.kinds[kind]]
                return all(self._sees(item, kind, name) for item in items)
        return False

    def _sees(self, entity: int, kind: str, name: str) -> bool:
        seen = self.known.objects[entity]
        return seen is not None and seen[self.layout.places[kind, name]] is not HIDDEN

    def _reach(self, path: Path, frame: list[Any]) -> Any:
        """Return the value at a path or of a bound in the actual game: a slot, a field, the players, or a number.

        The result is None if the path leads through none.
        """
        match path:
            case ["number", number]:
                return number
            case ["+" | "-" as operator, *ends]:
                left, right = (self._reach(end, frame) for end in ends)
                return None if None in (left, right) else left + right if operator == "+" else left - right
            case ["slot", slot]:
                return frame[slot]
            case ["field", kind, name, base]:
                item = 0 if base is None else self._reach(base, frame)
                values = None if item is None else self.there.objects[item]
                return None if values is None else values[self.layout.places[kind, name]]
        return self.there.live[self.layout.kinds[PLAYER_KIND]]

    @staticmethod
    def _players(value: Any) -> tuple[int, ...]:
        return () if value is None else value if isinstance(value, tuple) else (value,)
