"""Stored results about editions, and rulesets of editions that such results know to be valid."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from rulewright.base.incremental.reads import record_files
from rulewright.ruleset.cache.stored_results import StoredResult
from rulewright.ruleset.editions.catalogue import Catalogue
from rulewright.ruleset.editions.edition import Edition, list_rules_files
from rulewright.ruleset.editions.zip_archives import is_extracted
from rulewright.source.diagnostics.collector import DiagnosticError, Diagnostics

if TYPE_CHECKING:
    from rulewright.ruleset.ruleset import Ruleset


def name_edition_result(
    catalogue: Catalogue, editions: Sequence[Edition], what: Sequence[str], folders: Sequence[Path] = ()
) -> StoredResult | None:
    """Return a result of the kind `what` about all layers of editions and about more folders.

    It depends on the manifests and rules files of the layers. None if it must not be stored, because a layer is missing
    or in an archive.
    """
    what = list(what)
    try:
        for edition in editions:
            if edition.follows is not None:
                what.append(catalogue.find(edition.follows).id)
            for part in catalogue.chain(edition):
                what.append(f"{part.id} {' '.join(sorted(catalogue.list_written_for(part)))}")
        layers = chain_layers(catalogue, editions)
    except DiagnosticError:
        return None
    if any(is_extracted(part.folder) for part in layers):
        return None
    with record_files() as inside:
        files = [file for part in layers for file in list_rules_files(part.folder, Diagnostics())]
    files += [part.path for part in layers]
    return StoredResult(what, [*(part.folder for part in layers), *folders], [*files, *map(Path, inside)])


def chain_layers(catalogue: Catalogue, editions: Iterable[Edition]) -> tuple[Edition, ...]:
    """Return the layers of editions, each once, the lower ones first. Raises what `Catalogue.chain` raises."""
    return tuple({part.id: part for edition in editions for part in catalogue.chain(edition)}.values())


class LazyRulesets(Mapping[str, "Ruleset"]):
    """Valid rulesets by edition. Those that were not built by the check are loaded when they are needed."""

    def __init__(self, catalogue: Catalogue, built: Mapping[str, Ruleset], others: Iterable[str]) -> None:
        self._catalogue = catalogue
        self._rulesets: dict[str, Ruleset | None] = {**dict.fromkeys(others), **built}

    def __getitem__(self, key: str) -> Ruleset:
        """Return the ruleset of an edition, which is loaded on first use if the check did not build it.

        Raises `KeyError` for an edition that is not valid, and `DiagnosticError` if it cannot be loaded any more.
        """
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
