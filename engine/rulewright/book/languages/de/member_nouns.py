"""German phrases for the members of lists: counts, sums, extremes, and statements about all of them."""

from __future__ import annotations

from dataclasses import replace

from rulewright.book.english.list_members import all_rows, find_owned_list, is_used_inside
from rulewright.book.languages.de.declension import BARE, DEFINITE, EACH, INDEFINITE, NONE, Case, Gender, Noun
from rulewright.book.languages.de.interfaces import German
from rulewright.book.languages.de.nominals import (
    Clause,
    Looseness,
    Nominal,
    build_clause,
    build_definite,
    format_each_of,
    join_clauses,
    negate_noun,
    split_tail,
)
from rulewright.book.languages.de.pronouns import move_mark, pluralize_clause, resolve_marks
from rulewright.book.languages.missing_words import MissingWordsError
from rulewright.language.declarations import GAME_KIND
from rulewright.language.expressions import typed_ast as t
from rulewright.language.types import BOOLEAN, Boolean, ListOf, Type, present

_OPPOSITE = {"any": "none", "none": "any"}


def find_gender(several: Nominal, member: Noun | None) -> Gender:
    """Return the gender of one of several things: that of their own noun, or else of the noun for their type."""
    if several.noun is not None and several.noun.single is not None:
        return several.noun.single
    return member.gender if member is not None else Gender.NEUTER


class ListMembers:
    """Phrases for the members of one aggregate, with its condition on them."""

    def __init__(self, say: German, node: t.Aggregate) -> None:
        self.say = say
        self.node = node
        inner = node.source.type.inner if isinstance(node.source.type, ListOf) else None
        whole = isinstance(node.source, t.Objects) or bool(all_rows(say, node.source))  # type: ignore[arg-type]
        member = say.words.member(inner) if inner is not None else None
        self.one = member if whole else None
        self.source = say.inside(node.source)
        self.gender = find_gender(self.source, member)
        self.aside = say.about(node.variable, self.gender)

    def which(self, gender: Gender) -> Clause | None:
        """Return the condition as a clause after a comma, for one member with a gender or for several."""
        condition = self.node.condition
        return None if condition is None else self.relative(condition, gender)

    def relative(self, condition: t.Typed, gender: Gender, *, holds: bool = True) -> Clause:
        """Return a condition, negated unless it `holds`, as a relative clause: `die leer sind`, `bei denen …`.

        Raises `MissingWordsError` for a condition that is a list.
        """
        if isinstance(condition, t.Not):
            return self.relative(condition.operand, gender, holds=not holds)
        if isinstance(condition, t.Logic):
            parts = [self.relative(each, gender, holds=holds) for each in condition.operands]
            return join_clauses(parts, "und" if (condition.operator == "and") is holds else "oder")
        clause = self.say.about(self.node.variable, gender).clause(condition, holds=holds)
        if clause.listed:
            raise MissingWordsError(what="a list within a relative clause")
        text = clause.subordinate
        if gender is Gender.PLURAL and not clause.verb:
            text = pluralize_clause(text)
        fronted = move_mark(text)
        if fronted:
            words = resolve_marks(fronted, gender, relative=True)
        else:
            which = {Gender.PLURAL: "denen", Gender.FEMININE: "der"}.get(gender, "dem")
            words = f"bei {which} {resolve_marks(text, gender)}"
        return replace(clause, middle=words, subject="", verb="", end="")

    def all(self) -> Nominal:
        """Return all members: `alle Felder`, `die Helden des Spielers, die leer ausgehen`."""
        clause = self.which(Gender.PLURAL)
        if clause is None:
            return self.source
        return self._with(self._several(), clause)

    def _several(self) -> Nominal:
        """Return the members in the plural with the definite article, as a relative clause needs it."""
        if self.one is not None:
            inner = self.node.source.type
            assert isinstance(inner, ListOf)
            noun = self.say.words.member(inner.inner, several=True)
            assert noun is not None
            return build_definite(noun)
        return self.source

    def _with(self, several: Nominal, clause: Clause) -> Nominal:
        """Return members with a relative clause, between commas."""
        # A comma closes the clause where the sentence goes on; marks in the sentence leave it out at its end.
        put = Nominal(
            lambda case: f"{several.say(case)}, {clause.middle},",
            Gender.PLURAL,
            Looseness.RELATIVE if clause.firm else Looseness.OPEN,
            noun=several.noun,
        )
        return replace(put, where=(*several.where, *clause.where))

    def firm(self) -> Nominal:
        """Return all members in a form that other words may follow."""
        return self.say.fit(self.all(), Looseness.RELATIVE)

    def number(self) -> Nominal:
        """Return the phrase for the number of members."""
        several = self.all()
        noun = self.one
        if noun is not None and self.node.condition is None:
            inner = self.node.source.type
            assert isinstance(inner, ListOf)
            counted = self.say.words.member(inner.inner, several=True)
            assert counted is not None
            return build_definite(Noun("Zahl", Gender.FEMININE, after=f"aller {counted.core(Case.GENITIVE, DEFINITE)}"))
        several = self.say.fit(several, Looseness.RELATIVE)
        return replace(
            build_definite(Noun("Zahl", Gender.FEMININE, after=several.genitive), several.looseness),
            where=several.where,
        )

    def quality(self, element: t.Typed) -> Noun | None:
        """Return the noun for a plain property of the member, such as `Preis`, or None for other elements."""
        match element:
            case t.Apply(function="mean", arguments=(inner,)):
                noun = self.quality(inner)
                return noun.with_adjective("durchschnittlich") if noun is not None and not noun.before else None
            case t.Stored(base=t.Variable(name=name), kind=kind, field=field) if name == self.node.variable:
                return self.say.words.field(kind, field)
            case t.Invoke(formula=formula, arguments=(t.Variable(name=name),)) if (
                name == self.node.variable and "." in formula
            ):
                kind, _, field = formula.rpartition(".")
                return self.say.words.field(kind, field)
            case t.Cell(base=t.Variable(name=name), table=table, column=column) if (
                name == self.node.variable and column != t.ROW_RANK
            ):
                return self.say.words.column(table, column)
        return None


_STEMS = {"max": "höchst", "min": "niedrigst", "sum": "gesamt", "first": "erst", "last": "letzt"}


def describe_value(say: German, node: t.Aggregate) -> Nominal:
    """Return the phrase for the value of an aggregate.

    Raises `MissingWordsError` for what German or the translation has no words for.
    """
    if isinstance(node.type, Boolean) and node.function in ("any", "none", "all"):
        clause = describe_clause(say, node, holds=True)
        return replace(
            Nominal(lambda case: f"ob {clause.subordinate}", looseness=Looseness.OPEN, fixed=True), where=clause.where
        )
    if is_used_inside(say, node):  # type: ignore[arg-type]
        return _by_letter(say, node)
    of = ListMembers(say, node)
    if node.function == "count":
        return of.number()
    itself = _is_itself(node.element, node)
    if node.order is not None:
        return _chosen(say, node, of)
    if itself:
        return _of_themselves(say, node, of)
    quality = of.quality(node.element)
    if quality is None and node.function == "sum":
        return _sum_up(say, node, of)
    if quality is None:
        raise MissingWordsError(what=f"{node.function} of a computed value")
    several = of.firm()
    if node.function == "list":
        noun = say.words.member(node.element.type, several=True)
        if noun is None:
            raise MissingWordsError(what="a list of values")
        return replace(build_definite(noun.owned_by(several.genitive), several.looseness), where=several.where)
    stem = _STEMS.get(node.function)
    if stem is None or quality.before or node.function in ("first", "last"):
        raise MissingWordsError(what=f"{node.function} of values")
    noun = quality.with_adjective(stem).owned_by(several.genitive)
    return replace(build_definite(noun, several.looseness), where=several.where)


def _sum_up(say: German, node: t.Aggregate, of: ListMembers) -> Nominal:
    """Return the sum of what is computed for each member: `die Summe aus dem Preis ihrer Art für jede der Karten`."""
    each = of.aside.inside(node.element)
    several = of.firm()
    shape = Gender.NEUTER if of.gender is Gender.PLURAL else of.gender
    text = resolve_marks(each.say(Case.DATIVE), shape)
    total = Noun("Summe", Gender.FEMININE, after=f"aus {text} für {format_each_of(shape, several, Case.ACCUSATIVE)}")
    return replace(build_definite(total, Looseness.RELATIVE), where=(*each.where, *several.where))


def _of_themselves(say: German, node: t.Aggregate, of: ListMembers) -> Nominal:
    """Return an aggregate of the members themselves: their list, the first, the last, an extreme or the sum.

    Raises `MissingWordsError` for any other function.
    """
    several = of.all()
    match node.function:
        case "list":
            return several
        case "first" | "last":
            firm = of.firm()
            stem = _STEMS[node.function]
            shape = Gender.NEUTER if of.gender is Gender.PLURAL else of.gender
            noun = _Ordinal(stem, shape)
            return replace(
                Nominal(lambda case: f"{noun.say(case)} {firm.genitive}", shape, firm.looseness), where=firm.where
            )
        case "sum":
            firm = of.firm()
            return replace(
                build_definite(Noun("Summe", Gender.FEMININE, after=firm.genitive), firm.looseness), where=firm.where
            )
        case "max" | "min":
            firm = of.firm()
            noun = _Ordinal(_STEMS[node.function], of.gender if of.gender is not Gender.PLURAL else Gender.NEUTER)
            return replace(
                Nominal(lambda case: f"{noun.say(case)} {firm.genitive}", noun.gender, firm.looseness), where=firm.where
            )
    raise MissingWordsError(what=f"{node.function} of a list")


class _Ordinal:
    """An adjective that is a noun, `der erste`, in the gender of what it stands for."""

    def __init__(self, stem: str, gender: Gender) -> None:
        self.stem = stem
        self.gender = gender

    def say(self, case: Case) -> str:
        """Return it in a case, with its article."""
        from rulewright.book.languages.de.declension import adapt_adjective, choose_article

        adjective = adapt_adjective(self.stem, DEFINITE, self.gender, case)
        return f"{choose_article(DEFINITE, self.gender, case)} {adjective}"


def _chosen(say: German, node: t.Aggregate, of: ListMembers) -> Nominal:
    """Return the first or last member in an order.

    Raises `MissingWordsError` for a list in an order, for a value of the member, and for an order that is no plain
    property.
    """
    assert node.order is not None
    key, backwards = node.order, False
    match node.order:
        case t.Arithmetic(operator="-", left=t.Constant(value=0), right=inner):
            key, backwards = inner, True
    quality = of.quality(key)
    if quality is None or node.function not in ("first", "last") or not _is_itself(node.element, node):
        raise MissingWordsError(what="a list in an order")
    lowest = (node.function == "first") != backwards
    firm = of.firm()
    shape = Gender.NEUTER if of.gender is Gender.PLURAL else of.gender
    extreme = "niedrigst" if lowest else "höchst"
    by = replace(quality, before=(extreme, *quality.before)) if quality.before else quality.with_adjective(extreme)
    if quality.before:
        # Both adjectives match_number: `mit der niedrigsten durchschnittlichen Stärke`.
        from rulewright.book.languages.de.declension import adapt_adjective

        first = adapt_adjective(extreme, DEFINITE, quality.gender, Case.DATIVE)
        by = replace(quality, before=(first, *quality.before))
    tie = _Ordinal(_STEMS[node.function], shape)
    that = {
        Gender.MASCULINE: "derjenige desjenigen demjenigen denjenigen",
        Gender.FEMININE: "diejenige derjenigen derjenigen diejenige",
    }
    pointing = that.get(shape, "dasjenige desjenigen demjenigen dasjenige").split()

    def put(case: Case) -> str:
        return f"{pointing[case]} {firm.genitive} mit {by.say(Case.DATIVE)} (bei mehreren {tie.say(case)} davon)"

    return replace(Nominal(put, shape, Looseness.RELATIVE), where=firm.where)


def _by_letter(say: German, node: t.Aggregate) -> Nominal:
    """Return the value of an aggregate whose member needs a letter, because an inner list speaks of it.

    Raises `MissingWordsError` unless it is the list, the number or the first of members with a condition that is no
    list.
    """
    letter, inner = say.introducing(node.variable)
    name = say.style.name(letter)
    source = say.inside(node.source)
    if node.condition is None or not _is_itself(node.element, node) or node.function not in ("list", "count", "first"):
        raise MissingWordsError(what="a member with a letter")
    clause = inner.clause(node.condition)
    if clause.listed:
        raise MissingWordsError(what="a list within a relative clause")
    lead = {"list": "alle", "count": "die Zahl aller", "first": "das erste"}[node.function]

    def put(case: Case) -> str:
        all_ = {Case.DATIVE: "allen", Case.GENITIVE: "aller"}.get(case, lead) if node.function == "list" else lead
        return f"{all_} {name} unter {source.say(Case.DATIVE)}, für die gilt, dass {clause.subordinate}"

    gender = Gender.PLURAL if node.function == "list" else Gender.FEMININE
    return replace(Nominal(put, gender, Looseness.OPEN), where=(*source.where, *clause.where))


def describe_clause(say: German, node: t.Aggregate, *, holds: bool) -> Clause:
    """Return the clause for `any`, `none` or `all`, negated if `holds` is false.

    Raises `MissingWordsError` for what German or the translation has no words for.
    """
    function, element_holds = node.function, True
    if not holds:
        function, element_holds = ("any", False) if function == "all" else (_OPPOSITE[function], True)
    if is_used_inside(say, node):  # type: ignore[arg-type]
        raise MissingWordsError(what="a statement about several lists")
    of = ListMembers(say, node)
    if _is_itself(node.element, node) and not isinstance(present(node.element.type), Boolean):
        return _existence(say, node, of, any_=function == "any")
    if function in ("any", "none") and element_holds:
        condition = node.element
        if node.condition is not None:
            condition = t.Logic(BOOLEAN, "and", (node.condition, node.element))
        joined = replace(node, condition=condition, element=t.Variable(_inner(node), node.variable))
        return _existence(say, joined, ListMembers(say, joined), any_=function == "any")
    subject = say.about(node.variable, of.gender)
    clause = subject.clause(node.element, holds=element_holds)
    if clause.listed or move_mark(clause.subordinate) != clause.subordinate:
        raise MissingWordsError(what="a statement about each member")
    firm = of.firm()
    shape = Gender.NEUTER if of.gender is Gender.PLURAL else of.gender
    if function == "all":
        each = (
            of.one.say(Case.NOMINATIVE, EACH)
            if of.one and node.condition is None
            else format_each_of(shape, firm, Case.NOMINATIVE)
        )
    else:
        each = f"mindestens {_some_of(of, firm, shape)}"
    text = clause.subordinate
    if clause.subject != clause.subject[:1] or not clause.subject:
        raise MissingWordsError(what="a statement about each member")
    return replace(
        clause,
        middle=resolve_marks(clause.middle, shape),
        subject=each,
        where=(*clause.where, *firm.where),
        looseness=Looseness.RELATIVE if text else clause.looseness,
    )


def _some_of(of: ListMembers, firm: Nominal, gender: Gender) -> str:
    from rulewright.book.languages.de.nominals import format_one_of

    if of.one is not None and of.node.condition is None:
        return of.one.say(Case.NOMINATIVE, INDEFINITE)
    return format_one_of(gender, firm, Case.NOMINATIVE)


def _inner(node: t.Aggregate) -> Type:
    kind = node.source.type
    assert isinstance(kind, ListOf)
    return kind.inner


def _existence(say: German, node: t.Aggregate, of: ListMembers, *, any_: bool) -> Clause:
    """Return the clause that a list has members, or that it has none.

    Raises `MissingWordsError` for members with a condition but without a noun.
    """
    owned = find_owned_list(node.source)
    if owned is not None and node.condition is None and owned[1] != GAME_KIND:
        held = say.words.field(owned[1], owned[2])
        if held.gender is not Gender.PLURAL:
            return build_clause(say.inside(node.source), "ist/sind", "nicht leer" if any_ else "leer")
        predicate = held.say(Case.ACCUSATIVE, BARE if any_ else NONE)
        return build_clause(say.inside(owned[0]), "hat/haben", predicate)
    clause = of.which(Gender.PLURAL)
    several = of._several()
    noun = several.noun
    if noun is None:
        if isinstance(node.source.type, ListOf) and clause is not None:
            raise MissingWordsError(what="members without a noun")
        return build_clause(several, "ist/sind", "nicht leer" if any_ else "leer")
    predicate = noun.say(Case.ACCUSATIVE, BARE) if any_ else negate_noun(noun, Case.ACCUSATIVE)
    predicate, tail = split_tail(predicate)
    if clause is not None:
        tail += f", {clause.middle},"
    where = (*several.where, *(clause.where if clause is not None else ()))
    loose = clause is not None and not clause.firm
    return Clause(
        predicate, "es", "gibt", looseness=Looseness.OPEN if loose else Looseness.RELATIVE, where=where, tail=tail
    )


def _is_itself(element: t.Typed, node: t.Aggregate) -> bool:
    return isinstance(element, t.Variable) and element.name == node.variable


def describe_superlative(say: German, value: t.Typed, highest: bool) -> str | None:
    """Return the object of `hat` for the highest or lowest number of something: `die meisten Münzen`.

    Return None if the number is no field, or if its noun has an adjective.
    """
    match value:
        case t.Stored(kind=kind, field=field) if say.words.is_counted(kind, field):
            unit = say.words.unit(kind, field)
            return f"die {'meisten' if highest else 'wenigsten'} {unit.core(Case.ACCUSATIVE)}"
        case t.Stored(kind=kind, field=field):
            named = kind, field
        case t.Invoke(formula=formula) if "." in formula:
            kind, _, field = formula.rpartition(".")
            named = kind, field
        case _:
            return None
    noun = say.words.field(*named)
    if noun.before:
        return None
    return noun.with_adjective("höchst" if highest else "niedrigst").say(Case.ACCUSATIVE)
