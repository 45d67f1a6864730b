"""A site that is kept up to date: only the editions whose rules have changed are built again."""

from __future__ import annotations

import shutil
import sys
import tempfile
import time
import traceback
from collections.abc import Callable, Sequence
from pathlib import Path

from rulewright.book.chances import Weigh
from rulewright.book.comparisons import Comparisons
from rulewright.book.marks import Marks
from rulewright.book.publish import build_edition, build_front, folders, publishable
from rulewright.book.published import Published
from rulewright.book.sound import sound_site
from rulewright.errors import RulewrightError
from rulewright.resources import resource
from rulewright.ruleset.catalogue import Catalogue
from rulewright.ruleset.edition import Edition, rules_files
from rulewright.ruleset.load import load_edition
from rulewright.source.diagnostic import Diagnostic
from rulewright.source.diagnostics import DiagnosticError, Diagnostics

Fault = Diagnostic | str
FRONT = "index.html"
"""The file of the front page, under which its own faults are kept."""

State = tuple[tuple[str, int, int], ...]
"""The files an edition is made of, each with when it was changed and how long it is."""


class LiveSite:
    """The site of all editions below `paths`, in `folder`."""

    def __init__(self, paths: Sequence[Path], folder: Path, *, weigh: Weigh | None = None) -> None:
        self.paths = list(paths)
        self.folder = folder
        self.weigh = weigh
        self._states: dict[str, State] = {}
        self._published: dict[str, Published] = {}
        self._faults: dict[str, tuple[Fault, ...]] = {}
        self._front = False

    def refresh(self) -> None:
        """Bring the site up to date. What cannot be built is remembered as a fault, and nothing is raised."""
        try:
            self._refresh()
            self._faults.pop("", None)
        except DiagnosticError as error:
            self._faults[""] = error.diagnostics
        except RulewrightError as error:
            self._faults[""] = (str(error),)
        except OSError as error:
            # A file that is being saved may be gone for a moment; the next look finds it.
            self._faults[""] = (f"a file cannot be read: {error}",)

    def faults_of(self, name: str) -> tuple[Fault, ...]:
        """What is wrong with the edition in the folder `name`, or with the catalogue as a whole."""
        if name in self._faults:
            return self._faults[name]
        general = self._faults.get("", ())
        # The front page shows every fault, for the edition it belongs to may have no page at all.
        if name in ("", FRONT):
            return general or tuple(fault for found in self._faults.values() for fault in found)
        return general if not (self.folder / name).exists() else ()

    def _refresh(self) -> None:
        catalogue = Catalogue(self.paths)
        editions = publishable(catalogue)
        names = folders(editions)
        broken = tuple(d for found in catalogue.broken() for d in found.diagnostics)
        for gone in set(self._published) - {names[edition.id] for edition in editions}:
            del self._published[gone]
            if not broken:
                shutil.rmtree(self.folder / gone, ignore_errors=True)
        for name in set(self._faults) - set(names.values()):
            del self._faults[name]
        # All are loaded before any is built, for each tells how it stands to the others.
        fresh = {edition.id: self._load(catalogue, edition, names[edition.id]) for edition in editions}
        known = [fresh[identity] or self._published.get(name) for identity, name in names.items()]
        comparisons = Comparisons([item for item in known if item is not None])
        changed = False
        for item in fresh.values():
            if item is not None:
                changed |= self._build(item, comparisons)
        if broken:
            raise DiagnosticError(broken)
        ready = [self._published[name] for name in names.values() if name in self._published]
        if (changed or not self._front) and ready:
            self._front = self._guard("the front page", lambda: build_front(Comparisons(ready), self.folder), FRONT)

    def _load(self, catalogue: Catalogue, edition: Edition, name: str) -> Published | None:
        """One edition, if anything it is made of has changed and it can be loaded."""
        try:
            state = _state(catalogue.chain(edition))
        except DiagnosticError as error:
            self._faults[name] = error.diagnostics
            self._states.pop(name, None)
            return None
        if self._states.get(name) == state:
            return None
        self._states[name] = state
        loaded: list[Published] = []

        def load() -> None:
            ruleset, found = load_edition(catalogue, edition)
            found.raise_if_errors()
            assert ruleset is not None
            loaded.append(Published(edition, name, ruleset))

        self._guard(edition.id, load, name)
        return loaded[0] if loaded else None

    def _build(self, item: Published, comparisons: Comparisons) -> bool:
        """Build one edition; whether that could be done."""
        began = time.perf_counter()
        if not self._guard(item.edition.id, lambda: self._exchange(item, comparisons), item.folder):
            return False
        self._published[item.folder] = item
        self._faults.pop(item.folder, None)
        _say(f"{item.edition.id} built in {time.perf_counter() - began:.1f} s")
        return True

    def _guard(self, what: str, work: Callable[[], None], name: str) -> bool:
        """Do `work`, and remember as a fault of `name` whatever keeps it from being done; whether it was done."""
        try:
            work()
            return True
        except DiagnosticError as error:
            errors = Diagnostics(error.diagnostics).errors
            self._faults[name] = errors
            _say(f"{what}: {len(errors)} error{'s' if len(errors) > 1 else ''} in the rules; the page shows them")
        except RulewrightError as error:
            self._faults[name] = (str(error),)
            _say(f"{what}: {error}")
        except Exception as error:  # whatever goes wrong, the designer's next edit must still be followed
            traceback.print_exc()
            self._faults[name] = (f"Rulewright itself failed, which is a fault of the program: {error!r}",)
        return False

    def _exchange(self, item: Published, comparisons: Comparisons) -> None:
        """Build beside, then exchange, so that nobody is ever served half a book."""
        pages = sound_site(item.ruleset, Marks(item, comparisons), weigh=self.weigh)
        with tempfile.TemporaryDirectory(prefix="rulewright-build-", dir=self.folder.parent) as temporary:
            build_edition(item, pages, Path(temporary))
            target = self.folder / item.folder
            shutil.rmtree(target, ignore_errors=True)
            shutil.move(str(Path(temporary) / item.folder), target)


def _state(layers: Sequence[Edition]) -> State:
    """What the book of these layers is made of: their rules and drawings, the templates, and the site's own files."""
    ignored = Diagnostics()
    files: list[Path] = []
    for layer in layers:
        files += [layer.path, *rules_files(layer.folder, ignored)]
        files += sorted(layer.folder.glob("icons/*.svg")) + sorted(layer.folder.parent.glob("icons/*.svg"))
    files += sorted(path for path in resource("docs_templates").rglob("*") if path.is_file())
    found = []
    for path in files:
        stat = path.stat()
        found.append((str(path), stat.st_mtime_ns, stat.st_size))
    return tuple(found)


def _say(text: str) -> None:
    print(text, file=sys.stderr, flush=True)
