"""Check the phrases of formulas: their form must fit the type, and placeholders must be parameters, terms or rules."""

from __future__ import annotations

from rulewright.language.declarations import ROW_NAME
from rulewright.language.types import Boolean
from rulewright.ruleset import prose_diagnostics as codes
from rulewright.ruleset.elaborate.node_readers import iterate_entries
from rulewright.ruleset.prose.placeholder_meaning import Nothing, resolve_placeholder
from rulewright.ruleset.prose.placeholders import Placeholder, parse_parts
from rulewright.ruleset.ruleset import Ruleset
from rulewright.source.diagnostics.collector import Diagnostics
from rulewright.source.diagnostics.suggestions import suggest_name
from rulewright.source.nodes import Mapping, Scalar, follow_keys

_GIVEN = "given."


def lint(ruleset: Ruleset, diagnostics: Diagnostics) -> None:
    """Report phrases of formulas that have the wrong form or unknown placeholders, and those placeholders in clauses.

    The clauses are those of procedures and of columns of steps.
    """
    for identity, entry in iterate_entries(ruleset.resolved.rules.get("procedures")):
        clause = follow_keys(entry.value, "wording")
        if isinstance(clause, Scalar):
            given = list(ruleset.procedures[identity].parameters)
            check_phrase(clause, given, "the procedure has no parameter", ruleset, diagnostics)
    for identity, table in ruleset.declarations.tables.items():
        for name, column in table.steps.items():
            clause = follow_keys(ruleset.resolved.rules, "tables", identity, "columns", name, "wording")
            if isinstance(clause, Scalar):
                check_phrase(
                    clause, [ROW_NAME, *column.parameters], "the column has no parameter", ruleset, diagnostics
                )
            elif clause is not None:
                message = f"the clause for the steps of `{name}` has the wrong form"
                hint = f"write one clause, such as `{{given.{next(iter(column.parameters), ROW_NAME)}}} takes a turn`"
                diagnostics.add(codes.PHRASE_FORM, message, clause.span, suggestion=hint)
    for identity, entry in iterate_entries(ruleset.resolved.rules.get("formulas")):
        text = entry.value.get("wording") if isinstance(entry.value, Mapping) else None
        if text is None:
            continue
        formula = ruleset.declarations.formulas[identity]
        truth = isinstance(formula.type, Boolean)
        if truth is isinstance(text, Scalar):
            needed = (
                "a clause for true and one for false: `{if_true: …, if_false: …}`"
                if truth
                else "one phrase, a noun with its article"
            )
            message = f"the phrase of `{identity}` has the wrong form for its type, {formula.type}"
            diagnostics.add(codes.PHRASE_FORM, message, text.span, suggestion=f"write {needed}")
            continue
        phrases = [text] if isinstance(text, Scalar) else [words.value for _, words in iterate_entries(text)]
        for phrase in phrases:
            if isinstance(phrase, Scalar):
                check_phrase(phrase, list(formula.parameters), "the formula has no parameter", ruleset, diagnostics)


def check_phrase(phrase: Scalar, given: list[str], lack: str, ruleset: Ruleset, diagnostics: Diagnostics) -> None:
    """Report placeholders in a phrase that are neither valid in any text nor values that are `given` to it.

    `lack` begins the message about any other value.
    """
    for part in parse_parts(phrase.text):
        if not isinstance(part, Placeholder):
            continue
        span = phrase.position(part.start, len(part.body))
        if part.body.startswith(_GIVEN):
            name, colon, noun = part.body.removeprefix(_GIVEN).partition(":")
            if name in given and colon:
                message = f"`{{{part.body}}}` cannot choose a noun, because this number is only known in play"
                words = f"{{{noun}.plural}}" if noun in ruleset.declarations.terms else "how many"
                hint = f"write words that fit any number, such as `{words}: {{{_GIVEN}{name}}}`"
                diagnostics.add(codes.UNKNOWN_PLACEHOLDER, message, span, suggestion=hint)
            elif name not in given:
                near = suggest_name(name, given)
                message = f"{lack} `{name}`"
                diagnostics.add(codes.UNKNOWN_PLACEHOLDER, message, span, suggestion=near)
            continue
        placeholder = resolve_placeholder(part.body, ruleset, span=span)
        if isinstance(placeholder, Nothing):
            at = phrase.position(part.start + placeholder.offset, placeholder.length)
            diagnostics.add(codes.UNKNOWN_PLACEHOLDER, placeholder.message, at, suggestion=placeholder.suggestion)
