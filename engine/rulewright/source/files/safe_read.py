"""File reading with limits, which returns text or raises a diagnostic with the reason."""

from __future__ import annotations

import errno
import os
import stat
from dataclasses import dataclass
from pathlib import Path
from typing import NoReturn

from rulewright.base.incremental.reads import note_file
from rulewright.source.diagnostics.collector import DiagnosticError
from rulewright.source.diagnostics.diagnostic import Code, Diagnostic
from rulewright.source.files.unsaved_texts import find_unsaved_text
from rulewright.source.source_map import SOURCES
from rulewright.source.span import Span


@dataclass(frozen=True, slots=True)
class ReadLimits:
    """The limits for one file, to refuse a hostile or broken file before it costs time or memory."""

    bytes: int = 1024 * 1024
    """The maximum size of the file in bytes."""
    edition: int = 2 * 1024 * 1024
    """The maximum total size in bytes of an edition's rules files, including those of its layers."""
    depth: int = 64
    """The maximum nesting depth of mappings and lists."""
    nodes: int = 100_000
    """The maximum number of mappings, lists, keys and values together."""
    digits: int = 1_000
    """The maximum number of digits of a whole number."""
    errors: int = 100
    """The number of errors in a file after which its reader gives up."""


DEFAULT_LIMITS = ReadLimits()


FILE_MISSING = Code(
    "file-missing",
    "A missing file",
    "The rules refer to this file, so ignoring it would silently change the rules.",
    "Check the name and the folder, including upper and lower case.",
)
NOT_A_FILE = Code(
    "not-a-file",
    "A path that is not an ordinary file",
    "Rules are read from ordinary files; a folder, a device or a pipe has no lines to point at.",
    "Name a YAML file.",
)
FILE_UNREADABLE = Code(
    "file-unreadable",
    "A file that cannot be opened",
    "The operating system refused to read it.",
    "Check the permissions of the file and of the folders above it.",
)
FILE_TOO_LARGE = Code(
    "file-too-large",
    "A file too large to be rules",
    "A rules file of this size is probably a mistake, and would take too much time and memory to read.",
    "Split it by subject into several files.",
)
NOT_UTF8 = Code(
    "not-utf8",
    "Text that is not UTF-8",
    "In another encoding, letters and icons would silently become different ones.",
    "Save the file as UTF-8.",
)

_BYTE_ORDER_MARK = "\ufeff"
_OTHER_ENCODINGS = (
    (b"\xff\xfe", "this looks like UTF-16: save the file as UTF-8"),
    (b"\xfe\xff", "this looks like UTF-16: save the file as UTF-8"),
)


def read_bytes_as_text(path: str | os.PathLike[str], *, limits: ReadLimits = DEFAULT_LIMITS) -> str:
    r"""Return the text of a file, with `\n` as line breaks and without a byte order mark.

    Unsaved text replaces the file (`find_unsaved_text`). The size is checked before reading. Raises `DiagnosticError`
    if the file is missing, too large, not a regular file, unreadable, or not UTF-8. `SOURCES` then forgets the file,
    or, if it is not UTF-8, stores its text with replacement characters. Otherwise `SOURCES` does not change.
    """
    file = os.fspath(path)
    note_file(file)
    # Keep the earlier text while reading, because other threads may quote it. Forget it only if the file cannot be
    # read, because then it is no longer the content of the file.
    try:
        return _decode_text(file, limits)
    except DiagnosticError as error:
        if not any(each.code is NOT_UTF8 for each in error.diagnostics):
            SOURCES.forget(file)
        raise


def _decode_text(file: str, limits: ReadLimits) -> str:
    """Return the text of a file, or the unsaved text that replaces it.

    Raises `DiagnosticError` if it cannot be read.
    """
    typed = find_unsaved_text(file)
    if typed is not None:
        check_size(len(typed.encode("utf-8", errors="surrogatepass")), file, limits)
        return normalize_text(typed)
    try:
        status = os.stat(file)
        if not stat.S_ISREG(status.st_mode):
            kind = "a folder" if stat.S_ISDIR(status.st_mode) else "not an ordinary file"
            _refuse(NOT_A_FILE, f"`{file}` is {kind}", Span.for_file(file))
        check_size(status.st_size, file, limits)
        with open(file, "rb") as stream:
            data = stream.read(limits.bytes + 1)
    except FileNotFoundError:
        _refuse(FILE_MISSING, f"there is no file `{file}`", Span.for_file(file), _suggest_neighbours(file))
    except (OSError, ValueError) as error:  # ValueError means a NUL in the name
        reason = (error.strerror if isinstance(error, OSError) else None) or str(error)
        _refuse(FILE_UNREADABLE, f"`{file}` cannot be read: {reason[:1].lower()}{reason[1:]}", Span.for_file(file))
    check_size(len(data), file, limits)  # it may have grown since it was measured
    return normalize_text(_decode(data, file))


def check_size(size: int, file: str, limits: ReadLimits) -> None:
    """Raise `DiagnosticError` if a text has more bytes than the limit."""
    if size > limits.bytes:
        message = f"the file has {size:,} bytes; the limit is {limits.bytes:,}"
        _refuse(FILE_TOO_LARGE, message, Span.for_file(file))


def normalize_text(text: str) -> str:
    r"""Return the text with `\n` as line breaks and without a byte order mark. Lines and columns stay the same."""
    return text.removeprefix(_BYTE_ORDER_MARK).replace("\r\n", "\n").replace("\r", "\n")


def _decode(data: bytes, file: str) -> str:
    """Return the text of UTF-8 bytes.

    Raises `DiagnosticError` for other bytes, and stores their text in `SOURCES` with replacement characters.
    """
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as error:
        SOURCES.remember(file, normalize_text(data.decode("utf-8", errors="replace")))
        before = normalize_text(data[: error.start].decode("utf-8"))
        line = before.count("\n") + 1
        column = len(before) - (before.rfind("\n") + 1) + 1
        message = f"the byte 0x{data[error.start]:02X} at offset {error.start} (line {line}) is not UTF-8"
        suggestion = next((words for mark, words in _OTHER_ENCODINGS if data.startswith(mark)), None)
        _refuse(NOT_UTF8, message, Span(file, line, column, line, column + 1), suggestion)


def _suggest_neighbours(file: str) -> str | None:
    """Return a suggestion of a file in the same folder with a name similar to the missing one, or None."""
    from rulewright.source.diagnostics.suggestions import suggest_name

    path = Path(file)
    try:
        names = [entry.name for entry in path.parent.iterdir()]
    except (OSError, ValueError):
        return None
    return suggest_name(path.name, names)


def _refuse(code: Code, message: str, span: Span, suggestion: str | None = None) -> NoReturn:
    # `from None`: the operating system's exception adds no information.
    raise DiagnosticError([Diagnostic(code, message, span, suggestion=suggestion)]) from None


def read_regular(path: Path, most: int) -> bytes:
    """Return the bytes of a regular file, or its unsaved text if an editor has some.

    Raises `OSError` if the file does not exist, is not a regular file, or is larger than `most` bytes. Never waits,
    even for a pipe without a writer.
    """
    note_file(path)
    typed = find_unsaved_text(path)
    if typed is not None:
        result = typed.encode("utf-8", errors="surrogatepass")
        if len(result) > most:
            raise OSError(errno.EFBIG, f"it has more than {most:,} bytes", os.fspath(path))
        return result
    # Reading from a pipe without a writer would block forever.
    handle = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0))
    with os.fdopen(handle, "rb") as file:
        status = os.fstat(handle)
        if not stat.S_ISREG(status.st_mode):
            raise OSError(errno.EINVAL, "it is not a regular file", os.fspath(path))
        result = file.read(most + 1)
    if len(result) > most:
        raise OSError(errno.EFBIG, f"it has more than {most:,} bytes", os.fspath(path))
    return result
