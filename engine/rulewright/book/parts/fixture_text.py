"""The start of an example in words, with its settings and the values of each object.

The positions of pieces and the members of sides are left out, because a picture shows them.
"""

from __future__ import annotations

from collections.abc import Mapping as ByName

from rulewright.book.english.grammar import capitalize, join_list, strip_markup
from rulewright.book.english.naming import NOBODY, NameWords, Naming, humanize
from rulewright.book.english.phrase import Lead
from rulewright.book.style.fill_placeholders import fill, format_value, name_row
from rulewright.book.style.text_style import Style
from rulewright.language.declarations import GAME_KIND, PLAYER_KIND
from rulewright.language.numerals import spell_number
from rulewright.language.types import Boolean, Entity, Integer, ListOf, MapOf, RecordOf, Row, Type, present
from rulewright.ruleset.prose.placeholders import Placeholder, parse_parts
from rulewright.ruleset.sections.examples import Example
from rulewright.source.nodes import Mapping, Node, Scalar, Sequence
from rulewright.testing.starting_position import find_deck

ORDINALS = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth")
"""Ordinals in words. Higher ones are written in digits."""


def list_given(example: Example, style: Style) -> list[str]:
    """Return a clause for each setting and each entry of the fixture of an example.

    The clauses have no full stop. Entries in pictures and entries without content are left out.
    """
    declared = style.ruleset.declarations
    lines = []
    for option, choice in example.options.items():
        setting = declared.options.get(option)
        if setting is not None and choice in setting.choices:
            lines.append(f"{fill(setting.title, style)}: {fill(setting.choices[choice], style)}")
    procedure = style.ruleset.procedures.get(example.of)
    formula = declared.formulas.get(example.of) if procedure is None else None
    called = NOBODY
    parameters: ByName[str, Type] = {}
    if procedure is not None:
        called, parameters = NameWords.in_procedure(procedure), procedure.parameters
    elif formula is not None:
        called, parameters = NameWords.in_formula(formula), formula.parameters
    words = _Words(style, called, parameters, example.given)
    plurals = declared.map_plurals()
    drawn = list_drawn_kinds(style)
    for name, entry in (example.given.entries if example.given is not None else {}).items():
        if plurals.get(name) in drawn:
            continue
        kind = parameters.get(name)
        if kind is None and name in plurals:
            kind = ListOf(Entity(plurals[name]))
        elif kind is None and name in declared.kinds[GAME_KIND].fields:
            kind = declared.kinds[GAME_KIND].fields[name].type
        elif kind is None and (deck := find_deck(declared, GAME_KIND, name)) is not None:
            kind = ListOf(Row(deck.table))
        if isinstance(entry.value, Scalar) and kind in list_sides(style):
            # The picture has the parameter as a heading.
            continue
        described = words.described(entry.value, present(kind) if kind is not None else None)
        if described:
            lines.append(f"{words.heading(name)}: {described}")
    return lines


def list_drawn_kinds(style: Style) -> set[str]:
    """Return the kinds that a picture of opposing sides shows, which are the members and the sides."""
    kinds = style.ruleset.declarations.kinds.values()
    return {kind.id for kind in kinds if kind.side} | {side.kind for side in list_sides(style)}


def list_sides(style: Style) -> list[Entity]:
    """Return the kinds whose objects are the sides of others."""
    kinds = style.ruleset.declarations.kinds.values()
    sides = [present(kind.fields[kind.side].type) for kind in kinds if kind.side]
    return [side for side in sides if isinstance(side, Entity)]


class _Words:
    """Writer of fixture values. `called` holds the rules' words for names, and `parameters` the types of parameters."""

    def __init__(self, style: Style, called: NameWords, parameters: ByName[str, Type], given: Mapping | None) -> None:
        self.style = style
        self.called = called
        self.parameters = parameters
        self.given = given
        self.naming = Naming(style)
        self.declared = style.ruleset.declarations

    def heading(self, name: str) -> str:
        """Return the words before the colon for a name in the fixture."""
        kind = self.declared.map_plurals().get(name)
        if kind is not None:
            other = "Other " if self._has_one_already(kind) else ""
            return capitalize(other + self.naming.kind(kind, several=True))
        if name in self.called.words:
            return capitalize(fill(self.called.words[name], self.style))
        term = self.naming.countable(name)
        if term is not None:
            return capitalize(self.style.term(term, plural=name != term.id))
        deck = find_deck(self.declared, GAME_KIND, name)
        if deck is not None:
            return capitalize(fill(deck.title, self.style))
        return self.style.escape(humanize(name).capitalize())

    def described(self, node: Node, kind: Type | None) -> str:
        """Return a value of a type in words, or an empty string if there is nothing to say."""
        match node, kind:
            case Scalar(), Row(table=table) if table in self.declared.tables:
                rows = self.declared.tables[table]
                if rows.is_board:
                    return ""
                return format_value(node.text, kind, self.style) if node.text in rows.rows else self._text(node)
            case Scalar(), Entity(kind=name):
                return self._reference(node.text, name)
            case Scalar(), _:
                return self._text(node)
            case Sequence(), _:
                return self._several(node, present(kind.inner) if isinstance(kind, ListOf) else None)
            case Mapping(), MapOf(table=table, inner=inner):
                known = self.declared.tables[table].rows
                cells = (
                    (row, self.described(entry.value, inner)) for row, entry in node.entries.items() if row in known
                )
                return ", ".join(f"{name_row(known[row], self.style)} {text}" for row, text in cells)
            case Mapping(), RecordOf():
                return self._record(node, kind)
            case Mapping(), Entity(kind=name):
                return self._fields(name, node)
        return ""

    def _record(self, node: Mapping, kind: RecordOf) -> str:
        """Return a record as its label if the fixture gives all parts that the label shows, or else as its parts."""
        types = dict(kind.parts)
        values = {key: self.described(entry.value, types.get(key)) for key, entry in node.entries.items()}
        label, label_fields = [], set()
        for part in parse_parts(self.declared.records[kind.name].label):
            own = part.body.removeprefix("self.") if isinstance(part, Placeholder) else ""
            label_fields.add(own)
            text = f"{{{part.body}}}" if isinstance(part, Placeholder) else part.text
            label.append(values[own] if own in values else fill(text, self.style))
        if label and label_fields & types.keys() <= values.keys():
            return "".join(label)
        return ", ".join(f"{self.naming.part_of_record(kind.name, key)} {value}" for key, value in values.items())

    def _fields(self, kind: str, node: Mapping, *, counted: bool = False) -> str:
        """Return the fields of an object, or an empty string. If `counted`, they follow a number of objects."""
        fields: list[str] = []
        for name, entry in node.entries.items():
            text = self._field(kind, name, entry.value, joint="with " if counted and not fields else "")
            fields += [text] if text else []
        return ", ".join(fields)

    def _reference(self, text: str, kind: str) -> str:
        """Return a reference to another object of the fixture.

        Players are named by seat, one of several objects by its ordinal, and others by their names or as `the <kind>`.
        """
        name, _, place = text.partition(".")
        if place.isdigit():
            if self._is_alone(name):
                return f"the {'other ' if self._has_one_already(kind) else ''}{self.naming.kind(kind)}"
            nth = ORDINALS[int(place) - 1] if int(place) <= len(ORDINALS) else f"{place}th"
            return f"the {nth} {self.naming.kind(kind)}"
        if kind == PLAYER_KIND and text.isdigit():
            return f"{capitalize(self.naming.kind(kind))} {text}"
        if name in self.called.words:
            return f"the {fill(self.called.words[name], self.style, inside=True)}"
        return f"the {self.naming.kind(kind)}" if name == kind else self.style.escape(humanize(name))

    def _has_one_already(self, kind: str) -> bool:
        """Return whether a parameter of the procedure already holds a new object of this kind.

        The objects below the plural are then other ones.
        """
        given = {name for name, type_ in self.parameters.items() if present(type_) == Entity(kind)}
        entries = self.given.entries if self.given is not None else {}
        return any(name in given and isinstance(entry.value, Mapping) for name, entry in entries.items())

    def _is_alone(self, plural: str) -> bool:
        """Return whether the fixture gives exactly one object under a plural."""
        several = self.given.get(plural) if self.given is not None else None
        return isinstance(several, Sequence) and len(several.items) == 1

    def _several(self, node: Sequence, kind: Type | None) -> str:
        """Return the items of a list in words. Equal neighbours are counted.

        If there is nothing to say of any item, return their number, or `none` for an empty list.
        """
        counted: list[tuple[str, int]] = []
        for item in node.items:
            match item, kind:
                case Mapping(), Entity(kind=name):
                    text = self._fields(name, item, counted=True)
                case _:
                    text = self.described(item, kind)
            if counted and counted[-1][0] == text:
                counted[-1] = (text, counted[-1][1] + 1)
            else:
                counted.append((text, 1))
        if not any(text for text, _ in counted):
            return str(len(node.items) or "none")
        if all(isinstance(item, Scalar) for item in node.items):
            return join_list([text if many == 1 else f"{many} × {text}" for text, many in counted])
        return "; ".join(_count_objects(text, many, first=place == 0) for place, (text, many) in enumerate(counted))

    def _field(self, kind: str, name: str, node: Node, *, joint: str = "") -> str:
        """Return a field of an object with its value, or an empty string if there is nothing to say.

        `joint` comes before a noun with a colon.
        """
        deck = find_deck(self.declared, kind, name)
        name = deck.fields[0] if deck is not None else name
        field = self.declared.kinds[kind].fields.get(name)
        inner = present(field.type) if field is not None else None
        text = self.described(node, inner)
        if not text:
            return ""
        if isinstance(inner, Boolean):
            named = self.style.escape(Naming(Style(self.style.ruleset)).field(kind, name))
            return named if isinstance(node, Scalar) and node.value is True else f"not {named}"
        if isinstance(inner, Integer) and (self.naming.countable(name) is not None or (field and field.wording)):
            number = node.value if isinstance(node, Scalar) and type(node.value) is int else None
            return self.naming.amount(text, name, number=number, lead=Lead.NONE, kind=kind)
        if isinstance(inner, Row):
            return text
        if isinstance(inner, Entity) and (inner.kind == PLAYER_KIND or name == inner.kind):
            return f"of {text}"
        if isinstance(inner, ListOf) and text.isdigit() and isinstance(inner.inner, Entity):
            return f"{text} {self.naming.kind(inner.inner.kind, several=text != '1')}"
        noun = self.naming.field(kind, name)
        return f"with {noun} {text}" if isinstance(inner, Integer) else f"{joint}{noun}: {text}"

    def _text(self, node: Scalar) -> str:
        """Return a scalar in words: `yes` or `no`, the rules' own words for a name, or its text."""
        if isinstance(node.value, bool):
            return "yes" if node.value else "no"
        if node.text in self.called.words:
            return fill(self.called.words[node.text], self.style, inside=True)
        return self.style.escape(humanize(node.text) if node.text.replace("_", "").isalpha() else node.text)


def _count_objects(noun: str, many: int, *, first: bool) -> str:
    """Return a number of equal objects, such as `two of Player 1` or `one with 3 Cards`.

    Without a description, the first group is `one with nothing`, and a later one is `one other`.
    """
    number = spell_number(many)
    if not noun:
        return f"{number} with nothing" if first else f"{number} {'other' if many == 1 else 'others'}"
    return f"{number} with {noun}" if strip_markup(noun)[:1].isdigit() else f"{number} {noun}"
