"""A built site as one archive to take home. It works from disk, and the same site always makes the same bytes."""

from __future__ import annotations

import re
from pathlib import Path
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

NAME = "rulebooks.zip"
"""The file of the archive, at the root of the site that it holds."""

INSIDE = "rulebooks"
"""The one folder in the archive, so that unpacking it leaves nothing else behind."""

_DOWNLOAD = re.compile(rb'<p class="rw-download">.*?</p>\s*', re.DOTALL)
_EARLIEST = (1980, 1, 1, 0, 0, 0)
_READABLE = 0o100644 << 16
_UNIX = 3


def pack(site: Path) -> Path:
    """Write the archive of everything in `site` into it, and return its path.

    Inside it nothing offers the download, for whoever reads it there has it.
    """
    target = site / NAME
    files = sorted((path.relative_to(site).as_posix(), path) for path in site.rglob("*") if path.is_file())
    with ZipFile(target, "w", ZIP_DEFLATED, compresslevel=9) as archive:
        for name, path in files:
            if name == NAME or path.name.startswith("."):
                continue
            entry = ZipInfo(f"{INSIDE}/{name}", _EARLIEST)
            entry.compress_type, entry.external_attr, entry.create_system = ZIP_DEFLATED, _READABLE, _UNIX
            data = path.read_bytes()
            archive.writestr(entry, _DOWNLOAD.sub(b"", data) if name == "index.html" else data)
    return target
