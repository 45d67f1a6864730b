"""Which formulas keep what they came to, and what makes it stale.

A formula without parameters comes to the same until something changes that it reads. Those that go through lists are
worth keeping: three words of the game each, what it came to, what that took from the move, and how dear operations were
then, 0 where it is stale. Whoever changes what a formula reads makes it stale; whoever asks again pays again.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cached_property

from rulewright.language.declarations import GAME_KIND
from rulewright.program.program import Program
from rulewright.program.values import Value
from rulewright.ruleset.ruleset import Ruleset

Read = tuple[str, str]
"""A field of a kind; without a field, which objects of it there are."""


class Kept:
    """The formulas of one ruleset that keep what they came to."""

    def __init__(self, program: Program, ruleset: Ruleset) -> None:
        self._program = program
        self._ruleset = ruleset
        self._reads: dict[str, frozenset[Read]] = {}
        self._costly: dict[str, bool] = {}

    @cached_property
    def places(self) -> dict[str, int]:
        """The formulas that keep what they came to, numbered."""
        formulas = self._ruleset.declarations.formulas
        wanted = [name for name, each in formulas.items() if not each.parameters and self._is_costly(name)]
        return {name: place for place, name in enumerate(wanted)}

    @cached_property
    def _stale(self) -> dict[Read, list[int]]:
        found: dict[Read, list[int]] = {}
        for name, place in self.places.items():
            for read in self.reads(name):
                found.setdefault(read, []).append(place)
        return found

    def written(self, kind: str, field: str) -> Iterable[int]:
        """What is stale once a field was written."""
        return self._stale.get((kind, field), ())

    def made(self, kind: str) -> Iterable[int]:
        """What is stale once an object was made."""
        return self._stale.get((kind, ""), ())

    def gone(self, kind: str) -> Iterable[int]:
        """What is stale once an object has left."""
        return sorted({place for read, places in self._stale.items() if read[0] == kind for place in places})

    def reads(self, identity: str) -> frozenset[Read]:
        """What a formula reads, and those that it asks for."""
        if identity not in self._reads:
            found: set[Read] = set()
            for value in self._values(identity):
                for part in value.walk():
                    match part.op:
                        case "field":
                            found.add((part.data[0], part.data[1]))
                        case "objects":
                            found.add((part.data[0], ""))
                        case "deck.left" | "deck.count":
                            deck = self._ruleset.declarations.decks[part.data[0]]
                            found |= {(GAME_KIND, field) for field in deck.fields}
                        case "formula":
                            found |= self.reads(part.data[0])
            self._reads[identity] = frozenset(found)
        return self._reads[identity]

    def _values(self, identity: str) -> list[Value]:
        formula = self._program.formula(identity)
        return [*(value for _, value in formula.kept), formula.value]

    def _is_costly(self, identity: str) -> bool:
        """Whether a formula goes through lists: what is read faster than remembered is not kept."""
        if identity not in self._costly:
            parts = [part for value in self._values(identity) for part in value.walk()]
            lists = any(part.op.startswith(("gather", "walk.", "list.join")) for part in parts)
            self._costly[identity] = lists or any(p.op == "formula" and self._is_costly(p.data[0]) for p in parts)
        return self._costly[identity]
