"""The members of a list, as sentences speak of them: all of them, each of them, those of a certain sort."""

from __future__ import annotations

from dataclasses import replace

from rulewright.book.english.phrase import Bond, Lead, Phrase, build, joined, the
from rulewright.book.english.say import Say
from rulewright.language.expression import typed as t

_RELATIVE = {Lead.ITS: Lead.WHOSE, Lead.IT_IS: Lead.THAT_ARE, Lead.IT_HAS: Lead.THAT_HAVE}
"""What is said of a member, as said of several among others."""
_SINGLE = {Lead.THAT_ARE: Lead.THAT_IS, Lead.THAT_HAVE: Lead.THAT_HAS}
"""The same, of one."""
MOST_RELATIVE = 3
"""Clauses about members that still stand in the sentence; more of them are listed."""


class Members:
    """The members of one list, with the condition on them."""

    def __init__(self, say: Say, node: t.Aggregate) -> None:
        self.say = say
        self.node = node
        kind = node.source.kind if isinstance(node.source, t.Objects) else ""
        self.one = say.naming.kind(kind) if kind else ""
        self.several = say.naming.kind(kind, several=True) if kind else ""
        self.which: Phrase | None = None
        self.which_one: Phrase | None = None
        if node.condition is not None:
            self.which, self.which_one = self._which(node.condition)
        self.source = say.inside(node.source)

    @property
    def bond(self) -> Bond:
        """How firmly the members hold together."""
        if self.which is None:
            return Bond.NOUN
        return Bond.OPEN if self.which.items else max(self.which.bond, Bond.RELATIVE)

    def all(self) -> Phrase:
        """`all Beds`, `the Beds that are watered`, `the player’s Cards`."""
        if self.which is None:
            return self.source
        source = the(self.several) if self.one else self.source
        return self._with_which(source)

    def firm(self) -> Phrase:
        """All of them, where the sentence goes on."""
        everyone = self.all()
        return everyone if everyone.bond <= Bond.RELATIVE and not everyone.items else self.say.letter(everyone)

    def bare(self, *, several: bool = False) -> Phrase:
        """The same without `all` or `the`, behind `the number of` or `there are`."""
        if self.one:
            return self._with_which(Phrase(self.several))
        source = self.source
        if several and source.lead == Lead.THE:
            source = source.led(Lead.NONE)
        return self._with_which(source)

    def among(self) -> Phrase | None:
        """`the player’s Cards that is red`, behind `none among`; None where `no Cards that are red` can be said."""
        owned = isinstance(self.node.source, t.Stored | t.Invoke) and self.source.owner
        if not owned or self.which is None or self.which.lead not in (Lead.THAT_ARE, Lead.THAT_HAVE):
            return None
        return self._with_which(self.source, single=True)

    def each(self) -> Phrase:
        """`each Bed`, `each of the player’s Cards`."""
        if self.one and (self.which is None or not self.which.items):
            return self._with_which(Phrase(f"each {self.one}"), single=True)
        everyone = self.firm()
        return build("each of ", everyone, bond=max(Bond.NOUN, everyone.bond))

    def counted(self, function: str) -> Phrase:
        """As many of them as `any`, `none` or `all` speaks of."""
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
        """Which members are meant, and which one of them."""
        joint = condition.operator if isinstance(condition, t.Logic) else ""
        parts = condition.operands if isinstance(condition, t.Logic) else (condition,)
        said = [self._relative(part) for part in parts]
        relative = [each for each in said if each is not None]
        if len(relative) == len(said) <= MOST_RELATIVE:
            one = [each.led(_SINGLE.get(each.lead, each.lead)) for each in relative]
            all_, single = joined(relative, joint or "and"), joined(one, joint or "and")
            return replace(all_, bond=Bond.RELATIVE), replace(single, bond=Bond.RELATIVE)
        about = self.say.about(self.node.variable)
        clause = about.clause(condition)
        loose = clause.joint or clause.bond > Bond.RELATIVE
        found = build("for which ", clause, bond=Bond.OPEN if loose else Bond.RELATIVE)
        return found, found

    def whose(self, condition: t.Typed) -> Phrase | None:
        """`whose owner is the player`, where a condition is about one quality of the member."""
        found = self._relative(condition)
        return found if found is not None and found.lead == Lead.WHOSE else None

    def _relative(self, condition: t.Typed) -> Phrase | None:
        said = self.say.about(self.node.variable).clause(condition)
        if said.items or said.joint or said.bond > Bond.RELATIVE:
            return None
        relative = _RELATIVE.get(said.lead)
        return None if relative is None else said.led(relative)

    def quality(self, element: t.Typed) -> Phrase | None:
        """What of each member is meant, without an article: `price`; None where it is no quality of the member."""
        if isinstance(element, t.Apply) and element.function == "mean":
            inner = self.quality(element.arguments[0])
            return None if inner is None else build("average ", inner)
        if isinstance(element, t.Constant):
            return None
        said = self.say.about(self.node.variable).phrase(element)
        if said.items or said.where or said.bond > Bond.WORD or said.lead != Lead.ITS or said.owner or said.again:
            return None
        return Phrase(said.rest)


def need_letter(node: t.Aggregate) -> bool:
    """Whether its members are spoken of where the members of another list are, so that `it` could be either."""
    own = [part for part in (node.element, node.condition, node.order) if part is not None]
    for part in own:
        for inner in part.walk():
            if not isinstance(inner, t.Aggregate) or inner.variable == node.variable:
                continue
            said = [each for each in (inner.element, inner.condition, inner.order) if each is not None]
            if any(isinstance(each, t.Variable) and each.name == node.variable for one in said for each in one.walk()):
                return True
    return False
