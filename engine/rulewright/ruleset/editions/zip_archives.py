"""Extract zips of rules to a temporary folder that is removed when the process ends."""

from __future__ import annotations

import atexit
import hashlib
import os
import shutil
import tempfile
import zipfile
from io import BytesIO
from pathlib import Path, PurePosixPath
from threading import Lock

from rulewright.ruleset.schema.edition_reference import make_argument_node
from rulewright.source.diagnostics.collector import DiagnosticError
from rulewright.source.diagnostics.diagnostic import Code, Diagnostic
from rulewright.source.diagnostics.excerpt import shorten

ZIP_UNREADABLE = Code(
    "zip-unreadable",
    "A zip of rules that cannot be read",
    "A zip is extracted before its rules are read, and only if it is intact and harmless.",
    "Create the zip again from the rules folder.",
)

MOST_FILES = 2_000
"""The maximum number of rules files in a zip."""

MOST_BYTES = 32 * 1024 * 1024
"""The maximum size of a zip in bytes, and of its rules files together when extracted."""

ENCRYPTED = 1
"""The flag of an encrypted zip entry."""

_RULES = (".yaml", ".yml")
_LOCK = Lock()
_OPENED: dict[tuple[str, str], Path] = {}


def is_zip(path: Path) -> bool:
    """Return whether a file has the name of a zip."""
    return path.suffix.lower() == ".zip"


def open_archive(path: Path) -> Path:
    """Return the folder to which a zip was extracted. Return any other path as it is, even if it does not exist.

    Only rules files are extracted. Zips with the same name and content are extracted once per process, and deleted
    when it ends. The folder has the zip's name, so that messages show where in the zip a file is. Thread-safe.
    Raises `DiagnosticError` if the zip is unreadable, too large or unsafe.
    """
    if not (is_zip(path) and os.path.isfile(path)):
        return path
    try:
        size = os.path.getsize(path)
        if size > MOST_BYTES:
            raise _refusal(path, f"it has {size:,} bytes; the limit is {MOST_BYTES:,}")
        content = path.read_bytes()
    except OSError as error:
        raise _refusal(path, error.strerror or "it cannot be opened") from None
    key = (path.name, hashlib.sha256(content).hexdigest())
    with _LOCK:
        if key not in _OPENED or not _OPENED[key].is_dir():
            _OPENED[key] = _extract(path, content)
        return _OPENED[key]


def is_extracted(folder: Path) -> bool:
    """Return whether a folder is inside an extracted zip, and so exists only until the process ends."""
    return any(folder.is_relative_to(place) for place in _OPENED.values())


def _extract(path: Path, content: bytes) -> Path:
    """Extract the rules files of a zip to a new temporary folder, which is deleted at exit, and return the folder.

    Raises `DiagnosticError` for a zip that is damaged, encrypted, too large or unsafe.
    """
    above = Path(tempfile.mkdtemp(prefix="rulewright-zip-"))
    atexit.register(shutil.rmtree, above, ignore_errors=True)
    folder = above / path.name
    folder.mkdir()
    room = MOST_BYTES
    try:
        with zipfile.ZipFile(BytesIO(content)) as archive:
            members = [each for each in archive.infolist() if each.filename.lower().endswith(_RULES)]
            if len(members) > MOST_FILES:
                raise _refusal(path, f"it has {len(members):,} rules files; the limit is {MOST_FILES:,}")
            for member in members:
                place = PurePosixPath(member.filename)
                text = f"`{shorten(member.filename)}`"
                if place.is_absolute() or ".." in place.parts or "\\" in member.filename or ":" in member.filename:
                    raise _refusal(path, f"the path {text} leads out of the zip")
                if member.flag_bits & ENCRYPTED:
                    raise _refusal(path, f"{text} is encrypted")
                with archive.open(member) as file:
                    # The size in the zip's directory cannot be trusted.
                    data = file.read(room + 1)
                room -= len(data)
                if room < 0:
                    raise _refusal(path, f"its rules have more than {MOST_BYTES:,} bytes in total")
                target = folder.joinpath(*place.parts)
                try:
                    target.parent.mkdir(parents=True, exist_ok=True)
                    with target.open("xb") as new:
                        new.write(data)
                except FileExistsError:
                    raise _refusal(path, f"two of its files are named {text}") from None
                except OSError as error:
                    raise _refusal(
                        path, f"{text} cannot be unpacked: {error.strerror or 'not a valid file name'}"
                    ) from None
    except DiagnosticError:
        raise
    except Exception as error:  # a damaged zip may raise almost anything
        raise _refusal(path, str(error) or "it is damaged") from None
    return folder


def _refusal(path: Path, reason: str) -> DiagnosticError:
    message = f"`{path}` cannot be read as a zip of rules: {reason[:1].lower()}{reason[1:]}"
    return DiagnosticError([Diagnostic(ZIP_UNREADABLE, message, make_argument_node(str(path)).span)])
