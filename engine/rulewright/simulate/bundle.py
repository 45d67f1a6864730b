"""The files of a ruleset as data, for workers on machines that have none of its folders."""

from __future__ import annotations

import hashlib
import json
import os
import tempfile
import zlib
from collections.abc import Iterator
from pathlib import Path

from rulewright.ruleset.editions.catalogue import Catalogue
from rulewright.ruleset.editions.edition import MANIFEST, rules_files
from rulewright.ruleset.editions.search_path import search_path
from rulewright.ruleset.reference import parse_reference
from rulewright.ruleset.ruleset import Ruleset
from rulewright.source.diagnostics.collected import Diagnostics


def packed(ruleset: Ruleset, rules: tuple[str, ...] = ()) -> bytes:
    """Every file that `ruleset` is made of, and the manifests of the editions it follows, by path.

    `rules` are the folders it was looked for in.
    """
    catalogue = Catalogue(search_path([Path(folder) for folder in rules]))
    files: dict[str, str] = {}
    for part in catalogue.chain(catalogue.find(parse_reference(ruleset.reference))):
        for path in (part.path, *rules_files(part.folder, Diagnostics())):
            files[f"{_folder(part.id)}/{path.relative_to(part.folder).as_posix()}"] = path.read_text(encoding="utf-8")
        if part.follows is not None:
            followed = catalogue.find(part.follows)
            files.setdefault(f"{_folder(followed.id)}/{MANIFEST}", followed.path.read_text(encoding="utf-8"))
    return zlib.compress(json.dumps(files, sort_keys=True).encode("utf-8"))


def unpacked(bundle: bytes) -> str:
    """The folder in which the files of a bundle lie on this machine, written once for all that are alike."""
    name = f"rulewright-{os.getuid() if hasattr(os, 'getuid') else 0}-{hashlib.sha256(bundle).hexdigest()[:24]}"
    folder = Path(tempfile.gettempdir()) / name
    if folder.is_dir():
        return str(folder)
    with tempfile.TemporaryDirectory(prefix="rulewright-") as made:
        inner = Path(made) / "rules"
        for path, text in _files(bundle):
            # A path that leads elsewhere is none that `packed` has made.
            if not (inner / path).resolve().is_relative_to(inner.resolve()):
                raise ValueError(f"{path} leads out of its folder")
            (inner / path).parent.mkdir(parents=True, exist_ok=True)
            (inner / path).write_text(text, encoding="utf-8")
        try:
            inner.rename(folder)
        except OSError:
            # Another worker was faster; its folder holds the same files.
            if not folder.is_dir():
                raise
    return str(folder)


def _files(bundle: bytes) -> Iterator[tuple[str, str]]:
    yield from json.loads(zlib.decompress(bundle)).items()


def _folder(identity: str) -> str:
    return identity.replace("/", "+")
