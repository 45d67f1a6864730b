"""The parts of a site on disk: the book of each edition, and everything else as one more part.

A part is valid as long as everything that it shows is the same: the files of the edition and its layers, what it shows
of other editions, the program with its templates, styles and settings, and the packages that render pages.
"""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import zlib
from collections.abc import Collection, Iterable, Mapping, Sequence
from contextlib import AbstractContextManager
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path, PurePosixPath
from typing import Any

from rulewright.base.incremental.traces import Traces
from rulewright.base.lazy import lazy_property
from rulewright.base.resources import find_resource
from rulewright.book.changes.edition_history import Comparisons, PublishedEdition
from rulewright.book.site.atomic_swap import MARK
from rulewright.ruleset.cache.edition_results import chain_layers, name_edition_result
from rulewright.ruleset.cache.fingerprint import digest_program
from rulewright.ruleset.cache.storage import is_storing, read, write
from rulewright.ruleset.cache.stored_results import StoredResult
from rulewright.ruleset.cache.stored_traces import open_traces
from rulewright.ruleset.cache.stored_values import reuse_values
from rulewright.ruleset.editions.catalogue import Catalogue
from rulewright.ruleset.editions.icons import COVER, FOLDER
from rulewright.source.files.file_digest import digest_file

REST = ""
"""The name of the part with all files that are in no book."""

_RENDERING = ("jinja2", "markdown", "markupsafe", "mkdocs", "mkdocs-material", "nh3", "pillow", "pyyaml", "resvg-py")
"""The packages whose versions may change a page."""

_SPARE = 4_000_000
"""The number of bytes of values that are kept without being used, such as chapters of a page that is not made again."""

_UNUSED = ("docs", "__pycache__")
"""The folders of the resource `site` that no site depends on."""


class StoredPart:
    """A part of a site that is stored on disk, or will be.

    `digests` has the digest of each of its files by the path in the site, or is None if no valid part is stored.
    """

    def __init__(
        self, name: str, how: Sequence[str], result: StoredResult, generator: str, version: str, files: ReadFiles
    ) -> None:
        self._name, self._how = name, how
        self._result, self._generator, self._files = result, generator, files
        self._depends = depends = f"{generator} {version}"
        known = result.find(fits=lambda stored: stored["depends"] == depends)
        self._content = "" if known is None else known["content"]
        self.digests: dict[str, str] | None = None if known is None else known["files"]

    def place(self, folder: Path, old: Path) -> bool:
        """Put the stored files into the site in `folder`, and return whether they are all there.

        Takes files that the `old` site still has from there, with their times. If one is missing, those before it stay
        in `folder`.
        """
        for path, digest in (self.digests or {}).items():
            target = folder / path
            target.parent.mkdir(parents=True, exist_ok=True)
            if _digest_built(old / path) == digest:
                shutil.copy2(old / path, target)
            elif path in self._contents:
                target.write_bytes(self._contents[path])
            else:
                return False
        return self.digests is not None

    def open_traces(self) -> AbstractContextManager[Traces]:
        """Return a context in which the builder of the part reuses its earlier results."""
        return open_traces("part of a site", self._name, *self._how, identify=digest_generator, spare=_SPARE)

    @lazy_property
    def _contents(self) -> Mapping[str, bytes]:
        """Return the content of the stored files, which is empty if it was deleted."""
        return _unpack(read(self._content))

    def store(self, folder: Path, paths: Iterable[str]) -> None:
        """Store files of the site in `folder` by their paths, unless something that they depend on was written."""
        if digest_generator() != self._generator:
            return
        contents = {path: (folder / path).read_bytes() for path in sorted(paths)}
        packed = _pack(contents)
        key = hashlib.sha256(packed).hexdigest()
        write(key, packed)
        digests = {path: _digest(content) for path, content in contents.items()}
        self._files.store(self._result, {"depends": self._depends, "content": key, "files": digests})


class ReadFiles:
    """The files that were read since the time `begun` in nanoseconds. `files` becomes longer.

    With `homes`, only those in these files and folders count.
    """

    def __init__(self, files: Collection[str], begun: int, homes: Iterable[Path] = ()) -> None:
        self._files, self._begun = files, begun
        self._homes = [os.path.abspath(home) for home in homes]

    def choose(self, catalogue: Catalogue, items: Sequence[PublishedEdition]) -> ReadFiles:
        """Return those that belong to editions and their layers."""
        layers = [layer.folder for layer in chain_layers(catalogue, [item.edition for item in items])]
        # Editions of a game share the drawings in the folder above.
        drawings = [layer.parent / name for layer in layers for name in (FOLDER, COVER)]
        return ReadFiles(self._files, self._begun, dict.fromkeys([*layers, *drawings]))

    def store(self, stored: StoredResult, result: Any) -> None:
        """Store a result that has read the files, unless one was written meanwhile."""
        own = [
            file
            for file in map(os.path.abspath, self._files)
            if any(file == home or file.startswith(home + os.sep) for home in self._homes)
        ]
        stored.store(own, result, begun=self._begun)


def find_parts(
    catalogue: Catalogue,
    comparisons: Comparisons,
    how: Sequence[str],
    files: ReadFiles,
    only: Collection[str] | None = None,
) -> dict[str, StoredPart]:
    """Return the parts of a site by the folder of the book, and `REST`. Those that must not be stored are left out.

    Empty if the cache is off.

    Args:
        catalogue: All editions.
        comparisons: The published ones.
        how: Names for everything else that the site depends on, such as its address.
        files: The files that are read.
        only: The folders of the books that are asked for, by default all.
    """
    if not is_storing():
        return {}
    generator = digest_generator()
    published = comparisons.published
    games = dict.fromkeys(item.edition.game for item in published if only is None or item.folder in only)
    digests = _digest_others(catalogue, comparisons, files, games) | {REST: ""}
    parts = {}
    for name, items in ((REST, published), *((item.folder, (item,)) for item in published)):
        if only is not None and name not in only:
            continue
        result = _name(catalogue, items, ["site", name, *how])
        if result is not None and name in digests:
            parts[name] = StoredPart(name, how, result, generator, digests[name], files.choose(catalogue, items))
    return parts


def is_same(folder: Path, parts: Mapping[str, StoredPart]) -> bool:
    """Return whether a site has exactly the files of all these parts, with the same content."""
    expected: dict[str, str] = {}
    for part in parts.values():
        if part.digests is None:
            return False
        expected |= part.digests
    folders = {parent.as_posix() for path in expected for parent in PurePosixPath(path).parents}
    for inside, below, names in os.walk(folder):
        here = Path(inside).relative_to(folder)
        if here.as_posix() not in folders or any((here / name).as_posix() not in folders for name in below):
            return False
        for name in names:
            path = (here / name).as_posix()
            if path != MARK and _digest_built(folder / path) != expected.pop(path, None):
                return False
    return not expected


def _name(catalogue: Catalogue, items: Sequence[PublishedEdition], what: Sequence[str]) -> StoredResult | None:
    books = [item.folder for item in items]
    return name_edition_result(catalogue, [item.edition for item in items], [*what, *books])


def _digest_others(
    catalogue: Catalogue, comparisons: Comparisons, files: ReadFiles, games: Iterable[str]
) -> dict[str, str]:
    """Return digests of what each book of some games shows of other editions, by its folder.

    Those of editions that nothing must be stored of are left out.
    """
    digests: dict[str, str] = {}
    for game in games:
        items = [item for item in comparisons.published if item.edition.game == game]
        result = _name(catalogue, items, ["other editions"])
        if result is None:
            continue
        known = result.find()
        if known is None:
            from rulewright.book.pages.change_marks import Marks

            with reuse_values(["changes", game], digest_program):
                known = {item.folder: Marks(item, comparisons).digest_others() for item in items}
            files.choose(catalogue, items).store(result, known)
        digests |= known
    return digests


def digest_generator() -> str:
    """Return a digest of everything that all sites depend on besides rules, which is the same in every copy.

    That is this program with its templates, styles, scripts and settings, and the versions of the packages.
    """
    whole = hashlib.sha256(digest_program().encode())
    site = find_resource("site")
    for inside, folders, names in os.walk(site):
        folders[:] = sorted(name for name in folders if name not in _UNUSED)
        for name in sorted(names):
            path = os.path.join(inside, name)
            whole.update(f"{os.path.relpath(path, site)} {digest_file(path)}\n".encode("utf-8", "surrogatepass"))
    whole.update(digest_file(str(site.parent / "mkdocs.yml")).encode())
    for name in _RENDERING:
        try:
            whole.update(f"{name} {version(name)}\n".encode())
        except PackageNotFoundError:
            whole.update(f"{name} missing\n".encode())
    return whole.hexdigest()


def list_files(site: Path, inside: str = "") -> list[str]:
    """Return the paths of all files in a folder of a site, by default the whole."""
    return [path.relative_to(site).as_posix() for path in sorted((site / inside).rglob("*")) if path.is_file()]


def digest_files(site: Path) -> dict[str, str]:
    """Return the digests of all files in a folder, by their paths."""
    return {path: _digest((site / path).read_bytes()) for path in list_files(site)}


def _digest(content: bytes) -> str:
    return hashlib.blake2b(content, digest_size=16).hexdigest()


def _digest_built(path: Path) -> str | None:
    """Return the digest of a file of a site. None if it is missing, or something else than a file."""
    try:
        return _digest(path.read_bytes()) if path.is_file() and not path.is_symlink() else None
    except OSError:
        return None


def _pack(contents: Mapping[str, bytes]) -> bytes:
    """Return files as one text of bytes: their paths and sizes as JSON in a line, and then all that is in them."""
    head = json.dumps([[path, len(content)] for path, content in contents.items()]).encode()
    return zlib.compress(b"\n".join((head, b"".join(contents.values()))), 1)


def _unpack(packed: bytes | None) -> dict[str, bytes]:
    """Return the files of `_pack`. Empty if there are none."""
    if packed is None:
        return {}
    head, _, data = zlib.decompress(packed).partition(b"\n")
    contents, at = {}, 0
    for path, size in json.loads(head):
        contents[path], at = data[at : at + size], at + size
    return contents
