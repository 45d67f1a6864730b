"""Examples and sample games in another language, with the log of the engine in it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from collections.abc import Mapping as Words
from contextlib import suppress
from typing import Any

from rulewright.book.english.grammar import capitalize
from rulewright.book.languages import Planner, find_planner
from rulewright.book.languages.missing_words import MissingWordsError
from rulewright.book.parts.example_maps import build_lineup_views, build_maps_view, merge_maps
from rulewright.book.parts.example_runs import (
    ExampleView,
    build_call,
    build_happening,
    format_narration,
    is_notable,
    run_book_example,
)
from rulewright.book.parts.fixture_text import list_drawn_kinds
from rulewright.book.parts.odds_examples import ChancesView, Weigh, build_chances_view
from rulewright.book.parts.sample_scenes import SampleView, sample_view
from rulewright.book.style.fill_placeholders import fill, find_first_sentence, format_value
from rulewright.book.style.text_style import HtmlStyle, Style, format_integer
from rulewright.engine.narration.render_values import ValueRenderer
from rulewright.engine.narration.rich_text import to_text
from rulewright.language.declarations import GAME, GAME_KIND, PLAYER_KIND, Scope
from rulewright.language.expressions.type_checker import check_expression
from rulewright.language.expressions.typed_ast import Items, Typed
from rulewright.language.types import Boolean, Choice, Entity, Integer, ListOf, Row, Type, present
from rulewright.ruleset.schema.translation_schema import list_log_keys
from rulewright.ruleset.section import load_sections
from rulewright.ruleset.sections.examples import Example
from rulewright.ruleset.translation.required_texts import is_translated
from rulewright.ruleset.translation.translation import Translation
from rulewright.source.diagnostics.collector import Diagnostics
from rulewright.source.nodes import Mapping, Node, Scalar, Sequence
from rulewright.testing.run_examples import ExampleRun
from rulewright.testing.starting_position import find_deck

_LOGGED = frozenset({*list_log_keys(), "label", "options"})
"""Keys of the texts that the log of a game consists of."""


def _is_told(translation: Translation, section: str, identity: str) -> bool:
    """Return whether an example or a sample game is translated, and everything that its log may show."""
    return translation.get_or_make(can_log) and is_translated(translation, (section, identity))


def can_log(translation: Translation) -> bool:
    """Return whether everything that the log of a game may show is translated."""
    gameplay = {section.key for section in load_sections().values() if section.gameplay}
    needed = (
        path
        for path in translation.list_paths()
        if (path[0] in gameplay and not _LOGGED.isdisjoint(path[1:]))
        or (path[0] == "tables" and path[2] == "rows")
        or (path[0] == "terms" and path[-1] in ("name", "plural"))
    )
    return all(path in translation.texts for path in needed)


def build_translated_sample(translation: Translation, identity: str, style: HtmlStyle) -> SampleView | None:
    """Return the view of a sample game, or None if it cannot be shown in the language."""
    if not _is_told(translation, "samples", identity):
        return None
    return sample_view(translation.ruleset.samples[identity], style)


def build_translated_example(translation: Translation, identity: str, style: HtmlStyle) -> ExampleView | None:
    """Return the view of an example, or None if the language has no words for anything that it says."""
    example, planner = translation.ruleset.examples[identity], find_planner(translation)
    if planner is None or not _is_told(translation, "examples", identity):
        return None
    ran = run_book_example(example, translation.ruleset)
    view = ExampleView(
        example.id,
        fill(example.title, style),
        fill(example.text, style),
        tuple(list_given(translation, example, style)),
        tuple(build_happening(moment, style) for moment in ran.steps if is_notable(moment, example.of, style)),
        tuple(list_results(translation, example, style)),
        _pictures(ran, style),
    )
    return view if view.happened or view.results or view.maps or example.claims else None


def build_translated_chances(
    translation: Translation, example: Example, weigh: Weigh | None, style: HtmlStyle
) -> list[ChancesView]:
    """Return the odds that an example states, without those that the language has no words for."""
    planner, views = find_planner(translation), list[ChancesView]()
    if planner is None or weigh is None or not example.claims:
        return views
    for result in weigh(style.ruleset, example):
        with suppress(MissingWordsError):
            question, yes_no = planner.describe_question(translation, example, result.expression, style)
            views.append(build_chances_view(result, question, style, yes_no=yes_no))
    return views


def _pictures(ran: ExampleRun, style: HtmlStyle) -> Any:
    if ran.finished is None:
        return None
    return merge_maps(build_maps_view(ran.finished, style), build_lineup_views(ran.finished, style))


# -- results -----------------------------------------------------------------------------------


def list_results(translation: Translation, example: Example, style: Style) -> list[str]:
    """Return sentences about the results of an example, without those that the language has no words for."""
    planner, ran = find_planner(translation), run_book_example(example, translation.ruleset)
    assert planner is not None
    if ran.finished is not None:
        return planner.list_results(translation, ran, style)
    result = _describe_answer(translation, planner, ran, style)
    return [result] if result else []


_ARITHMETIC = frozenset("0123456789d+-*/() ")
"""The characters of an expression that people read as it is written."""


def _describe_answer(translation: Translation, planner: Planner, ran: ExampleRun, style: Style) -> str:
    """Return the sentence for the value of an example without a procedure, or an empty string."""
    ruleset, example, language = translation.ruleset, ran.example, translation.language
    formula = ruleset.declarations.formulas.get(example.of)
    if formula is not None and ran.expectations:
        answer = format_narration(ran.expectations[0].phrase, style)
        call = build_call(formula, example, style)
        if call is not None:
            with suppress(MissingWordsError):
                return planner.describe_answer(translation, call, ran.value, answer, style)
        return f"{capitalize(fill(find_first_sentence(formula.means), style).rstrip('.'))}: {answer}."
    written = example.value or example.roll
    if not isinstance(written, Scalar):
        return ""
    if ran.outcome is not None:
        faces = ", ".join(str(face) for group in ran.outcome.faces for face in group) if ran.outcome.faces else ""
        dice, total = style.escape(written.text), style.value(format_integer(ran.outcome.value))
        sentence = language.translate("%(dice)s comes to %(total)s.", dice=dice, total=total)
        return f"{language.translate('The dice show %(faces)s.', faces=faces)} {sentence}" if faces else sentence
    typed = check_expression(written, Scope(ruleset.declarations), Diagnostics())
    text, answer = style.escape(written.text.replace("*", "×")), format_value(ran.value, typed.type, style)
    if not set(written.text) - _ARITHMETIC:
        return language.translate("%(value)s is %(answer)s.", value=text, answer=answer)
    with suppress(MissingWordsError):
        if isinstance(typed, Items) and isinstance(typed.type, ListOf):
            pairs = zip(typed.items, ran.value, strict=True)
            return " ".join(_equal(translation, planner, item, value, style) for item, value in pairs)
        return _equal(translation, planner, typed, ran.value, style)
    return f"{language.translate('Result')}: {answer}."


def _equal(translation: Translation, planner: Planner, typed: Typed, value: Any, style: Style) -> str:
    return planner.describe_answer(translation, typed, value, format_value(value, typed.type, style), style)


# -- the start ---------------------------------------------------------------------------------


def list_given(translation: Translation, example: Example, style: Style) -> list[str]:
    """Return what an example starts with: a clause for each setting, and for each object with its label in the log.

    Equal objects are counted. What pictures show is left out.
    """
    ruleset, options = translation.ruleset, translation.ruleset.declarations.options
    chosen = ((options[name].title, options[name].choices[choice]) for name, choice in example.options.items())
    lines = [f"{fill(title, style)}: {fill(words, style)}" for title, words in chosen]
    ran = run_book_example(example, ruleset)
    objects = Counter(_Start(example, ran, style).iterate_lines() if ran.finished is not None else ())
    return [*lines, *(f"{many} × {line}" if many > 1 else capitalize(line) for line, many in objects.items())]


class _Start:
    """Writer of the objects and values that an example starts with."""

    def __init__(self, example: Example, ran: ExampleRun, style: Style) -> None:
        assert ran.finished is not None
        self.example, self.style, self.run = example, style, ran.finished
        self.declared = style.ruleset.declarations
        self.say = ValueRenderer.for_state(ran.finished.start)
        self.told: set[int] = set()

    def iterate_lines(self) -> Iterator[str]:
        """Yield the lines of the objects that the procedure receives, and then of all others."""
        entries = self.example.given.entries if self.example.given is not None else {}
        procedure, plurals = self.run.procedure, self.declared.map_plurals()
        if procedure is not None:
            for (name, kind), value in zip(procedure.parameters.items(), self.run.arguments, strict=False):
                if name in entries:
                    yield from self._argument(procedure.called, name, entries[name].value, present(kind), value)
        drawn = list_drawn_kinds(self.style)
        for name, entry in entries.items():
            plural = plurals.get(name)
            if plural is not None and plural not in drawn and isinstance(entry.value, Sequence):
                yield from self._objects(plural, entry.value)
            elif plural is None and (field := self.declared.kinds[GAME_KIND].fields.get(name)) is not None:
                noun, value = to_text(self.say.render_field_name(GAME_KIND, name)), self._find_value(GAME_KIND, 0, name)
                yield f"{capitalize(noun)}: {self._text(value, field.type)}"
            elif (deck := find_deck(self.declared, GAME_KIND, name)) is not None:
                noun = to_text(self.say.render_field_name(GAME_KIND, deck.fields[0]))
                cards = tuple(card for part in deck.fields for card in self._find_value(GAME_KIND, GAME, part))
                yield f"{capitalize(noun)}: {self._text(cards, ListOf(Row(deck.table)))}"

    def _argument(self, called: Words[str, str], name: str, node: Node, kind: Type, value: Any) -> Iterator[str]:
        if isinstance(node, Mapping) and isinstance(kind, Entity) and type(value) is int:
            yield self._object(kind.kind, value, node)
        elif isinstance(node, Sequence) and isinstance(kind, ListOf) and isinstance(kind.inner, Entity):
            for each, item in zip(value, node.items, strict=True):
                yield self._object(kind.inner.kind, each, item)
        elif name in called and not self._is_drawn(kind):
            words = self.say.render_noun(called[value]) if isinstance(kind, Choice) and value in called else None
            noun, text = to_text(self.say.render_noun(called[name])), self._text(value, kind)
            yield f"{noun}: {text if words is None else self.style.escape(to_text(words))}"

    def _objects(self, kind: str, node: Sequence) -> Iterator[str]:
        layout = self.run.start.machine.layout
        there = [number for number in self.run.start.live[layout.kinds[kind]] if number not in self.told]
        for number, item in zip(there, node.items, strict=False):
            yield self._object(kind, number, item)

    def _object(self, kind: str, number: int, node: Node) -> str:
        """Return an object by its label, with the fields that the example gives it and its label does not name."""
        self.told.add(number)
        label = self._text(number, Entity(kind))
        entries = node.entries if isinstance(node, Mapping) else {}
        fields = [text for name in entries if (text := self._field(kind, number, name)) and text not in label]
        return f"{label}: {', '.join(fields)}" if fields else label

    def _field(self, kind: str, number: int, name: str) -> str:
        """Return a field of an object with its value, or an empty string if a picture or the label shows it."""
        field = self.declared.kinds[kind].fields.get(name)
        if field is None:
            return ""
        value = self._find_value(kind, number, name)
        match present(field.type):
            case Row() as inner if value is not None and not self._is_drawn(inner):
                return self._text(value, inner)
            case Integer():
                return self.style.escape(to_text(self.say.render_amount_of(kind, name, value)))
            case Boolean():
                return self.style.escape(to_text(self.say.render_field(kind, number, name)))
            case Entity(kind=other) as inner if value is not None and other != PLAYER_KIND:
                return self._text(value, inner)
        return ""

    def _is_drawn(self, kind: Type) -> bool:
        """Return whether a value of a type is a space of a board, which a picture shows."""
        return isinstance(kind, Row) and self.declared.tables[kind.table].is_board

    def _find_value(self, kind: str, number: int, name: str) -> Any:
        return self.say.objects[number][self.run.start.machine.layout.places[kind, name]]

    def _text(self, value: Any, kind: Type) -> str:
        return self.style.escape(to_text(self.say.render_value(value, kind), symbol=False))
