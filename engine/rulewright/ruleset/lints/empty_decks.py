"""Decks that begin empty, and into which no step puts cards."""

from __future__ import annotations

from rulewright.language.lowering import list_operations
from rulewright.language.operations import Write
from rulewright.ruleset.ruleset import Ruleset
from rulewright.source.diagnostics.collector import Diagnostics
from rulewright.source.diagnostics.diagnostic import Code

NEVER_FILLED = Code(
    "deck-never-filled",
    "A deck that is always empty",
    "With `filled_by_rules`, a deck begins empty, so drawing from it is an error until a step has put cards into it.",
    "Fill it during the setup: `reshuffle: player.deck` with `adding:` and the cards.",
    severity="warning",
)


def lint(ruleset: Ruleset, diagnostics: Diagnostics) -> None:
    """Report each deck without cards of its own that no step fills, and that no discard pile refills."""
    decks = [deck for deck in ruleset.declarations.decks.values() if deck.filled_by_rules and not deck.discard]
    if not decks:
        return
    written = {
        each.field for step in ruleset.steps.values() for each in list_operations(step) if isinstance(each, Write)
    }
    for deck in decks:
        if written.isdisjoint(deck.fields):
            hint = f"`{{id: filled, reshuffle: one.{deck.id}, adding: list({deck.table})}}`, for each {deck.kind} `one`"
            message = f"no step puts cards into `{deck.id}`, which begins empty"
            diagnostics.add(NEVER_FILLED, message, deck.span, suggestion=f"fill it during the setup: {hint}")
