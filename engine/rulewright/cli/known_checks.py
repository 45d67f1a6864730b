"""Checks of editions that found nothing, which are known as long as no file that they read has changed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from rulewright.ruleset.cache.edition_results import chain_layers, name_edition_result
from rulewright.ruleset.cache.storage import is_storing
from rulewright.ruleset.cache.stored_results import StoredResult
from rulewright.ruleset.editions.catalogue import Catalogue, report_shadowed
from rulewright.ruleset.editions.edition import Edition
from rulewright.testing.edition_check import EditionCheck


@dataclass(frozen=True, slots=True)
class KnownCheck(EditionCheck):
    """The check of an edition that is known to be valid: the lines to print, but no ruleset."""

    lines: tuple[str, ...] = ()


def name_check(catalogue: Catalogue, edition: Edition) -> StoredResult | None:
    """Return the stored lines of an edition that had nothing wrong. None if they must not be stored."""
    return _name(catalogue, [edition], ["check"])


def name_source_check(catalogue: Catalogue, editions: Sequence[Edition]) -> StoredResult | None:
    """Return the stored check of the sources against these editions. None if it must not be stored."""
    # Sources name editions that exist, and are searched for in every folder.
    known = [edition.id for edition in catalogue.list_editions()]
    return _name(catalogue, editions, ["sources", str(len(catalogue.paths)), *known], catalogue.paths)


def _name(
    catalogue: Catalogue, editions: Sequence[Edition], what: Sequence[str], folders: Sequence[Path] = ()
) -> StoredResult | None:
    """Return a stored result about editions.

    None if it must not be stored, if a layer hides a different edition, or if the cache is off.
    """
    if not is_storing():
        return None
    result = name_edition_result(catalogue, editions, what, folders)
    layers = chain_layers(catalogue, editions) if result is not None else ()
    # A hidden edition that differs is reported, and its files are not among those of the layers.
    return None if any(True for part in layers for _ in report_shadowed(catalogue, part)) else result
