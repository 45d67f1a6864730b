"""The table from which the runtime determinizes hidden information, as `narration.determinize` does.

The runtime's `determinize.c` declares its blocks. A missing part is 0.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from rulewright.engine.wasm_backend.codegen.memory_layout import MemoryLayout
from rulewright.ir.analyses.answer_choices import Choices, holds_subsets, list_choices
from rulewright.ir.analyses.information_flow import Secrets, find_secrets
from rulewright.ir.analyses.knowledge import Knowledge, Path, Source, analyze_knowledge
from rulewright.ir.analyses.owned_cards import ITSELF, list_owned_cards
from rulewright.ir.analyses.roll_provenance import Rolls, analyze_origins, find_any_roll
from rulewright.language.declarations import Deck
from rulewright.language.lowering import find_called_procedure
from rulewright.language.types import (
    Boolean,
    Choice,
    Dice,
    Entity,
    ListOf,
    MapOf,
    Ratio,
    RecordOf,
    Row,
    Text,
    Type,
    present,
)
from rulewright.language.visibility import SHOWN
from rulewright.ruleset.ruleset import Ruleset

_OTHER, _TEXT, _DICE, _ROW, _CHOICE, _TRUTH, _ENTITY, _RATIO, _LIST, _MAP, _RECORD = range(11)
_TOLD, _FIELD, _EVERY = range(3)
_SLOT, _PLAYERS, _OF, _NUMBER, _SUM, _DIFFERENCE = range(6)
_NUMBERS, _VALUES = range(2)

_NEVER_HIDDEN = -1
_NO_OWNER, _ITSELF = 0, -1


def encode_guess_table(
    ruleset: Ruleset, layout: MemoryLayout, order: Sequence[str], viewers: Mapping[tuple[str, str], int]
) -> int:
    """Return the word of the table, which is added to the constants, or 0 if nothing is hidden.

    Args:
        ruleset: The ruleset.
        layout: Its memory layout.
        order: The ids of its procedures, in the order of their numbers.
        viewers: The numbers of the functions that return the viewers of hidden fields.
    """
    secrets = find_secrets(ruleset)
    return _GuessTable(ruleset, secrets, layout, order, viewers).encode() if secrets.any else 0


class _GuessTable:
    def __init__(
        self,
        ruleset: Ruleset,
        secrets: Secrets,
        layout: MemoryLayout,
        order: Sequence[str],
        viewers: Mapping[tuple[str, str], int],
    ) -> None:
        self.ruleset = ruleset
        self.declared = ruleset.declarations
        self.secrets = secrets
        self.layout = layout
        self.order = order
        self.viewers = viewers
        self.places = layout.program.layout.places
        self.kinds = layout.program.layout.kinds
        self.origins = analyze_origins(ruleset)
        self.knowledge: Knowledge = analyze_knowledge(ruleset)
        self.decks = list(self.declared.decks.values())
        self.owned = list_owned_cards(ruleset)
        self.hidden = {kind: self._list_hidden(kind) for kind in layout.kinds}

    def _list_hidden(self, kind: str) -> list[str]:
        """Return the hidden fields of a kind in their order, without decks."""
        hidden = (name for name in self.secrets.fields[kind] if (kind, name) in self.viewers)
        return sorted(hidden, key=lambda name: self._at(kind, name))

    def encode(self) -> int:
        """Return the word of the whole table."""
        fields = [
            self._block(self._encode_field(kind, name) for name in self.hidden[kind]) for kind in self.layout.kinds
        ]
        numbers = {name: number for number, name in enumerate(self.order)}
        calls = [0] * (max(self.ruleset.steps, default=0) + 1)
        for number, step in self.ruleset.steps.items():
            calls[number] = numbers.get(find_called_procedure(step), 0)
        return self._block(
            (
                max(1, *map(len, self.hidden.values())),
                self._block(fields),
                self._block(map(self._encode_deck, self.decks)),
                self._block(map(self._encode_procedure, self.order)),
                self._block(calls),
            )
        )

    def _block(self, words: Iterable[int]) -> int:
        return self.layout.block(list(words))

    def _at(self, kind: str, name: str) -> int:
        return self.places[kind, name]

    # -- values ------------------------------------------------------------------------------------

    def _encode_field(self, kind: str, name: str) -> int:
        """Write what is needed to guess a hidden field to memory, and return its address."""
        field = self.declared.kinds[kind].fields[name]
        return self._block(
            (
                self._at(kind, name),
                self.viewers[kind, name],
                self._at(kind, f"{SHOWN}{name}"),
                self._encode_type(field.type, distinct=holds_subsets(self.ruleset, (kind, name))),
                self._encode_rolls(self.origins.rolls.get((kind, name), ())),
                self._encode_choices(list_choices(self.ruleset, (kind, name), field.type)),
                self.layout.encode_constant(field.default, field.type),
                self._encode_owner(kind, name),
            )
        )

    def _encode_owner(self, kind: str, name: str) -> int:
        """Return the place of the field with the owner of the cards in a field, or another number without any."""
        owner = self.owned.get((kind, name))
        if owner is None:
            return _NO_OWNER
        return _ITSELF if owner == ITSELF else self._at(kind, owner)

    def _encode_rolls(self, rolls: Rolls) -> int:
        return self._block(map(self.layout.find_roll, rolls)) if rolls else 0

    def _encode_choices(self, choices: Sequence[Choices]) -> int:
        return self._block(map(self._encode_choice, choices)) if choices else 0

    def _encode_choice(self, choice: Choices) -> int:
        """Write the answers of a decision to memory, and return their address."""
        match choice:
            case ["values", kind, values]:
                return self._block((_VALUES, *(self.layout.encode_constant(value, kind) for value in values)))
        return self._block((_NUMBERS, *map(self._encode_path, choice[1:])))

    def _encode_type(self, kind: Type, *, distinct: bool = False) -> int:
        return self._block(self._list_type_words(present(kind), distinct=distinct))

    def _list_type_words(self, kind: Type, *, distinct: bool = False) -> tuple[int, ...]:
        """Return the words by which values of a type are guessed. What they refer to is written to memory.

        The elements of a list may have to be `distinct`.
        """
        match kind:
            case ListOf(inner=inner):
                return _LIST, self._encode_type(inner, distinct=distinct), int(distinct and self._is_listed(inner))
            case MapOf(inner=inner):
                return _MAP, self._encode_type(inner)
            case RecordOf(parts=parts):
                return _RECORD, *(self._encode_type(part) for _, part in parts)
            case Row(table=table):
                decks = self._block(number for number, deck in enumerate(self.decks) if deck.table == table)
                return _ROW, decks, len(self.layout.rows[table])
            case Choice(ids=ids):
                return _CHOICE, *map(self.layout.encode_word, ids)
            case Boolean():
                return (_TRUTH,)
            case Entity(kind=name):
                return _ENTITY, self.kinds[name]
            case Ratio():
                return _RATIO, self._block((0, 1))
            case Text():
                return _TEXT, self.layout.encode_word("")
            case Dice():
                roll = find_any_roll(self.ruleset)
                return _DICE, 0 if roll is None else self.layout.find_roll(roll)
        return (_OTHER,)

    def _is_listed(self, kind: Type) -> bool:
        """Return whether the runtime can list all values of a type: ids, objects, and rows that are no cards."""
        return isinstance(kind, Choice | Entity) or (
            isinstance(kind, Row) and all(deck.table != kind.table for deck in self.decks)
        )

    # -- decks -------------------------------------------------------------------------------------

    def _encode_deck(self, deck: Deck) -> int:
        """Write what is needed to guess the cards of a deck to memory, and return its address."""
        rows = self.layout.rows[deck.table]
        piles = [
            self._block((self._at(deck.kind, name), int(name in self.secrets.decks), int(name == deck.fields[0])))
            for name in deck.fields
        ]
        holders = (
            self._block(
                (
                    self.kinds[kind],
                    self._at(kind, name),
                    self._number(kind, name),
                    int(is_list),
                    self._encode_owner(kind, name),
                )
            )
            for kind in self.layout.kinds
            for name, field in self.declared.kinds[kind].fields.items()
            if "." not in name and (is_list := _holds_rows(field.type, deck.table)) is not None
        )
        return self._block(
            (
                self._block(number for number, other in enumerate(self.decks) if other.table == deck.table),
                self._block(rows[card] for card in deck.cards),
                len(rows),
                self._block(piles),
                self._block(holders),
                self.kinds[deck.kind],
                self._at(deck.kind, deck.seen) if deck.is_owned else 0,
            )
        )

    def _number(self, kind: str, name: str) -> int:
        """Return the number of a hidden field among those of its kind."""
        hidden = self.hidden[kind]
        return hidden.index(name) if name in hidden else _NEVER_HIDDEN

    # -- procedures --------------------------------------------------------------------------------

    def _encode_procedure(self, name: str) -> int:
        """Write the secret slots of a procedure and its pause points to memory, and return the address."""
        always, sealed = self.secrets.find_slots(name), dict(self.secrets.list_sealed_answers(name))
        own = self.knowledge.list_shared_answers(name)
        slots = sorted(always | sealed.keys())
        return self._block(
            (
                self.layout.program.routines[name].size + 1,
                self._block(
                    self._block(
                        (
                            slot,
                            int(slot in always),
                            sealed.get(slot, 0),
                            self._encode_type(kind, distinct=holds_subsets(self.ruleset, (name, slot))),
                            self._encode_rolls(self.origins.rolls.get((name, slot), ())),
                            self._encode_choices(list_choices(self.ruleset, (name, slot), kind)),
                            int(slot in own),
                        )
                    )
                    for slot in slots
                    for kind in (self.knowledge.find_type(name, slot),)
                ),
                self._block(self._encode_stop(name, step, slots) for step in self.knowledge.list_stops(name)),
            )
        )

    def _encode_stop(self, procedure: str, step: int, slots: Sequence[int]) -> int:
        """Write the sources of secret slots at a pause point, and the slots that are passed on, to memory.

        Returns the address.
        """
        known = [
            self._block((slot, self._block(map(self._encode_source, sources))))
            for slot in slots
            if (sources := self.knowledge.find_sources(procedure, slot, step)) is not None
        ]
        passed = [word for pair in self.knowledge.list_passed_slots(procedure, step) for word in pair]
        return self._block((step, self._block(known), self._block(passed)))

    def _encode_source(self, source: Source) -> int:
        """Write a source of a secret value to memory, and return its address."""
        match source:
            case ["told", paths]:
                return self._block((_TOLD, *map(self._encode_path, paths)))
            case ["field", kind, name, path]:
                return self._block((_FIELD, self._number(kind, name), self._encode_path(path)))
        _, kind, name = source
        return self._block((_EVERY, self._number(kind, name), self.kinds[kind]))

    def _encode_path(self, path: Path | None) -> int:
        """Write a path or a bound to memory, and return its address, or 0 for none."""
        match path:
            case None:
                return 0
            case ["slot", slot]:
                return self._block((_SLOT, slot))
            case ["field", kind, name, base]:
                return self._block((_OF, self._at(kind, name), self._encode_path(base)))
            case ["number", number]:
                return self._block((_NUMBER, number))
            case ["+" | "-" as operator, *ends]:
                return self._block((_SUM if operator == "+" else _DIFFERENCE, *map(self._encode_path, ends)))
        return self._block((_PLAYERS,))


def _holds_rows(kind: Type, table: str) -> Any:
    """Return whether a field holds a list of rows of a table, or None if it holds none of its rows."""
    there = present(kind)
    if isinstance(there, ListOf):
        return True if there.inner == Row(table) else None
    return False if there == Row(table) else None
