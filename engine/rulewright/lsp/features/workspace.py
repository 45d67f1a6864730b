"""The workspace: open files over the disk, the state of the editions that read them, and the remaining checks.

All diagnostics come from one pipeline (`check_edition`), edition by edition and part by part. They stay valid until
something changes in one of the edition's folders. The last usable ruleset of an edition is kept, so that an
unreadable file does not stop answers about others.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext, suppress
from dataclasses import dataclass, field, replace
from pathlib import Path
from types import MappingProxyType
from typing import Any

from rulewright.base.incremental.reads import record_files
from rulewright.base.incremental.traces import Traces
from rulewright.language.expressions.word_notes import Readings, record_readings
from rulewright.lsp.edition_parts import check_parts
from rulewright.lsp.features.edition_states import EditionStanding, EditionState, Good, Key, WorkspaceReport
from rulewright.lsp.known_verdicts import KnownVerdict
from rulewright.lsp.open_texts import Texts
from rulewright.ruleset.cache.storage import is_storing
from rulewright.ruleset.cache.stored_traces import StoredTraces
from rulewright.ruleset.editions.catalogue import Catalogue
from rulewright.ruleset.editions.edition import BrokenEdition, Edition, ReadLayer, read_edition, read_parts
from rulewright.ruleset.editions.search_path import search_path
from rulewright.ruleset.prose.source_coverage import check_sources
from rulewright.ruleset.ruleset import Ruleset
from rulewright.source.diagnostics.collector import DiagnosticError
from rulewright.source.diagnostics.diagnostic import Diagnostic
from rulewright.source.files.unsaved_texts import build_file_key, replace_files
from rulewright.source.source_map import SOURCES
from rulewright.testing.edition_check import EditionCheck


@dataclass(slots=True, eq=False)
class Workspace:
    """The files and editions that a designer has open.

    `folders` are searched for editions in addition to the search path. `work` counts the work done: folders read
    (`manifest`, `rules`), and parts of checks.
    """

    folders: Sequence[Path] = ()
    texts: Texts = field(default_factory=Texts)
    work: Counter[str] = field(default_factory=Counter)
    _judged: dict[str, EditionState] = field(default_factory=dict)
    _good: dict[str, Good] = field(default_factory=dict)
    _sound: dict[str, Good] = field(default_factory=dict)
    """The last valid state of each edition."""
    _manifests: dict[Key, Edition | BrokenEdition] = field(default_factory=dict)
    _rules: dict[Key, ReadLayer] = field(default_factory=dict)
    traces: Traces = field(default_factory=Traces)
    """What earlier checks have found, for rules that are the same now."""
    turn: AbstractContextManager[Any] = field(default_factory=nullcontext)
    """Gives each thread its turn with the traces, if workspaces share them. It must be reentrant."""
    _unfinished: dict[str, tuple[Key, Iterator[tuple[EditionCheck, bool]]]] = field(default_factory=dict)
    """The rest of each check whose result was known, with the key of the state that it checks."""
    _verdict: tuple[Sequence[Key], KnownVerdict] | None = None
    """The first state of the watched editions, with what was known of its check."""
    _files: dict[str, dict[str, None]] = field(default_factory=dict)
    """The files that the latest check of each edition has read."""
    _catalogue: tuple[Key, Catalogue] | None = None
    _seen: Counter[str] = field(default_factory=Counter)
    """The change counters at the time the catalogue was read."""

    # -- editions ------------------------------------------------------------------------

    def get_catalogue(self) -> Catalogue:
        """Return the catalogue of editions, with unsaved text. Reads again only the folders that changed."""
        paths = self._paths()
        key: Key = (*paths, self.texts.changes[""])
        if self._catalogue is None or self._catalogue[0] != key:
            catalogue = Catalogue(paths, read=self._manifest, read_rules=self._layer)
            with self.read_unsaved():
                catalogue.list_editions()
            self._catalogue = key, catalogue
            self._seen = Counter(self.texts.changes)
        elif self._seen != self.texts.changes:
            # The set of editions is known; read the rules of the changed ones again.
            for edition in self._catalogue[1].list_editions():
                folder = self.texts.find_folder(edition.folder)
                if self._seen[folder] != self.texts.changes[folder]:
                    self._catalogue[1].forget_layer(edition)
            self._seen = Counter(self.texts.changes)
        return self._catalogue[1]

    def read_unsaved(self) -> AbstractContextManager[None]:
        """Return a context in which reads see unsaved text instead of the files on disk."""
        return replace_files(self.texts.list_unsaved())

    def list_watched(self) -> tuple[list[Edition], list[Edition]]:
        """Return the editions that read an open file, in two lists.

        The first has those whose own folder has an open file, and the second has the others.
        """
        homes = {build_file_key(home) for path in self.texts.opened.values() if (home := self.texts.find_home(path))}
        near, far = [], []
        catalogue = self.get_catalogue()
        for edition in catalogue.list_editions():
            if self.texts.find_folder(edition.folder) in homes:
                near.append(edition)
            elif homes & {self.texts.find_folder(part.folder) for part in self._chain(catalogue, edition)}:
                far.append(edition)
        return near, far

    def list_editions(self, path: Path) -> list[Edition]:
        """Return the editions that read a file, its own first. Empty for a file outside of rulesets."""
        home = self.texts.find_home(path)
        if home is None:
            return []
        catalogue, own = self.get_catalogue(), build_file_key(home)
        reading = [
            edition
            for edition in catalogue.list_editions()
            if own in {self.texts.find_folder(part.folder) for part in self._chain(catalogue, edition)}
        ]
        return sorted(reading, key=lambda edition: self.texts.find_folder(edition.folder) != own)

    def list_good(self, path: Path) -> list[Good]:
        """Return the last usable state of each edition that reads a file, its own first.

        Requests are answered from these states, which may be older than the text. Runs no check. Empty before the first
        usable check.
        """
        editions = self.list_editions(path)
        for edition in editions:
            if self._name(edition) in self._unfinished:  # states without the readings of examples
                for _ in self._finish(self._name(edition)):
                    pass
        known = [self._good.get(self._name(edition)) for edition in editions]
        home = self.texts.find_home(path)
        if home is not None and not any(known):
            # The manifest is unreadable now, but was readable before.
            own = build_file_key(home)
            known = [
                each
                for each in self._good.values()
                if any(build_file_key(layer.folder) == own for layer in each.ruleset.resolved.layers)
            ]
        return [each for each in known if each is not None]

    def is_current(self, good: Good) -> bool:
        """Return whether a ruleset is from the latest check, and nothing that its edition reads has changed since."""
        known = self._judged.get(self._name(good.edition))
        return (
            known is not None
            and known.checked.ruleset is good.ruleset
            and known.key == self._key(self.get_catalogue(), good.edition)
        )

    def list_errors(self, good: Good) -> tuple[Diagnostic, ...]:
        """Return the errors of an edition found so far."""
        known = self._judged.get(self._name(good.edition))
        return known.checked.diagnostics.errors if known is not None else ()

    def is_sound(self, edition: Edition) -> bool | None:
        """Return whether an edition has no errors in its current state. None if its check is not complete."""
        known = self._judged.get(self._name(edition))
        if known is None or known.key != self._key(self.get_catalogue(), edition):
            return None
        return False if known.checked.diagnostics.errors else True if known.whole else None

    def check_in_parts(self, edition: Edition) -> Iterator[None]:
        """Check one edition, part by part, unless its check is current. The caller may stop after each part.

        Each part updates the stored state of the edition.
        """
        catalogue = self.get_catalogue()
        key = self._key(catalogue, edition)
        known = self._judged.get(self._name(edition))
        if known is not None and known.whole and known.key == key:
            return
        for checked, whole in self._parts(catalogue, edition):
            self._judged[self._name(edition)] = EditionState(key, checked, whole)
            yield

    def check_edition(self, edition: Edition) -> EditionCheck:
        """Check one edition completely in its current state, and return the result."""
        for _ in self.check_in_parts(edition):
            pass
        return self._judged[self._name(edition)].checked

    def check_file(self, path: Path) -> list[Good]:
        """Check the rules of every edition that reads a file and has changed, and return their last usable states.

        This includes editions without open files. The rest of the checks, such as examples, does not run.
        """
        for edition in self.list_editions(path):
            known = self._good.get(self._name(edition))
            if known is None or not self.is_current(known):
                self._judge(edition)
        return self.list_good(path)

    def check_standing(self, edition: Edition) -> EditionStanding:
        """Return the last valid state of an edition, and the errors of its current one. Checks it if it has changed.

        No file of it needs to be open. The state is None if the edition was never valid. There are no errors if its
        current rules are valid.
        """
        known = self._judged.get(self._name(edition))
        if known is None or known.key != self._key(self.get_catalogue(), edition):
            known = self._judge(edition)
        sound = self._sound.get(self._name(edition))
        errors = known.checked.diagnostics.errors if known is not None else ()
        current = sound is not None and known is not None and known.checked.ruleset is sound.ruleset
        return EditionStanding(sound, current, () if current else errors)

    def find_last_sound(self, folder: Path) -> Good | None:
        """Return the last valid state of the edition in a folder, or None.

        The manifest may be unreadable now.
        """
        own = build_file_key(folder)
        return next((each for each in self._sound.values() if build_file_key(each.edition.folder) == own), None)

    def list_sound(self) -> list[Good]:
        """Return the last valid state of every edition that had one."""
        return list(self._sound.values())

    def _judge(self, edition: Edition) -> EditionState | None:
        """Load the rules of an edition in its current state, without the rest of the checks.

        The result is stored. None if the check has no parts.
        """
        catalogue = self.get_catalogue()
        for checked, whole in self._parts(catalogue, edition):
            self._judged[self._name(edition)] = EditionState(self._key(catalogue, edition), checked, whole)
            break
        return self._judged.get(self._name(edition))

    # -- the work ------------------------------------------------------------------------

    def run_checks(self, *, near: bool = False) -> Iterator[WorkspaceReport | None]:
        """Run the remaining checks, part by part.

        The caller may stop after each part, because something may have changed. Yields the results so far, or None if
        they are not worth showing yet, and the complete results at the end. With `near`, only editions with open
        files are checked, and the complete results are not yielded.
        """
        catalogue = self.get_catalogue()
        own, others = self.list_watched()
        editions = [*own, *others]
        # Errors inside a file are found much faster than errors in the merged rules, so report them first.
        alone = self._alone(catalogue, editions)
        verdict = self._find_verdict(catalogue, editions)
        if any(alone.values()):
            yield self._make_report(catalogue, editions, whole=False, alone=alone)
        for edition in own if near else editions:
            if self._is_whole(catalogue, edition):
                continue
            key, name, parts = self._key(catalogue, edition), self._name(edition), self._parts(catalogue, edition)
            for checked, whole in parts:
                self._judged[name] = EditionState(key, checked, whole)
                if not whole and verdict is not None and verdict.is_clean and not checked.diagnostics:
                    # The rest of the check will find nothing, and can wait for a quiet moment.
                    self._judged[name] = EditionState(key, checked, True)
                    self._unfinished[name] = key, parts
                    yield None
                    break
                # An incomplete list would hide warnings that were known before, so publish only errors early.
                if whole or checked.diagnostics.errors:
                    yield self._make_report(catalogue, editions, whole=False)
                else:
                    yield None
        if not near:
            yield self._report_whole(catalogue, editions, verdict)

    def _find_verdict(self, catalogue: Catalogue, editions: Sequence[Edition]) -> KnownVerdict | None:
        """Return what is known of the check of these editions, or None after the first change of their files."""
        state = [self._key(catalogue, edition) for edition in editions]
        if self._verdict is None and editions:
            with self.read_unsaved():
                self._verdict = state, KnownVerdict(catalogue, editions)
        return self._verdict[1] if self._verdict is not None and self._verdict[0] == state else None

    def _report_whole(
        self, catalogue: Catalogue, editions: Sequence[Edition], verdict: KnownVerdict | None
    ) -> WorkspaceReport:
        """Return the complete report on editions. Stores that nothing was found if it is the first one."""
        if self._unfinished:
            return replace(self._make_report(catalogue, editions, whole=False), whole=True)
        with record_files() as files:
            report = self._make_report(catalogue, editions, whole=True)
        if verdict is not None and not report.diagnostics:
            names = [self._name(edition) for edition in editions]
            with self.read_unsaved():
                verdict.store([*files, *(file for name in names for file in self._files.get(name, ()))])
        return report

    @property
    def is_unfinished(self) -> bool:
        """Whether `run_checks` has left the rest of a check whose result is known."""
        return bool(self._unfinished)

    def finish_checks(self) -> Iterator[WorkspaceReport | None]:
        """Run what `run_checks` has left of checks whose result was known, part by part, and then report.

        The caller may stop after each part.
        """
        while self._unfinished:
            yield from self._finish(next(iter(self._unfinished)))
        catalogue = self.get_catalogue()
        yield self._make_report(catalogue, [each for part in self.list_watched() for each in part], whole=True)

    def _finish(self, name: str) -> Iterator[None]:
        key, parts = self._unfinished[name]
        for checked, _ in parts:
            if self._unfinished.get(name) != (key, parts) or self._judged[name].key != key:
                break
            self._judged[name] = EditionState(key, checked, True)
            yield None
        self._unfinished.pop(name, None)

    def is_whole(self) -> bool:
        """Return whether all watched editions have been checked completely."""
        catalogue = self.get_catalogue()
        return all(self._is_whole(catalogue, edition) for part in self.list_watched() for edition in part)

    def _is_whole(self, catalogue: Catalogue, edition: Edition) -> bool:
        known = self._judged.get(self._name(edition))
        return known is not None and known.whole and known.key == self._key(catalogue, edition)

    def settle(self) -> WorkspaceReport:
        """Run all remaining checks and return the complete report."""
        *_, last = self.run_checks()
        assert last is not None
        return last

    def _parts(self, catalogue: Catalogue, edition: Edition) -> Iterator[tuple[EditionCheck, bool]]:
        """Check an edition part by part, and store its usable states.

        Yields the result so far, and whether it is complete.
        """
        readings, name = Readings(), self._name(edition)
        self._unfinished.pop(name, None)
        # The first check of an edition begins with what earlier processes have found, and leaves that for later ones.
        begun: set[str] = self.traces.open_table("editions whose check has begun", set)
        stored = StoredTraces([edition.id], beside=self.traces) if name not in begun and is_storing() else None
        begun.add(name)
        traces = stored or self.traces
        parts = check_parts(catalogue, edition, traces)
        files = self._files[name] = {}
        while True:
            # Another workspace may use other texts between two parts, so set up the reading for each part.
            with self.turn, self.read_unsaved(), record_readings() as log, record_files() as read:
                part = next(parts, None)
            files |= read
            if part is None:
                if stored is not None:
                    stored.save()
                return
            done, checked = part
            self.work[done] += 1
            _forget_renamed(self._judged, name)
            readings.extend(log)
            if checked.ruleset is not None and done in ("rules", "all"):
                self._keep(edition, checked, readings.copy(), self._good.get(name), done)
            yield checked, done == "all"

    def _keep(
        self, edition: Edition, checked: EditionCheck, readings: Readings, before: Good | None, part: str
    ) -> None:
        """Store a usable ruleset, with `readings` and the texts of its files, as the state of an edition.

        One with errors replaces the state `before` only if it is at least as complete. `part` is the part of the check:
        after the part `rules` without errors, the ruleset is also the last valid one.
        """
        ruleset = checked.ruleset
        assert ruleset is not None
        name, merged = self._name(edition), part == "rules" and not checked.diagnostics.errors
        better = before is not None and before.ruleset is not ruleset
        if better and checked.diagnostics.errors and before is not None and not _as_much(ruleset, before.ruleset):
            return
        known = {} if before is None else before.texts_by_file
        files = [file for layer in ruleset.resolved.layers for file in (layer.manifest, *layer.files)]
        texts = {file: known.get(file) or self._read(file.span.file) for file in files}
        self._good[name] = Good(edition, ruleset, readings, texts, self.traces, self.turn)
        _forget_renamed(self._good, name)
        sound = self._sound.get(name)
        if merged or (sound is not None and sound.ruleset is ruleset):
            self._sound[name] = self._good[name]
            _forget_renamed(self._sound, name)

    def _read(self, file: str) -> tuple[str, str]:
        """Return the key of a file and its text, as this workspace last read it.

        Another workspace of this process may have read a different text. Rules from the cache have the text of the
        disk.
        """
        key = build_file_key(file)
        typed = self.texts.typed.get(key)
        return key, typed if typed is not None else SOURCES.find_text(file) or self.texts.get_text(file) or ""

    def _alone(self, catalogue: Catalogue, editions: Sequence[Edition]) -> dict[str, tuple[Diagnostic, ...]]:
        """Return the errors inside the files of each edition that has changed since its check, by the edition's name.

        Errors that only its other layers reveal are not among them. An edition without errors has an empty entry.
        """
        results = {}
        for edition in editions:
            known = self._judged.get(self._name(edition))
            if known is None or known.key != self._key(catalogue, edition):
                with self.read_unsaved():
                    diagnostics = catalogue.read_layer(edition).diagnostics
                results[self._name(edition)] = tuple(each for each in diagnostics if each.severity == "error")
        return results

    def _make_report(
        self,
        catalogue: Catalogue,
        editions: Sequence[Edition],
        *,
        whole: bool,
        alone: Mapping[str, Sequence[Diagnostic]] = MappingProxyType({}),
    ) -> WorkspaceReport:
        """Return the diagnostics of `editions` and of broken editions in the workspace, by file, each once.

        With `whole`, the checks of the sources across all editions are added. Editions with errors inside their files
        have only those errors, from `alone`.
        """
        reports = {self._name(edition): self._judged.get(self._name(edition)) for edition in editions}
        results: dict[tuple[object, ...], Diagnostic] = {}
        lines: list[Diagnostic] = []
        others: list[Diagnostic] = []
        having: dict[tuple[object, ...], list[str]] = {}
        for broken in catalogue.list_broken():
            if self._concerns(broken.folder):
                lines += broken.diagnostics
        for edition in editions:
            # If several editions report the same problem, the advice for the edition that owns the file comes first.
            each, folder = reports[self._name(edition)], Path(edition.folder)
            for diagnostic in alone.get(self._name(edition)) or (each.checked.diagnostics if each is not None else ()):
                (lines if Path(diagnostic.span.file).is_relative_to(folder) else others).append(diagnostic)
                having.setdefault(_key_of(diagnostic), []).append(edition.id)
        lines += others
        if whole:
            checked = [each.checked for each in reports.values() if each is not None]
            rulesets = {each.edition.id: each.ruleset for each in checked if each.ruleset is not None and each.sound}
            unsound = {each.edition.id for each in checked if each.diagnostics.errors}
            known = {edition.id for edition in catalogue.list_editions()}
            with self.read_unsaved():
                lines += check_sources(catalogue.paths, rulesets, known, unsound=unsound)
        for diagnostic in lines:
            results.setdefault(_key_of(diagnostic), diagnostic)
        files: dict[str, list[Diagnostic]] = {}
        for diagnostic in results.values():
            files.setdefault(diagnostic.span.file, []).append(diagnostic)
        return WorkspaceReport(files, whole, {each: having.get(key, ()) for key, each in results.items()})

    def _concerns(self, folder: Path) -> bool:
        """Return whether a broken edition's folder contains an open file."""
        own = Path(build_file_key(folder))
        return any(Path(key).is_relative_to(own) for key in self.texts.opened)

    def list_own_folders(self) -> list[Path]:
        """Return the folders with files that the author works on: the open folders, and the editions of open files.

        An open file outside of all editions stands for itself.
        """
        return [*self.folders, *(self.texts.find_home(path) or path for path in self.texts.opened.values())]

    # -- inputs ----------------------------------------------------------------------------

    def _paths(self) -> list[Path]:
        """Return the folders to search for editions.

        These are the open folders, each after its folder `rules`, the search path unless it is invalid, and the folders
        around the editions of other open files.
        """
        paths = [folder for given in self.folders for folder in (given / "rules", given) if folder.is_dir()]
        with suppress(DiagnosticError):  # a folder in the environment variable does not exist
            paths += [path.absolute() for path in search_path()]
        results = {build_file_key(path): path for path in reversed(paths)}
        ordered = {key: results[key] for key in map(build_file_key, paths)}
        for path in self.texts.opened.values():
            home = self.texts.find_home(path)
            if home is not None and not any(Path(build_file_key(home)).is_relative_to(key) for key in ordered):
                ordered[build_file_key(home.parent)] = home.parent
        return list(ordered.values())

    def _manifest(self, folder: Path, *, entry: int = 0) -> Edition | BrokenEdition:
        """Return the edition of a folder. Reads its manifest only if a file of the folder has changed."""
        key: Key = (os.fspath(folder), entry, *self.texts.read_times(folder))
        edition = self._manifests.get(key)
        if edition is None:
            self.work["manifest"] += 1
            edition = self._manifests[key] = read_edition(folder, entry=entry)
            _forget_older(self._manifests, key)
        return edition

    def _layer(self, edition: Edition) -> ReadLayer:
        """Return the rules of an edition. Reads its files only if one of them has changed."""
        key: Key = (os.fspath(edition.folder), edition.partial, *self.texts.read_times(edition.folder))
        parts = self._rules.get(key)
        if parts is None:
            self.work["files of a layer"] += 1
            parts = self._rules[key] = read_parts(edition)
            _forget_older(self._rules, key)
        return parts

    def _name(self, edition: Edition) -> str:
        """Return the key of what is kept of an edition."""
        return f"{edition.id} {self.texts.find_folder(edition.folder)}"

    def _chain(self, catalogue: Catalogue, edition: Edition) -> list[Edition]:
        try:
            return catalogue.chain(edition)
        except DiagnosticError:
            return [edition]

    def _key(self, catalogue: Catalogue, edition: Edition) -> Key:
        """Return a key that changes with everything that a check of the edition reads."""
        parts: list[object] = []
        try:
            read: Iterable[Edition] = [*catalogue.chain(edition), *catalogue.list_hidden(edition)]
            if edition.follows is not None:
                read = [*read, catalogue.find(edition.follows)]
        except DiagnosticError:
            # A missing edition may become available.
            read = [edition]
            parts.append(tuple(sorted(self.texts.changes.items())))
        return (*parts, *((os.fspath(part.folder), part.id, *self.texts.read_times(part.folder)) for part in read))


def _forget_older(entries: dict[Key, Any], key: Key) -> None:
    """Drop older states of the same folder from `entries`."""
    for other in [each for each in entries if each[:2] == key[:2] and each != key]:
        del entries[other]


def _key_of(diagnostic: Diagnostic) -> tuple[object, ...]:
    """Return a key that the same problem has in every edition."""
    return (diagnostic.code.id, diagnostic.span, diagnostic.message)


def _forget_renamed(entries: dict[str, Any], name: str) -> None:
    """Drop what is kept of editions that were in the folder of this one under another name or version."""
    folder = name.partition(" ")[2]
    for other in [each for each in entries if each != name and each.partition(" ")[2] == folder]:
        del entries[other]


def _as_much(ruleset: Ruleset, before: Ruleset) -> bool:
    """Return whether a ruleset with errors still declares as much as an earlier one, so that it may replace it."""
    now, then = ruleset.resolved.rules, before.resolved.rules
    return all(section in now.entries for section in then.entries) and len(ruleset.steps) >= len(before.steps)
