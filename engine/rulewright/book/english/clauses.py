"""What the parts of the fold ask of the whole: clauses that are joined, and formulas in the rules' own words."""

from __future__ import annotations

from dataclasses import replace
from typing import Protocol

from rulewright.book.english.naming import NameWords, Naming, humanize
from rulewright.book.english.phrase import Bond, Lead, Phrase, add_article, build, join_phrases
from rulewright.book.style.fill_placeholders import fill
from rulewright.book.style.text_style import Style
from rulewright.language.declarations import PLAYER_KIND
from rulewright.language.expressions import typed_ast as t
from rulewright.language.expressions.typed_ast import Typed
from rulewright.language.types import PLAYER, Type, present
from rulewright.ruleset.prose.placeholders import Literal, Part, Placeholder, parse_parts


class Say(Protocol):
    """English for one ruleset in one style. `it` is the variable that is called `pronoun` just now."""

    style: Style
    naming: Naming
    called: NameWords
    it: str | None
    pronoun: str

    def phrase(self, node: Typed) -> Phrase:
        """Return the value as a noun phrase, with whatever has to be listed below it."""

    def inside(self, node: Typed, bond: Bond = Bond.NOUN) -> Phrase:
        """Return the value as a part of a larger phrase.

        As firm as `bond`, or a letter that is told behind the sentence.
        """

    def clause(self, node: Typed, *, holds: bool = True) -> Phrase:
        """Return the truth value as a clause, or its opposite."""

    def fit(self, found: Phrase, bond: Bond = Bond.NOUN) -> Phrase:
        """Return a phrase as a part of a larger one: itself, or a letter for it."""

    def about(self, variable: str | None, pronoun: str = "it") -> Say:
        """Return the same, where `variable` is called `it`, or whatever else stands for it."""

    def truth(self, name: str, holds: bool) -> str:
        """Return that what a name notes is so, or is not, in the rules' own words."""

    def introducing(self, variable: str) -> tuple[str, Say]:
        """Return a letter for `variable`, and the same where it is called by that letter."""

    def introduced(self, variable: str) -> str:
        """Return the letter that `variable` goes by; empty if it has none."""

    def letter(self, found: Phrase) -> Phrase:
        """Return a letter for a phrase, which is told behind the sentence."""

    def owned(self, base: Typed, noun: str) -> Phrase:
        """Return what belongs to `base`: `its owner`, `the city’s owner`, `the price of …`."""

    def constant(self, value: object, kind: Type, *, beside: Typed | None = None) -> str:
        """Return a value that is written in the rules; `beside` is what it is compared with."""


_JOINED_OTHERWISE = {"and": "or", "or": "and"}


def join_clauses(say: Say, node: t.Typed, *, holds: bool) -> tuple[list[Phrase], str]:
    """Return the clauses that a truth value, or its opposite, is joined of, and the word that joins them."""
    if not isinstance(node, t.Logic):
        return [say.clause(node, holds=holds)], ""
    operator = node.operator if holds else _JOINED_OTHERWISE[node.operator]
    return [say.clause(operand, holds=holds) for operand in _operands(node, operator, holds)], operator


def _operands(node: t.Logic, operator: str, holds: bool) -> list[t.Typed]:
    """Return the parts joined by one word, those of parts that are joined by the same word among them."""
    found: list[t.Typed] = []
    for operand in node.operands:
        inner, inner_holds = operand, holds
        while isinstance(inner, t.Not):
            inner, inner_holds = inner.operand, not inner_holds
        if isinstance(inner, t.Logic) and inner_holds is holds and inner.operator == node.operator:
            found += _operands(inner, operator, holds)
        else:
            found.append(operand)
    return found


GIVEN = "given"


def describe_noun(say: Say, node: t.Invoke) -> Phrase:
    """Return what a formula or a derived field gives; without words of its own, by its name."""
    kind, _, name = node.formula.rpartition(".")
    if kind:
        return say.owned(node.arguments[0], say.naming.field(kind, name))
    return _describe(say, node, "") or _name(say, node)


def describe_formula_clause(say: Say, node: t.Invoke, *, holds: bool) -> Phrase:
    """Return that what a formula asks is so, or is not."""
    said = _describe(say, node, "holds" if holds else "fails")
    if said is not None:
        return said
    verb = "holds" if holds else "does not hold"
    name = f"{say.style.name(humanize(node.formula))} {verb}"
    if not node.arguments:
        return Phrase(name)
    return build(
        f"{name} for ", join_phrases([say.inside(argument, Bond.WORD) for argument in node.arguments]), joint=""
    )


def _name(say: Say, node: t.Invoke) -> Phrase:
    phrase = add_article(say.style.name(humanize(node.formula)))
    if not node.arguments:
        return phrase
    said = [say.inside(argument, Bond.WORD) for argument in node.arguments]
    return build(phrase, " for ", join_phrases(said), bond=Bond.NOUN if len(said) == 1 else Bond.OPEN)


def _given(say: Say, argument: t.Typed) -> Phrase:
    """Return what is given to a formula. A player is no `it` where no noun stands before."""
    said = say.inside(argument)
    if said.lead == Lead.IT and present(argument.type) == PLAYER:
        return Phrase(f"that {say.naming.kind(PLAYER_KIND)}")
    return said


def _describe(say: Say, node: t.Invoke, form: str) -> Phrase | None:
    formula = say.style.ruleset.declarations.formulas[node.formula]
    words = formula.said.get(form, "")
    if not words:
        return None
    given = dict(zip(formula.parameters, node.arguments, strict=True))
    written = list(parse_parts(words))
    found: list[str | Phrase] = []
    for part in written:
        head, _, name = part.body.partition(".") if isinstance(part, Placeholder) else ("", "", "")
        if head == GIVEN and name in given:
            alone = part is written[0] and _speaks_of_it(written)
            found.append(say.inside(given[name]) if alone else _given(say, given[name]))
        else:
            found.append(fill(f"{{{part.body}}}" if isinstance(part, Placeholder) else part.text, say.style))
    phrase = build(*found, bond=Bond.NOUN if given else Bond.WORD)
    return replace(phrase, lead=_lead(written, found, phrase), owner=phrase.owner or "’" in words)


def _speaks_of_it(written: list[Part]) -> bool:
    """Return whether what is given first is what the rest says something of: `{given.who} has a row`."""
    verb = written[1] if len(written) > 1 else None
    return isinstance(verb, Literal) and verb.text.startswith((" is ", " has "))


def _lead(written: list[Part], found: list[str | Phrase], phrase: Phrase) -> Lead:
    """Return how the rules' own words begin: with an article of theirs, or with what they are given."""
    first = written[0]
    if isinstance(first, Literal):
        return next((lead for lead in (Lead.THE, Lead.WHAT) if first.text.startswith(lead)), Lead.NONE)
    if isinstance(found[0], Phrase) and found[0].lead == Lead.IT and len(written) > 1:
        verb = written[1].text if isinstance(written[1], Literal) else ""
        return next((lead for lead in (Lead.IT_IS, Lead.IT_HAS) if f"it{verb}".startswith(lead)), Lead.NONE)
    return phrase.lead
