"""Lint: ask for words if generated sentences would be bad English, and report words for unknown names."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from rulewright.language.declarations import GAME_KIND
from rulewright.language.expressions.typed_ast import Invoke, Stored
from rulewright.language.lowering import list_asks, list_offers, list_operations
from rulewright.language.statement import list_expressions
from rulewright.language.types import Boolean
from rulewright.ruleset.elaborate.node_readers import iterate_entries
from rulewright.ruleset.prose_diagnostics import UNUSED_WORDS, WORDS_WANTED
from rulewright.ruleset.ruleset import Ruleset
from rulewright.source.diagnostics.collector import Diagnostics
from rulewright.source.diagnostics.suggestions import suggest_name
from rulewright.source.nodes import Mapping, Scalar

MOST_GIVEN = 1
"""The maximum number of parameters with which sentences can express a formula by name: `the budget of the player`."""

_NAMED = ("names", "headings")
"""The keys of words for names."""


def lint(ruleset: Ruleset, diagnostics: Diagnostics) -> None:
    """Report formulas and true/false values that need words for generated sentences, and words for unknown names.

    Each formula or value is reported once. Words for unknown names count only if the edition itself wrote them.
    """
    _ask(ruleset, diagnostics)
    for section, known in (("procedures", _procedure), ("formulas", _formula), ("tables", _table)):
        for identity, entry in iterate_entries(ruleset.resolved.rules.get(section)):
            written = entry.value if isinstance(entry.value, Mapping) else None
            there = list(known(ruleset, identity))
            for name, words in (each for key in _NAMED if written for each in iterate_entries(written.get(key))):
                if name not in there and _is_own(words.key, ruleset):
                    hint = suggest_name(name, there)
                    message = f"`{identity}` has nothing called `{name}`"
                    diagnostics.add(UNUSED_WORDS, message, words.key.span, suggestion=hint)


def _ask(ruleset: Ruleset, diagnostics: Diagnostics) -> None:
    declared, asked = ruleset.declarations, set[str]()
    for procedure in ruleset.procedures.values():
        for step in procedure.iterate_steps():
            trees = [*list_expressions(step.action), *([step.when] if step.when is not None else [])]
            for node in (part for tree in trees for part in tree.walk()):
                match node:
                    case Invoke(formula=name) if "." not in name and name not in asked:
                        formula = declared.formulas[name]
                        if len(formula.parameters) > MOST_GIVEN and not formula.wording:
                            asked.add(name)
                            form = "{if_true: …, if_false: …}" if isinstance(formula.type, Boolean) else "…"
                            message = f"sentences cannot express `{name}` with its parameters"
                            diagnostics.add(WORDS_WANTED, message, formula.span, suggestion=f"add `wording: {form}`")
                    case Stored(kind=kind, field=name, type=type_) if kind == GAME_KIND and name not in asked:
                        field = declared.kinds[GAME_KIND].fields[name]
                        if isinstance(type_, Boolean) and not field.clauses and "_" in name:
                            asked.add(name)
                            message = f"sentences cannot express that `{name}` is true"
                            hint = "add `wording: {if_true: …, if_false: …}`"
                            diagnostics.add(WORDS_WANTED, message, field.span, suggestion=hint)


def _is_own(key: Scalar, ruleset: Ruleset) -> bool:
    """Return whether the edition itself wrote it. Inherited words may be about steps that it deleted."""
    return Path(key.span.file).is_relative_to(Path(ruleset.resolved.manifest.span.file).parent)


def _procedure(ruleset: Ruleset, identity: str) -> Iterable[str]:
    procedure = ruleset.procedures[identity]
    yield from procedure.parameters
    for step in procedure.iterate_steps():
        yield step.id
        yield from (offer.id for ask in list_asks(step) for offer in list_offers(ask))
        bound = (procedure.names[slot] for each in list_operations(step) for slot in each.fills)
        yield from (name for name in bound if "(" not in name)  # without slots of the engine, `id (place)`
    for type_ in procedure.parameters.values():
        yield from getattr(type_, "ids", ())
    yield from procedure.gives


def _formula(ruleset: Ruleset, identity: str) -> Iterable[str]:
    return ruleset.declarations.formulas[identity].parameters


def _table(ruleset: Ruleset, identity: str) -> Iterable[str]:
    table = ruleset.declarations.tables[identity]
    return (*table.columns, *table.steps)
