"""Manifests in the cache: a catalogue reads those of every edition there is, to find one."""

from __future__ import annotations

import os
from pathlib import Path

from rulewright.ruleset.cache.fingerprint import key_of, steady
from rulewright.ruleset.cache.folder import cache_folder, read, write
from rulewright.ruleset.cache.packed import UnpackError, pack, unpack
from rulewright.ruleset.editions.edition import MANIFEST, BrokenEdition, Edition, read_edition
from rulewright.source.diagnostics.collected import DiagnosticError
from rulewright.source.files.reading import read_bytes_as_text
from rulewright.source.source_map import SOURCES


def kept_edition(folder: Path, *, entry: int = 0) -> Edition | BrokenEdition:
    """The edition in `folder`, as `read_edition` has it; from the cache, where its manifest is still the same."""
    if cache_folder() is None:
        return read_edition(folder, entry=entry)
    path = folder / MANIFEST
    try:
        text = read_bytes_as_text(path)
    except DiagnosticError:
        return read_edition(folder, entry=entry)
    SOURCES.remember(os.fspath(path), text)
    key = key_of("manifest", os.fspath(folder), str(entry), text)
    kept = read(key)
    if kept is not None:
        try:
            found = unpack(kept)
        except UnpackError:
            found = None
        if isinstance(found, Edition):
            return found
    edition = read_edition(folder, entry=entry)
    # The file may have changed since its text was read; nobody minds reading it once more.
    if isinstance(edition, Edition) and _text(path) == text and steady():
        write(key, pack(edition))
    return edition


def _text(path: Path) -> str | None:
    try:
        return read_bytes_as_text(path)
    except DiagnosticError:
        return None
