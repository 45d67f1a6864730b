"""German clauses for conditions, which can be put last, first or second in a sentence."""

from __future__ import annotations

from dataclasses import replace

from rulewright.book.english.list_members import count_elements, find_owned_list, find_superlative
from rulewright.book.languages.de import member_nouns, value_nouns
from rulewright.book.languages.de.declension import NONE, Case, Gender, Noun
from rulewright.book.languages.de.interfaces import German
from rulewright.book.languages.de.nominals import (
    Clause,
    Looseness,
    Nominal,
    build_clause,
    build_definite,
    build_fixed,
    format_one,
    join_clauses,
    join_nominals,
    negate_noun,
    split_tail,
)
from rulewright.book.languages.missing_words import MissingWordsError, name_expression
from rulewright.language.declarations import GAME_KIND
from rulewright.language.expressions import typed_ast as t
from rulewright.language.types import BOOLEAN, INTEGER, PLAYER, Boolean, Integer, present

_OPPOSITE = {"==": "!=", "!=": "==", "<": ">=", ">=": "<", ">": "<=", "<=": ">"}
_TURNED = {"==": "==", "!=": "!=", "<": ">", ">": "<", "<=": ">=", ">=": "<="}
_HAS = {
    "": "",
    "==": "genau",
    "!=": "nicht genau",
    "<": "weniger als",
    "<=": "höchstens",
    ">": "mehr als",
    ">=": "mindestens",
}
_LINKED = {"<": ("kleiner als", "niedriger als"), ">": ("größer als", "höher als")}
_AT = {"<=": "höchstens", ">=": "mindestens"}
IS, HAS = "ist/sind", "hat/haben"


def describe_condition(say: German, node: t.Typed, *, holds: bool) -> Clause:
    """Return the clause for a condition, negated if `holds` is false.

    Raises `MissingWordsError` for what German or the translation has no words for.
    """
    not_ = "" if holds else "nicht "
    match node:
        case t.Not(operand=operand):
            return say.clause(operand, holds=not holds)
        case t.Comparison():
            return _comparison(say, node, holds)
        case t.Membership():
            return _membership(say, node, holds)
        case t.Logic():
            return _logic(say, node, holds)
        case t.Present(operand=operand):
            return _present(say, operand, holds)
        case t.Aggregate(function="any" | "none" | "all"):
            return member_nouns.describe_clause(say, node, holds=holds)
        case t.Local(name=name):
            return _named(say, name, holds)
        case t.Stored(kind=kind, field=field) if kind == GAME_KIND:
            words = say.words.require("state", field, "wording", "if_true" if holds else "if_false")
            return Clause(say.words.fill(words))
        case t.Stored(base=base, kind=kind, field=field):
            own = value_nouns.describe_field_clause(say, node, holds=holds)
            return own or build_clause(say.inside(base), IS, f"{not_}{say.words.predicate(kind, field)}")
        case t.Invoke(formula=formula, arguments=(entity,)) if "." in formula:
            kind, _, name = formula.rpartition(".")
            return build_clause(say.inside(entity), IS, f"{not_}{say.words.predicate(kind, name)}")
        case t.Invoke():
            return value_nouns.describe_formula_clause(say, node, holds=holds)
    raise MissingWordsError(what=name_expression(node))


def _named(say: German, name: str, holds: bool) -> Clause:
    """Return the clause of a boolean name, in the translation’s words, or those of a procedure for its result."""
    base, _, part = name.partition(".")
    case = "if_true" if holds else "if_false"
    if not part:
        return Clause(say.words.fill(say.words.require(*say.own, "names", name, case)))
    return Clause(say.words.fill(say.words.require(*say.find_source(base, part), case)))


def _comparison(say: German, node: t.Comparison, holds: bool) -> Clause:
    """Return the clause for a comparison, in the most natural form for its operands."""
    operator = node.operator if holds else _OPPOSITE[node.operator]
    left, right = node.left, node.right
    for value, other in ((right, left), (left, right)):
        if isinstance(value, t.Constant) and value.value is None:
            return _present(say, other, operator == "!=")
    if isinstance(left, t.Constant) and not isinstance(right, t.Constant):
        left, right, operator = right, left, _TURNED[operator]
    if say.called.find_pick(node) is not None:
        not_ = "" if operator == "==" else "nicht"
        return Clause(not_, str(_side(say, right, left)), "wurde", "gewählt")
    match left, right:
        case t.Arithmetic(operator="%", left=number, right=t.Constant(value=2)), t.Constant(value=0 | 1 as rest) if (
            operator in ("==", "!=")
        ):
            odd = (rest == 1) is (operator == "==")
            return build_clause(say.inside(number, Looseness.RELATIVE), IS, "ungerade" if odd else "gerade")
    if isinstance(right, t.Constant) and type(right.value) is bool:
        return say.clause(left, holds=right.value is (operator == "=="))
    if isinstance(present(left.type), Boolean):
        return _alike(say, left, right, same=operator == "==")
    best = find_superlative(replace(node, operator=operator, left=left, right=right))
    if best is not None:
        superlative = member_nouns.describe_superlative(say, best[1], best[3])
        if superlative is not None:
            of = say.inside(best[2])
            return build_clause(say.inside(best[0]), HAS, f"{superlative} {of.genitive}")
    counted = _counted(say, left, right, operator)
    if counted is not None:
        return counted
    subject = _side(say, left, right)
    side = _side(say, right, left)
    if operator in ("==", "!="):
        not_ = "nicht " if operator == "!=" else ""
        if _is_option(left):
            return build_clause(subject, "steht/stehen", f"{not_}auf {side}")
        if isinstance(present(left.type), Integer) and not side.fixed:
            return build_clause(subject, IS, f"{not_}gleich {side.say(Case.DATIVE)}", "", side)
        return build_clause(subject, IS, f"{not_}{side}", "", side)
    if operator in _LINKED:
        return _compared(subject, _LINKED[operator][bool(node.table)], side)
    if node.table:
        return _compared(subject, {"<=": "nicht höher als", ">=": "nicht niedriger als"}[operator], side)
    if side.fixed:
        return build_clause(subject, IS, f"{_AT[operator]} {side}", "", side)
    return _compared(subject, {"<=": "höchstens so groß wie", ">=": "mindestens so groß wie"}[operator], side)


def _compared(subject: Nominal, words: str, side: Nominal) -> Clause:
    """Return a comparison. Except for numbers, what it compares with follows the verb: `größer ist als der Wurf`."""
    if side.fixed:
        return build_clause(subject, IS, f"{words} {side}", "", side)
    degree, _, particle = words.rpartition(" ")
    return replace(build_clause(subject, IS, degree, "", side), tail=f" {particle} {side}")


def _is_option(node: t.Typed) -> bool:
    return isinstance(node, t.Stored) and node.kind == GAME_KIND and node.field.startswith("options.")


def _side(say: German, node: t.Typed, other: t.Typed) -> Nominal:
    if isinstance(node, t.Constant):
        return build_fixed(value_nouns.format_constant(say, node.value, node.type, beside=other))
    return say.inside(node, Looseness.RELATIVE)


def _alike(say: German, left: t.Typed, right: t.Typed, *, same: bool) -> Clause:
    words = "entweder beides zutrifft oder keines von beiden" if same else "genau eines davon zutrifft"
    return _listed(say, words, [say.clause(left), say.clause(right)])


def _listed(say: German, words: str, clauses: list[Clause]) -> Clause:
    """Return words about several clauses, with the clauses in a list below them."""
    listed = say.style.parts([f"dass {each.subordinate}" for each in clauses])
    where = tuple(each for clause in clauses for each in clause.where)
    return Clause(f"{words}:", looseness=Looseness.OPEN, listed=listed, where=where)


def describe_count(say: German, counted: t.Typed, number: int) -> Clause | None:
    """Return the clause that something is there a number of times: `die Seite 3 Trupps hat`.

    Return None if `counted` is no number of things that German has a plural for.
    """
    return _counted(say, counted, t.Constant(INTEGER, number), "")


def _counted(say: German, left: t.Typed, right: t.Typed, operator: str) -> Clause | None:
    """Return a clause such as `der Spieler mindestens 3 Münzen hat` or `es genau 2 Felder gibt`.

    Return None unless a counted field, or the number of objects or of a list with a plural noun, is compared with a
    constant of at least 0. For such a list, return None also for a comparison with 1.
    """
    if not isinstance(right, t.Constant) or type(right.value) is not int or right.value < 0:
        return None
    many = right.value
    if many == 0 and operator in (">", "<="):
        operator, many = {">": ">=", "<=": "<"}[operator], 1
    if many == 0 and operator == "!=":
        operator, many = ">=", 1
    none = (many == 0 and operator in ("", "==")) or (many == 1 and operator == "<")
    match left:
        case t.Stored(base=base, kind=kind, field=field) if kind != GAME_KIND and say.words.is_counted(kind, field):
            unit = say.words.unit(kind, field, one=many == 1)
            owner = say.inside(base)
            if none:
                return build_clause(owner, HAS, negate_noun(say.words.unit(kind, field), Case.ACCUSATIVE))
            return build_clause(owner, HAS, f"{_HAS[operator]} {many} {unit.core(Case.ACCUSATIVE, 'ein')}".strip())
        case t.Aggregate(function="count", condition=None, source=t.Stored() | t.Invoke() as source):
            owned = find_owned_list(source)
            if owned is None or owned[1] == GAME_KIND:
                return None
            noun = say.words.field(owned[1], owned[2])
            if noun.gender is not Gender.PLURAL or (many == 1 and not none):
                return None
            owner = say.inside(owned[0])
            if none:
                return build_clause(owner, HAS, negate_noun(noun, Case.ACCUSATIVE))
            return build_clause(owner, HAS, f"{_HAS[operator]} {many} {noun.core(Case.ACCUSATIVE, '')}".strip())
        case t.Aggregate(function="count", condition=None, source=t.Objects(kind=kind)):
            one = many == 1 and not none
            unit = say.words.kind(kind, several=not one)
            subject = (
                negate_noun(unit, Case.ACCUSATIVE)
                if none
                else f"{_HAS[operator]} {many} {unit.core(Case.ACCUSATIVE, '')}".strip()
            )
            return Clause(subject, "es", "gibt")
    return None


def _membership(say: German, node: t.Membership, holds: bool) -> Clause:
    """Return the clause that a value is in a list, or that it is not."""
    result = holds is not node.negated
    item = _side(say, node.item, node.source)
    options: list[Nominal] = []
    match node.source:
        case t.Items(items=items) if items:
            options = [_side(say, option, node.item) for option in items]
        case t.Constant(value=tuple(held)) if held:
            inner = getattr(present(node.source.type), "inner", node.item.type)
            options = [build_fixed(value_nouns.format_constant(say, value, inner, beside=node.item)) for value in held]
    if options:
        if len(options) == 1:
            return build_clause(item, IS, f"{'' if result else 'nicht '}{options[0]}", "", options[0])
        joined = join_nominals(options, "oder" if result else "noch")
        lead = "entweder" if result else "weder"
        return replace(build_clause(item, IS, f"{lead} {joined}", "", *options), looseness=Looseness.RELATIVE)
    if isinstance(node.source, t.Objects):
        return build_clause(item, IS, "noch im Spiel" if result else "nicht mehr im Spiel")
    among = say.inside(node.source, Looseness.RELATIVE)
    where = among.after("unter")
    return build_clause(item, IS, where if result else f"nicht {where}", "", among)


_JOINED_OTHERWISE = {"and": "or", "or": "and"}
_JOINTS = {"and": "und", "or": "oder"}


def split_clauses(say: German, node: t.Typed, *, holds: bool) -> tuple[list[Clause], str]:
    """Return the operands of a condition as clauses, and the operator that joins them, empty if there is one alone."""
    if not isinstance(node, t.Logic):
        return [say.clause(node, holds=holds)], ""
    operator = node.operator if holds else _JOINED_OTHERWISE[node.operator]
    return [say.clause(operand, holds=holds) for operand in _operands(node, holds)], operator


def _operands(node: t.Logic, holds: bool) -> list[t.Typed]:
    """Return the operands of a logical operation, with nested operations of the same operator flattened."""
    results: list[t.Typed] = []
    for operand in node.operands:
        inner, inner_holds = operand, holds
        while isinstance(inner, t.Not):
            inner, inner_holds = inner.operand, not inner_holds
        if isinstance(inner, t.Logic) and inner_holds is holds and inner.operator == node.operator:
            results += _operands(inner, holds)
        else:
            results.append(operand)
    return results


def _logic(say: German, node: t.Logic, holds: bool) -> Clause:
    """Return joined clauses, or a list of them if a sentence would be ambiguous."""
    clauses, operator = split_clauses(say, node, holds=holds)
    if all(each.firm for each in clauses):
        return join_clauses(clauses, _JOINTS[operator])
    *others, last = clauses
    loose = last.joint == "oder" and not last.listed
    if operator == "and" and len(clauses) < 4 and all(each.firm for each in others) and loose:
        words = f"{', '.join(each.subordinate for each in others)} und {_add_besides(last)}"
        return Clause(words, joint="und", where=tuple(each for part in clauses for each in part.where))
    many = "beides zutrifft" if len(clauses) == 2 else "alles davon zutrifft"
    return _listed(say, many if operator == "and" else "mindestens eines davon zutrifft", clauses)


def _add_besides(clause: Clause) -> str:
    """Return a clause with `außerdem`, behind `es` if it begins with that."""
    text = clause.subordinate
    rest = text.removeprefix("es ")
    return f"außerdem {text}" if rest == text else f"es außerdem {rest}"


def _present(say: German, node: t.Typed, holds: bool) -> Clause:
    """Return the clause that an optional value is there, or that it is not.

    Raises `MissingWordsError` for a value without a noun, unless it is a player.
    """
    match node:
        case t.Stored(base=base, kind=kind, field=field) if kind != GAME_KIND:
            return _has(say.inside(base), say.words.field(kind, field), holds)
        case t.Invoke(formula=formula, arguments=(base,)) if "." in formula:
            kind, _, name = formula.rpartition(".")
            return _has(say.inside(base), say.words.field(kind, name), holds)
        case t.Stored(field=field, type=type_):
            return _there_is(value_nouns.find_game_noun(say, field, type_), holds)
        case t.Local(slot=slot, name=name, type=type_):
            whole, _, part = name.partition(".")
            noun = value_nouns.find_part_noun(say, whole, part, type_) if part else say.bound(name, type_)
            owner = build_definite(say.bound(whole, type_)) if part else None
            if slot in say.called.presence:
                noun = noun if owner is None else noun.owned_by(owner.genitive)
                done, _, verb = say.called.presence[slot].rpartition(" ")
                return Clause(done, (format_one(noun) if holds else negate_noun(noun)), verb)
            return _there_is(noun, holds) if owner is None else _has(owner, noun, holds)
        case t.Variable(name=name, type=type_) if name != say.it and not say.introduced(name):
            return _there_is(say.bound(name, type_), holds)
        case t.ListElement(key=key, among=t.Typed()):
            return build_clause(say.inside(key), HAS, "gewählt" if holds else "nicht gewählt")
        case t.ListElement():
            return say.clause(count_elements(node), holds=holds)
        case t.Apply(function="next" | "previous" as function, arguments=(row,)):
            end = "letzte" if function == "next" else "erste"
            table = say.words.title("tables", getattr(present(row.type), "table", ""))
            item = say.inside(row)
            return build_clause(item, IS, f"{'nicht ' if holds else ''}die {end} Zeile der Tabelle {table}")
        case t.Aggregate(function="first" | "last", element=t.Variable(name=name), variable=variable) if (
            name == variable
        ):
            some = t.Aggregate(BOOLEAN, "any", node.element, variable, node.source, node.condition, None)
            return say.clause(some, holds=holds)
        case t.Invoke():
            phrase = say.inside(node, Looseness.RELATIVE)
            if phrase.noun is not None:
                return replace(_there_is(phrase.noun, holds), where=phrase.where)
    if present(node.type) == PLAYER:
        return build_clause(say.inside(node, Looseness.RELATIVE), IS, "jemand" if holds else "niemand")
    raise MissingWordsError(what="whether a value is there")


def _has(owner: Nominal, noun: Noun, holds: bool) -> Clause:
    predicate = format_one(noun, Case.ACCUSATIVE) if holds else negate_noun(noun, Case.ACCUSATIVE)
    return build_clause(owner, HAS, predicate)


def _there_is(noun: Noun, holds: bool) -> Clause:
    subject, tail = split_tail(format_one(noun, Case.ACCUSATIVE) if holds else noun.say(Case.ACCUSATIVE, NONE))
    return Clause(subject, "es", "gibt", tail=tail)
