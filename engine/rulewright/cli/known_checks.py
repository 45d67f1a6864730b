"""Checks of editions that found nothing, which are known as long as no file that they read has changed."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from rulewright.base.incremental.reads import record_files
from rulewright.ruleset.cache.stored_results import StoredResult
from rulewright.ruleset.editions.catalogue import Catalogue
from rulewright.ruleset.editions.edition import Edition, list_rules_files
from rulewright.ruleset.editions.zip_archives import is_extracted
from rulewright.source.diagnostics.collector import DiagnosticError, Diagnostics
from rulewright.testing.edition_check import EditionCheck

if TYPE_CHECKING:
    from rulewright.ruleset.ruleset import Ruleset


@dataclass(frozen=True, slots=True)
class KnownCheck(EditionCheck):
    """The check of an edition that is known to be valid: the lines to print, but no ruleset."""

    lines: tuple[str, ...] = ()


def name_check(catalogue: Catalogue, edition: Edition) -> StoredResult | None:
    """Return the stored lines of an edition that had nothing wrong. None if they must not be stored."""
    return _name(catalogue, [edition], ["check"], ())


def name_source_check(catalogue: Catalogue, editions: Sequence[Edition]) -> StoredResult | None:
    """Return the stored check of the sources against these editions. None if it must not be stored."""
    # Sources name editions that exist, and are searched for in every folder.
    known = [edition.id for edition in catalogue.list_editions()]
    return _name(catalogue, editions, ["sources", str(len(catalogue.paths)), *known], catalogue.paths)


def _name(
    catalogue: Catalogue, editions: Sequence[Edition], kind: list[str], folders: Sequence[Path]
) -> StoredResult | None:
    """Return a result of a kind about all layers of editions and about more folders.

    None if a layer is missing, is in an archive, or hides another edition.
    """
    what, layers = kind, dict[str, Edition]()
    for edition in editions:
        try:
            chain = catalogue.chain(edition)
            what = [*what, catalogue.find(edition.follows).id] if edition.follows is not None else what
        except DiagnosticError:
            return None
        if any(is_extracted(part.folder) or catalogue.list_hidden(part) for part in chain):
            return None
        what = [*what, *(f"{part.id} {' '.join(sorted(catalogue.list_written_for(part)))}" for part in chain)]
        layers |= {part.id: part for part in chain}
    with record_files() as inside:
        files = [file for part in layers.values() for file in list_rules_files(part.folder, Diagnostics())]
    files += [part.path for part in layers.values()]
    return StoredResult(what, [*(part.folder for part in layers.values()), *folders], [*files, *map(Path, inside)])


class LazyRulesets(Mapping[str, "Ruleset"]):
    """Valid rulesets by edition. Those that were not built by the check are loaded when they are needed."""

    def __init__(self, catalogue: Catalogue, built: Mapping[str, Ruleset], others: Iterable[str]) -> None:
        self._catalogue = catalogue
        self._rulesets: dict[str, Ruleset | None] = {**dict.fromkeys(others), **built}

    def __getitem__(self, key: str) -> Ruleset:
        from rulewright.ruleset.load_ruleset import find_ruleset
        from rulewright.ruleset.schema.edition_reference import parse_reference

        ruleset = self._rulesets[key]
        if ruleset is None:
            ruleset = self._rulesets[key] = find_ruleset(self._catalogue, parse_reference(key))[0]
        return ruleset

    def __contains__(self, key: object) -> bool:
        return key in self._rulesets

    def __iter__(self) -> Iterator[str]:
        return iter(self._rulesets)

    def __len__(self) -> int:
        return len(self._rulesets)
