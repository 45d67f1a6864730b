"""German sentences for the changes that a step makes."""

from __future__ import annotations

from dataclasses import replace

from rulewright.book.english.assignments import Change, order_changes, reads_exactly
from rulewright.book.languages.de.declension import BARE, INDEFINITE, NONE, Case, Gender
from rulewright.book.languages.de.interfaces import German, StepVoice
from rulewright.book.languages.de.member_nouns import ListMembers
from rulewright.book.languages.de.nominals import Looseness, Nominal, join_words, match_number
from rulewright.book.languages.de.sentence_parts import Sentence, decide
from rulewright.book.languages.de.value_nouns import format_constant
from rulewright.book.languages.missing_words import MissingWordsError
from rulewright.language.checked_steps import Step, Target
from rulewright.language.declarations import GAME_KIND, PLAYER_KIND
from rulewright.language.expressions import typed_ast as t
from rulewright.language.statement import read_target
from rulewright.language.types import Boolean, ListOf, Row, present

NOMINATIVE, GENITIVE, DATIVE, ACCUSATIVE = Case


def describe_assignments(say: German, changes: tuple[Change, ...], *, apart: bool) -> list[Sentence]:
    """Return the changes of one step, a sentence each. If `apart`, a sentence may begin with a condition of its own.

    Raises `MissingWordsError` if no order of them lets none read what an earlier one has changed.
    """
    ordered = order_changes(say.words.declared.formulas, changes)
    if not ordered:
        raise MissingWordsError(what="changes at the same time")
    return [_change_if(say, *each) if apart else describe_change(say, *each) for each in ordered]


def _change_if(say: German, target: Target, value: t.Typed) -> Sentence:
    """Return one change as a sentence that begins with the condition, if the new value depends on one."""
    match value:
        case t.If(condition=condition, then=then, otherwise=otherwise) if not (
            isinstance(target.type, Boolean) or isinstance(otherwise, t.If)
        ):
            unchanged = reads_exactly(then, target)
            clause = say.clause(condition, holds=not unchanged)
            if clause.listed:
                return describe_change(say, target, value)
            say.use(clause)
            first = replace(describe_change(say, target, otherwise if unchanged else then), own=clause.subordinate)
            if unchanged or reads_exactly(otherwise, target):
                return first
            other = describe_change(say, target, otherwise)
            return replace(first, stop=f"; sonst {other.words(inverted=True)}{other.stop}")
    return describe_change(say, target, value)


def describe_change(say: German, target: Target, value: t.Typed) -> Sentence:
    """Return the sentence of one change.

    Raises `MissingWordsError` for a true or false entry of a map, and for what German or the translation has no words
    for.
    """
    owned = _is_owned(target)
    if target.kind == GAME_KIND and target.field.startswith("options.") and target.base is not None:
        setting = t.Stored(target.type, target.base, target.kind, target.field)
        place = say.phrase(read_target(target))
        return Sentence("stelle", f"{place.say(ACCUSATIVE)} auf {_setting(say, setting, value)}")
    if isinstance(target.type, Boolean):
        if target.row is not None:
            raise MissingWordsError(what="a true or false entry of a map")
        return _truth(say, target, value)
    place = say.fit(say.phrase(read_target(target)), Looseness.RELATIVE)
    say.use(place)
    match value:
        case t.Arithmetic(operator="+" | "-" as operator, left=left, right=right) if reads_exactly(left, target):
            return _by_amount(say, target, place, right, more=operator == "+")
        case t.Constant(value=None):
            return _emptied(say, target, place)
        case t.Items(items=()) if isinstance(target.type, ListOf):
            return _emptied(say, target, place)
        case t.Aggregate(function="list", order=None, condition=t.Typed(), source=source) if (
            reads_exactly(source, target)
            and isinstance(value.element, t.Variable)
            and value.element.name == value.variable
        ):
            which = ListMembers(say, value).which(Gender.PLURAL)
            assert which is not None
            say.use(which)
            return Sentence("behalte", f"von {place.say(DATIVE)} nur die, {which.middle}")
        case t.Items(items=(item,)) if isinstance(target.type, ListOf):
            only = say.inside(item, Looseness.RELATIVE)
            say.use(only)
            return Sentence(match_number(place, "ist/sind"), f"nun nur {only}", str(place))
    phrase = say.phrase(value)
    if phrase.listed:
        phrase = say.letter(phrase)
    say.use(phrase)
    if owned and target.base is not None and say.words.is_counted(target.kind, target.field):
        owner = say.inside(target.base, Looseness.RELATIVE)
        say.use(owner)
        return Sentence(match_number(owner, "hat/haben"), f"nun {format_amount(say, target, value)}", str(owner))
    if target.kind == GAME_KIND and target.field == PLAYER_KIND and target.base is not None:
        return Sentence(match_number(phrase, "ist/sind"), "nun am Zug", str(phrase))
    if _is_number(target):
        return Sentence("setze", f"{place.say(ACCUSATIVE)} auf {phrase.say(ACCUSATIVE)}")
    if owned and target.base is not None and _is_only_place(say, target):
        moved = say.inside(target.base, Looseness.RELATIVE)
        say.use(moved)
        return Sentence("setze", f"{moved.say(ACCUSATIVE)} auf {phrase.say(ACCUSATIVE)}")
    return Sentence(match_number(place, "ist/sind"), f"nun {phrase}", str(place))


def _is_owned(target: Target) -> bool:
    """Return whether a target is a whole field of an object, so that a sentence may be about its owner."""
    return target.base is not None and target.kind != GAME_KIND and target.row is None


def _is_number(target: Target) -> bool:
    from rulewright.language.types import Integer

    return isinstance(present(target.type), Integer)


def _is_only_place(say: German, target: Target) -> bool:
    fields = say.words.declared.kinds[target.kind].fields.values()
    boards = [each.type for each in fields if _is_space(say, each.type)]
    return boards == [target.type]


def _is_space(say: German, type_: object) -> bool:
    kind = present(type_)  # type: ignore[arg-type]
    return isinstance(kind, Row) and say.words.declared.tables[kind.table].is_board


def _by_amount(say: German, target: Target, place: Nominal, by: t.Typed, *, more: bool) -> Sentence:
    """Return the sentence that something is added to a place, or taken from it."""
    if isinstance(target.type, ListOf):
        single = by.items[0] if isinstance(by, t.Items) and len(by.items) == 1 else by
        part = say.inside(single, Looseness.RELATIVE)
        say.use(part)
        if more:
            return Sentence("füge", f"{part.say(ACCUSATIVE)} zu {place.say(DATIVE)} hinzu")
        return Sentence("streiche", f"{part.say(ACCUSATIVE)} aus {place.say(DATIVE)}")
    if _is_owned(target) and target.base is not None and say.words.is_counted(target.kind, target.field):
        owner = say.inside(target.base, Looseness.RELATIVE)
        say.use(owner)
        verb = "erhält/erhalten" if more else "verliert/verlieren"
        return Sentence(match_number(owner, verb), format_amount(say, target, by), str(owner))
    part = say.inside(by, Looseness.RELATIVE)
    say.use(part)
    verb = "erhöhe" if more else "verringere"
    return Sentence(verb, f"{place.say(ACCUSATIVE)} um {part.say(ACCUSATIVE)}")


def format_amount(say: German, target: Target, amount: t.Typed) -> str:
    """Return an amount with its unit: `3 Münzen`, `so viele Münzen, wie der Ertrag beträgt`.

    The unit of an entry of a map is its row: `2 „Holz“`, `2 von der Ware`. If the field has a unit, it is `2 Münzen für
    die Ware`. Raises `MissingWordsError` for a unit without words.
    """
    number = amount.value if isinstance(amount, t.Constant) and type(amount.value) is int else None
    several = unit = ""
    if target.row is None or say.words.declared.kinds[target.kind].fields[target.field].unit:
        noun = say.words.unit(target.kind, target.field, one=number == 1)
        several = "viele" if noun.gender is Gender.PLURAL else ""
        unit = noun.core(ACCUSATIVE, INDEFINITE if number == 1 else BARE)
    if target.row is not None:
        row, plain = say.inside(target.row), isinstance(target.row, t.Constant)
        say.use(row)
        if unit:
            unit = f"{unit} für {row if plain else row.say(ACCUSATIVE)}"
        else:
            unit = str(row) if plain else f"von {row.say(DATIVE)}"
    phrase = say.phrase(amount)
    if number is not None:
        return f"{phrase} {unit}"
    phrase = say.letter(phrase) if phrase.listed else phrase
    say.use(phrase)
    return f"so {several or 'viel'} {unit}, wie {phrase} {match_number(phrase, 'beträgt/betragen')},"


def describe_amounts(at: StepVoice, step: Step, verb: str) -> Sentence:
    """Return the sentence of a player who gets or gives amounts. `verb` is its singular and plural."""
    action, say = step.action, at.say
    who = say.inside(action.who, Looseness.RELATIVE)
    say.use(who)
    own = say.owning(action.who, who.gender)
    amounts = [format_amount(own, target, amount) for target, amount in action.amounts]
    return Sentence(match_number(who, verb), join_words(amounts), str(who))


def _emptied(say: German, target: Target, place: Nominal) -> Sentence:
    """Return the sentence that a place has nothing in it any more."""
    if target.base is None or target.row is not None:
        return Sentence(match_number(place, "ist/sind"), "nun leer", str(place))
    if target.kind == GAME_KIND:
        assert place.noun is not None
        return Sentence("gibt", f"nun {place.noun.say(ACCUSATIVE, NONE)} mehr", "es")
    noun = say.words.field(target.kind, target.field)
    if isinstance(target.type, ListOf) and noun.gender is not Gender.PLURAL:
        return Sentence("ist", "nun leer", str(place))
    owner = say.inside(target.base, Looseness.RELATIVE)
    say.use(owner)
    return Sentence(match_number(owner, "hat/haben"), f"nun {noun.say(ACCUSATIVE, NONE)} mehr", str(owner))


def _setting(say: German, setting: t.Stored, value: t.Typed) -> str:
    """Return the new value of a setting, in the setting’s own words, as it is after `auf`."""
    match value:
        case t.Constant(value=choice, type=kind):
            return format_constant(say, choice, kind, beside=setting)
        case t.If(condition=condition, then=then, otherwise=otherwise):
            clause = say.clause(condition)
            say.use(clause)
            first, second = _setting(say, setting, then), _setting(say, setting, otherwise)
            return f"{first}, wenn {clause.subordinate}, sonst auf {second}"
    phrase = say.inside(value)
    say.use(phrase)
    return phrase.say(ACCUSATIVE)


def _truth(say: German, target: Target, value: t.Typed) -> Sentence:
    """Return the sentence that changes a boolean target."""
    place = read_target(target)
    base = target.base if target.kind != GAME_KIND else None
    if base is not None and say.words.declared.kinds[target.kind].fields[target.field].clauses:
        base = None
    if isinstance(value, t.Constant):
        if base is not None:
            owner = say.inside(base, Looseness.RELATIVE)
            say.use(owner)
            now = "nun" if value.value else "nicht mehr"
            return Sentence(
                match_number(owner, "ist/sind"), f"{now} {say.words.predicate(target.kind, target.field)}", str(owner)
            )
        clause = say.clause(place, holds=bool(value.value))
        say.use(clause)
        return Sentence("merke,", f"dass {clause.subordinate}")
    clause = say.clause(value)
    say.use(clause)
    if base is not None:
        owner = say.inside(base, Looseness.RELATIVE)
        say.use(owner)
        predicate = say.words.predicate(target.kind, target.field)
        return Sentence(
            match_number(owner, "ist/sind"), f"genau dann {predicate}, wenn {clause.subordinate}", str(owner)
        )
    return decide(say.clause(place), clause)
