"""Checks of editions that found nothing, which are known as long as no file that they read has changed."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from rulewright.base.incremental.reads import record_files
from rulewright.ruleset.cache.stored_results import ResultRecorder, find_result
from rulewright.ruleset.editions.catalogue import Catalogue
from rulewright.ruleset.editions.edition import Edition, list_rules_files
from rulewright.ruleset.editions.zip_archives import is_extracted
from rulewright.source.diagnostics.collector import DiagnosticError, Diagnostics

if TYPE_CHECKING:
    from rulewright.ruleset.ruleset import Ruleset


class KnownChecks:
    """The checks of the editions of one catalogue that are stored on disk."""

    def __init__(self, catalogue: Catalogue) -> None:
        self._catalogue = catalogue

    def find(self, edition: Edition) -> list[str] | None:
        """Return the lines that `check` prints of a valid edition, or None if it must be checked."""
        names = self._name(edition)
        return None if names is None else find_result(*names)

    def record(self, edition: Edition) -> ResultRecorder | None:
        """Return a recorder for the files of an edition, or None if its check cannot be stored."""
        names = self._name(edition)
        return None if names is None else ResultRecorder(names[1], self._list_files([edition]))

    def store(self, edition: Edition, recorder: ResultRecorder, files: Iterable[str], lines: Sequence[str]) -> None:
        """Store the check of an edition that found nothing, with the files that it has read and the lines to print."""
        names = self._name(edition)
        if names is not None:
            recorder.store(names[0], files, list(lines))

    def name_sources(self, editions: Sequence[Edition]) -> tuple[list[str], list[Path]] | None:
        """Return what names the check of the sources against these editions, and its folders.

        None if it cannot be stored.
        """
        named = [self._name(edition) for edition in editions]
        if not named or any(each is None for each in named):
            return None
        what = [name for each in named if each is not None for name in each[0]]
        folders = dict.fromkeys(folder for each in named if each is not None for folder in each[1])
        return ["sources", *what], list(folders)

    def record_sources(self, editions: Sequence[Edition]) -> ResultRecorder | None:
        """Return a recorder for the files of these editions, or None if the check of sources cannot be stored."""
        names = self.name_sources(editions)
        return None if names is None else ResultRecorder(names[1], self._list_files(editions))

    def _list_files(self, editions: Iterable[Edition]) -> list[Path]:
        """Return the files and folders of all layers of editions."""
        layers = {part.id: part for edition in editions for part in self._catalogue.chain(edition)}
        with record_files() as folders:
            files = [file for part in layers.values() for file in list_rules_files(part.folder, Diagnostics())]
        return [*(part.path for part in layers.values()), *files, *map(Path, folders)]

    def _name(self, edition: Edition) -> tuple[list[str], list[Path]] | None:
        """Return what names the check of an edition, and the folders of its layers.

        None if its check cannot be stored, because a layer is missing, is in an archive, or hides another edition.
        """
        try:
            chain = self._catalogue.chain(edition)
            followed = self._catalogue.find(edition.follows).id if edition.follows is not None else ""
        except DiagnosticError:
            return None
        if any(is_extracted(part.folder) or self._catalogue.list_hidden(part) for part in chain):
            return None
        layers = [f"{part.id} {' '.join(sorted(self._catalogue.list_written_for(part)))}" for part in chain]
        return ["check", followed, *layers], [part.folder for part in chain]


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
