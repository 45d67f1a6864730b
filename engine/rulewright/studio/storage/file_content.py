"""File contents and their versions, which depend on the bytes alone."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from pathlib import Path

from rulewright.source.files.safe_read import DEFAULT_LIMITS, normalize_text, read_regular
from rulewright.studio.storage.http_errors import RefusedError

_BYTE_ORDER_MARK = "\ufeff"


@dataclass(frozen=True, slots=True)
class Content:
    """The bytes of a file."""

    data: bytes

    @property
    def version(self) -> str:
        """The SHA-256 hash of the bytes, in hexadecimal."""
        return hashlib.sha256(self.data).hexdigest()

    @property
    def text(self) -> str:
        r"""The decoded text, with `\n` as line break. Raises `RefusedError` if the bytes are not UTF-8."""
        try:
            return normalize_text(self.data.decode("utf-8"))
        except UnicodeDecodeError:
            raise RefusedError(415, "the file is not UTF-8 text, so it was not changed") from None


def read(path: Path) -> Content | None:
    """Return the content of a file, or None if it does not exist.

    Raises `RefusedError` if the file is unreadable.
    """
    try:
        return Content(read_regular(path, DEFAULT_LIMITS.bytes))
    except (FileNotFoundError, NotADirectoryError):
        return None
    except (OSError, ValueError) as error:
        reason = (error.strerror if isinstance(error, OSError) else None) or "it is not a file"
        raise RefusedError(403, f"`{path.name}` cannot be read: {reason[:1].lower()}{reason[1:]}") from None


def build_content(text: object, before: Content | None) -> Content:
    """Return a text as file content, with the line breaks and byte order mark of the previous content.

    Raises `RefusedError` if the text is not a string, cannot be encoded or is too long.
    """
    if not isinstance(text, str):
        raise RefusedError(400, "the text of a file is missing")
    text = normalize_text(text)
    if before is not None:
        text = text.replace("\n", "\r\n") if b"\r\n" in before.data else text
        text = _BYTE_ORDER_MARK + text if before.data.startswith(_BYTE_ORDER_MARK.encode()) else text
    try:
        data = text.encode()
    except UnicodeEncodeError:
        raise RefusedError(400, "the text contains a lone surrogate, which cannot be stored") from None
    if len(data) > DEFAULT_LIMITS.bytes:
        raise RefusedError(
            413, f"a file may have at most {DEFAULT_LIMITS.bytes:,} bytes; this would have {len(data):,}"
        )
    return Content(data)
