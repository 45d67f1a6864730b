"""Load the rules to which rows are written, and find out what an update does to them."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

from rulewright.authoring.sheets.read_sheet import decode_sheet, read_sheet_bytes
from rulewright.authoring.sheets.sheet_table import open_table
from rulewright.authoring.sheets.update_rows import RowUpdate, plan_update
from rulewright.authoring.verify_fix import build_key
from rulewright.ruleset.editions.catalogue import Catalogue
from rulewright.ruleset.editions.edition import Edition
from rulewright.ruleset.load_ruleset import find_ruleset
from rulewright.ruleset.pipeline import build_ruleset
from rulewright.ruleset.ruleset import Ruleset
from rulewright.ruleset.schema.edition_reference import parse_reference
from rulewright.source.diagnostics.collector import Diagnostic, DiagnosticError
from rulewright.source.files.unsaved_texts import build_file_key, replace_files

_MOST_ERRORS = 100_000
"""The maximum number of errors in rules that can be updated: a new column is missing in every row."""


def load_with_errors(catalogue: Catalogue, edition: Edition) -> tuple[Ruleset, tuple[Diagnostic, ...]]:
    """Return the ruleset of an edition from its files, even if it has errors, and its diagnostics.

    A new table has an error until it has rows. Raises `DiagnosticError` if the edition is abstract, or if its rules
    cannot be read at all.
    """
    stage = build_ruleset(catalogue, edition, most_errors=_MOST_ERRORS)
    if stage.value is None:
        if not stage.sound:
            raise DiagnosticError(stage.diagnostics)
        return find_ruleset(catalogue, parse_reference(edition.id))[0], ()
    return stage.value, stage.diagnostics


def plan_from_file(
    catalogue: Catalogue, edition: Edition, table: str, path: Path, *, remove: bool = False
) -> RowUpdate:
    """Return what a file changes in a table of an edition. Nothing is written.

    Raises `RulewrightError` if the file or the rules cannot be read, or if there is no such table.
    """
    ruleset, diagnostics = load_with_errors(catalogue, edition)
    opened = open_table(ruleset, table, diagnostics)
    text, assumed = decode_sheet(read_sheet_bytes(path), str(path))
    return plan_update(opened, text, str(path), assumed=assumed, remove=remove)


def find_consequences(update: RowUpdate, catalogue: Catalogue, before: tuple[Diagnostic, ...]) -> list[Diagnostic]:
    """Return the diagnostics that the rules have only with an update. Nothing is written.

    `before` are those that they have without it. Checks the edition again, but runs no examples. Raises
    `DiagnosticError` if the edition is gone.
    """
    texts = {build_file_key(path): after for path, (_, after) in (update.texts or {}).items()}
    with replace_files(texts):
        fresh = Catalogue(catalogue.paths)
        after = build_ruleset(fresh, fresh.find_edition(update.ruleset), most_errors=_MOST_ERRORS).diagnostics
    known = Counter(map(build_key, before))
    return [each for each in after if known[build_key(each)] == 0]
