"""English phrases for aggregates: counts, sums, extremes, and statements about all members of a list."""

from __future__ import annotations

from dataclasses import replace

from rulewright.book.english import list_members
from rulewright.book.english.clauses import Say, is_worded, join_clauses
from rulewright.book.english.grammar import choose_article
from rulewright.book.english.list_members import Members
from rulewright.book.english.naming import humanize
from rulewright.book.english.phrase import Bond, Lead, Phrase, build, build_clause, join_phrases
from rulewright.language.declarations import GAME_KIND, split_column
from rulewright.language.expressions import typed_ast as t
from rulewright.language.types import BOOLEAN, Boolean, ListOf, present

_OF_VALUES = {
    "sum": "the total {what} of ",
    "max": "the highest {what} of ",
    "min": "the lowest {what} of ",
    "first": "the {what} of the first of ",
    "last": "the {what} of the last of ",
}
"""Templates for an aggregate over a property of each member, such as `the highest price of `."""
_OVER = {
    "sum": ("the total, for ", ", of "),
    "max": ("the highest, for ", ", of "),
    "min": ("the lowest, for ", ", of "),
    "first": ("for the first of ", ", "),
    "last": ("for the last of ", ", "),
    "list": ("for ", ", "),
}
"""Templates for an element that calls the member `it`. They name the members before the element."""
_OF_THEMSELVES = {
    "sum": ("all of ", " added up"),
    "max": ("the highest of ", ""),
    "min": ("the lowest of ", ""),
    "first": ("the first of ", ""),
    "last": ("the last of ", ""),
    "list": ("", ""),
}
"""Text before and after the members, for an aggregate over the members themselves."""
_BY_LETTER = {
    "sum": "the total, for ",
    "max": "the highest, for ",
    "min": "the lowest, for ",
    "first": "for the first ",
    "last": "for the last ",
    "list": "for ",
}
"""Text before a member that has a letter."""
_ABOUT_THE_LIST = {"distinct": ", without repeats", "flatten": ", all in one list"}
"""Text after the phrase for a list, for the functions that return it in another form."""
_OPPOSITE = {"any": "none", "none": "any"}


def describe_value(say: Say, node: t.Aggregate) -> Phrase:
    """Return the phrase for the value of an aggregate.

    The booleans `any`, `none` and `all` become `whether …`. Raises `ValueError` if the phrase for the members ends with
    a list, because no words may follow a list.
    """
    if isinstance(node.type, Boolean) and node.function in ("any", "none", "all"):
        return build("whether ", describe_clause(say, node, holds=True), bond=Bond.OPEN)
    if node.function in _ABOUT_THE_LIST:
        values = describe_value(say, replace(node, function="list", type=ListOf(node.element.type)))
        return build(say.fit(values, Bond.OPEN), _ABOUT_THE_LIST[node.function], bond=Bond.OPEN)
    if list_members.needs_letter(say, node):
        return _by_letter(say, node)
    provided = _provided(say, node)
    if provided is not None:
        return provided
    of = Members(say, node)
    if node.function == "count":
        return of.number()
    itself = _is_itself(node.element, node)
    quality = of.quality(node.element)
    if quality is None and node.order is None and node.function in ("sum", "max", "min"):
        quality = of.how_many(node.element)
    if node.order is not None and node.function in ("first", "last"):
        return _chosen(say, node, of)
    where = of.all()
    if node.order is not None:
        key, backwards = _read_order(node.order)
        by = of.quality(key)
        where = say.letter(where) if where.items else where
        if isinstance(key, t.Variable) and key.name == node.variable:
            where = build(where, ", in descending order" if backwards else ", in order", bond=Bond.OPEN)
        else:
            order = build(by) if by is not None else of.aside.inside(key)
            where = build(where, _IN_ORDER[backwards], order, bond=Bond.OPEN)
    if itself and node.order is None and node.function in ("first", "last") and of.countable and not where.items:
        return of.single(node.function)
    if itself:
        before, after = _OF_THEMSELVES.get(node.function, (f"the {node.function} of ", ""))
        bond = Bond.OPEN if after else max(Bond.NOUN, where.bond)
        return build(before, where, after, bond=bond) if after else build(before, where, bond=bond)
    if quality is not None and node.function != "list":
        words = _OF_VALUES.get(node.function, f"the {node.function} {{what}} of ")
        return build(words.format(what=quality.words), where, bond=max(Bond.NOUN, where.bond))
    each = of.each() if node.function not in ("first", "last") and node.order is None else where
    what = of.aside.phrase(node.element)
    if quality is not None:
        return build(f"the {quality.words} of ", each, bond=max(Bond.NOUN, each.bond))
    before, between = _OVER.get(node.function, (f"the {node.function}, for ", ", of "))
    if each.items:
        raise ValueError("no words may follow a list of members")
    return build(before, each, between, what, bond=Bond.OPEN)


def describe_summands(say: Say, node: t.Aggregate) -> Phrase | None:
    """Return a total among other summands as `for each Bed, its size’s price`.

    Return None for a total of a plain property of the members, or of the members of several lists.
    """
    if node.function != "sum" or node.order is not None or list_members.needs_letter(say, node):
        return None
    of = Members(say, node)
    if of.quality(node.element) is not None or of.how_many(node.element) is not None or _is_itself(node.element, node):
        return None
    each = of.each()
    return None if each.items else build("for ", each, ", ", of.aside.phrase(node.element), bond=Bond.OPEN)


def _chosen(say: Say, node: t.Aggregate, of: Members) -> Phrase:
    """Return the phrase for the first or last member in an order.

    It reads `the Bed with the lowest price (if tied, the first)`, and with a condition on the members `of the Beds that
    are watered, the one with the lowest price (if tied, the first)`. For a value of this member, it begins with `the
    name of this one:` or `for this one:`.
    """
    assert node.order is not None
    key, backwards = _read_order(node.order)
    tie = node.function
    end = "lowest" if (tie == "first") != backwards else "highest"
    quality = of.quality(key)
    by = quality if quality is not None else of.aside.inside(key)
    noun = (of.countable if node.condition is None else "") or "one"
    among: list[str | Phrase] = [] if noun == of.countable else ["of ", of.firm(), ", "]
    with_ = f"the {noun} with the {end} {'' if quality is not None else 'value of '}"
    one = build(*among, with_, by, f" (if tied, the {tie})", bond=Bond.OPEN)
    if _is_itself(node.element, node):
        return one
    what = of.quality(node.element)
    if what is not None:
        return build(f"the {what.words} of this one: ", one, bond=Bond.OPEN)
    return build("for this one: ", one, "; ", of.aside.inside(node.element), bond=Bond.OPEN)


_IN_ORDER = {False: ", in order of ", True: ", in descending order of "}
"""Text between a list and the value that orders it, by whether it is ordered backwards."""


def _read_order(order: t.Typed) -> tuple[t.Typed, bool]:
    """Return the value that orders a list, and whether it does so backwards, because it has a minus sign."""
    match order:
        case t.Arithmetic(operator="-", left=t.Constant(value=0), right=t.Cell(column=t.ROW_RANK, base=row)):
            return row, True
        case t.Arithmetic(operator="-", left=t.Constant(value=0), right=key):
            return key, True
    return order, False


def _provided(say: Say, node: t.Aggregate) -> Phrase | None:
    """Return a list with its independent conditions after `provided that`.

    A condition is independent if it does not use the member. Return None if there is no such condition, or if the
    sentence would be ambiguous.
    """
    condition = node.condition
    if not isinstance(condition, t.Logic) or condition.operator != "and" or node.function not in ("list", "first"):
        return None
    apart = [part for part in condition.operands if not _speaks_of(part, node.variable)]
    rest = [part for part in condition.operands if part not in apart]
    if not apart or not rest or node.order is not None or not _is_itself(node.element, node):
        return None
    members_ = describe_value(say, replace(node, condition=_all(rest)))
    clause = say.clause(_all(apart))
    if members_.items or members_.bond > Bond.RELATIVE or clause.items:
        return None
    return build(members_, ", provided that ", clause, bond=Bond.OPEN)


def _speaks_of(node: t.Typed, variable: str) -> bool:
    return any(isinstance(part, t.Variable) and part.name == variable for part in node.walk())


def _all(conditions: list[t.Typed]) -> t.Typed:
    return conditions[0] if len(conditions) == 1 else t.Logic(BOOLEAN, "and", tuple(conditions))


def describe_clause(say: Say, node: t.Aggregate, *, holds: bool) -> Phrase:
    """Return the clause for `any`, `none` or `all`, negated if `holds` is false."""
    function, element_holds = node.function, True
    if not holds:
        function, element_holds = ("any", False) if function == "all" else (_OPPOSITE[function], True)
    if _is_itself(node.element, node) and not isinstance(present(node.element.type), Boolean):
        return _existence(say, node, any_=function == "any")
    quantified = _quantified(say, node, function) if element_holds else None
    if quantified is not None:
        return quantified
    if list_members.needs_letter(say, node):
        return _clause_by_letter(say, node, function, element_holds)
    of = Members(say, node)
    if function in ("any", "none") and node.condition is None and element_holds:
        which = of.whose(node.element)
        if which is not None:
            return _one_among(of, which, any_=function == "any")
    text, joint = join_clauses(say.about(node.variable), node.element, holds=element_holds)
    if all(_is_predicate(part) for part in text):
        verbs = [_choose_verb(part) for part in text]
        # After several verbs, a joined clause could be read as one more verb of this clause.
        bond = Bond.OPEN if len(verbs) > 1 else None
        return build(of.counted(function), " ", join_phrases(verbs, joint or "and"), bond=bond)
    return build("for ", of.counted(function), ", ", of.aside.clause(node.element, holds=element_holds), bond=Bond.OPEN)


def _quantified(say: Say, node: t.Aggregate, function: str) -> Phrase | None:
    """Return a clause such as `the Card can be added to at least one of the Melds`, or to none of them.

    Return None if the rules have no words that fit, or if the phrase for the members is no plain noun.
    """
    stated = replace(node, function=function)
    if not list_members.find_quantified(say, stated):
        return None
    of = Members(say, stated)
    some = {"any": ("at least one ", "at least one of "), "none": ("any ", "any of ")}[function]
    several = Phrase(some[0] + of.one) if of.one else build(some[1], of.firm())
    if several.bond > Bond.NOUN or several.where:
        return None
    return say.standing_in(node.variable, several).clause(node.element, holds=function == "any")


def _is_predicate(clause: Phrase) -> bool:
    """Return whether a clause only states a property of `it`."""
    plain = not (clause.joint or clause.items) and clause.bond <= Bond.RELATIVE
    return plain and clause.lead in (Lead.IT_IS, Lead.IT_HAS)


def _choose_verb(clause: Phrase) -> Phrase:
    """Return a clause without its subject `it`, such as `is red`."""
    verb = "is" if clause.lead == Lead.IT_IS else "has"
    return replace(clause, words=f"{verb} {clause.rest}", lead=Lead.NONE)


def _one_among(of: Members, which: Phrase, *, any_: bool) -> Phrase:
    """Return a clause such as `there is a card whose owner is the player`, or that there is none."""
    if of.one:
        return build(f"there is {choose_article(of.one) if any_ else f'no {of.one}'} ", which)
    return build(f"there is {'one' if any_ else 'none'} among ", of.firm(), " ", which)


def _existence(say: Say, node: t.Aggregate, *, any_: bool) -> Phrase:
    """Return the clause that the aggregate has members, or that it has none."""
    no = "" if any_ else "no "
    owned = list_members.find_owned_list(node.source)
    if node.condition is None and list_members.is_heap(say, node.source):
        return build_clause(say.inside(node.source), "is", "not empty" if any_ else "empty")
    if owned is not None and node.condition is None:
        base, kind, field = owned
        if kind != GAME_KIND:
            return build_clause(say.inside(base), "has", f"{no}{say.naming.field(kind, field)}")
    match node.source:
        case t.Invoke(formula=formula, arguments=(base,)) if (
            node.condition is None and "." not in formula and not is_worded(say, formula)
        ):
            return build_clause(say.inside(base), "has", f"{no}{say.style.name(humanize(split_column(formula)[1]))}")
        case t.Local(name=name) | t.Variable(name=name) if node.condition is None and name not in say.called.words:
            return build("the list ", Phrase(say.naming.name(name)), f" is {'empty' if no else 'not empty'}")
    if list_members.needs_letter(say, node):
        letter, inner = say.introducing(node.variable)
        assert node.condition is not None
        which = inner.clause(node.condition, holds=True)
        some = f"for {'at least one' if any_ else 'no'} {say.style.name(letter)} among "
        return build(some, say.inside(node.source), ", ", which, bond=Bond.OPEN)
    of = Members(say, node)
    among = of.among()
    if among is not None:
        return build(f"there is {'one' if any_ else 'none'} among ", among)
    return build(f"there are {no}", of.bare(several=True))


def _is_itself(element: t.Typed, node: t.Aggregate) -> bool:
    return isinstance(element, t.Variable) and element.name == node.variable


def describe_each_counted(say: Say, node: t.Aggregate) -> Phrase | None:
    """Return the phrase for one counted member, such as `each of the player’s Cards`.

    Return None if the phrase needs a letter or a list, because it then fits into no sentence.
    """
    if list_members.needs_letter(say, node):
        return None
    each = Members(say, node).each()
    return None if each.items else each


# -- sentences about the members of several lists ---------------------------------------------


def _by_letter(say: Say, node: t.Aggregate) -> Phrase:
    """Return the phrase for the value of an aggregate, with a letter for its member."""
    letter, inner = say.introducing(node.variable)
    name = say.style.name(letter)
    members_ = _lettered(say, inner, node)
    if node.function == "count":
        return build(f"the number of {name} among ", members_, bond=Bond.OPEN)
    order: list[str | Phrase] = []
    if node.order is not None:
        key, backwards = _read_order(node.order)
        order = [_IN_ORDER[backwards], inner.inside(key)]
    if node.function in ("first", "last") and node.order is None and _is_itself(node.element, node):
        return build(f"the {node.function} {name} among ", members_, bond=Bond.OPEN)
    if node.function == "list" and node.order is None and _is_itself(node.element, node):
        return build(f"those {name} among ", members_, bond=Bond.OPEN)
    every = "" if node.function in ("first", "last") else "every "
    what = inner.phrase(node.element)
    if members_.bond > Bond.RELATIVE:
        members_ = say.letter(members_)
    between = ", of " if node.function in ("sum", "max", "min") else ", "
    return build(
        _BY_LETTER.get(node.function, f"the {node.function}, for "),
        f"{every}{name} among ",
        members_,
        *order,
        between,
        what,
        bond=Bond.OPEN,
    )


def _lettered(say: Say, inner: Say, node: t.Aggregate) -> Phrase:
    """Return the list with the condition on the member that the letter names."""
    source = say.inside(node.source)
    if node.condition is None:
        return source
    which = inner.clause(node.condition)
    if which.items:
        return build(source, " for which ", which, bond=Bond.OPEN)
    return build(source, " for which ", which, bond=Bond.OPEN if which.joint else Bond.RELATIVE)


def _clause_by_letter(say: Say, node: t.Aggregate, function: str, element_holds: bool) -> Phrase:
    """Return the clause of an aggregate, with a letter for its member."""
    letter, inner = say.introducing(node.variable)
    name = say.style.name(letter)
    every = {"any": f"at least one {name}", "none": f"no {name}", "all": f"every {name}"}[function]
    members_ = _lettered(say, inner, node)
    if members_.bond > Bond.RELATIVE:
        members_ = say.letter(members_)
    return build(f"for {every} among ", members_, ", ", inner.clause(node.element, holds=element_holds), bond=Bond.OPEN)
