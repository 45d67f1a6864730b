"""Formulas in the rules' own words: `said:` with what is given in its place."""

from __future__ import annotations

from rulewright.book.english.grammar import listed
from rulewright.book.english.naming import pretty
from rulewright.book.english.say import Say
from rulewright.book.words import fill
from rulewright.language.expression import typed as t
from rulewright.ruleset.words.placeholders import Placeholder, parts

GIVEN = "given."


def noun(say: Say, node: t.Invoke) -> str:
    """What a formula gives, as a noun phrase; without words of its own, by its name."""
    return _said(say, node, "") or _named(say, node)


def clause(say: Say, node: t.Invoke, *, holds: bool) -> str:
    """That what a formula asks is so, or is not."""
    said = _said(say, node, "holds" if holds else "fails")
    if said:
        return said
    given = f" for {listed([say.value(argument) for argument in node.arguments])}" if node.arguments else ""
    return f"{say.style.name(pretty(node.formula))} {'holds' if holds else 'does not hold'}{given}"


def _named(say: Say, node: t.Invoke) -> str:
    phrase = f"the {say.style.name(pretty(node.formula))}"
    said = [say.value(argument) for argument in node.arguments]
    return f"{phrase} for {listed(said)}" if said else phrase


def _said(say: Say, node: t.Invoke, form: str) -> str:
    formula = say.style.ruleset.declarations.formulas[node.formula]
    given = dict(zip(formula.parameters, node.arguments, strict=True))
    found = []
    for part in parts(formula.said.get(form, "")):
        argument = given.get(part.body.removeprefix(GIVEN)) if isinstance(part, Placeholder) else None
        if argument is not None and isinstance(part, Placeholder) and part.body.startswith(GIVEN):
            found.append(say.value(argument))
        else:
            found.append(fill(f"{{{part.body}}}" if isinstance(part, Placeholder) else part.text, say.style))
    return "".join(found)
