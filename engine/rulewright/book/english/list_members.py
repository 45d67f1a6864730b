"""Phrases for the members of a list, as all of them, each of them, or those that meet a condition."""

from __future__ import annotations

from dataclasses import replace

from rulewright.book.english.clauses import Say
from rulewright.book.english.comparisons import describe_shared_fields, find_shared_field
from rulewright.book.english.phrase import Bond, Lead, Phrase, add_article, build, join_phrases
from rulewright.language.declarations import PLAYER_KIND
from rulewright.language.expressions import typed_ast as t
from rulewright.language.types import BOOLEAN, INTEGER, PLAYER, Entity, ListOf, Row, present

_RELATIVE = {
    Lead.ITS: Lead.WHOSE,
    Lead.IT_IS: Lead.THAT_ARE,
    Lead.IT_HAS: Lead.THAT_HAVE,
    Lead.IT_CAN: Lead.THAT_CAN,
    Lead.IT_MAY: Lead.THAT_MAY,
}
"""A mapping from the lead of a clause about `it` to the lead of a relative clause about several members."""
_OF_PEOPLE = {
    Lead.ITS: Lead.WHOSE,
    Lead.IT_IS: Lead.WHO_ARE,
    Lead.IT_HAS: Lead.WHO_HAVE,
    Lead.IT_CAN: Lead.WHO_CAN,
    Lead.IT_MAY: Lead.WHO_MAY,
}
"""The same mapping for players."""
_SINGLE = {
    Lead.THAT_ARE: Lead.THAT_IS,
    Lead.THAT_HAVE: Lead.THAT_HAS,
    Lead.WHO_ARE: Lead.WHO_IS,
    Lead.WHO_HAVE: Lead.WHO_HAS,
}
"""A mapping from the lead of a relative clause about several members to the lead for one member."""
MOST_RELATIVE = 3
"""Maximum number of relative clauses in a condition. Longer conditions follow `for which`."""


class Members:
    """Phrases for the members of one aggregate, with its condition on them."""

    def __init__(self, say: Say, node: t.Aggregate) -> None:
        self.say = say
        self.node = node
        kind = node.source.kind if isinstance(node.source, t.Objects) else ""
        # A player is never `it`.
        self.is_person = isinstance(node.source.type, ListOf) and node.source.type.inner == PLAYER
        self.aside = say.about(node.variable, f"that {say.naming.kind(PLAYER_KIND)}" if self.is_person else "it")
        rows = Row(all_rows(say, node.source))
        self.one = say.naming.kind(kind) if kind else say.naming.member(rows) if rows.table else ""
        self.several = say.naming.kind(kind, several=True) if kind else ""
        if self.one and not kind:
            self.several = say.naming.member(rows, several=True)
        self.which: Phrase | None = None
        self.which_one: Phrase | None = None
        if node.condition is not None:
            self.which, self.which_one = self._which(node.condition)
        self.source = say.inside(node.source)
        inner = node.source.type.inner if isinstance(node.source.type, ListOf) else None
        heap = inner is not None and is_heap(say, node.source)
        named = say.naming.card(inner, several=True) if inner is not None and heap else ""
        self.named = bool(named)
        self.member = say.naming.card(inner) if inner is not None and heap else ""
        if named and self.which is not None:
            # A clause is about the Cards in the hand, and not about the hand.
            self.source = build(f"the {named} in ", self.source, bond=Bond.NOUN, lead=Lead.THE)

    @property
    def countable(self) -> str:
        """The noun for one member if its plural is another word, or an empty string."""
        return "" if self.say.naming.is_mass(self.one) else self.one

    @property
    def is_loose(self) -> bool:
        """Whether the condition follows `for whom` or `for which`, and is no relative clause."""
        return self.which is not None and self.which.tail

    @property
    def bond(self) -> Bond:
        """The bond of the phrase for the members."""
        if self.which is None:
            return Bond.NOUN
        return Bond.OPEN if self.which.items else max(self.which.bond, Bond.RELATIVE)

    def all(self) -> Phrase:
        """Return all members, such as `all Beds`, `the Beds that are watered`, `the player’s Cards`."""
        if self.which is None:
            return self.source
        source = add_article(self.several) if self.one else self.source
        return self._with_which(source.led(Lead.THE) if source.lead == Lead.ALL else source)

    def firm(self) -> Phrase:
        """Return all members in a form that other words may follow, which is a plain phrase or a letter."""
        everyone = self.all()
        return everyone if everyone.bond <= Bond.RELATIVE and not everyone.items else self.say.letter(everyone)

    def bare(self, *, several: bool = False) -> Phrase:
        """Return the members without `all` or `the`, to follow `the number of` or `there are`.

        The `the` of a list with an owner is left out only if `several`.
        """
        if self.one:
            return self._with_which(Phrase(self.several))
        source = self.source
        if (several or self._is_described()) and source.lead == Lead.THE:
            source = source.led(Lead.NONE)
        if source.lead == Lead.ALL:
            source = source.led(Lead.NONE)
        return self._with_which(source)

    def number(self) -> Phrase:
        """Return the phrase for the number of members, or for the size of a collection such as a hand."""
        heap = is_heap(self.say, self.node.source)
        if heap and self.which is None:
            return build("the size of ", self.source, bond=Bond.NOUN)
        if heap and not self.named:
            return build("the number in ", self._with_which(self.source), bond=self.bond)
        return build("the number of ", self.bare(several=heap), bond=max(Bond.NOUN, self.bond))

    def _is_described(self) -> bool:
        """Return whether the phrase for the list begins with its own article instead of an owner."""
        match self.node.source:
            case t.Invoke(formula=formula) if "." not in formula:
                words = self.say.style.ruleset.declarations.formulas[formula].wording.get("", "")
                return words.startswith(Lead.THE)
            case t.Constant():
                return True
        return False

    def among(self) -> Phrase | None:
        """Return a phrase to follow `none among`, such as `the player’s Cards that is red`.

        Return None unless the list has an owner and the condition begins with `that` or `who`.
        """
        owned = isinstance(self.node.source, t.Stored | t.Invoke) and self.source.owner
        if not owned or self.which is None or self.which.lead not in _SINGLE:
            return None
        return self._with_which(self.source, single=True)

    def each(self) -> Phrase:
        """Return the phrase for one member at a time, such as `each Bed` or `each of the player’s Cards`."""
        if self.one and (self.which is None or not self.which.items):
            return self._with_which(Phrase(f"each {self.one}"), single=True)
        if self.named and self.which is None:
            return build(f"each {self.member} in ", self.source, bond=Bond.NOUN)
        everyone = self.firm()
        return build("each of ", everyone, bond=max(Bond.NOUN, everyone.bond))

    def single(self, which: str) -> Phrase:
        """Return the first or the last member, such as `the first Bed that is watered`. `which` is the ordinal."""
        return self._with_which(Phrase(f"the {which} {self.one}", lead=Lead.THE), single=True)

    def counted(self, function: str) -> Phrase:
        """Return the members with the quantifier of `any`, `none` or `all`, such as `at least one Bed`."""
        if self.one and self.which is None:
            return Phrase({"any": "at least one ", "none": "no ", "all": "every "}[function] + self.one)
        everyone = self.firm()
        return build({"any": "at least one of ", "none": "none of ", "all": "each of "}[function], everyone)

    def _with_which(self, source: Phrase, *, single: bool = False) -> Phrase:
        which = self.which_one if single else self.which
        if which is None:
            return source.bound(Bond.NOUN)
        return build(source, " ", which, bond=self.bond)

    # -- clauses about a member ------------------------------------------------------------

    def _which(self, condition: t.Typed) -> tuple[Phrase, Phrase]:
        """Return the condition as a relative clause, or else after `for which`, for several members and for one."""
        other = self._other_than(condition)
        if other is not None:
            return other, other
        joint = condition.operator if isinstance(condition, t.Logic) else ""
        relative = self._relatives(condition)
        if relative is not None:
            one = [each.led(_SINGLE.get(each.lead, each.lead)) for each in relative]
            all_, single = join_phrases(relative, joint or "and"), join_phrases(one, joint or "and")
            return replace(all_, bond=Bond.RELATIVE), replace(single, bond=Bond.RELATIVE)
        clause = self.aside.clause(condition)
        loose = clause.joint or clause.bond > Bond.RELATIVE
        result = replace(
            build(f"for {'whom' if self.is_person else 'which'} ", clause, bond=Bond.OPEN if loose else Bond.RELATIVE),
            tail=True,
        )
        return result, result

    def _other_than(self, condition: t.Typed) -> Phrase | None:
        """Return `other than the player` for a condition that only leaves out one member, or None for others."""
        match condition:
            case (
                t.Comparison(operator="!=", left=t.Variable(name=name), right=other)
                | t.Comparison(operator="!=", left=other, right=t.Variable(name=name))
            ) if name == self.node.variable and isinstance(other.type, Entity | Row):
                phrase = self.aside.inside(other)
                if self.node.variable not in {part.name for part in other.walk() if isinstance(part, t.Variable)}:
                    return build("other than ", phrase, bond=Bond.RELATIVE)
        return None

    def whose(self, condition: t.Typed) -> Phrase | None:
        """Return the condition as a relative clause, such as `whose owner is the player`.

        Return None unless at least one part of the condition begins with `whose`.
        """
        relative = self._relatives(condition)
        if relative is None or all(each.lead != Lead.WHOSE for each in relative):
            return None
        joint = condition.operator if isinstance(condition, t.Logic) else "and"
        one = join_phrases([each.led(_SINGLE.get(each.lead, each.lead)) for each in relative], joint)
        return replace(one, bond=Bond.RELATIVE, joint="")

    def _relatives(self, condition: t.Typed) -> list[Phrase] | None:
        """Return the parts of a condition as relative clauses.

        Return None if there are more than `MOST_RELATIVE`, or if a part fits no relative clause.
        """
        parts = condition.operands if isinstance(condition, t.Logic) else (condition,)
        if isinstance(condition, t.Logic) and condition.operator == "and":
            own = self.say.about(self.node.variable)
            alike = [part for part in parts if isinstance(part, t.Comparison) and part.operator == "=="]
            alike = [part for part in alike if find_shared_field(own, part)]
            shared = describe_shared_fields(own, alike) if len(alike) > 1 else None
            if shared is not None:
                lead = Lead.WHO_HAVE if self.is_person else Lead.THAT_HAVE
                others = [self._relative(part) for part in parts if part not in alike]
                lines = [shared.led(lead) if shared.lead == Lead.IT_HAS else None, *others]
                relative = [each for each in lines if each is not None]
                return relative if len(relative) == len(lines) <= MOST_RELATIVE else None
        lines = [self._relative(part) for part in parts]
        relative = [each for each in lines if each is not None]
        return relative if len(relative) == len(lines) <= MOST_RELATIVE else None

    def _relative(self, condition: t.Typed) -> Phrase | None:
        """Return one part of a condition as a relative clause, or None if it fits none."""
        best = find_superlative(condition)
        if best is not None and best[0] == t.Variable(best[0].type, self.node.variable) and best[2] == self.node.source:
            noun = describe_superlative(self.say, best[1], best[3])
            if noun is not None:
                lead = Lead.WHO_HAVE if self.is_person else Lead.THAT_HAVE
                return Phrase(lead + noun.words, lead=lead)
        text = self.say.about(self.node.variable).clause(condition)
        if text.items or text.joint or text.bond > Bond.RELATIVE:
            return None
        relative = (_OF_PEOPLE if self.is_person else _RELATIVE).get(text.lead)
        return None if relative is None else text.led(relative)

    def how_many(self, element: t.Typed) -> Phrase | None:
        """Return the noun for the size of a list of each member, such as `number of Cards` or `hand size`.

        Return None unless `element` counts, without a condition, a list that is a plain property of the member.
        """
        if not isinstance(element, t.Aggregate) or element.function != "count" or element.condition is not None:
            return None
        of = self.quality(element.source)
        if of is not None and is_heap(self.say, element.source):
            return build(of, " size")
        return None if of is None else build("number of ", of)

    def quality(self, element: t.Typed) -> Phrase | None:
        """Return the noun for a property of the member, without an article, such as `price`.

        Return None if `element` is not a plain property of the member.
        """
        if isinstance(element, t.Apply) and element.function == "mean":
            inner = self.quality(element.arguments[0])
            return None if inner is None else build("average ", inner)
        if isinstance(element, t.Constant):
            return None
        text = self.say.about(self.node.variable).phrase(element)
        if text.items or text.where or text.bond > Bond.WORD or text.lead != Lead.ITS or text.owner or text.again:
            return None
        return Phrase(text.rest)


def find_superlative(node: t.Typed) -> tuple[t.Typed, t.Typed, t.Objects, bool] | None:
    """Return what a comparison says to be the most or the least of its kind, or None if it says nothing like that.

    The result is the object, its number, the objects that it is compared with, and whether the number is the highest:
    `player`, `player.points`, all players and True for `player.points == max(each.points for each in players)`.
    """
    match node:
        case t.Comparison(
            operator="==",
            left=t.Stored() | t.Invoke() as value,
            right=t.Aggregate(
                function="max" | "min" as function,
                condition=None,
                element=element,
                variable=name,
                source=t.Objects() as all_,
            ),
        ) if isinstance(all_.type, ListOf):
            for owner in [value.base] if isinstance(value, t.Stored) else value.arguments:
                if owner is not None and owner.type == all_.type.inner and _put_in(element, name, owner) == value:
                    return owner, value, all_, function == "max"
    return None


def _put_in(element: t.Typed, variable: str, owner: t.Typed) -> t.Typed | None:
    """Return a plain number of a member with another object in place of the member, or None for other numbers."""
    match element:
        case t.Stored(base=t.Variable(name=name)) if name == variable:
            return replace(element, base=owner)
        case t.Invoke(arguments=arguments):
            own = [isinstance(each, t.Variable) and each.name == variable for each in arguments]
            if any(own):
                given = (owner if is_own else each for is_own, each in zip(own, arguments, strict=True))
                return replace(element, arguments=tuple(given))
    return None


def describe_superlative(say: Say, value: t.Typed, highest: bool) -> Phrase | None:
    """Return the noun for the highest or lowest number of something, such as `the most Seeds` or `the lowest worth`.

    Return None if the number goes by no plain noun.
    """
    if isinstance(value, t.Stored) and say.naming.is_counted(value.kind, value.field):
        unit = say.naming.unit(value.field, kind=value.kind)
        least = "least" if say.naming.is_mass(unit) or say.naming.begins_with_mass(unit) else "fewest"
        return Phrase(f"the {'most' if highest else least} {unit}")
    if isinstance(value, t.Invoke) and len(value.arguments) > 1:
        return None
    owner = value.base if isinstance(value, t.Stored) else value.arguments[0] if isinstance(value, t.Invoke) else None
    assert owner is not None
    own = say.about("").phrase(_put_in_variable(value, owner))
    plain = own.lead == Lead.ITS and not (own.items or own.where or own.owner or own.again)
    return Phrase(f"the {'highest' if highest else 'lowest'} {own.rest}") if plain else None


def _put_in_variable(value: t.Typed, owner: t.Typed) -> t.Typed:
    """Return a field or a formula of one object, with a variable without a name in place of `owner`."""
    it = t.Variable(owner.type, "")
    if isinstance(value, t.Stored):
        return replace(value, base=it)
    assert isinstance(value, t.Invoke)
    return replace(value, arguments=(it,))


def all_rows(say: Say, node: t.Typed) -> str:
    """Return the id of the table whose rows a constant list holds, all and in order, or else an empty string."""
    kind = present(node.type)
    if not isinstance(node, t.Constant) or not isinstance(kind, ListOf) or not isinstance(kind.inner, Row):
        return ""
    table = kind.inner.table
    return table if node.value == tuple(say.style.ruleset.declarations.tables[table].rows) else ""


def find_owned_list(source: t.Typed) -> tuple[t.Typed, str, str] | None:
    """Return the owner, the kind and the name of a list that is a field or derived field, or None otherwise."""
    match source:
        case t.Stored(base=base, kind=kind, field=field):
            return base, kind, field
        case t.Invoke(formula=formula, arguments=(base,)) if "." in formula:
            kind, _, field = formula.rpartition(".")
            return base, kind, field
    return None


def is_heap(say: Say, source: t.Typed) -> bool:
    """Return whether a list has a singular noun, such as the player’s hand, which has a size and contains Cards."""
    owned = find_owned_list(source)
    if owned is not None:
        return say.naming.is_heap(*owned[1:])
    match source:
        case t.Local(name=name, type=ListOf()) | t.Variable(name=name, type=ListOf()) if "." not in name:
            if name == say.it or say.introduced(name) or say.find_stand_in(name) is not None:
                return False
            dealt = isinstance(source.type, ListOf) and say.naming.is_dealt(source.type.inner)
            return dealt and not say.naming.is_several(say.naming.bare(name, say.called))
    return False


def find_quantified(say: Say, node: t.Aggregate) -> str:
    """Return the formula of a statement about some or none of a list that needs no pronoun, or an empty string.

    The rules’ own words for it have one place for the member, and it is not their first word: the words are then those
    for one thing, with `at least one of` or `any of` in that place. The formula may also be a list that is not empty:
    `there are cells that at least one player can reach`.
    """
    match node:
        case t.Aggregate(function="any" | "none", condition=None, element=t.Invoke() as element):
            key = "holds" if node.function == "any" else "fails"
        case t.Aggregate(
            function="any" | "none",
            condition=None,
            element=t.Aggregate(
                function="any",
                condition=None,
                element=t.Variable(name=name),
                variable=inner,
                source=t.Invoke() as element,
            ),
        ) if name == inner:
            key = ""
        case _:
            return ""
    declared = say.style.ruleset.declarations.formulas[element.formula]
    words = declared.wording.get(key, "")
    given = dict(zip(declared.parameters, element.arguments, strict=True))
    places = [name for name, value in given.items() if _mentions(value, node.variable)]
    if len(places) == 1 and given[places[0]] == t.Variable(given[places[0]].type, node.variable):
        before, mark, after = words.partition(f"{{given.{places[0]}}}")
        # “There are at least one player’s cards” would not say whose there are.
        once = bool(mark) and mark not in after and (len(before.split()) > 1 if key == "" else bool(before))
        return element.formula if once else ""
    return ""


def _mentions(node: t.Typed, variable: str) -> bool:
    return any(isinstance(part, t.Variable) and part.name == variable for part in node.walk())


def needs_letter(say: Say, node: t.Aggregate) -> bool:
    """Return whether members need a letter, because `it` or `that player` is ambiguous."""
    is_person = isinstance(node.source.type, ListOf) and node.source.type.inner == PLAYER
    return is_used_inside(say, node) or (is_person and _speaks_of_that_player(say, node))


def _speaks_of_that_player(say: Say, node: t.Aggregate) -> bool:
    """Return whether a parameter is `that player` where members are called the same: `players for whom that player`.

    Relative clauses such as `whose size is more than that player’s size` do not name the members.
    """
    that_player = f"that {say.naming.kind(PLAYER_KIND)}"
    parts = [part for part in _list_own_parts(node) if any(_is_called(say, each, that_player) for each in part.walk())]
    return any(part is not node.condition or Members(say, node).is_loose for part in parts)


def _is_called(say: Say, node: t.Typed, words: str) -> bool:
    instead = say.find_stand_in(node.name) if isinstance(node, t.Variable) else None
    return instead is not None and instead.words == words


def _list_own_parts(node: t.Aggregate) -> list[t.Typed]:
    return [part for part in (node.element, node.condition, node.order) if part is not None]


def is_used_inside(say: Say, node: t.Aggregate) -> bool:
    """Return whether an inner aggregate or walk uses the members."""
    for part in _list_own_parts(node):
        for inner in part.walk():
            if isinstance(inner, t.Travel) and _speaks_of(inner, node.variable):
                return True
            if not isinstance(inner, t.Aggregate) or inner.variable == node.variable or find_quantified(say, inner):
                continue
            if any(
                isinstance(each, t.Variable) and each.name == node.variable
                for one in _list_own_parts(inner)
                for each in one.walk()
            ):
                return True
    return False


def _speaks_of(node: t.Travel, variable: str) -> bool:
    return node.variable != variable and any(
        isinstance(each, t.Variable) and each.name == variable for each in node.walk()
    )


def count_elements(node: t.ListElement) -> t.Typed:
    """Return the condition that a list has an element with that number: that it is long enough."""
    item = t.Variable(present(node.type), "each")
    count = t.Aggregate(INTEGER, "count", item, "each", node.source, None, None)
    return t.Comparison(BOOLEAN, ">=", count, node.key)
