"""Examples as readers see them. All text comes from a run of the engine, not from the expected values in the rules."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from rulewright.book.english.clauses import GIVEN
from rulewright.book.english.conditions import describe_counted
from rulewright.book.english.expression_english import English
from rulewright.book.english.grammar import capitalize, strip_count, strip_list_marks, strip_markup
from rulewright.book.english.naming import NOBODY, NameWords, Naming, humanize
from rulewright.book.english.phrase import Bond
from rulewright.book.parts.example_maps import MapsView, Notes, build_lineup_views, build_maps_view, merge_maps
from rulewright.book.parts.fixture_text import list_given
from rulewright.book.style.fill_placeholders import fill, find_first_sentence, format_value
from rulewright.book.style.text_style import HtmlStyle, Style, UnlinkedStyle, format_integer
from rulewright.dice.ast import Roll
from rulewright.dice.format_notation import format_roll as dice_text
from rulewright.engine.narration.rich_text import DicePart as DiceTold
from rulewright.engine.narration.rich_text import NumberPart, Phrase, iterate_leaves
from rulewright.language.checked_steps import Step
from rulewright.language.declarations import GAME_KIND, Formula, Scope
from rulewright.language.expressions.type_checker import check_expression
from rulewright.language.expressions.typed_ast import Aggregate, Constant, Invoke, Items, Local, Present, Stored, Typed
from rulewright.language.lowering import list_operations
from rulewright.language.operations import Create, Remove
from rulewright.language.types import BOOLEAN, PLAYER, Boolean, Dice, Entity, Integer, ListOf, Optional, present
from rulewright.ruleset.prose.placeholders import Placeholder, parse_parts
from rulewright.ruleset.ruleset import Ruleset
from rulewright.ruleset.sections.examples import Example
from rulewright.source.diagnostics.collector import Diagnostics
from rulewright.source.nodes import Scalar
from rulewright.testing.procedure_run import Moment
from rulewright.testing.run_examples import ExampleResult, ExampleRun, run_example
from rulewright.testing.starting_position import end_scope


@dataclass(frozen=True, slots=True)
class EventView:
    """One event with its prompt (`prompt`), its sentence, the faces of its dice, and the rule that caused it."""

    prompt: str
    text: str
    faces: tuple[int, ...]
    rule: str
    is_roll: bool


@dataclass(frozen=True, slots=True)
class ExampleView:
    """An example, ready for a template. `results` are sentences that are true at its end."""

    id: str
    title: str
    text: str
    given: tuple[str, ...]
    happened: tuple[EventView, ...]
    results: tuple[str, ...]
    maps: MapsView | None


def _runs(_: Ruleset) -> dict[str, ExampleRun]:
    """Return the empty cache of example runs for a ruleset."""
    return {}


def run_book_example(example: Example, ruleset: Ruleset) -> ExampleRun:
    """Return the run of an example. The ruleset caches it, so the engine plays each example once."""
    known = ruleset.get_or_make(_runs)
    if example.id not in known:
        known[example.id] = run_example(ruleset, example)
    return known[example.id]


def can_be_played(example: Example, ruleset: Ruleset) -> bool:
    """Return whether readers can replay an example step by step.

    The ruleset needs a start procedure, and the example must run a procedure and pass.
    """
    if ruleset.start is None or example.of not in ruleset.procedures:
        return False
    ran = run_book_example(example, ruleset)
    return ran.finished is not None and ran.holds


def list_narrated_events(example: Example, style: Style) -> list[int]:
    """Return the indexes of the events of an example that its readers see."""
    moments = run_book_example(example, style.ruleset).steps
    return [number for number, moment in enumerate(moments) if is_notable(moment, example.of, style)]


def build_example_view(example: Example, style: HtmlStyle) -> ExampleView:
    """Return the view of an example, as the engine plays it."""
    ran = run_book_example(example, style.ruleset)
    return ExampleView(
        example.id,
        fill(example.title, style),
        fill(example.text, style),
        tuple(list_given(example, style)),
        tuple(build_happening(moment, style) for moment in ran.steps if is_notable(moment, example.of, style)),
        tuple(_results(ran, style)),
        _pictures(ran, style),
    )


def _pictures(ran: ExampleRun, style: HtmlStyle) -> MapsView | None:
    if ran.finished is None:
        return None
    return merge_maps(build_maps_view(ran.finished, style, _notes(ran, style)), build_lineup_views(ran.finished, style))


def list_example_results(example: Example, style: Style) -> list[str]:
    """Return sentences that are true at the end of an example, as the engine plays it."""
    return _results(run_book_example(example, style.ruleset), style)


def is_notable(moment: Moment, outermost: str, style: Style) -> bool:
    """Return whether readers see an event, such as a roll, a choice, a gain or a change on the table.

    They do not see calls, writes of lists or of equal values, and objects that come or go if their kind has no term.
    Notes of steps count only in the `outermost` procedure.
    """
    event = moment.event
    if not event.text:
        return False
    procedure, _, name = event.rule.rpartition(".")
    match event.kind:
        case "called":
            return False
        case "written":
            item, _, before, after, *_ = event.details
            if before == after or isinstance(after, tuple):
                return False
            return item is not None or procedure == outermost
        case "created" | "removed":
            steps = style.ruleset.procedures[procedure].iterate_steps()
            step = next((step for step in steps if step.id == name), None)
            kind = _kind_of(step) if step is not None else None
            return kind is not None and Naming(style).kind_term(kind) is not None
    return True


def _kind_of(step: Step) -> str | None:
    """Return the kind of object that a step creates or removes, or None if it does neither."""
    for each in list_operations(step):
        match each:
            case Create(kind=kind):
                return kind
            case Remove(entity=entity):
                inner = present(entity.type.inner if isinstance(entity.type, ListOf) else entity.type)
                return inner.kind if isinstance(inner, Entity) else None
    return None


def build_happening(moment: Moment, style: Style) -> EventView:
    """Return the view of an event, with the prompt of a choice and the faces of dice, if it has them."""
    event = moment.event
    faces = tuple(face for group in moment.faces or () for face in group)
    step = next(step for step in style.ruleset.steps.values() if step.rule == event.rule)
    # The same prompt appears before many answers, so its terms are not linked.
    prompt = style.escape(fill(step.words.get("ask", ""), Style(style.ruleset))) if event.kind == "asked" else ""
    return EventView(prompt, format_narration(event.account.sentence, style), faces, event.rule, event.kind == "rolled")


def _notes(ran: ExampleRun, style: Style) -> list[Notes]:
    """Return the values that the example computes for spaces of a board, which pictures show instead of text."""
    results: dict[tuple[str, str], dict[str, str]] = {}
    styles = UnlinkedStyle(style.ruleset), Style(style.ruleset)
    for expected in ran.expectations:
        typed = _check_expression(expected.expression, ran, style) if _is_drawn(expected, style) else None
        if isinstance(typed, Aggregate):
            html, plain = (capitalize(English(each).about(typed.variable).value(typed.element)) for each in styles)
            results.setdefault((html, plain), {}).update(expected.of_rows)
    return [Notes(html, plain, of_tiles) for (html, plain), of_tiles in results.items()]


def _is_drawn(expected: ExampleResult, style: Style) -> bool:
    tables = style.ruleset.declarations.tables.values()
    return bool(expected.of_rows) and any(
        table.is_board and set(expected.of_rows) <= set(table.rows) for table in tables
    )


def _results(ran: ExampleRun, style: Style) -> list[str]:
    """Return sentences about the results of a run, or none if it has no result to describe.

    They are taken from the run and not from the expected values.
    """
    if ran.finished is not None:
        lines = [_result(expected, ran, style) for expected in ran.expectations if not _is_drawn(expected, style)]
        return [sentence for sentence in lines if sentence]
    formula = style.ruleset.declarations.formulas.get(ran.example.of)
    if formula is not None and ran.expectations:
        invoked = build_call(formula, ran.example, style)
        if invoked is not None and _says_all(formula, invoked):
            return [_describe(invoked, ran, format_narration(ran.expectations[0].phrase, style), English(style))]
        question = fill(find_first_sentence(formula.means), style) or style.escape(humanize(formula.id))
        return [_state_result(f"{question}: {format_narration(ran.expectations[0].phrase, style)}")]
    written = ran.example.value or ran.example.roll
    if not isinstance(written, Scalar):
        return []
    typed = check_expression(written, Scope(style.ruleset.declarations), Diagnostics())
    if ran.outcome is not None:
        faces = ran.outcome.faces
        face_text = " and ".join(str(face) for group in faces for face in group) if faces else ""
        rolled = f", with {face_text} on the dice," if face_text else ""
        is_plain = isinstance(ran.value, Roll) and dice_text(ran.value) == written.text
        what = style.dice(ran.value) if is_plain else style.escape(written.text)
        return [f"{what}{rolled} comes to {style.value(format_integer(ran.outcome.value))}."]
    return [_worked_out(typed, written, ran, style)]


def _worked_out(typed: Typed, written: Scalar, ran: ExampleRun, style: Style) -> str:
    """Return the sentence for an example without a procedure, with its question and its answer."""
    english = English(style)
    if isinstance(typed, Invoke):
        formula = style.ruleset.declarations.formulas[typed.formula]
        answer = format_value(ran.value, typed.type, style)
        plain = format_value(ran.value, typed.type, Style(style.ruleset))
        answer = style.value(plain) if answer == style.escape(plain) else answer
        if _says_all(formula, typed):
            return _describe(typed, ran, answer, english)
        named = zip(formula.parameters, typed.arguments, strict=True)
        given = "; ".join(f"{_parameter(formula, name, style)}: {english.value(argument)}" for name, argument in named)
        # The first sentence of the formula's description serves as the question.
        question = fill(find_first_sentence(formula.means), style)
        return f"{question} ({given}): {answer}."
    if isinstance(typed.type, Boolean):
        return _state_result(english.condition(typed, holds=bool(ran.value)))
    if isinstance(typed, Items) and isinstance(typed.type, ListOf):
        # Each item of a list has its own answer.
        pairs = zip(typed.items, ran.value, strict=True)
        each = [_equal(item, value, format_value(value, item.type, style), english) for item, value in pairs]
        return _state_result("; ".join(each))
    bare = not {"_", "."} & set(written.text)
    answer = format_value(ran.value, typed.type, style)
    if bare:
        return _state_result(f"{style.escape(written.text.replace('*', '×'))} is {answer}")
    return _state_result(_equal(typed, ran.value, answer, english))


def _describe(call: Invoke, ran: ExampleRun, answer: str, english: English) -> str:
    """Return the sentence for the value of a formula, in the rules' own words."""
    if isinstance(call.type, Boolean):
        return _state_result(english.condition(call, holds=bool(ran.value)))
    if ran.value is None and isinstance(call.type, Optional):
        return _state_result(english.condition(Present(BOOLEAN, call), holds=False))
    return _state_result(_equal(call, ran.value, answer, english))


def build_call(formula: Formula, example: Example, style: Style) -> Invoke | None:
    """Return the call of a formula with the arguments of an example.

    Return None if an argument is missing, is not a scalar, or is not valid in the rules.
    """
    scope, result, arguments = Scope(style.ruleset.declarations, outside=True), Diagnostics(), []
    for name, type_ in formula.parameters.items():
        node = example.given.get(name) if example.given is not None else None
        if not isinstance(node, Scalar):
            return None
        if present(type_) == PLAYER and isinstance(node.value, int):
            place = f"players[{node.value}]"
            node = Scalar(place, place, node.span)
        arguments.append(check_expression(node, scope, result, expected=type_))
    return None if result.errors else Invoke(formula.type, formula.id, tuple(arguments))


def _says_all(formula: Formula, call: Invoke) -> bool:
    """Return whether the rules' own words for a formula mention all its parameters, and no argument is `none`.

    It is false if the rules have no words for it, and for a boolean if they have none for its being false.
    """
    words = formula.wording.get("fails" if isinstance(formula.type, Boolean) else "", "")
    if not words:
        return False
    named = {part.body for part in parse_parts(words) if isinstance(part, Placeholder)}
    return {f"{GIVEN}.{name}" for name in formula.parameters} <= named and not any(
        isinstance(each, Constant) and each.value is None for each in call.arguments
    )


def _equal(typed: Typed, value: Any, answer: str, english: English) -> str:
    """Return the clause that an expression equals a value, which `answer` gives in words.

    A phrase that is too loose for the start of the sentence comes last.
    """
    counted = describe_counted(english, typed, Constant(typed.type, value), "==", exactly="")
    if counted is not None:
        return f"{english.at_end(counted)}{english.where()}"
    phrase = english.phrase(typed)
    unit = strip_count(phrase.words) if isinstance(typed, Local) else ""
    if unit and type(value) is int and value not in (1, -1):
        return f"there are {answer} {unit}"
    if isinstance(typed, Stored) and typed.kind != GAME_KIND:
        noun = english.naming.field(typed.kind, typed.field)
        if strip_markup(answer).casefold() == strip_markup(noun).casefold():
            return f"{english.within(typed.base)} has {answer}{english.where()}"
        is_ = english.naming.agreeing("is", noun)
    elif isinstance(typed, Invoke) and isinstance(typed.type, ListOf):
        is_ = "are just" if isinstance(value, tuple | list) and len(value) == 1 else "are"
    else:
        is_ = "is"
    if phrase.bond > Bond.RELATIVE and isinstance(present(typed.type), Integer | Dice):
        text = f"{answer} is {english.at_end(phrase)}"
    else:
        text = f"{english.at_end(english.fit(phrase, Bond.RELATIVE))} {is_} {answer}"
    return f"{text}{english.where()}"


def _state_result(words: str) -> str:
    """Return words as a sentence with a full stop, which is left out after a list."""
    return strip_list_marks(f"{capitalize(words)}.")


def _parameter(formula: Formula, name: str, style: Style) -> str:
    """Return the noun for a parameter of a formula, in the rules' own words if there are any."""
    return fill(formula.called[name], style) if name in formula.called else style.escape(humanize(name))


def _result(expected: ExampleResult, ran: ExampleRun, style: Style) -> str:
    """Return the sentence for an expected value, as it was at the end of the run.

    Empty if the example ran no procedure, or if the expression is invalid.
    """
    typed = _check_expression(expected.expression, ran, style)
    if typed is None:
        return ""
    english = English(style, _name_words(ran))
    if isinstance(expected.value, bool):
        return _state_result(english.condition(typed, holds=expected.value))
    if expected.value is None and isinstance(typed.type, Optional):
        return _state_result(english.condition(Present(BOOLEAN, typed), holds=False))
    answer = style.value(format_narration(expected.phrase, Style(style.ruleset)))
    return _state_result(_equal(typed, expected.value, answer, english))


def _name_words(ran: ExampleRun) -> NameWords:
    """Return the words for the names of the finished procedure, and the kinds with a single object."""
    assert ran.finished is not None
    procedure, state = ran.finished.procedure, ran.finished.state
    called = NameWords.in_procedure(procedure) if procedure is not None else NOBODY
    kinds = state.machine.layout.kinds.items()
    return replace(called, alone=frozenset(kind for kind, number in kinds if len(state.live[number]) == 1))


def _check_expression(expression: str, ran: ExampleRun, style: Style) -> Typed | None:
    """Return an expected expression, checked in the scope at the end of the procedure.

    Return None if the example ran no procedure, or if the expression is invalid.
    """
    if ran.finished is None or ran.finished.procedure is None:
        return None
    diagnostics = Diagnostics()
    node = Scalar(expression, expression, ran.example.span)
    typed = check_expression(node, end_scope(ran.finished.procedure, style.ruleset.declarations), diagnostics)
    return None if diagnostics.errors else typed


def format_narration(phrase: Phrase, style: Style) -> str:
    """Return a narrated phrase as text in a style. Rolled dice link to their odds."""
    results = []
    for leaf in iterate_leaves(phrase):
        match leaf:
            case DiceTold(roll=roll):
                results.append(style.dice(roll))
            case NumberPart(value=value):
                results.append(format_integer(value))
            case _:
                results.append(style.escape(leaf.text))
    return "".join(results)
