"""Incremental builds of a site: only the parts that an edit affects, and first the one that a reader waits for."""

from __future__ import annotations

import shutil
import sys
import tempfile
import time
from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path

from rulewright.base.errors import RulewrightError
from rulewright.base.incremental.reads import record_files
from rulewright.base.incremental.traces import Traces
from rulewright.base.plugins import Failure, report_failure
from rulewright.base.resources import find_resource
from rulewright.book.changes.edition_history import Comparisons, PublishedEdition
from rulewright.book.pages.change_marks import Marks
from rulewright.book.parts.odds_examples import Weigh
from rulewright.book.rulebook import render_sound_site
from rulewright.book.site.book_folders import list_publishable, name_folders
from rulewright.book.site.languages import list_other_books
from rulewright.book.site.publish import build_edition, build_front, build_sources, write_shared, write_versions
from rulewright.book.site.stored_parts import ReadFiles, digest_files, digest_generator, find_parts, list_files
from rulewright.book.site.web_app import RETIRE, WORKER
from rulewright.ruleset.cache.stored_values import reuse_values
from rulewright.ruleset.editions.catalogue import Catalogue
from rulewright.ruleset.editions.edition import Edition, list_rules_files, list_words_files
from rulewright.ruleset.editions.icons import COVER, FOLDER
from rulewright.ruleset.load_ruleset import load_edition
from rulewright.ruleset.translation.translation_lint import lint_translations
from rulewright.source.diagnostics.collector import DiagnosticError, Diagnostics
from rulewright.source.diagnostics.diagnostic import Diagnostic
from rulewright.source.files.file_states import Look, look_at

Fault = Diagnostic | str
FRONT = "index.html"
"""The part of the site that does not belong to a single edition: the front page, the comparisons and the sources."""

_GENERAL = ""
"""The key for errors of the whole catalogue in the mapping of errors."""


class LiveSite:
    """The site of all editions below `paths`, in `folder`, in parts: each edition, and the front page.

    `look` finds the parts affected by an edit, and `build` updates one of them. Neither raises exceptions: a part
    that cannot be built keeps its errors. One thread may call them while others ask for stale parts.
    """

    def __init__(self, paths: Sequence[Path], folder: Path, *, weigh: Weigh | None = None) -> None:
        """Write the assets that all books share into `folder`. Rules are only read by `look`."""
        self.paths = list(paths)
        self.folder = folder
        self.weigh = weigh
        self._catalogue = Catalogue(self.paths)
        self._editions: dict[str, Edition] = {}
        self._states: dict[str, Look] = {}
        self._unread: set[str] = set()
        self._unsound: set[str] = set()
        self._published: dict[str, PublishedEdition] = {}
        self._built: dict[str, dict[str, str]] = {}
        self._files: dict[str, None] = {}
        self._looked = 0
        self._faults: dict[str, tuple[Fault, ...]] = {}
        self._edited: frozenset[str] = frozenset()
        self._stale: frozenset[str] = frozenset({FRONT})
        write_shared(folder)
        (folder / WORKER).write_text(RETIRE, encoding="utf-8")

    def refresh(self) -> None:
        """Bring the whole site up to date."""
        self.look()
        while (part := self.choose_next(self._stale)) is not None:
            self.build(part)

    def is_stale(self, part: str) -> bool:
        """Return whether a part may be out of date."""
        return part in self._stale

    def find_part(self, path: str) -> str:
        """Return the part that a page belongs to, by its path in the site."""
        first = path.strip("/").partition("/")[0]
        return first if first in self._editions else FRONT

    def find_folder(self, part: str) -> Path:
        """Return the folder of a part in the site."""
        return self.folder / part if part in self._editions else self.folder

    def choose_next(self, expected: Collection[str]) -> str | None:
        """Return the part to build next, or None: a stale one in `expected`, or else one that was edited itself.

        Other stale parts can wait until they are expected.
        """
        parts = (*self._editions, FRONT)
        groups = (self._edited.intersection(expected), expected, self._edited)
        return next((part for group in groups for part in parts if part in group and part in self._stale), None)

    def list_faults(self, part: str) -> tuple[Fault, ...]:
        """Return the errors of a part.

        The front page shows all errors, because an edition with errors may have no pages.
        """
        if part in self._editions:
            return self._faults.get(part, ())
        return tuple(dict.fromkeys(fault for result in self._faults.values() for fault in result))

    def look(self) -> None:
        """Look for changed files and mark the parts that they affect, and always the front page, as stale.

        Removes the books of editions that are gone, and writes the list of versions. Errors are kept and not raised.
        """
        self._faults.pop(_GENERAL, None)
        self._looked = time.time_ns()
        try:
            self._look()
        except DiagnosticError as error:
            self._faults[_GENERAL] = error.diagnostics
        except RulewrightError as error:
            self._faults[_GENERAL] = (str(error),)
        except OSError as error:
            self._faults[_GENERAL] = (f"cannot read a file: {error}",)
        self._stale |= {FRONT}

    def _look(self) -> None:
        """Do the work of `look`, and raise `DiagnosticError` at the end if there are broken manifests."""
        self._catalogue = Catalogue(self.paths)
        editions = list_publishable(self._catalogue)
        names = name_folders(editions)
        for old_id in set(self._editions) - set(names.values()):
            self._states.pop(old_id, None)
            self._published.pop(old_id, None)
            self._built.pop(old_id, None)
            self._faults.pop(old_id, None)
            self._unread.discard(old_id)
            self._unsound.discard(old_id)
            shutil.rmtree(self.folder / old_id, ignore_errors=True)
        self._editions = {names[edition.id]: edition for edition in editions}
        edited = set()
        for name, edition in self._editions.items():
            state = self._state(edition)
            if self._states.get(name) != state:
                self._states[name] = state
                edited.add(name)
        # Each book compares its rules with those of the game's other editions.
        games = {self._editions[name].game for name in edited}
        touched = {name for name, edition in self._editions.items() if edition.game in games}
        self._unread |= edited
        self._stale = frozenset((self._stale & {*self._editions, FRONT}) | touched)
        self._edited = frozenset((self._edited & self._stale) | edited)
        write_versions({names[edition.id]: edition for edition in editions}, self.folder)
        broken = [d for result in self._catalogue.list_broken() for d in result.diagnostics]
        if broken:
            raise DiagnosticError(broken)

    def _state(self, edition: Edition) -> Look:
        """Return the state of all files that a book depends on.

        These are the manifests, rules, translations and drawings of its layers, and the templates. The names of all
        editions are part of it. If a layer is missing, only the edition itself counts as one.
        """
        try:
            layers = self._catalogue.chain(edition)
        except DiagnosticError:
            layers = [edition]
        ignored = Diagnostics()
        files: list[Path] = []
        for layer in layers:
            files += [
                layer.path,
                *list_rules_files(layer.folder, ignored),
                *list_words_files(layer.folder, ignored).values(),
            ]
            for home in (layer.folder, layer.folder.parent):
                files += [*sorted(home.glob(f"{FOLDER}/*.svg")), *home.glob(COVER)]
        files += sorted(path for path in find_resource("docs_templates").rglob("*") if path.is_file())
        return (*((name, 0, 0) for name in self._editions), *look_at(files))

    def build(self, part: str) -> None:
        """Bring one part up to date, or do nothing for an unknown part.

        The part is no longer stale then, even if it has errors, which are kept and not raised.
        """
        if part == FRONT:
            self._build_front()
        elif part in self._editions:
            self._build_edition(part)
        self._edited -= {part}
        self._stale -= {part}

    def _build_edition(self, name: str) -> None:
        """Load the edited editions of a game and rebuild one book, unless its rules have errors. Keeps errors."""
        began = time.perf_counter()
        game = self._editions[name].game
        self._read(lambda edition: edition.game == game)
        if name in self._unsound:
            return
        if self._guard(name, self._editions[name].id, lambda: self._exchange(self._published[name])):
            _say(f"{self._editions[name].id} is up to date after {time.perf_counter() - began:.1f} s")

    def _build_front(self) -> None:
        """Load all edited editions, and rebuild the front page and the sources if an edition is valid. Keeps errors."""
        self._read(lambda edition: True)
        ready = [self._published[name] for name in self._editions if name in self._published]

        def front() -> None:
            with reuse_values(["live front"], digest_generator):
                build_front(Comparisons(ready), self.folder)
            build_sources(ready, self.folder)

        self._faults.pop(FRONT, None)
        if ready:
            self._guard(FRONT, "the front page", front)

    def _read(self, expected: Callable[[Edition], bool]) -> None:
        """Load every edition that `expected` accepts and that was edited since its last load.

        One that fails to load keeps its last rules.
        """
        for name in sorted(self._unread):
            edition = self._editions[name]
            if expected(edition):
                self._unread.discard(name)
                if self._guard(name, edition.id, partial(self._load, name, edition)):
                    self._unsound.discard(name)
                else:
                    self._unsound.add(name)

    def _load(self, name: str, edition: Edition) -> None:
        """Load an edition and store it in `_published`. Raises `DiagnosticError` for errors in its rules."""
        with self._recording():
            ruleset, result = load_edition(self._catalogue, edition)
        result.raise_if_errors()
        assert ruleset is not None
        self._published[name] = PublishedEdition(edition, name, ruleset)

    def _guard(self, part: str, what: str, work: Callable[[], None]) -> bool:
        """Run `work`, and return whether it succeeded.

        Its errors are reported on stderr and kept as those of `part`, in place of earlier ones. `what` names the work
        in the report.
        """
        try:
            work()
            self._faults.pop(part, None)
            return True
        except DiagnosticError as error:
            errors = Diagnostics(error.diagnostics).errors
            self._faults[part] = errors
            _say(f"{what}: {len(errors)} error{'s' if len(errors) > 1 else ''} in the rules; the page shows them")
        except (RulewrightError, OSError) as error:
            self._faults[part] = (str(error),)
            _say(f"{what}: {error}")
        except Exception as error:  # after any failure, the server must still follow the next edit
            failure = Failure("the build", what, error)
            report_failure(failure)
            self._faults[part] = (str(failure),)
        return False

    def _exchange(self, item: PublishedEdition) -> None:
        """Make the book of an edition in another folder and swap it in, unless nothing has changed.

        Raises `DiagnosticError` for errors in its texts, its icons or its translations. Raises `BookError` for a
        warning of MkDocs.
        """
        comparisons = Comparisons([self._published[name] for name in self._editions if name in self._published])
        how = ["live", "" if self.weigh is None else self.weigh.__qualname__]
        prefix = "rulewright-build-"
        with self._recording(), tempfile.TemporaryDirectory(prefix=prefix, dir=self.folder.parent) as temporary:
            fresh = Path(temporary)
            part = find_parts(
                self._catalogue, comparisons, how, ReadFiles(self._files, self._looked), [item.folder]
            ).get(item.folder)
            if part is None:
                self._render(item, comparisons, fresh, None)
            elif not part.place(fresh, self.folder):
                with part.open_traces() as traces:
                    self._render(item, comparisons, fresh, traces)
                part.store(fresh, list_files(fresh, item.folder))
            result = digest_files(fresh)
            if self._built.get(item.folder) == result:
                return
            target = self.folder / item.folder
            if target.exists():
                target.rename(fresh / "before")
            shutil.move(str(fresh / item.folder), target)
        self._built[item.folder] = result

    def _render(self, item: PublishedEdition, comparisons: Comparisons, folder: Path, traces: Traces | None) -> None:
        """Build the book of an edition in `folder`, after checking its texts, icons and translations.

        Raises `DiagnosticError` for errors in them, and `BookError` for a warning of MkDocs.
        """
        pages = render_sound_site(item.ruleset, Marks(item, comparisons), weigh=self.weigh, traces=traces)
        diagnostics = Diagnostics()
        lint_translations(item.ruleset, diagnostics)
        diagnostics.raise_if_errors()
        build_edition(item, pages, folder, others=list_other_books(item.ruleset, traces))

    @contextmanager
    def _recording(self) -> Iterator[None]:
        """Note the files that are read in the block."""
        with record_files() as files:
            try:
                yield
            finally:
                self._files.update(files)


def _say(text: str) -> None:
    print(text, file=sys.stderr, flush=True)
