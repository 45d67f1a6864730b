"""What an edition must be before it is released, and what is still said of it then."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from rulewright.play.examples.checking import check_edition
from rulewright.ruleset.authoring.release import release
from rulewright.ruleset.editions.catalogue import Catalogue
from rulewright.ruleset.editions.edition import Edition
from rulewright.ruleset.lints.lock import LOCK_BROKEN, NOT_LOCKED
from rulewright.ruleset.ruleset import Ruleset
from rulewright.ruleset.words.lint import lint_words
from rulewright.source.diagnostics.collected import DiagnosticError, Diagnostics
from rulewright.source.diagnostics.diagnostic import Diagnostic
from rulewright.studio.publishing.example_odds import weigh_odds


def in_the_way(found: Diagnostics) -> list[Diagnostic]:
    """The errors with which nothing is released. What the lock itself is about is settled by releasing, or refused."""
    return [error for error in found.errors if error.code not in (LOCK_BROKEN, NOT_LOCKED)]


def still_said(ruleset: Ruleset, found: Sequence[Diagnostic]) -> list[Diagnostic]:
    """The warnings of a release: of one more is asked than of a draft, that somebody has read its texts."""
    asked = Diagnostics()
    lint_words(replace(ruleset, status="released"), asked)
    known = {(each.code.id, each.message) for each in found}
    return [*found, *(each for each in asked.warnings if (each.code.id, each.message) not in known)]


def release_edition(catalogue: Catalogue, edition: Edition) -> list[Diagnostic]:
    """Check an edition, and lock it if it is sound; the warnings that are left.

    Raises `DiagnosticError` for what is wrong with it, and what `release` raises.
    """
    checked = check_edition(catalogue, edition, weigh=weigh_odds)
    errors = in_the_way(checked.diagnostics)
    if errors:
        raise DiagnosticError(errors)
    release(edition, checked.ruleset.digest if checked.ruleset is not None else "", others=catalogue.editions())
    warnings = list(checked.diagnostics.warnings)
    return still_said(checked.ruleset, warnings) if checked.ruleset is not None else warnings
