"""Digests of files and folders, to see whether what was read of them is still the same."""

from __future__ import annotations

import hashlib
import os
import stat

from rulewright.source.files.unsaved_texts import find_unsaved_text, list_unsaved_files


def digest_file(path: str) -> str:
    """Return a digest of the content of a file, or of the names in a folder. Never raises `OSError`.

    It covers unsaved texts. It is the same for everything that does not exist or cannot be read.
    """
    typed = find_unsaved_text(path)
    if typed is not None:
        return _hash(b"file", typed.encode("utf-8", "surrogatepass"))
    try:
        mode = os.stat(path).st_mode
        if stat.S_ISDIR(mode):
            names = {*os.listdir(path), *list_unsaved_files(path)}
            return _hash(b"folder", "\0".join(sorted(names)).encode("utf-8", "surrogatepass"))
        if not stat.S_ISREG(mode):  # reading from a pipe could wait forever
            return _hash(b"other", b"")
        with open(path, "rb") as file:
            return _hash(b"file", file.read())
    except (OSError, ValueError):
        return _hash(b"none", b"")


def _hash(kind: bytes, content: bytes) -> str:
    return hashlib.blake2b(kind + b":" + content, digest_size=16).hexdigest()
