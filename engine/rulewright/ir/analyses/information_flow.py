"""Information-flow analysis: hidden fields, hidden decks, and names of procedures with values derived from them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from rulewright.language import operations as op
from rulewright.language.checked_steps import Step
from rulewright.language.expressions.typed_ast import After, Aggregate, Invoke, Items, Local, Stored, Typed
from rulewright.language.lowering import list_offers, lower_block
from rulewright.language.operations import Operation
from rulewright.language.types import Record
from rulewright.ruleset.ruleset import Ruleset


class Secrets:
    """The secrets of one ruleset. `fields` has the hidden fields by kind, and `any` is true if anything is hidden.

    A name of a procedure is secret if its value was rolled, drawn or chosen without all players seeing it, or
    computed from a secret. A deck is secret if some player does not see a card drawn from it, because its remaining
    cards would reveal that card.
    """

    def __init__(self, ruleset: Ruleset) -> None:
        self._ruleset = ruleset
        self._bodies = {
            name: [each for outer in lower_block(procedure.body) for each in outer.walk()]
            for name, procedure in ruleset.procedures.items()
        }
        kinds = ruleset.declarations.kinds
        self.fields: dict[str, frozenset[str]] = {
            kind: frozenset(name for name, field in declared.fields.items() if field.seen_by is not None)
            for kind, declared in kinds.items()
        }
        every = [each for body in self._bodies.values() for each in body]
        lines = [each for each in every if getattr(each, "viewers", None) is not None]
        decks = ruleset.declarations.decks
        secret = [decks[each.deck] for each in lines if isinstance(each, op.Draw) and each.deck]
        self.decks = frozenset(field for deck in secret for field in deck.fields)
        for deck in secret:
            self.fields[deck.kind] |= frozenset(deck.fields)
        self.any = bool(lines) or any(self.fields.values())
        # Simultaneous choices are secret only until all players have chosen.
        self._sealed = {each.step for each in every if isinstance(each, op.Reveal)}
        asks = ((each.step.number, each.who) for each in every if isinstance(each, op.Ask))
        self._choosers = {step: frozenset((who.slot,)) for step, who in asks if isinstance(who, Local)}
        self._names = {each.step.number: each.step.rule for each in every}
        self._formulas: dict[str, bool] = {}
        self._slots: dict[str, set[int]] = {name: set() for name in ruleset.procedures}
        self._results: dict[str, set[str]] = {name: set() for name in ruleset.procedures}
        more = self.any
        while more:
            results = [self._spread(name) for name in self._bodies]
            more = any(results)
        # Players who may not see the result of a roll see its dice, unless these would reveal a secret.
        self._dice = frozenset(
            each.step.number
            for name, body in self._bodies.items()
            for each in body
            if isinstance(each, op.Chance) and each.viewers is not None
            if self._reveals((each.dice,), self._slots[name], set())
        )
        self._always = frozenset(step for name in self._bodies for step in self._find_revealing(name) if self.any)
        self._unnamed = frozenset(each for name in self._bodies for each in self._find_secret_objects(name))
        # Compute everything now, because threads may share immutable results.
        for identity in ruleset.declarations.formulas:
            self._formula(identity)

    @property
    def content(self) -> object:
        """All results, with steps by name. Whoever asks about the steps of a procedure reads its body besides."""
        by_name = {self._names[number]: slots for number, slots in self._choosers.items()}
        sealed = {step.rule for step in self._sealed}
        steps = [{self._names[number] for number in numbers} for numbers in (self._dice, self._always)]
        unnamed = {(self._names[number], kind, name) for number, kind, name in self._unnamed}
        names = by_name, self._slots, self._results
        return self.fields, self.decks, self.any, sealed, names, steps, unnamed, self._formulas

    def find_slots(self, procedure: str) -> frozenset[int]:
        """Return the slots of a procedure that hold secrets."""
        return frozenset(self._slots[procedure])

    def list_sealed_answers(self, procedure: str) -> list[tuple[int, int]]:
        """Return the slots of simultaneous choices, as pairs of slots.

        The second slot of each pair is not none while some player still has to choose.
        """
        steps = (step for step in self._sealed if step.procedure == procedure)
        return sorted((step.slot, step.hidden) for step in steps if step.slot is not None and step.hidden is not None)

    def find_hidden_slots(self, procedure: str, frame: Sequence[Any]) -> frozenset[int]:
        """Return the slots of a frame that are secret now.

        They include answers while other players have still to choose. The deciding player is never secret, because
        every player sees who decides.
        """
        open_ = {slot for slot, hidden in self.list_sealed_answers(procedure) if frame[hidden] is not None}
        return (self.find_slots(procedure) | open_) - self._choosers.get(frame[0], frozenset())

    def has_secret_offers(self, step: Step) -> bool:
        """Return whether the options of a step, or their costs, depend on a secret and would reveal it."""
        slots = self._slots[step.procedure]
        saved: set[int] = set()
        for each in self._read_body(step.procedure):
            if each.step is step and isinstance(each, op.Keep) and self._reveals((each.value,), slots, saved):
                saved.add(each.into)
            if each.step is step and isinstance(each, op.Ask):
                costs = (*each.costs, *(cost for offer in list_offers(each) for cost in offer.costs))
                if self._reveals((each.options, *(amount for _, amount in costs)), slots, saved):
                    return True
        return False

    def asks_always(self, step: int) -> bool:
        """Return whether a step asks even with one option, because an omitted question would reveal a secret."""
        return step in self._always

    def has_secret_rolls(self, step: int) -> bool:
        """Return whether a step rolls in secret and its dice depend on a secret, so that they would reveal it."""
        return step in self._dice

    def has_secret_object(self, step: int, kind: str, name: str) -> bool:
        """Return whether a step finds the object whose field it changes by a secret, which the object would reveal."""
        return (step, kind, name) in self._unnamed

    def reads_secret(self, value: Typed, procedure: str) -> bool:
        """Return whether an expression of a procedure reads a hidden field or name, or the rest of a secret deck."""
        return self._reveals((value,), self._slots[procedure], set())

    def _read_body(self, procedure: str) -> list[Operation[Typed]]:
        """Return the operations of a procedure, which counts as a read of it."""
        return self._bodies[procedure] if procedure in self._ruleset.procedures else []

    def _spread(self, procedure: str) -> bool:
        """Follow the secrets of a procedure once, and return whether more were found. Adds slots and results."""
        slots, saved = self._slots[procedure], set[int]()
        before = len(slots), len(self._results[procedure])
        reached = False
        for each in self._bodies[procedure]:
            reached = self._follow(each, slots, saved) or reached
        for name, value in self._ruleset.procedures[procedure].gives.items():
            if self._reveals((value,), slots, saved):
                self._results[procedure].add(name)
        return reached or before != (len(slots), len(self._results[procedure]))

    def _follow(self, each: Operation[Typed], slots: set[int], secret_slots: set[int]) -> bool:
        """Add the slots and temporaries that an operation fills with a secret to `slots` and `secret_slots`.

        Returns whether it hands a secret to a parameter of a procedure that had none before.
        """
        match each:
            case (
                op.Ask(into=into, viewers=seen) | op.Chance(into=into, viewers=seen) | op.Draw(into=into, viewers=seen)
            ):
                if seen is not None and each.step not in self._sealed:
                    secret_slots.add(into)
            case op.Keep(into=into, value=value):
                if self._reveals((value,), slots, secret_slots):
                    secret_slots.add(into)
            case op.Bind(slot=slot, value=value, row=row):
                # The changed entry of a map reveals as much as its value.
                if self._reveals((value,) if row is None else (value, row), slots, secret_slots):
                    slots.add(slot)
            case op.Each(source=source, item=item, rest=rest):
                if self._reveals((source,), slots, secret_slots):
                    slots.update((item, rest))
            case op.Call(procedure=called, arguments=arguments):
                return self._carry(each, called, arguments, slots, secret_slots)
        return False

    def _carry(
        self, call: op.Call[Typed], called: str, arguments: tuple[Typed, ...], slots: set[int], secret_slots: set[int]
    ) -> bool:
        """Follow secrets into a called procedure and out of it, and return whether it received a new one.

        Adds to `slots`, the secret slots of the caller. `secret_slots` are its secret temporaries.
        """
        theirs = self._slots[called]
        given = {at for at, value in enumerate(arguments, start=1) if self._reveals((value,), slots, secret_slots)}
        new = not given <= theirs
        theirs |= given
        names = list(self._ruleset.procedures[called].gives)
        slots.update(slot for slot, name in zip(call.fills, names, strict=False) if name in self._results[called])
        return new

    def _find_revealing(self, procedure: str) -> Iterator[int]:
        """Yield the steps of a procedure for which the number of options depends on a secret."""
        slots, secret_slots, values = self._slots[procedure], set[int](), dict[int, Typed]()
        for each in self._bodies[procedure]:
            if isinstance(each, op.Keep):
                values[each.into] = each.value
            elif isinstance(each, op.Ask) and self._hides_length(each.options, slots, secret_slots, values):
                yield each.step.number
            self._follow(each, slots, secret_slots)

    def _find_secret_objects(self, procedure: str) -> Iterator[tuple[int, str, str]]:
        """Yield the changes of a procedure whose object depends on a secret, each as step, kind and field."""
        slots, secret_slots = self._slots[procedure], set[int]()
        for each in self._bodies[procedure]:
            if isinstance(each, op.Write) and self._reveals((each.entity,), slots, secret_slots):
                yield each.step.number, each.kind, each.field
            self._follow(each, slots, secret_slots)

    def _hides_length(self, value: Typed, slots: set[int], secret_slots: set[int], values: Mapping[int, Typed]) -> bool:
        """Return whether the length of a list may depend on a secret. `values` has the values of temporaries.

        The size of a hidden list counts as secret, even if the rules give every player equally many cards.
        """
        parts: tuple[Typed | None, ...]
        match value:
            case op.Temporary(number=number) if number in values:
                source, parts = values[number], ()
            case op.OrNone(source=source, when=when):
                parts = (when,)
            case op.Subsets(source=source, low=low, high=high):
                parts = (low, high)
            case Aggregate(function="list", source=source, condition=condition):
                parts = (condition,)
            case _:
                return not isinstance(value, Items) and self._reveals((value,), slots, secret_slots)
        known = [part for part in parts if part is not None]
        return self._reveals(known, slots, secret_slots) or self._hides_length(source, slots, secret_slots, values)

    def _reveals(self, values: Iterable[Typed], slots: set[int], secret_slots: set[int]) -> bool:
        return any(self._is_secret(part, slots, secret_slots) for value in values for part in value.walk())

    def _is_secret(self, part: Typed, slots: set[int], secret_slots: set[int]) -> bool:
        """Return whether a part of an expression reads a secret itself. A formula or procedure in it may do so.

        `slots` and `secret_slots` are the secret slots and temporaries.
        """
        match part:
            case Local(slot=slot, type=kind):
                return slot in slots and not isinstance(kind, Record)
            case op.Temporary(number=number):
                return number in secret_slots
            case Stored(kind=kind, field=field):
                return field in self.fields[kind]
            case op.CardsLeft(deck=deck):
                return f"deck.{deck}" in self.decks
            case Invoke(formula=formula):
                return self._formula(formula)
            case After(procedure=procedure):
                return self.tries_secret(procedure)
        return False

    def tries_secret(self, procedure: str) -> bool:
        """Return whether a procedure that never pauses reads hidden values."""
        values = (value for each in self._bodies[procedure] for value in each.values)
        called = (each.procedure for each in self._bodies[procedure] if isinstance(each, op.Call))
        return self._reveals(values, set(), set()) or any(map(self.tries_secret, called))

    def _formula(self, identity: str) -> bool:
        """Return whether a formula reads hidden values for some arguments. Cached.

        A recursive call counts as reading none.
        """
        if identity not in self._formulas:
            self._formulas[identity] = False  # the result for a recursive call
            body = self._ruleset.declarations.formulas[identity].body
            self._formulas[identity] = self._reveals((body,), set(), set())
        return self._formulas[identity]


def find_secrets(ruleset: Ruleset) -> Secrets:
    """Return the secrets of a ruleset. Cached, so that the same ruleset has the same secrets."""
    return ruleset.get_or_make(Secrets)
