"""What players call the things and values of a game."""

from __future__ import annotations

import re
from collections.abc import Mapping as ReadOnlyMapping
from collections.abc import Sequence
from typing import Any

from rulewright.dice.tree import Roll
from rulewright.language.declarations import FIRST_PLAYER, GAME_KIND, PLAYER_KIND, Term
from rulewright.language.types import INTEGER, Choice, ListOf, Optional, Row, Thing, Type, present
from rulewright.play.machine.state import State
from rulewright.play.telling import values as telling
from rulewright.program.layout import Layout
from rulewright.ruleset.elaborate.cover import said
from rulewright.ruleset.ruleset import Ruleset
from rulewright.ruleset.words.meaning import (
    ChoiceWords,
    Counted,
    Faces,
    RowTitle,
    RuleLink,
    TermWord,
    Value,
    Verbatim,
    meaning,
)
from rulewright.ruleset.words.placeholders import Part, Placeholder, parts

ORDINALS = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth")
MINUS = "\N{MINUS SIGN}"

_SELF = re.compile(r"\{self\.(\w+)\}")


class Names:
    """Words for one ruleset's values.

    Where `objects` are given (number → `[kind, field, …]`, as `layout` lays them out), an object is told by its
    kind's label; without, by its kind and number.
    """

    def __init__(
        self, ruleset: Ruleset, layout: Layout | None = None, objects: ReadOnlyMapping[int, list[Any]] | None = None
    ) -> None:
        self.ruleset = ruleset
        self.layout = layout
        self.objects = {} if objects is None else objects
        self.gone: set[int] = set()

    @classmethod
    def at(cls, state: State) -> Names:
        """The names of things as they are in `state`."""
        objects = {number: thing for number, thing in enumerate(state.objects) if thing is not None}
        return cls(state.program.ruleset, state.program.layout, objects)

    def player(self, thing: int) -> str:
        """A player, by seat from 1."""
        return f"Player {thing - FIRST_PLAYER + 1}"

    def kind(self, kind: str) -> str:
        """What a kind is called."""
        declared = self.ruleset.declarations
        term = declared.terms.get(kind)
        if term is None and kind in declared.kinds and declared.kinds[kind].said:
            return self.words(declared.kinds[kind].said["one"])
        return term.name if term else kind.replace("_", " ").capitalize()

    def thing(self, kind: str, thing: int) -> str:
        """An object."""
        if kind == PLAYER_KIND:
            return self.player(thing)
        return self._label(kind, thing) or self._among_its_kind(kind, thing)

    def new(self, kind: str, thing: int) -> str:
        """An object that was not there before."""
        return capital(self._label(kind, thing) or telling.article(self.kind(kind)))

    def _among_its_kind(self, kind: str, thing: int) -> str:
        """An object without a label: by its place among those of its kind, for its number means nothing to players."""
        one = self.kind(kind)
        others = sorted(number for number in self.objects if number not in self.gone and self._is(number, kind))
        if thing not in others:
            return telling.article(one)
        place = others.index(thing)
        return f"the {one}" if len(others) == 1 else f"the {ordinal(place + 1)} {one}"

    def _is(self, number: int, kind: str) -> bool:
        return self.layout is not None and self.layout.names[self.objects[number][0]] == kind

    def _label(self, kind: str, thing: int) -> str:
        """The words of the first case that applies: a field that holds something, or the one case there is."""
        labels = self.ruleset.declarations.kinds[kind].labels
        values = self.objects.get(thing)
        if not labels or values is None or self.layout is None:
            return ""
        for case, words in labels.items():
            place = self.layout.places.get((kind, case))
            if not case or place is None or values[place] not in (None, 0, False, (), ""):
                return self.words(_SELF.sub(lambda match: self._own(kind, values, match), words))
        return ""

    def _own(self, kind: str, values: list[Any], match: re.Match[str]) -> str:
        """What `{self.field}` stands for."""
        field = self.ruleset.declarations.kinds[kind].fields.get(match[1])
        if field is None or self.layout is None:
            return match[0]
        return self.value(values[self.layout.places[kind, match[1]]], field.type)

    def row(self, table: str, row: str) -> str:
        """A row of a table."""
        return self.words(self.ruleset.declarations.tables[table].rows[row].title)

    def words(self, text: str) -> str:
        """Text for readers, with its placeholders filled in."""
        if "{" not in text:
            return text
        return "".join(self._filled(part) for part in parts(text))

    def _filled(self, part: Part) -> str:
        if not isinstance(part, Placeholder):
            return part.text
        match meaning(part.body, self.ruleset):
            case TermWord(term=term, form=form):
                return {"plural": term.plural, "icon": term.icon}.get(form, term.name)
            case Value(type=kind, value=value):
                return self.value(value, kind)
            case Counted(word=word, term=None):
                return word
            case Counted(number=number, word=word, term=Term() as term):
                return f"{word} {term.name if number == 1 else term.plural}"
            case Verbatim(words=words):
                return words
            case RowTitle(row=row):
                return self.words(row.title)
            case ChoiceWords(words=words):
                return self.words(words)
            case RuleLink(title=title):
                return self.words(title)
            case Faces(table=table, row=row):
                return said(row.faces, tuple(sorted(table.by_face)))
        return f"{{{part.body}}}"

    def value(self, value: Any, kind: Type) -> str:
        """Any value of a type."""
        match kind, value:
            case _, None:
                return "none"
            case Optional(inner=inner), _:
                return self.value(value, inner)
            case Thing(kind=name), int():
                return self.thing(name, value)
            case Row(table=table), str():
                return self.row(table, value)
            case Choice(), str():
                return value.replace("_", " ")
            case ListOf(inner=inner), tuple():
                return listed([self.value(item, inner) for item in value]) or "nothing"
            case _, Roll():
                from rulewright.dice.text import text

                return text(value, symbol=True)
            case _, bool():
                return "yes" if value else "no"
        return str(value)

    def procedure(self, procedure: str) -> str:
        """A procedure's title."""
        title = self.ruleset.procedures[procedure].words.get("title")
        return self.words(title) if title else procedure.replace("_", " ").capitalize()

    def field(self, kind: str, thing: int, name: str) -> str:
        """A field of an object; of the game as a whole, the field alone."""
        if name.startswith("options."):
            return self.words(self.ruleset.declarations.options[name.partition(".")[2]].title)
        said = self.field_name(kind, name)
        return capital(said) if kind == GAME_KIND else f"{self.thing(kind, thing)}, {said}"

    def field_name(self, kind: str, name: str) -> str:
        """What a field is called, as within a sentence."""
        said = self._said(kind, name)
        if said:
            return said
        said = self.local(name)
        # A word of the game keeps its capital.
        return said if name in self.ruleset.declarations.terms else said[:1].lower() + said[1:]

    def field_in_words(self, kind: str, thing: int, name: str) -> str:
        """What an object holds in a field, with the field's name, as one thing among others: `no owner`, `3 Points`."""
        values = self.objects.get(thing)
        if values is None or self.layout is None:
            return ""
        field = self.ruleset.declarations.kinds[kind].fields[name]
        value = values[self.layout.places[kind, name]]
        said = self.field_name(kind, name)
        if value is None or value == ():
            return f"no {said}"
        if isinstance(value, bool):
            return said if value else f"not {said}"
        if isinstance(value, int) and present(field.type) == INTEGER:
            return f"{said} {value}"
        return f"{said} {self.value(value, field.type)}"

    def choice(self, value: str) -> str:
        """An option of a step that has no words of its own: the term of that id, or the id made readable."""
        term = self.ruleset.declarations.terms.get(value)
        return term.name if term is not None else capital(value.replace("_", " "))

    def noted(self, name: str, value: Any, kind: Type, procedure: str = "") -> str:
        """What a name of a procedure has become."""
        return telling.noted(self, name, value, kind, procedure)

    def changed(self, kind: str, thing: int, name: str, before: Any, value: Any, type_: Type) -> str:
        """What a field of an object, or a value of the game, has become."""
        words = self.told_change(kind, thing, name, value)
        return telling.changed(self, kind, thing, name, before, value, type_) if words is None else words

    def told(self, kind: str, thing: int, case: str, step: ReadOnlyMapping[str, str], /) -> str | None:
        """The rules' own words for an object that comes or goes: its step's, or its kind's; None without."""
        words = step.get("tells", self.ruleset.declarations.kinds[kind].tells.get(case))
        return None if words is None else self._told(kind, thing, self.objects.get(thing, []), words)

    def told_change(self, kind: str, thing: int, name: str, value: Any) -> str | None:
        """The rules' own words for a field that has become `value`; None where there are none."""
        tells = self.ruleset.declarations.kinds[kind].fields[name].tells
        words = tells.get("fails" if value in (None, 0, False, (), "") else "holds")
        if words is None or self.layout is None:
            return None
        values = list(self.objects.get(thing, []))
        place = self.layout.places.get((kind, name))
        if place is not None and place < len(values):
            values[place] = value
        return self._told(kind, thing, values, words)

    def _told(self, kind: str, thing: int, values: list[Any], words: str) -> str:
        if not words:
            return ""
        mirror = Names(self.ruleset, self.layout, {**self.objects, thing: values})
        mirror.gone = self.gone
        named = words.replace("{self}", mirror.thing(kind, thing))
        said = mirror.words(_SELF.sub(lambda match: mirror._own(kind, values, match), named))
        return capital(said if said.endswith((".", "!", "?")) else f"{said}.")

    def amount_of(self, kind: str, name: str, number: int) -> str:
        """So many of what a field holds."""
        field = self.ruleset.declarations.kinds[kind].fields[name]
        terms = self.ruleset.declarations.terms.values()
        term = next((term for term in terms if name in (term.id, _as_id(term.plural))), None)
        words = self.words(field.unit or field.said)
        if not words:
            words = self.local(name).lower() if term is None else term.name if number == 1 else term.plural
        return f"{str(number).replace('-', MINUS)} {words}"

    def counts(self, kind: str, name: str) -> bool:
        """Whether a field says how many of a word of the game there are."""
        terms = self.ruleset.declarations.terms.values()
        return bool(self.ruleset.declarations.kinds[kind].fields[name].unit) or any(
            name in (term.id, _as_id(term.plural)) for term in terms
        )

    def _said(self, kind: str, name: str) -> str:
        """What the rules call a field: by words of its own, or, where it counts a term, by its plural."""
        declared = self.ruleset.declarations
        field = declared.kinds[kind].fields.get(name)
        if field is None:
            return ""
        counted = (term for term in declared.terms.values() if name in (term.id, _as_id(term.plural)))
        # The game has one of each of its values; of a thing's, the field says how many.
        term = next(counted, None) if field.type == INTEGER and kind != GAME_KIND else None
        return self.words(field.said) or (term.plural if term is not None else "")

    def kind_of(self, thing: int) -> str:
        """The kind of an object; players are there without being told of."""
        if self.layout is None or thing not in self.objects:
            return PLAYER_KIND
        number: int = self.objects[thing][0]
        return self.layout.names[number]

    def local(self, name: str) -> str:
        """A name of the rules: the term of that id, or the name itself."""
        return self.kind(name)

    def setting(self, option: str, choice: str) -> str:
        """What an option is set to, in the words of the choice."""
        return self.words(self.ruleset.declarations.options[option].choices[choice])

    def amount(self, number: int, name: str) -> str:
        """So many of something: of a term, or of whatever the rules call by that name."""
        term = self.ruleset.declarations.terms.get(name)
        if term is None:
            return f"{number} {name.replace('_', ' ')}"
        return f"{number} {term.name if number == 1 else term.plural}"

    def row_for(self, table: str, face: int) -> str:
        """The row of a roll table for what its roll shows."""
        return self.ruleset.declarations.tables[table].by_face[face]

    def faces(self, faces: Sequence[Sequence[int]] | None) -> str:
        """The faces that came up, as the game writes them."""
        if not faces:
            return ""
        return " + ".join(f"🎲[{' + '.join(str(face) for face in pool)}]" for pool in faces)


def capital(words: str) -> str:
    """Words as a sentence begins."""
    return words[:1].upper() + words[1:]


def ordinal(place: int) -> str:
    """`first`, `second`, `11th`."""
    if place <= len(ORDINALS):
        return ORDINALS[place - 1]
    tail = "th" if place % 100 in (11, 12, 13) else {1: "st", 2: "nd", 3: "rd"}.get(place % 10, "th")
    return f"{place}{tail}"


def listed(said: Sequence[str]) -> str:
    """`a`, `a and b`, `a, b and c`."""
    return " and ".join(filter(None, (", ".join(said[:-1]), *said[-1:])))


def _as_id(words: str) -> str:
    return words.lower().replace(" ", "_")


def identity(value: Any, kind: Type) -> str:
    """The id of a value as an option: stable, and the same in every run of the same game."""
    match kind, value:
        case _, None:
            return "none"
        case Optional(inner=inner), _:
            return identity(value, inner)
        case Thing(kind=name), int():
            return f"{name}-{value}"
        case ListOf(inner=inner), tuple():
            return "+".join(identity(item, inner) for item in value) or "nothing"
    return str(value)
