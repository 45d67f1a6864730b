"""English clauses for conditions and their negations."""

from __future__ import annotations

from dataclasses import replace

from rulewright.book.english import aggregate_phrases
from rulewright.book.english.clauses import (
    JOINED_OTHERWISE,
    Say,
    describe_field_clause,
    describe_formula_clause,
    join_clauses,
)
from rulewright.book.english.comparisons import (
    TURNED,
    compare_counts,
    count_noun,
    describe_numbers,
    describe_shared_fields,
)
from rulewright.book.english.grammar import choose_article, strip_markup, strip_sort
from rulewright.book.english.list_members import (
    count_elements,
    describe_superlative,
    find_owned_list,
    find_superlative,
    is_heap,
)
from rulewright.book.english.phrase import (
    Bond,
    Lead,
    Phrase,
    add_article,
    build,
    build_clause,
    build_list,
    join_phrases,
)
from rulewright.book.style.fill_placeholders import format_value
from rulewright.language.declarations import GAME_KIND
from rulewright.language.expressions import typed_ast as t
from rulewright.language.types import BOOLEAN, PLAYER, Boolean, Integer, ListOf, present

_COMPARED = {
    "==": "",
    "!=": "not ",
    "<": "less than ",
    "<=": "at most ",
    ">": "more than ",
    ">=": "at least ",
}
"""Words between `is` and the right side of a comparison."""
_EQUALS = {"==": ("equal", "equals"), "!=": ("do not equal", "does not equal")}
"""The verbs between two numbers that the rules compute, for a subject in the plural and in the singular."""
_OR = {"<=": " or less", ">=": " or more"}
"""Words after a number that a value is compared with: `the roll is 4 or more`."""
_RANKED = {
    **_COMPARED,
    "<": "lower than ",
    "<=": "no higher than ",
    ">": "higher than ",
    ">=": "no lower than ",
}
"""The same for rows of an ordered table."""
_HAS = {
    "==": "exactly ",
    "!=": "not exactly ",
    "<": "fewer than ",
    "<=": "at most ",
    ">": "more than ",
    ">=": "at least ",
}
"""Words before a number of objects."""
_ALL_OF = {"and": "all of these apply", "or": "at least one of these applies"}
MOST_BESIDE_EITHER = 3
"""Maximum number of operands of an `and` that ends with an `or`. Longer conditions become lists."""

_OPPOSITE = {"==": "!=", "!=": "==", "<": ">=", ">=": "<", ">": "<=", "<=": ">"}


def describe_condition(say: Say, node: t.Typed, *, holds: bool) -> Phrase:
    """Return the clause for a condition, negated if `holds` is false."""
    not_ = "" if holds else "not "
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
            return aggregate_phrases.describe_clause(say, node, holds=holds)
        case t.Local(name=name) if name in say.called.clauses:
            return Phrase(say.truth(name, holds))
        case t.Local(name=name):
            base, _, part = name.partition(".")
            if part:
                return Phrase(
                    f"{say.naming.describe_result(base, say.called)} is {not_}{say.naming.part(part, say.called)}"
                )
            called = say.naming.describe_result(name, say.called) if name in say.called.words else say.naming.name(name)
            return Phrase(f"{called} {'holds' if holds else 'does not hold'}")
        case t.Stored(kind=kind, field=field) if kind == GAME_KIND and not field.startswith(("options.", "deck.")):
            text = say.naming.clause(field, holds=holds)
            return Phrase(text or f"{say.naming.name(field)} {'holds' if holds else 'does not hold'}")
        case t.Stored(base=base, kind=kind, field=field) if kind != GAME_KIND:
            own = describe_field_clause(say, node, holds=holds)
            return own or build_clause(say.inside(base), "is", f"{not_}{say.naming.field(kind, field)}")
        case t.Invoke(formula=formula, arguments=(entity,)) if "." in formula:
            kind, _, name = formula.rpartition(".")
            return build_clause(say.inside(entity), "is", f"{not_}{say.naming.field(kind, name)}")
        case t.Cell(table=table, column=column, base=row) if not isinstance(row, t.Lookup):
            return build_clause(say.inside(row), "is", f"{not_}{say.naming.column(table, column)}")
        case t.PartOf(record=record, part=part, base=whole):
            return build_clause(say.inside(whole), "is", f"{not_}{say.naming.part_of_record(record, part)}")
        case t.Invoke():
            return describe_formula_clause(say, node, holds=holds)
        case t.After():
            return _after(say, node, holds)
        case t.Constant(value=bool(value)):
            return Phrase("always" if value is holds else "never")
        case t.If(condition=condition, then=then, otherwise=otherwise):
            first = t.Logic(BOOLEAN, "and", (condition, then if holds else t.Not(BOOLEAN, then)))
            second = t.Logic(
                BOOLEAN, "and", (t.Not(BOOLEAN, condition), otherwise if holds else t.Not(BOOLEAN, otherwise))
            )
            return say.clause(t.Logic(BOOLEAN, "or", (first, second)))
    return build(say.inside(node), f" {'holds' if holds else 'does not hold'}")


def _after(say: Say, node: t.After, holds: bool) -> Phrase:
    """Return the clause for a condition after a procedure: `after Move a stone with the cell, the stone is safe`."""
    given = [say.inside(argument) for argument in node.arguments]
    values = build(" with ", join_phrases(given)) if given else ""
    condition = say.clause(node.condition, holds=holds)
    return build("after ", say.naming.procedure(node.procedure), values, ", ", condition, bond=Bond.OPEN)


def _comparison(say: Say, node: t.Comparison, holds: bool) -> Phrase:
    """Return the clause for a comparison, in the most natural form for its operands."""
    operator = node.operator if holds else _OPPOSITE[node.operator]
    left, right = node.left, node.right
    if isinstance(right, t.Constant) and right.value is None:
        return _present(say, left, operator == "!=")
    if isinstance(left, t.Constant) and left.value is None:
        return _present(say, right, operator == "!=")
    if isinstance(left, t.Constant) and not isinstance(right, t.Constant):
        left, right, operator = right, left, TURNED[operator]
    if isinstance(right, t.Constant) and say.called.find_pick(node) is not None:
        if right.value in say.called.clauses:
            return Phrase(say.truth(str(right.value), operator == "=="))
        not_ = "" if operator == "==" else "not "
        return Phrase(f"the choice is {not_}{say.constant(right.value, right.type, beside=left)}")
    setting = _setting(say, left, right, operator)
    if setting is not None:
        return setting
    match left, right:
        case t.Arithmetic(operator="%", left=number, right=t.Constant(value=2)), t.Constant(value=0 | 1 as rest) if (
            operator in ("==", "!=")
        ):
            odd = (rest == 1) is (operator == "==")
            return build_clause(say.inside(number, Bond.RELATIVE), "is", "odd" if odd else "even")
    if isinstance(right, t.Constant) and type(right.value) is bool:
        return say.clause(left, holds=right.value is (operator == "=="))
    if isinstance(present(left.type), Boolean):
        return _alike(say, left, right, same=operator == "==")
    best = find_superlative(replace(node, operator=operator, left=left, right=right))
    noun = describe_superlative(say, best[1], best[3]) if best is not None else None
    if best is not None and noun is not None:
        return build_clause(say.inside(best[0]), "has", noun, " of ", say.inside(best[2]))
    if best is not None:
        value = say.inside(best[1], Bond.RELATIVE)
        return build_clause(value, "is", f"the {'highest' if best[3] else 'lowest'} of ", say.inside(best[2]))
    counted = (
        describe_counted(say, left, right, operator)
        or describe_numbers(say, left, right, operator)
        or compare_counts(say, left, right, operator)
        or _number_there(say, left, right, operator)
    )
    if counted is not None:
        return counted
    shared = describe_shared_fields(say, [replace(node, left=left, right=right)], holds=operator == "==")
    if shared is not None:
        return shared
    match left:
        case t.Stored(base=t.Typed() as base, kind=kind, field=field) if operator in ("==", "!=") and _says_its_field(
            say, say.naming.field(kind, field), right
        ):
            if operator == "==":
                return build_clause(say.inside(base), "has", _side(say, right, left))
            return build_clause(say.inside(base), "does", "not have ", _side(say, right, left))
    sort = _sort(say, left, right, operator)
    if sort is not None:
        return sort
    words = (_RANKED if node.table else _COMPARED)[operator]
    verb = "is"
    if isinstance(left, t.Stored) and left.kind != GAME_KIND:
        verb = say.naming.agreeing(verb, say.naming.field(left.kind, left.field))
    subject, bound = _side(say, left, right), _side(say, right, left)
    if isinstance(right, t.Constant) and not node.table and operator in _OR:
        return build_clause(subject, verb, bound, _OR[operator])
    is_number = isinstance(present(left.type), Integer) and not isinstance(right, t.Constant)
    if is_number and operator in _EQUALS and subject.lead not in (Lead.IT, Lead.ITS):
        return build_clause(subject, _EQUALS[operator][verb == "is"], bound)
    return build_clause(subject, verb, words, bound)


def _sort(say: Say, left: t.Typed, right: t.Typed, operator: str) -> Phrase | None:
    """Return the clause that a thing is of a sort, such as `the plant is a Rose` for `the sort of plant is Rose`."""
    if not (isinstance(left, t.Local) and isinstance(right, t.Constant) and operator in ("==", "!=")):
        return None
    noun = strip_sort(say.phrase(left).words)
    one = choose_article(say.constant(right.value, right.type, beside=left)) if noun else ""
    return build_clause(add_article(noun), "is", "" if operator == "==" else "not ", one) if noun else None


def _says_its_field(say: Say, noun: str, value: t.Typed) -> bool:
    """Return whether a constant reads like the noun of its field, as in `its walls are walls`."""
    return (
        isinstance(value, t.Constant)
        and strip_markup(say.inside(value).words).casefold() == strip_markup(noun).casefold()
    )


def _alike(say: Say, left: t.Typed, right: t.Typed, *, same: bool) -> Phrase:
    """Return the clause that two booleans are equal, or that they differ."""
    words = "either both of these apply, or neither does" if same else "exactly one of these applies"
    return build_list(words, [say.clause(left), say.clause(right)])


def describe_counted(
    say: Say, left: t.Typed, right: t.Typed, operator: str, *, exactly: str = "exactly "
) -> Phrase | None:
    """Return a clause such as `the player has at least 3 Cards` or `there are exactly 2 Beds`.

    Return None unless a counted field, the size of a list that has an owner, or the number of all objects of a kind is
    compared with a constant of at least 0 on the right. `exactly` are the words before a number that is equal.
    """
    has = {**_HAS, "==": exactly}
    if not isinstance(right, t.Constant) or type(right.value) is not int or right.value < 0:
        return None
    many, single = right.value, right.value == 1
    if many == 0 and operator in (">", "<="):
        operator, many, single = {">": ">=", "<=": "<"}[operator], 1, True
    match left:
        case t.Stored(base=base, kind=kind, field=field) if kind != GAME_KIND and say.naming.is_counted(kind, field):
            unit = say.naming.unit(field, single=single, kind=kind)
            owner = say.inside(base)
            if many == 0 and operator == "==":
                return build_clause(owner, "has", f"no {unit}")
            if operator == "!=":
                return build_clause(owner, "does", f"not have {'exactly ' if many else ''}{many} {unit}")
            mass = say.naming.is_mass(unit) or say.naming.begins_with_mass(unit)
            return build_clause(
                owner, "has", f"{'less than ' if mass and operator == '<' else has[operator]}{many} {unit}"
            )
        case t.Aggregate(function="count", condition=None, source=t.Stored() | t.Invoke() as source):
            return _owned_number(say, source, many, operator, has[operator])
        case t.Aggregate(function="count", condition=None, source=t.Objects(kind=kind)):
            unit = say.naming.kind(kind, several=not single)
            verb = "is" if single else "are"
            if many == 0 and operator == "==":
                return Phrase(f"there are no {unit}")
            return Phrase(f"there {verb} {has[operator]}{many} {unit}")
    return None


def _number_there(say: Say, left: t.Typed, right: t.Typed, operator: str) -> Phrase | None:
    """Return a clause such as `there are fewer than 2 Beds that are dry`, or None.

    None is returned unless a number of things in the plural, or the size of a deck, is compared with a constant.
    """
    if not isinstance(right, t.Constant) or type(right.value) is not int or right.value < 0 or operator == "!=":
        return None
    many, noun = right.value, count_noun(say, left)
    deck = isinstance(left, t.Stored) and left.field.startswith("deck.") and noun is not None
    if many == 0 and operator == "<=":
        operator = "=="
    if deck and many == 0 and operator == ">":
        operator, many = ">=", 1
    if noun is None or (operator not in ("==", ">") and many == 0):
        return None
    if many == 0 and operator == ">":
        # A name may be a difference, of which “more than 0” says on which side it is.
        return None if isinstance(left, t.Local) else replace(noun, words=f"there are {noun.rest}", lead=Lead.NONE)
    if many == 1 and not deck:
        known = operator == "==" and noun.lead == Lead.THE
        return build("only one of ", noun, " is left", bond=Bond.OPEN) if known else None
    if many == 0:
        return replace(noun, words=f"there are no {noun.rest}", lead=Lead.NONE)
    words = noun.rest.replace("cards", "card", 1) if many == 1 else noun.rest
    how = "only " if deck and operator == "==" else _HAS[operator]
    return replace(noun, words=f"there {'is' if many == 1 else 'are'} {how}{many} {words}", lead=Lead.NONE)


def _setting(say: Say, left: t.Typed, right: t.Typed, operator: str) -> Phrase | None:
    """Return the clause that the players agreed on a choice of a setting whose label says enough, or None.

    A label of one word needs the title of the setting, and so does one that several settings have.
    """
    if not isinstance(left, t.Stored) or not left.field.startswith("options.") or not isinstance(right, t.Constant):
        return None
    options, name = say.style.ruleset.declarations.options, left.field.removeprefix("options.")
    label = options[name].choices.get(str(right.value), "")
    if " " not in label or sum(label in option.choices.values() for option in options.values()) > 1:
        return None
    not_ = "" if operator == "==" else "do not "
    words = format_value(label, right.type, say.style.unlinked())
    return Phrase(f"you {not_}play with {say.style.rule(f'options.{name}', f'“{words}”')}")


def _owned_number(say: Say, source: t.Typed, many: int, operator: str, how: str) -> Phrase | None:
    """Return a clause such as `the player has at least 3 Cards`, with the words `how` before the number.

    Return None for a list without an owner, a list of the game, a heap such as a hand, and a list without a plural
    noun.
    """
    owned = find_owned_list(source)
    if owned is None or owned[1] == GAME_KIND or is_heap(say, source):
        return None
    base, kind, field = owned
    noun = say.naming.field(kind, field)
    if many == 1 and isinstance(source.type, ListOf):
        several, noun = noun, say.naming.member(source.type.inner)
        if not noun or say.naming.member(source.type.inner, several=True) != several:
            return None
    elif not say.naming.is_several(noun):
        return None
    if many == 0 and operator == "==":
        return build_clause(say.inside(base), "has", f"no {noun}")
    if operator == "!=":
        return build_clause(say.inside(base), "does", f"not have {'exactly ' if many else ''}{many} {noun}")
    return build_clause(say.inside(base), "has", f"{how}{many} {noun}")


def _side(say: Say, node: t.Typed, other: t.Typed) -> Phrase:
    if isinstance(node, t.Constant):
        return Phrase(say.constant(node.value, node.type, beside=other))
    # The words of a boolean that begins with `whether` would run into the words after it.
    return say.inside(node, Bond.RELATIVE)


def _membership(say: Say, node: t.Membership, holds: bool) -> Phrase:
    """Return the clause that a value is in a list, or that it is not."""
    result = holds is not node.negated
    item = _side(say, node.item, node.source)
    match node.source:
        case t.Items(items=items) if items:
            options = [_side(say, option, node.item) for option in items]
            return _one_of(item, options, result)
        case t.Constant(value=tuple(values)) if values:
            inner = getattr(present(node.source.type), "inner", node.item.type)
            options = [Phrase(say.constant(value, inner, beside=node.item)) for value in values]
            return _one_of(item, options, result)
    if isinstance(node.source, t.Objects):
        return build_clause(item, "is", f"{'still' if result else 'no longer'} in play")
    where = "in " if is_heap(say, node.source) else "among "
    return build_clause(item, "is", where if result else f"not {where}", say.inside(node.source, Bond.RELATIVE))


def _one_of(item: Phrase, options: list[Phrase], result: bool) -> Phrase:
    """Return the clause that an item is one of `options`, or that it is none of them if `result` is false."""
    if len(options) == 1:
        return build_clause(item, "is", "" if result else "not ", options[0])
    if result:
        # Without `either`, an enclosing `or` could be read as part of this one.
        return replace(build_clause(item, "is", "either ", join_phrases(options, "or")), joint="")
    if len(options) == 2:
        return replace(build_clause(item, "is", "neither ", join_phrases(options, "nor")), joint="")
    return replace(build_clause(item, "is", "none of ", join_phrases(options, "and")), joint="")


def _logic(say: Say, node: t.Logic, holds: bool) -> Phrase:
    """Return joined clauses, or a list of them if a sentence would be ambiguous."""
    bounds = _bounds(say, node, holds)
    if bounds is not None:
        return bounds
    text, operator = join_clauses(say, node, holds=holds)
    if all(_is_firm(part) for part in text) and not any(part.tail for part in text[:-1]):
        return join_phrases(text, operator)
    if operator == "and" and len(text) <= MOST_BESIDE_EITHER and _ends_in_either(text):
        return join_phrases([*text[:-1], build("either ", text[-1], joint="")], operator)
    return build_list(_all_of(operator, len(text)), text, joint=operator)


def _bounds(say: Say, node: t.Logic, holds: bool) -> Phrase | None:
    """Return a clause with two bounds of one value, such as `the price is at least 3 and less than 5`.

    The second can also be that the value is the highest or the lowest of all. Return None for other conditions.
    """
    match node.operands:
        case t.Comparison(left=left, right=low) as first, t.Comparison(left=again, right=high) as second if (
            left == again and not (_is_number_of(say, left) or isinstance(present(left.type), Boolean))
        ):
            operators = [each.operator if holds else _OPPOSITE[each.operator] for each in (first, second)]
            best = find_superlative(replace(second, operator=operators[1]))
            if operators[0] not in _ORDERED or (operators[1] not in _ORDERED and best is None):
                return None
            words = _RANKED if first.table else _COMPARED
            if best is None:
                end = build(words[operators[1]], _side(say, high, left))
            else:
                end = build(f"the {'highest' if best[3] else 'lowest'} of ", say.inside(best[2]))
            joint = node.operator if holds else JOINED_OTHERWISE[node.operator]
            subject, bound = _side(say, left, low), _side(say, low, left)
            return replace(build_clause(subject, "is", words[operators[0]], bound, f" {joint} ", end), joint=joint)
    return None


_ORDERED = ("<", "<=", ">", ">=")


def _is_number_of(say: Say, node: t.Typed) -> bool:
    """Return whether a value is a number of things, which goes by `has at least 3 Cards`."""
    match node:
        case t.Stored(kind=kind, field=field) if kind != GAME_KIND:
            return say.naming.is_counted(kind, field)
        case t.Aggregate(function="count", condition=None):
            return True
    return False


def _is_firm(part: Phrase) -> bool:
    """Return whether other clauses may be joined to this one without ambiguity."""
    return not (part.items or part.joint) and part.bond <= Bond.RELATIVE


def _ends_in_either(phrases: list[Phrase]) -> bool:
    """Return whether only the last clause is an `or` of plain clauses, which `either` keeps together."""
    *others, last = phrases
    firm = all(_is_firm(part) and not part.tail for part in others)
    return firm and last.joint == "or" and not last.items and last.bond <= Bond.RELATIVE


def _all_of(operator: str, many: int) -> str:
    return "both of these apply" if operator == "and" and many == 2 else _ALL_OF[operator]


def _present(say: Say, node: t.Typed, holds: bool) -> Phrase:
    """Return the clause that an optional value exists, or that it does not."""
    match node:
        case t.Stored(base=base, kind=kind, field=field) if kind != GAME_KIND:
            noun = say.naming.field(kind, field)
            return build_clause(say.inside(base), "has", say.naming.one(noun) if holds else f"no {noun}")
        case t.Entry(base=t.Stored(kind=kind, field=field, type=map_type), key=key) if kind == GAME_KIND:
            noun = _bare(say.naming.of_the_game(field, map_type))
            return build_clause(say.inside(key), "has", say.naming.one(noun) if holds else f"no {noun}")
        case t.Cell(table=table, column=column, base=row) if not isinstance(row, t.Lookup | t.Constant) and (
            say.naming.has_words(table, column) or say.naming.word(column) is not None
        ):
            noun = say.naming.column(table, column)
            return build_clause(say.inside(row), "has", say.naming.one(noun) if holds else f"no {noun}")
        case t.Stored(field=field, type=type_):
            noun = _bare(say.naming.of_the_game(field, type_))
            return Phrase(f"there is {say.naming.one(noun) if holds else f'no {noun}'}")
        case t.Local(name=name) if name in say.called.clauses:
            return Phrase(say.truth(name, holds))
        case t.Local(slot=slot, name=name, type=kind):
            whole, _, part = name.partition(".")
            noun = say.naming.role(part) if part else _bare(say.naming.bound(name, kind, say.called))
            noun = say.naming.one(noun) if holds else f"no {noun}"
            verb = say.called.presence.get(slot)
            owner = say.naming.describe_result(whole, say.called) if part else ""
            if verb:
                # A name such as `the bid chosen` says how it came about.
                noun = noun.removesuffix(f" {verb.rpartition(' ')[2]}")
                return Phrase(f"{noun}{f' of {owner}' if owner else ''} {verb}")
            return Phrase(f"{owner} has {noun}" if owner else f"there is {noun}")
        case t.Variable(name=name, type=kind) if (
            present(kind) != PLAYER and name != say.it and not (say.introduced(name) or say.find_stand_in(name))
        ):
            bare = _bare(say.naming.bound(name, kind, say.called))
            positive = bare if say.naming.is_several(bare) else say.naming.one(bare)
            return Phrase(f"there {say.naming.be(bare)} {positive if holds else f'no {bare}'}")
        case t.ListElement(key=key, among=t.Typed()):
            return build_clause(say.inside(key), "has", "chosen" if holds else "not chosen")
        case t.ListElement():
            return say.clause(count_elements(node), holds=holds)
        case t.Apply(function="next" | "previous" as function, arguments=(row,)):
            end = f"the {'last' if function == 'next' else 'first'} of "
            table = say.naming.table(getattr(present(row.type), "table", ""))
            return build_clause(say.inside(row), "is", f"{'not ' if holds else ''}{end}{table}")
        case t.Aggregate(function="first" | "last", element=t.Variable(name=name), variable=variable) if (
            name == variable
        ):
            some = t.Aggregate(BOOLEAN, "any", node.element, variable, node.source, node.condition, None)
            return say.clause(some, holds=holds)
        case t.Invoke(formula=formula, arguments=(base,)) if "." in formula:
            kind, _, name = formula.rpartition(".")
            noun = say.naming.field(kind, name)
            return build_clause(say.inside(base), "has", say.naming.one(noun) if holds else f"no {noun}")
        case t.Invoke():
            text = say.inside(node, Bond.RELATIVE)
            if text.lead == Lead.THE:
                noun = say.naming.one(text.rest) if holds else f"no {text.rest}"
                return replace(text, words=f"there is {noun}", lead=Lead.NONE)
    if present(node.type) == PLAYER:
        return build_clause(say.inside(node, Bond.RELATIVE), "is", "somebody" if holds else "nobody")
    return build_clause(say.inside(node, Bond.RELATIVE), "is", "not nothing" if holds else "nothing")


def _bare(noun: Phrase) -> str:
    """Return a noun without its article."""
    return noun.rest if noun.lead == Lead.THE else noun.words
