"""The players' names for the objects and values of a game, in parts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Any, Self

from rulewright.dice.ast import Roll
from rulewright.engine.narration.redaction import HIDDEN, Hidden
from rulewright.engine.narration.rich_text import (
    MINUS,
    DicePart,
    Name,
    NumberPart,
    Part,
    Phrase,
    TextPart,
    capitalize,
    capitalize_term,
    is_noun,
    join_list,
    join_phrase,
    strip_article,
    to_text,
)
from rulewright.engine.narration.ruleset_words import RulesetWords, strip_gender
from rulewright.engine.narration.ruleset_words import strip_article as strip_noun
from rulewright.engine.state.game_state import State
from rulewright.ir.program import StateLayout
from rulewright.language.declarations import FIRST_PLAYER, GAME_KIND, PLAYER_KIND, Term
from rulewright.language.types import INTEGER, Choice, Entity, ListOf, MapOf, Optional, RecordOf, Row, Type
from rulewright.ruleset.elaborate.table_faces import describe_faces
from rulewright.ruleset.prose.book_language import ENGLISH
from rulewright.ruleset.prose.own_values import SELF, Own, follow_path
from rulewright.ruleset.prose.placeholder_meaning import (
    ChoiceWords,
    Faces,
    NumberInWords,
    PlaceholderValue,
    RowTitle,
    RuleLink,
    TermWord,
    Verbatim,
    resolve_placeholder,
)
from rulewright.ruleset.prose.placeholders import Placeholder, begins_sentence, parse_parts
from rulewright.ruleset.ruleset import Ruleset

ORDINALS = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth")

MOST_ROWS = 12
"""The maximum number of rows in a map that shows its empty entries as well."""

GIVEN = "given"
"""The name by which a sentence refers to the values that the step gives it."""


class ValueRenderer:
    """The phrases for values of one ruleset.

    With `objects` (number → `[kind, field, …]` in the order of `layout`), an object's phrase is its kind's label.
    Otherwise it is the name of its kind.
    """

    def __init__(
        self, ruleset: Ruleset, layout: StateLayout | None = None, objects: Mapping[int, list[Any]] | None = None
    ) -> None:
        self.ruleset = ruleset
        self.layout = layout
        self.objects = {} if objects is None else objects
        self.gone: set[int] = set()
        self._known = ruleset.get_or_make(RulesetWords)

    @classmethod
    def for_state(cls, state: State) -> Self:
        """Return a renderer for the objects of `state`."""
        objects = {number: item for number, item in enumerate(state.objects) if item is not None}
        return cls(state.machine.ruleset, state.machine.layout, objects)

    @property
    def counted(self) -> Mapping[str, Term]:
        """The terms that named numbers count, by the name of the number."""
        return self._known.counted

    # -- sentences of the log --------------------------------------------------------------------

    def build(self, message: str, /, **parts: Phrase) -> Phrase:
        """Return a message in the language of the rules, with phrases in place of `%(name)s`."""
        pieces: list[Part] = []
        for text, name in self._known.find_pieces(message):
            if text:
                pieces.append(TextPart(text))
            if name:
                pieces += parts[name]
        return tuple(pieces)

    @property
    def conjunction(self) -> str:
        """The word before the last item of a list."""
        return self._known.language.conjunction

    def join_list(self, phrases: Sequence[Phrase]) -> Phrase:
        """Return phrases as a list in a sentence, in the language of the rules."""
        return join_list(phrases, self.conjunction)

    def render_noun(self, written: str) -> Phrase:
        """Return the rules' own noun, without the mark of its gender that a translation may have behind it."""
        return self.render_words(strip_gender(written, self._known.language))

    # -- words of the rules ----------------------------------------------------------------------

    def render_words(self, written: str) -> Phrase:
        """Return text for readers, with its placeholders filled in."""
        return self._about(written, None, "", [])

    def render_sentence(self, written: str, given: Mapping[str, Phrase]) -> Phrase:
        """Return a sentence with the `given` phrases in it, with a capital letter and a full stop."""
        return capitalize(end_sentence(self._about(written, None, "", [], given))) if written else ()

    def _about(
        self,
        written: str,
        entity: int | None,
        kind: str,
        values: list[Any],
        given: Mapping[str, Phrase] = MappingProxyType({}),
    ) -> Phrase:
        """Return the phrase for a text with placeholders, about an object with these values. Templates are cached.

        Without an `entity`, placeholders for its own fields stay as written, and so do those for values not `given`.
        """
        if "{" not in written and "}" not in written:
            return (TextPart(written),) if written else ()
        template = self._known.words.get(written, lambda: tuple(self.parse_template(written)))
        parts: list[Part] = []
        for part in template:
            if isinstance(part, Own):
                if part.given:
                    phrase = given.get(part.field, (TextPart(part.written),))
                else:
                    own = None if entity is None else self._render_self(part, entity, kind, values)
                    phrase = (TextPart(part.written),) if own is None else own
                # The text may have the article already, as in `goes to the {self.owner}`.
                parts += strip_article(phrase) if to_text(parts).lower().endswith("the ") else phrase
            else:
                parts.append(part)
        return tuple(parts)

    def parse_template(self, written: str) -> list[Part | Own]:
        """Return the parts of a text, with `Own` for placeholders about the object, and others filled in."""
        template: list[Part | Own] = []
        before = ","  # the text may be part of a sentence
        for part in parse_parts(written):
            if not isinstance(part, Placeholder):
                template.append(TextPart(part.text))
                before += part.text
                continue
            head, dot, field = part.body.partition(".")
            if head == SELF:
                template.append(Own(field if dot else "", f"{{{part.body}}}"))
            elif head == GIVEN:
                template.append(Own(field, f"{{{part.body}}}", given=True))
            else:
                phrase = self.render_placeholder(part.body)
                template += capitalize(phrase) if begins_sentence(before) else phrase
            before = ","
        return template

    def _render_self(self, part: Own, entity: int, kind: str, values: list[Any]) -> Phrase:
        """Return the phrase for `{self}` or `{self.field}`, or the placeholder itself if there is no such field."""
        if not part.field:
            return self.render_entity(kind, entity)
        name, *path = part.field.split(".")
        field = self.ruleset.declarations.kinds[kind].fields.get(name)
        if field is None or self.layout is None:
            return (TextPart(part.written),)
        value = values[self.layout.places[kind, name]]
        return self.render_value(*follow_path(value, field.type, path, self.ruleset.declarations))

    def render_placeholder(self, body: str) -> Phrase:
        """Return the phrase for a placeholder, or the placeholder itself if it is unknown."""
        match resolve_placeholder(body, self.ruleset):
            case TermWord(term=term, form=form):
                return self.render_term(term, form)
            case PlaceholderValue(type=kind, value=value):
                return self.render_value(value, kind)
            case NumberInWords(word=word, term=None):
                return (TextPart(word),)
            case NumberInWords(number=number, word=word, term=Term() as term):
                return join_phrase(f"{word} ", self.render_term(term, "name" if number == 1 else "plural"))
            case Verbatim(words=words):
                return join_phrase(words)
            case RowTitle(table=table, row=row):
                return self.render_row(table.id, row.id)
            case ChoiceWords(words=words):
                return self.render_words(words)
            case RuleLink(section=section, id=identity, title=title):
                return (Name(capitalize_term(self.render_words(title)), (section, identity)),)
            case Faces(table=table, row=row):
                return (TextPart(describe_faces(row.faces, tuple(sorted(table.by_face)))),)
        return (TextPart(f"{{{body}}}"),)

    def render_term(self, term: Term, form: str = "name") -> Phrase:
        """Return the phrase for a term. Cached.

        `form` is `name`, `plural`, `icon`, or one of the term's own forms. Any other gives the name.
        """

        def render() -> Phrase:
            words = join_phrase({"plural": term.plural, "icon": term.icon}.get(form, term.forms.get(form, term.name)))
            return (Name(words, ("terms", term.id)),)

        return self._known.terms.get((term.id, form), render)

    # -- things ----------------------------------------------------------------------------------

    def render_player(self, entity: int) -> Phrase:
        """Return the phrase for a player: `Player` and the seat, from 1. Cached."""
        player = self._known.players.get(entity)
        if player is None:
            seat = self.build("Player %(seat)s", seat=(NumberPart(entity - FIRST_PLAYER + 1),))
            name = Name(seat, _object(PLAYER_KIND, entity))
            player = self._known.players[entity] = (name,)
        return player

    def render_kind(self, kind: str) -> Phrase:
        """Return the phrase for the term with this id, or else for one object of the kind, or else the readable id."""
        declared = self.ruleset.declarations
        term = declared.terms.get(kind)
        if term is not None:
            return self.render_term(term)
        return self._one_of(kind)

    def _one_of(self, kind: str) -> Phrase:
        """Return the noun for one object of a kind, or else the term with this id, or else the readable id."""
        declared = self.ruleset.declarations
        if kind in declared.kinds and declared.kinds[kind].wording:
            return (
                Name(
                    self.render_words(strip_noun(declared.kinds[kind].wording["one"], self._known.language)),
                    ("kinds", kind),
                ),
            )
        term = declared.terms.get(kind)
        return self.render_term(term) if term is not None else (TextPart(kind.replace("_", " ").capitalize()),)

    def render_entity(self, kind: str, entity: int) -> Phrase:
        """Return the phrase for an object: a player, its label, or its place among the objects of its kind."""
        if kind == PLAYER_KIND:
            return self.render_player(entity)
        return self._named(kind, entity) or (self._among_its_kind(kind, entity),)

    def _named(self, kind: str, entity: int) -> Phrase:
        label = self._label(kind, entity, self.objects.get(entity))
        article = "the" if is_noun(label) and self._known.language is ENGLISH else ""
        return (Name(label, _object(kind, entity), article),) if label else ()

    def render_title(self, kind: str, entity: int) -> Phrase:
        """Return an object on its own, such as an option: its label with a capital letter and without an article."""
        label = self._label(kind, entity, self.objects.get(entity))
        return capitalize(label) if is_noun(label) else self.render_entity(kind, entity)

    def render_new(self, kind: str, entity: int) -> Phrase:
        """Return the phrase for an object that has just entered the game."""
        return self._named(kind, entity) or (self._one(kind, entity),)

    def find_kind(self, entity: int) -> str:
        """Return the kind of an object. Players need not be in `objects`."""
        if self.layout is None or entity not in self.objects:
            return PLAYER_KIND
        number: int = self.objects[entity][0]
        return self.layout.names[number]

    def _one(self, kind: str, entity: int) -> Name:
        one = self._one_of(kind)
        article = choose_article(to_text(one)) if self._known.language is ENGLISH else ""
        return Name(one, _object(kind, entity), article)

    def _among_its_kind(self, kind: str, entity: int) -> Name:
        """Return the phrase for an object without a label, with its place among the objects of its kind.

        The only one of its kind has no place, nor has one that is not in the game. Its internal number means nothing to
        players.
        """
        others = sorted(number for number in self.objects if number not in self.gone and self._is(number, kind))
        if entity not in others:
            return self._one(kind, entity)
        one, place = self._one_of(kind), others.index(entity)
        text = one if len(others) == 1 else self._count_off(place + 1, one)
        return Name(text, _object(kind, entity), "the" if self._known.language is ENGLISH else "")

    def _count_off(self, place: int, one: Phrase) -> Phrase:
        if self._known.language is ENGLISH:
            return join_phrase(f"{format_ordinal(place)} ", one)
        return join_phrase(one, f" {place}")

    def _is(self, number: int, kind: str) -> bool:
        return self.layout is not None and self.layout.names[self.objects[number][0]] == kind

    def _label(self, kind: str, entity: int, values: list[Any] | None) -> Phrase:
        """Return the text of the first of the kind's labels that applies, or an empty phrase.

        A label applies if its field holds something or it has no field, unless the text has a hidden field.
        """
        labels = self.ruleset.declarations.kinds[kind].labels
        if not labels or values is None or self.layout is None:
            return ()
        for case, words in labels.items():
            place = self.layout.places.get((kind, case))
            if self._hides(words, kind, values):
                continue
            if not case or place is None or values[place] not in (None, 0, False, (), "", HIDDEN):
                return self._about(words, entity, kind, values)
        return ()

    def _hides(self, words: str, kind: str, values: list[Any]) -> bool:
        """Return whether a text about an object contains a hidden field."""
        if HIDDEN not in values or self.layout is None:
            return False
        bodies = (part.body for part in parse_parts(words) if isinstance(part, Placeholder))
        places = (self.layout.places.get((kind, name)) for body in bodies for name in body.split(".")[1:2])
        return any(values[place] is HIDDEN for place in places if place is not None)

    # -- values ----------------------------------------------------------------------------------

    def render_row(self, table: str, row: str) -> Phrase:
        """Return the phrase for the title of a row. Cached."""

        def render() -> Phrase:
            words = self.render_words(self.ruleset.declarations.tables[table].rows[row].title)
            return (Name(words, ("tables", table, row)),)

        return self._known.rows.get((table, row), render)

    def render_value(self, value: Any, kind: Type) -> Phrase:
        """Return the phrase for a value of a type.

        A missing value is `none`, a hidden one `hidden`, a boolean `yes` or `no`, and an empty list `nothing`.
        """
        match kind, value:
            case _, None:
                return self.build("none")
            case _, Hidden():
                return self.build("hidden")
            case Optional(inner=inner), _:
                return self.render_value(value, inner)
            case Entity(kind=name), int():
                return self.render_entity(name, value)
            case Row(table=table), str():
                return self.render_row(table, value)
            case Choice(), str():
                return join_phrase(value.replace("_", " "))
            case ListOf(inner=inner), tuple():
                return self.join_list([self.render_value(item, inner) for item in value]) or self.build("nothing")
            case MapOf(), tuple():
                return self._by_row(value, kind)
            case RecordOf(), tuple():
                return self.record(value, kind)
            case _, Roll():
                return (DicePart(value),)
            case _, bool():
                return self.build("yes" if value else "no")
            case _, int():
                return (NumberPart(value),)
        return join_phrase(str(value))

    def _by_row(self, held: tuple[Any, ...], kind: MapOf) -> Phrase:
        """Return the phrase for the entries of a map, row by row, or `nothing`.

        A long map shows only rows with a value.
        """
        rows = zip(self.ruleset.declarations.tables[kind.table].rows, held, strict=True)
        lines = [(row, value) for row, value in rows if value or len(held) <= MOST_ROWS]
        return self.join_list(
            [
                join_phrase(self.render_row(kind.table, row), " ", self.render_value(value, kind.inner))
                for row, value in lines
            ]
        ) or self.build("nothing")

    def record(self, held: tuple[Any, ...], kind: RecordOf) -> Phrase:
        """Return a record as its label or parts. Those that are none are left out, in labels with the words before."""
        declared = self.ruleset.declarations.records[kind.name]
        items = zip(kind.parts, held, strict=True)
        rendered = {name: () if item is None else self.render_value(item, part) for (name, part), item in items}
        if declared.label:
            parts, before = list[Part](), list[Part]()
            for part in parse_parts(declared.label):
                own = part.body.removeprefix(f"{SELF}.") if isinstance(part, Placeholder) else ""
                if own in rendered:
                    parts, before = [*parts, *(before if rendered[own] else ()), *rendered[own]], []
                elif isinstance(part, Placeholder):
                    before += self.render_placeholder(part.body)
                else:
                    before.append(TextPart(part.text))
            return (*parts, *before)
        named = [join_phrase(self.render_part_name(kind, name), " ", text) for name, text in rendered.items() if text]
        inside = [each for place, text in enumerate(named) for each in (join_phrase(", ") if place else (), text)]
        return join_phrase(self.record_name(kind), " (", *inside, ")")

    def record_name(self, kind: RecordOf) -> Phrase:
        """Return the noun for one record."""
        text = self.ruleset.declarations.records[kind.name].wording.get("one", "")
        return self.render_words(text) if text else join_phrase(kind.name.replace("_", " "))

    def render_part_name(self, kind: RecordOf, name: str) -> Phrase:
        """Return the name of a part of a record: its own words, or else a term or kind of this name, or else its id."""
        text = self.ruleset.declarations.records[kind.name].called.get(name, "")
        if text:
            return self.render_words(text)
        words = self.render_kind(name)
        return words if name in self.ruleset.declarations.terms else lower_first(words)

    def render_choice(self, value: str, called: Mapping[str, str] = MappingProxyType({})) -> Phrase:
        """Return an option of a step that has no words of its own: the term of that id, or the id made readable.

        In another language, it is in the words of the procedure for its names, which are `called`.
        """
        if value in called and self._known.language is not ENGLISH:
            return capitalize(self.render_words(called[value]))
        term = self.ruleset.declarations.terms.get(value)
        return capitalize(self.render_term(term) if term is not None else join_phrase(value.replace("_", " ")))

    def render_setting(self, option: str, choice: str) -> Phrase:
        """Return the choice of a setting in the words of the rules."""
        words = self.render_words(self.ruleset.declarations.options[option].choices[choice])
        return (Name(capitalize_term(words), ("options", option, choice)),)

    def render_option(self, option: str) -> Phrase:
        """Return a setting of the game."""
        words = capitalize_term(self.render_words(self.ruleset.declarations.options[option].title))
        return (Name(words, ("options", option)),)

    def render_procedure(self, procedure: str) -> Phrase:
        """Return a procedure's title."""
        title = self.ruleset.procedures[procedure].words.get("title")
        words = self.render_words(title) if title else join_phrase(procedure.replace("_", " ").capitalize())
        return (Name(capitalize_term(words), ("procedures", procedure)),)

    def render_amount(self, number: int, name: str) -> Phrase:
        """Return an amount of a term, of a field of a player, or of another name of the rules."""
        term = self.ruleset.declarations.terms.get(name)
        if term is None and name in self.ruleset.declarations.kinds[PLAYER_KIND].fields:
            return self.render_amount_of(PLAYER_KIND, name, number)
        words = self.render_term(term, "name" if number == 1 else "plural") if term else name.replace("_", " ")
        return join_phrase(NumberPart(number), " ", words)

    # -- fields ----------------------------------------------------------------------------------

    def render_field_name(self, kind: str, name: str) -> Phrase:
        """Return the name of a field for the middle of a sentence."""
        words = self._name_field(kind, name)
        if not words:
            words = self.render_kind(name)
            # A term keeps its capital letter, if it has one.
            words = words if name in self.ruleset.declarations.terms else lower_first(words)
        return (Name(words, ("kinds", kind, name)),)

    def render_field(self, kind: str, entity: int, name: str) -> Phrase:
        """Return a field and its value as a list item, such as `Points 3`, `no owner`, `hidden hand` or `not ready`.

        The phrase is empty if the object is not known.
        """
        values = self.objects.get(entity)
        if values is None or self.layout is None:
            return ()
        field = self.ruleset.declarations.kinds[kind].fields[name]
        value = values[self.layout.places[kind, name]]
        named = self.render_field_name(kind, name)
        if value is HIDDEN:
            return self.build("hidden %(noun)s", noun=named)
        if value is None or value == ():
            return self.build("no %(noun)s", noun=named)
        if isinstance(value, bool):
            return named if value else self.build("not %(noun)s", noun=named)
        return join_phrase(named, " ", self.render_value(value, field.type))

    def render_field_value(self, kind: str, entity: int, name: str) -> Phrase | None:
        """Return the value of a field, or None if it is hidden from the viewer or the object is not known."""
        values = self.objects.get(entity)
        if values is None or self.layout is None or values[self.layout.places[kind, name]] is HIDDEN:
            return None
        return self.render_value(
            values[self.layout.places[kind, name]], self.ruleset.declarations.kinds[kind].fields[name].type
        )

    def render_amount_of(self, kind: str, name: str, number: int) -> Phrase:
        """Return an amount in the unit of a field."""
        field = self.ruleset.declarations.kinds[kind].fields[name]
        unit = self.render_noun(field.unit_of_one if number == 1 else field.unit or field.wording)
        if not unit:
            term = self._known.counted.get(name)
            if term is not None:
                unit = self.render_term(term, "name" if number == 1 else "plural")
            else:
                unit = join_phrase(to_text(self.render_kind(name)).lower())
        return join_phrase(NumberPart(number, MINUS), " ", Name(unit, ("kinds", kind, name)))

    def is_amount(self, kind: str, name: str) -> bool:
        """Return whether a field is a count of a term."""
        return (
            bool(self.ruleset.declarations.kinds[kind].fields[name].unit) or self._known.counted.get(name) is not None
        )

    def _name_field(self, kind: str, name: str) -> Phrase:
        """Return the rules' own name for a field, or the plural of the term that it counts.

        Empty if there is neither.
        """
        field = self.ruleset.declarations.kinds[kind].fields.get(name)
        if field is None:
            return ()
        # Only a number of an object can count a term, not a value of the game.
        term = self._known.counted.get(name) if field.type == INTEGER and kind != GAME_KIND else None
        return self.render_noun(field.wording) or (self.render_term(term, "plural") if term is not None else ())

    # -- the rules' own log texts ----------------------------------------------------------------

    def render_log_words(self, kind: str, entity: int, case: str, step: Mapping[str, str], /) -> Phrase | None:
        """Return the rules' own words for an object that enters or leaves, from the step or the kind, or None."""
        words = step.get("log", self.ruleset.declarations.kinds[kind].log.get(case))
        return None if words is None else self._render_sentence(kind, entity, self.objects.get(entity, []), words)

    def render_change(self, kind: str, entity: int, name: str, before: Any, value: Any) -> Phrase | None:
        """Return the rules' own sentence for a changed field, or None if they have none.

        An empty phrase means that the rules leave the change unsaid. The object has the name that it had before the
        change, as the viewer knows it.
        """
        log_words = self.ruleset.declarations.kinds[kind].fields[name].log
        words = log_words.get("fails" if value in (None, 0, False, (), "") else "holds")
        if words is None or self.layout is None:
            return None
        values, known = list(self.objects.get(entity, [])), list(self.objects.get(entity, []))
        place = self.layout.places.get((kind, name))
        if place is not None and place < len(values):
            values[place], known[place] = value, before
        return self._render_sentence(kind, entity, values, words, known)

    def _render_sentence(
        self, kind: str, entity: int, values: list[Any], words: str, known: list[Any] | None = None
    ) -> Phrase:
        """Return a sentence about an object with these values, with a capital letter and a full stop.

        The object's own name comes from the `known` values. Without words, the sentence is empty.
        """
        if not words:
            return ()
        # A copy that knows the object by its known values, so that every reference to it uses the same name.
        mirror = type(self)(self.ruleset, self.layout, {**self.objects, entity: values if known is None else known})
        mirror.gone = self.gone
        result = mirror._about(words, entity, kind, values)
        return capitalize(end_sentence(result))


def format_ordinal(place: int) -> str:
    """Return `first`, `second`, `11th`."""
    if place <= len(ORDINALS):
        return ORDINALS[place - 1]
    tail = "th" if place % 100 in (11, 12, 13) else {1: "st", 2: "nd", 3: "rd"}.get(place % 10, "th")
    return f"{place}{tail}"


def choose_article(noun: str) -> str:
    """Return the article of a noun."""
    return "an" if noun[:1].lower() in "aeio" else "a"


def end_sentence(phrase: Phrase) -> Phrase:
    """Return a sentence with a full stop, unless it already ends with a punctuation mark."""
    return phrase if to_text(phrase).endswith((".", "!", "?")) else join_phrase(phrase, ".")


def lower_first(phrase: Phrase) -> Phrase:
    """Return a phrase for use within a sentence: its first letter is in lower case.

    A name at its beginning is unchanged, except the name of a kind.
    """
    match phrase:
        case (TextPart(text=words), *rest):
            return TextPart(words[:1].lower() + words[1:]), *rest
        case (Name(article="", of=("kinds", *_)) as name, *rest):
            return Name(lower_first(name.phrase), name.of), *rest
    return phrase


def _object(kind: str, entity: int) -> tuple[str, str]:
    return "objects", f"{kind}-{entity}"
