"""Check an edition before its release."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from rulewright.authoring.example_odds import weigh_odds
from rulewright.authoring.release_lock import release
from rulewright.ruleset.editions.catalogue import Catalogue
from rulewright.ruleset.editions.edition import Edition
from rulewright.ruleset.lints.lock import LOCK_BROKEN, NOT_LOCKED
from rulewright.ruleset.prose.prose_lint import lint_words
from rulewright.ruleset.ruleset import Ruleset
from rulewright.source.diagnostics.collector import DiagnosticError, Diagnostics
from rulewright.source.diagnostics.diagnostic import Diagnostic
from rulewright.source.files.unsaved_texts import build_file_key
from rulewright.testing.check_edition import check_edition


def list_obstacles(diagnostics: Diagnostics) -> list[Diagnostic]:
    """Return the errors that prevent a release.

    Errors about the lock are left out, because a release writes a new one.
    """
    return [error for error in diagnostics.errors if error.code not in (LOCK_BROKEN, NOT_LOCKED)]


def select_remaining(ruleset: Ruleset, result: Sequence[Diagnostic]) -> list[Diagnostic]:
    """Return `result` with the warnings that only a released edition gets, such as texts that nobody has reviewed."""
    diagnostics = Diagnostics()
    lint_words(replace(ruleset, status="released"), diagnostics)
    known = {(each.code.id, each.message) for each in result}
    return [*result, *(each for each in diagnostics.warnings if (each.code.id, each.message) not in known)]


def release_edition(
    catalogue: Catalogue, edition: Edition, *, read: Mapping[str, str] | None = None
) -> list[Diagnostic]:
    """Check an edition, lock it if it has no errors, and return the remaining warnings.

    `read` has the texts of files when they were first read. If a file of the edition has changed since, nothing is
    locked. Raises `DiagnosticError` with the errors of the edition, and the exceptions of `release`.
    """
    checked = check_edition(catalogue, edition, weigh=weigh_odds)
    errors = list_obstacles(checked.diagnostics)
    if errors:
        raise DiagnosticError(errors)
    digest = checked.ruleset.digest if checked.ruleset is not None else ""
    folders = [Path(build_file_key(layer.folder)) for layer in catalogue.chain(edition)]
    checked_texts = {
        file: text
        for file, text in (read or {}).items()
        if any(Path(file).is_relative_to(folder) for folder in folders)
    }
    release(edition, digest, others=catalogue.list_editions(), checked_texts=checked_texts)
    warnings = list(checked.diagnostics.warnings)
    return select_remaining(checked.ruleset, warnings) if checked.ruleset is not None else warnings
