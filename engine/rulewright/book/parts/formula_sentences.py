"""The names and definitions of formulas and derived fields, as sentences."""

from __future__ import annotations

from rulewright.book.english.expression_english import English
from rulewright.book.english.grammar import (
    begins_with_noun,
    capitalize,
    choose_article,
    is_long,
    is_one_sentence,
    lower_first,
)
from rulewright.book.english.naming import NameWords, humanize
from rulewright.book.english.noun_phrases import is_fallback
from rulewright.book.english.phrase import Bond, Lead, Phrase
from rulewright.book.parts.step_words import AFTER_COLON
from rulewright.book.style.fill_placeholders import fill
from rulewright.book.style.text_style import Style
from rulewright.language.declarations import Formula, split_column
from rulewright.language.expressions.typed_ast import (
    Aggregate,
    Coalesce,
    Comparison,
    If,
    Invoke,
    Objects,
    Stored,
    Travel,
    Typed,
    Variable,
)
from rulewright.language.types import PLAYER, Boolean, Entity, ListOf, Optional, RecordOf, Row, present

_MARK = "\ue001"
"""A private character that shows whether the words for a formula name a parameter."""


def describe_formula(identity: str, style: Style) -> tuple[str, str, str]:
    """Return the name of a formula, its description (which may be empty), and its definition as a sentence.

    A description of one sentence follows the name in parentheses, because it is often only a noun. The definition is in
    the rules' own words, if they have any. The description itself is the definition of a list of all things that belong
    to something.
    """
    formula = style.ruleset.declarations.formulas[identity]
    kind, _, name = identity.rpartition(".")
    english = English(style, NameWords.in_formula(formula))
    of = f" of {choose_article(english.naming.kind(kind))}" if kind else ""
    title = capitalize(f"{english.naming.field(kind, name)}{of}" if kind else humanize(split_column(identity)[1]))
    means = formula.means if formula.means != identity else ""
    is_noun = bool(means) and is_one_sentence(means)
    if is_noun and not formula.text and _lists_belongings(formula):
        return title, "", capitalize(fill(means.removesuffix("."), style, inside=True))
    if is_noun:
        title += f" ({lower_first(fill(means.rstrip('.'), style, inside=True))})"
        means = ""
    means = fill(means, style)
    definition = fill(formula.text, style).removesuffix(".") if formula.text else _define(identity, formula, english)
    return title, means, definition


def _lists_belongings(formula: Formula) -> bool:
    """Return whether a formula lists all objects of a kind that have its only parameter in one of their fields."""
    match formula.body:
        case Aggregate(
            function="list",
            element=Variable(name=element),
            variable=variable,
            source=Objects(),
            condition=Comparison(operator="==", left=Stored(base=Variable(name=owned)), right=Variable(name=owner)),
            order=None,
        ):
            return element == owned == variable and list(formula.parameters) == [owner]
    return False


def _define(identity: str, formula: Formula, english: English) -> str:
    """Return the definition of a formula as a sentence, or as two for a value that depends on one condition.

    The definition of a column refers to its table, which has an expression for each row.
    """
    given = tuple(Variable(type_, name) for name, type_ in formula.parameters.items())
    called = Invoke(formula.type, identity, given)
    named, own = _introduce(english, given, called, formula.body)
    table, _ = split_column(identity)
    if table:
        says = "whether " + named.condition(called) if isinstance(formula.type, Boolean) else named.value(called)
        return f"{capitalize(english.naming.the_table(table))} shows {says}"
    if isinstance(formula.type, Boolean):
        return capitalize(f"{named.condition(called)} if {own.condition(formula.body)}")
    subject = named.value(called)
    several = isinstance(formula.type, ListOf)
    be = english.naming.be(subject) if several else "is"
    match formula.body:
        case If(condition=condition, then=then, otherwise=otherwise) if not (
            isinstance(otherwise, If) or own.always(condition) or is_fallback(formula.body)
        ):
            split = _split_cases(own, condition, then, otherwise, f"{subject} {be} ")
            if split is not None:
                return f"{capitalize(split[0])}. Otherwise, {'they are' if be == 'are' else 'it is'} {split[1]}"
    value = own.value(formula.body)
    return capitalize(f"{subject}: {value}" if _follows_colon(value) else f"{subject} {be} {value}")


def _split_cases(own: English, condition: Typed, then: Typed, otherwise: Typed, begins: str) -> tuple[str, str] | None:
    """Return the sentence for a value on a condition, and the words for any other value. None if the words do not fit.

    The condition comes first if the value would need a letter before it, and if it speaks of no parameter, because the
    sentence introduces these in `begins`.
    """
    clause, first, second = own.clause(condition), own.phrase(then), own.phrase(otherwise)
    own.where()
    if clause.items or _follows_colon(first.words) or _follows_colon(second.words):
        return None
    names_parameter = any(isinstance(part, Variable) for part in condition.walk())
    if first.bond > Bond.RELATIVE and not names_parameter:
        return f"if {own.fact(condition)}, {begins}{own.last(then)}{own.where()}", own.value(otherwise)
    if first.items:
        return None
    return f"{begins}{own.within(then)} if {own.fact(condition)}{own.where()}", own.value(otherwise)


def _follows_colon(value: str) -> bool:
    return value.startswith(AFTER_COLON)


def _introduce(english: English, given: tuple[Variable, ...], called: Invoke, body: Typed) -> tuple[English, English]:
    """Return the writers of what is defined and of its definition, for the parameters that the sentence introduces.

    `a Bed` becomes `it` if it is the only thing that the definition is about, and otherwise `that Bed`.
    """
    subject = _find_subject(given, body)
    named, own = english, english.owning(subject)
    for each in given:
        noun = _find_noun(english, given, each)
        if not noun or _MARK not in english.standing_in(each.name, Phrase(_MARK)).value(called):
            continue
        words = choose_article(noun)
        lead = Lead.AN if words.startswith(Lead.AN) else Lead.A
        named = named.standing_in(each.name, Phrase(words, lead=lead))
        if each is subject and each.type != PLAYER and each not in _list_results(body):
            own = own.about(each.name)
        else:
            own = own.standing_in(each.name, Phrase(f"that {noun}", lead=Lead.THAT))
    return named, own


def _find_noun(english: English, given: tuple[Variable, ...], parameter: Variable) -> str:
    """Return the noun for a parameter that is the only one of its type, or an empty string for other parameters."""
    kind = present(parameter.type)
    plain = isinstance(kind, Entity | Row) and not isinstance(parameter.type, Optional)
    if not plain or [present(each.type) for each in given].count(kind) > 1:
        return ""
    if parameter.name == "self" and isinstance(kind, Entity):
        return english.naming.kind(kind.kind)
    phrase = english.phrase(parameter)
    noun = english.naming.member(kind)
    if noun and parameter.name not in english.called.words:
        return noun
    if is_long(phrase.rest) and noun and begins_with_noun(phrase.rest, noun):
        return noun  # `player in question`, which only tells a player of the formula from the one whose turn it is
    return phrase.rest if phrase.lead and not is_long(phrase.rest) else ""


def _list_results(body: Typed) -> list[Typed]:
    """Return the values that an expression may come to, without the conditions that decide which."""
    match body:
        case If(then=first, otherwise=second) | Coalesce(first=first, otherwise=second):
            return [*_list_results(first), *_list_results(second)]
    return [body]


def _find_subject(given: tuple[Variable, ...], body: Typed) -> Variable | None:
    """Return the only parameter of a formula that is a player or a thing, whose properties can be `their` or `its`.

    Return None if a pronoun could be that of a member of a list.
    """
    subjects = [each for each in given if isinstance(present(each.type), Entity | Row | RecordOf)]
    if len(subjects) != 1:
        return None
    lists = [part for part in body.walk() if isinstance(part, Aggregate | Travel)]
    if subjects[0].type == PLAYER:
        return None if any(each.source.type == ListOf(PLAYER) for each in lists) else subjects[0]
    return subjects[0] if all(_is_plain(each) for each in lists) else None


def _is_plain(node: Aggregate | Travel) -> bool:
    """Return whether nothing is said about the members of a list, so that no pronoun stands for one of them."""
    return isinstance(node, Aggregate) and node.condition is None and isinstance(node.element, Variable)
