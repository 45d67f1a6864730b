"""Content-addressed store of file contents, compressed and written atomically."""

from __future__ import annotations

import os
import re
import zlib
from collections.abc import Collection, Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from rulewright.source.files.atomic_write import open_replacement
from rulewright.source.files.safe_read import DEFAULT_LIMITS
from rulewright.studio.storage.file_content import Content
from rulewright.studio.storage.state_dir import refuse_strange

VERSION = re.compile(r"[0-9a-f]{64}")
"""The form of a version."""

_TOP, _REST = re.compile(r"[0-9a-f]{2}"), re.compile(r"[0-9a-f]{62}")


@dataclass(slots=True, eq=False)
class BlobStore:
    """A store in a folder, with one subfolder for each two-letter prefix of a version. `size` is its size in bytes."""

    folder: Path
    size: int = 0

    def open(self) -> None:
        """Create the folder and compute its size. Raises `OSError`."""
        self.folder.mkdir(parents=True, exist_ok=True)
        self.size = sum(path.lstat().st_size for path in self._all())

    def put(self, content: Content) -> str:
        """Store a content and return its version.

        Raises `OSError`, and `RefusedError` if a link occupies its path.
        """
        version = content.version
        path = self._path(version)
        refuse_strange(self.folder, (version[:2],), (f"{version[:2]}/{version[2:]}",))
        if not path.is_file():
            packed = zlib.compress(content.data, 6)
            path.parent.mkdir(parents=True, exist_ok=True)
            with open_replacement(path) as place:
                place.write_bytes(packed)
            self.size += len(packed)
        return version

    def get(self, version: str) -> Content | None:
        """Return a stored content, or None if it is missing or damaged."""
        try:
            packed = self._path(version).read_bytes()
            unpacking = zlib.decompressobj()
            content = Content(unpacking.decompress(packed, DEFAULT_LIMITS.bytes + 1))
        except (OSError, ValueError, zlib.error):
            return None
        return content if content.version == version else None

    def keep_only(self, versions: Collection[str]) -> None:
        """Delete all contents except these versions. Files that cannot be deleted remain."""
        for path in list(self._all()):
            if path.parent.name + path.name not in versions:
                with suppress(OSError):
                    self.size -= path.lstat().st_size
                    path.unlink()

    def _path(self, version: str) -> Path:
        if not VERSION.fullmatch(version):
            raise ValueError(version)
        return self.folder / version[:2] / version[2:]

    def _all(self) -> Iterator[Path]:
        """Yield the files of the store. Skips other names and symbolic links."""
        for inside in _there(self.folder):
            if _TOP.fullmatch(inside.name) and inside.is_dir(follow_symlinks=False):
                for each in _there(inside):
                    if _REST.fullmatch(each.name) and each.is_file(follow_symlinks=False):
                        yield Path(each.path)


def _there(folder: str | Path | os.DirEntry[str]) -> list[os.DirEntry[str]]:
    """Return the entries of a folder, or nothing if it cannot be read."""
    try:
        with os.scandir(folder) as result:
            return list(result)
    except OSError:
        return []
