"""Stored verdicts: whether an earlier check of the open editions found nothing in files with the same content."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Sequence

from rulewright.ruleset.cache.edition_results import chain_layers, name_edition_result
from rulewright.ruleset.cache.storage import is_storing
from rulewright.ruleset.cache.stored_results import StoredResult
from rulewright.ruleset.editions.catalogue import Catalogue, report_shadowed
from rulewright.ruleset.editions.edition import Edition
from rulewright.source.diagnostics.collector import DiagnosticError


class KnownVerdict:
    """The stored verdict on some editions in their current state."""

    def __init__(self, catalogue: Catalogue, editions: Sequence[Edition]) -> None:
        self._layers = list(_list_layers(catalogue, editions))
        self._stored = _name(catalogue, editions, self._layers)
        self.is_clean = self._stored is not None and self._stored.find() is not None
        """Whether an earlier check of files with this content found nothing at all."""

    def store(self, files: Iterable[str]) -> None:
        """Store that a check of these editions found nothing.

        `files` are the files that the check read outside of their layers.
        """
        if self._stored is not None and not self.is_clean:
            self._stored.store([*files, *_list_files(self._layers)], True)


def _name(catalogue: Catalogue, editions: Sequence[Edition], layers: Iterable[Edition]) -> StoredResult | None:
    """Return the stored verdict on editions, or None if there must be none."""
    if not is_storing():
        return None
    # A hidden edition that differs is reported, and its files are not among those of the layers.
    if any(True for part in layers for _ in report_shadowed(catalogue, part)):
        return None
    # Sources name editions that exist, and are searched for in every folder.
    what = ["verdict", str(len(catalogue.paths)), *(edition.id for edition in catalogue.list_editions())]
    return name_edition_result(catalogue, editions, what, catalogue.paths)


def _list_layers(catalogue: Catalogue, editions: Sequence[Edition]) -> Iterator[Edition]:
    """Yield the layers of editions, or nothing if one is missing."""
    try:
        yield from chain_layers(catalogue, editions)
    except DiagnosticError:
        return


def _list_files(layers: Iterable[Edition]) -> Iterator[str]:
    """Yield every visible file and folder of the layers."""
    for part in layers:
        for inside, below, names in os.walk(part.folder):
            below[:] = [name for name in below if not name.startswith(".")]
            yield inside
            yield from (os.path.join(inside, name) for name in names if not name.startswith("."))
