"""The interface of the English writer that all phrase functions use, and clauses for logic and formulas."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import zip_longest
from typing import Protocol

from rulewright.book.english.naming import NameWords, Naming, humanize
from rulewright.book.english.phrase import Bond, Lead, Phrase, add_article, build, build_clause, join_phrases
from rulewright.book.style.fill_placeholders import fill
from rulewright.book.style.text_style import Style
from rulewright.language.declarations import PLAYER_KIND, split_column
from rulewright.language.expressions import typed_ast as t
from rulewright.language.expressions.typed_ast import Typed
from rulewright.language.types import PLAYER, ListOf, Type, present
from rulewright.ruleset.prose.placeholders import Literal, Part, Placeholder, parse_parts


class Say(Protocol):
    """Interface of the English writer for one ruleset in one style.

    `it` is the variable that `pronoun` refers to at present.
    """

    style: Style
    naming: Naming
    called: NameWords
    it: str | None
    pronoun: str

    def phrase(self, node: Typed) -> Phrase:
        """Return the value as a noun phrase, which may have a list below it."""

    def inside(self, node: Typed, bond: Bond = Bond.NOUN) -> Phrase:
        """Return the value as part of a larger phrase.

        Return a letter instead if the phrase is looser than `bond` or has a list. The end of the sentence defines the
        letter.
        """

    def clause(self, node: Typed, *, holds: bool = True) -> Phrase:
        """Return the boolean as a clause, negated if `holds` is false."""

    def fit(self, phrase: Phrase, bond: Bond = Bond.NOUN) -> Phrase:
        """Return a phrase as part of a larger one, or a letter if it is looser than `bond` or has a list."""

    def about(self, variable: str | None, pronoun: str = "it") -> Say:
        """Return a copy of the writer that calls `variable` by `pronoun`."""

    def owning(self, subject: Typed | None) -> Say:
        """Return a copy of the writer for the rest of a sentence about a player or a thing."""

    def is_subject(self, base: Typed) -> bool:
        """Return whether the sentence is about `base`, whose properties are `their hand` or `its suit`."""

    def truth(self, name: str, holds: bool) -> str:
        """Return the rules' own text for a boolean name that is true or false."""

    def standing_in(self, variable: str, phrase: Phrase) -> Say:
        """Return a copy of the writer that says `phrase` for `variable`."""

    def find_stand_in(self, variable: str) -> Phrase | None:
        """Return what is said for `variable`, or None if it has nothing of its own."""

    def introducing(self, variable: str) -> tuple[str, Say]:
        """Return a letter for `variable`, and a copy of the writer that uses this letter."""

    def introduced(self, variable: str) -> str:
        """Return the letter of `variable`, or an empty string if it has none."""

    def letter(self, phrase: Phrase) -> Phrase:
        """Return a letter in place of a phrase. The end of the sentence defines the letter."""

    def owned(self, base: Typed, noun: str) -> Phrase:
        """Return a possessive phrase for a noun of `base`: `its owner`, `the city’s owner`, `the price of …`."""

    def constant(self, value: object, kind: Type, *, beside: Typed | None = None) -> str:
        """Return a constant of the rules in words.

        If the constant is compared with `beside`, the labels of that setting or choice name it.
        """


JOINED_OTHERWISE = {"and": "or", "or": "and"}


def join_clauses(say: Say, node: t.Typed, *, holds: bool) -> tuple[list[Phrase], str]:
    """Return the operands of a condition as clauses, and the word that joins them.

    If `holds` is false, the operands are negated and `and` and `or` are swapped. The word is empty for a condition that
    is not `and` or `or`.
    """
    if not isinstance(node, t.Logic):
        return [say.clause(node, holds=holds)], ""
    operator = node.operator if holds else JOINED_OTHERWISE[node.operator]
    lines = list[Phrase]()
    for operand in _operands(node, operator, holds):
        lines.append(say.clause(operand, holds=holds))
        match operand:
            case t.Present(operand=t.Local(name=name) as variable) if operator == "and" and holds and say.it is None:
                # What is said to be there is what the rest of the sentence is about: `its cost`.
                if "." not in name and present(variable.type) != PLAYER and name not in say.called.clauses:
                    say = say.owning(variable)
    return lines, operator


def _operands(node: t.Logic, operator: str, holds: bool) -> list[t.Typed]:
    """Return the operands of a logical operation, with nested operations of the same operator flattened."""
    results: list[t.Typed] = []
    for operand in node.operands:
        inner, inner_holds = operand, holds
        while isinstance(inner, t.Not):
            inner, inner_holds = inner.operand, not inner_holds
        if isinstance(inner, t.Logic) and inner_holds is holds and inner.operator == node.operator:
            results += _operands(inner, operator, holds)
        else:
            results.append(operand)
    return results


GIVEN = "given"
"""The first part of a placeholder for a parameter of a formula, such as `{given.name}`."""


def describe_noun(say: Say, node: t.Invoke) -> Phrase:
    """Return the phrase for the result of a formula or derived field.

    The phrase uses the rules' own words, or else the name and the arguments.
    """
    kind, _, name = node.formula.rpartition(".")
    if kind:
        return say.owned(node.arguments[0], say.naming.field(kind, name))
    return _describe(say, node, "") or _name(say, node)


def describe_formula_clause(say: Say, node: t.Invoke, *, holds: bool) -> Phrase:
    """Return the clause that a boolean formula holds, or that it does not."""
    text = _describe(say, node, "holds" if holds else "fails")
    if text is not None:
        return text
    words = humanize(split_column(node.formula)[1])
    name = say.style.name(words)
    if not node.arguments:
        return Phrase(f"{name} {'holds' if holds else 'does not hold'}")
    first, *others = node.arguments
    verb, _, rest = words.partition(" ")
    if verb in _VERBS and rest:
        subject = say.inside(first)
        named: list[str | Phrase] = [say.style.name(rest)]
        named += [" for ", _several(say, others)] if others else []
        if verb in ("is", "has"):
            no = "not " if verb == "is" else "no "
            return build_clause(subject, verb, "" if holds else no, *named)
        return build(subject, f" {verb if holds else _VERBS[verb]} ", *named, joint="")
    if len(others) == 1 and not rest and _VERB.search(words):
        does = name if holds else f"does not {say.style.name(_STEM.sub('', words))}"
        return build(say.inside(first), f" {does} ", say.inside(others[0]), joint="")
    return build(f"{name} {'holds' if holds else 'does not hold'} for ", _several(say, node.arguments), joint="")


def describe_field_clause(say: Say, node: t.Stored, *, holds: bool) -> Phrase | None:
    """Return the rules' own clause that a boolean field of an object is true or false, or None if there is none."""
    if node.base is None:
        return None
    clauses = say.style.ruleset.declarations.kinds[node.kind].fields[node.field].clauses
    words = clauses.get("holds" if holds else "fails", "").replace("{self}", f"{{{GIVEN}.self}}")
    return fill_given(say, words, {"self": node.base}) if words else None


_OF = re.compile(r"the ((?:(?! of | the )[^{}])+) of $")
"""The words before the only argument of a formula that is about a property of it, as in `the suit of {given.card}`."""
_VERBS = {"is": "is not", "has": "has no", "can": "cannot", "may": "may not", "must": "need not"}
"""The verbs with which the id of a boolean formula may begin, and what they are if it is false."""
_VERB, _STEM = re.compile(r"[^us]s$"), re.compile(r"(?<=[sxz])es$|(?<=[cs]h)es$|s$")
"""A word that can be a verb about one subject, such as `crosses`, and its ending."""


def _several(say: Say, arguments: Sequence[t.Typed]) -> Phrase:
    """Return arguments of a formula, joined by `and`."""
    bond = Bond.WORD if len(arguments) > 1 else Bond.NOUN
    return join_phrases([say.inside(argument, bond) for argument in arguments])


def _name(say: Say, node: t.Invoke) -> Phrase:
    """Return the name of a formula with its arguments."""
    table, formula = split_column(node.formula)
    words = humanize(formula)
    name = say.style.name(words)
    if table and len(node.arguments) > 1:
        first, *others = node.arguments
        return build(say.owned(first, name), " for ", _several(say, others), bond=Bond.OPEN)
    if not node.arguments:
        return add_article(name)
    ends = words.rpartition(" ")[2] in _PREPOSITIONS
    one = len(node.arguments) == 1
    if one and not ends and not _is_joined_list(node.arguments[0]):
        return say.owned(node.arguments[0], name)
    given = _last(say, node.arguments[0]) if one else _several(say, node.arguments)
    bond = max(Bond.NOUN, given.bond) if one else Bond.OPEN
    return build(f"the {name}{'' if ends else ' of'} ", given, bond=bond, lead=Lead.THE)


_PREPOSITIONS = ("after", "at", "before", "by", "for", "from", "in", "of", "on", "to", "under", "with", "without")
"""Words at the end of a formula’s id that its arguments follow, as in `the melds in the hand`."""


def _is_joined_list(node: t.Typed) -> bool:
    """Return whether a value is a list that elements are added to or removed from: `the hand without the card`."""
    return isinstance(node, t.Arithmetic) and isinstance(node.type, ListOf)


def _last(say: Say, node: t.Typed) -> Phrase:
    """Return an argument that ends a phrase, or that a comma follows. It may then be a list without some elements."""
    if not _is_joined_list(node):
        return say.inside(node)
    phrase = say.phrase(node)
    return say.letter(phrase) if phrase.items else replace(phrase, bond=Bond.RELATIVE)


def _given(say: Say, argument: t.Typed, *, last: bool, before: str) -> Phrase:
    """Return an argument of a formula. A player is `that Player` instead of `it`, because no noun comes before.

    After the word *that*, it is `this Player`.
    """
    text = _last(say, argument) if last else say.inside(argument)
    noun = say.naming.kind(PLAYER_KIND)
    if present(argument.type) == PLAYER and (text.lead == Lead.IT or text.words == f"that {noun}"):
        return Phrase(f"{'this' if before.endswith(' that ') else 'that'} {noun}")
    return text


def is_worded(say: Say, formula: str) -> bool:
    """Return whether the rules have words of their own for a formula."""
    return bool(say.style.ruleset.declarations.formulas[formula].wording)


def _describe(say: Say, node: t.Invoke, form: str) -> Phrase | None:
    """Return the rules' own text for a formula with the arguments filled in, or None if there is no text.

    `form` is `holds` or `fails` for a clause, and empty for a noun.
    """
    formula = say.style.ruleset.declarations.formulas[node.formula]
    words = formula.wording.get(form, "")
    return fill_given(say, words, dict(zip(formula.parameters, node.arguments, strict=True))) if words else None


def fill_given(say: Say, words: str, given: Mapping[str, Typed], called: Say | None = None) -> Phrase:
    """Return the rules' own text for a formula or a call, with the arguments `given` filled in.

    `called` is the writer for constants, by default `say`.
    """
    written = list(parse_parts(words))
    results: list[str | Phrase] = []
    for part, after in zip_longest(written, written[1:]):
        head, _, name = part.body.partition(".") if isinstance(part, Placeholder) else ("", "", "")
        if head == GIVEN and name in given:
            alone = part is written[0] and _speaks_of_it(written)
            last = after is None or (isinstance(after, Literal) and after.text.startswith(","))
            before = results[-1] if results and isinstance(results[-1], str) else ""
            writer = called if called is not None and isinstance(given[name], t.Constant) else say
            argument = writer.inside(given[name]) if alone else _given(writer, given[name], last=last, before=before)
            of = _OF.search(before) if len(written) == 2 else None
            if of and not of.start() and say.is_subject(given[name]):
                return say.owned(given[name], of[1])
            if of and argument.lead == Lead.IT:
                words = f"{of.string[: of.start()]}its {of[1]}"
                lead = next((lead for lead in (Lead.ITS, Lead.THE) if words.startswith(lead)), Lead.NONE)
                return Phrase(words, Bond.NOUN if of.start() else Bond.WORD, lead=lead, again=lead != Lead.ITS)
            # The words already contain an article, as in `the roll that a {given.size} adds`.
            letter = bool(argument.where) and argument.words == say.style.name(argument.where[-1][0])
            if (argument.lead in (Lead.IT, Lead.ITS) or letter) and f" {before}".endswith(" the "):
                results[-1] = before.removesuffix("the ")
            own = f" {before}".lower().endswith((" a ", " an ", " the ")) and argument.lead in _ARTICLES
            results.append(argument.led(Lead.NONE) if own else argument)
        else:
            text = f"{{{part.body}}}" if isinstance(part, Placeholder) else part.text
            results.append(fill(text, say.style, inside=True))
    loosest = max((each.bond for each in results if isinstance(each, Phrase)), default=Bond.WORD)
    phrase = build(*results, bond=max(Bond.NOUN, loosest) if given else Bond.WORD)
    return replace(phrase, lead=_lead(written, results, phrase), owner=phrase.owner or "’" in words)


_ARTICLES = (Lead.THE, Lead.A, Lead.AN, Lead.THAT)


def _speaks_of_it(written: list[Part]) -> bool:
    """Return whether a text starts with a placeholder and a verb, such as `{given.who} has a row`."""
    verb = written[1] if len(written) > 1 else None
    return isinstance(verb, Literal) and verb.text.startswith((" is ", " has ", " can", " may "))


_PREDICATES = (Lead.IT_IS, Lead.IT_HAS, Lead.IT_CAN, Lead.IT_MAY)


def _lead(written: list[Part], results: list[str | Phrase], phrase: Phrase) -> Lead:
    """Return the lead of the rules' own text for a formula.

    Args:
        written: The parts of the text.
        results: The filled-in parts, one for each of `written`.
        phrase: The phrase built from `results`.

    Returns:
        The article or `what` with which the text begins, or `NONE` if it begins with other words. If it begins with
        an argument that is `it`, the lead with its verb, such as `it is`, or `NONE` for other verbs. Otherwise the
        lead of `phrase`.
    """
    first = written[0]
    if isinstance(first, Literal):
        return next((lead for lead in (Lead.THE, Lead.WHAT) if first.text.startswith(lead)), Lead.NONE)
    if isinstance(results[0], Phrase) and results[0].lead == Lead.IT and len(written) > 1:
        verb = written[1].text if isinstance(written[1], Literal) else ""
        return next((lead for lead in _PREDICATES if f"it{verb}".startswith(lead)), Lead.NONE)
    return phrase.lead
