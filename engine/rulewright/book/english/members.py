"""The members of a list, as sentences speak of them: all of them, each of them, those of a certain sort."""

from __future__ import annotations

from dataclasses import replace

from rulewright.book.english.grammar import plain
from rulewright.book.english.phrase import Bond, Phrase, build, joined
from rulewright.book.english.say import Say
from rulewright.language.expression import typed as t

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
        self.which = None if node.condition is None else self._which(node.condition)
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
        source = Phrase(f"the {self.several}") if self.one else self.source
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
        if several and source.words.startswith("the "):
            source = replace(source, words=source.words.removeprefix("the "))
        return self._with_which(source)

    def among(self) -> Phrase | None:
        """`the player’s Cards that is red`, behind `none among`; None where `no Cards that are red` can be said."""
        owned = isinstance(self.node.source, t.Stored | t.Invoke) and "’" in plain(self.source.words)
        if not owned or self.which is None or not self.which.words.startswith(("that are ", "that have ")):
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
        if self.which is None:
            return source.bound(Bond.NOUN)
        which = self.which
        if single:
            which = replace(which, words=_single(which.words))
        return build(source, " ", which, bond=self.bond)

    # -- clauses about a member ------------------------------------------------------------

    def _which(self, condition: t.Typed) -> Phrase:
        joint = condition.operator if isinstance(condition, t.Logic) else ""
        parts = condition.operands if isinstance(condition, t.Logic) else (condition,)
        said = [self._relative(part) for part in parts]
        if all(each is not None for each in said) and len(said) <= MOST_RELATIVE:
            return replace(joined([each for each in said if each is not None], joint or "and"), bond=Bond.RELATIVE)
        about = self.say.about(self.node.variable)
        clause = about.clause(condition)
        loose = clause.joint or clause.bond > Bond.RELATIVE
        return build("for which ", clause, bond=Bond.OPEN if loose else Bond.RELATIVE)

    def whose(self, condition: t.Typed) -> Phrase | None:
        """`whose owner is the player`, where a condition is about one quality of the member."""
        found = self._relative(condition)
        return found if found is not None and found.words.startswith("whose ") else None

    def _relative(self, condition: t.Typed) -> Phrase | None:
        said = self.say.about(self.node.variable).clause(condition)
        if said.items or said.joint or said.bond > Bond.RELATIVE:
            return None
        for begins, instead in (("its ", "whose "), ("it is ", "that are "), ("it has ", "that have ")):
            if said.words.startswith(begins):
                return replace(said, words=instead + said.words.removeprefix(begins))
        return None

    def quality(self, element: t.Typed) -> Phrase | None:
        """What of each member is meant, without an article: `price`; None where it is no quality of the member."""
        if isinstance(element, t.Apply) and element.function == "mean":
            inner = self.quality(element.arguments[0])
            return None if inner is None else build("average ", inner)
        if isinstance(element, t.Constant):
            return None
        said = self.say.about(self.node.variable).phrase(element)
        if said.items or said.where or said.bond > Bond.WORD or not said.words.startswith("its "):
            return None
        noun = said.words.removeprefix("its ")
        return Phrase(noun) if "’" not in plain(noun) and " its " not in f" {plain(noun)} " else None


def _single(words: str) -> str:
    """A clause about several, about one of them."""
    for begins, instead in (("that are ", "that is "), ("that have ", "that has ")):
        words = instead + words.removeprefix(begins) if words.startswith(begins) else words
        for joint in (" and ", " or ", ", "):
            words = words.replace(joint + begins, joint + instead)
    return words


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
